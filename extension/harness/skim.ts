/**
 * Parses a record without the bulk that nobody needs: most bytes of a session
 * file are outputs, file contents and images. Long strings are cut and some
 * values dropped on the bytes, before they are decoded; the rest is parsed as
 * usual. What cannot be skimmed is parsed whole.
 *
 * @module
 */
import {
  decode,
  findByte,
  type JsonObject,
  parseRecords,
  type Records,
} from "./lines.ts";

/** What to do with the value of a key. Depth is 1 for the record's own keys. */
export interface SkimRule {
  /** The key. */
  key: string;
  /** `whole`: its string is never cut. `drop`: its value becomes null. */
  action: "whole" | "drop";
  /** Applies from this depth on. */
  from?: number;
  /** Applies up to this depth. */
  to?: number;
}

/** How a kind of records is skimmed. */
export interface SkimRules {
  /** Keys that differ from the default, which is to cut long strings. */
  keys: readonly SkimRule[];
  /** Keys of the record itself below which no string is kept whole. */
  cut: readonly string[];
}

/** Lines below this many bytes are parsed as they are. */
const SMALL = 2000;
/** Strings above this many bytes are cut to `HEAD`. */
const LONG = 640, HEAD = 420;

const QUOTE = 34, BACKSLASH = 92, COLON = 58;
const OPEN_OBJECT = 123, CLOSE_OBJECT = 125, OPEN_ARRAY = 91, CLOSE_ARRAY = 93;

const encoder = new TextEncoder();
const NULL = encoder.encode("null");

const NONE = 0, WHOLE = 1, DROP = 2;

interface Entry {
  bytes: Uint8Array;
  rules: SkimRule[];
  cut: boolean;
}

/** Parses records by rules. One instance serves any number of lines. */
export class Skimmer {
  #byLength: (Entry[] | undefined)[] = [];
  #out = new Uint8Array(64 * 1024);
  #length = 0;

  /** Prepares the rules. */
  constructor(rules: SkimRules) {
    const entry = (key: string): Entry => {
      const bytes = encoder.encode(key);
      const list = this.#byLength[bytes.length] ??= [];
      const known = list.find((e) => decode(e.bytes) === key);
      if (known) return known;
      const made = { bytes, rules: [], cut: false };
      list.push(made);
      return made;
    };
    for (const rule of rules.keys) entry(rule.key).rules.push(rule);
    for (const key of rules.cut) entry(key).cut = true;
  }

  /** The records of a line, as {@link parseRecords}, without their bulk. */
  parse(line: Uint8Array): Records | undefined {
    if (line.length < SMALL || !this.#skim(line)) return parseRecords(line);
    try {
      const value: unknown = JSON.parse(
        decode(this.#out.subarray(0, this.#length)),
      );
      if (
        typeof value === "object" && value !== null && !Array.isArray(value)
      ) return [value as JsonObject];
    } catch {
      // Damaged, or several records glued together: the careful way.
    }
    return parseRecords(line);
  }

  /** Writes the shorter record to `#out`; false where nothing was cut. */
  #skim(line: Uint8Array): boolean {
    const end = line.length;
    this.#length = 0;
    let kept = 0, depth = 0, action = NONE, cut = false;
    for (let i = 0; i < end;) {
      const c = line[i];
      if (c === QUOTE) {
        const close = closing(line, i + 1);
        if (close < 0) return false;
        const next = line[close + 1];
        // A blank may stand between a key and its colon.
        if (next === 32 || next === 9) return false;
        if (next !== COLON) {
          if (close - i > LONG && (action !== WHOLE || cut)) {
            this.#keep(line, kept, headEnd(line, i + 1));
            kept = close;
          }
          action = NONE;
          i = close + 1;
          continue;
        }
        const entry = this.#entry(line, i + 1, close);
        if (depth === 1) cut = entry?.cut ?? false;
        action = entry ? actionOf(entry, depth) : NONE;
        i = close + 2;
        if (action === DROP) {
          const after = valueEnd(line, i);
          if (after < 0) return false;
          if (after - i > 64) {
            this.#keep(line, kept, i);
            this.#write(NULL);
            kept = after;
          }
          action = NONE;
          i = after;
        }
        continue;
      }
      if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        depth++;
        action = NONE;
      } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
        depth--;
        // A second record on the line is for the careful parser.
        if (depth === 0 && i !== end - 1) return false;
      }
      i++;
    }
    if (kept === 0) return false;
    this.#keep(line, kept, end);
    return true;
  }

  #entry(line: Uint8Array, from: number, to: number): Entry | undefined {
    const list = this.#byLength[to - from];
    if (!list) return undefined;
    search: for (const entry of list) {
      const { bytes } = entry;
      for (let i = 0; i < bytes.length; i++) {
        if (bytes[i] !== line[from + i]) continue search;
      }
      return entry;
    }
    return undefined;
  }

  #keep(line: Uint8Array, from: number, to: number): void {
    this.#write(line.subarray(from, to));
  }

  #write(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#out.length) {
      const bigger = new Uint8Array(Math.max(length, this.#out.length * 2));
      bigger.set(this.#out.subarray(0, this.#length));
      this.#out = bigger;
    }
    this.#out.set(bytes, this.#length);
    this.#length = length;
  }
}

function actionOf(entry: Entry, depth: number): number {
  for (const { action, from = 0, to = Infinity } of entry.rules) {
    if (depth >= from && depth <= to) return action === "drop" ? DROP : WHOLE;
  }
  return NONE;
}

/** Where a string that began before `from` is closed; -1 where it is not. */
function closing(line: Uint8Array, from: number): number {
  // Most strings are short: a loop is faster than a call.
  const near = Math.min(from + 40, line.length);
  let at = from;
  for (; at < near; at++) {
    const c = line[at];
    if (c === QUOTE) return at;
    if (c === BACKSLASH) at++;
  }
  for (;;) {
    at = findByte(line, QUOTE, at);
    if (at < 0) return -1;
    let before = at - 1;
    while (before >= from && line[before] === BACKSLASH) before--;
    if (((at - 1 - before) & 1) === 0) return at;
    at++;
  }
}

/** A place about `HEAD` bytes into a string that splits no character. */
function headEnd(line: Uint8Array, from: number): number {
  let at = from + HEAD;
  // An escape is at most 6 bytes long: after as many others none is open.
  for (let clean = 0; clean < 6 && at > from; at--) {
    clean = line[at - 1] === BACKSLASH ? 0 : clean + 1;
  }
  if (at <= from) return from;
  at += 6;
  while (((line[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** Where a value that begins at `from` ends; -1 where it does not. */
function valueEnd(line: Uint8Array, from: number): number {
  let depth = 0;
  for (let i = from; i < line.length; i++) {
    const c = line[i];
    if (c === QUOTE) {
      i = closing(line, i + 1);
      if (i < 0) return -1;
      if (depth === 0) return i + 1;
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++;
    else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (c === 44 && depth === 0) return i;
  }
  return -1;
}
