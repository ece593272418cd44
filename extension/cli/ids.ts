/**
 * Sessions by a prefix of their id.
 *
 * @module
 */
import { byBeginning } from "../import/mod.ts";
import { CliError } from "./errors.ts";
import { clean } from "./terminal.ts";
import { quote } from "./values.ts";

/** Candidates shown of an ambiguous prefix. */
const SHOWN = 10;

/**
 * The one candidate whose id begins with `prefix`; an equal id wins over
 * longer ones. Throws NO_SUCH_SESSION with `hint`, or AMBIGUOUS_ID with the
 * candidates.
 */
export function byPrefix<T>(
  candidates: Iterable<T>,
  idOf: (candidate: T) => string,
  describe: (candidate: T) => string,
  prefix: string,
  hint: string,
): T {
  const found = byBeginning(candidates, idOf, prefix);
  const [only] = found;
  if (only === undefined) {
    throw new CliError(
      "NO_SUCH_SESSION",
      `No session's id begins with ${quote(prefix)}. ${hint}`,
    );
  }
  if (found.length === 1) return only;
  const lines = found.slice(0, SHOWN).map((candidate) =>
    `  ${clean(idOf(candidate))}  ${clean(describe(candidate))}`
  );
  if (found.length > SHOWN) lines.push(`  and ${found.length - SHOWN} more`);
  throw new CliError(
    "AMBIGUOUS_ID",
    [
      `${
        quote(prefix)
      } is the beginning of ${found.length} sessions' ids; give more of the one you mean:`,
      ...lines,
    ].join("\n"),
  );
}
