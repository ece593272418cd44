import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summary } from "../../test/arbitraries.ts";
import { rollupSchema } from "../../schema/mod.ts";
import { rollupOf } from "./mod.ts";

describe("a rollup", () => {
  const day = "2026-10-05";
  const on = summary.map((s) => ({ ...s, startedAt: `${day}T10:00:00.000Z` }));

  it("is valid, whatever the summaries, and their order changes nothing", () => {
    fc.assert(fc.property(fc.array(on, { maxLength: 6 }), (list) => {
      const rollup = rollupOf(day, list);
      expect(rollupSchema.safeParse(rollup).success).toBe(true);
      expect(rollupOf(day, [...list].reverse())).toEqual(rollup);
      expect(rollup.calls).toBe(list.reduce((n, s) => n + s.calls, 0));
    }));
  });

  it("passes over other days", () => {
    fc.assert(fc.property(on, (s) => {
      const other = { ...s, startedAt: "2026-10-06T00:00:00.000Z" };
      expect(rollupOf(day, [s, other]).sessions).toBe(1);
    }));
  });
});
