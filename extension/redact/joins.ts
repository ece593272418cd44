/**
 * How code, tables and encoded text join a name and its value: typed
 * declarations, fallbacks, tuples, columns. Assignments, YAML and flags are
 * read in `named.ts`.
 *
 * @module
 */
import { type NameAt, nameLevel } from "./names.ts";
import { type Reader, SHELL_STOP, type ValueAt } from "./spans.ts";
import { type Form, isMixed, isUuid, looksRandom } from "./values.ts";

/** A value joined to a name. */
export interface Joined {
  /** Where it stands. */
  at: ValueAt;
  /** How it is joined. */
  form: Form;
}

/** Words that join a name and a value, or tell the type of one. */
const JOINER = /(?:is|was|to|or|std|string|str|text|char)\b/iy;
/** Words before a name whose value follows behind a blank. */
const SETS =
  /set|ENV|ARG|put|add|variable|user|role|login|machine|identified|alter|create|grant|drop|\]/i;

/** One look at what follows tells most names in paths and prose. */
export function mayHaveValue(
  text: string,
  { start, end, level }: NameAt,
): boolean {
  if (end >= text.length) return false;
  const next = text.charCodeAt(end);
  // `/`, `}`, `@`, `#`, `&`, `^`, `$`, `+`
  if (
    next === 47 || next === 125 || next === 64 || next === 35 || next === 38 ||
    next === 94 || next === 36 || next === 43
  ) return false;
  if (next !== 32 || level === "password") return true;
  // `token expired`: no flag, no assignment, no sentence about its value.
  if (!/[A-Za-z0-9]/.test(text[end + 1] ?? "")) return true;
  if (text[start - 1] === "-") return true;
  JOINER.lastIndex = end + 1;
  return JOINER.test(text) ||
    SETS.test(text.slice(Math.max(0, start - 96), start));
}

