/**
 * Records <-> tags. Listing, filtering and "is there any data" read tags only,
 * never content, so every field of a summary is written here and read back
 * without loss.
 *
 * Keys that swamp owns are never set: {@link SWAMP_TAGS}. An absent optional field is written as the empty string: a query
 * that projects a missing tag would skip the row.
 *
 * @module
 */
import {
  DETAIL_KIND,
  type Flag,
  FLAGS,
  isoTime,
  type Mode,
  MODES,
  ROLLUP_KIND,
  SCHEMA_VERSION,
  SUMMARY_KIND,
  type Tier,
  TIERS,
} from "./constants.ts";
import type { Rollup } from "./rollup.ts";
import type { Summary } from "./summary.ts";

/** Tags of one data item. */
export type Tags = Record<string, string>;

/**
 * Keys that swamp sets on every item, and in a workflow's steps, over whatever
 * an item brings along.
 */
export const SWAMP_TAGS: readonly string[] = [
  "type",
  "specName",
  "modelName",
  "initiatedBy",
  "workflow",
  "workflowId",
  "workflowRunId",
  "job",
  "step",
  "source",
];

/** The version of a record that this tree does not know. */
export interface NewerSchema {
  /** What its tag `schema` says. */
  newer: string;
}

/** The tags that `tagsToSummary` reads, in the order of a list projection. */
export const SUMMARY_TAGS: readonly string[] = [
  "schema",
  "sid",
  "started",
  "duration",
  "active",
  "repo",
  "remote",
  "branch",
  "cwd",
  "harness",
  "version",
  "entry",
  "mode",
  "model",
  "models",
  "turns",
  "calls",
  "failed",
  "rejected",
  "swamp",
  "bypass",
  "neutral",
  "mutating",
  "categories",
  "tokens",
  "subagents",
  "findings",
  "substance",
  "signals",
  "flags",
  "fork",
  "detail",
  "fingerprint",
  "reading",
];

const bit = (value: boolean) => (value ? "1" : "0");

/** The tags of a summary item. */
export function summaryToTags(s: Summary): Tags {
  const signals = s.substance.signals;
  return {
    kind: SUMMARY_KIND,
    schema: String(s.schemaVersion),
    sid: s.id,
    month: s.startedAt.slice(0, 7),
    day: s.startedAt.slice(0, 10),
    started: s.startedAt,
    duration: String(s.durationMs),
    active: String(s.activeMs),
    repo: s.repo.name,
    remote: s.repo.remote ?? "",
    branch: s.branch ?? "",
    cwd: s.cwd ?? "",
    harness: s.harness.name,
    version: s.harness.version ?? "",
    entry: s.harness.entry ?? "",
    mode: s.mode,
    model: s.model ?? "",
    models: s.models.length ? JSON.stringify(s.models) : "",
    turns: String(s.turns),
    calls: String(s.calls),
    failed: String(s.failedCalls),
    rejected: String(s.rejectedCalls),
    swamp: String(s.labels.swamp),
    bypass: String(s.labels.bypass),
    neutral: String(s.labels.neutral),
    mutating: String(s.labels.mutating),
    categories: (s.categories ?? []).map((c) => `${c.name}:${c.calls}`).join(
      ",",
    ),
    tokens: [
      s.tokens.input,
      s.tokens.output,
      s.tokens.cacheRead,
      s.tokens.cacheWrite,
    ].join("/") + (s.tokens.outputIsLowerBound ? "+" : ""),
    subagents: `${s.subagents.count}/${s.subagents.calls}`,
    findings: `${s.findings.high}/${s.findings.medium}/${s.findings.low}`,
    substance: `${s.substance.score}/${s.substance.tier}`,
    signals: [
      signals.messageCount,
      signals.toolCallCount,
      signals.filesWritten,
      signals.filesRead,
      signals.errorCount,
      bit(signals.ranTests),
      bit(signals.endedCleanly),
      bit(signals.idle),
    ].join("/"),
    flags: s.flags.join(","),
    fork: s.forkOf ?? "",
    detail: `${s.detail.bytes}/${s.detail.name}`,
    fingerprint: s.source.fingerprint,
    reading: JSON.stringify([
      s.source.files,
      s.source.badLines,
      s.source.unknownRecords,
      s.source.importer,
      s.source.ruleset,
    ]),
  };
}

const whole = (text: string | undefined): number => {
  const n = Number(text);
  return Number.isSafeInteger(n) ? n : 0;
};
const numbers = (text: string | undefined): number[] =>
  (text ?? "").split("/").map(whole);
