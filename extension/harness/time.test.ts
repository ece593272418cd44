import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { timeOf } from "./lines.ts";

describe("times", () => {
  it("are read like any date", () => {
    const date = fc.date({
      min: new Date("1971-01-01"),
      max: new Date("9998-12-31"),
      noInvalidDate: true,
    });
    fc.assert(fc.property(date, (d) => {
      expect(timeOf(d.toISOString())).toBe(d.getTime());
    }));
  });

  it.each([
    "2026-13-05T09:00:00.000Z",
    "2026-10-05T09:00:61.000Z",
    "2026-10-05T09:00:0x.000Z",
    "2026-10-05T09:00:00.0x0Z",
    "xxxxxxxxxxxxxxxx:00.000Z",
    "2026-10-05T09:00:00" + " ".repeat(50),
    "10/05/2026",
    "1970-01-01T00:00:00.000Z",
    "+275760-01-01T00:00:00Z",
    "",
    5,
    null,
  ])("%s is none", (text) => {
    expect(timeOf(text)).toBeNaN();
  });
});
