import { describe, expect, it } from "vitest";
import { oneLine } from "./format.ts";

const at = (...codes: number[]) => String.fromCodePoint(...codes);

describe("one harmless line", () => {
  it("shows what turns the direction or has no width", () => {
    for (
      const code of [0x202e, 0x2066, 0x200f, 0x061c, 0x200b, 0x2060, 0x00ad]
    ) expect(oneLine(`a${at(code)}b`)).toBe("a\u25ccb");
    expect(oneLine(`ls${at(0xe0020, 0xe0041)}`)).toBe("ls\u25cc\u25cc");
  });

  it("leaves joiners where they belong, and shows them beside plain letters", () => {
    const family = at(0x1f469, 0x200d, 0x1f467);
    expect(oneLine(family)).toBe(family);
    const persian = at(0x0645, 0x06cc, 0x200c, 0x062e);
    expect(oneLine(persian)).toBe(persian);
    expect(oneLine(`pay${at(0x200d)}pal`)).toBe("pay\u25ccpal");
  });

  it("is one line, without control characters, cut between characters", () => {
    expect(oneLine("a\r\nb\tc\u001b[31m")).toBe("a\u23ceb c\u241b[31m");
    expect(oneLine(at(0x1f469, 0x1f469), 3)).toBe(`${at(0x1f469)}\u2026`);
  });
});
