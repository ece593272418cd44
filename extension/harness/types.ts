/**
 * What a harness adapter is. A new harness is a folder with one of these and a
 * line in `registry.ts`; only that folder knows the provider's shapes.
 *
 * @module
 */
import type { BuiltSession, CallAnalyst, TextSink } from "../session/model.ts";

/** Where to look. */
export interface HarnessEnv {
  /** The home directory whose sessions are read. */
  home: string;
  /**
   * Environment variables that move a harness's folder (`CLAUDE_CONFIG_DIR`,
   * `CODEX_HOME`). Empty when another home than the user's own is asked for.
   */
  vars: Readonly<Record<string, string | undefined>>;
}

/** Something that could not be read, and what to do about it. */
export interface Problem {
  /** The file, absolute. */
  file: string;
  /** The first line concerned, from 1. */
  line?: number;
  /** Stable code. */
  code: ProblemCode;
  /** What happened and what to do; holds no session text. */
  message: string;
}

/** All problem codes of reading. */
export type ProblemCode =
  | "EMPTY"
  | "NO_SESSION"
  | "UNREADABLE"
  | "BINARY"
  | "DAMAGED_LINES"
  | "LINE_TOO_LONG"
  | "STREAM_CAPTURE"
  | "INTERNAL";

/** A file of a session, as found. */
export interface SourceFile {
  /** Absolute path. */
  path: string;
  /** Size in bytes. */
  size: number;
  /** Modification time, epoch milliseconds (may be fractional). */
  mtimeMs: number;
}

/** A root session with all files that belong to it; imported as one. */
export interface Unit {
  /** Which harness. */
  harness: string;
  /** The root session's id, as the harness writes it. */
  id: string;
  /** Every file whose change changes the result, the root's first. */
  files: SourceFile[];
  /** Files of other sessions that must be read for this one (copied history). */
  needs: SourceFile[];
  /** Working directory of the root session, where its head tells. */
  cwd?: string;
  /** First moment in its head, epoch milliseconds. */
  startedAt?: number;
  /** For the adapter alone: what it found out while scanning. */
  state?: unknown;
}

/** What scanning a home found. */
export interface Scan {
  /** One root session each, in no particular order. */
  units: Unit[];
  /** Folders that were looked at. */
  roots: { path: string; exists: boolean; files: number }[];
  /** Files refused, and why. */
  problems: Problem[];
  /**
   * Where only the newest files were looked at: every session that began then
   * or later is there and whole (epoch milliseconds); what else there is may
   * be a part. Absent where all files were looked at.
   */
  since?: number;
}

/**
 * Remembers what the first lines of a file say, so that a second scan only
 * stats. It may forget at any time. `Head` is the adapter's own JSON value and
 * holds ids and hashes, never text.
 */
export interface HeadCache {
  /** What was put for this very size and time. */
  get(file: SourceFile): unknown;
  /** Remembers a head. */
  put(file: SourceFile, head: unknown): void;
}

/** What a scan may use. */
export interface ScanContext {
  /** Remembers heads between runs. */
  heads: HeadCache;
  /** Stops the scan. */
  signal?: AbortSignal;
  /**
   * Only root sessions whose id begins so are asked for. A hint: what file
   * names rule out need not be opened. Each unit that is returned and matches
   * is whole; others may be there or not. Where names tell nothing, a scan
   * without it may still find the session.
   */
  only?: string;
  /**
   * Only so many files need to be opened, those that were written to last. A
   * hint as well; the scan says from when on it is whole.
   */
  newest?: number;
}

/** Clocks of file systems differ by less than this, in milliseconds. */
export const CLOCKS_MS = 2000;

/**
 * The files that were written to last, and what {@link Scan.since} is then: a
 * session is written to after it began, so that what began later than all
 * other files were written is among them.
 */
export function newestOf<T>(
  items: readonly T[],
  newest: number,
  writtenAt: (item: T) => number,
): { kept: T[]; since?: number } {
  if (items.length <= newest) return { kept: [...items] };
  const sorted = [...items].sort((a, b) => writtenAt(b) - writtenAt(a));
  const first = sorted[newest];
  return {
    kept: sorted.slice(0, newest),
    ...(first === undefined ? {} : { since: writtenAt(first) + CLOCKS_MS }),
  };
}

/** What reading a unit may use. */
export interface ReadContext {
  /** Redacts, labels and digests each call. */
  analyst: CallAnalyst;
  /** Receives texts, for `extract` only. */
  texts?: TextSink;
  /**
   * What is stored of the session as a fork: its origin, and when its own part
   * began (epoch milliseconds). Used where the origin's file is gone.
   */
  fork?: { of: string; since: number };
  /** Whether a session is stored, so that what was copied from it counts there. */
  known?(id: string): boolean;
  /** Stops the reading between chunks. */
  signal?: AbortSignal;
  /** Told how many bytes were read since the last call. */
  progress?(bytes: number): void;
}

/** What a unit holds. */
export interface UnitResult {
  /** The root session; undefined where the file holds none. */
  session?: BuiltSession;
  /** Subagents at any depth. */
  subagents: BuiltSession[];
  /** What could not be read. */
  problems: Problem[];
}

/** A harness adapter. Total: it never throws on content. */
export interface Harness {
  /** Short name, as stored: `claude`. */
  name: string;
  /** Name for people: `Claude Code`. */
  title: string;
  /** Finds every session of a home. */
  scan(env: HarnessEnv, context: ScanContext): Promise<Scan>;
  /** Reads one root session with its subagents. */
  read(unit: Unit, context: ReadContext): Promise<UnitResult>;
}
