/**
 * What harness files hold, and how well they can be read: the figures behind
 * `doctor`. Nothing is labelled, redacted or stored.
 *
 * @module
 */
import { TOOL_GROUPS } from "../classify/rules/tools.ts";
import { HARNESSES } from "../harness/registry.ts";
import type {
  Harness,
  HarnessEnv,
  HeadCache,
  Problem,
  Unit,
} from "../harness/types.ts";
import type {
  BuiltSession,
  CallAnalyst,
  CallFacts,
  CallInput,
  LinkEvidence,
} from "../session/model.ts";

/** Names with how often they were met, most first. */
export type Counts = Record<string, number>;

/** One harness, looked through. */
export interface HarnessSurvey {
  /** Short name. */
  name: string;
  /** Name for people. */
  title: string;
  /** Folders that were looked at. */
  roots: { path: string; exists: boolean; files: number }[];
  /** Files of sessions that could be read. */
  files: number;
  /** Their size. */
  bytes: number;
  /** Root sessions. */
  sessions: number;
  /** Sessions without any call. */
  withoutCalls: number;
  /** Subagents at any depth, and how many have a known call that started them. */
  subagents: { count: number; linked: number; parentGone: number };
  /** Linked subagents by what links them. */
  evidence: Partial<Record<LinkEvidence, number>>;
  /** Sessions by version of the harness. */
  versions: Counts;
  /** Tool calls. */
  calls: number;
  /** Results that belong to no call. */
  orphanResults: number;
  /** Record types that no adapter knows: how often. */
  unknownRecords: Counts;
  /** Sessions that hold such records. */
  sessionsWithUnknown: number;
  /** Tools that neither an adapter nor a rule knows: how often. */
  otherTools: Counts;
  /** Those of them that write local files, by their names. */
  writeLikeTools: Counts;
  /** Lines that could not be read. */
  damagedLines: number;
  /** Sessions with such lines. */
  sessionsWithDamage: number;
  /** Sessions whose last line is still being written. */
  live: number;
  /** Files that were refused or read in part, and why. */
  problems: Problem[];
}

/** What a survey may use. */
export interface SurveyContext {
  /** Remembers heads between runs. */
  heads: HeadCache;
  /** Stops it. */
  signal: AbortSignal;
  /** Only these harnesses; all where empty. */
  only: readonly string[];
  /** Which units to read. */
  takes(unit: Unit): boolean;
  /** Told of progress. */
  progress(
    done: {
      sessions: number;
      totalSessions: number;
      bytes: number;
      totalBytes: number;
    },
  ): void;
}

/** Tools named so may write local files, which nobody would count. */
const WRITE_LIKE =
  /write|edit|patch|create|insert|replace|append|save|update_?file|delete_?file|rename|move/i;

/** Notes tools that are not known, and judges nothing. */
class ToolNoter implements CallAnalyst {
  readonly unknown = new Map<string, number>();
  call(tool: string, input: CallInput): CallFacts {
    // What MCP servers write is not here.
    if (
      input.kind === "other" && input.server === undefined &&
      !TOOL_GROUPS.has(tool.toLowerCase())
    ) {
      this.unknown.set(tool, (this.unknown.get(tool) ?? 0) + 1);
    }
    return { text: "", label: "neutral", category: "none", rule: "none" };
  }
  testOutcome(): null {
    return null;
  }
}

/** Size of a unit's own files. */
export function unitBytes(unit: Unit): number {
  return unit.files.reduce((sum, file) => sum + file.size, 0);
}

/** Looks through every harness of a home. */
export async function surveyHome(
  env: HarnessEnv,
  context: SurveyContext,
): Promise<HarnessSurvey[]> {
  const scans: { harness: Harness; survey: HarnessSurvey; units: Unit[] }[] =
    [];
  for (const harness of HARNESSES) {
    if (context.only.length > 0 && !context.only.includes(harness.name)) {
      continue;
    }
    const scan = await harness.scan(env, {
      heads: context.heads,
      signal: context.signal,
    });
    const units = scan.units.filter(context.takes);
    scans.push({
      harness,
      survey: {
        ...emptySurvey(harness),
        roots: scan.roots,
        problems: [...scan.problems],
      },
      units,
    });
  }
  const all = scans.flatMap((scan) => scan.units);
  const done = {
    sessions: 0,
    totalSessions: all.length,
    bytes: 0,
    totalBytes: all.reduce((sum, unit) => sum + unitBytes(unit), 0),
  };
  for (const { harness, survey, units } of scans) {
    const tools = new ToolNoter();
    const counts = {
      versions: new Map<string, number>(),
      unknown: new Map<string, number>(),
    };
    for (const unit of units) {
      context.signal.throwIfAborted();
      const read = await harness.read(unit, {
        analyst: tools,
        signal: context.signal,
        progress: (n) => {
          done.bytes += n;
          context.progress(done);
        },
      });
      survey.files += unit.files.length;
      survey.bytes += unitBytes(unit);
      survey.problems.push(...read.problems);
      if (read.session) add(survey, counts, read.session, read.subagents);
      done.sessions++;
      context.progress(done);
    }
    survey.versions = ranked(counts.versions);
    survey.unknownRecords = ranked(counts.unknown);
    survey.otherTools = ranked(tools.unknown);
    survey.writeLikeTools = Object.fromEntries(
      Object.entries(survey.otherTools).filter(([name]) =>
        WRITE_LIKE.test(name)
      ),
    );
  }
  return scans.map((scan) => scan.survey);
}

