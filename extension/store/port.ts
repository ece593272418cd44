/**
 * What the importer writes through, and what the local server reads. Two
 * hosts: the embedded store, and swamp's own method context.
 *
 * @module
 */
import type { Detail, Rollup, Summary, Tags } from "../../schema/mod.ts";

/** What is known of a stored session without reading its content. */
export interface StoredSession {
  /** The session's id. */
  id: string;
  /** The summary itself, from its tags; made when asked for. */
  readonly summary: Summary;
  /** Version of the summary item. */
  version: number;
  /** The summary's `source.fingerprint`. */
  fingerprint: string;
  /** The day it began on, yyyy-mm-dd, UTC. */
  day: string;
}

/** How long an item is kept. */
export interface WriteOptions {
  /** swamp's lifetime notation: `90d`, `2y`, `infinite`. */
  lifetime: string;
}

/** A store of sessions. Every write is whole or absent. */
export interface Store {
  /** For people and for `import --json`. */
  readonly kind: "embedded" | "swamp";
  /**
   * Every stored session, by id, from metadata only. Sessions of a newer
   * schema are not in it; see `newer`.
   */
  sessions(): Promise<Map<string, StoredSession>>;
  /** Ids of sessions that a newer importer wrote: left alone. */
  newer?(): Promise<ReadonlySet<string>>;
  /**
   * Takes the lock before a run's first write. Throws `StoreError` LOCKED
   * where another run holds it. True where what `sessions` said may have
   * changed meanwhile, so that a plan made from it must be made again.
   */
  begin?(): Promise<boolean>;
  /** Whether an earlier run was killed or failed, so that this one mends it. */
  needsMending?(): boolean;
  /**
   * Writes a session: detail first, then summary, then removes superseded
   * versions, so that an interruption never leaves a summary without its
   * detail. Returns the bytes written; 0 where they are not known yet.
   */
  put(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<number>;
  /** Bytes that `put`s wrote after they returned; all of them once closed. */
  late?(): number;
  /** Writes a summary alone: a flag changed, the detail did not. */
  putSummary(summary: Summary, options: WriteOptions): Promise<number>;
  /** Writes the rollup of a day; an equal one is left alone. */
  putRollup(rollup: Rollup, options: WriteOptions): Promise<number>;
  /** A session's detail, parsed; undefined where there is none. */
  detail(id: string): Promise<unknown>;
  /** Instead of `close` where a run failed: the next one `needsMending`. */
  abandon?(): Promise<void>;
  /** Finishes what is open and lets go of the lock. */
  close(): Promise<void>;
}

/** A data item as its metadata describes it. */
export interface StoredItem {
  /** A new UUID each write. */
  id: string;
  /** `summary-…`, `detail-…`, `rollup-…`. */
  name: string;
  /** From 1. */
  version: number;
  /** `application/json`. */
  contentType: string;
  /** swamp's notation. */
  lifetime: string;
  /** Versions to keep. */
  garbageCollection: number;
  /** Always false here. */
  streaming: boolean;
  /** All tags, swamp's own among them. */
  tags: Tags;
  /** Who wrote it. */
  ownerDefinition: { ownerType: string; ownerRef: string };
  /** When it was written. */
  createdAt: string;
  /** Bytes of content. */
  size: number;
  /** SHA-256 of the content, hex. */
  checksum: string;
}

/** The reading side: listing reads metadata and tags only, never content. */
export interface StoreReader {
  /** Latest items, of one `kind` tag where given, by name. */
  list(kind?: string): Promise<StoredItem[]>;
  /** An item's metadata; undefined where there is none. */
  item(name: string, version?: number): Promise<StoredItem | undefined>;
  /** An item's content as text; undefined where there is none. */
  read(name: string, version?: number): Promise<string | undefined>;
}
