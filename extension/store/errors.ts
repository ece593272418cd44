/**
 * What a store refuses, and what to do about it.
 *
 * @module
 */

/** All codes of {@link StoreError}. */
export type StoreErrorCode =
  | "NOT_A_REPO"
  | "NO_SUCH_FOLDER"
  | "LOCKED"
  | "LOCK_LOST"
  | "SWAMP_OWNS_DATA"
  | "OUTSIDE"
  | "BAD_DEFINITION"
  | "BAD_NAME";

/** Thrown by a store. Its message says what happened and what to do. */
export class StoreError extends Error {
  /** Stable code. */
  readonly code: StoreErrorCode;
  /** Makes the error. */
  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.name = "StoreError";
    this.code = code;
  }
}
