/**
 * The index that listing reads: one line an item, with its metadata and tags.
 * It is derived: missing, torn or out of date, it is made again from the
 * `metadata.yaml` files.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Tags } from "../../schema/mod.ts";
import { openFile, putInPlace, tempName } from "./files.ts";
import type { StoredItem } from "./port.ts";

const FORMAT = 1;
const CHUNK = 1024 * 1024;
const LF = 10;
/** Longest front of a row, and longest header, in bytes. */
const MAX_HEAD = 512;

/**
 * A row, as the bytes of its line: tens of thousands are held while an import
 * plans, and only few are ever parsed.
 */
export type Row = Uint8Array;

/** First line of the index: what it was made from. */
export interface IndexHeader {
  /** The model's id. */
  model: string;
  /** Modification time of the model's folder, whole milliseconds. */
  folder: number;
  /** Names in that folder. */
  names: number;
  /** The same of swamp's catalog; 0 where there is none. */
  catalog: number;
}

/** The front of a row, read without parsing the rest. */
export interface RowHead {
  /** The item's name. */
  name: string;
  /** Modification time of the item's folder, whole milliseconds. */
  folder: number;
  /** Its version. */
  version: number;
  /** Its tag `schema`. */
  schema: string;
  /** Its tag `day`. */
  day: string;
  /** Its tag `fingerprint`. */
  fingerprint: string;
}

/** The row of an item: a JSON array whose front is read without parsing it. */
export function rowOf(item: StoredItem, folder: number): Row {
  return Buffer.from(JSON.stringify([
    item.name,
    folder,
    item.version,
    item.tags.schema ?? "",
    item.tags.day ?? "",
    item.tags.fingerprint ?? "",
    item.id,
    item.createdAt,
    item.lifetime,
    item.size,
    item.checksum,
    item.ownerDefinition.ownerRef,
    item.tags,
  ]));
}

/** Some of a row's bytes; the front of a row is ASCII. */
const front = (row: Row) =>
  Buffer.from(row.buffer, row.byteOffset, Math.min(row.length, MAX_HEAD))
    .toString("latin1");

/** Whether a row has a text in it, as it stands in JSON. */
export function rowHas(row: Row, text: string): boolean {
  return Buffer.from(row.buffer, row.byteOffset, row.length).includes(text);
}

const HEAD =
  /^\["([\w.-]{1,255})",(\d{1,15}),(\d{1,9}),"([^"\\]{0,20})","([^"\\]{0,20})","([^"\\]{0,100})",/;

/** The front of a row; undefined where it is none. */
export function rowHead(row: Row): RowHead | undefined {
  const m = HEAD.exec(front(row));
  return m
    ? {
      name: m[1]!,
      folder: Number(m[2]),
      version: Number(m[3]),
      schema: m[4]!,
      day: m[5]!,
      fingerprint: m[6]!,
    }
    : undefined;
}

/** The item of a row; undefined where it cannot be read. */
export function rowItem(row: Row): StoredItem | undefined {
  const head = rowHead(row);
  if (!head) return undefined;
  try {
    const rest = (JSON.parse(new TextDecoder().decode(row)) as unknown[]).slice(
      6,
    ) as [
      string,
      string,
      string,
      number,
      string,
      string,
      Tags,
    ];
    return {
      id: rest[0],
      name: head.name,
      version: head.version,
      contentType: "application/json",
      lifetime: rest[2],
      garbageCollection: 1,
      streaming: false,
      tags: rest[6],
      ownerDefinition: { ownerType: "model-method", ownerRef: rest[5] },
      createdAt: rest[1],
      size: rest[3],
      checksum: rest[4],
    };
  } catch {
    return undefined;
  }
}

/** The header; undefined where there is no index or none that is understood. */
export function readHeader(path: string): IndexHeader | undefined {
  try {
    const fd = openFile(path, true);
    try {
      const bytes = Buffer.alloc(MAX_HEAD);
      const read = bytes.subarray(0, readSync(fd, bytes, 0, MAX_HEAD, 0));
      return parseHeader(read.toString("utf8", 0, read.indexOf(LF)));
    } finally {
      closeSync(fd);
    }
  } catch {
    // No index, or no JSON: it will be made again.
    return undefined;
  }
}

function parseHeader(line: string): IndexHeader | undefined {
  const { format, model, folder, names, catalog } = JSON.parse(line) as Record<
    string,
    unknown
  >;
  return format === FORMAT && typeof model === "string" &&
      typeof folder === "number" && typeof names === "number" &&
      typeof catalog === "number"
    ? { model, folder, names, catalog }
    : undefined;
}

function wholeFile(path: string): Buffer {
  const fd = openFile(path, true);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Every row with its name. Throws where the index is torn. */
export function* readRows(path: string): Generator<[string, Row]> {
  const bytes = wholeFile(path);
  let rows = 0;
  for (let from = bytes.indexOf(LF) + 1; from > 0 && from < bytes.length;) {
    const to = bytes.indexOf(LF, from);
    if (to < 0) break;
    const row = bytes.subarray(from, to);
    const end = row.indexOf('"', 2);
    if (row.toString("latin1", 0, 2) === '["' && end > 0) {
      rows++;
      yield [row.toString("latin1", 2, end), row];
    } else if (row.toString() === trailer(rows)) return;
    else break;
    from = to + 1;
  }
  throw new Error("the index is torn");
}

/** The last line tells how many rows there are, so that a torn index shows. */
const trailer = (rows: number) => JSON.stringify({ rows });

/** Replaces the index by these rows. */
export function writeIndex(
  path: string,
  header: IndexHeader,
  rows: Iterable<Row>,
): void {
  const temp = join(dirname(path), tempName());
  const fd = openSync(temp, "wx", 0o600);
  try {
    const chunk = Buffer.alloc(CHUNK);
    let used = 0, count = 0;
    const flush = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length;) {
        at += writeSync(fd, bytes, at, bytes.length - at);
      }
    };
    const add = (line: Uint8Array) => {
      if (used + line.length + 1 > CHUNK) {
        flush(chunk.subarray(0, used));
        used = 0;
      }
      // Tags are bounded, so a line is; one that is longer goes on its own.
      if (line.length + 1 > CHUNK) return flush(Buffer.concat([line, END]));
      chunk.set(line, used);
      chunk[used + line.length] = LF;
      used += line.length + 1;
    };
    add(Buffer.from(JSON.stringify({ format: FORMAT, ...header })));
    for (const row of rows) {
      count++;
      add(row);
    }
    add(Buffer.from(trailer(count)));
    flush(chunk.subarray(0, used));
  } catch (error) {
    closeSync(fd);
    rmSync(temp, { force: true });
    throw error;
  }
  closeSync(fd);
  putInPlace(temp, path);
}

const END = Buffer.from([LF]);
