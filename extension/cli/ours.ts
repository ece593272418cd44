/**
 * Which command lines of `swamp` are this project's.
 *
 * @module
 */

/** Whether the arguments begin with exactly `extension import sessions`. */
export function isOurs(args: readonly string[]): boolean {
  return args[0] === "extension" && args[1] === "import" &&
    args[2] === "sessions";
}
