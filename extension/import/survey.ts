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
  Scan,
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

/** What was found in one place, and how well it can be read. */
export interface Figures {
  /** Root sessions. */
  sessions: number;
  /** Sessions without any call. */
  withoutCalls: number;
  /** Sessions whose last line is still being written. */
  live: number;
  /** Subagents at any depth, and how many have a known call that started them. */
  subagents: { count: number; linked: number; parentGone: number };
  /** Linked subagents by what links them. */
  evidence: Partial<Record<LinkEvidence, number>>;
  /** Versions of the harness: in how many sessions each was met. */
  versions: Counts;
  /** Tool calls. */
  calls: number;
  /** Results that belong to no call. */
  orphanResults: number;
  /** Records that were read. */
  records: number;
  /** Record types that no adapter knows: how often. */
  unknownRecords: Counts;
  /** Sessions that hold such records. */
  sessionsWithUnknown: number;
  /** Lines that could not be read. */
  damagedLines: number;
  /** Sessions with such lines. */
  sessionsWithDamage: number;
}

/** One folder that was looked at. */
export interface RootSurvey extends Figures {
  /** Absolute. */
  path: string;
  /** Whether it is there. */
  exists: boolean;
  /** Session files found in it. */
  files: number;
}

/** Files with which the same thing is the matter. */
export interface ProblemGroup {
  /** What. */
  code: Problem["code"];
  /** In words, with what to do. */
  message: string;
  /** How many files. */
  count: number;
  /** The first of them. */
  files: string[];
}

