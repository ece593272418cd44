/**
 * Files -> lines -> JSON records, streaming. Lines end at LF only: other line
 * separators occur inside strings. Memory is bounded by the longest line, and
 * that by `MAX_LINE`.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { versions } from "node:process";
import { setImmediate as nextTick } from "node:timers/promises";

/** Longest line that is read, in bytes; images make lines of 10 MB. */
export const MAX_LINE = 128 * 1024 * 1024;

const CHUNK = 1024 * 1024;
const LF = 10, CR = 13, NUL = 0;

/** Called with each line: bytes that are valid only during the call, and its number from 1. */
export type LineHandler = (line: Uint8Array, number: number) => void;

/** How reading a file went. */
export interface LinesResult {
  /** Bytes read. */
  bytes: number;
  /** Lines handed over, the tail included. */
  lines: number;
  /** The file did not end with LF: the last line may still be being written. */
  tail: boolean;
  /** Lines longer than `MAX_LINE`, not handed over. */
  tooLong: number[];
}

/** What reading lines may use. */
export interface LinesContext {
  /** Stops between chunks. */
  signal?: AbortSignal;
  /** Told of bytes read. */
  progress?(bytes: number): void;
  /** Turns compressed input into plain: chunks in, chunks out. */
  transform?: (
    source: Iterable<Uint8Array>,
  ) => Iterable<Uint8Array>;
}

/**
 * Opens a file of a session. What was a file when it was found may be
 * something else by now, and a FIFO would be waited for: throws for whatever
 * is no regular file, and the system's error where there is nothing.
 */
export function openSource(path: string): number {
  // Not on Windows, where it is no flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(fd).isFile()) return fd;
    throw Object.assign(new Error(`${path} is no regular file`), {
      code: "NO_FILE",
    });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The bytes of a small file of a session; throws as `openSource` does. */
export function readSource(path: string): Uint8Array {
  const fd = openSource(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Buffers not in use: making one anew for each file costs more than reading it. */
const spare: Uint8Array[] = [];

function* fileChunks(path: string): Generator<Uint8Array> {
  const fd = openSource(path);
  const buffer = spare.pop() ?? new Uint8Array(CHUNK);
  try {
    for (;;) {
      const n = readSync(fd, buffer, 0, buffer.length, null);
      if (n === 0) return;
      yield buffer.subarray(0, n);
    }
  } finally {
    spare.push(buffer);
    closeSync(fd);
  }
}

/**
 * Reads a file line by line, giving way to other work between chunks. Blank
 * lines and lines of only NULs are passed over. Throws the file system's error
 * where the file cannot be opened, and the signal's reason when stopped.
 */
export async function readLines(
  path: string,
  onLine: LineHandler,
  context: LinesContext = {},
): Promise<LinesResult> {
  const result: LinesResult = { bytes: 0, lines: 0, tail: false, tooLong: [] };
  let raw = 0;
  const counted = function* (): Generator<Uint8Array> {
    for (const chunk of fileChunks(path)) {
      raw += chunk.length;
      yield chunk;
    }
  };
  const source = context.transform ? context.transform(counted()) : counted();
  let carry = new Uint8Array(0), carried = 0, skipping = false, number = 0;
  let lastYield = performance.now(), reported = 0;
  const keep = (bytes: Uint8Array) => {
    if (skipping) return;
    if (carried + bytes.length > MAX_LINE) {
      skipping = true;
      carried = 0;
      return;
    }
    if (carried + bytes.length > carry.length) {
      const bigger = new Uint8Array(
        Math.max(carry.length * 2, carried + bytes.length, 64 * 1024),
      );
      bigger.set(carry.subarray(0, carried));
      carry = bigger;
    }
    carry.set(bytes, carried);
    carried += bytes.length;
  };
  const emit = (line: Uint8Array) => {
    const clean = trimLine(line);
    if (clean.length === 0) return;
    result.lines++;
    onLine(clean, number);
  };
  for (const chunk of source) {
    let from = 0;
    for (;;) {
      const at = findByte(chunk, LF, from);
      if (at < 0) break;
      number++;
      if (skipping) {
        result.tooLong.push(number);
        skipping = false;
      } else if (carried > 0) {
        keep(chunk.subarray(from, at));
        if (skipping) {
          result.tooLong.push(number);
          skipping = false;
        } else emit(carry.subarray(0, carried));
      } else emit(chunk.subarray(from, at));
      carried = 0;
      from = at + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
    if (context.progress && raw > reported) {
      context.progress(raw - reported);
      reported = raw;
    }
    context.signal?.throwIfAborted();
    if (performance.now() - lastYield > 50) {
      await nextTick();
      lastYield = performance.now();
    }
  }
  if (skipping) result.tooLong.push(number + 1);
  else if (carried > 0) {
    number++;
    result.tail = true;
    emit(carry.subarray(0, carried));
  }
  result.bytes = raw;
  return result;
}

/** The line without BOM, CR and surrounding NULs or blanks. */
function trimLine(line: Uint8Array): Uint8Array {
  let start = 0, end = line.length;
  if (
    end >= 3 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf
  ) start = 3;
  const blank = (b: number | undefined) =>
    b === NUL || b === CR || b === 32 || b === 9;
  while (start < end && blank(line[start])) start++;
  while (end > start && blank(line[end - 1])) end--;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: false });

/** The text of bytes; invalid UTF-8 becomes the replacement character. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** The value as an object, else undefined. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

/** The value as a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value as a finite number, else undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? value
    : undefined;
}

/** The value as an array, else an empty one. */
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The records of one line. */
export interface Records extends Array<JsonObject> {
  /** What stands behind them cannot be read. */
  torn?: true;
}

/**
 * The records of one line: usually one; several where objects were glued
 * together; undefined where it cannot be read. NULs inside are dropped.
 */
export function parseRecords(line: Uint8Array): Records | undefined {
  let text = decode(line);
  try {
    const one = asObject(JSON.parse(text));
    return one ? [one] : undefined;
  } catch {
    // Fall through to the repairs.
  }
  if (text.includes("\u0000")) {
    text = text.replaceAll("\u0000", "");
    try {
      const one = asObject(JSON.parse(text));
      return one ? [one] : undefined;
    } catch {
      // Perhaps glued as well.
    }
  }
  return splitGlued(text);
}

/**
 * Objects written one after another without a line feed: `{…}{…}`; of
 * `{…}{…` the whole ones.
 */
function splitGlued(text: string): Records | undefined {
  const found: Records = [];
  let depth = 0, start = 0, inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 92) i++;
      else if (c === 34) inString = false;
    } else if (c === 34) inString = true;
    else if (c === 123) {
      if (depth++ === 0) {
        if (text.slice(start, i).trim() !== "") return undefined;
        start = i;
      }
    } else if (c === 125 && --depth === 0) {
      try {
        const one = asObject(JSON.parse(text.slice(start, i + 1)));
        if (!one) return undefined;
        found.push(one);
      } catch {
        break;
      }
      start = i + 1;
    }
    if (depth < 0) return undefined;
  }
  const rest = text.slice(start).trim();
  if (found.length === 0 || (rest !== "" && !rest.startsWith("{"))) {
    return undefined;
  }
  if (rest !== "") found.torn = true;
  return found;
}

