/**
 * The store inside swamp: a method's context. swamp's own locks, catalog, sync
 * and access apply; nothing here touches `.swamp` itself.
 *
 * @module
 */
import {
  type Detail,
  detailName,
  detailTags,
  type Rollup,
  rollupName,
  rollupToTags,
  type Summary,
  SUMMARY_KIND,
  summaryName,
  summaryToTags,
  type Tags,
  tagsToSummary,
} from "../../schema/mod.ts";
import { StoreError } from "./errors.ts";
import type { Store, StoredSession, WriteOptions } from "./port.ts";

/** What a written item is known by. */
export interface DataHandle {
  /** The item's name. */
  name: string;
  /** The version just written, from 1. */
  version: number;
  /** Bytes of content. */
  size: number;
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

/** See the module. */
export class SwampStore implements Store {
  /** For people and for the result. */
  readonly kind = "swamp";
  /** Everything written, for the method's result. */
  readonly handles: DataHandle[] = [];
  #context: HostContext;
  #newer = new Set<string>();
  #sessions: Map<string, StoredSession> | undefined;

  /** A store over a running method. */
  constructor(context: HostContext) {
    this.#context = context;
  }

  /** Every stored session, by one projected query; asked for once. */
  async sessions(): Promise<Map<string, StoredSession>> {
    if (this.#sessions) return this.#sessions;
    const rows = await this.#context.queryData(
      `modelName == ${
        cel(this.#context.definition.name)
      } && has(tags.kind) && tags.kind == ${cel(SUMMARY_KIND)}`,
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

  /** Ids of sessions that a newer importer wrote. */
  async newer(): Promise<ReadonlySet<string>> {
    await this.sessions();
    return this.#newer;
  }

  /** swamp holds the model's lock for the whole run. */
  begin(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Writes a session: detail, then summary, then removes what they supersede. */
  async put(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<number> {
    const first = await this.#write(
      "detail",
      detailName(summary.id),
      detail,
      detailTags(summary.id, summary.startedAt),
      options,
    );
    const bytes = await this.putSummary({
      ...summary,
      detail: { ...summary.detail, bytes: first.size },
    }, options);
    await this.#prune(first);
    return first.size + bytes;
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
    await this.#prune(handle);
    return handle.size;
  }

  /** Writes a day's rollup; an equal one is left alone. */
  async putRollup(rollup: Rollup, options: WriteOptions): Promise<number> {
    const name = rollupName(rollup.day);
    const before = await this.#context.readResource(name).catch(() => null);
    if (JSON.stringify(before) === JSON.stringify(rollup)) return 0;
    const handle = await this.#write(
      "rollup",
      name,
      rollup,
      rollupToTags(rollup),
      options,
    );
    await this.#prune(handle);
    return handle.size;
  }

  /** A session's detail; undefined where there is none. */
  async detail(id: string): Promise<unknown> {
    return await this.#context.readResource(detailName(id)) ?? undefined;
  }

  /** Nothing is held open: swamp ends the run. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Removes every version of an item but the latest. Returns how many. */
  async prune(name: string): Promise<number> {
    const { dataRepository, modelType, modelId } = this.#context;
    const versions = await dataRepository.listVersions(
      modelType,
      modelId,
      name,
    );
    const latest = Math.max(...versions);
    let removed = 0;
    for (const version of versions) {
      if (version === latest) continue;
      await dataRepository.delete(modelType, modelId, name, version);
      removed++;
    }
    return removed;
  }

  // A first version supersedes none, so it costs no listing.
  async #prune(handle: DataHandle): Promise<void> {
    if (handle.version > 1) await this.prune(handle.name);
  }

  async #write(
    spec: string,
    name: string,
    record: object,
    tags: Tags,
    options: WriteOptions,
  ): Promise<DataHandle> {
    this.#context.signal.throwIfAborted();
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
    this.handles.push(handle);
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
