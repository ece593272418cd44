/**
 * Reads a command line: every command in it, with its words, redirects and
 * offsets. Total and pure.
 *
 * @module
 */
import { parseScript } from "./unbash.ts";
import type { Dialect, ShellParse } from "./types.ts";
import { COMMAND_LIMIT, Line, type Place } from "./line.ts";
import { addPieces } from "./start.ts";
import { walkScript } from "./walk.ts";
import type { Frame } from "./words.ts";

export type {
  Command,
  CommandContext,
  Dialect,
  Elsewhere,
  Redirect,
  ShellParse,
  Word,
} from "./types.ts";
export { SHELLS } from "./launchers.ts";
export { UNKNOWN } from "./types.ts";

const CMDLET =
  /^(?:Get|Set|New|Remove|Invoke|Connect|Disconnect|Stop|Start|Select|Where|ForEach|Out|Write|ConvertTo|ConvertFrom|Test|Import|Export|Add|Clear|Copy|Move|Rename|Restart|Update|Install|Uninstall|Publish|Register|Unregister|Enable|Disable|Measure|Sort|Join|Split|Resolve|Expand|Compress|Push|Pop|Suspend|Resume|Save|Send|Grant|Revoke|Wait)-[A-Z][A-Za-z0-9]{1,60}$/;
