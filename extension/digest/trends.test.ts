import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../schema/mod.ts";
import { summary } from "../../test/arbitraries.ts";
import { rollupOf } from "./rollup.ts";
import { dayAfter, mondayOf, type TrendInput, trendsOf } from "./trends.ts";

const DAYS = ["2026-10-04", "2026-10-05", "2026-10-06", "2026-10-12"];
const row: fc.Arbitrary<Summary> = fc.tuple(
  summary,
  fc.constantFrom(...DAYS),
  fc.constantFrom("claude", "codex"),
  fc.constantFrom("a", "b"),
).map(([s, day, harness, repo]) => ({
  ...s,
  startedAt: `${day}T10:00:00.000Z`,
  harness: { name: harness },
  repo: { name: repo },
}));
const rows = fc.array(row, { maxLength: 12 });
const range = { since: "2026-10-01", until: "2026-10-31", by: "day" as const };
const rollups = (all: readonly Summary[]) =>
  DAYS.map((day) => rollupOf(day, all));
const trends = (more: Partial<TrendInput>) =>
  trendsOf({ rollups: [], summaries: [], ...range, ...more });

describe("trends", () => {
  it("count the same from summaries, from rollups, and from both", () => {
    fc.assert(fc.property(rows, (all) => {
      const own = trends({ summaries: all });
      expect(trends({ summaries: all, rollups: rollups(all) })).toEqual(own);
      const told = trends({ rollups: rollups(all) });
      expect([told.total, told.periods]).toEqual([own.total, own.periods]);
      // A rollup tells no tokens of a harness or a repository.
      const bare = (list: readonly object[]) =>
        list.map((entry) => ({ ...entry, tokens: undefined }));
      expect(bare(told.harnesses)).toEqual(bare(own.harnesses));
      expect(bare(told.repos)).toEqual(bare(own.repos));
    }));
  });

  it("of a day that lost sessions are its rollup's", () => {
    fc.assert(fc.property(rows, fc.nat(11), (all, lost) => {
      const left = all.filter((_, i) => i !== lost);
      const { total, periods } = trends({
        summaries: left,
        rollups: rollups(all),
      });
      const whole = trends({ summaries: all });
      expect([total, periods]).toEqual([whole.total, whole.periods]);
    }));
  });

  it("in days, in weeks, before and after, by harness and by repo add up to the whole", () => {
    fc.assert(fc.property(rows, fc.constantFrom(...DAYS), (all, split) => {
      for (const by of ["day", "week"] as const) {
        const t = trends({ summaries: all, by, split });
        const sum = (list: readonly { calls: number; bypass: number }[]) =>
          list.reduce((n, p) => n + p.calls + p.bypass, 0);
        const whole = t.total.calls + t.total.bypass;
        for (const list of [t.periods, t.harnesses, t.repos]) {
          expect(sum(list)).toBe(whole);
        }
        expect(sum([t.split!.before, t.split!.after])).toBe(whole);
      }
    }));
  });

  it("of one harness in one repo leave out what only a rollup tells", () => {
    fc.assert(fc.property(rows, (all) => {
      const wish = {
        harness: (name: string) => name === "codex",
        repo: (name: string) => name === "a",
      };
      const mine = all.filter((s) =>
        s.harness.name === "codex" && s.repo.name === "a"
      );
      expect(trends({ summaries: all, ...wish }).total).toEqual(
        trends({ summaries: mine }).total,
      );
      expect(trends({ rollups: rollups(all), ...wish }).total.sessions).toBe(0);
      const { repo } = wish;
      expect(trends({ rollups: rollups(all), repo }).total.calls).toBe(
        trends({ summaries: all, repo }).total.calls,
      );
    }));
  });

  it("leave out days that are not asked for, and shares of nothing", () => {
    const t = trends({ rollups: rollups([]), since: "2026-10-05" });
    expect(t).toMatchObject({
      periods: [],
      total: { sessions: 0, bypassShare: null, failedShare: null },
    });
  });
});

describe("weeks", () => {
  it.each([
    ["2026-10-04", "2026-09-28"],
    ["2026-10-05", "2026-10-05"],
    ["2026-10-11", "2026-10-05"],
    ["2027-01-01", "2026-12-28"],
  ])("the one of %s begins on %s", (day, monday) => {
    expect(mondayOf(day)).toBe(monday);
    expect(dayAfter(monday, 6) >= day).toBe(true);
  });
});
