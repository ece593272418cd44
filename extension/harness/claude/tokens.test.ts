import { describe, expect, it } from "vitest";
import {
  build,
  SID,
  Tape,
  usage,
  withHome,
} from "../../../test/oracle/claude-home.ts";
import { isLowerBound } from "./records.ts";

describe("tokens of Claude Code", () => {
  it("a response split over records counts once, with its greatest output", async () => {
    const tape = new Tape();
    tape.user("go");
    const id = "msg_split_over_three_records";
    tape.assistant([{ type: "thinking", thinking: "…" }], {
      id,
      usage: usage(5, 1, 100, 10),
    });
    tape.assistant([{ type: "text", text: "a" }], {
      id,
      usage: usage(5, 80, 100, 10),
    });
    tape.assistant([{ type: "text", text: "b" }], {
      id,
      usage: usage(5, 7, 100, 10),
    });
    const session = await build(tape);
    expect(session.tokens).toEqual({
      input: 5,
      output: 80,
      cacheRead: 100,
      cacheWrite: 10,
    });
    expect(session.outputByModel).toEqual(new Map([["claude-opus-4-6", 80]]));
  });

  it("no requestId is needed; without message id the record's uuid counts", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.assistant("x", { id: undefined, usage: usage(1, 10) });
    tape.assistant("y", { id: undefined, usage: usage(1, 20) });
    expect((await build(tape)).tokens.output).toBe(30);
  });

  it("an agent's usage is counted from its own file, never from its mirrors", async () => {
    const agent = "abcdef0123456789a";
    const tape = new Tape();
    tape.user("go");
    const call = tape.call("Agent", { subagent_type: "Explore", prompt: "p" }, {
      usage: usage(0, 10),
    });
    tape.add("progress", {
      parentToolUseID: call,
      data: {
        type: "agent_progress",
        agentId: agent,
        message: {
          type: "assistant",
          message: { id: "msg_child_child_child", usage: usage(0, 500) },
        },
      },
    });
    tape.result(call, "done", {
      toolUseResult: {
        agentId: agent,
        usage: usage(0, 500),
        totalTokens: 9999,
      },
    });
    const child = new Tape({ isSidechain: true, agentId: agent });
    child.user("p");
    child.assistant("r", { id: "msg_child_child_child", usage: usage(0, 500) });
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, tape).write(
          `${SID}/subagents/agent-${agent}.jsonl`,
          child,
        ),
      ({ sessions, subagents }) => {
        expect(sessions[0]?.tokens.output).toBe(10);
        expect(subagents.map((s) => s.tokens.output)).toEqual([500]);
      },
    );
  });

  it("a response found in two files of a family counts in the first", async () => {
    const shared = { id: "msg_in_parent_and_child", usage: usage(0, 50) };
    const parent = new Tape();
    parent.user("go");
    parent.assistant("x", shared);
    const child = new Tape({ isSidechain: true });
    child.user("p");
    child.assistant("x", shared);
    child.assistant("y", { usage: usage(0, 7) });
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, parent).write(
          `${SID}/subagents/agent-a1.jsonl`,
          child,
        ),
      ({ sessions, subagents }) => {
        expect(sessions[0]?.tokens.output).toBe(50);
        expect(subagents[0]?.tokens.output).toBe(7);
      },
    );
  });

  it("output is a lower bound where the version wrote placeholders", async () => {
    const output = async (version: string | undefined) => {
      const tape = new Tape({ version });
      tape.user("go");
      tape.assistant("x");
      return (await build(tape)).tokens.outputIsLowerBound;
    };
    expect(await output("2.1.58")).toBe(true);
    expect(await output("2.1.59")).toBeUndefined();
    expect(await output(undefined)).toBeUndefined();
  });

  it.each([
    ["1.0.98", true],
    ["2.0.76", true],
    ["2.1.7", true],
    ["2.1.58", true],
    ["2.1.59", false],
    ["2.1.138", false],
    ["2.2.0", false],
    ["3.0.0-beta", false],
    ["garbage", false],
    [undefined, false],
  ])("version %s: lower bound %s", (version, expected) => {
    expect(isLowerBound(version)).toBe(expected);
  });

  it("placeholders of the harness are neither model nor usage", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.assistant("No response requested.", {
      model: "<synthetic>",
      usage: usage(9, 9),
    });
    tape.assistant("API Error", { model: "<synthetic>", usage: usage(0, 0) }, {
      isApiErrorMessage: true,
    });
    const session = await build(tape);
    expect(session.models).toEqual([]);
    expect(session.tokens.output).toBe(0);
    // The error is activity of the turn, the placeholder is not.
    expect(session.turns[0]?.endedAt).toBe(tape.now);
  });

  it("senseless counts are taken as none", async () => {
    const tape = new Tape();
    tape.user("go");
    tape.assistant("x", {
      usage: {
        input_tokens: -5,
        output_tokens: "12",
        cache_read_input_tokens: 1e300,
        cache_creation_input_tokens: null,
      },
    });
    expect((await build(tape)).tokens).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    });
  });
});
