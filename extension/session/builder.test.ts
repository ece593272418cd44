import { describe, expect, it } from "vitest";
import { NINE, plainAnalyst, sessionOf } from "../../test/build.ts";
import { printable, SessionBuilder } from "./builder.ts";
import { PrivateText } from "./private-text.ts";

const make = () => new SessionBuilder("claude", "s", "main", plainAnalyst);
const spent = (output: number, input = 1) => ({
  input,
  output,
  cacheRead: 10,
  cacheWrite: 5,
});

describe("tokens", () => {
  it("of one response in several records count once, by the greatest output", () => {
    const b = make();
    b.startTurn(NINE, "prompt");
    b.usage("m1", NINE, "opus", spent(3));
    b.usage("m1", NINE + 1, "opus", spent(200));
    b.usage("m1", NINE + 2, "opus", spent(3));
    expect(b.finish().tokens).toEqual({ ...spent(200) });
  });

  it("belong to the turn of the response's first record", () => {
    const b = make();
    b.startTurn(NINE, "prompt");
    b.usage("m1", NINE, "opus", spent(3));
    b.startTurn(NINE + 10, "prompt");
    b.usage("m1", NINE + 11, "opus", spent(90));
    const s = b.finish();
    expect(s.turns.map((t) => t.tokens.output)).toEqual([90, 0]);
  });

  it("of all turns together are the session's", () => {
    const b = make();
    b.startTurn(NINE, "prompt");
    b.usage("m1", NINE, "opus", spent(3));
    b.addTokens(NINE, "gpt", spent(40));
    b.startTurn(NINE, "prompt");
    b.usage("m2", NINE, "opus", spent(7));
    const s = b.finish();
    const sum = s.turns.reduce((n, t) => n + t.tokens.output, 0);
    expect([sum, s.tokens.output]).toEqual([50, 50]);
    expect([...s.outputByModel]).toEqual([["opus", 10], ["gpt", 40]]);
  });

  it("before any prompt open a turn of unknown trigger", () => {
    const b = make();
    b.usage("m1", NINE, undefined, spent(3));
    expect(b.finish().turns.map((t) => t.trigger)).toEqual(["unknown"]);
  });
});

describe("calls", () => {
  it("with the same id are one call", () => {
    const b = make();
    b.call("c", "Bash", NINE, { kind: "shell" });
    b.call("c", "Bash", NINE + 5, { kind: "shell" });
    expect(b.finish().turns[0]!.calls.length).toBe(1);
  });

  it("without a result are pending; a result without a call is counted", () => {
    const b = make();
    b.call("c", "Bash", NINE, { kind: "shell" });
    expect(b.result("other", NINE, "ok")).toBe(false);
    const s = b.finish();
    expect([s.calls.get("c")!.state, s.orphanResults]).toEqual(["pending", 1]);
  });

  it("have a printable one-line tool name whatever the record says", () => {
    expect(printable('Task" >\n<parameter\u001b[31m\u202e')).toBe(
      'Task" > <parameter [31m',
    );
    expect(printable("\u0000\u200f")).toBe("unknown");
    expect(printable("x".repeat(500)).length).toBe(200);
  });
});

describe("turns", () => {
  it("with a key seen before go on with that turn", () => {
    const b = make();
    b.startTurn(NINE, "prompt", "a");
    b.startTurn(NINE + 5, "prompt", "b");
    b.startTurn(NINE + 9, "prompt", "a");
    b.call("c", "Bash", NINE + 9, { kind: "shell" });
    const s = b.finish();
    expect(s.turns.map((t) => [t.number, t.calls.length])).toEqual([
      [1, 1],
      [2, 0],
    ]);
  });
});

describe("a test run", () => {
  const analyst = (own: boolean) => ({
    ...plainAnalyst,
    call: () => ({
      ...plainAnalyst.call("Bash", { kind: "shell" as const }),
      test: "npm",
      ...(own ? { testExit: "all" as const } : {}),
    }),
    testOutcome: (_: string, output: PrivateText) =>
      output.reveal().includes("failed") ? false : null,
  });

  it("whose exit code is its own passed or failed by it", () => {
    const s = sessionOf([{ id: "a", exitCode: 0 }, {
      id: "b",
      exitCode: 1,
      state: "failed",
    }], analyst(true));
    expect([...s.calls.values()].map((c) => c.passed)).toEqual([true, false]);
  });

  it("whose exit code is another program's goes by its output, else unknown", () => {
    const s = sessionOf([
      { id: "a", exitCode: 0, output: "1 failed" },
      { id: "b", exitCode: 0, output: "nothing to see" },
      { id: "c", exitCode: 0 },
    ], analyst(false));
    expect([...s.calls.values()].map((c) => c.passed)).toEqual([
      false,
      null,
      null,
    ]);
  });
});

describe("private text", () => {
  it("throws when it is made into a string, JSON or a template", () => {
    const secret = new PrivateText("the prompt");
    expect(() => JSON.stringify({ secret })).toThrow("redact it first");
    expect(() => String(secret)).toThrow("redact it first");
    expect(() => `${secret}`).toThrow("redact it first");
    expect(secret.reveal()).toBe("the prompt");
    expect(secret.length).toBe(10);
  });

  it("shows nothing of itself to a walk over its properties", () => {
    const secret = new PrivateText("the prompt");
    expect(Object.entries(secret)).toEqual([]);
    expect(JSON.stringify(Object.getOwnPropertyNames(secret))).toBe("[]");
    expect(() => structuredClone({ secret })).not.toThrow();
    expect(JSON.stringify(structuredClone({ secret }))).toBe('{"secret":{}}');
  });
});

describe("an end", () => {
  it("is not clean once the session was interrupted, until the assistant goes on", () => {
    const b = make();
    b.startTurn(NINE, "prompt");
    b.session.endedCleanly = true;
    b.mark(NINE + 1, "compaction");
    expect(b.session.endedCleanly).toBe(true);
    b.mark(NINE + 2, "interruption");
    expect(b.session.endedCleanly).toBe(false);
  });

  it("of a result tells how much it brought into the context", () => {
    const b = make();
    b.startTurn(NINE, "prompt");
    const call = (id: string, output: number, size: number) => {
      b.usage(`m${id}`, NINE, "opus", spent(output, size));
      const made = b.call(id, "Bash", NINE, { kind: "other" });
      b.result(id, NINE + 1, "ok");
      return made;
    };
    const first = call("1", 20, 1000), second = call("2", 30, 6020);
    expect(first.brought).toBe(5000);
    b.startTurn(NINE + 5, "prompt");
    b.usage("m3", NINE + 6, "opus", spent(1, 90_000));
    // What a person pasted is not what the call brought.
    expect(second.brought).toBeUndefined();
  });
});
