/**
 * The adapter against an oracle made without reading any code of ours.
 * Skipped where the corpus is absent.
 */
import { describe, expect, it } from "vitest";
import { claude } from "../../extension/harness/claude/mod.ts";
import { compare, describeMismatches } from "../oracle/compare.ts";
import {
  corpusCases,
  familyCases,
  readHome,
  SHARED,
} from "../oracle/oracle.ts";

const cases = [...corpusCases("claude"), ...familyCases("claude")];

describe("Claude Code against the oracle", () => {
  it.skipIf(!SHARED)("there are cases to compare", () => {
    expect(cases.length).toBeGreaterThan(30);
  });

  for (const one of cases) {
    it(`agrees on every session of ${one.name}`, async () => {
      const { sessions } = await readHome(claude, one.home);
      const report = compare(one.sessions, sessions);
      expect(describeMismatches(report.mismatches)).toBe("");
    });
  }
});
