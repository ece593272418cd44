/**
 * Takes out what no shell sees and remembers where it was.
 *
 * @module
 */

/** Longest text that is parsed, in UTF-16 units; real commands stay far below. */
const PARSE_LIMIT = 256 * 1024;

/** A text ready to parse. */
export interface Normal {
  /** The text to parse. */
  text: string;
  /** Its offset -> offset in the original. */
  at(offset: number): number;
  /** False where the text was longer than the limit. */
  whole: boolean;
}

// NUL, ANSI escape sequences (CSI, OSC, two-character), CR before LF.
const NOISE =
  // deno-lint-ignore no-control-regex -- exactly these are to be removed
  /\0|\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])|\r(?=\n)/g;
// deno-lint-ignore no-control-regex -- exactly these are to be removed
const ANY_NOISE = /[\0\x1b\r]/;

/** Normalises a command line. Never throws. */
export function normalise(original: string): Normal {
  const whole = original.length <= PARSE_LIMIT;
  const cut = whole ? original : original.slice(0, PARSE_LIMIT);
  if (!ANY_NOISE.test(cut)) return { text: cut, at: same, whole };
  // Pairs: offset in the new text from which on, and how much to add.
  const from: number[] = [];
  const add: number[] = [];
  let removed = 0;
  const text = cut.replace(NOISE, (match: string, offset: number) => {
    from.push(offset - removed);
    removed += match.length;
    add.push(removed);
    return "";
  });
  return { text, at: (offset) => offset + shift(from, add, offset), whole };
}

const same = (offset: number): number => offset;

function shift(from: number[], add: number[], offset: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : add[low - 1] ?? 0;
}
