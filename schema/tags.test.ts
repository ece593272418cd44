import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rollup, summary } from "../test/arbitraries.ts";
import {
  rollupToTags,
  SUMMARY_TAGS,
  summaryToTags,
  SWAMP_TAGS,
  tagsToSummary,
} from "./mod.ts";

describe("summary tags", () => {
  it("hold every field of a summary without loss", () => {
    fc.assert(fc.property(summary, (s) => {
      expect(tagsToSummary(summaryToTags(s))).toEqual(s);
    }));
  });

  it("are read back from the projected keys alone", () => {
    fc.assert(fc.property(summary, (s) => {
      const tags = summaryToTags(s);
      const projected = Object.fromEntries(
        SUMMARY_TAGS.map((key) => [key, tags[key]!]),
      );
      expect(tagsToSummary(projected)).toEqual(s);
    }));
  });

  it("are all strings, never missing, never swamp's own keys", () => {
    fc.assert(fc.property(summary, (s) => {
      const tags = summaryToTags(s);
      for (const value of Object.values(tags)) {
        expect(typeof value).toBe("string");
      }
      for (const key of SUMMARY_TAGS) expect(tags[key]).toBeDefined();
      for (const owned of SWAMP_TAGS) expect(tags[owned]).toBeUndefined();
    }));
  });

  it("of another kind are no summary", () => {
    expect(tagsToSummary({ kind: "agent-session-detail", sid: "a" }))
      .toBeUndefined();
    expect(tagsToSummary({})).toBeUndefined();
  });

  it("of a newer schema say so instead of being guessed at", () => {
    const [s] = fc.sample(summary, { numRuns: 1, seed: 1 });
    expect(tagsToSummary({ ...summaryToTags(s!), schema: "2" }))
      .toEqual({ newer: "2" });
  });

  it("with any values never throw", () => {
    const value = fc.string({ maxLength: 20 });
    const tags = fc.dictionary(fc.constantFrom(...SUMMARY_TAGS), value);
    fc.assert(fc.property(tags, (t) => {
      tagsToSummary(t);
      tagsToSummary({ ...t, schema: "1", sid: "x", started: "2026-01-01" });
    }));
  });
});

describe("rollup tags", () => {
  it("carry the trend strip's figures", () => {
    fc.assert(fc.property(rollup, (r) => {
      const tags = rollupToTags(r);
      expect([tags.day, tags.calls, tags.bypass, tags.failed]).toEqual([
        r.day,
        String(r.calls),
        String(r.bypass),
        String(r.failed),
      ]);
    }));
  });
});
