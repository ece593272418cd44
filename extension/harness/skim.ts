/**
 * Reads of a record only what is wanted: most bytes of a session file are
 * outputs, file contents, thinking and images. Values that nobody looks at are
 * stepped over on the bytes, neither decoded nor made; long strings may be cut.
 * What cannot be read so (damaged, glued, unusual) is parsed whole.
 *
 * @module
 */
import { findByte, type JsonObject, parseRecords, sliceText } from "./lines.ts";

/** What is wanted of a value. */
export interface Want {
  /**
   * Of an object, these keys; of an array, the same of each element. Without
   * it an object or array is taken whole.
   */
  keys?: Wants;
  /** A string of more than `LONG` bytes is cut to about `HEAD`. */
  cut?: true;
  /** The same short text comes record after record. */
  often?: true;
}

/** Keys that are wanted; all others are stepped over. */
export type Wants = Readonly<Record<string, Want>>;

/** Strings that may be cut are, above this many bytes, and to how many. */
const LONG = 1000, HEAD = 800;
/** Nesting deeper than this is for the careful parser. */
const MAX_DEPTH = 64;
/** A string is looked for in a loop this far; then by a call. */
const NEAR = 48;

const QUOTE = 34, COMMA = 44, COLON = 58, BACKSLASH = 92;
const OPEN_OBJECT = 123, CLOSE_OBJECT = 125, OPEN_ARRAY = 91, CLOSE_ARRAY = 93;

/** A wanted key, made ready. */
interface Entry {
  name: string;
  bytes: Uint8Array;
  want: Plan;
}

/** A {@link Want}, made ready. */
interface Plan {
  byLength: (Entry[] | undefined)[] | undefined;
  cut: boolean;
  often: boolean;
  /** The last text and its bytes, where it comes often. */
  last: string;
  lastBytes: Uint8Array;
  lastLength: number;
}

/** Thrown for whatever is not read here. */
const UNREAD = new Error("for the careful parser");

const encoder = new TextEncoder();

/** Reads records by what is wanted. One instance serves any number of lines. */
export class Skimmer {
  #root: Plan;
  #line: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Of the string read last: not plain ASCII, or too long to know. */
  #odd = false;

  /** Makes the keys ready. Wants may hold themselves. */
  constructor(wants: Wants) {
    const made = new Map<Want, Plan>();
    const plan = (want: Want): Plan => {
      const known = made.get(want);
      if (known) return known;
      const fresh: Plan = {
        byLength: want.keys ? [] : undefined,
        cut: want.cut ?? false,
        often: want.often ?? false,
        last: "",
        lastBytes: new Uint8Array(want.often ? NEAR : 0),
        lastLength: -1,
      };
      made.set(want, fresh);
      for (const [name, inner] of Object.entries(want.keys ?? {})) {
        const bytes = encoder.encode(name);
        const list = fresh.byLength![bytes.length] ??= [];
        // Which texts come often is a key's own matter.
        const own = inner.often ? { ...inner } : inner;
        list.push({ name, bytes, want: plan(own) });
      }
      return fresh;
    };
    this.#root = plan({ keys: wants });
  }

  /** The records of a line, as {@link parseRecords}, without what is not wanted. */
  parse(line: Uint8Array): JsonObject[] | undefined {
    const record = this.one(line);
    return record ? [record] : parseRecords(line);
  }

  /** The one record of a line; undefined where it is for {@link parseRecords}. */
  one(line: Uint8Array): JsonObject | undefined {
    if (line[0] !== OPEN_OBJECT) return undefined;
    this.#line = line;
    this.#at = 0;
    try {
      const record = this.#object(this.#root, 0);
      return this.#at === line.length ? record : undefined;
    } catch {
      return undefined;
    }
  }

  /** The byte at the next token. */
  #peek(): number | undefined {
    const line = this.#line;
    for (;;) {
      const c = line[this.#at];
      if (c !== 32 && c !== 9 && c !== 13) return c;
      this.#at++;
    }
  }