/** `password: str = "…"`, `const PASSWORD: &'static str = "…"`. */
const TYPED = new RegExp(
  [
    /(?:[ \t]{0,4}[?!]?:[ \t]{0,4}|[ \t]{1,4}(?=(?:std::)?(?:string|String|str|text|char)\b))/,
    /(?:&(?:'[a-z]{1,20}[ \t])?)?(?:mut[ \t])?[A-Za-z_][\w.:]{0,40}(?:[<[][\w.,<>[\] |&']{0,40}[>\]])?/,
    /(?:[ \t]?\|[ \t]?[\w.]{1,20}){0,3}[?*!]?[ \t]{0,4}:?=[ \t]{0,4}(?=[A-Za-z@$]?["'`])/,
  ].map((part) => part.source).join(""),
  "y",
);

/** `process.env.NAME || "…"`, `ENV["NAME"] ?? '…'`, `getenv("NAME") or "…"`. */
const FALLBACK =
  /(?:\\{0,3}["'`]?[\])]{1,2})?\s{0,4}(?:\|\|=?|\?\?=?|\bor\b|\?:)\s{0,4}(?=[A-Za-z]?["'`])/y;

/** `NAME <- "…"`, `"NAME" to "…"`, `"NAME" -> "…"`. */
const ARROW =
  /\\{0,3}["'`]?[ \t]{0,4}(?:<-|->|~>|\bto\b)[ \t]{0,4}(?=\\{0,3}["'`])/y;

/** `#define NAME "…"`, `:name "…"`, `--arg name "…"`. */
const DEFINED =
  /(?:#[ \t]{0,4}define[ \t]{1,4}|(?:^|[\s{([,]):|--arg(?:json)?[ \t]{1,4}|\\set[ \t]{1,4}|\((?:def|setq|defvar)[ \t]{1,4})$/;
const GAP = /[ \t]{1,20}(?=\\{0,3}["'`])/y;

/** `"NAME", "…"`. */
const COMMA = /\\{0,3}["'`][ \t]{0,4},\s{0,20}(?=\\{0,3}["'`])/y;
const SETTER =
  /(?:set|put|add|append|define|env|header|environ)\w{0,30}\(?\s{0,4}\\{0,3}["'`]$/i;
const ENV_GETTER =
  /env\w{0,12}(?:\.(?:get|fetch))?\(\s{0,4}["'`](?:[\w.]{1,40}[._])?$/i;
const TUPLE = /[([{,]\s{0,20}\\{0,3}["'`]$/;
const FLAG = /["'`]--?$/;

/** Percent-encoded `":"` and `=`, once or twice. */
const ENCODED =
  /(?:%(?:25)?(?:22|27|5D))?(?:%(?:25)?20|\+)?(?:%(?:25)?(?:3A|3D)|[:=])(?:%(?:25)?20|\+)?(?:%(?:25)?(?:22|27))?/iy;
const ENCODED_VALUE =
  /(?:[^\s"'`&<>%|;]|%(?!(?:25)?(?:22|26|27|2C|5D|7D))[0-9A-F]{2}){3,2000}/iy;

/** `Some("…")`, `new Secret('…')`, `String::from("…")`. */
const WRAP =
  /(?:new[ \t]{1,4})?([A-Za-z_][\w.:!]{0,60})(?:<[\w<>&' ]{0,20}>)?\(\s{0,4}(?=[A-Za-z]?["'`])/y;
const LITERAL =
  /(?:^|[.:_])(?:some|just|ok|of|from|new|string|str|text|bytes?|buffer|value|literal|const|make|optional|secret_?(?:str|string)?|securestring|sensitive|password|token|credential|b64\w{0,8}|encode\w{0,8}|decode\w{0,8})!?$/i;

/** A cell of a Markdown table, and what begins the next. */
const CELL = /(?:\*\*|[`"'])?[ \t]{0,40}\|[ \t]{0,8}(?:\*\*|[`"'])?/y;
const IN_CELL = /\|[ \t]{0,8}(?:\*\*|[`"'])?$/;

/** Names before the equals sign; the value stands behind. */
export function readJoined(
  r: Reader,
  start: number,
  end: number,
  before: string,
): Joined | undefined {
  const next = r.text[end] ?? "";
  if (next === "%") return readEncoded(r, end);
  // A shell's variable has been set before it is read.
  if (/\$\{?$/.test(before)) return undefined;
  const typed = after(r, TYPED, end) ?? after(r, ARROW, end);
  if (typed) return { at: typed, form: "pair" };
  const fallback = after(r, FALLBACK, end);
  if (fallback) return { at: fallback, form: "pair" };
  if (DEFINED.test(before)) {
    const defined = after(r, GAP, end);
    if (defined) return { at: defined, form: "pair" };
  }
  const second = after(r, COMMA, end);
  if (second) {
    if (FLAG.test(before)) return { at: second, form: "flag" };
    if (SETTER.test(before)) return { at: second, form: "pair" };
    // The default of a variable that is not set.
    if (ENV_GETTER.test(before)) return { at: second, form: "call" };
    if (TUPLE.test(before)) return strict(second);
  }
  if (IN_CELL.test(r.text.slice(Math.max(0, start - 12), start))) {
    CELL.lastIndex = end;
    const cell = CELL.exec(r.text);
    if (cell) {
      const value = r.bare(end + cell[0].length, SHELL_STOP);
      if (
        /^[`"'*]{0,2}[ \t]{0,80}\|/.test(
          r.text.slice(value.end, value.end + 84),
        )
      ) {
        return strict(value);
      }
    }
  }
  return undefined;
}

function after(r: Reader, pattern: RegExp, at: number): ValueAt | undefined {
  pattern.lastIndex = at;
  const m = pattern.exec(r.text);
  return m ? r.quoted(at + m[0].length) : undefined;
}

function strict(at: ValueAt): Joined | undefined {
  return isStrong(at.value) ? { at, form: "pair" } : undefined;
}

function readEncoded(r: Reader, end: number): Joined | undefined {
  ENCODED.lastIndex = end;
  const m = ENCODED.exec(r.text);
  if (!m) return undefined;
  const start = end + m[0].length;
  ENCODED_VALUE.lastIndex = start;
  const value = ENCODED_VALUE.exec(r.text)?.[0] ?? "";
  if (value === "") return undefined;
  return {
    at: { start, end: start + value.length, value, quoted: false },
    form: "plain",
  };
}

/** A quoted value inside of a call that makes something of it. */
export function readWrapped(r: Reader, at: number): Joined | undefined {
  WRAP.lastIndex = at;
  const m = WRAP.exec(r.text);
  const value = m && r.quoted(at + m[0].length);
  if (!value) return undefined;
  return LITERAL.test(m[1] ?? "") && !/\s/.test(value.value)
    ? { at: value, form: "pair" }
    : strict(value);
}

/**
 * A value that no name, file, version or word looks like: noise, or three
 * kinds of characters among which are digits.
 */
export function isStrong(value: string): boolean {
  if (isUuid(value)) return true;
  const level = nameLevel(value);
  if (!isMixed(value) || level && level !== "weak") return false;
  // Names in code, with a number: `confirmField2`.
  if (/^[a-z]{2,20}(?:[A-Z][a-z]{1,20}){1,4}\d{0,2}$/.test(value)) return false;
  if (looksRandom(value, 12)) return true;
  return /\d/.test(value) && /[a-z]/.test(value) &&
    /[A-Z!@#$%^&*+=~?]/.test(value) && value.length >= 8;
}

// Columns: a list of names, then lists of values in the same order.

const HEADING = /^[\s"'`*]{0,20}[\w .-]{0,40}[\s"'`*]{0,40}$/;
const INSERT =
  /\binsert\s{1,8}(?:ignore\s{1,8})?into\s{1,8}[\w."`[\]]{1,120}\s{0,8}\(([^()]{3,400})\)\s{0,8}values\s{0,8}/gi;
const ROW =
  /\(((?:'[^'\n]{0,400}'|"[^"\n]{0,400}"|[^()'"]){1,2000})\)\s{0,8},?\s{0,8}/y;
const FIELD =
  /\s{0,8}(?:'([^'\n]{0,400})'|"([^"\n]{0,400})"|([^,'"]{0,200}))\s{0,8}(?:,|$)/y;
/** No more lines of a table are read. */
const MAX_ROWS = 200;

/** Values under a column that is named as a secret. */
export function readColumns(
  r: Reader,
  name: { start: number; end: number },
): ValueAt[] {
  const { text } = r;
  const from = r.lineStart(name.start);
  if (from === undefined) return [];
  const end = r.next("\n", name.end);
  if (end - from > 600 || end >= text.length) return [];
  const head = text.slice(from, end).replace(/\r$/, "");
  const sign = /[|,;\t]/.exec(head)?.[0];
  if (!sign) return [];
  const names = head.split(sign);
  if (!names.every((n) => HEADING.test(n))) return [];
  const column = text.slice(from, name.start).split(sign).length - 1;
  const [own] = trimCell(names[column] ?? "");
  if (own !== text.slice(name.start, name.end)) return [];
  const out: ValueAt[] = [];
  let at = end + 1;
  for (let i = 0; i < MAX_ROWS && at < text.length; i++) {
    const stop = r.next("\n", at);
    if (stop - at > 2000) break;
    const cells = text.slice(at, stop).replace(/\r$/, "").split(sign);
    if (cells.length !== names.length) break;
    const [value, lead] = trimCell(cells[column] ?? "");
    const start = at + lead + cells.slice(0, column).join(sign).length +
      (column > 0 ? 1 : 0);
    // In Markdown words about a secret stand as often.
    if (value !== "" && (sign !== "|" || isStrong(value))) {
      out.push({ start, end: start + value.length, value, quoted: false });
    }
    at = stop + 1;
  }
  return out;
}

/** What a cell holds, and where in it. */
function trimCell(cell: string): [string, number] {
  const lead = /^[\s"'`*]{0,40}/.exec(cell)?.[0].length ?? 0;
  return [cell.slice(lead).replace(/[\s"'`*]{0,40}$/, ""), lead];
}

/** A value of a row, and the name of its column. */
export interface Inserted {
  /** The column. */
  name: string;
  /** The value. */
  at: ValueAt;
}

/** Values of `INSERT INTO t (a, b) VALUES ('x', 'y')` with their columns. */
export function* readInserts(text: string): Generator<Inserted> {
  for (const m of text.matchAll(INSERT)) {
    const names = (m[1] ?? "").split(",").map((n) =>
      n.trim().replace(/^[`"'[]|[`"'\]]$/g, "")
    );
    ROW.lastIndex = m.index + m[0].length;
    for (let i = 0; i < MAX_ROWS; i++) {
      const at = ROW.lastIndex;
      const row = ROW.exec(text);
      if (!row) break;
      const body = row[1] ?? "";
      FIELD.lastIndex = 0;
      for (const name of names) {
        const field = FIELD.exec(body);
        if (!field) break;
        const value = field[1] ?? field[2];
        if (value === undefined) continue;
        const start = at + 1 + field.index + field[0].search(/['"]/) + 1;
        yield {
          name,
          at: { start, end: start + value.length, value, quoted: true },
        };
      }
    }
  }
}
