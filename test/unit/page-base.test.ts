import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Day } from "../../dashboard-page/client/queries.ts";
import {
  ago,
  bytes,
  compact,
  dayMonth,
  dayStart,
  isoDay,
  oneLine,
  percent,
  plural,
  shortCategory,
  shortModel,
  shortSpan,
  span,
} from "../../dashboard-page/page/base/format.ts";
import { withChanges } from "../../dashboard-page/page/base/nav.ts";
import {
  brushDays,
  figuresOf,
  mergeDays,
  splitIndex,
  stripDays,
} from "../../dashboard-page/page/list/trend.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("figures as text", () => {
  it.each([
    [0, "0s"],
    [59_400, "59s"],
    [59_500, "1m"],
    [54 * MINUTE, "54m"],
    [59.6 * MINUTE, "1h00"],
    [2 * HOUR + 14 * MINUTE, "2h14"],
    [53 * HOUR, "2d05"],
  ])("%d ms in a cell is %s", (ms, text) => expect(shortSpan(ms)).toBe(text));

  it.each([
    [0, "just now"],
    [59_999, "just now"],
    [2 * MINUTE, "2 min ago"],
    [59.9 * MINUTE, "59 min ago"],
    [47 * HOUR, "47 h ago"],
    [50 * HOUR, "2 days ago"],
  ])("%d ms ago is %s", (ms, text) => expect(ago(ms)).toBe(text));

  it.each([
    [0, "0 ms"],
    [47, "47 ms"],
    [1_049, "1.0 s"],
    [5_900, "5.9 s"],
    [31_400, "31 s"],
    [59_990, "1m 00s"],
    [66_000, "1m 06s"],
    [119_700, "2m 00s"],
    [2 * HOUR + 14 * MINUTE, "2h 14m"],
  ])("%d ms of a call is %s", (ms, text) => expect(span(ms)).toBe(text));

  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1.0k"],
    [9_949, "9.9k"],
    [9_950, "10k"],
    [999_499, "999k"],
    [999_500, "1.0M"],
    [11_200_000, "11.2M"],
    [120_000_000, "120M"],
    [2_500_000_000, "2.5G"],
  ])("%d is %s", (n, text) => expect(compact(n)).toBe(text));

  it("never is longer than six characters in a cell", () => {
    fc.assert(fc.property(fc.nat({ max: 900_000_000_000 }), (n) => {
      expect(compact(n).length).toBeLessThanOrEqual(6);
    }));
  });

  it("says one and many, and a share of nothing", () => {
    expect(plural(1, "call")).toBe("1 call");
    expect(plural(18_839, "call")).toBe("18,839 calls");
    expect(percent(0, 0)).toBe("0.0 %");
    expect(bytes(18_400)).toBe("18 KB");
  });

  it("shortens the names of models it knows the habit of, and no other", () => {
    expect(shortModel("claude-opus-4-7-20260301")).toBe("opus-4.7");
    expect(shortModel("claude-sonnet-4-6")).toBe("sonnet-4.6");
    expect(shortModel("gpt-5.3-codex")).toBe("gpt-5.3-codex");
    expect(shortModel("anthropic/claude-haiku-4-5")).toBe("haiku-4.5");
  });

  it("keeps a day a day", () => {
    expect(isoDay(dayStart("2026-10-14"))).toBe("2026-10-14");
    expect(dayStart("nonsense")).toBeNaN();
    expect(dayMonth(dayStart("2025-12-31"), dayStart("2026-01-01"))).toBe(
      "31 Dec 2025",
    );
  });
});

describe("text from a session", () => {
  it("is one line without a control or direction character, whatever it was", () => {
    fc.assert(fc.property(
      fc.string({ unit: "binary", maxLength: 600 }),
      fc.integer({ min: 1, max: 400 }),
      (text, limit) => {
        const line = oneLine(text, limit);
        expect(line).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
        expect(line.length).toBeLessThanOrEqual(limit + 1);
      },
    ));
  });

  it("shows a line end, and does not cut an emoji in two", () => {
    expect(oneLine("a\r\nb\nc")).toBe("a⏎b⏎c");
    expect(oneLine("ab😀", 3)).toBe("ab…");
    expect(oneLine("\u001b[31m")).toBe("␛[31m");
  });
});

