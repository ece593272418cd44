/**
 * The adapter against an oracle made without reading any code of ours.
 * Skipped where the corpus is absent.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "../../extension/harness/claude/mod.ts";
import { compare, describeMismatches } from "../oracle/compare.ts";
import {
  corpusCases,
  damagedCases,
  familyCases,
  readHome,
  SHARED,
  tempHome,
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
      // Soft fixtures hold placeholder content; we agree on them all the same.
      expect(describeMismatches([...report.mismatches, ...report.soft]))
        .toBe("");
    });
  }

  for (const { file, session } of damagedCases("claude")) {
    it(`agrees on what ${basename(file)} still holds`, async () => {
      const home = tempHome();
      const dir = join(home, ".claude", "projects", "-tmp");
      mkdirSync(dir, { recursive: true });
      copyFileSync(file, join(dir, `${session.sessionId}.jsonl`));
      const { sessions } = await readHome(claude, home);
      const report = compare([session], sessions);
      expect(describeMismatches(report.mismatches)).toBe("");
      rmSync(home, { recursive: true });
    });
  }
});
