/**
 * Texts made fit to store: no control characters, no secrets, no home
 * directory, bounded.
 *
 * @module
 */
import { redact, redactAndCut } from "../redact/mod.ts";
import { lifetimeMs } from "../store/layout.ts";
import {
  foldHome,
  foldHomes,
  inside,
  normalPath,
  resolvePath,
} from "./paths.ts";

// Besides control characters: marks that turn text around or hide it.
const UNFIT =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Texts that need no closer look, which most are. */
const FIT = /^[\t\n -~]*$/;

/**
 * The text with every unfit unit replaced by one other, so that offsets stay:
 * a carriage return by a blank, all else by U+FFFD. Line feeds and tabs stay.
 */
export function plain(text: string): string {
  return FIT.test(text)
    ? text
    : text.replace(UNFIT, (c) => (c === "\r" ? " " : "\ufffd"));
}

/** Most texts that are remembered; names and paths repeat a lot. */
const REMEMBERED = 2000;

/** What was made of texts, remembered for a while. */
class Memory {
  #known = new Map<string, string>();

  /** What is known of a text, or is made of it now. */
  get(text: string, make: () => string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = make();
    if (text.length <= 500) {
      if (this.#known.size >= REMEMBERED) this.#known.clear();
      this.#known.set(text, made);
    }
    return made;
  }
}

/** One memory for each limit: there are few. */
const lines: (Memory | undefined)[] = [];

/** One line, redacted and cut; "" where nothing is left. */
export function line(text: string, limit: number): string {
  if (text === "") return "";
  return (lines[limit] ??= new Memory()).get(
    text,
    () =>
      redactAndCut(
        plain(text).replace(/[\s\ufffd]+/g, " ").trim(),
        limit,
      ).text.trim(),
  );
}

/** Where the paths of a session are relative to. */
export interface PathBase {
  /** Its working directory, normalised. */
  cwd?: string;
  /** The root of its repository, normalised; also as the session calls it. */
  roots: readonly string[];
}

/**
 * A path as people know it: relative to the repository where it lies in it,
 * the home directory as `~`. Not redacted.
 */
export function shownPath(path: string, base: PathBase): string {
  const full = base.cwd ? resolvePath(base.cwd, path) : normalPath(path);
  for (const root of base.roots) {
    const below = inside(root, full);
    if (below !== undefined) return below || ".";
  }
  return foldHome(full);
}

/** Paths are remembered for the folders used last. */
let lastBase: PathBase | undefined, lastPaths = new Memory();

/** A path as it is stored: shown, redacted, on one line. */
export function storedPath(path: string, base: PathBase): string {
  if (base !== lastBase) {
    lastBase = base;
    lastPaths = new Memory();
  }
  return lastPaths.get(
    path,
    () =>
      redact(plain(shownPath(path, base)).replace(/[\s\ufffd]+/g, " ")).text,
  );
}

/**
 * A text that names paths, such as the files of a patch: those in the
 * repository relative to it, home directories as `~`. Not redacted.
 */
export function shownText(text: string, base: PathBase): string {
  let shown = text;
  for (const root of base.roots) {
    if (root.length <= 1) continue;
    shown = /^[A-Za-z]:/.test(root)
      ? shown.replace(windowsRoot(root), "")
      : shown.replaceAll(`${root}/`, "");
  }
  return foldHomes(shown);
}

/** The root of a Windows folder: either slash, either case. */
function windowsRoot(root: string): RegExp {
  const parts = root.split("/").filter((part) => part !== "").map((part) =>
    part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(parts.join("[\\\\/]") + "[\\\\/]", "gi");
}

// Points in time as people write them.

const DATE =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * `30m`, `12h`, `7d`, `2w`, `6mo`, `2y` before `now`, or an ISO date with or
 * without a time (local unless it names a zone), as epoch milliseconds;
 * undefined for anything else.
 */
export function parseWhen(text: string, now: number): number | undefined {
  const ago = lifetimeMs(text);
  if (ago !== undefined) return now - ago;
  if (!DATE.test(text)) return undefined;
  // `Date.parse` takes a date alone for UTC; people mean their own midnight.
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(at) ? undefined : at;
}
