/**
 * The head of a file: what its first records say of it, read once and kept in
 * the cache of heads.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import {
  asObject,
  asString,
  type JsonObject,
  openSource,
  parseRecords,
} from "../lines.ts";
import type { HeadCache, ProblemCode, SourceFile } from "../types.ts";
import { hashId, isGlobalId, isResponseId, isUuid } from "./ids.ts";
import { TREE_TYPES } from "./records.ts";
import { recordTime } from "./text.ts";

/** What the head of a file says. A JSON value: ids, a folder, hashes. */
export interface Head {
  /** Version of this shape. */
  v: 3;
  /** Why the file is refused. */
  problem?: ProblemCode;
  /** The last session id in it. */
  session?: string;
  /** The file's name is one of the session ids in it. */
  named?: true;
  /** First working directory. */
  cwd?: string;
  /** First moment, epoch milliseconds. */
  at?: number;
  /** Hashes of the first messages' uuids: files that share one share history. */
  uuids: number[];
  /** Hashes of the first API responses' ids: copies may have other uuids. */
  responses: number[];
  /** It begins in the middle of a conversation, at a compaction. */
  boundary?: true;
  /** The session it says it was forked from. */
  forkedFrom?: string;
}

/** Read in steps of this size until the facts are seen: a prompt may hold images. */
const STEPS = [16, 64, 256, 1024, 4096, 16384].map((kilo) => kilo * 1024);
/** How many uuids are remembered, and how many responses. */
const UUIDS = 6, RESPONSES = 2;
/** So many are enough to stop reading. */
const SOME_UUIDS = 2;
/** Up to here the head is read for more uuids, and for the last session id. */
const ENOUGH = 64 * 1024;

/** The head of a file, from the cache or read. Throws what opening it throws. */
export function headOf(file: SourceFile, stem: string, cache: HeadCache): Head {
  const known = asObject(cache.get(file));
  if (known?.v === 3 && Array.isArray(known.uuids)) {
    return known as unknown as Head;
  }
  const head = readHead(file, stem);
  cache.put(file, head);
  return head;
}

function readHead(file: SourceFile, stem: string): Head {
  const fd = openSource(file.path);
  try {
    for (let i = 0;; i++) {
      const buffer = new Uint8Array(Math.min(STEPS[i] ?? 0, file.size));
      const length = fill(fd, buffer);
      const whole = length < buffer.length || length >= file.size;
      const reading = new HeadReading(stem);
      reading.bytes(buffer.subarray(0, length), whole);
      const enough = reading.complete() &&
        (isUuid(stem) || length >= ENOUGH) &&
        (reading.many() || length >= ENOUGH);
      if (whole || enough || i === STEPS.length - 1) {
        return reading.finish(whole);
      }
    }
  } finally {
    closeSync(fd);
  }
}

function fill(fd: number, buffer: Uint8Array): number {
  let length = 0;
  while (length < buffer.length) {
    const n = readSync(fd, buffer, length, buffer.length - length, length);
    if (n === 0) break;
    length += n;
  }
  return length;
}

class HeadReading {
  readonly head: Head = { v: 3, uuids: [], responses: [] };
  #stem: string;
  #conversation = 0;
  #capture = false;
  #first = true;
  #nuls = false;
  #parsed = 0;

  constructor(stem: string) {
    this.#stem = stem;
  }

  bytes(data: Uint8Array, whole: boolean): void {
    this.#nuls = data.includes(0);
    let from = 0;
    while (from < data.length) {
      let to = data.indexOf(10, from);
      if (to < 0) {
        if (!whole) return;
        to = data.length;
      }
      for (const record of lineRecords(data.subarray(from, to))) {
        this.#record(record);
      }
      from = to + 1;
    }
  }

  #record(record: JsonObject): void {
    const { head } = this;
    this.#parsed++;
    const type = asString(record.type) ?? "";
    const session = asString(record.sessionId);
    if (session) {
      head.session = session.slice(0, 1000);
      if (session === this.#stem) head.named = true;
    } else if (
      asString(record.session_id) !== undefined &&
      (type === "result" || "parent_tool_use_id" in record ||
        (type === "system" && record.subtype === "init"))
    ) this.#capture = true;
    if (TREE_TYPES.has(type) || type === "queue-operation") {
      this.#conversation++;
    }
    const cwd = asString(record.cwd);
    if (cwd && head.cwd === undefined) head.cwd = cwd;
    const at = recordTime(record.timestamp);
    if (!Number.isNaN(at) && !(at >= (head.at ?? Infinity))) head.at = at;
    const fork = asString(asObject(record.forkedFrom)?.sessionId) ??
      asString(record.forkedFrom);
    if (fork) head.forkedFrom ??= fork;
    const uuid = asString(record.uuid);
    // Hooks may write records of their own in front of copied ones.
    const talk = type === "user" || type === "assistant";
    if (uuid === undefined || !(talk || type === "system")) return;
    if (this.#first) {
      this.#first = false;
      if (record.subtype === "compact_boundary") head.boundary = true;
    }
    if (talk && head.uuids.length < UUIDS && isGlobalId(uuid)) {
      head.uuids.push(hashId(uuid));
    }
    const response = asString(asObject(record.message)?.id);
    if (
      response !== undefined && isResponseId(response) &&
      head.responses.length < RESPONSES
    ) {
      const hash = hashId(response);
      if (!head.responses.includes(hash)) head.responses.push(hash);
    }
  }

