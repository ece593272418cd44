/**
 * Paths of any platform, as texts: the sessions of a Windows machine are read
 * on a Mac too.
 *
 * @module
 */

/** Whether a path starts at a root. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|\\|[A-Za-z]:[\\/])/.test(path);
}

/** Absolute paths that are normal as they are, which most are. */
const NORMAL = /^(?:\/[^\\/.][^\\/]*)+$/;

/**
 * A path with `/` between its parts, without `.`, `..`, doubled or last `/`.
 * `\\` divides parts too: names that hold one are rarer than Windows.
 */
export function normalPath(path: string): string {
  if (NORMAL.test(path)) return path;
  const slashed = path.replaceAll("\\", "/");
  const drive = /^[A-Za-z]:(?=\/)/.exec(slashed)?.[0] ?? "";
  const rest = slashed.slice(drive.length);
  const root = drive || rest.startsWith("/");
  const parts: string[] = [];
  for (const part of rest.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && (root || parts.at(-1) !== undefined)) {
      if (parts.at(-1) === ".." || parts.length === 0) {
        if (!root) parts.push(part);
      } else parts.pop();
    } else parts.push(part);
  }
  return `${drive}${root ? "/" : ""}${parts.join("/")}` || ".";
}

/** `path` joined to `base` unless it is absolute; normalised. */
export function resolvePath(base: string, path: string): string {
  return normalPath(
    isAbsolutePath(path) ? path : `${normalPath(base)}/${path}`,
  );
}

const folded = (path: string) =>
  /^[A-Za-z]:/.test(path) ? path.toLowerCase() : path;

/**
 * `path` relative to `root`: "" for the root itself, undefined outside. Both
 * normalised; Windows paths compare without case.
 */
export function inside(root: string, path: string): string | undefined {
  const a = folded(root), b = folded(path);
  if (a === b) return "";
  const prefix = a.endsWith("/") ? a : `${a}/`;
  return b.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** The last part of a path; "" for a root. */
export function lastPart(path: string): string {
  return normalPath(path).replace(/^[A-Za-z]:/, "").split("/").at(-1) ?? "";
}

const HOME =
  /^(?:\/(?:mnt\/[a-z]\/)?(?:Users|home)|[A-Za-z]:\/(?:Users|Documents and Settings)|\/var\/home|\/usr\/home|\/export\/home)\/([^/]+)(?=\/|$)|^\/root(?=\/|$)|^\/var\/root(?=\/|$)/i;

/** A normalised path with the home directory of whoever it is as `~`. */
export function foldHome(path: string): string {
  return path.replace(
    HOME,
    (whole, name?: string) =>
      name === "Shared" || name === "Public" ? whole : "~",
  );
}

const HOMES =
  /(^|[\s"'`=:,(<>])(?:\/(?:mnt\/[a-z]\/)?(?:Users|home)|[A-Za-z]:[\\/]Users)[\\/]([^\s"'`\\/:,()<>]{1,200})(?=[\s"'`\\/:,()<>]|$)/g;

/** A text with the home directories in it as `~`. */
export function foldHomes(text: string): string {
  return text.replace(
    HOMES,
    (whole, before: string, name: string) =>
      name === "Shared" || name === "Public" ? whole : `${before}~`,
  );
}

// Globs over paths: `*` and `?` within a part, `**` over parts, `{a,b}`.
// Our own, because a glob may come from a workflow's arguments, and the usual
// libraries compile it to one expression that a hostile glob makes hang.

/** Longest glob, and most alternatives that braces may make of it. */
const MAX_LENGTH = 400, MAX_ALTERNATIVES = 64;

function alternatives(glob: string): string[] {
  let open = [glob];
  for (let round = 0; round < 8; round++) {
    const next = open.flatMap((g) => {
      const braces = /\{([^{}]{0,200})\}/.exec(g);
      if (!braces) return [g];
      const before = g.slice(0, braces.index);
      const after = g.slice(braces.index + braces[0].length);
      return braces[1]!.split(",").map((part) => before + part + after);
    }).slice(0, MAX_ALTERNATIVES);
    if (next.length === open.length) return next;
    open = next;
  }
  return open;
}

function part(glob: string): RegExp {
  return new RegExp(
    "^" +
      glob.replace(/\*+/g, "*").replace(/[.+^$()|[\]\\{}]/g, "\\$&")
        .replaceAll("*", ".*").replaceAll("?", ".") +
      "$",
    "s",
  );
}

function matches(
  globs: readonly (RegExp | "**")[],
  parts: readonly string[],
): boolean {
  // reached[i]: the globs so far can have used the first i parts.
  let reached = [true, ...parts.map(() => false)];
  for (const glob of globs) {
    const next = reached.map(() => false);
    for (const [i, here] of reached.entries()) {
      if (!here) continue;
      if (glob === "**") next.fill(true, i);
      else if (i < parts.length && glob.test(parts[i]!)) next[i + 1] = true;
    }
    reached = next;
  }
  return reached[parts.length] === true;
}

const partsOf = (path: string) =>
  path.replaceAll("\\", "/").split("/").filter((p) => p !== "" && p !== ".");

/**
 * Whether a path matches a glob. A glob without a slash matches any one part;
 * one with a slash matches the path from its start, or below what it matches.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const compiled = alternatives(glob.slice(0, MAX_LENGTH)).map((g) => {
    const parts = partsOf(g);
    const anchored = /[\\/]/.test(g);
    return [
      ...(anchored ? [] : ["**" as const]),
      ...parts.map((p) => (p === "**" ? "**" as const : part(p))),
      "**" as const,
    ];
  });
  return (path) => {
    const parts = partsOf(path);
    return compiled.some((globs) => matches(globs, parts));
  };
}
