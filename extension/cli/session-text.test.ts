import { describe, expect, it } from "vitest";
import type { Call, Detail, Summary } from "../../schema/mod.ts";
import { sessionLines } from "./session-text.ts";
import { colorsFor, width } from "./terminal.ts";

const at = "2026-10-05T09:00:00.000Z";
const tokens = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const call: Call = {
  id: "1",
  tool: "exec_command",
  startedAt: at,
  endedAt: at,
  state: "failed",
  exitCode: 128,
  text: `kubectl apply -f ${"k/".repeat(100)}`,
  label: "bypass",
  category: "k8s.kubectl",
  rule: "k8s.kubectl",
};
const summary: Summary = {
  schemaVersion: 1,
  id: "5e550000-0000-4000-8000-000000000001",
  repo: { name: "billing-api" },
  branch: "feature/somewhat-long-name",
  harness: { name: "claude", version: "2.1.0" },
  mode: "interactive",
  models: [],
  startedAt: at,
  endedAt: at,
  durationMs: 0,
  activeMs: 0,
  turns: 1,
  calls: 1,
  failedCalls: 1,
  rejectedCalls: 0,
  labels: { swamp: 0, bypass: 1, neutral: 0, mutating: 0 },
  tokens,
  subagents: { count: 0, calls: 0 },
  findings: { high: 0, medium: 0, low: 1 },
  substance: {
    score: 1,
    tier: "trivial",
    signals: {
      messageCount: 1,
      toolCallCount: 1,
      filesWritten: 0,
      filesRead: 0,
      errorCount: 1,
      ranTests: false,
      endedCleanly: true,
      idle: false,
    },
  },
  flags: ["compacted", "interrupted"],
  detail: { name: "detail-1", bytes: 1 },
  source: {
    fingerprint: "f",
    files: 1,
    badLines: 0,
    unknownRecords: 0,
    importer: "1",
    ruleset: "1",
  },
};
const detail: Detail = {
  schemaVersion: 1,
  session: {
    id: summary.id,
    models: [],
    startedAt: at,
    endedAt: at,
    tokens,
    turns: [{
      number: 1,
      startedAt: at,
      endedAt: at,
      trigger: "prompt",
      tokens,
      calls: [call],
    }],
    marks: [],
  },
  subagents: [],
  findings: [{
    id: "f1",
    rule: "bypass.unwrapped",
    severity: "low",
    text: "Read by kubectl once, which nothing here wraps: a new model.",
    calls: ["1"],
  }],
  files: { written: [], read: [] },
  tests: [],
  tools: [],
};

const plain = colorsFor(
  { isTTY: false, columns: 80, write: () => Promise.resolve() },
  { env: {} },
);
const lines = (room: number) => [
  ...sessionLines(summary, detail, room, plain),
];

describe("a session as text", () => {
  it.each([48, 80, 160])("fits into %i columns", (room) => {
    for (const line of lines(room)) {
      expect(width(line), line).toBeLessThanOrEqual(room);
    }
  });

  it("tells a call on one line where there is room, else on two", () => {
    const told = (room: number) => {
      const all = lines(room);
      return all.slice(all.findIndex((line) => line.startsWith("Turn")) + 1)
        .map((line) => line.trim());
    };
    const [wide, ...more] = told(100);
    expect(more).toEqual([]);
    expect(wide).toMatch(/failed 128 .* bypass .* kubectl apply .* k8s/);
    const [state, what, ...rest] = told(48);
    expect(rest).toEqual([]);
    expect(state).toMatch(/failed 128 .* bypass$/);
    expect(what).toMatch(/^exec_command kubectl app.*k8s\.kubectl$/);
  });

  it("loses no word of a finding in a narrow terminal", () => {
    const all = lines(48).join(" ").replace(/ {1,40}/g, " ");
    expect(all).toContain("low Read by kubectl once, which nothing here wraps");
    expect(all).toContain("a new model. (bypass.unwrapped)");
  });
});
