import { describe, expect, it } from "vitest";
import { build, callOf, Tape } from "../../../test/oracle/claude-home.ts";
import type { BuiltCall } from "../../session/model.ts";

type Json = Record<string, unknown>;

/** One call and its result -> its end. */
async function ended(
  tool: string,
  content: unknown,
  fields: Json = {},
  block: Json = {},
  more?: (tape: Tape, id: string) => void,
): Promise<BuiltCall & { tape: Tape }> {
  const tape = new Tape();
  tape.user("go");
  const id = tape.call(tool, { command: "make", file_path: "/a" });
  tape.result(id, content, fields, block);
  more?.(tape, id);
  return { ...callOf(await build(tape), tool), tape };
}

const failed = { is_error: true };

describe("how calls end", () => {
  it.each<[string, string, unknown, Json, Json, string, number | undefined]>([
    [
      "a shell's success is exit code 0",
      "Bash",
      "out",
      {},
      { is_error: false },
      "ok",
      0,
    ],
    ["absent is_error is success", "Read", "out", {}, {}, "ok", undefined],
    [
      "a failed shell tells its code first",
      "Bash",
      "Exit code 127\nnot found",
      { toolUseResult: "Error: Exit code 127" },
      failed,
      "failed",
      127,
    ],
    [
      "a code further down is program output",
      "Bash",
      "boom\nExit code 3",
      {},
      failed,
      "failed",
      undefined,
    ],
    [
      "other tools have no code",
      "Read",
      "Exit code 3",
      {},
      failed,
      "failed",
      undefined,
    ],
    [
      "a non-zero code taken as fine is unknown",
      "Bash",
      "",
      { toolUseResult: { returnCodeInterpretation: "No matches found" } },
      { is_error: false },
      "ok",
      undefined,
    ],
    [
      "a killed command",
      "Bash",
      "",
      { toolUseResult: { interrupted: true } },
      {},
      "interrupted",
      undefined,
    ],
    [
      "refused by the person",
      "Edit",
      "The user doesn't want to proceed with this tool use.",
      {},
      failed,
      "rejected",
      undefined,
    ],
    [
      "refused, newer",
      "Edit",
      "no",
      { toolDenialKind: "user-rejected" },
      failed,
      "rejected",
      undefined,
    ],
    [
      "a sibling failed",
      "Edit",
      "<tool_use_error>Sibling tool call errored</tool_use_error>",
      {},
      failed,
      "notRun",
      undefined,
    ],
    [
      "cancelled with its siblings",
      "Bash",
      "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>",
      {},
      failed,
      "notRun",
      undefined,
    ],
    [
      "invalid arguments",
      "Task",
      "<tool_use_error>InputValidationError: …</tool_use_error>",
      {},
      failed,
      "notRun",
      undefined,
    ],
    [
      "interrupted while it ran",
      "Bash",
      "[Request interrupted by user for tool use]",
      {},
      failed,
      "interrupted",
      undefined,
    ],
    [
      "results as blocks",
      "Bash",
      [{ type: "text", text: "Exit code 2\nx" }],
      {},
      failed,
      "failed",
      2,
    ],
  ])("%s", async (_what, tool, content, fields, block, state, code) => {
    const call = await ended(tool, content, fields, block);
    expect([call.state, call.exitCode]).toEqual([state, code]);
    expect(call.endedAt).toBe(call.tape.now);
  });

  it("without a result a call is pending; after an interruption, interrupted", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.call("Read", { file_path: "/a" });
    expect(callOf(await build(tape), "Read")).toMatchObject({
      state: "pending",
    });
    tape.user("[Request interrupted by user]");
    const call = callOf(await build(tape), "Read");
    expect(call.state).toBe("interrupted");
    expect(call.endedAt).toBeUndefined();
  });

  it("an interruption in a later turn says nothing of an earlier call", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.call("Read", { file_path: "/a" });
    tape.user("next");
    tape.user("[Request interrupted by user]");
    expect(callOf(await build(tape), "Read").state).toBe("pending");
  });

  it("a result before its call belongs to it; one without a call is an orphan", async () => {
    const tape = new Tape();
    tape.user("go");
    const id = tape.call("Bash", { command: "make" });
    tape.result(id, "Exit code 4", {}, failed);
    tape.result("toolu_nobody", "x");
    const [prompt, call, result, orphan] = tape.records;
    tape.records.splice(
      0,
      4,
      prompt ?? {},
      result ?? {},
      call ?? {},
      orphan ?? {},
    );
    const session = await build(tape);
    expect(callOf(session, "Bash")).toMatchObject({
      state: "failed",
      exitCode: 4,
    });
    expect(session.orphanResults).toBe(1);
  });

  it("a repeated uuid counts once, the first stays", async () => {
    const tape = new Tape();
    const prompt = tape.user("go");
    tape.user("again", { uuid: prompt.uuid });
    const session = await build(tape);
    expect([session.turns.length, session.duplicates]).toEqual([1, 1]);
  });

  it("a repeated tool_use id is one call, the first result counts", async () => {
    const tape = new Tape();
    tape.user("go");
    const id = tape.call("Bash", { command: "make" });
    tape.assistant([{
      type: "tool_use",
      id,
      name: "Bash",
      input: { command: "make" },
    }]);
    tape.result(id, "fine");
    tape.result(id, "Exit code 1", {}, failed);
    const session = await build(tape);
    expect(session.calls.size).toBe(1);
    expect(callOf(session, "Bash").state).toBe("ok");
  });

  it("an id given again in another response is another call", async () => {
    const tape = new Tape();
    tape.user("go");
    const ask = (command: string) =>
      tape.assistant([{
        type: "tool_use",
        id: "call_0",
        name: "Bash",
        input: { command },
      }]);
    const first = ask("ls");
    tape.result("call_0", "", {}, { is_error: false });
    ask("rm x");
    tape.result("call_0", "Exit code 1\n", {}, { is_error: true });
    // What a compaction keeps is written again.
    tape.add("assistant", { message: first.message });
    const session = await build(tape);
    expect([...session.calls.values()].map((c) => [c.id, c.state, c.exitCode]))
      .toEqual([["call_0", "ok", 0], ["call_0#2", "failed", 1]]);
  });

  it("calls without ids get one, and their results in order", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.assistant([
      { type: "tool_use", name: "Bash", input: { command: "a" } },
      { type: "tool_use", name: "Read", input: {} },
    ]);
    tape.user([{
      type: "tool_result",
      content: "Exit code 5",
      is_error: true,
    }]);
    const session = await build(tape);
    expect(callOf(session, "Bash").exitCode).toBe(5);
    expect(callOf(session, "Read").state).toBe("pending");
    expect(session.orphanResults).toBe(0);
  });

  it("hostile names and ids are made harmless", async () => {
    const tape = new Tape();
    tape.user("go");
    const name = 'Task" >\n<parameter name="\u001b[31mx';
    tape.assistant([
      {
        type: "tool_use",
        id: "x".repeat(100_000),
        name,
        input: { __proto__: null },
      },
      { type: "tool_use", id: "__proto__", name: "constructor", input: "none" },
    ]);
    const session = await build(tape);
    const [first, second] = [...session.calls.values()];
    expect(first?.tool).toBe('Task" > <parameter name=" [31mx');
    expect(first?.id.length).toBeLessThanOrEqual(200);
    expect(second?.id).toBe("__proto__");
  });
});