function emptySurvey({ name, title }: Harness): HarnessSurvey {
  return {
    name,
    title,
    roots: [],
    files: 0,
    bytes: 0,
    sessions: 0,
    withoutCalls: 0,
    subagents: { count: 0, linked: 0, parentGone: 0 },
    evidence: {},
    versions: {},
    calls: 0,
    orphanResults: 0,
    unknownRecords: {},
    sessionsWithUnknown: 0,
    otherTools: {},
    writeLikeTools: {},
    damagedLines: 0,
    sessionsWithDamage: 0,
    live: 0,
    problems: [],
  };
}

function add(
  survey: HarnessSurvey,
  counts: { versions: Map<string, number>; unknown: Map<string, number> },
  root: BuiltSession,
  subagents: readonly BuiltSession[],
): void {
  const all = [root, ...subagents];
  const calls = all.reduce((sum, s) => sum + s.calls.size, 0);
  survey.sessions++;
  survey.calls += calls;
  if (calls === 0) survey.withoutCalls++;
  if (all.some((s) => s.unknown.size > 0)) survey.sessionsWithUnknown++;
  if (all.some((s) => s.badLines > 0)) survey.sessionsWithDamage++;
  if (all.some((s) => s.tornTail)) survey.live++;
  const version = root.versions[0] ?? "unknown";
  counts.versions.set(version, (counts.versions.get(version) ?? 0) + 1);
  for (const session of all) {
    survey.damagedLines += session.badLines;
    survey.orphanResults += session.orphanResults;
    for (const [type, n] of session.unknown) {
      counts.unknown.set(type, (counts.unknown.get(type) ?? 0) + n);
    }
  }
  for (const { parent } of subagents) {
    survey.subagents.count++;
    if (root.placeholder) survey.subagents.parentGone++;
    if (parent?.call === undefined) continue;
    survey.subagents.linked++;
    survey.evidence[parent.evidence] = (survey.evidence[parent.evidence] ?? 0) +
      1;
  }
}

/** Counts, most first. */
function ranked(counts: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries(
    [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)),
  );
}

/** Shares that tell whether what is written changed, in per cent of sessions. */
export interface Drift {
  /** Sessions looked at. */
  sessions: number;
  /** Of them, with records of unknown types. */
  unknown: number;
  /** Of them, with lines that could not be read. */
  damaged: number;
}

/** The drift of all harnesses together. */
export function driftOf(surveys: readonly HarnessSurvey[]): Drift {
  const sum = (of: (s: HarnessSurvey) => number) =>
    surveys.reduce((n, survey) => n + of(survey), 0);
  const sessions = sum((s) => s.sessions);
  const share = (n: number) => sessions === 0 ? 0 : 100 * n / sessions;
  return {
    sessions,
    unknown: share(sum((s) => s.sessionsWithUnknown)),
    damaged: share(sum((s) => s.sessionsWithDamage)),
  };
}

/** Where a drift is more than is allowed, in per cent: what and what to do. */
export function tooMuch(
  drift: Drift,
  most: Pick<Drift, "unknown" | "damaged">,
): string[] {
  const reasons: string[] = [];
  const check = (share: number, most: number, what: string, todo: string) => {
    if (share <= most) return;
    reasons.push(
      `${
        share.toFixed(1)
      } % of sessions hold ${what} (at most ${most} % allowed): ${todo}`,
    );
  };
  check(
    drift.unknown,
    most.unknown,
    "records of unknown types",
    "the format has probably changed; look for a newer version of this program",
  );
  check(
    drift.damaged,
    most.damaged,
    "damaged lines",
    "look at the files named under `problems`",
  );
  return reasons;
}
