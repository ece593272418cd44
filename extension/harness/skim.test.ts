import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRecords } from "./lines.ts";
import { Skimmer, type Want } from "./skim.ts";

const whole: Want = {};
const node: { keys: Record<string, Want>; cut: true } = {
  keys: { whole, text: { cut: true }, often: { often: true } },
  cut: true,
};
node.keys.node = node;
const skimmer = new Skimmer(node.keys);
const bytes = (text: string) => new TextEncoder().encode(text);
const skim = (value: unknown) =>
  skimmer.parse(bytes(JSON.stringify(value)))?.[0];
const long = "long text, ".repeat(500);

describe("skimming records", () => {
  it("only what is wanted is there, at any depth", () => {
    expect(skim({
      other: { whole: 1 },
      whole: { any: [true, null, "x", { deep: -1.5e3 }] },
      node: [{ text: "a", other: "b" }, "c", 4, null, { node: {} }],
      often: false,
    })).toEqual({
      whole: { any: [true, null, "x", { deep: -1500 }] },
      node: [{ text: "a" }, "c", 4, null, { node: {} }],
      often: false,
    });
  });

  it("long strings are cut where the beginning is enough, others are whole", () => {
    const got = skim({ text: long, whole: long, often: long, node: long });
    expect(got).toMatchObject({ whole: long, often: long });
    for (const text of [got?.text, got?.node].map(String)) {
      expect(text.length).toBeLessThan(900);
      expect(long.startsWith(text)).toBe(true);
    }
  });

  it("a text that comes often is the one of its own record", () => {
    for (const often of ["one", "one", "two", "", "öne", "one", "on\ne"]) {
      expect(skim({ often, node: { often: `${often}!` } }))
        .toEqual({ often, node: { often: `${often}!` } });
    }
  });

  it("of a key written twice the last counts, as it does elsewhere", () => {
    expect(skimmer.parse(bytes('{"whole":1,"whole":{"a":2}}')))
      .toEqual([{ whole: { a: 2 } }]);
  });

  it("a key written with escapes is read all the same", () => {
    expect(skimmer.parse(bytes('{"wh\\u006fle":1}'))).toEqual([{ whole: 1 }]);
  });

  it.each([
    ["glued records", `{"a":"${long}"}{"b":1}`, 2],
    ["a torn record", `{"a":"${long}","b`, undefined],
    ["an open string", `{"a":"${long}`, undefined],
    ["a list", `["${long}"]`, undefined],
    ["too many brackets", `{"a":"${long}"}}`, undefined],
    ["brackets that do not match", `{"a":[{"b":1]}}`, undefined],
    ["a record torn inside another", `{"a":"${long}{"b":1}`, undefined],
    ["a word that is none", `{"a":nul,"b":tru}`, undefined],
    ["a number that is none", `{"whole":1-2}`, undefined],
    ["a number with a zero in front", `{"whole":01}`, undefined],
    ["a missing comma", `{"a":1 "b":2}`, undefined],
    ["a comma too many", `{"a":1,}`, undefined],
    ["a missing value", `{"a":}`, undefined],
    ["blanks between", `{ "a" : [ 1 , { } , [ ] ] , "b" : { "c" : 2 } }`, 1],
    ["NULs inside", `{"a":"${long}","b":\u0000 1}`, 1],
    ["NULs inside a text", `{"whole":"a\u0000b"}`, 1],
    [
      "deep nesting",
      `{"a":${"[".repeat(3000)}${"]".repeat(3000)},"whole":2}`,
      1,
    ],
  ])("%s are as the careful parser has them", (_what, text, records) => {
    const got = skimmer.parse(bytes(text));
    expect(got?.length).toBe(records);
    expect(parseRecords(bytes(text))?.length).toBe(records);
  });

  /** What is wanted of a value, the slow way. */
  const wanted = (value: unknown, want: Want): unknown => {
    if (!want.keys || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((v) => wanted(v, want));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => Object.hasOwn(want.keys ?? {}, key))
        .map(([key, v]) => [key, wanted(v, want.keys![key]!)]),
    );
  };

  /** The same, but for strings that are the beginning of long ones. */
  const agrees = (want: unknown, got: unknown): boolean => {
    if (typeof want === "string" && typeof got === "string") {
      return want === got ||
        (bytes(JSON.stringify(want)).length > 1000 && got.length > 100 &&
          want.startsWith(got.replace(/[\ud800-\udbff]$/, "")));
    }
    if (typeof want !== "object" || want === null) return want === got;
    const keys = Object.keys(want);
    return keys.length === Object.keys(got as object).length &&
      keys.every((k) =>
        agrees(
          (want as Record<string, unknown>)[k],
          (got as Record<string, unknown>)[k],
        )
      );
  };

  it("what is wanted is what parsing the whole record gives", () => {
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
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 4 }),
        tie("record"),
      ),
      record: fc.dictionary(
        fc.oneof(
          fc.constantFrom("whole", "text", "often", "node", "a"),
          fc.string({ maxLength: 5 }).filter((k) => k !== "__proto__"),
        ),
        tie("value") as fc.Arbitrary<unknown>,
        { maxKeys: 5 },
      ),
    }));
    fc.assert(
      fc.property(record, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        // What is odd is parsed whole: then more may be there.
        const got = wanted(skim(plain), node);
        expect(agrees(wanted(plain, node), got)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("a record cut anywhere is damaged for both parsers", () => {
    const record = JSON.stringify({
      whole: { a: [1, true, null, -2.5e-3] },
      text: 'q"\\é',
      node: [{ often: "x" }],
    });
    const all = bytes(record);
    for (let n = 1; n < all.length; n++) {
      expect(skimmer.parse(all.slice(0, n))).toBeUndefined();
      // A byte lost inside is found by both, or by neither.
      const lost = Uint8Array.from([...all.slice(0, n), ...all.slice(n + 1)]);
      expect(skimmer.parse(lost) === undefined)
        .toBe(parseRecords(lost) === undefined);
    }
  });
});
