/**
 * Built sessions -> the two records that are stored. The summary's figures are
 * counted off the detail, so the two never disagree.
 *
 * @module
 */
import {
  type Detail,
  detailName,
  type Flag,
  FLAGS,
  type MarkKind,
  safeId,
  SCHEMA_VERSION,
  type SessionDetail,
  type Severity,
  type Summary,
  type Tokens,
} from "../../schema/mod.ts";
import { digestSession } from "../digest/mod.ts";
import type { BuiltSession } from "../session/model.ts";
import {
  DetailMaker,
  inOrder,
  modelNames,
  moment,
  optional,
  whole,
} from "./detail.ts";
import { cwdInRepo, type RepoPlace } from "./repo.ts";
import { line } from "./text.ts";
import { IMPORTER_VERSION, RULES_VERSION } from "./version.ts";

/** What records are made of. */
export interface RecordInput {
  /** The id it is stored under. */
  id: string;
  /** The root session. */
  root: BuiltSession;
  /** Its subagents at any depth. */
  subagents: readonly BuiltSession[];
  /** Where it worked. */
  place: RepoPlace;
  /** See `Source.fingerprint`. */
  fingerprint: string;
  /** Stands in where a session names no moment, epoch milliseconds. */
  at: number;
}

/** What is stored of a session. */
export interface SessionRecords {
  /** The row. */
  summary: Summary;
  /** Everything else. */
  detail: Detail;
}

/** Makes a session's records. They fit the schema whatever was built. */
export function makeRecords(input: RecordInput): SessionRecords {
  const { root, place } = input;
  const subagents = inOrder(input.subagents);
  const digest = digestSession(root, subagents);
  const detail = new DetailMaker(root, subagents, input.id)
    .make(digest, moment(input.at, 0));
  const all = [root, ...subagents];
  const { session } = detail;
  const { signals } = digest.substance;
  const counts = count(detail);
  const models = modelNames(all);
  const short = (text: string | undefined, limit: number) =>
    line(text ?? "", limit) || undefined;
  const found = (severity: Severity) =>
    detail.findings.filter((f) => f.severity === severity).length;
  const summary: Summary = {
    schemaVersion: SCHEMA_VERSION,
    id: session.id,
    repo: {
      name: short(place.name, 200) ?? "unknown",
      ...optional("remote", short(place.remote, 400)),
    },
    ...optional("branch", short(root.branches[0], 400)),
    ...optional("cwd", short(cwdInRepo(place), 1024)),
    harness: {
      name: short(root.harness, 40) ?? "unknown",
      ...optional("version", short(root.versions[0], 80)),
      ...optional("entry", short(root.entry, 80)),
    },
    mode: root.mode,
    ...optional("model", short(mostOutput(root), 200) ?? models[0]),
    models,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    durationMs: Date.parse(session.endedAt) - Date.parse(session.startedAt),
    activeMs: activeTime(session),
    turns: session.turns.length,
    calls: counts.calls,
    failedCalls: counts.failed,
    rejectedCalls: counts.rejected,
    labels: counts.labels,
    ...(counts.categories.length ? { categories: counts.categories } : {}),
    tokens: totalTokens(detail),
    subagents: {
      // Not those of the harness's own: nobody asked for them.
      count: detail.subagents.filter((s) => !s.auxiliary).length,
      calls: counts.subagents,
    },
    findings: {
      high: found("high"),
      medium: found("medium"),
      low: found("low"),
    },
    substance: {
      ...digest.substance,
      signals: {
        ...signals,
        messageCount: whole(signals.messageCount),
        toolCallCount: counts.calls,
      },
    },
    flags: flagsOf(input, detail, {
      idle: signals.idle,
      truncated: counts.truncated,
    }),
    ...optional("forkOf", root.forkOf ? safeId(root.forkOf) : undefined),
    // The store fills in the size when it has written the detail.
    detail: { name: detailName(session.id), bytes: 0 },
    source: {
      fingerprint: input.fingerprint,
      files: sum(all, (s) => s.files),
      badLines: sum(all, (s) => s.badLines),
      unknownRecords: sum(
        all,
        (s) => [...s.unknown.values()].reduce((a, b) => a + b, 0),
      ),
      importer: IMPORTER_VERSION,
      ruleset: RULES_VERSION,
    },
  };
  return { summary, detail };
}

