/**
 * Harnesses by name, and what earlier imports remember of files.
 *
 * @module
 */
import { HARNESSES } from "../harness/registry.ts";
import type { HeadCache } from "../harness/types.ts";
import { HeadFile } from "../import/mod.ts";
import { UsageError } from "./errors.ts";
import { quote } from "./values.ts";

/**
 * What imports into a repository remember of files, so that scanning is quick.
 * It is only read: these commands write nothing.
 */
export function knownHeads(repo: string, home: string): HeadCache {
  return HeadFile.in(repo, home);
}

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
