/**
 * One session read and made into records.
 *
 * @module
 */
import type { Summary } from "../../schema/mod.ts";
import type { RepoKnowledge } from "../classify/types.ts";
import type { BuiltSession } from "../session/model.ts";
import type { StoredSession } from "../store/port.ts";
import { Analyst } from "./analyst.ts";
import { moment } from "./detail.ts";
import { type Planned, unfinished } from "./plan.ts";
import { makeRecords, type SessionRecords } from "./records.ts";
import { pathBase, RepoFinder } from "./repo.ts";
import type { ImportProblem } from "./types.ts";

/** A session that has to be read. */
export interface Job extends Planned {
  /** What is stored of it. */
  stored: StoredSession | undefined;
}

/** What came of reading one. */
export interface Reading {
  /**
   * `read`: there are records; `kept`: what is stored is more than what is
   * left of the files; `none`: they hold no session; `stopped`: by the signal.
   */
  outcome: "read" | "kept" | "none" | "failed" | "stopped";
  /** Where it was read. */
  records?: SessionRecords;
  /** What could not be read. */
  problems: ImportProblem[];
}

/** Reads the sessions of a run, one at a time. */
export class SessionReader {
  #analyst: Analyst;
  #known: (id: string) => boolean;
  #finder: RepoFinder = new RepoFinder();
  #signal: AbortSignal | undefined;

  /** `known` tells whether a session is stored. */
  constructor(
    knowledge: RepoKnowledge,
    known: (id: string) => boolean,
    signal?: AbortSignal,
  ) {
    this.#analyst = new Analyst(knowledge);
    this.#known = known;
    this.#signal = signal;
  }

  /** Reads one; never throws. `tell` is told of bytes read. */
  async read(job: Job, tell: (bytes: number) => void): Promise<Reading> {
    const problems: ImportProblem[] = [];
    try {
      return await this.#read(job, tell, problems);
    } catch (error) {
      if (this.#signal?.aborted) return { outcome: "stopped", problems };
      problems.push({
        file: job.unit.files[0]?.path ?? "",
        code: "INTERNAL",
        message: `reading this session failed (${
          kindOf(error)
        }); all others were imported. Please report this.`,
      });
      return { outcome: "failed", problems };
    }
  }

  async #read(
    { harness, unit, id, fingerprint, changedAt, stored }: Job,
    tell: (bytes: number) => void,
    problems: ImportProblem[],
  ): Promise<Reading> {
    const before = stored?.summary;
    const base = (cwd: string | undefined) =>
      pathBase(this.#finder.find(cwd, undefined), cwd);
    const result = await harness.read(unit, {
      ...(before?.forkOf === undefined ? {} : {
        fork: { of: before.forkOf, since: Date.parse(before.startedAt) },
      }),
      known: this.#known,
      analyst: this.#analyst.at(base(unit.cwd), base),
      ...(this.#signal ? { signal: this.#signal } : {}),
      progress: tell,
    });
    problems.push(...result.problems);
    const { session: root, subagents } = result;
    if (!root) {
      const failed = result.problems.some((p) =>
        p.code === "UNREADABLE" || p.code === "INTERNAL"
      );
      return { outcome: failed ? "failed" : "none", problems };
    }
    const better = before &&
      (root.placeholder
        ? !before.flags.includes("parentGone")
        : lostSubagents(before, root, subagents));
    if (better) return { outcome: "kept", problems };
    const records = makeRecords({
      id,
      root,
      subagents,
      place: this.#finder.find(root.cwds[0] ?? unit.cwd, root.remote),
      fingerprint: result.problems.some((p) => p.code === "UNREADABLE")
        ? unfinished(fingerprint)
        : fingerprint,
      at: unit.startedAt ?? changedAt,
    });
    return { outcome: "read", records, problems };
  }
}

/** Whether files of subagents are gone, and nothing else happened since. */
function lostSubagents(
  stored: Summary,
  root: BuiltSession,
  subagents: readonly BuiltSession[],
): boolean {
  const files = subagents.reduce((n, s) => n + s.files, root.files);
  return files < stored.source.files &&
    moment(root.endedAt, 0) === Date.parse(stored.endedAt);
}

/** What an error is, without what it says: that may quote the session. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && /^[A-Z_]{2,40}$/.test(code)
    ? `${error.name}, ${code}`
    : error.name;
}
