/**
 * Sessions that begin with another's history: the same records under the same
 * uuids, or under new ones that say which they are copies of, or at least the
 * same responses of the API. What is shared counts in the origin.
 *
 * @module
 */
import type { TokenCounts } from "../../session/builder.ts";
import { asObject, asString, type JsonObject, readLines } from "../lines.ts";
import type { SourceFile } from "../types.ts";
import { hashId, HashIndex, HashSet, isGlobalId, isResponseId } from "./ids.ts";
import { skimmer, tokensOf } from "./records.ts";
import { recordTime } from "./text.ts";

/**
 * What a file holds under ids, in its order. Of a family of forks dozens are
 * kept at once: lists of numbers take a tenth of the room of objects.
 */
class Entries {
  readonly #ids: number[] = [];
  readonly #originals: number[] = [];
  readonly #lines: number[] = [];
  readonly #times: number[] = [];

  get length(): number {
    return this.#ids.length;
  }

  /** `original` is the id of the record it is a copy of, else its own. */
  add(id: number, original: number, line: number, at: number): void {
    this.#ids.push(id);
    this.#originals.push(original);
    this.#lines.push(line);
    this.#times.push(at);
  }

  /** How much of it is in another file, and when its own part was begun. */
  overlap(other: { has(id: number): boolean }): Overlap {
    let shared = 0, lastLine = 0, ownSince = -Infinity;
    for (let i = 0; i < this.#ids.length; i++) {
      const id = this.#ids[i]!, original = this.#originals[i]!;
      if (other.has(id) || (original !== id && other.has(original))) {
        shared++;
        lastLine = this.#lines[i]!;
      } else if (ownSince === -Infinity && !Number.isNaN(this.#times[i]!)) {
        ownSince = this.#times[i]!;
      }
    }
    return { shared, lastLine, ownSince };
  }
}

/** How much of one file is in another, and when its own part was begun. */
interface Overlap {
  shared: number;
  lastLine: number;
  ownSince: number;
}

/** The ids of a file. */
interface Lineage {
  /** Its records by their ids; one that is a copy has that of its original, too. */
  records: Entries;
  ids: HashSet;
  /** API responses by their ids. */
  responses: Entries;
  messages: Messages;
}

/** Messages by the hashes of their ids, and what they used. */
class Messages {
  #places = new HashIndex();
  /** Four counts each. */
  #used: number[] = [];

  /** Whether it is there. */
  has(id: number): boolean {
    return this.#places.get(id) !== undefined;
  }

  /** What it used, by the record with the greatest output. */
  used(id: number): TokenCounts | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = this.#used
      .slice(place * 4, place * 4 + 4);
    return { input, output, cacheRead, cacheWrite };
  }

  /** Takes a record's message; the hash of its id where it is seen first. */
  take(record: JsonObject): number | undefined {
    const message = asObject(record.message);
    const name = asString(message?.id);
    if (name === undefined || !isGlobalId(name)) return undefined;
    const id = hashId(name);
    const used = tokensOf(asObject(message?.usage) ?? {});
    const at = this.#places.add(id) * 4;
    const first = at === this.#used.length;
    if (first || used.output >= this.#used[at + 1]!) {
      this.#used[at] = used.input;
      this.#used[at + 1] = used.output;
      this.#used[at + 2] = used.cacheRead;
      this.#used[at + 3] = used.cacheWrite;
    }
    return first && isResponseId(name) ? id : undefined;
  }
}

/** A session that may share history with others. */
export interface Relative {
  /** Its session id. */
  id: string;
  /** Its file. */
  file: SourceFile;
  /** The session it says it was forked from. */
  forkedFrom?: string;
  /** Files of its subagents that may be the originals of copies, by agent. */
  agents?: ReadonlyMap<string, SourceFile>;
}

