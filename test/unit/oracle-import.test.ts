/**
 * Nothing is lost between the adapters and the store: what an import stored,
 * against the oracle. Skipped where the corpus is absent.
 */
import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { compareViews, describeMismatches } from "../oracle/compare.ts";
import { unmeant } from "../oracle/meant.ts";
import {
  corpusCases,
  familyCases,
  type OracleCase,
  type OracleSession,
  SHARED,
  tempHome,
} from "../oracle/oracle.ts";
import {
  importHome,
  readStored,
  type Stored,
  storedViews,
  underStoredIds,
} from "../oracle/stored.ts";

const cases: OracleCase[] = ["claude", "codex"].flatMap((harness) => [
  ...corpusCases(harness),
  ...familyCases(harness),
]);

const repos: string[] = [];
afterEach(() => {
  for (const repo of repos.splice(0)) rmSync(repo, { recursive: true });
});

describe("what is stored against the oracle", () => {
  it.skipIf(!SHARED)("there are cases to compare", () => {
    expect(cases.length).toBeGreaterThan(50);
  });

  for (const one of cases) {
    it(`agrees on every session of ${one.name}`, async () => {
      const repo = tempHome();
      repos.push(repo);
      await importHome(one.home, repo);
      const stored = await readStored(repo);
      const report = compareViews(
        underStoredIds(one.sessions),
        storedViews(stored),
      );
      expect(report.sessions).toBe(one.sessions.length);
      expect(describeMismatches(unmeant(report.mismatches))).toBe("");
      expect(totals(stored)).toEqual(expectedTotals(one.sessions));
    });
  }
});

const KINDS = ["input", "output", "cacheRead", "cacheWrite"] as const;

/** Figures over all rows, as the list shows them. */
function totals(stored: readonly Stored[]): number[] {
  const sum = (of: (s: Stored["summary"]) => number) =>
    stored.reduce((n, { summary }) => n + of(summary), 0);
  return [...KINDS.map((k) => sum((s) => s.tokens[k])), sum((s) => s.calls)];
}

function expectedTotals(sessions: readonly OracleSession[]): number[] {
  const sum = (of: (s: OracleSession) => number) =>
    sessions.reduce((n, s) => n + of(s), 0);
  return [
    ...KINDS.map((k) => sum((s) => s.tokens[k])),
    sum((s) => s.calls.length),
  ];
}
