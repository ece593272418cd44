import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NINE, sessionOf } from "../../test/build.ts";
import type { TextEntry } from "../session/model.ts";
import { PrivateText } from "../session/private-text.ts";
import {
  oneLine,
  safeCut,
  segment,
  SEGMENT_TOKENS,
  shorten,
} from "./transcript.ts";

const reveal = (text: PrivateText) => text.reveal();
const textsOf = (texts: readonly string[]): TextEntry[] =>
  texts.map((text, i) => ({
    at: NINE + i * 1000,
    role: i % 2 ? "assistant" : "human",
    text: new PrivateText(text),
  }));

describe("a transcript in parts", () => {
  const long = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.constantFrom("a", "é "))
      .map(([n, c]) => c.repeat(n)),
    { maxLength: 12 },
  );

  it("is whole and in order, whatever the number of parts", () => {
    fc.assert(
      fc.property(long, fc.integer({ min: 1, max: 9 }), (texts, of) => {
        const read = (wish: { number: number; of?: number }) =>
          segment(textsOf(texts), [], reveal, wish);
        const whole = read({ number: 1, of: 1 }).entries;
        const parts = Array.from(
          { length: of },
          (_, i) => read({ number: i + 1, of }),
        );
        expect(parts.every((p) => p.of === of)).toBe(true);
        expect(parts.flatMap((p) => p.entries)).toEqual(whole);
        expect(whole.map((e) => e.text).join("").length).toBe(
          texts.map((t) => t.trim()).join("").length,
        );
      }),
      { numRuns: 30 },
    );
  });

  it("of no given number keeps the stated budget in each", () => {
    fc.assert(
      fc.property(long, (texts) => {
        const first = segment(textsOf(texts), [], reveal, { number: 1 });
        for (let number = 1; number <= first.of; number++) {
          const part = segment(textsOf(texts), [], reveal, { number });
          expect(part.number).toBe(number);
          expect(part.tokens).toBeLessThanOrEqual(SEGMENT_TOKENS);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("holds calls between the texts, each on one line with how it ended", () => {
    const { calls } = sessionOf([
      { id: "1", text: "npm\\\n test", state: "failed", exitCode: 2 },
    ]);
    const texts = textsOf(["Please."]);
    expect(
      segment(texts, [...calls.values()], reveal, { number: 1 }).entries
        .map((e) => [e.role, e.text]),
    ).toEqual([
      ["human", "Please."],
      ["call", "Bash npm\\ test -> failed (exit 2)"],
    ]);
  });

  it("of two thousand messages comes in parts that a model can read", () => {
    const texts = textsOf(
      Array.from({ length: 2000 }, (_, i) => `${i} ${"word ".repeat(80)}`),
    );
    const { of } = segment(texts, [], reveal, { number: 1 });
    expect(of).toBe(Math.ceil(2000 * 110 / SEGMENT_TOKENS) + 1);
    // Beyond the last is the last.
    expect(segment(texts, [], reveal, { number: 99 })).toMatchObject({
      number: of,
      of,
    });
  });
});

describe("a cut", () => {
  const marked = `${"x".repeat(40)}[REDACTED:api-key] and more ${
    "y".repeat(90)
  }`;

  it.each([41, 45, 52, 57])("at %i never halves a marker", (limit) => {
    expect(marked.slice(0, safeCut(marked, limit))).toBe("x".repeat(40));
    expect(oneLine(marked, limit + 1)).toBe(`${"x".repeat(40)}…`);
  });

  it("in the middle keeps both ends and says how much is left out", () => {
    const cut = shorten(`start ${"x".repeat(9000)} end`, 100);
    expect(cut.length).toBeLessThanOrEqual(100);
    expect(cut).toMatch(/^start x+\n\[… 89\d\d characters …\]\nx+ end$/);
  });

  it("leaves out a marker at the start that does not fit", () => {
    expect(shorten("[REDACTED:kind]".repeat(6), 60)).toBe(
      "\n[… 90 characters …]\n",
    );
  });

  it("is within its limit, and leaves markers and characters whole", () => {
    const piece = fc.constantFrom(
      "[REDACTED:k]",
      "😀",
      "word ",
      "[",
      "]",
      "\n",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }),
        fc.integer({ min: 60, max: 400 }),
        (pieces, limit) => {
          for (const cut of [shorten, oneLine]) {
            const text = cut(pieces.join(""), limit);
            expect(text.length).toBeLessThanOrEqual(limit);
            expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
            expect(text.replaceAll("[REDACTED:k]", "")).not.toContain(
              "REDACTED",
            );
          }
        },
      ),
    );
  });
});