/** The part of a file that is counted elsewhere. */
export interface Copied {
  /** The session it was copied from. */
  from: string;
  /** Whether a record was copied. To be asked in the order of lines. */
  has(record: JsonObject, line: number, at: number): boolean;
  /** What of an API response counts in an origin, by its id's hash. */
  counted(message: number): TokenCounts | undefined;
  /** The last line that was copied; records without uuid up to there were, too. */
  lastLine: number;
  /**
   * The same for the file of a subagent: copying a session may take its
   * subagents along, and one may begin with its session's history.
   */
  agent(agent: string, signal?: AbortSignal): Promise<Copied>;
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

const SKIMMER = skimmer();

async function lineageOf(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const lineage: Lineage = {
    records: new Entries(),
    ids: new HashSet(),
    responses: new Entries(),
    messages: new Messages(),
  };
  await readLines(file.path, (line, number) => {
    for (const record of SKIMMER.parse(line) ?? []) {
      const ids = idsOf(record), [own] = ids;
      if (own === undefined || !lineage.ids.add(own)) continue;
      for (const id of ids) lineage.ids.add(id);
      const at = recordTime(record.timestamp);
      lineage.records.add(own, ids[1] ?? own, number, at);
      const id = lineage.messages.take(record);
      if (id !== undefined) lineage.responses.add(id, id, number, at);
    }
  }, signal ? { signal } : {});
  return lineage;
}

/** Lineages used last, so that a family of forks reads each file once. */
const recent = new Map<
  string,
  { lineage: Promise<Lineage>; records: number }
>();
/** So many, and of so many records, are kept: the oldest of a family. */
const RECENT = 48, RECENT_RECORDS = 300_000;
let records = 0;

function forget(key: string): void {
  records -= recent.get(key)?.records ?? 0;
  recent.delete(key);
}

async function cached(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage> {
  const key = `${file.size} ${file.mtimeMs} ${file.path}`;
  const known = recent.get(key);
  if (known) {
    recent.delete(key);
    recent.set(key, known);
    return await known.lineage;
  }
  const reading = { lineage: lineageOf(file, signal), records: 0 };
  recent.set(key, reading);
  try {
    const lineage = await reading.lineage;
    if (recent.get(key) === reading) {
      records += reading.records = lineage.records.length;
    }
    return lineage;
  } catch (error) {
    forget(key);
    throw error;
  } finally {
    for (const old of recent.keys()) {
      if (recent.size <= RECENT && records <= RECENT_RECORDS) break;
      if (old !== key) forget(old);
    }
  }
}

/** What two files share: records, or else (under new uuids) API responses. */
function compare(
  mine: Lineage,
  other: Lineage,
): { mine: Overlap; other: Overlap; by: "records" | "responses" } {
  const a = mine.records.overlap(other.ids);
  const b = other.records.overlap(mine.ids);
  return a.shared + b.shared > 0 ? { mine: a, other: b, by: "records" } : {
    mine: mine.responses.overlap(other.messages),
    other: other.responses.overlap(mine.messages),
    by: "responses",
  };
}

/** A session whose records are in another's file. */
interface Origin {
  relative: Relative;
  lineage: Lineage;
  shared: number;
}

/** The lineage of what may be an origin. A file that cannot be read is none. */
async function lineageIf(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<Lineage | undefined> {
  try {
    return await cached(file, signal);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** What is in any of some files, and all up to a line. */
function copiedIn(
  lineages: readonly Lineage[],
  from: string,
  allUpTo: number,
  agent: Copied["agent"],
): Copied {
  const copied: Copied = {
    from,
    has: (record, line) => {
      const ids = line <= allUpTo ? [] : idsOf(record);
      const has = line <= allUpTo ||
        lineages.some((one) => ids.some((id) => one.ids.has(id)));
      if (has) copied.lastLine = Math.max(copied.lastLine, line);
      return has;
    },
    counted: (id) => {
      let most: TokenCounts | undefined;
      for (const { messages } of lineages) {
        const used = messages.used(id);
        if (used && !(most && most.output >= used.output)) most = used;
      }
      return most;
    },
    lastLine: 0,
    agent,
  };
  return copied;
}

/**
 * What of `self` was copied from `others`; undefined where it is nobody's
 * fork. Of two that share records, the fork is the one that says so, else the
 * one whose first own record is later; one without own records is the origin.
 */
export async function copiedFrom(
  self: Relative,
  others: readonly Relative[],
  signal?: AbortSignal,
): Promise<Copied | undefined> {
  const mine = await cached(self.file, signal);
  const origins: Origin[] = [];
  let lastLine = 0, allUpTo = 0;
  for (const other of others) {
    const lineage = await lineageIf(other.file, signal);
    if (!lineage) continue;
    const { mine: a, other: b, by } = compare(mine, lineage);
    const says = self.forkedFrom === other.id;
    if (a.shared === 0 && !says) continue;
    const fork = says ||
      (other.forkedFrom !== self.id &&
        (a.ownSince === b.ownSince
          ? self.id > other.id
          : a.ownSince > b.ownSince));
    if (!fork) continue;
    origins.push({ relative: other, lineage, shared: a.shared });
    lastLine = Math.max(lastLine, a.lastLine);
    if (by === "responses") allUpTo = Math.max(allUpTo, a.lastLine);
  }
  // Forks of forks: the nearest is the one that shares most.
  origins.sort(({ relative: a, shared: m }, { relative: b, shared: n }) =>
    Number(b.id === self.forkedFrom) - Number(a.id === self.forkedFrom) ||
    n - m || (a.id < b.id ? -1 : 1)
  );
  const from = origins[0]?.relative.id;
  if (from === undefined) return undefined;
  const lineages = origins.map((one) => one.lineage);
  const ofAgent = async (agent: string, signal?: AbortSignal) => {
    const all = [...lineages];
    for (const { relative } of origins) {
      const file = relative.agents?.get(agent);
      const lineage = file && await lineageIf(file, signal);
      if (lineage) all.push(lineage);
    }
    return copiedIn(all, from, 0, ofAgent);
  };
  return { ...copiedIn(lineages, from, allUpTo, ofAgent), lastLine };
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
  return from === undefined ? undefined : goneWith(from, forkedFrom, fork);
}

function goneWith(
  from: string,
  forkedFrom: string | undefined,
  fork: { of: string; since: number } | undefined,
): Copied {
  const messages = new Messages();
  const copied: Copied = {
    from,
    has: (record, line, at) => {
      const says = forkedFrom !== undefined &&
        originalOf(record) !== undefined;
      if (!says && !(fork && at < fork.since)) return false;
      copied.lastLine = line;
      messages.take(record);
      return true;
    },
    counted: (id) => messages.used(id),
    lastLine: 0,
    agent: () => Promise.resolve(goneWith(from, forkedFrom, fork)),
  };
  return copied;
}