/** One harness, looked through. */
export interface HarnessSurvey extends Figures {
  /** Short name. */
  name: string;
  /** Name for people. */
  title: string;
  /** Folders that were looked at, each by itself. */
  roots: RootSurvey[];
  /** Files of sessions that could be read. */
  files: number;
  /** Their size. */
  bytes: number;
  /** Tools that neither an adapter nor a rule knows: how often. */
  otherTools: Counts;
  /** Those of them that write local files, by their names. */
  writeLikeTools: Counts;
  /** Files that were refused or read in part, and why. */
  problems: Problem[];
  /** The same in groups, the largest first. */
  refused: ProblemGroup[];
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

/** Counts by name; names are anything. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, n = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
  }

  /** Most first. */
  ranked(): Counts {
    return Object.fromEntries(
      [...this.#counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)),
    );
  }
}

/** Tools named so may write local files, which nobody would count. */
const WRITE_LIKE =
  /write|edit|patch|create|insert|replace|append|save|update_?file|delete_?file|rename|move/i;

/** Notes tools that are not known, and judges nothing. */
class ToolNoter implements CallAnalyst {
  readonly unknown = new Tally();
  call(tool: string, input: CallInput): CallFacts {
    // What MCP servers write is not here.
    if (
      input.kind === "other" && input.server === undefined &&
      !TOOL_GROUPS.has(tool.toLowerCase())
    ) {
      this.unknown.add(tool);
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

/** Adds sessions up. */
class Sum {
  readonly #figures: Figures = {
    sessions: 0,
    withoutCalls: 0,
    live: 0,
    subagents: { count: 0, linked: 0, parentGone: 0 },
    evidence: {},
    versions: {},
    calls: 0,
    orphanResults: 0,
    records: 0,
    unknownRecords: {},
    sessionsWithUnknown: 0,
    damagedLines: 0,
    sessionsWithDamage: 0,
  };
  readonly #versions = new Tally();
  readonly #unknown = new Tally();

  add(root: BuiltSession, subagents: readonly BuiltSession[]): void {
    const figures = this.#figures;
    const all = [root, ...subagents];
    const calls = all.reduce((sum, s) => sum + s.calls.size, 0);
    figures.sessions++;
    figures.calls += calls;
    if (calls === 0) figures.withoutCalls++;
    if (all.some((s) => s.unknown.size > 0)) figures.sessionsWithUnknown++;
    if (all.some((s) => s.badLines > 0)) figures.sessionsWithDamage++;
    if (all.some((s) => s.tornTail)) figures.live++;
    for (const version of root.versions) this.#versions.add(version);
    if (root.versions.length === 0) this.#versions.add("unknown");
    for (const session of all) {
      figures.records += session.records;
      figures.damagedLines += session.badLines;
      figures.orphanResults += session.orphanResults;
      for (const [type, n] of session.unknown) this.#unknown.add(type, n);
    }
    for (const { parent, auxiliary } of subagents) {
      // No call starts those of the harness's own.
      if (auxiliary !== undefined) continue;
      figures.subagents.count++;
      if (root.placeholder) figures.subagents.parentGone++;
      if (parent?.call === undefined) continue;
      figures.subagents.linked++;
      figures.evidence[parent.evidence] =
        (figures.evidence[parent.evidence] ?? 0) + 1;
    }
  }

  get figures(): Figures {
    return {
      ...this.#figures,
      versions: this.#versions.ranked(),
      unknownRecords: this.#unknown.ranked(),
    };
  }
}

/** Files named of each group of problems. */
const NAMED = 3;

/** Problems of one kind together, the most frequent first. */
export function grouped(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const { code, message, file } of problems) {
    const key = `${code} ${message}`;
    const group = groups.get(key) ?? { code, message, count: 0, files: [] };
    groups.set(key, group);
    group.count++;
    if (group.files.length < NAMED) group.files.push(file);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The root that a unit was found under. */
function rootOf(unit: Unit, roots: Scan["roots"]): string {
  const first = unit.files[0]?.path ?? "";
  let found = "";
  for (const { path } of roots) {
    if (path.length > found.length && first.startsWith(path)) found = path;
  }
  return found;
}

/** Looks through every harness of a home. */
export async function surveyHome(
  env: HarnessEnv,
  context: SurveyContext,
): Promise<HarnessSurvey[]> {
  const scans: { harness: Harness; scan: Scan; units: Unit[] }[] = [];
  for (const harness of HARNESSES) {
    if (context.only.length > 0 && !context.only.includes(harness.name)) {
      continue;
    }
    const scan = await harness.scan(env, {
      heads: context.heads,
      signal: context.signal,
    });
    scans.push({ harness, scan, units: scan.units.filter(context.takes) });
  }
  const all = scans.flatMap((scan) => scan.units);
  const done = {
    sessions: 0,
    totalSessions: all.length,
    bytes: 0,
    totalBytes: all.reduce((sum, unit) => sum + unitBytes(unit), 0),
  };
  const surveys: HarnessSurvey[] = [];
  for (const { harness, scan, units } of scans) {
    const tools = new ToolNoter(), whole = new Sum();
    const byRoot = new Map(scan.roots.map(({ path }) => [path, new Sum()]));
    const problems = [...scan.problems];
    for (const unit of units) {
      context.signal.throwIfAborted();
      const { session, subagents, problems: met } = await harness.read(unit, {
        analyst: tools,
        signal: context.signal,
        progress: (n) => {
          done.bytes += n;
          context.progress(done);
        },
      });
      problems.push(...met);
      if (session) {
        whole.add(session, subagents);
        byRoot.get(rootOf(unit, scan.roots))?.add(session, subagents);
      }
      done.sessions++;
      context.progress(done);
    }
    const otherTools = tools.unknown.ranked();
    surveys.push({
      name: harness.name,
      title: harness.title,
      roots: scan.roots.map((root) => ({
        ...root,
        ...(byRoot.get(root.path) ?? new Sum()).figures,
      })),
      files: units.reduce((sum, unit) => sum + unit.files.length, 0),
      bytes: units.reduce((sum, unit) => sum + unitBytes(unit), 0),
      ...whole.figures,
      otherTools,
      writeLikeTools: Object.fromEntries(
        Object.entries(otherTools).filter(([name]) => WRITE_LIKE.test(name)),
      ),
      problems,
      refused: grouped(problems),
    });
  }
  return surveys;
}

// Whether what harnesses write has changed so much that they must be read in
// another way.

/** Shares that tell whether what is written changed, in per cent. */
export interface Drift {
  /** Sessions looked at. */
  sessions: number;
  /** Records of unknown types, of all records. */
  unknown: number;
  /** Lines that could not be read, of all lines. */
  damaged: number;
  /** Sessions with records of unknown types. */
  sessionsWithUnknown: number;
  /** Sessions with damaged lines. */
  sessionsWithDamage: number;
}

/** The drift of all harnesses together. */
export function driftOf(surveys: readonly HarnessSurvey[]): Drift {
  const sum = (of: (s: HarnessSurvey) => number) =>
    surveys.reduce((n, survey) => n + of(survey), 0);
  const share = (n: number, all: number) => all === 0 ? 0 : 100 * n / all;
  const records = sum((s) => s.records);
  const damaged = sum((s) => s.damagedLines);
  const unknown = sum((s) =>
    Object.values(s.unknownRecords).reduce((a, b) => a + b, 0)
  );
  return {
    sessions: sum((s) => s.sessions),
    unknown: share(unknown, records),
    damaged: share(damaged, records + damaged),
    sessionsWithUnknown: sum((s) => s.sessionsWithUnknown),
    sessionsWithDamage: sum((s) => s.sessionsWithDamage),
  };
}

/** Most that is allowed unless said otherwise, in per cent. */
export const MOST_DRIFT: Pick<Drift, "unknown" | "damaged"> = {
  unknown: 1,
  damaged: 1,
};

/**
 * Where a drift is more than is allowed, in per cent: what and what to do. One
 * odd session alone is no drift, unless nothing at all is allowed.
 */
export function tooMuch(
  drift: Drift,
  most: Pick<Drift, "unknown" | "damaged">,
): string[] {
  const reasons: string[] = [];
  const check = (
    share: number,
    most: number,
    sessions: number,
    what: string,
    todo: string,
  ) => {
    if (share <= most || (sessions < 2 && most > 0)) return;
    reasons.push(
      `${share.toFixed(1)} % of ${what}, in ${sessions} session${
        sessions === 1 ? "" : "s"
      } (at most ${most} % allowed): ${todo}`,
    );
  };
  check(
    drift.unknown,
    most.unknown,
    drift.sessionsWithUnknown,
    "records are of unknown types",
    "the format has probably changed; look for a newer version of this program",
  );
  check(
    drift.damaged,
    most.damaged,
    drift.sessionsWithDamage,
    "lines are damaged",
    "look at the files named under `problems`",
  );
  return reasons;
}
