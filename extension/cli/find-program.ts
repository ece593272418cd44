/**
 * The real `swamp` further along PATH.
 *
 * @module
 */
import {
  accessSync,
  constants,
  readFileSync,
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
}

/** What looking gave. */
export type Found =
  | { path: string }
  | { problem: "none" }
  | { problem: "bad-bin"; named: string };

/**
 * The program that `SWAMP_BIN` names, else the first `swamp` along PATH that is
 * not this one: not by the same name, through a link, nor as one of the small
 * wrapper scripts that npm makes on Windows.
 */
export function findSwamp(options: FindOptions): Found {
  const { env, cwd, platform } = options;
  const self = new Set(options.self.map(real));
  if (env.SWAMP_BIN) {
    const path = resolve(cwd, env.SWAMP_BIN);
    return runnable(path, platform) && !isSelf(path, self)
      ? { path }
      : { problem: "bad-bin", named: path };
  }
  const windows = platform === "win32";
  const endings = windows
    ? (env.PATHEXT || ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";")
    : [""];
  const path = env.PATH ?? env.Path ?? "";
  for (const folder of path.split(delimiter)) {
    // An empty entry means the working directory: nothing is run from there.
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const candidate = join(folder, `swamp${ending}`);
      if (runnable(candidate, platform) && !isSelf(candidate, self)) {
        return { path: candidate };
      }
    }
  }
  return { problem: "none" };
}

const real = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

function runnable(path: string, platform: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    if (platform !== "win32") accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm's wrappers are a few hundred bytes. */
const WRAPPER_MAX = 8192;

function isSelf(path: string, self: ReadonlySet<string>): boolean {
  if (self.has(real(path))) return true;
  // npm writes `swamp`, `swamp.cmd` and `swamp.ps1` that start our file.
  try {
    if (statSync(path).size > WRAPPER_MAX) return false;
    const text = readFileSync(path, "utf8").replaceAll("\\", "/");
    for (const match of text.matchAll(/[\w./@$%~-]{1,300}\/swamp\.js/g)) {
      const named = match[0].replace(
        /^(?:%~dp0|%dp0%|\$basedir|\$\w{1,20})\//,
        "",
      );
      const target = join(dirname(real(path)), named);
      if (self.has(real(target))) return true;
      if (self.has(real(named))) return true;
    }
    return false;
  } catch {
    return false;
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