  /** Whether everything was seen that is needed. */
  complete(): boolean {
    const { head } = this;
    return head.session !== undefined && head.cwd !== undefined &&
      head.at !== undefined;
  }

  /** Whether enough was seen to find others that share its history. */
  many(): boolean {
    const { uuids, responses } = this.head;
    return uuids.length >= SOME_UUIDS && responses.length > 0;
  }

  finish(whole: boolean): Head {
    const { head } = this;
    if (this.#capture && head.session === undefined) {
      head.problem = "STREAM_CAPTURE";
    } else if (this.#conversation === 0 && (whole || this.#parsed === 0)) {
      // Beyond the head there may be a session, unless it is no text at all.
      if (this.#parsed === 0 && this.#nuls) head.problem = "BINARY";
      else if (whole) head.problem = "NO_SESSION";
    }
    return head;
  }
}

function lineRecords(line: Uint8Array): JsonObject[] {
  let start = 0;
  let end = line.length;
  if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3;
  while (start < end && (line[start] ?? 0) <= 32) start++;
  while (end > start && (line[end - 1] ?? 0) <= 32) end--;
  return start === end ? [] : parseRecords(line.subarray(start, end)) ?? [];
}

// Without the quote in front: what begins with a rare character is found sooner.
const UUID = Buffer.from('uuid":"');
const RESPONSE = Buffer.from('id":"msg_');
const BOUNDARY = Buffer.from('compact_boundary"');
const SHOWN = ['sessionId":', 'cwd":', 'timestamp":']
  .map((key) => Buffer.from(key));
const TALK = ['type":"user"', 'type":"assistant"']
  .map((key) => Buffer.from(key));
/** Ids looked at: not every record that has one is talk. */
const LOOKED_AT = UUIDS + 2;

let firstBytes = Buffer.alloc(0);

/**
 * Whether a file may share history with one whose head has these ids, by a
 * look at its first bytes, which is many times quicker than reading its head:
 * it begins with one of them, or goes on from a compaction. True as well where
 * its head would not end within those bytes. Without ids of responses among
 * them (`responses`) it does not matter that none is seen.
 */
export function mayShare(
  { path, size }: SourceFile,
  ids: ReadonlySet<number>,
  responses: boolean,
): boolean {
  if (firstBytes.length === 0) firstBytes = Buffer.alloc(STEPS[0] ?? 0);
  let bytes: Buffer;
  try {
    const fd = openSource(path);
    try {
      bytes = firstBytes.subarray(0, fill(fd, firstBytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return true;
  }
  let found = 0, end = bytes.length;
  for (let at = bytes.indexOf(UUID); at >= 0; at = bytes.indexOf(UUID, at)) {
    at += UUID.length;
    const id = bytes.toString("latin1", at, bytes.indexOf(34, at));
    if (ids.has(hashId(id))) return true;
    if (++found < LOOKED_AT) continue;
    end = at;
    break;
  }
  const seen = bytes.subarray(0, end);
  if (seen.includes(BOUNDARY)) return true;
  const response = bytes.indexOf(RESPONSE);
  if (response >= 0) {
    const id = bytes.toString(
      "latin1",
      response + 5,
      bytes.indexOf(34, response + 5),
    );
    if (ids.has(hashId(id))) return true;
  }
  if (bytes.length >= size && found > 0) return false;
  // Before the last record that is seen the others are whole.
  return (responses && response < 0) ||
    SHOWN.some((key) => !seen.includes(key)) ||
    TALK.reduce((n, key) => n + countOf(seen, key, SOME_UUIDS + 1), 0) <=
      SOME_UUIDS;
}

/** How often something stands in bytes, counted up to `most`. */
function countOf(bytes: Buffer, what: Buffer, most: number): number {
  let n = 0;
  for (let at = bytes.indexOf(what); at >= 0 && n < most; n++) {
    at = bytes.indexOf(what, at + what.length);
  }
  return n;
}

/** The session that a top-level file holds. */
export function sessionIdOf(stem: string, head: Head): string {
  return isUuid(stem) || head.named || !head.session ? stem : head.session;
}
