import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  call,
  callOf,
  CodexHome,
  count,
  done,
  event,
  exited,
  iso,
  item,
  meta,
  ms,
  type Rec,
  result,
  turn,
} from "../../../test/codex.ts";

let home: CodexHome;
beforeEach(() => {
  home = new CodexHome();
});
afterEach(() => home.remove());

const spawn = (parent: string, more: Rec = {}) => ({
  session_id: "root",
  parent_thread_id: parent,
  source: { subagent: { thread_spawn: { parent_thread_id: parent, ...more } } },
});
const started = (at: number, id: string, thread: string) =>
  event(at, "sub_agent_activity", {
    event_id: id,
    agent_thread_id: thread,
    kind: "started",
  });
/** The same records written again at the time of a fork. */
const copied = (records: Rec[], at: number): Rec[] =>
  records.map((r) => ({ ...r, timestamp: iso(at) }));

const PARENT: Rec[] = [
  meta(0, "root"),
  ...turn(1, "t1", "Go"),
  count(2, [100, 0, 10]),
  call(3, "spawn", "spawn_agent", { agent_type: "explorer", message: "x" }),
  started(4, "spawn", "child"),
  result(4, "spawn", '{"task_name":"/root/x"}'),
  count(9, [250, 0, 30]),
  done(10, "t1"),
];
const OWN: Rec[] = [
  ...turn(20, "own"),
  call(21, "mine", "shell", { command: ["ls"] }),
  result(22, "mine", exited(0)),
  count(23, [175, 0, 17]),
  done(24, "own"),
];
/** A child whose file begins with the parent's history up to its spawning. */
const fork = (more: Rec = {}): Rec[] => [
  meta(20, "child", { forked_from_id: "root", ...spawn("root"), ...more }),
  ...copied(PARENT.slice(0, 7), 20),
  ...OWN,
];
const child = async () => {
  const read = await home.read();
  const session = read.sessions.get("child");
  if (!session) throw new Error("no child");
  return { session, read };
};

describe("a forked child", () => {
  it("has only its own turns, calls, tokens and times; the copy is its parent's", async () => {
    home.rollout("root", PARENT);
    home.rollout("child", fork());
    const { session, read } = await child();
    expect(session.tokens.input).toBe(75);
    expect(session.tokens.output).toBe(7);
    expect([...session.calls.keys()]).toEqual(["mine"]);
    expect(session.turns.map((t) => [t.key, t.trigger]))
      .toEqual([["own", "subagent"]]);
    expect([session.startedAt, session.endedAt]).toEqual([ms(20), ms(24)]);
    expect([session.forkOf, session.messages]).toEqual(["root", 0]);
    expect(read.sessions.get("root")?.tokens.output).toBe(30);
    expect(session.parent)
      .toEqual({ session: "root", call: "spawn", evidence: "event" });
    const parent = read.sessions.get("root");
    expect(parent && callOf(parent, "spawn").subagent).toBe("child");
    expect(read.texts.filter((t) => t.session === "child")).toEqual([]);
  });

  it("is cut by the true start of its turns where the parent's file is gone", async () => {
    home.rollout("child", fork());
    const { session, read } = await child();
    expect([session.tokens.input, session.calls.size]).toEqual([75, 1]);
    expect(read.placeholders).toEqual(["root"]);
    expect(session.parent).toEqual({ session: "root", evidence: "record" });
  });

  it("is cut at the ordinal that it names", async () => {
    home.rollout("root", PARENT);
    const records = fork({ subagent_history_start_ordinal: 8 })
      .map((r, ordinal) => ({ ...r, ordinal }));
    home.rollout("child", records);
    const { session } = await child();
    expect([session.tokens.input, session.calls.size]).toEqual([75, 1]);
  });

  it("without turn ids is cut where its counts and prompts leave the parent's", async () => {
    const plain = (list: Rec[]) =>
      list.filter((r) =>
        r["type"] === "event_msg" || r["type"] === "session_meta"
      );
    const parent = plain([
      meta(0, "root"),
      event(1, "user_message", { message: "Go" }),
      count(2, [100, 0, 10]),
      count(3, [100, 0, 10]),
      count(4, [150, 0, 20]),
    ]);
    home.rollout("root", parent);
    home.rollout("child", [
      meta(20, "child", { forked_from_id: "root" }),
      ...copied(parent.slice(1), 20),
      event(21, "user_message", { message: "On" }),
      count(22, [190, 0, 25]),
    ]);
    const { session } = await child();
    expect([session.tokens.input, session.tokens.output]).toEqual([40, 5]);
    expect(session.turns.map((t) => t.startedAt)).toEqual([ms(21)]);
    expect([session.kind, session.forkOf]).toEqual(["main", "root"]);
  });

  it("that holds no copy and counts from zero is counted in full", async () => {
    home.rollout("root", PARENT);
    home.rollout("child", [meta(20, "child", spawn("root")), ...OWN]);
    const { session } = await child();
    expect(session.tokens.input).toBe(175);
    expect(session.forkOf).toBeUndefined();
  });

  it("whose history is in the other file is not cut, and its count goes on", async () => {
    home.rollout("root", PARENT);
    home.rollout("child", [
      meta(20, "child", {
        history_base: { thread_id: "root", end_ordinal_exclusive: 9 },
      }),
      ...turn(20, "own", "On"),
      count(23, [325, 0, 37], [75, 0, 7]),
      count(24, [325, 0, 37], [75, 0, 7]),
    ]);
    const { session } = await child();
    expect([session.tokens.input, session.tokens.output]).toEqual([75, 7]);
    expect(session.forkOf).toBe("root");
  });

  it("of a person needs its source's file but is no part of its unit", async () => {
    const file = home.rollout("root", PARENT);
    home.rollout("child", [
      meta(20, "child", { forked_from_id: "root" }),
      ...copied(PARENT, 20),
      ...turn(30, "own", "On"),
      count(31, [300, 0, 40]),
    ]);
    const { session, read } = await child();
    const unit = read.scan.units.find((u) => u.id === "child");
    expect(unit?.files.length).toBe(1);
    expect(unit?.needs.map((f) => f.path)).toEqual([file]);
    expect(session.tokens.input).toBe(50);
    expect(session.parent).toBeUndefined();
  });

  it("that was not gone on with is empty", async () => {
    home.rollout("root", PARENT);
    home.rollout("child", [
      meta(20, "child", { forked_from_id: "root" }),
      ...copied(PARENT, 20),
    ]);
    const { session } = await child();
    expect([session.turns.length, session.tokens.input]).toEqual([0, 0]);
    expect([session.startedAt, session.endedAt]).toEqual([ms(20), ms(20)]);
  });
});

