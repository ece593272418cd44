/**
 * The store inside swamp: a method's context. swamp's own locks, catalog, sync
 * and access apply; nothing here touches `.swamp` itself, but for a mark of a
 * run that did not end, beside our other caches.
 *
 * @module
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Detail,
  detailName,
  detailTags,
  type Rollup,
  ROLLUP_KIND,
  rollupName,
  rollupToTags,
  type Summary,
  SUMMARY_KIND,
  summaryName,
  summaryToTags,
  type Tags,
  tagsToSummary,
} from "../../schema/mod.ts";
import { StoreError } from "./files.ts";
import { expiresAt, layoutOf } from "./layout.ts";
import type { Store, StoredSession, WriteOptions } from "./port.ts";

/** What a written item is known by. */
export interface DataHandle {
  /** The item's name. */
  name: string;
  /** The version just written, from 1. */
  version: number;
  /** Bytes of content. */
  size: number;
  /** What was written; swamp keeps it in memory until the run ends. */
  attributes?: Record<string, unknown>;
}

/** The part of swamp's method context that is used here; swamp's own type cannot be imported. */
export interface HostContext {
  /** Aborted when the run is to stop. */
  signal: AbortSignal;
  /** The repository's folder. */
  repoDir: string;
  /** The model's type, handed back to `dataRepository` as it is. */
  modelType: unknown;
  /** The model's id. */
  modelId: string;
  /** The definition that runs. */
  definition: { name: string };
  /** The definition's global arguments. */
  globalArgs: Record<string, unknown>;
  /** Writes log lines that the caller sees. */
  logger: {
    info(message: string, values?: Record<string, unknown>): void;
    warn(message: string, values?: Record<string, unknown>): void;
  };
  /** Writes a resource. */
  writeResource(
    spec: string,
    name: string,
    data: Record<string, unknown>,
    overrides?: {
      lifetime?: string;
      garbageCollection?: number;
      tags?: Record<string, string>;
    },
  ): Promise<DataHandle>;
  /** Reads a resource's latest content. */
  readResource(name: string): Promise<Record<string, unknown> | null>;
  /** Queries metadata; with a selection the projected values. */
  queryData(predicate: string, select?: string): Promise<unknown[]>;
  /** Versions of an item, and removal of one. */
  dataRepository: {
    listVersions(
      type: unknown,
      modelId: string,
      name: string,
    ): Promise<number[]>;
    delete(
      type: unknown,
      modelId: string,
      name: string,
      version?: number,
    ): Promise<void>;
  };
}

/** Quotes a text for CEL. */
const cel = (text: string): string => JSON.stringify(text);

/**
 * Sessions written at once: swamp's writes wait for the disk most of the time,
 * in which the next session can be read.
 */
const AT_ONCE = 16;

/** What tidying up removed. */
export interface Pruned {
  /** Superseded versions. */
  versions: number;
  /** Sessions past their lifetime. */
  sessions: number;
  /** Other items past their lifetime: rollups, details without a summary. */
  items: number;
}

interface ItemRow {
  name: string;
  version: number;
  latest: boolean;
  createdAt: string;
  lifetime: string;
}

/** See the module. */
export class SwampStore implements Store {
  /** For people and for the result. */
  readonly kind = "swamp";
  #context: HostContext;
  #rollups: DataHandle[] = [];
  #writing = new Set<Promise<void>>();
  #late = 0;
  #failure: { error: unknown } | undefined;
  #summaries: DataHandle[] = [];
  #storedRollups: Set<string> | undefined;
  #newer = new Set<string>();
  #sessions: Map<string, StoredSession> | undefined;
  /** Is there while a run writes; left behind by one that did not end well. */
  #mark: string;
  #marked = false;

  /** A store over a running method. */
  constructor(context: HostContext) {
    this.#context = context;
    this.#mark = join(layoutOf(context.repoDir).own, "unfinished");
  }

  /**
   * What the run gives back to swamp: the days' rollups, else the summaries.
   * swamp reads and lists each item given back, and every session is found by
   * its tags anyway, so thousands of details would only cost time and memory.
   */
  get handles(): DataHandle[] {
    return this.#rollups.length ? this.#rollups : this.#summaries;
  }

