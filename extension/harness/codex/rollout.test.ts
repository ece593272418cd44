import { describe, expect, it } from "vitest";
import {
  call,
  callOf,
  count,
  custom,
  done,
  event,
  exited,
  item,
  meta,
  ms,
  readOne,
  type Rec,
  rec,
  result,
  running,
  turn,
} from "../../../test/codex.ts";

const script = (state: string, ...printed: unknown[]): Rec[] =>
  [`Script ${state}\nWall time 0.1 seconds\nOutput:\n`, ...printed].map((
    p,
  ) => ({
    type: "input_text",
    text: typeof p === "string" ? p : JSON.stringify(p),
  }));

/** One session with these records inside one turn. */
const during = (...records: Rec[]) =>
  readOne([meta(0, "one"), ...turn(1, "t1", "Go"), ...records])
    .then(({ session }) => session);

describe("turns", () => {
  it("are told by their task's id; a prompt meanwhile steers the same turn", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Go"),
      event(3, "user_message", { message: "And this" }),
      done(5, "t1"),
      event(8, "thread_settings_applied"),
      ...turn(20, "t2", "More", "gpt-b"),
      call(22, "c", "shell", { command: ["ls"] }),
    ]);
    expect(
      session.turns.map((t) => [t.startedAt, t.endedAt, t.prompts, t.trigger]),
    ).toEqual([
      [ms(1), ms(5), 2, "prompt"],
      [ms(20), ms(22), 1, "prompt"],
    ]);
    expect(session.models).toEqual(["gpt-a", "gpt-b"]);
  });

  it("a prompt written just before its task is that turn's", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      event(1, "user_message", { message: "Go" }),
      ...turn(2, "t1"),
      done(4, "t1"),
    ]);
    expect(session.turns.map((t) => [t.startedAt, t.endedAt, t.prompts]))
      .toEqual([[ms(1), ms(4), 1]]);
  });

  it("what comes after a turn's end is its own, not a turn's of its own", async () => {
    const session = await during(
      done(3, "t1"),
      count(4, [100, 0, 5]),
      event(5, "agent_message", { message: "Late." }),
    );
    expect(session.turns.map((t) => t.tokens.output)).toEqual([5]);
  });

  it("one set off by an agent's message is a notification", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1"),
      rec(1, "inter_agent_communication_metadata", { trigger_turn: true }),
      done(2, "t1"),
    ]);
    expect(session.turns[0]?.trigger).toBe("notification");
  });

  it("an abort interrupts the calls without a result, and only those", async () => {
    const session = await during(
      call(2, "a", "shell", { command: ["ls"] }),
      result(3, "a", exited(0)),
      call(4, "b", "exec_command", { cmd: "sleep 9" }),
      event(5, "turn_aborted", { turn_id: "t1", reason: "interrupted" }),
      ...turn(8, "t2", "On"),
      call(9, "c", "exec_command", { cmd: "sleep 9" }),
    );
    expect(["a", "b", "c"].map((id) => callOf(session, id).state))
      .toEqual(["ok", "interrupted", "pending"]);
    expect(session.marks).toEqual([{ at: ms(5), kind: "interruption" }]);
  });

  it("compactions written twice count once; a rollback leaves its turn's cost", async () => {
    const { session, read } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Go"),
      rec(2, "compacted", {
        message: "What was done",
        replacement_history: [{ type: "message", role: "user" }],
      }),
      event(2, "context_compacted"),
      count(3, [100, 0, 5]),
      event(6, "thread_rolled_back", { num_turns: 1 }),
    ]);
    expect(session.marks.map((m) => m.kind)).toEqual([
      "compaction",
      "rollback",
    ]);
    expect(session.tokens.output).toBe(5);
    expect(read.texts.at(-1)).toEqual({
      session: "one",
      role: "compaction",
      text: "What was done",
    });
  });
});

