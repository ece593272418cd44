/**
 * Where we mean to differ from the oracle, and why.
 *
 * @module
 */
import type { Mismatch } from "./compare.ts";

const MEANT: { why: string; is: (m: Mismatch) => boolean }[] = [
  {
    why:
      "A shell command that applies a patch holds contents of files, which are never kept: its text is one line a file.",
    is: (m) =>
      m.field === "call.command" &&
      String(m.oracle).includes("*** Begin Patch\n") &&
      (m.got === null || /^\*\*\* /m.test(String(m.got))),
  },
  {
    why:
      "The oldest files have no times but the session's: a turn and a call must have one, so they have that.",
    is: (m) =>
      m.oracle === null && /legacy-(?:flat|json)/.test(m.where) &&
      /^(?:turn\.start|turn\.end|call\.start)$/.test(m.field),
  },
];

/** The disagreements that are not meant. */
export function unmeant(list: readonly Mismatch[]): Mismatch[] {
  return list.filter((m) => !MEANT.some((reason) => reason.is(m)));
}
