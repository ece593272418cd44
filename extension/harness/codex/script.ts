/**
 * Code mode: one `exec` call runs a script that calls tools. Finds the shell
 * commands in it without running it.
 *
 * @module
 */

import { PATCH_BEGIN } from "./patch.ts";

/** What a script calls. */
export interface Script {
  /** Shell commands written out in it, in order. */
  commands: string[];
  /** How often it runs a shell command, written out or not. */
  shells: number;
  /** Names of other tools that it calls, each once. */
  tools: string[];
}

/** Scripts are read up to this many UTF-16 units. */
const MAX_SCRIPT = 512 * 1024;

const CALL = /\btools\s{0,4}\.\s{0,4}([A-Za-z_$][\w$]{0,120})\s{0,4}\(/g;
const SHELL = new Set(["exec_command", "shell_command", "shell"]);
/** The key of a command inside the argument of a shell tool. */
const KEY = /(?:\bcmd\b|\bcommand\b|["'](?:cmd|command)["'])\s{0,9}(:?)/;

/** The string literal that starts at `at`; undefined where there is none. */
function literal(
  text: string,
  at: number,
): { value: string; end: number } | undefined {
  const quote = text[at];
  if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
  let value = "";
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i];
    if (c === quote) return { value, end: i + 1 };
    if (c === "\n" && quote !== "`") return undefined;
    if (c !== "\\") {
      value += c;
      continue;
    }
    const escaped = escape(text, i);
    value += escaped.value;
    i = escaped.last;
  }
  return undefined;
}

const SIMPLE: Record<string, string> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
  "\n": "",
};

/** What the escape at the backslash `at` stands for, and its last unit. */
function escape(text: string, at: number): { value: string; last: number } {
  const c = text[at + 1] ?? "";
  const hex = c === "x"
    ? /^[0-9a-fA-F]{2}/.exec(text.slice(at + 2, at + 4))
    : c === "u"
    ? /^(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})/.exec(
      text.slice(at + 2, at + 10),
    )
    : null;
  if (hex) {
    const code = parseInt(hex[0].replace(/[{}]/g, ""), 16);
    return {
      value: code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd",
      last: at + 1 + hex[0].length,
    };
  }
  return { value: SIMPLE[c] ?? c, last: at + 1 };
}

const CONSTANT =
  /\b(?:const|let|var)\s{1,9}([A-Za-z_$][\w$]{0,60})\s{0,9}=\s{0,9}/g;

/** The literals that names are set to, looked up as they are asked for. */
class Constants {
  #text: string;
  #places: Map<string, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The literal that a name is first set to, if it is. */
  get(name: string): string | undefined {
    if (!this.#places) {
      this.#places = new Map();
      for (const set of this.#text.matchAll(CONSTANT)) {
        const key = set[1] ?? "";
        if (!this.#places.has(key)) {
          this.#places.set(key, set.index + set[0].length);
        }
      }
    }
    const at = this.#places.get(name);
    return at === undefined ? undefined : literal(this.#text, at)?.value;
  }
}

/** The command in the argument that starts at `from`, before `limit`. */
function command(
  text: string,
  from: number,
  limit: number,
  constants: Constants,
): string | undefined {
  const key = KEY.exec(text.slice(from, Math.min(limit, from + 4000)));
  if (!key) return undefined;
  if (key[1] === "") {
    // Shorthand `{cmd, …}`: the variable has the key's name.
    return constants.get(key[0].trim().replace(/["']/g, ""));
  }
  const end = from + key.index + key[0].length;
  const blanks = /^\s{0,20}/.exec(text.slice(end, end + 20));
  const at = end + (blanks?.[0].length ?? 0);
  const written = literal(text, at);
  if (written) return written.value;
  const name = /^[A-Za-z_$][\w$]{0,60}/.exec(text.slice(at, at + 61))?.[0];
  return name === undefined ? undefined : constants.get(name);
}

/** The tools and commands of a script. */
export function readScript(source: string): Script {
  const text = source.length > MAX_SCRIPT
    ? source.slice(0, MAX_SCRIPT)
    : source;
  const commands: string[] = [];
  const tools = new Set<string>();
  let shells = 0;
  const constants = new Constants(text);
  const calls = [...text.matchAll(CALL)];
  calls.forEach((call, i) => {
    const name = call[1] ?? "";
    if (!SHELL.has(name)) {
      tools.add(name);
      return;
    }
    shells++;
    const next = calls[i + 1]?.index ?? text.length;
    const found = command(
      text,
      call.index + call[0].length,
      next,
      constants,
    );
    if (found !== undefined) commands.push(found);
  });
  return { commands, shells, tools: [...tools] };
}

/** The quote in front of a patch, and what may stand between. */
const BEFORE = /["'`](?:\s|\\[nrt]){0,20}$/;

/**
 * The patches written out in a script, each a literal of its own; with escaped
 * line feeds made real. Where there is none, what looks like one.
 */
export function scriptPatches(source: string): string[] {
  const text = source.slice(0, MAX_SCRIPT);
  const found: string[] = [];
  // A quote without its end is looked at once: no later one has one.
  const open = new Set<string>();
  for (let at = 0;;) {
    const begin = text.indexOf(PATCH_BEGIN, at);
    if (begin < 0) break;
    at = begin + 1;
    const quote = BEFORE.exec(text.slice(Math.max(0, begin - 40), begin))?.[0];
    if (quote === undefined || open.has(quote[0]!)) continue;
    const written = literal(text, begin - quote.length);
    if (written) {
      found.push(written.value);
      at = written.end;
    } else open.add(quote[0]!);
  }
  const begin = text.indexOf(PATCH_BEGIN);
  return found.length > 0 || begin < 0
    ? found
    : [text.slice(begin).replaceAll("\\n", "\n")];
}