  #object(plan: Plan, depth: number): JsonObject {
    if (depth > MAX_DEPTH) throw UNREAD;
    const line = this.#line, { byLength } = plan;
    const made: JsonObject = {};
    this.#at++;
    if (this.#peek() === CLOSE_OBJECT) {
      this.#at++;
      return made;
    }
    for (;;) {
      if (this.#peek() !== QUOTE) throw UNREAD;
      const from = this.#at + 1, to = this.#string();
      // A key with an escape may be one that is wanted.
      if (this.#odd) throw UNREAD;
      if (line[this.#at] !== COLON && this.#peek() !== COLON) throw UNREAD;
      this.#at++;
      const entry = byLength && find(byLength, line, from, to);
      if (entry) made[entry.name] = this.#value(entry.want, depth + 1);
      else this.#skip(depth + 1);
      const next = this.#peek();
      this.#at++;
      if (next === COMMA) continue;
      if (next === CLOSE_OBJECT) return made;
      throw UNREAD;
    }
  }

  #array(plan: Plan, depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw UNREAD;
    const made: unknown[] = [];
    this.#at++;
    if (this.#peek() === CLOSE_ARRAY) {
      this.#at++;
      return made;
    }
    for (;;) {
      made.push(this.#value(plan, depth + 1));
      const next = this.#peek();
      this.#at++;
      if (next === COMMA) continue;
      if (next === CLOSE_ARRAY) return made;
      throw UNREAD;
    }
  }

  #value(plan: Plan, depth: number): unknown {
    const c = this.#peek();
    if (c === QUOTE) return this.#text(plan);
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (plan.byLength) {
        return c === OPEN_OBJECT
          ? this.#object(plan, depth)
          : this.#array(plan, depth);
      }
      const from = this.#at;
      this.#skip(depth);
      return JSON.parse(sliceText(this.#line, from, this.#at));
    }
    const from = this.#at;
    this.#scalar();
    if (c === 116) return true;
    if (c === 102) return false;
    if (c === 110) return null;
    return this.#number(from, this.#at);
  }

  #number(from: number, to: number): unknown {
    const line = this.#line;
    if (to - from < 16 && (line[from] !== 48 || to - from === 1)) {
      let n = 0, at = from;
      for (; at < to; at++) {
        const digit = line[at]! - 48;
        if (digit < 0 || digit > 9) break;
        n = n * 10 + digit;
      }
      if (at === to) return n;
    }
    return JSON.parse(sliceText(line, from, to));
  }

  #text(plan: Plan): string {
    const line = this.#line, from = this.#at + 1;
    const to = this.#string(), length = to - from;
    if (plan.often && length <= NEAR && !this.#odd) {
      const { lastBytes } = plan;
      if (length === plan.lastLength) {
        let i = 0;
        while (i < length && line[from + i] === lastBytes[i]) i++;
        if (i === length) return plan.last;
      }
      plan.last = sliceText(line, from, to);
      plan.lastLength = length;
      for (let i = 0; i < length; i++) lastBytes[i] = line[from + i]!;
      return plan.last;
    }
    if (!this.#odd) return sliceText(line, from, to);
    if (!plan.cut || length <= LONG) {
      return JSON.parse(sliceText(line, from - 1, to + 1)) as string;
    }
    return JSON.parse(`"${sliceText(line, from, headEnd(line, from, to))}"`);
  }

  /** Steps over a string; gives where it is closed. */
  #string(): number {
    const line = this.#line, from = this.#at + 1;
    const near = Math.min(from + NEAR, line.length);
    let at = from, odd = false;
    for (; at < near; at++) {
      const c = line[at]!;
      if (c === QUOTE) {
        this.#at = at + 1;
        this.#odd = odd;
        return at;
      }
      if (c === BACKSLASH) {
        at++;
        odd = true;
      } else if (c < 32) throw UNREAD;
      else if (c > 126) odd = true;
    }
    this.#odd = true;
    for (;;) {
      at = findByte(line, QUOTE, at);
      if (at < 0) throw UNREAD;
      let before = at - 1;
      while (before >= from && line[before] === BACKSLASH) before--;
      if (((at - 1 - before) & 1) === 0) {
        this.#at = at + 1;
        return at;
      }
      at++;
    }
  }

  /** Steps over a number, `true`, `false` or `null`. */
  #scalar(): void {
    const line = this.#line, from = this.#at;
    let at = from;
    for (; at < line.length; at++) {
      const c = line[at]!;
      if (c === COMMA || c === CLOSE_OBJECT || c === CLOSE_ARRAY || c < 33) {
        break;
      }
    }
    this.#at = at;
    const c = line[from]!, length = at - from;
    if (c === 116 || c === 102 || c === 110) {
      const word = c === 116 ? TRUE : c === 102 ? FALSE : NULL;
      if (word.length !== length) throw UNREAD;
      for (let i = 1; i < length; i++) {
        if (line[from + i] !== word[i]) throw UNREAD;
      }
      return;
    }
    // A number; one that is odd is left to the careful parser.
    if (length === 0 || (c !== 45 && (c < 48 || c > 57))) throw UNREAD;
    for (let i = from + 1; i < at; i++) {
      const d = line[i]!;
      if (d >= 48 && d <= 57) continue;
      if (d !== 46 && d !== 101 && d !== 69 && d !== 43 && d !== 45) {
        throw UNREAD;
      }
    }
  }

  /** Steps over a value. */
  #skip(depth: number): void {
    const c = this.#peek();
    if (c === QUOTE) {
      this.#string();
      return;
    }
    if (c !== OPEN_OBJECT && c !== OPEN_ARRAY) return this.#scalar();
    if (depth > MAX_DEPTH) throw UNREAD;
    const close = c === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
    this.#at++;
    if (this.#peek() === close) {
      this.#at++;
      return;
    }
    for (;;) {
      if (c === OPEN_OBJECT) {
        if (this.#peek() !== QUOTE) throw UNREAD;
        this.#string();
        if (this.#peek() !== COLON) throw UNREAD;
        this.#at++;
      }
      this.#skip(depth + 1);
      const next = this.#peek();
      this.#at++;
      if (next === COMMA) continue;
      if (next === close) return;
      throw UNREAD;
    }
  }
}

const TRUE = encoder.encode("true"), FALSE = encoder.encode("false");
const NULL = encoder.encode("null");

function find(
  byLength: (Entry[] | undefined)[],
  line: Uint8Array,
  from: number,
  to: number,
): Entry | undefined {
  const list = byLength[to - from];
  if (!list) return undefined;
  search: for (let n = 0; n < list.length; n++) {
    const entry = list[n]!, { bytes } = entry;
    for (let i = 0; i < bytes.length; i++) {
      if (bytes[i] !== line[from + i]) continue search;
    }
    return entry;
  }
  return undefined;
}

/**
 * A place about `HEAD` bytes into the string `from`-`to` that splits no
 * character; its end where nothing but escapes is in front.
 */
function headEnd(line: Uint8Array, from: number, to: number): number {
  let at = from + HEAD;
  // An escape is at most 6 bytes long: after as many others none is open.
  for (let clean = 0; clean < 6 && at > from; at--) {
    clean = line[at - 1] === BACKSLASH ? 0 : clean + 1;
  }
  if (at <= from) return to;
  at += 6;
  while (((line[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
