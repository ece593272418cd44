import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Call,
  CALL_STATES,
  type Detail,
  detailSchema,
  LABELS,
  MARK_KINDS,
  MODES,
  safeId,
  type SessionDetail,
  type Summary,
  summarySchema,
  summaryToTags,
  tagsToSummary,
  TRIGGERS,
} from "../../schema/mod.ts";
import { SessionBuilder } from "../session/builder.ts";
import type { BuiltSession, CallAnalyst, CallFacts } from "../session/model.ts";
import { activeTime, makeRecords, type SessionRecords } from "./records.ts";

// What an adapter may hand over at its worst.
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    "",
    "../x",
    "\u001b[31m",
    "\ud800",
    "a\r\nb",
    "x".repeat(5000),
  ),
);
const time = fc.oneof(
  fc.integer({ min: 1.6e12, max: 1.9e12 }),
  fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1e17, 1.5),
);
const number = fc.oneof(
  fc.nat(),
  fc.constantFrom(NaN, -5, 0.5, 1e300, Infinity),
);
const maybe = <T>(a: fc.Arbitrary<T>) => fc.option(a, { nil: undefined });

const facts: fc.Arbitrary<CallFacts> = fc.record({
  text,
  truncated: maybe(fc.constant(true as const)),
  redactions: maybe(number),
  label: fc.constantFrom(...LABELS),
  category: text,
  rule: text,
  mutating: maybe(fc.boolean()),
  why: maybe(fc.tuple(number, number)),
  wraps: maybe(text),
  low: maybe(fc.constant(true as const)),
  writes: maybe(fc.array(text, { maxLength: 3 })),
  reads: maybe(fc.array(text, { maxLength: 3 })),
  test: maybe(fc.constant("vitest")),
}) as fc.Arbitrary<CallFacts>;

