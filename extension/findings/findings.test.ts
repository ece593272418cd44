import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findingsMarkdown } from "./docs.ts";
import {
  CALL_STATES,
  detailSchema,
  LABELS,
  SCHEMA_VERSION,
  SEVERITIES,
} from "../../schema/mod.ts";
import { exampleInput } from "./example.ts";
import {
  findFindings,
  FINDING_RULES,
  MAX_EVIDENCE,
  MAX_PER_RULE,
} from "./mod.ts";
import type { Example, ExampleCall } from "./rule.ts";
import { sleepsFor } from "./rules/effort.ts";
import { timeline } from "./timeline.ts";

const find = (example: Example) => {
  const { detail, brought } = exampleInput(example);
  return findFindings(detail, brought);
};
const calls = (...calls: ExampleCall[]) => find({ shows: "", calls });

const EXAMPLES = FINDING_RULES.flatMap((rule) =>
  (["hit", "miss"] as const).flatMap((kind) =>
    rule.examples[kind].map((example) =>
      [rule.id, kind, example.shows, example] as const
    )
  )
);

describe("an example of a rule", () => {
  it.each(EXAMPLES)("%s: %s: %s", (id, kind, _shows, example) => {
    const found = find(example);
    const own = found.filter((f) => f.rule === id);
    expect(own.length).toBe(kind === "hit" ? 1 : 0);
    if (kind === "miss") return;
    // Nothing else says the same of the same calls.
    expect(found.map((f) => f.rule)).toEqual([id]);
    expect(own[0]!.text).toMatch(/^[A-Z\d].{20,400}[^.]: .{20,300}[^.]\.$/);
    expect(own[0]!.calls.length).toBeGreaterThan(0);
  });
});

describe("rules", () => {
  it("have short ids of their own, a text, and examples of both kinds", () => {
    const ids = FINDING_RULES.map((rule) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, about, fix, examples } of FINDING_RULES) {
      expect(id).toMatch(/^[a-z]{3,12}\.[a-z-]{4,20}$/);
      expect(examples.hit.length * examples.miss.length, id).toBeGreaterThan(0);
      expect(about, id).not.toMatch(/^[A-Z]|\.$/);
      expect(fix, id).not.toMatch(/^[A-Z]|\.$/);
    }
  });

  it("are all in the document, with every example", () => {
    const text = findingsMarkdown();
    for (const { id, fix } of FINDING_RULES) {
      expect(text).toContain(`### \`${id}\``);
      expect(text).toContain(fix);
    }
    expect(text.match(/^\| (?:found|not) \|/gm)?.length).toBe(EXAMPLES.length);
  });
});

describe("findings", () => {
  const bypass = {
    label: "bypass",
    category: "cloud.aws",
    rule: "cloud.aws",
    text: "aws s3 rm s3://a/b",
    mutating: true,
  } as const;

  it("of a session that did nothing worth a word are none", () => {
    expect(calls({}, { text: "npm test", state: "failed" }, {
      tool: "Edit",
      text: "a.ts",
      category: "neutral.edit",
    })).toEqual([]);
  });

  it("tell of a call once where one rule says it better", () => {
    const wrapped = { ...bypass, wraps: "@swamp/aws/s3" };
    expect(calls({ ...wrapped, times: 6 }).map((f) => f.rule)).toEqual([
      "bypass.wrapped",
    ]);
    expect(calls({ ...bypass, times: 6 }).map((f) => f.rule)).toEqual([
      "bypass.repeated",
    ]);
    const failed = { label: "swamp", state: "failed", text: "x" } as const;
    expect(calls(failed, wrapped).map((f) => f.rule)).toEqual([
      "swamp.failed-then-bypassed",
    ]);
  });

  it("count a failed swamp call as bypassed only when nothing of swamp worked in between", () => {
    const swamp = { label: "swamp", text: "x" } as const;
    const failed = { ...swamp, state: "failed" } as const;
    expect(calls(failed, failed, bypass).map((f) => [f.rule, f.text])).toEqual([
      ["swamp.failed-then-bypassed", expect.stringContaining("once")],
    ]);
    expect(calls(failed, swamp, bypass).map((f) => f.rule)).toEqual([
      "bypass.unwrapped",
    ]);
  });

  it("see subagents' calls, and their detours together with the session's", () => {
    const found = find({
      shows: "",
      calls: [bypass, { tool: "Task", text: "Explore" }],
      subagent: [{ ...bypass, times: 3 }],
    });
    expect(found.map((f) => [f.rule, f.calls])).toEqual([
      ["bypass.repeated", ["c1", "s1", "s2", "s3"]],
    ]);
  });

  it("of reads around swamp matter less than of changes", () => {
    const read = { ...bypass, mutating: false, wraps: "@swamp/aws/s3" };
    expect(calls(read)[0]?.severity).toBe("medium");
    expect(calls({ ...read, low: true })[0]?.severity).toBe("low");
    expect(calls({ ...read, mutating: true })[0]?.severity).toBe("high");
  });

  it("name at most so many calls, and of one rule at most so many hits", () => {
    expect(calls({ redactions: 1, times: 80 })[0]).toMatchObject({
      text: expect.stringContaining("80 calls"),
      calls: { length: MAX_EVIDENCE },
    });
    const types = Array.from({ length: 20 }, (_, i) => ({
      ...bypass,
      mutating: i === 15,
      wraps: `@swamp/t${i}`,
    }));
    const found = calls(...types);
    expect(found.length).toBe(MAX_PER_RULE);
    expect(found[0]).toMatchObject({ severity: "high", calls: ["c16"] });
  });
});

