/**
 * Errors of the command line: each says what happened and what to do.
 *
 * @module
 */

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
} as const;

/** Any exit code of {@link EXIT}. */
export type ExitCode = typeof EXIT[keyof typeof EXIT];

/** Stable codes of {@link CliError}. */
export type CliErrorCode =
  | "USAGE"
  | "NO_SUCH_SESSION"
  | "AMBIGUOUS_ID"
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

/** The command line itself is wrong: exit code 2. */
export class UsageError extends CliError {
  /** Makes the error. */
  constructor(message: string) {
    super("USAGE", message, EXIT.usage);
    this.name = "UsageError";
  }
}
