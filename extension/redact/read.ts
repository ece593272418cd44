/**
 * Reading one value out of a text, with the quotes it stands in.
 *
 * @module
 */
import { MAX_VALUE } from "./values.ts";

/** A value in a text; the range leaves its quotes out. */
export interface ValueAt {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The text of it. */
  value: string;
  /** It stood in quotes. */
  quoted: boolean;
}

const CLOSERS: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "„": "“",
  "«": "»",
  "「": "」",
};

const OPENING = /(?:[fbruFBRU@$]{0,2}(?=["']))?(\\{0,3})(["'`“‘„«「])/y;
const TRIPLE = /"""|'''/y;

/** The quoted value that begins at an offset; undefined where none does. */
export function readQuoted(text: string, at: number): ValueAt | undefined {
  OPENING.lastIndex = at;
  const m = OPENING.exec(text);
  if (!m) return undefined;
  let start = at + m[0].length;
  const slashes = m[1] ?? "";
  const quote = m[2] ?? "";
  let closer = slashes + (CLOSERS[quote] ?? quote);
  TRIPLE.lastIndex = start - 1;
  if (slashes === "" && TRIPLE.test(text)) {
    start += 2;
    closer = closer.repeat(3);
  }
  const limit = Math.min(text.length, start + MAX_VALUE);
  let end = start;
  while (end < limit) {
    const c = text[end];
    if (c === "\n") break;
    if (text.startsWith(closer, end)) break;
    // An escaped quote belongs to the value, unless escapes are the delimiter.
    end += c === "\\" && slashes === "" && quote === '"' ? 2 : 1;
  }
  end = Math.min(end, limit);
  return { start, end, value: text.slice(start, end), quoted: true };
}

/** The bare value at an offset, up to the first character of `stop`. */
export function readBare(text: string, at: number, stop: RegExp): ValueAt {
  const limit = Math.min(text.length, at + MAX_VALUE);
  let end = at;
  while (end < limit) {
    const c = text[end] ?? "";
    if (c === "\\" && /[ $;&|()<>!#*?\\]/.test(text[end + 1] ?? "")) {
      end += 2;
      continue;
    }
    if (stop.test(c)) break;
    end++;
  }
  end = Math.min(end, limit);
  return { start: at, end, value: text.slice(at, end), quoted: false };
}

/** Ends a bare word of a shell. */
export const SHELL_STOP = /[\s"'`;&|<>()“”]/;

/** Ends a bare value in prose or a flow of code. */
export const FLOW_STOP = /[\s"'`,;)}\]<>“”]/;

/** The rest of the line at an offset, without a comment and blanks behind it. */
export function readLine(text: string, at: number): ValueAt {
  let end = text.indexOf("\n", at);
  if (end < 0) end = text.length;
  end = Math.min(end, at + MAX_VALUE);
  const comment = text.slice(at, end).search(/\s#/);
  if (comment >= 0) end = at + comment;
  while (end > at && /\s/.test(text[end - 1] ?? "")) end--;
  return { start: at, end, value: text.slice(at, end), quoted: false };
}

/** The start of the line that an offset lies in. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}