/**
 * Whether a call's id was made to be unique, so that its repeat is a copy of
 * the call. Gateways number calls (`call_0`, `functions.shell:3`), and begin
 * anew with each response.
 */
export function isUniqueId(id: string): boolean {
  return id.length >= 16 && !/[^0-9a-z]\d{1,4}$/i.test(id);
}

// Looking for a byte.

/** Node's own search is many times faster than a typed array's; Deno's is slower. */
const native = !("deno" in versions);

/** The first place of a byte from `from` on; -1 where there is none. */
export function findByte(
  bytes: Uint8Array,
  byte: number,
  from: number,
): number {
  return native
    ? Buffer.prototype.indexOf.call(bytes, byte, from)
    : bytes.indexOf(byte, from);
}

// Times as records write them.

/** The last moment that a four-digit year can name. */
const MAX_TIME = Date.UTC(9999, 11, 31);

/** Longest text that is read as a time. */
const LONGEST = 40;

const digits = (text: string, from: number, to: number): number => {
  let n = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return NaN;
    n = n * 10 + digit;
  }
  return n;
};

/** The last day read, as text and as time: most times are in the same one. */
let day = "", dayTime = NaN;

/** A time as epoch milliseconds; NaN where it is none that can be written. */
export function timeOf(value: unknown): number {
  if (
    typeof value === "string" && value.length === 24 && value[13] === ":" &&
    value[16] === ":" && value[19] === "." && value[23] === "Z"
  ) {
    if (day === "" || !value.startsWith(day)) {
      day = value.slice(0, 11);
      dayTime = isoTime(`${day}00:00:00Z`);
    }
    const hour = digits(value, 11, 13), minute = digits(value, 14, 16);
    const second = digits(value, 17, 19);
    if (hour < 24 && minute < 60 && second < 60) {
      return known(
        dayTime + ((hour * 60 + minute) * 60 + second) * 1000 +
          digits(value, 20, 23),
      );
    }
  }
  return known(isoTime(value));
}

function known(time: number): number {
  return time > 0 && time <= MAX_TIME ? time : NaN;
}

/** Dates in other words than ISO's are none: what they mean is anyone's guess. */
function isoTime(value: unknown): number {
  return typeof value === "string" && value.length <= LONGEST &&
      /^\d{4}-\d\d-\d\dT/.test(value)
    ? Date.parse(value)
    : NaN;
}

/** Longest name or place taken of a tool that is not known. */
const MAX_PLAIN = 200;
const PLACES: ReadonlySet<string> = new Set([
  "url",
  "uri",
  "path",
  "file_path",
  "filePath",
  "file",
]);

/**
 * An argument of a tool that is not known, where it is a name, a number or a
 * place; undefined for a text, which may be a prompt. A name has no blanks; a
 * path or URL may, on its one line.
 */
export function plainArgument(
  args: JsonObject,
  key: string,
): string | undefined {
  const value = Object.hasOwn(args, key) ? args[key] : undefined;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  const text = asString(value);
  if (!text || text.length > MAX_PLAIN) return undefined;
  const plain = PLACES.has(key)
    ? !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(text)
    : /^[!-~]+$/.test(text);
  return plain ? text : undefined;
}
