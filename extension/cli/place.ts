/**
 * Where a command works: the repository, and the home whose sessions it reads.
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HarnessEnv } from "../harness/types.ts";
import { CliError } from "./errors.ts";
import type { Io } from "./io.ts";
import type { CommonValues } from "./options.ts";

/** Whether a path is a folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, below a file, or out of reach.
    return false;
  }
}

/**
 * The repository: `--repo-dir`, else `SWAMP_REPO_DIR`, else the working
 * directory, or the nearest swamp repo above it unless `here`. A given one that
 * does not exist is made where `make` is set. Throws NO_SUCH_FOLDER where a
 * given one is no folder.
 */
export function repoDir(
  io: Io,
  values: CommonValues,
  { here = false, make = false }: { here?: boolean; make?: boolean } = {},
): string {
  const given = values["repo-dir"] ?? (io.env.SWAMP_REPO_DIR || undefined);
  if (given !== undefined) {
    const dir = resolve(io.cwd, given);
    if (isFolder(dir)) return dir;
    if (make && !existsSync(dir)) {
      mkdirSync(dir, { recursive: true });
      return dir;
    }
    throw new CliError(
      "NO_SUCH_FOLDER",
      `${dir} is not a folder. Give the swamp repo with --repo-dir, or go there.`,
    );
  }
  if (!here) {
    for (let dir = io.cwd;; dir = dirname(dir)) {
      if (statSync(join(dir, ".swamp.yaml"), { throwIfNoEntry: false })) {
        return dir;
      }
      if (dirname(dir) === dir) break;
    }
  }
  return io.cwd;
}

/**
 * Where harness files are looked for. Variables that move a harness's folder
 * are the person's own, so they do not count for another home.
 */
export function harnessEnv(io: Io, values: CommonValues): HarnessEnv {
  if (values.home === undefined) return { home: io.homedir, vars: io.env };
  const home = resolve(io.cwd, values.home);
  if (isFolder(home)) return { home, vars: {} };
  throw new CliError(
    "NO_SUCH_FOLDER",
    `${home} is not a folder. --home takes the home directory in which agent programs keep their sessions (the one that holds .claude or .codex).`,
  );
}