describe("commands that run on", () => {
  it("end when a poll sees their end; the poll itself is only a poll", async () => {
    const session = await during(
      call(2, "run", "exec_command", { cmd: "npm test" }),
      result(3, "run", running(77)),
      call(4, "poll1", "write_stdin", { session_id: 77, chars: "" }),
      result(5, "poll1", running(77)),
      call(6, "poll2", "write_stdin", { session_id: 77, chars: "" }),
      result(9, "poll2", exited(3)),
    );
    const run = callOf(session, "run");
    expect([run.state, run.exitCode, run.endedAt]).toEqual([
      "failed",
      3,
      ms(9),
    ]);
    for (const id of ["poll1", "poll2"]) {
      expect([callOf(session, id).state, callOf(session, id).exitCode])
        .toEqual(["ok", undefined]);
    }
  });

  it("without a known end are background, with neither end nor exit code", async () => {
    const session = await during(
      call(2, "run", "exec_command", { cmd: "npm start" }),
      result(3, "run", running(77)),
    );
    const run = callOf(session, "run");
    expect([run.state, run.exitCode, run.endedAt])
      .toEqual(["background", undefined, undefined]);
  });

  it("a poll of a process that nobody started keeps its exit code", async () => {
    const session = await during(
      call(4, "poll", "write_stdin", { session_id: 5 }),
      result(5, "poll", exited(2)),
    );
    const poll = callOf(session, "poll");
    expect([poll.state, poll.exitCode]).toEqual(["failed", 2]);
  });

  it("an end event of its own fills in what the result does not tell", async () => {
    const session = await during(
      call(2, "a", "exec_command", { cmd: "x" }),
      event(3, "exec_command_end", { call_id: "a", exit_code: 4 }),
      call(5, "b", "exec_command", { cmd: "y" }),
      event(6, "exec_command_end", { call_id: "b", exit_code: 4 }),
      result(6, "b", exited(0)),
    );
    expect(["a", "b"].map((id) => callOf(session, id).exitCode))
      .toEqual([4, 0]);
    expect(session.calls.size).toBe(2);
  });
});

describe("ids that are given again", () => {
  const twice = (id: string) =>
    during(
      call(2, id, "exec_command", { cmd: "ls" }),
      result(3, id, exited(1)),
      call(4, id, "exec_command", { cmd: "ls" }),
      result(5, id, exited(0)),
    );

  it("are calls of their own where a gateway counts them", async () => {
    const calls = [...(await twice("call_0")).calls.values()];
    expect(calls.map((c) => [c.id, c.exitCode]))
      .toEqual([["call_0", 1], ["call_0#2", 0]]);
  });

  it("are copies of one call where they were made to be unique", async () => {
    const { calls } = await twice("call_AbCdEfGhIjKlMnOpQrStUvWx");
    expect(calls.size).toBe(1);
  });
});

describe("code mode", () => {
  const one = 'const r = await tools.exec_command({cmd:"npm test"}); text(r)';

  it("the commands are the call's text, the printed exit code its exit code", async () => {
    const session = await during(
      custom(2, "a", "exec", one),
      result(3, "a", script("completed", { exit_code: 2, output: "x" })),
    );
    const a = callOf(session, "a");
    expect([a.tool, a.facts.text, a.state, a.exitCode])
      .toEqual(["exec", "npm test", "failed", 2]);
  });

  it("a cell that runs on ends with the wait that sees its end", async () => {
    const session = await during(
      custom(2, "a", "exec", one),
      result(3, "a", script("running with cell ID 9")),
      call(4, "w", "wait", { cell_id: "9" }),
      result(8, "w", script("completed", { exit_code: 0, output: "x" })),
    );
    const a = callOf(session, "a");
    expect([a.state, a.exitCode, a.endedAt]).toEqual(["ok", 0, ms(8)]);
    expect([callOf(session, "w").state, callOf(session, "w").exitCode])
      .toEqual(["ok", undefined]);
  });

  it("a wait that terminates a cell ends it; the wait itself is fine", async () => {
    const session = await during(
      custom(2, "a", "exec", one),
      result(3, "a", script("running with cell ID 9")),
      call(4, "w", "wait", { cell_id: "9", terminate: true }),
      result(8, "w", script("terminated")),
    );
    const a = callOf(session, "a");
    expect([a.state, a.endedAt]).toEqual(["interrupted", ms(8)]);
    expect(callOf(session, "w").state).toBe("ok");
  });

  it("what a script says on its way ends nothing, whatever it looks like", async () => {
    const said = "Exit code: 2\nWall time: 1 seconds\n";
    const session = await during(
      custom(2, "a", "exec", one),
      result(3, "a", said),
      result(4, "a", script("completed")),
      result(5, "a", "error: late"),
      custom(6, "b", "exec", one),
      result(7, "b", script("running with cell ID 9")),
      result(8, "b", said),
    );
    const a = callOf(session, "a");
    expect([a.state, a.exitCode, a.endedAt]).toEqual(["ok", undefined, ms(4)]);
    expect(callOf(session, "b").state).toBe("background");
  });

  it("the one command's own item tells the exit code that was not printed", async () => {
    const inner = (at: number, code: number) =>
      event(at, "item_completed", {
        item: { type: "CommandExecution", id: `exec-${at}`, exit_code: code },
      });
    const session = await during(
      custom(2, "a", "exec", one),
      inner(3, 1),
      result(4, "a", script("completed")),
      custom(5, "b", "exec", one + one),
      inner(6, 1),
      inner(6, 0),
      result(7, "b", script("completed")),
    );
    expect([callOf(session, "a").state, callOf(session, "a").exitCode])
      .toEqual(["failed", 1]);
    expect([callOf(session, "b").state, callOf(session, "b").exitCode])
      .toEqual(["ok", undefined]);
  });

  it("a script that failed is a failed call", async () => {
    const session = await during(
      custom(2, "a", "exec", one),
      result(3, "a", script("failed")),
    );
    expect(callOf(session, "a").state).toBe("failed");
  });
});