describe("sleeps", () => {
  it.each([
    ["sleep 5; ls", 5000],
    ["sleep 2m && sleep 1", 121_000],
    ["while true; do sleep 30; done", 30_000],
    ["Start-Sleep -Seconds 3", 3000],
    ["(sleep 0.5)", 500],
    ['git commit -m "sleep 5"', 0],
    ["asleep 5", 0],
    ["cat sleep 5", 0],
  ])("of %s are %i ms", (text, ms) => {
    expect(sleepsFor(text)).toBe(ms);
  });

  it("are found in linear time", () => {
    const text = "while ".repeat(4000) + "do ".repeat(4000) +
      "sleep ".repeat(4000);
    expect(sleepsFor(text)).toBe(0);
    expect(calls({ text, lasts: 900 })).toEqual([]);
  });
});

const anyCall: fc.Arbitrary<ExampleCall> = fc.record({
  tool: fc.constantFrom("Bash", "Edit", "Task", "BashOutput", "ExitPlanMode"),
  text: fc.constantFrom("make", "sleep 60; date", "src/a.ts", "", "aws s3 ls"),
  state: fc.constantFrom(...CALL_STATES),
  label: fc.constantFrom(...LABELS),
  category: fc.constantFrom("neutral.read", "neutral.edit", "cloud.aws"),
  lasts: fc.constantFrom(0, 1, 90, 9000),
  mutating: fc.boolean(),
  times: fc.integer({ min: 1, max: 9 }),
  brings: fc.constantFrom(10, 90_000),
  passed: fc.constantFrom(true, false, null),
});

describe("whatever a session did", () => {
  const any = fc.record({
    shows: fc.constant("any"),
    calls: fc.array(anyCall, { maxLength: 12 }),
    subagent: fc.array(anyCall, { minLength: 1, maxLength: 6 }),
    marks: fc.array(fc.constantFrom("compaction", "interruption"), {
      maxLength: 8,
    }),
  }) as fc.Arbitrary<Example>;

  it("findings fit the contract, come worst first, and point at its calls", () => {
    fc.assert(fc.property(any, (example) => {
      const { detail, brought } = exampleInput(example);
      const findings = findFindings(detail, brought);
      const record = {
        schemaVersion: SCHEMA_VERSION,
        ...detail,
        findings,
        tools: [],
      };
      expect(detailSchema.safeParse(record).error?.issues).toBeUndefined();
      const order = findings.map((f) => SEVERITIES.indexOf(f.severity));
      expect(order).toEqual([...order].sort());
      const ids = new Set(timeline(detail).calls.map((p) => p.call.id));
      for (const f of findings) {
        expect(f.calls.every((id) => ids.has(id))).toBe(true);
        expect(new Set(f.calls).size).toBe(f.calls.length);
      }
      expect(findFindings(detail, brought)).toEqual(findings);
    }));
  });

  it("no call is evidence of two rules on one topic", () => {
    fc.assert(
      fc.property(any, (example) => {
        const { detail, brought } = exampleInput(example);
        const topic = new Map(FINDING_RULES.map((r) => [r.id, r.topic]));
        const seen = new Map<string, string>();
        for (const { rule, calls } of findFindings(detail, brought)) {
          for (const call of topic.get(rule) === undefined ? [] : calls) {
            expect(seen.get(call) ?? rule).toBe(rule);
            seen.set(call, rule);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});
