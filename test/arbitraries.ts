/**
 * Valid records for property tests.
 *
 * @module
 */
import fc from "fast-check";
import {
  type Call,
  CALL_STATES,
  type Detail,
  type Flag,
  FLAGS,
  isoTime,
  LABELS,
  MARK_KINDS,
  MODES,
  type Rollup,
  type SessionDetail,
  SEVERITIES,
  type Summary,
  TIERS,
  type Tokens,
  TRIGGERS,
} from "../schema/mod.ts";

const count = fc.nat({ max: 2 ** 40 });
const ms = fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 });
const time = ms.map(isoTime);
const text = (max: number) =>
  fc.string({ minLength: 1, maxLength: max, unit: "grapheme" })
    .map((s) => s.slice(0, max));
const id = fc.uuid();

/** Leaves optional keys out where they are undefined. */
function compact<T extends object>(value: T): T {
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] === undefined) delete value[key];
  }
  return value;
}
const maybe = <T>(a: fc.Arbitrary<T>) => fc.option(a, { nil: undefined });
const shaped = <T extends object>(
  model: { [K in keyof T]-?: fc.Arbitrary<T[K]> },
): fc.Arbitrary<T> => fc.record(model).map((v) => compact(v as T));

/** Any tokens. */
export const tokens: fc.Arbitrary<Tokens> = shaped<Tokens>({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  outputIsLowerBound: maybe(fc.constant(true as const)),
});

/** Any valid summary. */
export const summary: fc.Arbitrary<Summary> = shaped<Summary>({
  schemaVersion: fc.constant(1 as const),
  id,
  repo: shaped<Summary["repo"]>({ name: text(40), remote: maybe(text(60)) }),
  branch: maybe(text(60)),
  cwd: maybe(text(80)),
  harness: shaped<Summary["harness"]>({
    name: fc.constantFrom("claude", "codex"),
    version: maybe(text(12)),
    entry: maybe(text(12)),
  }),
  mode: fc.constantFrom(...MODES),
  model: maybe(text(30)),
  models: fc.array(text(30), { maxLength: 4 }),
  startedAt: time,
  endedAt: time,
  durationMs: count,
  activeMs: count,
  turns: count,
  calls: count,
  failedCalls: count,
  rejectedCalls: count,
  labels: fc.record({
    swamp: count,
    bypass: count,
    neutral: count,
    mutating: count,
  }),
  categories: maybe(fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z][a-z.-]{0,20}$/),
      calls: count,
    }),
    { minLength: 1, maxLength: 5 },
  )),
  tokens,
  subagents: fc.record({ count, calls: count }),
  findings: fc.record({ high: count, medium: count, low: count }),
  substance: fc.record({
    score: fc.integer({ min: -2, max: 1e6 }),
    tier: fc.constantFrom(...TIERS),
    signals: fc.record({
      messageCount: count,
      toolCallCount: count,
      filesWritten: count,
      filesRead: count,
      errorCount: count,
      ranTests: fc.boolean(),
      endedCleanly: fc.boolean(),
      idle: fc.boolean(),
    }),
  }),
  flags: fc.subarray(Object.keys(FLAGS) as Flag[]),
  forkOf: maybe(id),
  detail: fc.record({ name: id.map((i) => `detail-${i}`), bytes: count }),
  source: fc.record({
    fingerprint: fc.stringMatching(/^[0-9a-f]{16}$/),
    files: count,
    badLines: count,
    unknownRecords: count,
    importer: fc.constant("0.1.0"),
    ruleset: fc.constant("1.1"),
  }),
}).map((s) => {
  // The end is the start plus the duration; both stay in the years we know.
  const duration = s.durationMs % (90 * 86_400_000);
  return {
    ...s,
    durationMs: duration,
    endedAt: isoTime(Date.parse(s.startedAt) + duration),
  };
});

const call: fc.Arbitrary<Call> = shaped<Call>({
  id: fc.uuid(),
  tool: text(20),
  startedAt: time,
  endedAt: maybe(time),
  ok: maybe(fc.boolean()),
  state: fc.constantFrom(...CALL_STATES),
  exitCode: maybe(fc.integer({ min: -300, max: 300 })),
  text: fc.string({ maxLength: 100 }),
  truncated: maybe(fc.constant(true as const)),
  redactions: maybe(fc.integer({ min: 1, max: 9 })),
  label: fc.constantFrom(...LABELS),
  category: text(20),
  rule: text(20),
  mutating: maybe(fc.boolean()),
  why: maybe(fc.tuple(fc.nat(50), fc.nat(50))),
  wraps: maybe(text(20)),
  low: maybe(fc.constant(true as const)),
  subagent: maybe(id),
  spans: maybe(fc.array(text(20), { maxLength: 2 })),
});

const session: fc.Arbitrary<SessionDetail> = shaped<SessionDetail>({
  id,
  parent: maybe(
    shaped<NonNullable<SessionDetail["parent"]>>({
      session: id,
      call: maybe(text(20)),
    }),
  ),
  agentType: maybe(text(20)),
  auxiliary: maybe(fc.constant(true as const)),
  models: fc.array(text(20), { maxLength: 3 }),
  startedAt: time,
  endedAt: time,
  tokens,
  turns: fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 999 }),
      startedAt: time,
      endedAt: time,
      trigger: fc.constantFrom(...TRIGGERS),
      tokens,
      calls: fc.array(call, { maxLength: 4 }),
    }),
    { maxLength: 3 },
  ),
  marks: fc.array(
    fc.record({ at: time, kind: fc.constantFrom(...MARK_KINDS) }),
    { maxLength: 3 },
  ),
});

/** Any valid detail. */
export const detail: fc.Arbitrary<Detail> = shaped<Detail>({
  schemaVersion: fc.constant(1 as const),
  session,
  subagents: fc.array(session, { maxLength: 2 }),
  findings: fc.array(
    fc.record({
      id: text(5),
      rule: text(20),
      severity: fc.constantFrom(...SEVERITIES),
      text: text(80),
      calls: fc.array(text(20), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  files: fc.record({
    written: fc.array(text(40), { maxLength: 3 }),
    read: fc.array(text(40), { maxLength: 3 }),
  }),
  tests: fc.array(
    fc.record({ call: text(20), passed: fc.option(fc.boolean()) }),
    { maxLength: 3 },
  ),
  tools: fc.array(fc.record({ name: text(20), count }), { maxLength: 3 }),
});

const figures = {
  sessions: count,
  calls: count,
  swamp: count,
  bypass: count,
  mutating: count,
  failed: count,
};

/** Any valid rollup. */
export const rollup: fc.Arbitrary<Rollup> = fc.record({
  schemaVersion: fc.constant(1 as const),
  day: time.map((t) => t.slice(0, 10)),
  ...figures,
  neutral: count,
  tokens,
  harnesses: fc.array(fc.record({ name: text(10), ...figures }), {
    maxLength: 3,
  }),
  repos: fc.array(fc.record({ name: text(10), ...figures }), { maxLength: 3 }),
  categories: fc.array(fc.record({ name: text(10), calls: count }), {
    maxLength: 3,
  }),
});