const sum = (
  all: readonly BuiltSession[],
  of: (s: BuiltSession) => number,
): number => whole(all.reduce((total, s) => total + of(s), 0));

/** The model with most output; ties go to the one used first. */
function mostOutput(root: BuiltSession): string | undefined {
  let best: string | undefined, most = -1;
  for (const [model, output] of root.outputByModel) {
    if (output > most) [best, most] = [model, output];
  }
  return best ?? root.models[0];
}

interface Counts {
  calls: number;
  /** Those of subagents. */
  subagents: number;
  truncated: boolean;
  failed: number;
  rejected: number;
  labels: Summary["labels"];
  categories: { name: string; calls: number }[];
}

function count(detail: Detail): Counts {
  const labels = { swamp: 0, bypass: 0, neutral: 0, mutating: 0 };
  const categories = new Map<string, number>();
  let calls = 0, subagents = 0, failed = 0, rejected = 0, truncated = false;
  for (const session of [detail.session, ...detail.subagents]) {
    for (const turn of session.turns) {
      calls += turn.calls.length;
      if (session !== detail.session && !session.auxiliary) {
        subagents += turn.calls.length;
      }
      for (const call of turn.calls) {
        if (call.state === "failed") failed++;
        else if (call.state === "rejected") rejected++;
        if (call.truncated) truncated = true;
        labels[call.label]++;
        if (call.label === "neutral") continue;
        if (call.label === "bypass" && call.mutating) labels.mutating++;
        categories.set(call.category, (categories.get(call.category) ?? 0) + 1);
      }
    }
  }
  return {
    calls,
    subagents,
    truncated,
    failed,
    rejected,
    labels,
    categories: [...categories].map(([name, calls]) => ({ name, calls }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
      .slice(0, 60),
  };
}

/** Time inside turns, each moment once. */
export function activeTime(session: SessionDetail): number {
  const spans = session.turns
    .map((t) => [Date.parse(t.startedAt), Date.parse(t.endedAt)] as const)
    .sort(([a], [b]) => a - b);
  let total = 0, until = -Infinity;
  for (const [from, to] of spans) {
    total += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return total;
}

function totalTokens(detail: Detail): Tokens {
  const total: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { tokens } of [detail.session, ...detail.subagents]) {
    for (
      const kind of ["input", "output", "cacheRead", "cacheWrite"] as const
    ) {
      total[kind] = whole(total[kind] + tokens[kind]);
    }
    if (tokens.outputIsLowerBound) total.outputIsLowerBound = true;
  }
  return total;
}

function flagsOf(
  input: RecordInput,
  detail: Detail,
  known: Pick<Record<Flag, boolean>, "idle" | "truncated">,
): Flag[] {
  const { root, subagents } = input;
  const all = [root, ...subagents];
  const marked = (kind: MarkKind) =>
    detail.session.marks.some((m) => m.kind === kind);
  const told = detail.tests.filter((t) => t.passed !== null).at(-1);
  const is: Partial<Record<Flag, boolean>> = {
    interrupted: marked("interruption"),
    ...known,
    live: all.some((s) => s.tornTail),
    compacted: marked("compaction"),
    ranTests: detail.tests.length > 0,
    testsFailed: told?.passed === false,
    damaged: all.some((s) => s.badLines > 0),
    drift: all.some((s) => s.unknown.size > 0),
    parentGone: root.placeholder === true,
    fork: !!root.forkOf,
    auxiliary: root.auxiliary !== undefined,
  };
  return withFlags(is);
}

/** The flags that are set, in the order in which they are stored. */
export function withFlags(is: Partial<Record<Flag, boolean>>): Flag[] {
  return (Object.keys(FLAGS) as Flag[]).filter((flag) => is[flag]);
}

/** A summary with one flag set or taken off. */
export function flagged(summary: Summary, flag: Flag, on: boolean): Summary {
  const is = Object.fromEntries(summary.flags.map((f) => [f, true]));
  return { ...summary, flags: withFlags({ ...is, [flag]: on }) };
}