const parsed = (text: string | undefined): unknown[] => {
  try {
    const value: unknown = JSON.parse(text || "[]");
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

/**
 * The summary that a set of tags holds; `undefined` where they are not a
 * summary's, {@link NewerSchema} where a newer importer wrote them.
 */
export function tagsToSummary(
  tags: Tags,
): Summary | NewerSchema | undefined {
  if (tags.kind !== undefined && tags.kind !== SUMMARY_KIND) return undefined;
  if (!tags.sid || !tags.schema) return undefined;
  if (tags.schema !== String(SCHEMA_VERSION)) return { newer: tags.schema };
  const started = Date.parse(tags.started ?? "");
  if (Number.isNaN(started)) return undefined;
  const duration = whole(tags.duration);
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = numbers(
    tags.tokens?.replace(/\+$/, ""),
  );
  const [agents = 0, agentCalls = 0] = numbers(tags.subagents);
  const [high = 0, medium = 0, low = 0] = numbers(tags.findings);
  const substance = (tags.substance ?? "").split("/");
  const signals = (tags.signals ?? "").split("/");
  const [bytes = "0", ...name] = (tags.detail ?? "").split("/");
  const source = parsed(tags.reading);
  const optional = <K extends string>(key: K, value: string | undefined) =>
    (value ? { [key]: value } : {}) as { [P in K]?: string };
  return {
    schemaVersion: SCHEMA_VERSION,
    id: tags.sid,
    repo: { name: tags.repo || "unknown", ...optional("remote", tags.remote) },
    ...optional("branch", tags.branch),
    ...optional("cwd", tags.cwd),
    harness: {
      name: tags.harness || "unknown",
      ...optional("version", tags.version),
      ...optional("entry", tags.entry),
    },
    mode: MODES.includes(tags.mode as Mode) ? tags.mode as Mode : "unknown",
    ...optional("model", tags.model),
    models: parsed(tags.models).filter((m) => typeof m === "string"),
    startedAt: isoTime(started),
    endedAt: isoTime(started + duration),
    durationMs: duration,
    activeMs: whole(tags.active),
    turns: whole(tags.turns),
    calls: whole(tags.calls),
    failedCalls: whole(tags.failed),
    rejectedCalls: whole(tags.rejected),
    labels: {
      swamp: whole(tags.swamp),
      bypass: whole(tags.bypass),
      neutral: whole(tags.neutral),
      mutating: whole(tags.mutating),
    },
    ...(tags.categories
      ? {
        categories: tags.categories.split(",").map((pair) => {
          const at = pair.lastIndexOf(":");
          return { name: pair.slice(0, at), calls: whole(pair.slice(at + 1)) };
        }),
      }
      : {}),
    tokens: {
      input,
      output,
      cacheRead,
      cacheWrite,
      ...(tags.tokens?.endsWith("+")
        ? { outputIsLowerBound: true as const }
        : {}),
    },
    subagents: { count: agents, calls: agentCalls },
    findings: { high, medium, low },
    substance: {
      score: whole(substance[0]),
      tier: TIERS.includes(substance[1] as Tier)
        ? substance[1] as Tier
        : "trivial",
      signals: {
        messageCount: whole(signals[0]),
        toolCallCount: whole(signals[1]),
        filesWritten: whole(signals[2]),
        filesRead: whole(signals[3]),
        errorCount: whole(signals[4]),
        ranTests: signals[5] === "1",
        endedCleanly: signals[6] === "1",
        idle: signals[7] === "1",
      },
    },
    flags: (tags.flags || "").split(",").filter((f): f is Flag => f in FLAGS),
    ...optional("forkOf", tags.fork),
    detail: { name: name.join("/"), bytes: whole(bytes) },
    source: {
      fingerprint: tags.fingerprint ?? "",
      files: Number(source[0] ?? 0),
      badLines: Number(source[1] ?? 0),
      unknownRecords: Number(source[2] ?? 0),
      importer: String(source[3] ?? ""),
      ruleset: String(source[4] ?? ""),
    },
  };
}

/** The tags of a detail item. */
export function detailTags(id: string, startedAt: string): Tags {
  return {
    kind: DETAIL_KIND,
    schema: String(SCHEMA_VERSION),
    sid: id,
    month: startedAt.slice(0, 7),
    day: startedAt.slice(0, 10),
  };
}

/** The tags of a rollup item: enough for the trend strip without its content. */
export function rollupToTags(r: Rollup): Tags {
  return {
    kind: ROLLUP_KIND,
    schema: String(r.schemaVersion),
    day: r.day,
    month: r.day.slice(0, 7),
    sessions: String(r.sessions),
    calls: String(r.calls),
    swamp: String(r.swamp),
    bypass: String(r.bypass),
    neutral: String(r.neutral),
    mutating: String(r.mutating),
    failed: String(r.failed),
    tokens: [
      r.tokens.input,
      r.tokens.output,
      r.tokens.cacheRead,
      r.tokens.cacheWrite,
    ].join("/") + (r.tokens.outputIsLowerBound ? "+" : ""),
  };
}