describe("a family", () => {
  it("is one unit at any depth, by id and never by session_id", async () => {
    home.rollout("root", PARENT);
    home.rollout("child", [
      meta(20, "child", spawn("root")),
      ...turn(20, "c1"),
      call(21, "again", "spawn_agent", { message: "x" }),
      result(22, "again", '{"agent_id":"grandchild"}'),
    ]);
    home.rollout("grandchild", [
      meta(22, "grandchild", spawn("child", { agent_role: "worker" })),
      ...turn(22, "g1"),
    ]);
    const read = await home.read();
    expect(read.scan.units.map((u) => [u.id, u.files.length]))
      .toEqual([["root", 3]]);
    const grandchild = read.sessions.get("grandchild");
    expect(grandchild?.parent)
      .toEqual({ session: "child", call: "again", evidence: "result" });
    expect(grandchild?.agentType).toBe("worker");
    expect([...read.sessions.values()].map((s) => s.kind))
      .toEqual(["main", "subagent", "subagent"]);
  });

  it("links by path where nothing else tells, and only without doubt", async () => {
    const task = (at: number, id: string, task_name: string) =>
      call(at, id, "spawn_agent", { task_name, message: "x" });
    home.rollout("root", [
      meta(0, "root"),
      ...turn(1, "t1", "Go"),
      task(2, "a", "look"),
      task(3, "b", "twice"),
      task(4, "c", "twice"),
    ]);
    for (
      const [id, name] of [["k1", "look"], ["k2", "twice"], ["k3", "twice"]]
    ) {
      home.rollout(`${id}`, [
        meta(9, `${id}`, spawn("root", { agent_path: `/root/${name}` })),
      ]);
    }
    const { sessions } = await home.read();
    const links = ["k1", "k2", "k3"].map((id) => sessions.get(id)?.parent);
    expect(links.map((p) => [p?.call, p?.evidence])).toEqual([
      ["a", "path"],
      [undefined, "record"],
      [undefined, "record"],
    ]);
  });

  it("links by completed items of newer files", async () => {
    home.rollout("root", [
      meta(0, "root"),
      ...turn(1, "t1", "Go"),
      call(2, "a", "spawn_agent", { message: "x" }),
      event(3, "item_completed", {
        item: {
          type: "CollabAgentToolCall",
          tool: "spawnAgent",
          id: "a",
          receiver_thread_ids: ["child"],
        },
      }),
    ]);
    home.rollout("child", [meta(3, "child", spawn("root"))]);
    expect((await child()).session.parent?.call).toBe("a");
  });

  it("children of a parent whose file is gone share one made for it", async () => {
    home.rollout("k1", [meta(9, "k1", spawn("gone")), ...turn(9, "a")]);
    home.rollout("k2", [meta(5, "k2", spawn("gone")), ...turn(6, "b")]);
    const read = await home.read();
    expect([read.placeholders, [...read.sessions.keys()]])
      .toEqual([["gone"], ["k2", "k1"]]);
    expect(read.scan.units.map((u) => [u.id, u.cwd])).toEqual([
      ["gone", "/repo"],
    ]);
  });

  it("whose threads name each other as parents is still read", async () => {
    home.rollout("k1", [meta(1, "k1", spawn("k2"))]);
    home.rollout("k2", [meta(2, "k2", spawn("k1"))]);
    home.rollout("k3", [meta(3, "k3", spawn("k2"))]);
    home.rollout("k4", [meta(3, "k4", spawn("k4"))]);
    const read = await home.read();
    expect(read.scan.units.map((u) => u.id)).toEqual(["k1", "k4"]);
    expect([...read.sessions.keys()]).toEqual(["k1", "k2", "k3", "k4"]);
  });

  it("of a very long line of threads is found at once", async () => {
    const n = 3000;
    const id = (i: number) => `k${String(i).padStart(5, "0")}`;
    const all = Array.from(
      { length: n },
      (_, i) =>
        meta(
          i,
          id(i),
          i === 0 ? {} : { ...spawn(id(i - 1)), forked_from_id: id(i - 1) },
        ),
    );
    for (const [i, record] of all.entries()) home.rollout(id(i), [record]);
    const read = await home.read();
    expect(read.scan.units.map((u) => [u.id, u.files.length]))
      .toEqual([[id(0), n]]);
    expect(read.sessions.size).toBe(n);
  });

  it("what Codex does for itself is marked, with a parent or without", async () => {
    home.rollout("root", PARENT);
    home.rollout("g", [
      meta(2, "g", {
        parent_thread_id: "root",
        source: { subagent: { other: "guardian" } },
      }),
    ]);
    home.rollout("m", [
      meta(2, "m", { source: { subagent: "memory_consolidation" } }),
    ]);
    home.rollout("o", [
      meta(2, "o", { source: { subagent: { other: "please do this" } } }),
    ]);
    const { sessions } = await home.read();
    expect(sessions.get("o")?.auxiliary).toBe("other");
    expect(sessions.get("g")?.auxiliary).toBe("guardian");
    expect(sessions.get("g")?.parent?.session).toBe("root");
    expect(sessions.get("m")?.auxiliary).toBe("memory");
    expect(sessions.get("m")?.parent).toBeUndefined();
    expect(sessions.get("root")?.auxiliary).toBeUndefined();
  });
});

