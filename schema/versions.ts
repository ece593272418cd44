/**
 * Known schema versions, and what to do with an unknown one.
 *
 * @module
 */
import { SCHEMA_VERSION } from "./constants.ts";
import type { Detail } from "./detail.ts";
import type { Rollup } from "./rollup.ts";
import type { Summary } from "./summary.ts";

/** The record kinds. */
export type RecordKind = "summary" | "detail" | "rollup";

/** What each kind holds. */
export interface RecordOf {
  /** A list row. */
  summary: Summary;
  /** A whole session. */
  detail: Detail;
  /** A day. */
  rollup: Rollup;
}

/** A read record, or why it cannot be read. */
export type ReadResult<T> =
  | { ok: true; value: T }
  | { ok: false; reason: "newer"; version: number; message: string }
  | { ok: false; reason: "invalid"; message: string };

/**
 * Upgrades from one version to the next, by the version they read. Version 1
 * is the first, so there are none yet; a step is a pure function of the record.
 */
const UPGRADES: Readonly<
  Record<number, (record: Record<string, unknown>) => Record<string, unknown>>
> = {};

/**
 * Brings a parsed record to the current version. It checks the version and the
 * outline, not every field: the writer did that, and a reader must stay quick.
 */
export function readRecord<K extends RecordKind>(
  kind: K,
  value: unknown,
): ReadResult<RecordOf[K]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {
      ok: false,
      reason: "invalid",
      message: `not a ${kind}: an object is expected`,
    };
  }
  let record = value as Record<string, unknown>;
  const version = record.schemaVersion;
  if (typeof version !== "number" || !Number.isInteger(version)) {
    return {
      ok: false,
      reason: "invalid",
      message: `not a ${kind}: schemaVersion is missing`,
    };
  }
  if (version > SCHEMA_VERSION) {
    return {
      ok: false,
      reason: "newer",
      version,
      message:
        `written by a newer importer (schema ${version}, this reads up to ${SCHEMA_VERSION}): update, or import again with --force`,
    };
  }
  for (let v = version; v < SCHEMA_VERSION; v++) {
    const step = UPGRADES[v];
    if (!step) {
      return {
        ok: false,
        reason: "invalid",
        message: `schema ${version} was never in use: import again`,
      };
    }
    record = step(record);
  }
  const outline: Record<RecordKind, string[]> = {
    summary: ["id", "startedAt", "labels"],
    detail: ["session", "subagents", "findings"],
    rollup: ["day", "sessions"],
  };
  const missing = outline[kind].find((field) => !(field in record));
  if (missing) {
    return {
      ok: false,
      reason: "invalid",
      message: `not a ${kind}: ${missing} is missing`,
    };
  }
  return { ok: true, value: record as unknown as RecordOf[K] };
}
