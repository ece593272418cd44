/**
 * One import at a time: a lock file that says whose it is and is kept fresh.
 *
 * A lock is stale when its process is gone from this host, or when nobody has
 * touched it for `STALE_MS`. A stale lock is also the sign that a run was
 * killed or failed, so that the next one mends what was left half done.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import {
  linkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import {
  isMissing,
  lstatOf,
  readSmall,
  StoreError,
  tempName,
} from "./files.ts";

/** A lock that nobody has touched for this long belongs to a dead run. */
export const STALE_MS = 120_000;
/** How often the owner touches it. */
const BEAT_MS = 5_000;
/** Most bytes of it. */
const MAX_OWNER = 4096;

interface Owner {
  token: string;
  pid: number;
  host: string;
}

function readOwner(path: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readSmall(path, MAX_OWNER, true));
    if (typeof value !== "object" || value === null) return undefined;
    const { token, pid, host } = value as Record<string, unknown>;
    return typeof token === "string" && typeof pid === "number" &&
        Number.isSafeInteger(pid) && typeof host === "string"
      ? { token, pid, host }
      : undefined;
  } catch {
    return undefined;
  }
}

function alive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}

/** Whether the lock at `path` belongs to a run that is gone. */
export function isStale(path: string): boolean {
  // A link in its place ages, too.
  const stat = lstatOf(path);
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_MS) return true;
  const owner = readOwner(path);
  // Unreadable: being written this moment, or torn; age decides.
  return owner !== undefined && owner.host === hostname() &&
    !alive(owner.pid);
}

/** A lock that is held. */
export class Lock {
  /** The lock was left by a run that was killed. */
  readonly takenOver: boolean;
  #path: string;
  #token: string;
  #beat: ReturnType<typeof setInterval>;

  private constructor(path: string, token: string, takenOver: boolean) {
    this.#path = path;
    this.#token = token;
    this.takenOver = takenOver;
    this.#beat = setInterval(() => this.#touch(), BEAT_MS);
    this.#beat.unref?.();
  }

  /** Takes the lock, or throws LOCKED. */
  static take(path: string): Lock {
    const token = randomUUID();
    const own = JSON.stringify(
      { token, pid: process.pid, host: hostname() } satisfies Owner,
    );
    let takenOver = false;
    for (let attempt = 0; attempt < 5; attempt++) {
      // Written beside it and linked, so that it is never seen empty.
      const temp = join(dirname(path), tempName());
      writeFileSync(temp, own, { flag: "wx" });
      try {
        linkSync(temp, path);
        return new Lock(path, token, takenOver);
      } catch (error) {
        if ((error as { code?: unknown }).code !== "EEXIST") {
          // No hard links on this file system: an exclusive create does.
          try {
            writeFileSync(path, own, { flag: "wx" });
            return new Lock(path, token, takenOver);
          } catch {
            // It exists after all.
          }
        }
      } finally {
        rmSync(temp, { force: true });
      }
      if (!isStale(path)) break;
      takenOver = removeStale(path) || takenOver;
    }
    const owner = readOwner(path);
    throw new StoreError(
      "LOCKED",
      `Another import is writing to this repository${
        owner ? ` (process ${owner.pid} on ${owner.host})` : ""
      }. Wait until it is done and try again; if it is not running any more, remove ${path}.`,
    );
  }

  /** Throws LOCK_LOST where another run has taken the lock over. */
  check(): void {
    if (readOwner(this.#path)?.token !== this.#token) {
      throw new StoreError(
        "LOCK_LOST",
        "Another import took this one for dead and took over (was the machine asleep?). Nothing more is written; import again.",
      );
    }
  }

  /** Lets go of it. */
  release(): void {
    clearInterval(this.#beat);
    if (readOwner(this.#path)?.token === this.#token) {
      rmSync(this.#path, { force: true });
    }
  }

  /**
   * Leaves it behind as that of a dead run, so that the next run mends. Needs
   * no room on the disk: a full one may be why the run failed.
   */
  abandon(): void {
    clearInterval(this.#beat);
    if (readOwner(this.#path)?.token === this.#token) this.#touch(new Date(0));
  }

  #touch(now = new Date()): void {
    try {
      utimesSync(this.#path, now, now);
    } catch {
      // `check` tells before the next write.
    }
  }
}

/** Moves a stale lock aside; false where it was gone or is a live one. */
function removeStale(path: string): boolean {
  const before = readOwner(path)?.token;
  const aside = join(dirname(path), tempName());
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  const mine = readOwner(aside)?.token === before;
  // Somebody else was quicker and this is their live lock: give it back.
  if (!mine) {
    try {
      linkSync(aside, path);
    } catch {
      // A third run holds it now; the owner of this one stops at its check.
    }
  }
  // It may be a folder, which somebody else made.
  rmSync(aside, { recursive: true, force: true });
  return mine;
}
