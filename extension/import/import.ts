/**
 * The import: scan, plan, read, make records, write.
 *
 * @module
 */
import { resolve } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { safeId, type Summary } from "../../schema/mod.ts";
import { rollupOf } from "../digest/mod.ts";
import { LIFETIMES } from "../store/layout.ts";
import type { StoredSession } from "../store/port.ts";
import { moment } from "./detail.ts";
import { HeadFile } from "./heads.ts";
import { knownRepo } from "./knowledge.ts";
import {
  contentOf,
  goneSessions,
  type HarnessScan,
  type Planned,
  planUnits,
  saysGone,
} from "./plan.ts";
import { type Job, kindOf, type Reading, SessionReader } from "./reading.ts";
import { flagged } from "./records.ts";
import { type Facts, Selector } from "./select.ts";
import {
  type ImportDeps,
  type ImportOptions,
  type ImportProblem,
  type ImportResult,
  type KnownRepo,
  noResult,
} from "./types.ts";

/** How often progress is told, in milliseconds. */
const TELL_MS = 100;
/** How long work goes on before other work gets a turn, in milliseconds. */
const TURN_MS = 20;

/** What has to be done. */
interface Plan {
  read: Job[];
  /** Sessions whose source came or went: only a flag changes. */
  flag: { session: StoredSession; gone: boolean; fingerprint: string }[];
}

/**
 * Imports sessions into a store. Throws `StoreError` where the store cannot be
 * written at all; one session that cannot be read never stops the others.
 */
export async function importSessions(
  options: ImportOptions,
  deps: ImportDeps,
): Promise<ImportResult> {
  const run = new Run(options, deps);
  try {
    return await run.all();
  } catch (error) {
    // Days that it changed have no rollup yet: nothing may look finished.
    await deps.store.abandon?.();
    deps.failed?.(run.stopped());
    throw error;
  } finally {
    await deps.store.close();
  }
}

class Run {
  #options: ImportOptions;
  #deps: ImportDeps;
  #started = performance.now();
  #heads: HeadFile;
  #problems: ImportProblem[] = [];
  /** Problems that planning told of. */
  #planned = new Set<string>();
  #result: ImportResult;
  #days = new Set<string>();
  /** What was stored before this run. */
  #stored: ReadonlyMap<string, StoredSession> = new Map();
  #told = 0;
  #turn = performance.now();
  #selector: Selector;

