/**
 * What an import takes and gives.
 *
 * @module
 */
import type { RepoKnowledge } from "../classify/types.ts";
import type { Harness, HarnessEnv, ProblemCode } from "../harness/types.ts";
import type { Store } from "../store/port.ts";
import type { Selection } from "./select.ts";

/** How to import. */
export interface ImportOptions extends Selection {
  /** The swamp repository's folder. */
  repo: string;
  /** How long sessions are kept, in swamp's notation; 90d unless said. */
  lifetime?: string;
  /** Plan and count only; nothing is written. */
  dryRun?: boolean;
  /** Read every session again, and replace what a newer importer wrote. */
  force?: boolean;
  /** At most so many sessions are stored; the rest is counted in `left`. */
  limit?: number;
  /**
   * `next` of the run before, whose limit left some: carries on behind the
   * last session that it took. What went before is in none of the counts.
   */
  after?: string;
  /** Only sessions that are stored already. */
  storedOnly?: boolean;
}

/** What an import works with. */
export interface ImportDeps {
  /** Where records go; closed when the import is done. */
  store: Store;
  /** The harnesses that are read. */
  harnesses: readonly Harness[];
  /** Where their files are looked for. */
  env: HarnessEnv;
  /** What is known of the repository; found out where not given. */
  knowledge?: KnownRepo;
  /** Stops the import; what is being read then is not stored. */
  signal?: AbortSignal;
  /** Told what was done before an error that ends the import; then it throws. */
  failed?(partial: ImportResult): void;
  /** Told how far it is, some times a second. */
  progress?(progress: Progress): void;
}

/** What is known of the repository imported into. */
export interface KnownRepo {
  /** For labels. */
  knowledge: RepoKnowledge;
  /** Changes when its own rules do. */
  hash: string;
  /** What is wrong with its own rules. */
  problems?: ImportProblem[];
}

/** How far an import is. */
export interface Progress {
  /** Sessions done, of those that have to be read. */
  done: number;
  /** Sessions that have to be read. */
  total: number;
  /** Bytes of their files read. */
  bytes: number;
  /** Bytes of their files. */
  totalBytes: number;
}

/** Something that went wrong with one file, and what to do about it. */
export interface ImportProblem {
  /** The file. */
  file: string;
  /** The first line concerned, from 1. */
  line?: number;
  /** Stable code. */
  code: ProblemCode | "NEWER_SCHEMA" | "DUPLICATE" | "BAD_RULE" | "FAILED";
  /** What happened and what to do; holds no session text. */
  message: string;
}

/** How many sessions went which way; the parts add up to `found`. */
export interface SessionCounts {
  /** In the harnesses' files. */
  found: number;
  /** Stored for the first time. */
  new: number;
  /** Stored again. */
  updated: number;
  /** As stored. */
  unchanged: number;
  /** Not meant, or nothing in them. */
  skipped: number;
  /** Could not be read. */
  failed: number;
}

/** Nothing done yet, in a store of this kind. */
export function noResult(store: Store["kind"]): ImportResult {
  return {
    sessions: {
      found: 0,
      new: 0,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
    },
    calls: 0,
    bytes: 0,
    storedBytes: 0,
    ms: 0,
    store,
    problems: [],
  };
}

/** What an import did; `import --json` prints it. */
export interface ImportResult {
  /** Sessions by what became of them. */
  sessions: SessionCounts;
  /** Calls in the sessions stored, subagents' included. */
  calls: number;
  /** Bytes of session files read. */
  bytes: number;
  /** Bytes of records written. */
  storedBytes: number;
  /** How long it took, in milliseconds. */
  ms: number;
  /** Where the records are. */
  store: Store["kind"];
  /** What went wrong. */
  problems: ImportProblem[];
  /** Stopped before the end. */
  interrupted?: true;
  /** Sessions not reached because of the limit or the stop; absent for none. */
  left?: number;
  /** Where the next run carries on; there where the limit left some. */
  next?: string;
}
