import { describe, expect, it } from "vitest";
import {
  callOf,
  CodexHome,
  count,
  done,
  event,
  item,
  meta,
  ms,
  readOne,
  type Rec,
  rec,
  turn,
} from "../../../test/codex.ts";

const user = (text: string): Rec => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
const assistant = (text: string): Rec => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const shell: Rec[] = [
  {
    type: "function_call",
    name: "shell",
    call_id: "c1",
    arguments: JSON.stringify({ command: ["bash", "-lc", "ls"] }),
  },
  {
    type: "function_call_output",
    call_id: "c1",
    output: '{"output":"x","metadata":{"exit_code":0,"duration_seconds":0}}',
  },
];

describe("shapes of rollouts", () => {
  it("A: one object; turns have the session's time, for there is no other", async () => {
    const home = new CodexHome();
    try {
      home.put(
        "sessions/rollout-2025-04-17-old-one.json",
        JSON.stringify({
          session: { id: "old-one", timestamp: "2025-04-17T14:50:24.646Z" },
          items: [user("Do it"), ...shell, assistant("Done.")],
        }),
      );
      const { sessions, problems } = await home.read();
      const session = sessions.get("old-one");
      const at = Date.parse("2025-04-17T14:50:24.646Z");
      expect(problems).toEqual([]);
      expect(session?.turns.map((t) => [t.startedAt, t.prompts, t.trigger]))
        .toEqual([[at, 1, "prompt"]]);
      const c = session && callOf(session, "c1");
      expect([c?.facts.text, c?.state, c?.exitCode, c?.endedAt])
        .toEqual(["ls", "ok", 0, undefined]);
      expect([session?.messages, session?.endedCleanly]).toEqual([2, true]);
      expect([session?.startedAt, session?.endedAt]).toEqual([at, at]);
    } finally {
      home.remove();
    }
  });

  it("B: bare items after a line without a type", async () => {
    const { session } = await readOne([
      { id: "one", timestamp: "2025-07-19T22:25:43.741Z", instructions: "x" },
      user("<environment_context>\n  <cwd>/x</cwd>"),
      user("Do it"),
      {
        type: "local_shell_call",
        call_id: "c1",
        action: { command: ["bash", "-lc", "ls -1"] },
      },
      shell[1] ?? {},
      assistant("Done."),
      user("More"),
    ]);
    expect(session.turns.map((t) => t.prompts)).toEqual([1, 1]);
    expect(callOf(session, "c1").facts.text).toBe("ls -1");
    expect(session.messages).toBe(3);
    expect(session.unknown.size).toBe(0);
  });

  it("C without tasks: turns begin at prompts; role user is not a prompt", async () => {
    const { session, read } = await readOne([
      meta(0, "one", { cli_version: "0.34.0" }),
      item(0, "message", user("# AGENTS.md instructions for /repo")),
      item(1, "message", user("Do it")),
      event(1, "user_message", { message: "Do it", kind: "plain" }),
      item(2, "message", assistant("Done.")),
      event(2, "agent_message", { message: "Done." }),
      event(9, "user_message", { message: "More" }),
    ]);
    expect(session.turns.map((t) => [t.startedAt, t.endedAt])).toEqual([
      [ms(1), ms(2)],
      [ms(9), ms(9)],
    ]);
    expect(read.texts.map((t) => `${t.role}: ${t.text}`)).toEqual([
      "human: Do it",
      "assistant: Done.",
      "human: More",
    ]);
    expect([session.messages, session.endedCleanly]).toEqual([3, false]);
    expect(session.models).toEqual([]);
  });

  it("D: prompts and replies are completed items, each counted once", async () => {
    const completed = (at: number, it: Rec) =>
      event(at, "item_completed", { turn_id: "t1", item: it });
    const records = [
      meta(0, "one", { history_mode: "paginated", cli_version: "0.153.4" }),
      ...turn(1, "t1"),
      completed(1, {
        type: "UserMessage",
        id: "u",
        content: [{ type: "text", text: "Do it" }],
      }),
      item(2, "message", assistant("Done.")),
      completed(2, {
        type: "AgentMessage",
        id: "a",
        content: [{ type: "Text", text: "Done." }],
      }),
      completed(2, { type: "ContextCompaction", id: "k" }),
      completed(2, { type: "BrandNew", id: "n" }),
      rec(2, "token_usage_record", { usage: { input_tokens: 99 } }),
      count(3, [100, 40, 10]),
      done(4, "t1"),
    ].map((r, ordinal) => ({ ...r, ordinal }));
    const { session, read } = await readOne(records);
    expect(session.turns.map((t) => [t.prompts, t.trigger, t.tokens.input]))
      .toEqual([[1, "prompt", 60]]);
    expect(read.texts.map((t) => t.text)).toEqual(["Do it", "Done."]);
    expect(session.messages).toBe(2);
    expect(session.marks.map((m) => m.kind)).toEqual(["compaction"]);
    expect([...session.unknown]).toEqual([["item/BrandNew", 1]]);
  });

  it("a reply written again with other words around it is one reply", async () => {
    const { session, read } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Go"),
      event(2, "agent_message", { message: "Do it" }),
      item(2, "message", assistant("<plan>Do it</plan>")),
      event(3, "agent_message", { message: "Do it" }),
      item(3, "message", assistant("<plan>Do it</plan>")),
    ]);
    expect(session.messages).toBe(3);
    expect(read.texts.map((t) => t.text)).toEqual(["Go", "Do it", "Do it"]);
  });

  it("the same prompt twice is two prompts, each of them written twice", async () => {
    const twice = (at: number): Rec[] => [
      event(at, "user_message", { message: "Go on" }),
      event(at, "item_completed", {
        item: {
          type: "UserMessage",
          content: [{ type: "text", text: "Go on" }],
        },
      }),
    ];
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1"),
      ...twice(1),
      ...twice(2),
    ]);
    expect(session.turns.map((t) => t.prompts)).toEqual([2]);
  });

  it("a prompt written as event and as item is one prompt", async () => {
    const { session } = await readOne([
      meta(0, "one"),
      ...turn(1, "t1", "Do it"),
      event(1, "item_completed", {
        item: {
          type: "userMessage",
          content: [{ type: "text", text: "Do it" }],
        },
      }),
    ]);
    expect(session.turns.map((t) => t.prompts)).toEqual([1]);
  });

  it("only two lines are a session without turns, not an error", async () => {
    const { session, read } = await readOne([
      meta(0, "one"),
      item(1, "message", user("<environment_context>")),
    ]);
    expect([session.turns, session.startedAt, session.endedAt, read.problems])
      .toEqual([[], ms(0), ms(1), []]);
  });
});