describe("a thread in several files", () => {
  it("goes on where the first was cut, and what was undone keeps its cost", async () => {
    const id = "0199a213-81c0-7800-8aa1-bbab2a035a53";
    const name = `sessions/rollout-2026-10-05T09-00-00-${id}`;
    home.put(`${name}.jsonl`, [
      meta(0, id),
      ...turn(1, "t1", "Go"),
      count(2, [100, 0, 10]),
      done(3, "t1"),
      ...turn(4, "t2", "Wrong"),
      count(5, [150, 0, 15]),
    ]);
    home.put(`${name}_0199a213-81c0-7800-8aa1-bbab2a035a54.jsonl`, [
      meta(9, id, {
        history_base: { thread_id: id, end_ordinal_exclusive: 6 },
      }),
      ...turn(10, "t3", "Right"),
      count(11, [130, 0, 13], [30, 0, 3]),
      item(12, "reasoning"),
    ]);
    const { sessions, scan } = await home.read();
    const session = sessions.get(id);
    expect(scan.units.map((u) => u.files.length)).toEqual([2]);
    expect(session?.turns.map((t) => t.key)).toEqual(["t1", "t2", "t3"]);
    expect(session?.tokens.input).toBe(180);
    expect(session?.marks.map((m) => m.kind)).toEqual(["rollback"]);
    expect([session?.startedAt, session?.endedAt]).toEqual([ms(0), ms(12)]);
    expect(session?.forkOf).toBeUndefined();
  });
});
