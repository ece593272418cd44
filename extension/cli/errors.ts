/**
 * Errors of the command line: each says what happened and what to do.
 *
 * @module
 */

import { StoreError } from "../store/files.ts";
import type { Io } from "./io.ts";

/** What the process ends with. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** Something asked for could not be done. */
  failed: 1,
  /** Wrong usage. */
  usage: 2,
  /** Another import holds the lock. */
  locked: 75,
  /** Interrupted a second time. */
  interrupted: 130,
} as const;

/** Any exit code of {@link EXIT}. */
export type ExitCode = typeof EXIT[keyof typeof EXIT];

/** Stable codes of {@link CliError}. */
export type CliErrorCode =
  | "USAGE"
  | "NO_SUCH_SESSION"
  | "AMBIGUOUS_ID"
  | "UNREADABLE"
  | "NO_SUCH_PART"
  | "NOT_A_REPO"
  | "NOTHING_STORED"
  | "NEWER_SCHEMA"
  | "DAMAGED_ITEM"
  | "NO_SUCH_FOLDER"
  | "NO_SWAMP"
  | "SWAMP_NOT_READY"
  | "SWAMP_FAILED"
  | "PORT_TAKEN"
  | "PAGE_NOT_BUILT"
  | "INTERRUPTED";

/** Ends a command; its message is for people, whole sentences. */
export class CliError extends Error {
  /** Makes the error; exit code 1 unless said. */
  constructor(
    readonly code: CliErrorCode,
    message: string,
    readonly exit: ExitCode = EXIT.failed,
  ) {
    super(message);
    this.name = "CliError";
  }
}

/** What to do about an error of the file system. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: "permission denied. Check who owns it and its permissions",
  EPERM: "that is not allowed there. Check who owns it and its permissions",
  EROFS: "that file system is read-only. Name another repo with --repo-dir",
  ENOSPC:
    "the disk is full. Free some space and run it again; what is stored is whole",
  EFBIG:
    "a file would become larger than is allowed there (ulimit -f, or the file system). Allow more and run it again; what is stored is whole",
  EDQUOT:
    "your quota is used up. Free some space and run it again; what is stored is whole",
  EMFILE: "too many files are open. Close some programs and run it again",
  ENFILE: "too many files are open. Close some programs and run it again",
  ENOTDIR: "a part of that path is a file, not a folder",
  EISDIR: "that is a folder, not a file",
  EIO: "the disk could not be read or written. Check it, then run it again",
};

/** Message of an error of the file system, with what to do; undefined of others. */
export function systemMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const advice = typeof error.code === "string" ? ADVICE[error.code] : "";
  if (!advice) return undefined;
  // Files on their way to their place are ours; their folder is what matters.
  const path = "path" in error && typeof error.path === "string"
    ? `${error.path.replace(/[\\/]\.[^\\/]+\.tmp$/, "")}: `
    : "";
  return `${path}${advice} (${String(error.code)}).`;
}

/** Message of an error: its own where it was meant for people. */
export function messageOf(
  error: unknown,
  io: Pick<Io, "env" | "interrupted">,
): string {
  if (error instanceof CliError || error instanceof StoreError) {
    return error.message;
  }
  if (io.interrupted.aborted) return "Stopped.";
  if (io.env.SWAMP_SESSIONS_DEBUG && error instanceof Error) {
    return error.stack ?? error.message;
  }
  const system = systemMessage(error);
  if (system !== undefined) return system;
  const text = error instanceof Error ? error.message : String(error);
  return `${text}\nThis was not foreseen. Run it again with SWAMP_SESSIONS_DEBUG=1 for the place in the code.`;
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends CliError {
  /** Makes the error. */
  constructor(message: string) {
    super("USAGE", message, EXIT.usage);
    this.name = "UsageError";
  }
}
