/**
 * The contract's constants, scalar types and names. Free of zod, so that a
 * browser bundle can import it.
 *
 * @module
 */

/** The schema version that this tree writes. */
export const SCHEMA_VERSION = 1 as const;

/** Longest stored text of a call, in UTF-16 units. Redaction runs before the cut. */
export const TEXT_LIMIT = 2048;

/** Whether a call used swamp, went around it, or neither. */
export type Label = "swamp" | "bypass" | "neutral";
/** All labels, in the order the page shows them. */
export const LABELS: readonly Label[] = ["swamp", "bypass", "neutral"];

/** How a call ended. */
export type CallState =
  | "ok"
  | "failed"
  | "rejected"
  | "interrupted"
  | "notRun"
  | "pending"
  | "background";
/** All call states. */
export const CALL_STATES: readonly CallState[] = [
  "ok",
  "failed",
  "rejected",
  "interrupted",
  "notRun",
  "pending",
  "background",
];

/** Whether a person sat at the session. */
export type Mode = "interactive" | "headless" | "unknown";
/** All modes. */
export const MODES: readonly Mode[] = ["interactive", "headless", "unknown"];

/** How much a session did, by its substance score. */
export type Tier = "trivial" | "light" | "moderate" | "substantive" | "heavy";
/** All tiers, rising. */
export const TIERS: readonly Tier[] = [
  "trivial",
  "light",
  "moderate",
  "substantive",
  "heavy",
];

/** How much a finding matters. */
export type Severity = "high" | "medium" | "low";
/** All severities, falling. */
export const SEVERITIES: readonly Severity[] = ["high", "medium", "low"];

/** What started a turn. */
export type Trigger =
  | "prompt"
  | "command"
  | "notification"
  | "subagent"
  | "unknown";
/** All triggers. */
export const TRIGGERS: readonly Trigger[] = [
  "prompt",
  "command",
  "notification",
  "subagent",
  "unknown",
];

/** Something that happened to the session itself; the fact, never its text. */
export type MarkKind = "compaction" | "recap" | "interruption" | "rollback";
/** All kinds of marks. */
export const MARK_KINDS: readonly MarkKind[] = [
  "compaction",
  "recap",
  "interruption",
  "rollback",
];

/** A fact about a session that the list can filter on. */
export type Flag =
  | "interrupted"
  | "idle"
  | "live"
  | "compacted"
  | "ranTests"
  | "testsFailed"
  | "damaged"
  | "drift"
  | "sourceGone"
  | "parentGone"
  | "fork"
  | "auxiliary"
  | "truncated";
/** What each flag means; the order is the order in which they are stored. */
export const FLAGS: Readonly<Record<Flag, string>> = {
  interrupted: "a person or a shutdown broke off a turn",
  idle: "over 120 minutes long with under 10 calls",
  live: "the last line was still being written when it was read",
  compacted: "the context was compacted at least once",
  ranTests: "at least one call ran tests",
  testsFailed: "the last test run that has a known result failed",
  damaged: "some lines of the source could not be read",
  drift: "some records have a type that the importer does not know",
  sourceGone: "the source file no longer exists",
  parentGone: "made for subagents whose own parent file no longer exists",
  fork: "begins with history copied from another session, counted there",
  auxiliary: "the harness's own work (guardian, review, compact), not a task",
  truncated: "some calls' text was cut at the storage limit",
};

/** Tokens, each counted once. */
export interface Tokens {
  /** Input tokens that came from no cache. */
  input: number;
  /** Output tokens, reasoning included. */
  output: number;
  /** Input tokens read from the provider's cache. */
  cacheRead: number;
  /** Input tokens written to the provider's cache. */
  cacheWrite: number;
  /** True where the harness wrote placeholders, so the real output is higher. */
  outputIsLowerBound?: true;
}

/** The value of the tag `kind` on summaries. */
export const SUMMARY_KIND = "agent-session-summary";
/** The value of the tag `kind` on details. */
export const DETAIL_KIND = "agent-session-detail";
/** The value of the tag `kind` on rollups. */
export const ROLLUP_KIND = "agent-session-rollup";

/** Name of a session's summary item. */
export function summaryName(id: string): string {
  return `summary-${id}`;
}

/** Name of a session's detail item. */
export function detailName(id: string): string {
  return `detail-${id}`;
}

/** Name of a day's rollup item. */
export function rollupName(day: string): string {
  return `rollup-${day}`;
}

/** The safe id for whatever a harness uses as one. Pure: same in, same out. */
export function safeId(raw: string): string {
  if (
    raw.length <= 200 &&
    /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/.test(raw) &&
    raw !== "latest"
  ) return raw;
  const kept = raw.slice(0, 60).replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+|-+$/g, "");
  return `${kept || "session"}-${hash53(raw).toString(36)}`;
}

/**
 * A 53-bit hash of a string, as a whole number (cyrb53, public domain).
 * Good for naming and change detection, not for security.
 */
export function hash53(text: string): number {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^
    Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^
    Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** Epoch milliseconds -> the contract's time string. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
