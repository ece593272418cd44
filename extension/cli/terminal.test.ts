import { describe, expect, it, test } from "vitest";
import fc from "fast-check";
import {
  clean,
  cleanLines,
  colorsFor,
  fit,
  Grid,
  pad,
  width,
} from "./terminal.ts";

const ESC = "\u001b";
const plain = colorsFor(
  { isTTY: false, columns: 80, write: () => Promise.resolve() },
  { env: {} },
);

describe("session text on a terminal", () => {
  it.each([
    ["a colour", `${ESC}[31mred`, "␛[31mred"],
    ["a title change", `${ESC}]0;evil\u0007x`, "␛]0;evil␇x"],
    ["a C1 control", "\u009b31m", "�31m"],
    ["a carriage return that overwrites", "safe\rrm -rf", "safe rm -rf"],
    ["a line feed", "a\nb", "a⏎b"],
    ["text turned around", "a\u202eb", "a�b"],
    ["half a character", "a\ud83d", "a�"],
  ])("%s does nothing", (_what, text, shown) => {
    expect(clean(text)).toBe(shown);
  });

  test("emoji and other scripts stay as they are", () => {
    expect(clean("naïve 日本 👍")).toBe("naïve 日本 👍");
  });

  test("whatever comes in, no control character goes out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(clean(text)).not.toMatch(/\p{Cc}/u);
        expect(cleanLines(text).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe("columns", () => {
  test("wide characters count twice, combining marks not at all", () => {
    expect(width("ab")).toBe(2);
    expect(width("日本")).toBe(4);
    expect(width("e\u0301")).toBe(1);
  });

  test("a cut text ends with an ellipsis and fits", () => {
    expect(fit("abcdef", 4)).toBe("abc…");
    expect(fit("日本語", 4)).toBe("日…");
    expect(fit("abc", 3)).toBe("abc");
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 30 }), (text, n) => {
        expect(width(fit(clean(text), n))).toBeLessThanOrEqual(n);
      }),
    );
  });

  test("a megabyte is cut without being measured", () => {
    expect(fit("x".repeat(1_000_000), 10)).toBe("xxxxxxxxx…");
  });

  test("padding is by columns", () => {
    expect(pad("日", 4) + "|").toBe("日  |");
    expect(pad("7", 3, true)).toBe("  7");
  });
});

describe("a grid", () => {
  const columns = [
    { title: "id", width: 4, text: (r: string) => r },
    { title: "name", width: 6, grows: 12, text: (r: string) => `${r}-name` },
    { title: "n", width: 3, right: true, drop: 1, text: () => "7" },
    { title: "m", width: 3, right: true, drop: 2, text: () => "8" },
  ];
  const lines = (room: number) => {
    const grid = new Grid(columns, room, plain);
    return [grid.header(), grid.row("abc")];
  };

  test("spare room goes to the column that grows, up to its limit", () => {
    expect(lines(40)).toEqual([
      "id    name            n    m",
      "abc   abc-name        7    8",
    ]);
  });

  test("expendable columns go first when it is narrow", () => {
    expect(lines(18)).toEqual(["id    name       n", "abc   abc-na…    7"]);
    expect(lines(13)).toEqual(["id    name", "abc   abc-na…"]);
  });
});

describe("colours", () => {
  const on = (isTTY: boolean, env: Record<string, string>) =>
    colorsFor({ isTTY, columns: 80, write: () => Promise.resolve() }, { env })
      .red("x") !== "x";

  test("only on a terminal, and never against NO_COLOR", () => {
    expect(on(true, {})).toBe(true);
    expect(on(false, {})).toBe(false);
    expect(on(true, { NO_COLOR: "1" })).toBe(false);
    expect(on(true, { TERM: "dumb" })).toBe(false);
    expect(on(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(on(true, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
  });
});