describe("other calls", () => {
  it("searches and pictures have no result of their own and end at once", async () => {
    const session = await during(
      item(2, "web_search_call", {
        id: "ws",
        action: { type: "search", query: "words" },
      }),
      item(3, "web_search_call", {
        action: { type: "open_page", url: "http://h" },
      }),
      item(4, "image_generation_call", { id: "ig", status: "failed" }),
    );
    expect(
      [...session.calls.values()].map((c) => [c.tool, c.state, c.facts.text]),
    ).toEqual([
      ["web_search", "ok", "words"],
      ["web_search", "ok", "http://h"],
      ["image_generation", "failed", ""],
    ]);
  });

  it("an MCP call that its event calls an error has failed", async () => {
    const session = await during(
      call(2, "a", "mcp__github__search", { query: "q" }),
      event(3, "mcp_tool_call_end", {
        call_id: "a",
        result: { Ok: { is_error: true } },
      }),
      result(3, "a", "Wall time: 1 seconds\nOutput:\n{}"),
    );
    expect(callOf(session, "a").state).toBe("failed");
  });

  it("a result without a call is counted, not kept", async () => {
    const session = await during(result(2, "gone", "x"));
    expect([session.orphanResults, session.calls.size]).toEqual([1, 0]);
  });
});

describe("a session's own description", () => {
  it("may be repeated: one session, with what came later added", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Go"),
      meta(5, "one", {
        cli_version: "0.141.0",
        git: { branch: "main", repository_url: "https://h/r.git" },
      }),
      meta(6, "other", { cwd: "/elsewhere", cli_version: "9.9.9" }),
    ]);
    expect(session.versions).toEqual(["0.140.0", "0.141.0"]);
    expect([session.branches, session.remote, session.cwds])
      .toEqual([["main"], "https://h/r.git", ["/repo"]]);
    expect(session.startedAt).toBe(ms(0));
  });

  it.each([
    ["cli", "codex_cli_rs", "interactive"],
    ["exec", "codex_exec", "headless"],
    ["vscode", "Codex Desktop", "interactive"],
    [undefined, "codex_sdk_ts", "headless"],
    [undefined, "codex-tui", "interactive"],
    ["mcp", "Claude Code", "unknown"],
  ])("source %s by %s is %s", async (source, originator, mode) => {
    const { session } = await readOne([meta(0, "one", { source, originator })]);
    expect([session.mode, session.entry]).toEqual([mode, originator]);
  });

  it("a detached head is no branch", async () => {
    const { session } = await readOne([
      meta(0, "one", { git: { branch: "HEAD" } }),
    ]);
    expect(session.branches).toEqual([]);
  });

  it("clocks that go backwards do not move its start; its end is the last moment", async () => {
    const session = await during(count(9, [1, 0, 1]), count(-50, [2, 0, 2]));
    expect([session.startedAt, session.endedAt]).toEqual([ms(0), ms(9)]);
  });
});
