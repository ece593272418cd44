/**
 * The adapter against an oracle made without reading any code of ours.
 * Skipped where the corpus is absent.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codex } from "../../extension/harness/codex/mod.ts";
import { compare, describeMismatches } from "../oracle/compare.ts";
import { unmeant } from "../oracle/meant.ts";
import {
  corpusCases,
  damagedCases,
  familyCases,
  readHome,
  SHARED,
  tempHome,
} from "../oracle/oracle.ts";

const cases = [...corpusCases("codex"), ...familyCases("codex")];

describe("Codex against the oracle", () => {
  it.skipIf(!SHARED)("there are cases to compare", () => {
    expect(cases.length).toBeGreaterThan(20);
  });

  for (const one of cases) {
    it(`agrees on every session of ${one.name}`, async () => {
      const { sessions } = await readHome(codex, one.home);
      const report = compare(one.sessions, sessions);
      expect(report.sessions).toBe(one.sessions.length);
      expect(describeMismatches(unmeant(report.mismatches))).toBe("");
    });
  }

  for (const { file, session } of damagedCases("codex")) {
    it(`agrees on the damaged ${session.file}`, async () => {
      const home = tempHome();
      try {
        const folder = join(home, ".codex/sessions/2026/01/01");
        mkdirSync(folder, { recursive: true });
        copyFileSync(
          file,
          join(
            folder,
            `rollout-2026-01-01T00-00-00-${session.sessionId}.jsonl`,
          ),
        );
        const { sessions, problems } = await readHome(codex, home);
        const report = compare([session], sessions);
        expect(describeMismatches(unmeant(report.mismatches))).toBe("");
        expect(problems.map((p) => p.code)).toEqual(
          session.badLines > 0 ? ["DAMAGED_LINES"] : [],
        );
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
  }
});
