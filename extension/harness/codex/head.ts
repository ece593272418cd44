/**
 * What the first lines of a rollout say: whose it is and where it came from.
 *
 * @module
 */
import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import { hash53 } from "../../../schema/mod.ts";
import {
  asNumber,
  asObject,
  asString,
  decode,
  type JsonObject,
  openSource,
  parseRecords,
  readSource,
  timeOf,
} from "../lines.ts";
import type { ProblemCode, SourceFile } from "../types.ts";
import { plainBytes, ZstdDamagedError } from "../zstd.ts";

/** Changes when a head would be read differently from the same bytes. */
const VERSION = 4;

/** Bytes of plain text looked through for the session's own record. */
const MAX_HEAD = 8 * 1024 * 1024;
/** Lines looked through for it. */
const MAX_LINES = 200;
/** Largest single-object file that is read, in bytes. */
const MAX_SINGLE = 64 * 1024 * 1024;

/** A rollout's head; ids as written, bounded. */
export interface Head {
  /** {@link VERSION}. */
  v: number;
  /** Set where the file is refused; then the rest is absent. */
  refused?: { code: ProblemCode; line?: number };
  /** The thread. */
  id: string;
  /** The thread that started it. */
  parent?: string;
  /** The thread whose history was copied into the file. */
  fork?: string;
  /** The rollout whose first part is this one's history, in its own file. */
  base?: string;
  /** Its own records begin at this ordinal. */
  ordinal?: number;
  /** What Codex does for itself: guardian, review, compact, memory, … */
  auxiliary?: string;
  /** Started by Codex or an agent, not by a person. */
  subagent?: true;
  /** First moment, epoch milliseconds. */
  at?: number;
  /** Working directory. */
  cwd?: string;
}