  /** Every stored session, by one projected query; asked for once. */
  async sessions(): Promise<Map<string, StoredSession>> {
    await this.#settle();
    if (this.#sessions) return this.#sessions;
    const rows = await this.#context.queryData(
      `${this.#own} && has(tags.kind) && tags.kind == ${cel(SUMMARY_KIND)}`,
      "[version, tags]",
    );
    const found = new Map<string, StoredSession>();
    for (const row of rows) {
      const [version, tags] = Array.isArray(row) ? row : [];
      const known = asTags(tags);
      if (!known?.sid) continue;
      const stored = new FromTags(known.sid, Number(version), known);
      if (stored.newer) this.#newer.add(known.sid);
      else found.set(known.sid, stored);
    }
    return this.#sessions = found;
  }

  get #own(): string {
    return `modelName == ${cel(this.#context.definition.name)}`;
  }

  /** Ids of sessions that a newer importer wrote. */
  async newer(): Promise<ReadonlySet<string>> {
    await this.sessions();
    return this.#newer;
  }

  /** swamp holds the model's lock for the whole run. */
  begin(): Promise<boolean> {
    mkdirSync(dirname(this.#mark), { recursive: true });
    writeFileSync(this.#mark, "");
    this.#marked = true;
    return Promise.resolve(false);
  }

  /** Whether the last run did not end: the days it touched are not known. */
  needsMending(): boolean {
    return existsSync(this.#mark);
  }

  /** See {@link Store}. */
  abandon(): Promise<void> {
    this.#marked = false;
    return Promise.resolve();
  }

  /**
   * Writes a session: detail, then summary, then removes what they supersede.
   * It may still be written when this returns; `sessions` and `close` wait for
   * all of it, and throw what went wrong.
   */
  async put(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<number> {
    return await this.#later(() => this.#putNow(summary, detail, options));
  }

  /** Begins a write when there is room for one more; 0, as nothing is written yet. */
  async #later(write: () => Promise<void>): Promise<number> {
    while (this.#writing.size >= AT_ONCE) await Promise.race(this.#writing);
    this.#check();
    const writing = write()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return 0;
  }

  /** See {@link Store}. */
  late(): number {
    return this.#late;
  }

  async #putNow(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<void> {
    const first = await this.#write(
      "detail",
      detailName(summary.id),
      detail,
      detailTags(summary.id, summary.startedAt),
      options,
    );
    const size = await this.putSummary({
      ...summary,
      detail: { ...summary.detail, bytes: first.size },
    }, options);
    this.#late += first.size + size;
    await this.#supersede(first);
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#writing);
    this.#check();
  }

  /** Writes a summary alone. */
  async putSummary(summary: Summary, options: WriteOptions): Promise<number> {
    const tags = summaryToTags(summary);
    const handle = await this.#write(
      "summary",
      summaryName(summary.id),
      summary,
      tags,
      options,
    );
    this.#sessions?.set(
      summary.id,
      new FromTags(summary.id, handle.version, tags),
    );
    this.#summaries.push(handle);
    await this.#supersede(handle);
    return handle.size;
  }

  /**
   * Writes a day's rollup; an equal one is left alone. It may still be written
   * when this returns, as in `put`.
   */
  async putRollup(rollup: Rollup, options: WriteOptions): Promise<number> {
    const stored = this.#storedRollups ??= await this.#rollupNames();
    return await this.#later(() =>
      this.#putRollupNow(rollup, options, stored.has(rollupName(rollup.day)))
    );
  }

  async #rollupNames(): Promise<Set<string>> {
    const names = await this.#context.queryData(
      `${this.#own} && has(tags.kind) && tags.kind == ${cel(ROLLUP_KIND)}`,
      "name",
    );
    return new Set(names.map(String));
  }

  async #putRollupNow(
    rollup: Rollup,
    options: WriteOptions,
    stored: boolean,
  ): Promise<void> {
    const name = rollupName(rollup.day);
    if (stored) {
      const before = await this.#context.readResource(name).catch(() => null);
      if (JSON.stringify(before) === JSON.stringify(rollup)) return;
    }
    const handle = await this.#write(
      "rollup",
      name,
      rollup,
      rollupToTags(rollup),
      options,
    );
    this.#rollups.push(handle);
    await this.#supersede(handle);
  }

  /** A session's detail; undefined where there is none. */
  async detail(id: string): Promise<unknown> {
    return await this.#context.readResource(detailName(id)) ?? undefined;
  }

  /** Waits for what is being written; only then has the run ended well. */
  async close(): Promise<void> {
    await this.#settle();
    if (this.#marked) rmSync(this.#mark, { force: true });
    this.#marked = false;
  }

  /**
   * Removes superseded versions, and what is past its lifetime at `now`, epoch
   * milliseconds. A session goes with its summary, and before its detail does.
   */
  async prune(now: number): Promise<Pruned> {
    const rows = await this.#items();
    const latest = new Map<string, ItemRow>();
    const old = new Map<string, number[]>();
    for (const row of rows) {
      if (row.latest) latest.set(row.name, row);
      else old.set(row.name, [...old.get(row.name) ?? [], row.version]);
    }
    const pruned: Pruned = { versions: 0, sessions: 0, items: 0 };
    const over = ({ createdAt, lifetime }: ItemRow) =>
      (expiresAt({ createdAt, lifetime }) ?? Infinity) <= now;
    const remove = async (name: string) => {
      this.#context.signal.throwIfAborted();
      await this.#delete(name);
      latest.delete(name);
      old.delete(name);
    };
    for (const row of [...latest.values()]) {
      if (!row.name.startsWith("summary-") || !over(row)) continue;
      await remove(row.name);
      const detail = detailName(row.name.slice("summary-".length));
      if (latest.has(detail)) await remove(detail);
      pruned.sessions++;
    }
    for (const row of [...latest.values()]) {
      const kept = row.name.startsWith("detail-") &&
        latest.has(summaryName(row.name.slice("detail-".length)));
      if (kept || !over(row)) continue;
      await remove(row.name);
      pruned.items++;
    }
    for (const [name, versions] of old) {
      const keep = latest.get(name)?.version;
      if (keep === undefined) continue;
      this.#context.signal.throwIfAborted();
      pruned.versions += await this.#deleteVersions(name, versions, keep);
    }
    return pruned;
  }

  async #items(): Promise<ItemRow[]> {
    // Naming `version` asks for every version, not only the latest.
    const rows = await this.#context.queryData(
      `${this.#own} && version >= 1`,
      "[name, version, isLatest, createdAt, lifetime]",
    );
    const found: ItemRow[] = [];
    for (const row of rows) {
      if (!Array.isArray(row)) continue;
      const [name, version, latest, createdAt, lifetime] = row;
      if (!/^(?:summary|detail|rollup)-/.test(String(name))) continue;
      found.push({
        name: String(name),
        version: Number(version),
        latest: latest === true,
        createdAt: String(createdAt),
        lifetime: String(lifetime),
      });
    }
    return found;
  }

  async #delete(name: string, version?: number): Promise<void> {
    const { dataRepository, modelType, modelId } = this.#context;
    await dataRepository.delete(modelType, modelId, name, version);
  }

  // A first version supersedes none, so it costs no listing.
  async #supersede({ name, version }: DataHandle): Promise<void> {
    if (version <= 1) return;
    const { dataRepository, modelType, modelId } = this.#context;
    await this.#deleteVersions(
      name,
      await dataRepository.listVersions(modelType, modelId, name),
      version,
    );
  }

  // swamp takes the highest version that is left for the latest, so what a
  // killed run left above the one to keep goes first.
  async #deleteVersions(
    name: string,
    versions: readonly number[],
    keep: number,
  ): Promise<number> {
    const gone = versions.filter((v) => v !== keep).sort((a, b) => b - a);
    for (const version of gone) await this.#delete(name, version);
    return gone.length;
  }

  async #write(
    spec: string,
    name: string,
    record: object,
    tags: Tags,
    options: WriteOptions,
  ): Promise<DataHandle> {
    // Never stopped in here: what was begun of a session is written whole.
    const handle = await this.#context.writeResource(
      spec,
      name,
      record as Record<string, unknown>,
      { lifetime: options.lifetime, garbageCollection: 1, tags },
    );
    if (handle.name !== name) {
      throw new StoreError(
        "BAD_NAME",
        `swamp stored ${name} as ${handle.name}`,
      );
    }
    // Not needed again; with thousands of sessions it would be a lot.
    delete handle.attributes;
    return handle;
  }
}

class FromTags implements StoredSession {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly day: string;
  #tags: Tags;

  constructor(id: string, version: number, tags: Tags) {
    this.id = id;
    this.version = version;
    this.fingerprint = tags.fingerprint ?? "";
    this.day = tags.day ?? "";
    this.#tags = tags;
  }

  get newer(): boolean {
    const read = tagsToSummary(this.#tags);
    return read === undefined || "newer" in read;
  }

  get summary(): Summary {
    const read = tagsToSummary(this.#tags);
    if (!read || "newer" in read) {
      throw new StoreError("BAD_NAME", `${this.id} is of a newer schema`);
    }
    return read;
  }
}

function asTags(value: unknown): Tags | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // CEL maps arrive as plain objects or as Map.
  const entries = value instanceof Map
    ? [...value.entries()]
    : Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, v]) => typeof v === "string"),
  );
}
