/**
 * Sessions that begin with another's history: the same records under the same
 * uuids, only the session's id rewritten. What is shared counts in the origin.
 *
 * @module
 */
import { asObject, asString, parseRecords, readLines } from "../lines.ts";
import type { SourceFile } from "../types.ts";
import { hashId, HashSet, isGlobalId } from "./ids.ts";
import { recordTime } from "./text.ts";

/** The ids of a file, in order. */
interface Lineage {
  set: HashSet;
  messages: HashSet;
  hashes: number[];
  lines: number[];
  times: number[];
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
  /** Whether a record was copied, by its uuid's hash. */
  has(uuid: number): boolean;
  /** Whether an API response is counted in an origin, by its id's hash. */
  counted(message: number): boolean;
  /** The last line that was copied; records without uuid up to there were, too. */
  lastLine: number;
}

async function lineageOf(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const lineage: Lineage = {
    set: new HashSet(),
    messages: new HashSet(),
    hashes: [],
    lines: [],
    times: [],
  };
  await readLines(file.path, (line, number) => {
    for (const record of parseRecords(line) ?? []) {
      const uuid = asString(record.uuid);
      if (uuid === undefined || !isGlobalId(uuid)) continue;
      const hash = hashId(uuid);
      if (!lineage.set.add(hash)) continue;
      lineage.hashes.push(hash);
      lineage.lines.push(number);
      lineage.times.push(recordTime(record.timestamp));
      const message = asString(asObject(record.message)?.id);
      if (message !== undefined && isGlobalId(message)) {
        lineage.messages.add(hashId(message));
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

/** How much of `a` is in `b`, and when its first own record was written. */
function overlap(
  a: Lineage,
  b: Lineage,
): { shared: number; lastLine: number; ownSince: number } {
  let shared = 0, lastLine = 0, ownSince = -Infinity;
  a.hashes.forEach((hash, i) => {
    if (b.set.has(hash)) {
      shared++;
      lastLine = a.lines[i] ?? 0;
    } else if (ownSince === -Infinity && !Number.isNaN(a.times[i])) {
      ownSince = a.times[i] ?? -Infinity;
    }
  });
  return { shared, lastLine, ownSince };
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
  let lastLine = 0;
  for (const other of others) {
    let lineage: Lineage;
    try {
      lineage = await cached(other.file, signal);
    } catch {
      signal?.throwIfAborted();
      continue;
    }
    const a = overlap(mine, lineage);
    if (a.shared === 0) continue;
    const b = overlap(lineage, mine);
    const fork = self.forkedFrom === other.id ||
      (other.forkedFrom !== self.id &&
        (a.ownSince === b.ownSince
          ? self.id > other.id
          : a.ownSince > b.ownSince));
    if (!fork) continue;
    origins.push({ id: other.id, lineage, shared: a.shared });
    lastLine = Math.max(lastLine, a.lastLine);
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
    has: (uuid) => origins.some(({ lineage }) => lineage.set.has(uuid)),
    counted: (id) => origins.some(({ lineage }) => lineage.messages.has(id)),
    lastLine,
  };
}
