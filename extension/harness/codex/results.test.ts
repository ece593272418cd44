import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { mcpEventFailed, outcomeOf, printedExit } from "./results.ts";

const body = "Process exited with code 7\nExit code: 9\n";

describe("results of calls", () => {
  it.each([
    [
      "shell",
      '{"output":"x\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}',
      "failed",
      3,
    ],
    ["shell", '{"metadata":{"exit_code":0},"output":"x"}', "ok", 0],
    [
      "shell",
      "failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: 2, stdout: , stderr: x",
      "failed",
      2,
    ],
    [
      "shell",
      "error: Failed to find expected lines in a.ts",
      "failed",
      undefined,
    ],
    ["shell", "exec command rejected by user", "rejected", undefined],
    [
      "shell_command",
      `Exit code: 4\nWall time: 0.2 seconds\nOutput:\n${body}`,
      "failed",
      4,
    ],
    [
      "shell_command",
      "execution error: Io(Os { code: 2 })",
      "failed",
      undefined,
    ],
    [
      "exec_command",
      `Chunk ID: 1a\nWall time: 0.2 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\n${body}`,
      "ok",
      0,
    ],
    [
      "exec_command",
      `Command: /bin/zsh -lc "a\nb"\nChunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code -1\nOutput:\n`,
      "failed",
      -1,
    ],
    [
      "exec_command",
      `Wall time: 1.0 seconds\nOutput:\n${body}`,
      "ok",
      undefined,
    ],
    ["exec_command", "aborted by user after 29.7s", "interrupted", undefined],
    [
      "apply_patch",
      "apply_patch verification failed: no such line",
      "failed",
      undefined,
    ],
    [
      "apply_patch",
      "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.",
      "ok",
      0,
    ],
    ["wait_agent", "timeout_ms must be at least 10000", "failed", undefined],
    ["wait_agent", '{"timed_out":true}', "ok", undefined],
    ["send_message", "", "ok", undefined],
    ["update_plan", "Plan updated", "ok", undefined],
    ["mcp__s__t", '{"content":[],"isError":true}', "failed", undefined],
  ])("%s: the header decides %#", (tool, output, state, exitCode) => {
    const outcome = outcomeOf(tool, output);
    expect(outcome.state).toBe(state);
    expect(outcome.exitCode).toBe(exitCode);
  });

  it("words of a header inside a program's output decide nothing", () => {
    const output = JSON.stringify({
      output: `${body}"metadata":{"exit_code":5}}`,
      metadata: { exit_code: 0, duration_seconds: 0 },
    });
    expect(outcomeOf("shell", output).exitCode).toBe(0);
    expect(outcomeOf("exec_command", `hello\n${body}`))
      .toEqual({ state: "ok" });
  });

  it("a process or cell that runs on is background", () => {
    expect(outcomeOf(
      "exec_command",
      "Chunk ID: x\nWall time: 1 seconds\nProcess running with session ID 77\nOutput:\n",
    )).toEqual({ state: "background", running: "77" });
    expect(outcomeOf("exec", [
      {
        type: "input_text",
        text: "Script running with cell ID 9\nWall time 1",
      },
    ])).toEqual({ state: "background", running: "9", script: true });
  });

  it("a script's exit code counts where it printed exactly one", () => {
    const head = { type: "input_text", text: "Script completed\nOutput:\n" };
    const print = (code: number) => ({
      type: "input_text",
      text: JSON.stringify({ exit_code: code, output: "x" }),
    });
    expect(printedExit([head, print(2)])).toBe(2);
    expect(printedExit([head, print(2), print(0)])).toBeUndefined();
    expect(printedExit([head, { type: "input_text", text: "plain" }]))
      .toBeUndefined();
  });

  it("MCP events tell failure in each form", () => {
    expect(mcpEventFailed({ result: { Err: "x" } })).toBe(true);
    expect(mcpEventFailed({ result: { Ok: { is_error: true } } })).toBe(true);
    expect(mcpEventFailed({ result: { Ok: { is_error: false } } })).toBe(false);
    expect(mcpEventFailed({ status: "failed" })).toBe(true);
    expect(mcpEventFailed({ error: null, result: { isError: false } }))
      .toBe(false);
  });

  it("any result is read without an error", () => {
    fc.assert(fc.property(fc.string(), fc.jsonValue(), (tool, output) => {
      expect(typeof outcomeOf(tool, output).state).toBe("string");
      printedExit(output);
    }));
    fc.assert(fc.property(fc.string(), (text) => {
      outcomeOf("exec", `{${text}"exit_code"`);
      outcomeOf("exec", `Script ${text}`);
    }));
  });
});