/** An id of at most 200 characters; longer ones are cut and told apart by a hash. */
export function boundedId(raw: unknown): string | undefined {
  if (typeof raw !== "string" || raw === "") return undefined;
  return raw.length <= 200
    ? raw
    : `${raw.slice(0, 160)}-${hash53(raw).toString(36)}`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** A rollout's own id by its file's name: the last UUID, else what follows the time. */
export function rolloutId(path: string): string {
  const name = basename(path).replace(/\.(?:jsonl|json)(?:\.zst)?$/i, "");
  const uuids = name.match(UUID);
  const last = uuids?.[uuids.length - 1];
  if (last !== undefined) return last.toLowerCase();
  return name.replace(/^rollout-(?:\d{4}-\d\d-\d\d(?:T[\d-]{8})?-)?/, "") ||
    name;
}

const AUXILIARY: ReadonlySet<string> = new Set([
  "review",
  "compact",
  "guardian",
  "memory",
]);

/** Words of `source.subagent` for what Codex does for itself. */
function auxiliaryOf(source: JsonObject): string | undefined {
  const subagent = source["subagent"] ?? source["internal"];
  const word = asString(subagent) ?? asString(asObject(subagent)?.["other"]);
  if (word === undefined) return undefined;
  if (word === "memory_consolidation") return "memory";
  // It is kept and shown, and a client may write any text.
  return AUXILIARY.has(word) ? word : "other";
}

/** The head that a `session_meta` payload tells. */
export function headOfMeta(meta: JsonObject, fallback: string): Head {
  const id = boundedId(meta["id"]) ?? fallback;
  const source = asObject(meta["source"]) ?? {};
  const spawn = asObject(asObject(source["subagent"])?.["thread_spawn"]);
  const parent = boundedId(meta["parent_thread_id"]) ??
    boundedId(spawn?.["parent_thread_id"]);
  const fork = boundedId(meta["forked_from_id"]);
  const base = boundedId(asObject(meta["history_base"])?.["thread_id"]);
  const ordinal = asNumber(meta["subagent_history_start_ordinal"]);
  const auxiliary = auxiliaryOf(source);
  const at = timeOf(meta["timestamp"]);
  const cwd = asString(meta["cwd"]);
  return {
    v: VERSION,
    id,
    ...(parent === undefined || parent === id ? {} : { parent }),
    ...(fork === undefined || fork === id ? {} : { fork }),
    ...(base === undefined ? {} : { base }),
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(auxiliary === undefined ? {} : { auxiliary }),
    ...(source["subagent"] !== undefined ? { subagent: true } : {}),
    ...(Number.isNaN(at) ? {} : { at }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

const refused = (code: ProblemCode, line?: number): Head => ({
  v: VERSION,
  id: "",
  refused: line === undefined ? { code } : { code, line },
});

/** Whether a record is of what `codex exec --json` prints, not of a rollout. */
function isCapture(record: JsonObject): boolean {
  const type = asString(record["type"]);
  if (type !== undefined) {
    return /^(?:thread|turn|item)\.(?:started|updated|completed|failed)$/
      .test(type) && record["payload"] === undefined;
  }
  const message = asObject(record["msg"]);
  return asString(message?.["type"]) !== undefined;
}

/** The head of a single-object file: `{session, items}`. */
function headOfSingle(value: unknown, path: string): Head {
  const session = asObject(asObject(value)?.["session"]);
  if (!session || !Array.isArray(asObject(value)?.["items"])) {
    return refused("NO_SESSION");
  }
  return headOfMeta(session, rolloutId(path));
}

const ENVELOPES = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
  "world_state",
]);

/** Finds the head among the first records of a file, one line after the other. */
class HeadFinder {
  #path: string;
  #envelope = false;
  #lines = 0;
  #bad = 0;
  #text = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes a line; the head once it is known. */
  line(bytes: Uint8Array): Head | undefined {
    this.#lines++;
    const records = parseRecords(bytes);
    if (!records) {
      this.#bad++;
      this.#text ||= bytes[0] === 0x7b;
      return this.#lines > 20 && this.#bad === this.#lines
        ? this.end()
        : undefined;
    }
    for (const record of records) {
      const head = this.#record(record);
      if (head) return head;
    }
    return this.#lines >= MAX_LINES ? this.end() : undefined;
  }

  #record(record: JsonObject): Head | undefined {
    const type = asString(record["type"]);
    const payload = asObject(record["payload"]);
    if (type === "session_meta" && payload) {
      const head = headOfMeta(payload, rolloutId(this.#path));
      const at = timeOf(record["timestamp"]);
      return head.at === undefined && !Number.isNaN(at)
        ? { ...head, at }
        : head;
    }
    if (type !== undefined && payload && ENVELOPES.has(type)) {
      this.#envelope = true;
      return undefined;
    }
    if (isCapture(record)) return refused("STREAM_CAPTURE", this.#lines);
    // Bare items: the first line has an id and a time, and no type.
    if (
      type === undefined && this.#lines - this.#bad === 1 &&
      asString(record["id"]) !== undefined &&
      asString(record["timestamp"]) !== undefined
    ) return headOfMeta(record, rolloutId(this.#path));
    return undefined;
  }

  /** The head where nothing more is to come. */
  end(): Head {
    if (this.#envelope) {
      return { v: VERSION, id: rolloutId(this.#path).slice(0, 200) };
    }
    if (this.#lines === 0) return refused("EMPTY");
    // A first line that begins as JSON may still be being written.
    const text = this.#text || this.#bad < this.#lines;
    return refused(text ? "NO_SESSION" : "BINARY");
  }
}

/** The file's first bytes in growing pieces. Closes the file when left. */
function* pieces({ path, size: known }: SourceFile): Generator<Uint8Array> {
  const fd = openSource(path);
  try {
    const first = Math.min(64 * 1024, Math.max(known, 1024));
    for (let size = first;; size = 512 * 1024) {
      const buffer = new Uint8Array(size);
      const n = readSync(fd, buffer, 0, size, null);
      if (n === 0) return;
      yield buffer.subarray(0, n);
    }
  } finally {
    closeSync(fd);
  }
}

const blank = (bytes: Uint8Array): boolean =>
  bytes.every((b) => b === 0 || b === 9 || b === 10 || b === 13 || b === 32);

function headOfLines(file: SourceFile): Head {
  const finder = new HeadFinder(file.path);
  let carry = new Uint8Array(0);
  let seen = 0;
  try {
    for (const piece of plainBytes(pieces(file))) {
      seen += piece.length;
      let rest = carry.length === 0 ? piece : concat(carry, piece);
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        const line = rest.subarray(0, at);
        rest = rest.subarray(at + 1);
        const head = blank(line) ? undefined : finder.line(trimmed(line));
        if (head) return head;
      }
      if (seen > MAX_HEAD) return finder.end();
      carry = rest.slice();
    }
  } catch (error) {
    if (!(error instanceof ZstdDamagedError)) throw error;
    return refused("UNREADABLE");
  }
  if (!blank(carry)) {
    const head = finder.line(trimmed(carry));
    if (head) return head;
  }
  return finder.end();
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Without BOM and the NULs that a crash leaves in front of a line. */
function trimmed(line: Uint8Array): Uint8Array {
  let from = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  while (line[from] === 0) from++;
  return line.subarray(from);
}

/** The value of a single-object file; undefined where it is none. */
export function readSingle(path: string): unknown {
  try {
    return JSON.parse(decode(readSource(path)));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a file is a single object by its name. */
export function isSingle(path: string): boolean {
  return path.toLowerCase().endsWith(".json");
}

/** Reads a file's head. Never throws: what cannot be read is refused. */
export function readHead(file: SourceFile): Head {
  try {
    if (file.size === 0) return refused("EMPTY");
    if (!isSingle(file.path)) return headOfLines(file);
    if (file.size > MAX_SINGLE) return refused("LINE_TOO_LONG");
    return headOfSingle(readSingle(file.path), file.path);
  } catch {
    return refused("UNREADABLE");
  }
}

/** A remembered head, where it is one of this version. */
export function knownHead(value: unknown): Head | undefined {
  const head = asObject(value);
  return head?.["v"] === VERSION && typeof head["id"] === "string"
    ? value as Head
    : undefined;
}
