/**
 * What the importer writes through. Two hosts: the embedded store, and swamp's
 * own method context.
 *
 * @module
 */
import type { Detail, Rollup, Summary } from "../../schema/mod.ts";

/** What is known of a stored session without reading its content. */
export interface StoredSession {
  /** The session's id. */
  id: string;
  /** The summary itself, from its tags. */
  summary: Summary;
  /** Version of the summary item. */
  version: number;
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
  /** Every stored session, by id, from metadata only. */
  sessions(): Promise<Map<string, StoredSession>>;
  /**
   * Writes a session: detail first, then summary, then removes superseded
   * versions, so that an interruption never leaves a summary without its
   * detail. Returns the bytes written.
   */
  put(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<number>;
  /** Writes a summary alone: a flag changed, the detail did not. */
  putSummary(summary: Summary, options: WriteOptions): Promise<number>;
  /** Writes the rollup of a day; an equal one is left alone. */
  putRollup(rollup: Rollup, options: WriteOptions): Promise<number>;
  /** A session's detail; undefined where there is none. */
  detail(id: string): Promise<unknown>;
  /** Makes everything durable and lets go of the lock. */
  close(): Promise<void>;
}