  constructor(options: ImportOptions, deps: ImportDeps) {
    this.#options = options;
    this.#deps = deps;
    const repo = resolve(options.repo);
    // Another's name in a glob must meet it as it is written in the records.
    const named = options.exclude?.some((g) => /home|users/i.test(g));
    this.#heads = named
      ? new HeadFile(undefined, repo, deps.env.home)
      : HeadFile.in(repo, deps.env.home);
    this.#selector = new Selector(repo, options);
    this.#result = {
      ...noResult(deps.store.kind),
      problems: this.#problems,
    };
  }

  async all(): Promise<ImportResult> {
    const { store } = this.#deps;
    const { dryRun } = this.#options;
    const scans = await this.#scan();
    const known = this.#deps.knowledge ?? knownRepo(this.#options.repo);
    this.#problems.push(...(known.problems ?? []));
    const units = planUnits(scans, known.hash, this.#problems);
    this.#result.sessions.found = units.length;
    let plan = await this.#plan(scans, units);
    if (dryRun) return this.#dry(plan);
    const mending = store.needsMending?.() ?? false;
    if (plan.read.length || plan.flag.length || mending) {
      if (await store.begin?.()) plan = await this.#plan(scans, units);
      // Whatever was stored before the run that was killed, its days count.
      if (mending) {
        for (const s of (await store.sessions()).values()) {
          this.#days.add(s.day);
        }
      }
      await this.#readAll(plan.read, this.#reader(known));
      await this.#flagAll(plan.flag);
      await this.#rollups();
      await store.close();
      this.#result.storedBytes += store.late?.() ?? 0;
    }
    this.#heads.save();
    return this.#finished();
  }

  /** What was done before an error that ended the run. */
  stopped(): ImportResult {
    const { found, ...taken } = this.#result.sessions;
    const done = Object.values(taken).reduce((sum, n) => sum + n, 0);
    delete this.#result.left;
    this.#left(found - done);
    return this.#finished();
  }

  #finished(): ImportResult {
    this.#result.ms = Math.round(performance.now() - this.#started);
    return this.#result;
  }

  #left(sessions: number): void {
    if (sessions > 0) {
      this.#result.left = (this.#result.left ?? 0) + sessions;
    }
  }

  async #scan(): Promise<HarnessScan[]> {
    const { harnesses, env, signal } = this.#deps;
    const wanted = this.#options.harness;
    const scans: HarnessScan[] = [];
    for (const harness of harnesses) {
      if (wanted?.length && !wanted.includes(harness.name)) continue;
      try {
        const scan = await harness.scan(env, {
          heads: this.#heads,
          ...(signal ? { signal } : {}),
        });
        this.#problems.push(...scan.problems);
        scans.push({ harness, scan });
      } catch (error) {
        if (signal?.aborted) break;
        this.#problems.push({
          file: env.home,
          code: "INTERNAL",
          message: `looking for ${harness.title} sessions failed (${
            kindOf(error)
          }); the others were imported. Please report this.`,
        });
      }
    }
    return scans;
  }

  async #plan(scans: HarnessScan[], units: Planned[]): Promise<Plan> {
    const { store } = this.#deps;
    const { force, after, storedOnly } = this.#options;
    const counts = this.#result.sessions;
    counts.unchanged = counts.skipped = 0;
    const stored = this.#stored = await store.sessions();
    const newer = force ? undefined : await store.newer?.();
    const plan: Plan = { read: [], flag: [] };
    for (const unit of units) {
      const before = stored.get(unit.id);
      if (after !== undefined && placeOf(unit) <= after) continue;
      if (
        !this.#selector.mayTake(unit.unit) || (storedOnly === true && !before)
      ) {
        counts.skipped++;
      } else if (newer?.has(unit.id)) {
        counts.skipped++;
        this.#problem({
          file: unit.unit.files[0]?.path ?? "",
          code: "NEWER_SCHEMA",
          message:
            "stored by a newer importer, so it was left alone: update this one, or import with --force",
        });
      } else if (
        !force && before &&
        contentOf(before.fingerprint) === contentOf(unit.fingerprint)
      ) {
        counts.unchanged++;
        if (saysGone(before.fingerprint)) {
          plan.flag.push({
            session: before,
            gone: false,
            fingerprint: unit.fingerprint,
          });
        }
      } else if (!before && !force && !this.#remembered(unit)) counts.skipped++;
      else plan.read.push({ ...unit, stored: before });
    }
    // The newest first: what is stopped early has what is wanted most.
    plan.read.sort((a, b) =>
      Math.floor(b.changedAt) - Math.floor(a.changedAt) ||
      (a.id < b.id ? -1 : 1)
    );
    for (const session of goneSessions(scans, units, stored.values())) {
      plan.flag.push({
        session,
        gone: true,
        fingerprint: `${session.fingerprint}!`,
      });
    }
    return plan;
  }

  #problem(problem: ImportProblem): void {
    // A plan made twice tells each problem once.
    const key = `${problem.code} ${problem.file}`;
    if (this.#planned.has(key)) return;
    this.#planned.add(key);
    this.#problems.push(problem);
  }

  #dry(plan: Plan): ImportResult {
    for (const job of plan.read) this.#count(job);
    return this.#finished();
  }

  #count(job: Job): void {
    this.#result.sessions[job.stored ? "updated" : "new"]++;
  }

  #reader({ knowledge }: KnownRepo): SessionReader {
    const stored = this.#stored;
    return new SessionReader(
      knowledge,
      (id) => stored.has(safeId(id)),
      this.#deps.signal,
    );
  }

  async #readAll(jobs: Job[], reader: SessionReader): Promise<void> {
    const { signal } = this.#deps;
    const { limit = Infinity } = this.#options;
    const counts = this.#result.sessions;
    const totalBytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
    for (const [done, job] of jobs.entries()) {
      const before = jobs[done - 1];
      if (before && counts.new + counts.updated >= limit) {
        this.#result.next = placeOf(before);
        return this.#left(jobs.length - done);
      }
      if (signal?.aborted) {
        this.#result.interrupted = true;
        return this.#left(jobs.length - done);
      }
      const reading = await reader.read(job, (bytes) => {
        this.#result.bytes += bytes;
        this.#tell(done, jobs.length, totalBytes);
      });
      await this.#take(job, reading);
      this.#tell(done + 1, jobs.length, totalBytes, done + 1 === jobs.length);
      if (performance.now() - this.#turn > TURN_MS) {
        await nextTick();
        this.#turn = performance.now();
      }
    }
  }

  #tell(done: number, total: number, totalBytes: number, now = false): void {
    const time = performance.now();
    if (!now && time - this.#told < TELL_MS) return;
    this.#told = time;
    const { bytes } = this.#result;
    this.#deps.progress?.({ done, total, bytes, totalBytes });
  }

  /** Stores what was read of a session. */
  async #take(job: Job, reading: Reading): Promise<void> {
    const counts = this.#result.sessions;
    const { outcome, records, problems } = reading;
    this.#problems.push(...problems);
    if (outcome === "stopped") {
      this.#result.interrupted = true;
      return this.#left(1);
    }
    if (outcome === "kept" && job.stored) {
      return await this.#keep(job.stored, job);
    }
    if (!records) {
      counts[outcome === "failed" ? "failed" : "skipped"]++;
      if (outcome === "none" && !job.stored) this.#remember(job, problems);
      return;
    }
    const { summary, detail } = records;
    const facts = factsOf(summary);
    if (!job.stored && !this.#selector.takes(facts)) {
      counts.skipped++;
      this.#remember(job, facts);
      return;
    }
    this.#result.storedBytes += await this.#deps.store.put(summary, detail, {
      lifetime: this.#options.lifetime ?? LIFETIMES.summary,
    });
    this.#result.calls += summary.calls;
    this.#count(job);
    this.#days.add(summary.startedAt.slice(0, 10));
    if (job.stored) this.#days.add(job.stored.day);
  }

  /** A file is gone: what is stored is more than what is left. */
  async #keep(session: StoredSession, { fingerprint }: Job): Promise<void> {
    this.#result.sessions.unchanged++;
    await this.#flag({ session, gone: true, fingerprint });
  }

  /**
   * What was read and not stored is remembered with what decided, its facts or
   * why it holds no session, so that the same bounds need not read it again.
   */
  #remember(job: Job, why: Facts | ImportProblem[]): void {
    const content = contentOf(job.fingerprint);
    this.#heads.put(
      this.#factsFile(job),
      Array.isArray(why)
        ? { content, empty: why.map((p) => ({ ...p, file: "" })) }
        : { content, ...why },
    );
  }

  /** False where what is remembered of a session rules it out. */
  #remembered(unit: Planned): boolean {
    const known = this.#heads.get(this.#factsFile(unit)) as
      | (Facts & { content: string; empty?: ImportProblem[] })
      | undefined;
    if (known?.content !== contentOf(unit.fingerprint)) return true;
    if (!known.empty) return this.#selector.takes(known);
    const file = unit.unit.files[0]?.path ?? "";
    for (const p of known.empty) this.#problem({ ...p, file });
    return false;
  }

  #factsFile(unit: Planned) {
    return { path: `facts:${unit.id}`, size: 0, mtimeMs: 0 };
  }

  async #flagAll(flags: Plan["flag"]): Promise<void> {
    for (const flag of flags) {
      if (this.#deps.signal?.aborted) return;
      await this.#flag(flag);
      await nextTick();
    }
  }

  async #flag(
    { session: { summary }, gone, fingerprint }: Plan["flag"][number],
  ): Promise<void> {
    await this.#deps.store.putSummary(
      {
        ...flagged(summary, "sourceGone", gone),
        source: { ...summary.source, fingerprint },
      },
      { lifetime: this.#options.lifetime ?? LIFETIMES.summary },
    );
  }

  /** Writes the days that this run touched again; cheap, so also when stopped. */
  async #rollups(): Promise<void> {
    const days = this.#days;
    if (days.size === 0) return;
    const { store } = this.#deps;
    const byDay = new Map<string, StoredSession[]>();
    for (const day of days) byDay.set(day, []);
    for (const session of (await store.sessions()).values()) {
      byDay.get(session.day)?.push(session);
    }
    for (const [day, sessions] of byDay) {
      await store.putRollup(
        rollupOf(day, sessions.map((s) => s.summary)),
        { lifetime: LIFETIMES.rollup },
      );
    }
  }
}

/** Where a unit stands in the order of reading, as a text that sorts so. */
function placeOf(unit: Planned): string {
  const age = Math.max(0, 1e14 - Math.floor(unit.changedAt));
  return `${String(age).padStart(15, "0")} ${unit.id}`;
}

function factsOf(summary: Summary): Facts {
  return {
    mode: summary.mode,
    tier: summary.substance.tier,
    startedAt: moment(Date.parse(summary.startedAt), 0),
    endedAt: moment(Date.parse(summary.endedAt), 0),
    repo: summary.repo.name,
  };
}
