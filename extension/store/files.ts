/**
 * Files written whole or not at all, inside one folder only.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";

/** True for a file or folder that is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The stat of a path; undefined where there is nothing. Follows links. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** As `statOf`, but of the link itself. */
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Opens a file to read. A repository may come from anybody, so nothing that is
 * no regular file is waited for or read without end: a FIFO, a device. Throws
 * NO_FILE for those, and the system's error where there is nothing. With `own`
 * a link is no file either: where only we write there is none.
 */
export function openFile(path: string, own = false): number {
  if (own && lstatOf(path)?.isSymbolicLink()) throw noFile(path);
  // Not on Windows, where these are no flags.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | (own ? O_NOFOLLOW : 0));
  try {
    if (fstatSync(fd).isFile()) return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  throw noFile(path);
}

const noFile = (path: string): StoreError =>
  new StoreError("NO_FILE", `${path} is no regular file.`);

/**
 * The text of a file of at most `max` bytes. Throws NO_FILE for what is no
 * regular file, TOO_LONG for a longer one, and the system's error where it
 * cannot be read. `own` is as in `openFile`.
 */
export function readSmall(path: string, max: number, own = false): string {
  const fd = openFile(path, own);
  try {
    if (fstatSync(fd).size > max) {
      throw new StoreError("TOO_LONG", `${path} is longer than ${max} bytes.`);
    }
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

/** A name beside the target that no reader takes for anything. */
export function tempName(): string {
  return `.${randomUUID()}.tmp`;
}

/** True for what `tempName` makes. */
export function isTempName(name: string): boolean {
  return /^\.[0-9a-f-]{36}\.tmp$/.test(name);
}

/**
 * Puts a finished file or folder in its place, where everything is ours:
 * whatever stands there goes. A link is replaced, never followed.
 */
export function putInPlace(temp: string, path: string): void {
  const there = lstatOf(path);
  // A folder gives way to no rename, nor does a file to a folder's.
  if (there && (there.isDirectory() || lstatOf(temp)?.isDirectory())) {
    rmSync(path, { recursive: true, force: true });
  }
  renameSync(temp, path);
}

/**
 * Writes a file by way of a temporary one in the same folder, so that it is
 * whole or as it was. A link at `path` is replaced, never followed; a folder
 * only where that is `own`.
 */
export function writeAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, own = false }: { mode?: number; own?: boolean } = {},
): void {
  const temp = join(dirname(path), tempName());
  try {
    writeFileSync(temp, content, { flag: "wx", mode });
    if (own) putInPlace(temp, path);
    else renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** The real path of the nearest part of `path` that exists. */
function realParent(path: string): string {
  for (let at = path;; at = dirname(at)) {
    try {
      return realpathSync(at);
    } catch (error) {
      // A dangling link must not pass for a folder still to be made.
      if (!isMissing(error) || lstatOf(at)) throw outside(at);
    }
  }
}

function outside(path: string): StoreError {
  return new StoreError(
    "OUTSIDE",
    `${path} is a link that leads out of the repository, so nothing is written there. Replace it by a folder.`,
  );
}

/**
 * Makes a folder; throws OUTSIDE where a link would lead out of `root`, and
 * NO_SUCH_FOLDER where something else stands in its place.
 */
export function ensureFolder(path: string, root: string): void {
  const real = realpathSync(root);
  const found = realParent(path);
  // The root of a drive ends with a separator already.
  const below = real.endsWith(sep) ? real : real + sep;
  if (found !== real && !found.startsWith(below)) throw outside(path);
  if (!statOf(found)?.isDirectory()) {
    throw new StoreError(
      "NO_SUCH_FOLDER",
      `${found} is no folder, so nothing can be written there. Move it away and try again.`,
    );
  }
  mkdirSync(path, { recursive: true });
}

// What a store refuses, and what to do about it.

/** All codes of {@link StoreError}. */
export type StoreErrorCode =
  | "NOT_A_REPO"
  | "NO_SUCH_FOLDER"
  | "NO_FILE"
  | "TOO_LONG"
  | "LOCKED"
  | "LOCK_LOST"
  | "SWAMP_OWNS_DATA"
  | "OTHER_DATASTORE"
  | "OUTSIDE"
  | "BAD_DEFINITION"
  | "BAD_NAME";

/** Thrown by a store. Its message says what happened and what to do. */
export class StoreError extends Error {
  /** Stable code. */
  readonly code: StoreErrorCode;
  /** Makes the error. */
  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.name = "StoreError";
    this.code = code;
  }
}