const CMD_AHEAD =
  /(?:^|[&|(]\s{0,20})(?:@echo\s+off|for\s{1,20}(?:\/[a-z]\s{1,20}.{0,80}?)?%%?[a-z]\s{1,20}in\s{0,20}\(|if\s{1,20}(?:not\s{1,20})?(?:exist|defined|errorlevel)\s)/i;
const CMDLET_AHEAD =
  /(?:^|[\n;|{(=]\s{0,20})(?:\$env:\w{1,80}\s{0,4}=|\$\w{1,80}(?:\s{1,4}=|\s{0,4}=\s{0,4}[A-Z][a-z]{1,20}-[A-Z])|(?:Get|Set|New|Remove|Invoke|Connect|Stop|Start|Write|Test|Import|Restart|Update|Where|Select)-[A-Z][A-Za-z0-9]{1,60}(?=[\s;|)]|$))/;

/**
 * Reads a command line.
 *
 * @param text The command as written; more than 256 KB is read in part.
 * @param dialect The shell that reads it, where known. PowerShell is also
 * recognised by its cmdlets.
 * @returns Every command; `complete` is false where some could be missing.
 * Never throws.
 */
export function parseShell(text: string, dialect?: Dialect): ShellParse {
  const normal = normalise(text);
  const frame: Frame = { text: normal.text, at: normal.at, inside: false };
  // Where the text alone tells, a POSIX tree is not tried first.
  const told = dialect === undefined && normal.text.includes("$env:") &&
    CMDLET_AHEAD.test(normal.text);
  let read: Dialect = dialect ?? (told ? "powershell" : "posix");
  let line = walk(frame, read);
  if (dialect === undefined && !told) {
    if (powershell(line, frame)) read = "powershell";
    else if (!line.complete && CMD_AHEAD.test(frame.text)) read = "cmd";
    else read = windows(line, frame) ?? read;
    if (read !== "posix") line = walk(frame, read);
  }
  return {
    commands: line.commands,
    variables: line.variables,
    complete: line.complete && normal.whole && read === "posix",
    dialect: read,
    comments: read === "posix" ? comments(frame, line) : [],
  };
}

/** A text of so many separators may hold more commands than are taken. */
const DENSE = COMMAND_LIMIT + 100;

/** Where a text has so many separators that reading on may be in vain. */
function denseEnd(text: string): number {
  if (text.length < 4096) return text.length;
  let count = 0;
  let last = -2;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    // Line feed, `&`, `;`, `|`; two in a row are one.
    if (c !== 10 && c !== 38 && c !== 59 && c !== 124) continue;
    if (at > last + 1 && ++count > DENSE) return at;
    last = at;
  }
  return text.length;
}

function walk(frame: Frame, dialect: Dialect): Line {
  const { text } = frame;
  const end = dialect === "posix" ? denseEnd(text) : text.length;
  // The parser takes its time for what is not taken afterwards.
  if (end < text.length * 0.75) {
    const line = walkTo(frame, dialect, end);
    if (line.full()) return line;
  }
  return walkTo(frame, dialect, text.length);
}

function walkTo(frame: Frame, dialect: Dialect, end: number): Line {
  const line = new Line(
    frame,
    inverse(frame),
    frame.text.length + 32 * 1024,
  );
  const place: Place = { frame, context: "main", depth: 0, launchers: [] };
  try {
    if (dialect !== "posix") {
      addPieces(line, frame, dialect, place);
      return line;
    }
    const script = parseScript(frame.text.slice(0, end));
    if (script) walkScript(line, script, place);
    if (!script || script.errors && script.errors.length > 0) {
      line.broken = true;
    }
    // What lies behind an error is found by splitting, with less trust.
    if (line.broken) {
      line.complete = false;
      addPieces(line, frame, "posix", place);
    }
  } catch {
    line.complete = false;
  }
  return line;
}

function powershell(line: Line, frame: Frame): boolean {
  for (const command of line.commands) {
    const word = command.words[0];
    if (!word || command.depth > 0 || word.quoted) continue;
    const first = word.value.charCodeAt(0);
    // All cmdlets begin with an upper-case letter.
    if (first >= 65 && first <= 90 && CMDLET.test(word.value)) return true;
  }
  return !line.complete && CMDLET_AHEAD.test(frame.text);
}

/** What only the shells of Windows know, and the shell that does. */
const WINDOWS: ReadonlyMap<string, Dialect> = new Map([
  ...["del", "erase", "rd", "ren", "copy", "move", "xcopy", "robocopy", "type"]
    .map((name) => [name, "cmd"] as const),
  ...["gc", "gci", "sls", "ri", "cpi", "mi", "ni"]
    .map((name) => [name, "powershell"] as const),
]);

/** `del /q a\b`: there a backslash parts folders and hides nothing. */
function windows(line: Line, frame: Frame): Dialect | undefined {
  if (!frame.text.includes("\\")) return undefined;
  for (const { depth, words, start, end } of line.commands) {
    const read = depth > 0 ? undefined : WINDOWS.get(words[0]?.value ?? "");
    if (
      read && /[\w.~:]\\[\w.*]/.test(
        frame.text.slice(line.from(start), line.from(end)),
      )
    ) return read;
  }
  return undefined;
}

/** Original offset -> offset in the frame, for monotone frames. */
function inverse(frame: Frame): (offset: number) => number {
  if (frame.at(frame.text.length) === frame.text.length) return (o) => o;
  return (offset) => {
    let low = 0;
    let high = frame.text.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frame.at(middle) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Comments: a `#` at the start of a word, outside every word and body. */
function comments(frame: Frame, line: Line): [number, number][] {
  const text = frame.text;
  const found: [number, number][] = [];
  let at = text.indexOf("#");
  if (at < 0) return found;
  const taken: [number, number][] = [];
  for (const command of line.commands) {
    if (command.depth > 0) continue;
    for (const word of command.words) taken.push([word.start, word.end]);
    for (const a of command.assignments) {
      taken.push([a.value.start, a.value.end]);
    }
    for (const r of command.redirects) {
      if (r.target) taken.push([r.target.start, r.target.end]);
      if (r.body) taken.push([r.body.start, r.body.end]);
    }
  }
  taken.sort((a, b) => a[0] - b[0]);
  let next = 0;
  let reach = 0;
  for (; at >= 0; at = text.indexOf("#", at + 1)) {
    const before = at === 0 ? "\n" : text[at - 1] ?? "\n";
    if (!/[\s;&|()]/.test(before)) continue;
    const original = frame.at(at);
    while (next < taken.length && (taken[next]?.[0] ?? 0) <= original) {
      reach = Math.max(reach, taken[next]?.[1] ?? 0);
      next++;
    }
    if (original < reach) continue;
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    found.push([original, stop > at ? frame.at(stop - 1) + 1 : original]);
    at = stop;
  }
  return found;
}

// Takes out what no shell sees and remembers where it was.

/** Longest text that is parsed, in UTF-16 units; real commands stay far below. */
const PARSE_LIMIT = 256 * 1024;

/** A text ready to parse. */
interface Normal {
  /** The text to parse. */
  text: string;
  /** Its offset -> offset in the original. */
  at(offset: number): number;
  /** False where the text was longer than the limit. */
  whole: boolean;
}

// NUL, ANSI escape sequences (CSI, OSC, two-character), CR before LF.
const NOISE =
  // deno-lint-ignore no-control-regex -- exactly these are to be removed
  /\0|\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])|\r(?=\n)/g;
// deno-lint-ignore no-control-regex -- exactly these are to be removed
const ANY_NOISE = /[\0\x1b\r]/;

/** Normalises a command line. Never throws. */
function normalise(original: string): Normal {
  const whole = original.length <= PARSE_LIMIT;
  const cut = whole ? original : original.slice(0, PARSE_LIMIT);
  if (!ANY_NOISE.test(cut)) return { text: cut, at: same, whole };
  // Pairs: offset in the new text from which on, and how much to add.
  const from: number[] = [];
  const add: number[] = [];
  let removed = 0;
  const text = cut.replace(NOISE, (match: string, offset: number) => {
    from.push(offset - removed);
    removed += match.length;
    add.push(removed);
    return "";
  });
  return { text, at: (offset) => offset + shift(from, add, offset), whole };
}

const same = (offset: number): number => offset;

function shift(from: number[], add: number[], offset: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : add[low - 1] ?? 0;
}
