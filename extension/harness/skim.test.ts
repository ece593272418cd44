import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecords } from "./lines.ts";
import { Skimmer } from "./skim.ts";

const skimmer = new Skimmer({
  keys: [
    { key: "whole", action: "whole" },
    { key: "top", action: "whole", to: 1 },
    { key: "drop", action: "drop" },
    { key: "deep", action: "drop", from: 3 },
  ],
  cut: ["mirror"],
});
const bytes = (text: string) => new TextEncoder().encode(text);
const skim = (value: unknown) =>
  skimmer.parse(bytes(JSON.stringify(value)))?.[0];
const long = "long text, ".repeat(500);

describe("skimming records", () => {
  it("long strings are cut, small values stay", () => {
    const got = skim({
      a: 1,
      b: [true, null, "x"],
      text: long,
      z: { y: "end" },
    });
    expect(got).toMatchObject({ a: 1, b: [true, null, "x"], z: { y: "end" } });
    const text = String(got?.text);
    expect(text.length).toBeLessThan(500);
    expect(long.startsWith(text)).toBe(true);
  });

  it("strings that are asked for stay whole, to the depth asked for", () => {
    const got = skim({
      top: long,
      whole: long,
      in: { whole: long, top: long },
    });
    expect(got).toMatchObject({ top: long, whole: long, in: { whole: long } });
    expect(String((got?.in as { top: string }).top).length).toBeLessThan(500);
  });

  it("below a mirror nothing stays whole", () => {
    const got = skim({ mirror: { whole: long }, whole: long });
    expect(JSON.stringify(got?.mirror).length).toBeLessThan(500);
    expect(got?.whole).toBe(long);
  });

  it("dropped values become null, whatever they hold", () => {
    const got = skim({
      drop: [{ a: '"]}\\', b: long }],
      deep: long.slice(0, 100),
      a: { b: { deep: { x: [long] }, c: 1 } },
    });
    expect(got).toEqual({
      drop: null,
      deep: long.slice(0, 100),
      a: { b: { deep: null, c: 1 } },
    });
  });

  it("a blank between a key and its colon does not hide the key", () => {
    const got = skimmer.parse(bytes(`{"whole" :"${long}","a":"${long}"}`))?.[0];
    expect(got?.whole).toBe(long);
  });

  it.each([
    ["glued records", `{"a":"${long}"}{"b":1}`, 2],
    ["a torn record", `{"a":"${long}","b`, undefined],
    ["an open string", `{"a":"${long}`, undefined],
    ["a list", `["${long}"]`, undefined],
    ["too many brackets", `{"a":"${long}"}}`, undefined],
    ["NULs inside", `{"a":"${long}","b":\u0000 1}`, 1],
  ])("%s are as the careful parser has them", (_what, text, records) => {
    const got = skimmer.parse(bytes(text));
    expect(got?.length).toBe(records);
    expect(parseRecords(bytes(text))?.length).toBe(records);
  });

  /** Every string of `got` is the one of `want`, or its beginning if it was long. */
  const agrees = (want: unknown, got: unknown, key = ""): boolean => {
    if (typeof want === "string" && typeof got === "string") {
      return want === got ||
        (bytes(JSON.stringify(want)).length > 600 &&
          want.startsWith(got.replace(/[\ud800-\udbff]$/, "")));
    }
    if (got === null) return want === null || key === "drop" || key === "deep";
    if (typeof want !== "object" || want === null) return want === got;
    const keys = Object.keys(want);
    return keys.length === Object.keys(got as object).length &&
      keys.every((k) =>
        agrees(
          (want as Record<string, unknown>)[k],
          (got as Record<string, unknown>)[k],
          k,
        )
      );
  };

  it("any record stays the same but for cut strings and dropped values", () => {
    const piece = fc.constantFrom(
      "\\",
      '"',
      "\n",
      "é",
      "漢",
      "😀",
      "\u2028",
      "x".repeat(50),
      '\\"',
      "{",
      "]",
      "\u0001",
      ":",
    );
    const text = fc.array(piece, { maxLength: 400 }).map((parts) =>
      parts.join("")
    );
    const { record } = fc.letrec<
      { value: unknown; record: Record<string, unknown> }
    >((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 4 }),
        tie("record"),
      ),
      record: fc.dictionary(
        fc.oneof(
          fc.constantFrom("whole", "top", "drop", "deep", "mirror", "a"),
          fc.string({ maxLength: 5 }).filter((k) => k !== "__proto__"),
        ),
        tie("value") as fc.Arbitrary<unknown>,
        { maxKeys: 5 },
      ),
    }));
    fc.assert(
      fc.property(record, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Record<
          string,
          unknown
        >;
        expect(agrees(plain, skim(plain))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
