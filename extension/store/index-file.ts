/**
 * The index that listing reads: one line an item, with its metadata and tags.
 * It is derived: missing, torn or out of date, it is made again from the
 * `metadata.yaml` files.
 *
 * @module
 */
import {
  closeSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Tags } from "../../schema/mod.ts";
import { tempName } from "./files.ts";
import type { StoredItem } from "./port.ts";

const FORMAT = 1;
const CHUNK = 1024 * 1024;

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
export function rowOf(item: StoredItem, folder: number): string {
  return JSON.stringify([
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
  ]);
}

const HEAD =
  /^\["([\w.-]{1,255})",(\d{1,15}),(\d{1,9}),"([^"\\]{0,20})","([^"\\]{0,20})","([^"\\]{0,100})",/;

/** The front of a row; undefined where it is none. */
export function rowHead(row: string): RowHead | undefined {
  const m = HEAD.exec(row);
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
export function rowItem(row: string): StoredItem | undefined {
  const head = rowHead(row);
  if (!head) return undefined;
  try {
    const rest = (JSON.parse(row) as unknown[]).slice(6) as [
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

/** Lines of a file, in chunks; nothing is held but the line at hand. */
function* linesOf(path: string): Generator<string> {
  const fd = openSync(path, "r");
  try {
    const buffer = new Uint8Array(CHUNK);
    const decoder = new TextDecoder();
    let carry = "";
    for (;;) {
      const n = readSync(fd, buffer, 0, CHUNK, null);
      if (n === 0) break;
      const lines = (carry + decoder.decode(buffer.subarray(0, n), {
        stream: true,
      })).split("\n");
      carry = lines.pop() ?? "";
      yield* lines;
    }
    if (carry !== "") yield carry;
  } finally {
    closeSync(fd);
  }
}

/** The header; undefined where there is no index or none that is understood. */
export function readHeader(path: string): IndexHeader | undefined {
  try {
    for (const line of linesOf(path)) return parseHeader(line);
  } catch {
    // No index, or no JSON: it will be made again.
  }
  return undefined;
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

/** Every row with its name. Throws where the index is torn. */
export function* readRows(path: string): Generator<[string, string]> {
  let rows = -1;
  for (const line of linesOf(path)) {
    if (rows++ < 0) continue;
    const end = line.indexOf('"', 2);
    if (line.startsWith('["') && end > 0) yield [line.slice(2, end), line];
    else if (line === trailer(rows - 1)) return;
    else break;
  }
  throw new Error("the index is torn");
}

/** The last line tells how many rows there are, so that a torn index shows. */
const trailer = (rows: number) => JSON.stringify({ rows });

/** Replaces the index by these rows. */
export function writeIndex(
  path: string,
  header: IndexHeader,
  rows: Iterable<string>,
): void {
  const temp = join(dirname(path), tempName());
  const fd = openSync(temp, "wx", 0o600);
  try {
    let pending = [JSON.stringify({ format: FORMAT, ...header })];
    let length = 0, count = 0;
    const flush = () => {
      const bytes = new TextEncoder().encode(pending.join("\n") + "\n");
      for (let at = 0; at < bytes.length;) {
        at += writeSync(fd, bytes, at, bytes.length - at);
      }
      pending = [];
      length = 0;
    };
    for (const row of rows) {
      count++;
      pending.push(row);
      length += row.length;
      if (length > CHUNK) flush();
    }
    pending.push(trailer(count));
    flush();
  } catch (error) {
    closeSync(fd);
    rmSync(temp, { force: true });
    throw error;
  }
  closeSync(fd);
  renameSync(temp, path);
}
