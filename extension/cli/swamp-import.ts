/**
 * An import that runs inside swamp: the model's method, in batches, because
 * swamp's memory grows with what one run writes.
 *
 * @module
 */
import { IMPORTED_BY } from "../import/mod.ts";
import {
  type ImportProblem,
  type ImportResult,
  noResult,
} from "../import/types.ts";
import { MODEL_NAME } from "../store/layout.ts";
import type { Context } from "./command.ts";
import type { ImportJob } from "./import-run.ts";
import { PACKAGE_ROOT } from "./package-root.ts";
import type { Progress } from "./progress.ts";
import { ProgressLine } from "./progress.ts";
import { runSwamp, swampError } from "./swamp-process.ts";
import { clean } from "./terminal.ts";

/** Most sessions that one run of swamp stores. */
export const MAX_BATCH = 1000;

const PROGRESS =
  /^\s*progress: (\d+) of (\d+) sessions, (\d+) of (\d+) bytes\s*$/;
const RESULT = /^\s*import result: (\{.*\})\s*$/;

/** How far a batch is, by a line of swamp's log. */
export function progressIn(text: string): Progress | undefined {
  const [, sessions, totalSessions, bytes, totalBytes] = (PROGRESS.exec(text) ??
    []).map(Number);
  return totalBytes === undefined ? undefined : {
    sessions: sessions!,
    totalSessions: totalSessions!,
    bytes: bytes!,
    totalBytes,
  };
}

/** A batch's result, and the versions it was made by. */
export type Told = ImportResult & { by?: string };

/** What came of a batch, by a line of swamp's log. */
export function resultIn(text: string): Told | undefined {
  const json = RESULT.exec(text)?.[1];
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as Told;
  } catch {
    return undefined;
  }
}

/**
 * The results of batches that carry on one behind the other, as one. What a
 * batch meets first hand counts once: the first tells what was found and left
 * alone, each what it stored, the last what is left.
 */
export function sumResults(results: readonly ImportResult[]): ImportResult {
  const [first] = results, last = results.at(-1);
  if (!first || !last) throw new Error("no results to sum");
  const sum = (of: (r: ImportResult) => number) =>
    results.reduce((total, r) => total + of(r), 0);
  const problems = new Map<string, ImportProblem>();
  for (const p of results.flatMap((r) => r.problems)) {
    problems.set(JSON.stringify([p.file, p.line, p.code, p.message]), p);
  }
  const { found, unchanged } = first.sessions;
  const made = {
    new: sum((r) => r.sessions.new),
    updated: sum((r) => r.sessions.updated),
    failed: sum((r) => r.sessions.failed),
  };
  const left = last.left ?? 0;
  const taken = made.new + made.updated + made.failed + unchanged + left;
  return {
    sessions: {
      found,
      new: made.new,
      updated: made.updated,
      unchanged,
      skipped: Math.max(0, found - taken),
      failed: made.failed,
    },
    calls: sum((r) => r.calls),
    bytes: sum((r) => r.bytes),
    storedBytes: sum((r) => r.storedBytes),
    ms: sum((r) => r.ms),
    store: "swamp",
    problems: [...problems.values()],
    ...(results.some((r) => r.interrupted) ? { interrupted: true } : {}),
    ...(left > 0 ? { left } : {}),
  };
}

/** The method's arguments. Lists and texts travel as one JSON object. */
function inputOf(job: ImportJob, limit: number, after?: string): string {
  const time = (at: number | undefined) =>
    at === undefined ? undefined : new Date(at).toISOString();
  return JSON.stringify({
    all: job.all,
    harness: job.harness,
    since: time(job.since),
    until: time(job.until),
    mode: job.mode,
    minSubstance: job.minSubstance,
    exclude: job.exclude,
    lifetime: job.lifetime,
    dryRun: job.dryRun,
    force: job.force,
    home: job.home,
    limit,
    after,
  });
}

/** Sessions a batch: `SWAMP_SESSIONS_BATCH`, at most {@link MAX_BATCH}. */
function batchSize(env: Readonly<Record<string, string | undefined>>): number {
  const asked = Number(env.SWAMP_SESSIONS_BATCH);
  return Number.isInteger(asked) && asked > 0 && asked < MAX_BATCH
    ? asked
    : MAX_BATCH;
}

/**
 * Imports through swamp until nothing is left. Throws CliError where swamp
 * fails; exit code 75 where another run holds its lock.
 */
export async function importThroughSwamp(
  context: Context,
  program: string,
  job: ImportJob,
): Promise<ImportResult> {
  const { io } = context;
  const began = io.now();
  const limit = batchSize(io.env);
  const line = new ProgressLine(io, "Importing");
  line.say("Looking for sessions");
  const results: ImportResult[] = [];
  let whole: Progress | undefined;
  let after: string | undefined, by: string | undefined;
  try {
    do {
      let result: Told | undefined;
      const ended = await runSwamp(io, {
        program,
        repo: job.repo,
        args: [
          "model",
          "method",
          "run",
          MODEL_NAME,
          "import",
          "--skip-reports",
          "--repo-dir",
          job.repo,
          "--input",
          inputOf(job, limit, after),
        ],
        line(text) {
          result ??= resultIn(text);
          const now = progressIn(text);
          if (!now) return;
          // A later batch counts only what was left for it.
          whole ??= now;
          line.update({
            ...whole,
            sessions: whole.totalSessions - now.totalSessions + now.sessions,
            bytes: whole.totalBytes - now.totalBytes + now.bytes,
          });
        },
      });
      const stopped = io.interrupted.aborted;
      if (!result || (ended.code !== 0 && !stopped)) {
        if (!stopped) throw swampError("The import", ended);
        const left = results.at(-1)?.left;
        result = {
          ...noResult("swamp"),
          ...(left === undefined ? {} : { left }),
        };
      }
      by ??= result.by;
      results.push(stopped ? { ...result, interrupted: true } : result);
      after = stopped ? undefined : result.next;
    } while (after !== undefined);
  } catch (error) {
    if (results.length > 0) job.failed?.(sumResults(results));
    throw error;
  } finally {
    line.clear();
  }
  if (by !== undefined && by !== IMPORTED_BY) {
    await context.note(
      `swamp still runs an older bundle of this package (${
        clean(by.slice(0, 100))
      }; this is ${IMPORTED_BY}). To have it made anew: \`swamp extension source rm ${PACKAGE_ROOT}\`, then \`swamp extension source add ${PACKAGE_ROOT}\`.`,
    );
  }
  const { home } = job.env;
  const all = sumResults(results);
  return {
    ...all,
    ms: io.now() - began,
    problems: all.problems.map((p) => ({
      ...p,
      file: /^~(?:[\\/]|$)/.test(p.file) ? home + p.file.slice(1) : p.file,
    })),
  };
}
