/**
 * Splits a command line into commands without a grammar: for PowerShell, for
 * cmd, and where the parser gives up.
 *
 * @module
 */
import { type Dialect, UNKNOWN, type Word } from "./types.ts";
import { type Frame, span } from "./words.ts";

/** A command found by splitting. */
export interface Piece {
  /** Its words. */
  words: Word[];
  /** It follows a pipe. */
  piped: boolean;
}

/** Deepest nesting of blocks that is followed. */
const BLOCK_DEPTH = 6;
/** Most commands taken from one text. */
const PIECE_LIMIT = 2000;

const PS_KEYWORD =
  /^(?:if|else|elseif|foreach|for|while|do|until|try|catch|finally|function|filter|return|switch|param|process|begin|end|throw|exit|in)$/i;
const POSIX_KEYWORD =
  /^(?:if|then|else|elif|fi|do|done|while|until|!|\{|\}|time|case|esac|for|select|function|in|and|or|not|begin|end)$/;

/** Takes a piece; false where no more are wanted. */
type Take = (piece: Piece) => boolean;

/** Splits a text. Never throws; time is linear in the text. */
export function split(frame: Frame, dialect: Dialect, take: Take): void {
  let left = PIECE_LIMIT;
  const some: Take = (piece) => left-- > 0 && take(piece);
  try {
    splitInto(frame, dialect, 0, frame.text.length, 0, some);
  } catch {
    // What was found so far is kept.
  }
}

