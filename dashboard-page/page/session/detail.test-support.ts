/**
 * Details and summaries for tests, from as little as a test is about.
 *
 * @module
 */
import type {
  Call,
  Detail,
  SessionDetail,
  Summary,
  Tokens,
  Turn,
} from "../../../schema/mod.ts";

/** 14 October 2026, 07:00 UTC: second 0 of every test session. */
export const ZERO = Date.UTC(2026, 9, 14, 7);

/** Second of the session -> contract time. */
export const second = (s: number): string =>
  new Date(ZERO + s * 1000).toISOString();

/** No tokens. */
export const NO_TOKENS: Tokens = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
};

/** A call of one second at a second of the session. */
export function call(id: string, at: number, more: Partial<Call> = {}): Call {
  return {
    id,
    tool: "Bash",
    startedAt: second(at),
    endedAt: second(at + 1),
    state: "ok",
    text: `echo ${id}`,
    label: "neutral",
    category: "shell",
    rule: "neutral.shell",
    ...more,
  };
}

/** A call without an end. */
export function endless(
  id: string,
  at: number,
  more: Partial<Call> = {},
): Call {
  const { endedAt: _, ...rest } = call(id, at);
  return { ...rest, state: "pending", ...more };
}

/** A turn from one second to another. */
export function turn(
  number: number,
  from: number,
  to: number,
  calls: Call[],
  more: Partial<Turn> = {},
): Turn {
  return {
    number,
    startedAt: second(from),
    endedAt: second(to),
    trigger: "prompt",
    tokens: NO_TOKENS,
    calls,
    ...more,
  };
}

/** A session or subagent around turns. */
export function session(
  id: string,
  turns: Turn[],
  more: Partial<SessionDetail> = {},
): SessionDetail {
  return {
    id,
    models: ["model-1"],
    startedAt: turns[0]?.startedAt ?? second(0),
    endedAt: turns[turns.length - 1]?.endedAt ?? second(0),
    tokens: NO_TOKENS,
    turns,
    marks: [],
    ...more,
  };
}

/** A subagent of one turn. */
export const agent = (
  id: string,
  parent: SessionDetail["parent"],
  calls: Call[],
  more: Partial<SessionDetail> = {},
): SessionDetail =>
  session(id, [
    {
      ...turn(1, 0, 0, calls, { trigger: "subagent" }),
      startedAt: calls[0]?.startedAt ?? second(0),
      endedAt: calls[calls.length - 1]?.endedAt ?? second(0),
    },
  ], { ...(parent ? { parent } : {}), agentType: "helper", ...more });

/** A detail item. */
export function detail(
  main: SessionDetail,
  subagents: SessionDetail[] = [],
  more: Partial<Detail> = {},
): Detail {
  return {
    schemaVersion: 1,
    session: main,
    subagents,
    findings: [],
    files: { written: [], read: [] },
    tests: [],
    tools: [],
    ...more,
  };
}

/** A summary. */
export function summary(more: Partial<Summary> = {}): Summary {
  return {
    schemaVersion: 1,
    id: "s",
    repo: { name: "shop" },
    branch: "main",
    harness: { name: "claude", version: "2.1.0" },
    mode: "interactive",
    model: "model-1",
    models: ["model-1"],
    startedAt: second(0),
    endedAt: second(60),
    durationMs: 60_000,
    activeMs: 30_000,
    turns: 1,
    calls: 0,
    failedCalls: 0,
    rejectedCalls: 0,
    labels: { swamp: 0, bypass: 0, neutral: 0, mutating: 0 },
    tokens: NO_TOKENS,
    subagents: { count: 0, calls: 0 },
    findings: { high: 0, medium: 0, low: 0 },
    substance: {
      score: 0,
      tier: "trivial",
      signals: {
        messageCount: 0,
        toolCallCount: 0,
        filesWritten: 0,
        filesRead: 0,
        errorCount: 0,
        ranTests: false,
        endedCleanly: true,
        idle: false,
      },
    },
    flags: [],
    detail: { name: "detail-s", bytes: 1 },
    source: {
      fingerprint: "f",
      files: 1,
      badLines: 0,
      unknownRecords: 0,
      importer: "0",
      ruleset: "0",
    },
    ...more,
  };
}
