/**
 * Splits a text into simple commands and their words, well enough to find
 * arguments by position. Used where no parse of the shell room is given and
 * for commands inside of words (`bash -c '…'`, scripts in heredocs).
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import type { Reader } from "./spans.ts";

/** A word, as written, with its quotes. */
export interface Arg {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** As written. */
  raw: string;
}

/** One simple command. */
export interface Simple {
  /** Its words, the program first; assignments and redirects left out. */
  words: Arg[];
  /** Index of the command whose output it reads. */
  stdin?: number;
  /** Here-strings and heredoc bodies that it reads. */
  feeds: Arg[];
}

/** Commands of a text, and parts that may hold more. */
export interface Commands {
  /** In order. */
  commands: Simple[];
  /** Ranges worth splitting on their own: quoted words, bodies, comments. */
  nested: Arg[];
}

/** A longer `$(…)` is read as words. */
const MAX_SUBSTITUTION = 600;

const ASSIGNMENT = /^[A-Za-z_]\w{0,80}\+?=/;
const KEYWORD = /^(?:do|then|else|elif|if|while|until|time|!)$/;
const HEREDOC = /<<(-?)[ \t]{0,4}(\\?)(["']?)([A-Za-z_][\w.-]{0,60})\3/y;

/** Commands of a parse; what it holds in strings is left to `nested`. */
export function commandsOfParse(text: string, parse: ShellParse): Commands {
  const commands: Simple[] = [];
  const nested: Arg[] = [];
  const index = new Map<number, number>();
  const arg = (start: number, end: number): Arg => ({
    start,
    end,
    raw: text.slice(start, end),
  });
  parse.commands.forEach((command, i) => {
    if (command.inside) return;
    const words: Arg[] = [];
    for (const word of command.words) {
      const a = arg(word.start, word.end);
      if (words.length === 0 && ASSIGNMENT.test(a.raw)) continue;
      words.push(a);
      note(nested, a);
    }
    const feeds: Arg[] = [];
    for (const redirect of command.redirects) {
      const body = redirect.op === "<<<"
        ? redirect.body ?? redirect.target
        : redirect.body;
      if (!body) continue;
      const a = arg(body.start, body.end);
      feeds.push(a);
      if (redirect.op !== "<<<") nested.push(a);
    }
    for (const { value } of command.assignments) {
      note(nested, arg(value.start, value.end));
    }
    const stdin = command.stdin === undefined
      ? undefined
      : index.get(command.stdin);
    index.set(i, commands.length);
    commands.push(
      stdin === undefined ? { words, feeds } : { words, feeds, stdin },
    );
  });
  for (const [start, end] of parse.comments) nested.push(arg(start + 1, end));
  return { commands, nested };
}

/** Notes a word that may hold commands. */
function note(nested: Arg[], word: Arg): void {
  if (/["'`(]/.test(word.raw) && /\s/.test(word.raw)) nested.push(word);
}

/** Splits the range of a text into commands. */
export function splitCommands(
  reader: Reader,
  from: number,
  to: number,
): Commands {
  const { text } = reader;
  const commands: Simple[] = [];
  const nested: Arg[] = [];
  let current: Simple = { words: [], feeds: [] };
  let pending: { word: string; strip: boolean; owner: Simple }[] = [];
  let skip = false;
  let feed = false;
  let at = from;
  // Quotes without an end are no quotes; remembered, to stay linear.
  const open: Record<string, number> = {};

  const close = (pipe: boolean) => {
    const used = current.words.length > 0 || current.feeds.length > 0;
    if (used) commands.push(current);
    current = { words: [], feeds: [] };
    if (pipe && commands.length > 0) current.stdin = commands.length - 1;
    skip = false;
    feed = false;
  };

  while (at < to) {
    const c = text[at] ?? "";
    if (c === "\n") {
      at++;
      close(false);
      for (const doc of pending) at = readBody(doc, at);
      pending = [];
      continue;
    }
    if (c === " " || c === "\t" || c === "\r") {
      at++;
      continue;
    }
    if (
      (c === "\\" || c === "^" || c === "`") &&
      /^\r?\n/.test(text.slice(at + 1, at + 3))
    ) {
      at = text.indexOf("\n", at) + 1;
      continue;
    }
    if (c === "#") {
      const end = lineEnd(at);
      nested.push({ start: at + 1, end, raw: text.slice(at + 1, end) });
      at = end;
      continue;
    }
    if (
      c === ";" || c === "(" || c === ")" ||
      c === "{" && /\s/.test(text[at + 1] ?? "")
    ) {
      close(false);
      at++;
      continue;
    }
    if (c === "|" || c === "&") {
      if (c === "&" && text[at + 1] === ">") {
        at += 2;
        skip = true;
        continue;
      }
      const double = text[at + 1] === c;
      at += double || text[at + 1] === "&" ? 2 : 1;
      close(c === "|" && !double);
      continue;
    }
    if (c === "<" || c === ">") {
      if (text.startsWith("<<<", at)) {
        at += 3;
        feed = true;
        continue;
      }
      HEREDOC.lastIndex = at;
      const doc = HEREDOC.exec(text);
      if (doc) {
        pending.push({
          word: doc[4] ?? "",
          strip: doc[1] === "-",
          owner: current,
        });
        at += doc[0].length;
        continue;
      }
      at += text[at + 1] === c || text[at + 1] === "&" ? 2 : 1;
      skip = true;
      continue;
    }
    const end = Math.max(wordEnd(at), at + 1);
    const word: Arg = { start: at, end, raw: text.slice(at, end) };
    at = end;
    note(nested, word);
    // `2>file`: the number belongs to the redirect.
    if (/^\d$/.test(word.raw) && /[<>]/.test(text[at] ?? "")) continue;
    if (skip) {
      skip = false;
      continue;
    }
    if (feed) {
      feed = false;
      current.feeds.push(word);
      continue;
    }
    if (current.words.length === 0) {
      if (ASSIGNMENT.test(word.raw) || KEYWORD.test(word.raw)) continue;
    }
    current.words.push(word);
  }
  close(false);
  return { commands, nested };

  function lineEnd(i: number): number {
    const end = text.indexOf("\n", i);
    return end < 0 || end > to ? to : end;
  }

  function readBody(
    doc: { word: string; strip: boolean; owner: Simple },
    start: number,
  ): number {
    let line = start;
    while (line < to) {
      const end = lineEnd(line);
      const content = text.slice(line, Math.min(end, line + 120));
      if ((doc.strip ? content.trimStart() : content).trimEnd() === doc.word) {
        push(line);
        return end;
      }
      line = end + 1;
    }
    push(to);
    return to;

    function push(end: number) {
      const stop = Math.max(start, end - 1);
      const body = { start, end: stop, raw: text.slice(start, stop) };
      doc.owner.feeds.push(body);
      nested.push(body);
    }
  }

  function wordEnd(i: number): number {
    while (i < to) {
      const c = text[i] ?? "";
      if (c === "\\") {
        // An escaped quote opens a string in a text that is quoted itself.
        i += 2;
      } else if (c === "'" || c === '"') {
        i = quoteEnd(i, c);
      } else if (c === "`") {
        if (/^\r?\n/.test(text.slice(i + 1, i + 3))) return i;
        i = quoteEnd(i, c);
      } else if (c === "$" && text[i + 1] === "(") {
        i = parenEnd(i + 2);
      } else if (/[\s;|&<>()]/.test(c)) {
        return i;
      } else i++;
    }
    return to;
  }

  function quoteEnd(i: number, quote: string): number {
    if (i >= (open[quote] ?? Infinity)) return i + 1;
    let end = i + 1;
    while (end < to && text[end] !== quote) {
      if (quote !== "'" && text[end] === "\\") end++;
      end++;
    }
    if (end >= to) {
      open[quote] = i;
      return i + 1;
    }
    return end + 1;
  }

  function parenEnd(i: number): number {
    let depth = 1;
    const limit = Math.min(to, i + MAX_SUBSTITUTION);
    if (reader.next(")", i) >= limit) return i;
    for (let end = i; end < limit; end++) {
      const c = text.charCodeAt(end);
      if (c === 40) depth++;
      else if (c === 41 && --depth === 0) return end + 1;
    }
    return i;
  }
}

/** The range of a word without the quotes around it. */
export function bare(arg: Arg): Arg {
  let { start, raw } = arg;
  if (/^\$["']/.test(raw)) {
    start++;
    raw = raw.slice(1);
  }
  const m = /^(\\{0,3}["'`])([^]*)\1$/.exec(raw);
  if (!m || raw.length < 2) return { start, end: start + raw.length, raw };
  const quote = m[1] ?? "";
  return {
    start: start + quote.length,
    end: start + raw.length - quote.length,
    raw: m[2] ?? "",
  };
}

/** The part of a word from an offset on, without quotes around it. */
export function rest(arg: Arg, from: number): Arg {
  return bare({
    start: arg.start + from,
    end: arg.end,
    raw: arg.raw.slice(from),
  });
}

/** The name of the program that a word calls: `/usr/bin/psql.exe` is `psql`. */
export function programOf(raw: string): string {
  if (raw.length > 200) return "";
  let name = raw;
  if (/["'\\/.]/.test(name)) {
    name = name.replace(/^["'\\]{1,3}|["'\\]{1,3}$/g, "");
    name = name.slice(
      Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1,
    );
    name = name.replace(/\.(?:exe|cmd|bat|sh|ps1)$/i, "");
  }
  if (name.includes("@")) name = name.replace(/(?<=\w)@[\w.-]{1,30}$/, "");
  return name.toLowerCase();
}