function splitInto(
  frame: Frame,
  dialect: Dialect,
  from: number,
  to: number,
  depth: number,
  take: Take,
): boolean {
  const text = frame.text;
  let words: Word[] = [];
  let groups: [number, number][] = [];
  let piped = false;
  let i = from;
  const flush = (nextPiped: boolean): boolean => {
    const clean = trimWords(words, dialect);
    if (clean.length > 0 && !take({ words: clean, piped })) return false;
    words = [];
    piped = nextPiped;
    const inner = groups;
    groups = [];
    if (depth >= BLOCK_DEPTH) return true;
    return inner.every(([a, b]) =>
      splitInto(frame, dialect, a, b, depth + 1, take)
    );
  };
  while (i < to) {
    const c = text[i] ?? "";
    const next = text[i + 1] ?? "";
    if (c === "\n" || c === ";" && dialect !== "cmd") {
      if (!flush(false)) return false;
      i++;
    } else if (c === " " || c === "\t" || c === "\r") i++;
    else if (c === "|") {
      if (!flush(next !== "|")) return false;
      i += next === "|" || next === "&" ? 2 : 1;
    } else if (c === "&") {
      if (dialect === "powershell" && next !== "&" && words.length === 0) {
        words.push(mark(frame, i));
      } else if (!flush(false)) return false;
      i += next === "&" ? 2 : 1;
    } else if (c === "#" && dialect !== "cmd") {
      i = lineEnd(text, i, to);
    } else if (
      dialect !== "cmd" && (c === "`" || c === "\\") && next === "\n"
    ) i += 2;
    else if (c === "(" || c === ")" || c === "{" || c === "}") {
      const list = dialect === "cmd" && c === "(" &&
        /^in$/i.test(words[words.length - 1]?.value ?? "");
      if (list || dialect === "powershell" && (c === "(" || c === "{")) {
        const end = groupEnd(text, i, to, dialect);
        // `for /f %i in ('CMD')` runs what it quotes.
        const quoted = list && /^\s{0,8}['`]/.test(text.slice(i + 1, i + 12));
        if (!list) groups.push([i + 1, end]);
        else if (quoted) {
          const from = i + 2 + text.slice(i + 1, end).search(/['`]/);
          groups.push([from, Math.max(from, text.lastIndexOf("'", end - 1))]);
        }
        words.push(opaque(frame, i, Math.min(end + 1, to)));
        i = end + 1;
      } else {
        if (!flush(false)) return false;
        i++;
      }
    } else {
      const end = readWord(frame, dialect, i, to, words, groups);
      i = end > i ? end : i + 1;
    }
  }
  return flush(false);
}

/** Reads one word; returns where it ends. */
function readWord(
  frame: Frame,
  dialect: Dialect,
  from: number,
  to: number,
  words: Word[],
  groups: [number, number][],
): number {
  const text = frame.text;
  const escape = dialect === "powershell"
    ? "`"
    : dialect === "cmd"
    ? "^"
    : "\\";
  let value = "";
  let literal = true;
  let quoted = false;
  let i = from;
  for (; i < to; i++) {
    const c = text[i] ?? "";
    if (c === escape && i + 1 < to) {
      i++;
      value += text[i];
      continue;
    }
    if (c === '"' || (c === "'" && dialect !== "cmd")) {
      quoted = true;
      const end = quoteEnd(text, i, to, dialect);
      const body = text.slice(i + 1, end);
      if (c === '"' && /[$`]/.test(body)) {
        literal = literal && !/\$[\w({]/.test(body);
      }
      value += c === '"' ? body.replace(/\$\{?[\w:]{1,80}\}?/g, UNKNOWN) : body;
      i = end;
      continue;
    }
    if (dialect === "powershell" && (c === "@" || c === "$")) {
      const next = text[i + 1];
      if (next === "(" || next === "{") {
        const end = groupEnd(text, i + 1, to, dialect);
        // A hash table holds names and values, no commands.
        if (!(c === "@" && next === "{")) groups.push([i + 2, end]);
        value += UNKNOWN;
        literal = false;
        i = end;
        continue;
      }
    }
    if (c === "$" && /\w/.test(text[i + 1] ?? "")) {
      literal = false;
      const end = wordEnd(text, i + 1, to);
      value += value.length === 0 && dialect === "powershell"
        ? text.slice(i, end)
        : UNKNOWN;
      i = end - 1;
      continue;
    }
    if (/[\s;|&]/.test(c) || (/[(){}]/.test(c) && dialect !== "cmd")) {
      if (c === ";" && dialect === "cmd") {
        value += c;
        continue;
      }
      break;
    }
    if (dialect === "cmd" && (c === ")" || c === "(")) break;
    value += c;
  }
  // An unclosed quote reaches to the end, and no further.
  const stop = Math.min(i, to);
  const [start, end] = span(frame, from, stop);
  words.push({ value, start, end, literal, quoted });
  return stop;
}

function wordEnd(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && /[\w:]/.test(text[i] ?? "")) i++;
  return i;
}

function lineEnd(text: string, from: number, to: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 || end > to ? to : end;
}

/** Index of the closing quote, or the end of the text. */
function quoteEnd(
  text: string,
  from: number,
  to: number,
  dialect: Dialect,
): number {
  const quote = text[from];
  const escape = dialect === "powershell" ? "`" : dialect === "cmd" ? "" : "\\";
  for (let i = from + 1; i < to; i++) {
    const c = text[i];
    if (c === escape && quote === '"') i++;
    else if (c === quote) {
      if (dialect === "powershell" && text[i + 1] === quote) i++;
      else return i;
    }
  }
  return to;
}

/** Index of the bracket that closes the one at `from`, or the end. */
function groupEnd(
  text: string,
  from: number,
  to: number,
  dialect: Dialect,
): number {
  let open = 0;
  for (let i = from; i < to; i++) {
    const c = text[i] ?? "";
    if (c === "`") i++;
    else if (c === '"' || c === "'") i = quoteEnd(text, i, to, dialect);
    else if (c === "(" || c === "{") open++;
    else if (c === ")" || c === "}") {
      open--;
      if (open === 0) return i;
    }
  }
  return to;
}

function mark(frame: Frame, at: number): Word {
  const [start, end] = span(frame, at, at + 1);
  return { value: "&", start, end, literal: true, quoted: false };
}

function opaque(frame: Frame, from: number, to: number): Word {
  const [start, end] = span(frame, from, to);
  return { value: UNKNOWN, start, end, literal: false, quoted: false };
}

/** Takes keywords, assignments and call operators off the front. */
function trimWords(words: Word[], dialect: Dialect): Word[] {
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    const next = words[i + 1]?.value ?? "";
    if (dialect === "powershell") {
      if (word.value === "&" || word.value === ".") {
        return words.slice(i + 1);
      }
      if (!word.quoted && PS_KEYWORD.test(word.value)) continue;
      if (/^[+]?=$/.test(next) && !word.quoted) {
        i++;
        continue;
      }
      if (/^\$[\w:]+=$/.test(word.value)) continue;
      // A quoted word on its own is a value, and so is a group.
      if (word.quoted || (word.value === UNKNOWN && i === 0)) return [];
    } else if (dialect === "cmd") {
      const lower = word.value.toLowerCase();
      if (lower === "rem" || lower.startsWith("::")) return [];
      if (lower === "if") {
        i += /^(?:not|\/i)$/i.test(next) ? 2 : 1;
        const test = words[i]?.value.toLowerCase() ?? "";
        if (/^(?:exist|defined|errorlevel)$/.test(test)) i++;
        else if (words[i + 1]?.value === "==") i += 2;
        continue;
      }
      if (lower === "for") {
        const run = words.findIndex((w, at) => at > i && /^do$/i.test(w.value));
        if (run < 0) return [];
        i = run;
        continue;
      }
      if (/^(?:else|do|call)$/.test(lower)) continue;
      if (lower === "start") {
        while (/^\/|^$/.test(words[i + 1]?.value ?? "x")) i++;
        if (words[i + 1]?.quoted && words[i + 2]) i++;
        continue;
      }
      if (word.value.startsWith("@") && word.value.length > 1) {
        return [{ ...word, value: word.value.slice(1) }, ...words.slice(i + 1)];
      }
    } else if (!word.quoted && POSIX_KEYWORD.test(word.value)) continue;
    break;
  }
  return i > 0 ? words.slice(i) : words;
}