describe("the state's string", () => {
  it("sets, repeats and removes, and leaves the rest", () => {
    const params = new URLSearchParams("a=1&b=2&b=3");
    expect(withChanges(params, { b: ["x", "y"], c: "z" })).toBe(
      "a=1&b=x&b=y&c=z",
    );
    expect(withChanges(params, { a: null, b: [] })).toBe("");
    expect(params.toString()).toBe("a=1&b=2&b=3");
  });
});

describe("the trend", () => {
  const day = (name: string, calls: number): Day => ({
    day: name,
    sessions: 1,
    calls,
    swamp: 0,
    bypass: calls / 2,
    failed: 1,
  });
  const now = dayStart("2026-10-14");

  it("has no gaps, ends today, and is a quarter long", () => {
    const strip = stripDays(
      [day("2026-07-20", 4), day("2026-10-13", 6)],
      now,
    );
    expect(strip.length).toBe(90);
    expect(strip.at(-1)?.day).toBe("2026-10-14");
    expect(strip[0]?.day).toBe("2026-07-17");
    expect(strip.reduce((n, d) => n + d.calls, 0)).toBe(10);
  });

  it("is a month long where there is no more, and empty where there is nothing", () => {
    expect(stripDays([day("2026-10-01", 4)], now).length).toBe(30);
    expect(stripDays([], now)).toEqual([]);
  });

  it("ends at the newest session where that is long ago", () => {
    expect(stripDays([day("2025-01-05", 4)], now).at(-1)?.day).toBe(
      "2025-01-05",
    );
  });

  it("is not led away by a session dated far ahead", () => {
    const days = [day("2026-10-13", 6), day("2030-01-01", 1)];
    expect(stripDays(days, now).at(-1)?.day).toBe("2026-10-14");
    // Nothing else to show: then that.
    expect(stripDays([day("2030-01-01", 1)], now).at(-1)?.day).toBe(
      "2030-01-01",
    );
  });

  it("takes a rollup before the rows of its day", () => {
    expect(
      mergeDays([day("2026-10-02", 8)], [
        day("2026-10-01", 2),
        day("2026-10-02", 4),
      ]).map((d) => d.calls),
    ).toEqual([2, 8]);
  });

  it("compares only where there is something before and after", () => {
    const strip = stripDays(
      [day("2026-07-20", 4), day("2026-10-13", 6)],
      now,
    );
    expect(splitIndex(strip, "")).toBe(60);
    expect(splitIndex(strip, "none")).toBe(-1);
    expect(splitIndex(strip, "2026-07-17")).toBe(-1);
    expect(splitIndex(strip, "2026-07-18")).toBe(1);
    expect(splitIndex(strip, "1999-01-01")).toBe(-1);
  });

  it("does not thin figures with the days before the first session", () => {
    const quiet = { ...day("2026-10-01", 0), sessions: 0, failed: 0 };
    expect(figuresOf([quiet, quiet, day("2026-10-03", 10)])).toEqual({
      bypassShare: 0.5,
      callsADay: 10,
      failedADay: 1,
    });
    expect(figuresOf([])).toEqual({
      bypassShare: 0,
      callsADay: 0,
      failedADay: 0,
    });
  });

  it("brushes whole days, in either direction, edges included", () => {
    const strip = stripDays([day("2026-10-01", 4)], now);
    expect(brushDays(strip, 1, 0)).toEqual({
      from: "2026-09-15",
      to: "2026-10-14",
    });
    expect(brushDays(strip, 0.5, 0.51)).toEqual({
      from: "2026-09-30",
      to: "2026-09-30",
    });
    expect(brushDays([], 0, 1)).toBe(undefined);
  });
});

describe("a category in a narrow column", () => {
  it.each([
    ["neutral.read", "read"],
    ["cloud.aws", "aws"],
    ["k8s.kubectl", "kubectl"],
    ["swamp.cli", "swamp"],
    ["swampdata.write", ".swamp"],
    ["own", "own"],
    ["odd.", "odd."],
  ])("%s is %s", (category, short) => {
    expect(shortCategory(category)).toBe(short);
  });
});
