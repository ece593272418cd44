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

/**
 * A path with `/` between its parts, without `.`, `..`, doubled or last `/`.
 * `\\` divides parts too: names that hold one are rarer than Windows.
 */
export function normalPath(path: string): string {
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
