import { describe, expect, it } from "vitest";
import type { Call, Detail, SessionDetail } from "../../schema/mod.ts";
import { findFindings, FINDING_RULES } from "./mod.ts";

const at = (i: number) => new Date(1_790_000_000_000 + i * 1000).toISOString();
const call = (i: number, more: Partial<Call>): Call => ({
  id: `c${i}`,
  tool: "Bash",
  startedAt: at(i),
  state: "ok",
  text: "",
  label: "neutral",
  category: "other",
  rule: "neutral.other",
  ...more,
});
const session = (calls: Call[], id = "s"): SessionDetail => ({
  id,
  models: [],
  startedAt: at(0),
  endedAt: at(999),
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  turns: [{
    number: 1,
    startedAt: at(0),
    endedAt: at(999),
    trigger: "prompt",
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    calls,
  }],
  marks: [],
});
const find = (calls: Partial<Call>[], more: Partial<Detail> = {}) =>
  findFindings({
    session: session(calls.map((c, i) => call(i, c))),
    subagents: [],
    tests: [],
    files: { written: [], read: [] },
    ...more,
  });
const bypass = {
  label: "bypass",
  category: "cloud",
  rule: "cloud.aws",
} as const;

describe("findings", () => {
  it("of a session that did nothing worth a word are none", () => {
    expect(find([{ text: "ls" }, { text: "npm test", state: "failed" }]))
      .toEqual([]);
  });

  it("name the model type that a bypass went around", () => {
    const [f] = find([{ ...bypass, wraps: "@swamp/aws/ec2", mutating: true }]);
    expect(f).toMatchObject({
      id: "f1",
      rule: "bypass.wrapped",
      severity: "high",
      calls: ["c0"],
    });
    expect(f!.text).toContain("@swamp/aws/ec2");
  });

  it("see a swamp call that failed and was then bypassed, not one that was retried", () => {
    const failed = { label: "swamp", state: "failed" } as const;
    expect(find([failed, {}, bypass]).map((f) => f.rule)).toContain(
      "swamp.failed-then-bypassed",
    );
    expect(find([failed, { label: "swamp" }, bypass]).map((f) => f.rule)).not
      .toContain("swamp.failed-then-bypassed");
  });

  it("call the same failing command retried only when nothing came between", () => {
    const npm = { text: "npm test", state: "failed" } as const;
    const edit = { tool: "Edit", text: "a.ts" };
    expect(find([npm, npm, npm]).map((f) => f.rule)).toContain(
      "retry.unchanged",
    );
    expect(find([npm, npm, edit, npm]).map((f) => f.rule)).not.toContain(
      "retry.unchanged",
    );
  });

  it("flag a secret on a command line and direct writes under .swamp as high", () => {
    const found = find([{ redactions: 1 }, {
      label: "bypass",
      rule: "swampdata.write",
      category: "swampdata",
      mutating: true,
    }]);
    expect(found.map((f) => [f.rule, f.severity])).toEqual([
      ["swamp.data-direct", "high"],
      ["secret.command-line", "high"],
    ]);
  });

  it("look into subagents too", () => {
    const found = find([], {
      subagents: [session([call(5, { redactions: 2 })], "child")],
    });
    expect(found.map((f) => f.calls)).toEqual([["c5"]]);
  });

  it("say that the last known test result failed", () => {
    const tests = [
      { call: "c0", passed: true },
      { call: "c1", passed: false },
      {
        call: "c2",
        passed: null,
      },
    ];
    expect(find([{}, {}, {}], { tests }).map((f) => f.calls)).toEqual([["c1"]]);
  });

  it("come worst first with unique ids, from rules with unique ids", () => {
    const found = find([{ ...bypass, mutating: true }, { redactions: 1 }]);
    expect(found.map((f) => f.severity)).toEqual(["high", "medium"]);
    expect(new Set(found.map((f) => f.id)).size).toBe(found.length);
    expect(new Set(FINDING_RULES.map((r) => r.id)).size).toBe(
      FINDING_RULES.length,
    );
  });
});