describe("background work", () => {
  const start = { toolUseResult: { backgroundTaskId: "t1" } };
  const notice = (status: string, summary = "") =>
    `<task-notification>\n<task-id>t1</task-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`;

  it("has no end until one is told", async () => {
    const call = await ended(
      "Bash",
      "Command running in background with ID: t1",
      start,
    );
    expect(call).toMatchObject({ state: "background" });
    expect([call.endedAt, call.exitCode]).toEqual([undefined, undefined]);
  });

  it.each([
    ["completed", "done (exit code 0)", "ok", 0],
    ["failed", "failed with exit code 7", "failed", 7],
    ["killed", "stopped", "interrupted", undefined],
  ])("ends as its notice says: %s", async (status, summary, state, code) => {
    let at = 0;
    const call = await ended("Bash", "x", start, {}, (tape) => {
      at = Number(
        new Date(String(
          tape.flat("queue-operation", {
            operation: "enqueue",
            timestamp: new Date(tape.now += 5000).toISOString(),
            content: notice(status, summary),
          }).timestamp,
        )),
      );
      tape.user(notice(status, summary));
    });
    expect([call.state, call.exitCode, call.endedAt]).toEqual([
      state,
      code,
      at,
    ]);
  });

  it("a status that is no end, or stands in an agent's answer, ends nothing", async () => {
    const call = await ended("Bash", "x", start, {}, (tape) => {
      tape.user(notice("running"));
      tape.user(
        "<task-notification><task-id>t1</task-id><result><status>failed</status></result></task-notification>",
      );
    });
    expect(call.state).toBe("background");
  });

  it("the earliest end counts: a stop before its notice", async () => {
    let at = 0;
    const call = await ended("Bash", "x", start, {}, (tape) => {
      const stop = tape.call("TaskStop", { task_id: "t1" });
      tape.result(stop, "{}", { toolUseResult: { task_id: "t1" } });
      at = tape.now;
      tape.user(notice("killed"));
    });
    expect([call.state, call.endedAt]).toEqual(["interrupted", at]);
  });

  it.each([
    ["TaskOutput", { task_id: "t1" }, {
      toolUseResult: { task: { status: "completed", exitCode: 3 } },
    }, "x"],
    [
      "BashOutput",
      { bash_id: "t1" },
      {},
      "<status>completed</status>\n\n<exit_code>3</exit_code>\n\n<stdout>\n<status>killed</status>",
    ],
  ])("a poll by %s tells the end", async (tool, input, fields, content) => {
    const call = await ended("Bash", "x", start, {}, (tape) => {
      const poll = tape.call(tool, input);
      tape.result(poll, content, fields);
    });
    expect([call.state, call.exitCode]).toEqual(["failed", 3]);
  });

  it("a notice that names the call and stands before the launch still ends it", async () => {
    const tape = new Tape();
    tape.user("go");
    const id = tape.call("Monitor", { command: "tail -f x" });
    tape.user(
      `<task-notification><task-id>m1</task-id><tool-use-id>${id}</tool-use-id><status>completed</status></task-notification>`,
    );
    const at = tape.now;
    tape.result(id, "Monitor started (task m1, timeout 1ms)", {
      toolUseResult: { taskId: "m1" },
    });
    expect(callOf(await build(tape), "Monitor")).toMatchObject({
      state: "ok",
      endedAt: at,
    });
  });

  it("a workflow launched in the background ends with its notice", async () => {
    const call = await ended(
      "Workflow",
      "launched",
      {
        toolUseResult: {
          status: "async_launched",
          taskId: "t1",
          runId: "wf_1",
        },
      },
      {},
      (tape) => {
        tape.user(notice("failed"));
      },
    );
    expect(call.state).toBe("failed");
  });

  it("an agent launched in the background ends with its notice", async () => {
    const call = await ended(
      "Agent",
      "launched",
      {
        toolUseResult: {
          isAsync: true,
          status: "async_launched",
          agentId: "t1",
        },
      },
      {},
      (tape) => {
        tape.user(notice("completed"));
      },
    );
    expect([call.state, call.exitCode]).toEqual(["ok", undefined]);
  });
});
