/**
 * Sessions that begin with another's history: the same records under the same
 * uuids, or under new ones that say which they are copies of, or at least the
 * same responses of the API. What is shared counts in the origin.
 *
 * @module
 */
import {
  asObject,
  asString,
  type JsonObject,
  parseRecords,
  readLines,
} from "../lines.ts";
import type { SourceFile } from "../types.ts";
import { hashId, HashSet, isGlobalId, isResponseId } from "./ids.ts";
import { recordTime } from "./text.ts";

/** What a file holds under one id. */
interface Entry {
  /** The hashes of its ids: its own, and that of the record it is a copy of. */
  ids: number[];
  line: number;
  at: number;
}

/** The ids of a file. */
interface Lineage {
  /** Its records by their ids; one that is a copy has that of its original, too. */
  records: Entry[];
  ids: HashSet;
  /** API responses by their ids. */
  responses: Entry[];
  messages: HashSet;
}

/** A session that may share history with others. */
export interface Relative {
  /** Its session id. */
  id: string;
  /** Its file. */
  file: SourceFile;
  /** The session it says it was forked from. */
  forkedFrom?: string;
}

/** The part of a file that is counted elsewhere. */
export interface Copied {
  /** The session it was copied from. */
  from: string;
  /** Whether a record was copied. */
  has(record: JsonObject, line: number, at: number): boolean;
  /** Whether an API response is counted in an origin, by its id's hash. */
  counted(message: number): boolean;
  /** The last line that was copied; records without uuid up to there were, too. */
  lastLine: number;
}

/** The record that a record says it is a copy of. */
const originalOf = (record: JsonObject): string | undefined =>
  asString(asObject(record.forkedFrom)?.messageUuid);

/**
 * Hashes of a record's ids. A record that says where it was forked from need
 * not be a copy: its type is told apart as well.
 */
function idsOf(record: JsonObject): number[] {
  const uuid = asString(record.uuid);
  if (uuid === undefined || !isGlobalId(uuid)) return [];
  const type = asString(record.type) ?? "";
  const ids = [hashId(`${type} ${uuid}`)];
  const original = originalOf(record);
  if (original !== undefined && isGlobalId(original) && original !== uuid) {
    ids.push(hashId(`${type} ${original}`));
  }
  return ids;
}

async function lineageOf(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const lineage: Lineage = {
    records: [],
    ids: new HashSet(),
    responses: [],
    messages: new HashSet(),
  };
  await readLines(file.path, (line, number) => {
    for (const record of parseRecords(line) ?? []) {
      const ids = idsOf(record), [own] = ids;
      if (own === undefined || !lineage.ids.add(own)) continue;
      for (const id of ids) lineage.ids.add(id);
      const at = recordTime(record.timestamp);
      lineage.records.push({ ids, line: number, at });
      const message = asString(asObject(record.message)?.id);
      if (message === undefined || !isGlobalId(message)) continue;
      const id = hashId(message);
      if (lineage.messages.add(id) && isResponseId(message)) {
        lineage.responses.push({ ids: [id], line: number, at });
      }
    }
  }, signal ? { signal } : {});
  return lineage;
}

/** Lineages read last, so that a group of forks reads each file once. */
const recent = new Map<string, Promise<Lineage>>();
const RECENT = 32;

function cached(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const key = `${file.size} ${file.mtimeMs} ${file.path}`;
  const known = recent.get(key);
  if (known) return known;
  const reading = lineageOf(file, signal);
  reading.catch(() => recent.delete(key));
  recent.set(key, reading);
  for (const old of recent.keys()) {
    if (recent.size <= RECENT) break;
    recent.delete(old);
  }
  return reading;
}

/** How much of one file is in another, and when its own part was begun. */
interface Overlap {
  shared: number;
  lastLine: number;
  ownSince: number;
}

function overlap(entries: readonly Entry[], other: HashSet): Overlap {
  let shared = 0, lastLine = 0, ownSince = -Infinity;
  for (const { ids, line, at } of entries) {
    if (ids.some((id) => other.has(id))) {
      shared++;
      lastLine = line;
    } else if (ownSince === -Infinity && !Number.isNaN(at)) ownSince = at;
  }
  return { shared, lastLine, ownSince };
}

/** What two files share: records, or else (under new uuids) API responses. */
function compare(
  mine: Lineage,
  other: Lineage,
): { mine: Overlap; other: Overlap; by: "records" | "responses" } {
  const a = overlap(mine.records, other.ids);
  const b = overlap(other.records, mine.ids);
  return a.shared + b.shared > 0 ? { mine: a, other: b, by: "records" } : {
    mine: overlap(mine.responses, other.messages),
    other: overlap(other.responses, mine.messages),
    by: "responses",
  };
}

/**
 * What of `self` was copied from `others`; undefined where it is nobody's
 * fork. Of two that share records, the fork is the one that says so, else the
 * one whose first own record is later; one without own records is the origin.
 * Files that cannot be read are no origins.
 */
export async function copiedFrom(
  self: Relative,
  others: readonly Relative[],
  signal?: AbortSignal,
): Promise<Copied | undefined> {
  const mine = await cached(self.file, signal);
  const origins: { id: string; lineage: Lineage; shared: number }[] = [];
  let lastLine = 0, allUpTo = 0;
  for (const other of others) {
    let lineage: Lineage;
    try {
      lineage = await cached(other.file, signal);
    } catch {
      signal?.throwIfAborted();
      continue;
    }
    const { mine: a, other: b, by } = compare(mine, lineage);
    const says = self.forkedFrom === other.id;
    if (a.shared === 0 && !says) continue;
    const fork = says ||
      (other.forkedFrom !== self.id &&
        (a.ownSince === b.ownSince
          ? self.id > other.id
          : a.ownSince > b.ownSince));
    if (!fork) continue;
    origins.push({ id: other.id, lineage, shared: a.shared });
    lastLine = Math.max(lastLine, a.lastLine);
    if (by === "responses") allUpTo = Math.max(allUpTo, a.lastLine);
  }
  // Forks of forks: the nearest is the one that shares most.
  origins.sort((a, b) =>
    Number(b.id === self.forkedFrom) - Number(a.id === self.forkedFrom) ||
    b.shared - a.shared || (a.id < b.id ? -1 : 1)
  );
  const nearest = origins[0];
  if (!nearest) return undefined;
  return {
    from: nearest.id,
    has: (record, line) => {
      if (line <= allUpTo) return true;
      const ids = idsOf(record);
      return origins.some(({ lineage }) =>
        ids.some((id) => lineage.ids.has(id))
      );
    },
    counted: (id) => origins.some(({ lineage }) => lineage.messages.has(id)),
    lastLine,
  };
}

/**
 * What was copied from a session whose file is gone: of one that is stored, the
 * records that say so; of a fork that is stored, all before its own part.
 */
export function copiedFromGone(
  forkedFrom: string | undefined,
  fork: { of: string; since: number } | undefined,
): Copied | undefined {
  const from = forkedFrom ?? fork?.of;
  if (from === undefined) return undefined;
  const messages = new HashSet();
  const copied: Copied = {
    from,
    has: (record, line, at) => {
      const says = forkedFrom !== undefined &&
        originalOf(record) !== undefined;
      if (!says && !(fork && at < fork.since)) return false;
      copied.lastLine = line;
      const message = asString(asObject(record.message)?.id);
      if (message !== undefined && isGlobalId(message)) {
        messages.add(hashId(message));
      }
      return true;
    },
    counted: (id) => messages.has(id),
    lastLine: 0,
  };
  return copied;
}
