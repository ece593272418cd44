/**
 * The real `swamp` further along PATH.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import {
  basename,
  delimiter,
  dirname,
  isAbsolute,
  join,
  resolve,
} from "node:path";
import type { Passed } from "./chain.ts";

/** Where to look. */
export interface FindOptions {
  /** Environment variables: PATH, PATHEXT, SWAMP_BIN. */
  env: Readonly<Record<string, string | undefined>>;
  /** Working directory, for a relative SWAMP_BIN. */
  cwd: string;
  /** `process.platform`. */
  platform: string;
  /** Files that are ourselves, by any name. */
  self: readonly string[];
  /** What the same command went through before; nothing unless said. */
  passed?: Passed;
}

/** What looking gave. */
export type Found =
  | { path: string }
  | { problem: "none" }
  | { problem: "bad-bin"; named: string };

/**
 * The program that `SWAMP_BIN` names, else the first `swamp` along PATH that is
 * not this one: not by the same name, through a link, as another install or a
 * copy of this package, as one of the small wrapper scripts that npm makes on
 * Windows, nor one that this command went through before.
 */
export function findSwamp(options: FindOptions): Found {
  const { passed } = options;
  if (passed?.tooDeep) return { problem: "none" };
  const found = lookFor(options, passed?.paths ?? []);
  // The same arguments may also be the real swamp's own command, run again.
  return "path" in found || !passed || passed.certain
    ? found
    : lookFor(options, []);
}

function lookFor(
  { env, cwd, platform, self }: FindOptions,
  passed: readonly string[],
): Found {
  const ours = new Set(self.map(realPath)), before = new Set(passed);
  const fits = (path: string) =>
    runnable(path, platform) && !before.has(realPath(path)) &&
    !isSelf(path, ours);
  const windows = platform === "win32";
  const endings = windows ? endingsOf(env.PATHEXT) : [""];
  if (env.SWAMP_BIN) {
    const named = resolve(cwd, env.SWAMP_BIN);
    const path = ["", ...endings].map((ending) => named + ending).find(fits);
    return path === undefined ? { problem: "bad-bin", named } : { path };
  }
  const path = env.PATH ?? env.Path ?? "";
  for (const entry of path.split(delimiter)) {
    // Windows takes quotes around an entry.
    const folder = windows ? entry.replaceAll('"', "") : entry;
    // An empty entry means the working directory: nothing is run from there.
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const candidate = join(folder, `swamp${ending}`);
      if (fits(candidate)) return { path: candidate };
    }
  }
  return { problem: "none" };
}

/** What Windows can start without another program: no scripts of its hosts. */
const STARTS = [".com", ".exe", ".bat", ".cmd"];

/** The endings that a name may be given without, in the person's order. */
function endingsOf(pathext: string | undefined): string[] {
  const said = (pathext ?? "").toLowerCase().split(";").map((e) => e.trim())
    .filter((ending) => STARTS.includes(ending));
  return said.length > 0 ? said : STARTS;
}

/** The path with its links followed, as the disk spells it; else as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function runnable(path: string, platform: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    if (platform !== "win32") accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm's wrappers are a few hundred bytes, this program some thousands. */
const WRAPPER_MAX = 8192, SHIM_MAX = 64 * 1024;

/** What every version of this program begins its messages with. */
export const SPEAKER = "swamp (of swamp-agent-sessions)";

function isSelf(path: string, self: ReadonlySet<string>): boolean {
  if (self.has(realPath(path))) return true;
  const text = beginning(path).replaceAll("\\", "/");
  if (isShim(text)) return true;
  if (text.length > WRAPPER_MAX) return false;
  // npm writes `swamp`, `swamp.cmd` and `swamp.ps1` that start our file.
  for (const match of text.matchAll(/[\w./@$%~-]{1,300}\/swamp\.js/g)) {
    const named = match[0].replace(
      /^(?:%~dp0|%dp0%|\$basedir|\$\w{1,20})\//,
      "",
    );
    for (const target of [join(dirname(realPath(path)), named), named]) {
      if (self.has(realPath(target)) || isShim(beginning(target))) return true;
    }
  }
  return false;
}

/** Whether a file is this program, of any version, wherever it lies. */
const isShim = (text: string): boolean =>
  text.startsWith("#!") && text.includes(SPEAKER);

/** The first part of a file that runs; "" where it cannot be read. */
function beginning(path: string): string {
  try {
    if (!statSync(path).isFile()) return "";
    const fd = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(SHIM_MAX);
      return bytes.toString("latin1", 0, readSync(fd, bytes, 0, SHIM_MAX, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

/** What to tell a person who has no swamp, and what works without it. */
export function noSwampMessage(
  found: Found,
  needs: string,
  instead: string,
): string {
  if ("problem" in found && found.problem === "bad-bin") {
    return `SWAMP_BIN names ${found.named}, which is no program that can be run (or is ${
      basename(found.named)
    } of this package itself). Set it to the real swamp, or unset it.`;
  }
  return `${needs} needs the swamp CLI, and none was found along PATH. Get it from https://swamp.club (or set SWAMP_BIN to where it is). ${instead}`;
}