const call = fc.record({
  id: fc.oneof(text, fc.constantFrom("call-1", "call-2")),
  tool: text,
  at: time,
  end: maybe(time),
  state: fc.constantFrom(...CALL_STATES),
  exit: maybe(fc.oneof(fc.integer(), fc.constantFrom(NaN, 1.5, 1e20))),
  subagent: maybe(fc.oneof(text, fc.constantFrom("child", "root"))),
  facts,
});
const turn = fc.record({
  at: time,
  end: time,
  trigger: fc.constantFrom(...TRIGGERS),
  calls: fc.array(call, { maxLength: 4 }),
});
const shape = fc.record({
  id: fc.oneof(text, fc.constantFrom("root", "child")),
  parent: maybe(fc.record({
    session: fc.oneof(text, fc.constantFrom("root", "child")),
    call: maybe(fc.oneof(text, fc.constantFrom("call-1", "call-2"))),
  })),
  words: fc.array(text, { minLength: 7, maxLength: 7 }),
  names: fc.array(text, { maxLength: 60 }),
  started: time,
  ended: time,
  turns: fc.array(turn, { maxLength: 3 }),
  marks: fc.array(
    fc.record({ at: time, kind: fc.constantFrom(...MARK_KINDS) }),
    { maxLength: 2 },
  ),
  tokens: fc.record({
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
  }),
  mode: fc.constantFrom(...MODES),
  counts: fc.array(number, { minLength: 3, maxLength: 3 }),
  flag: fc.boolean(),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function built(from: Shape, kind: BuiltSession["kind"]): BuiltSession {
  let next: CallFacts | undefined;
  const analyst: CallAnalyst = {
    call: () => next!,
    testOutcome: () => null,
  };
  const builder = new SessionBuilder("fake", from.id, kind, analyst);
  const s = builder.session;
  for (const { at, end, trigger, calls } of from.turns) {
    const open = builder.startTurn(at, trigger);
    open.endedAt = end;
    for (const c of calls) {
      next = c.facts;
      const made = builder.call(c.id, c.tool, c.at, { kind: "shell" });
      if (c.end !== undefined) builder.end(made, c.end, c.state, c.exit);
      if (c.subagent !== undefined) made.subagent = c.subagent;
    }
  }
  builder.finish();
  const [entry, branch, remote, agentType, version, fork, cwd] = from.words;
  Object.assign(s, {
    ...(from.parent ? { parent: { ...from.parent, evidence: "record" } } : {}),
    entry,
    branches: [branch],
    remote,
    agentType,
    versions: [version],
    cwds: [cwd],
    models: from.names,
    outputByModel: new Map(from.names.map((name, i) => [name, i])),
    startedAt: from.started,
    endedAt: from.ended,
    marks: from.marks,
    tokens: from.tokens,
    mode: from.mode,
    messages: from.counts[0],
    badLines: from.counts[1],
    files: from.counts[2],
    unknown: new Map([[entry, from.counts[0]]]),
    tornTail: from.flag,
    ...(from.flag ? { forkOf: fork, auxiliary: entry, placeholder: true } : {}),
  });
  return s;
}

function records(root: Shape, children: Shape[]): SessionRecords {
  const session = built(root, "main");
  return makeRecords({
    id: safeId(session.id),
    root: session,
    subagents: children.map((c) => built(c, "subagent")),
    place: {
      name: root.words[0]!,
      remote: root.words[1]!,
      root: "/repo",
      cwd: `/repo/${root.words[6]}`,
    },
    fingerprint: "0123.abc",
    at: 1.7e12,
  });
}

const sessionsOf = (d: Detail): SessionDetail[] => [d.session, ...d.subagents];
const callsOf = (s: SessionDetail): Call[] => s.turns.flatMap((t) => t.calls);

const isControl = (c: string) =>
  c !== "\n" && c !== "\t" && (c < " " || (c >= "\u007f" && c < "\u00a0"));

describe("records of any built session", () => {
  const any = fc.tuple(shape, fc.array(shape, { maxLength: 3 }));

  it("fit the schema, whatever was built", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        const { summary, detail } = records(root, children);
        expect(summarySchema.safeParse(summary).error?.issues ?? []).toEqual(
          [],
        );
        expect(detailSchema.safeParse(detail).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("come back from tags as they were", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        const { summary } = records(root, children);
        expect(tagsToSummary(summaryToTags(summary))).toEqual(summary);
      }),
      { numRuns: 60 },
    );
  });

  it("count in the summary what the detail holds", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        const { summary, detail } = records(root, children);
        const calls = sessionsOf(detail).flatMap(callsOf);
        const of = (test: (c: Call) => boolean) => calls.filter(test).length;
        const asked = detail.subagents.filter((s) => !s.auxiliary);
        expect(figures(summary)).toEqual({
          turns: detail.session.turns.length,
          calls: calls.length,
          signals: calls.length,
          failed: of((c) => c.state === "failed"),
          rejected: of((c) => c.state === "rejected"),
          labels: {
            swamp: of((c) => c.label === "swamp"),
            bypass: of((c) => c.label === "bypass"),
            neutral: of((c) => c.label === "neutral"),
            mutating: of((c) => c.label === "bypass" && c.mutating === true),
          },
          subagents: {
            count: asked.length,
            calls: asked.flatMap(callsOf).length,
          },
          categories: of((c) => c.label !== "neutral"),
          findings: detail.findings.length,
          tools: calls.length,
        });
        function figures(s: Summary) {
          return {
            turns: s.turns,
            calls: s.calls,
            signals: s.substance.signals.toolCallCount,
            failed: s.failedCalls,
            rejected: s.rejectedCalls,
            labels: s.labels,
            subagents: s.subagents,
            categories: (s.categories ?? []).reduce((n, c) => n + c.calls, 0),
            findings: s.findings.high + s.findings.medium + s.findings.low,
            tools: detail.tools.reduce((n, t) => n + t.count, 0),
          };
        }
      }),
      { numRuns: 60 },
    );
  });

  it("tell the harness's own agents from those that were asked for", () => {
    const agents = ["warmup", undefined].map((auxiliary, i) => ({
      ...new SessionBuilder("claude", `a${i}`, "subagent", {} as CallAnalyst)
        .finish(),
      ...(auxiliary === undefined ? {} : { auxiliary }),
      startedAt: 1.7e12,
      endedAt: 1.7e12,
      tokens: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
    }));
    const { summary, detail } = makeRecords({
      id: "root",
      root: new SessionBuilder("claude", "root", "main", {} as CallAnalyst)
        .finish(),
      subagents: agents,
      place: { name: "" },
      fingerprint: "f",
      at: 1.7e12,
    });
    expect(detail.subagents.map((s) => [s.id, s.agentType, s.auxiliary]))
      .toEqual([["a0", "warmup", true], ["a1", undefined, undefined]]);
    expect(summary.subagents).toEqual({ count: 1, calls: 0 });
    expect(summary.tokens.output).toBe(4);
  });

  it("give each call and each session an id of its own, and link only to calls that are there", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        const { detail } = records(root, children);
        const sessions = sessionsOf(detail);
        const ids = sessions.map((s) => s.id);
        expect(new Set(ids).size).toBe(ids.length);
        const calls = sessions.flatMap(callsOf).map((c) => c.id);
        expect(new Set(calls).size).toBe(calls.length);
        for (const { parent } of detail.subagents) {
          if (parent?.call !== undefined) expect(calls).toContain(parent.call);
        }
        for (const { call } of detail.tests) expect(calls).toContain(call);
      }),
      { numRuns: 60 },
    );
  });

  it("are the same whatever the order of the subagents", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        // Two that cannot be told apart have no order of their own.
        fc.pre(new Set(children.map((c) => c.id)).size === children.length);
        expect(records(root, [...children].reverse())).toEqual(
          records(root, children),
        );
      }),
      { numRuns: 30 },
    );
  });

  it("hold no control characters but line feeds and tabs", () => {
    fc.assert(
      fc.property(any, ([root, children]) => {
        const stored = JSON.stringify(records(root, children), (_, value) => {
          if (typeof value === "string") {
            expect([...value].filter(isControl)).toEqual([]);
          }
          return value;
        });
        expect(stored).toContain("schemaVersion");
      }),
      { numRuns: 60 },
    );
  });
});

describe("active time", () => {
  it("counts each moment inside turns once", () => {
    const at = (s: number) => new Date(1.7e12 + s * 1000).toISOString();
    const turns = [[0, 10], [5, 20], [30, 31], [30, 30], [6, 7]]
      .map(([from, to]) => ({ startedAt: at(from!), endedAt: at(to!) }));
    expect(activeTime({ turns } as unknown as SessionDetail)).toBe(21_000);
  });
});
