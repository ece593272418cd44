/**
 * Harnesses by name, and scanning without remembering.
 *
 * @module
 */
import { HARNESSES } from "../harness/registry.ts";
import type { HeadCache } from "../harness/types.ts";
import { UsageError } from "./errors.ts";
import { quote } from "./values.ts";

/** A head cache that keeps nothing. */
export const FORGETFUL: HeadCache = { get: () => undefined, put: () => {} };

/** Checks the names given with `--harness`. */
export function harnessNames(names: readonly string[]): readonly string[] {
  const known = HARNESSES.map((harness) => harness.name);
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UsageError(
        `--harness: ${quote(name)} is not read; give one or more of ${
          known.join(", ")
        }.`,
      );
    }
  }
  return names;
}
