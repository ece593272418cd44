/**
 * Values whose name says that they are secrets: in environments, flags, YAML,
 * JSON, INI, HCL, XML, PowerShell, SQL and code.
 *
 * @module
 */
import {
  isStrong,
  mayHaveValue,
  readColumns,
  readInserts,
  readJoined,
  readWrapped,
} from "./joins.ts";
import { type NameAt, type NameLevel, nameLevel, namesIn } from "./names.ts";
import {
  DEFAULT_STOP,
  ELEMENT_STOP,
  type Findings,
  FLOW_STOP,
  type Reader,
  SHELL_STOP,
  type ValueAt,
} from "./spans.ts";
import {
  type Form,
  isHex,
  isProse,
  isSecretValue,
  looksRandom,
} from "./values.ts";

const KEY_END = /(?:\\{0,3}["'`”’]\]?|\]|\*\*|__)?/y;
const SEPARATOR =
  /([ \t]{0,20})(:=|\?=|=>|:-|={1,3}|!==?|::|[:：])([ \t]{0,40})/y;
const SPACE = /[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?/y;
const PAIR =
  /\\{0,3}["']?(?:\s{0,20},\s{0,20}\\{0,3}["']\w{1,30}\\{0,3}["']\s{0,4}:\s{0,4}(?:\\{0,3}["'][^"'{}\n\\]{0,80}\\{0,3}["']|[\w.-]{1,20})){0,4}?[ \t]{0,8}[,;]?\s{0,40}(?:-\s)?\\{0,3}["']?(?:parameter|string|secret|default)?_?(?:value|default)\\{0,3}["']?[ \t]{0,8}(?:[:=]|=>)[ \t]{0,8}/iy;
const BLOCK = /[|>][+-]?\d?[ \t]{0,8}\r?\n/y;
const ELEMENT = /(?:<\/key>\s{0,40}<string|\\{0,3}["'])>/y;
const CALL = /\([ \t]{0,4}(?=\\{0,3}["'`])/y;

/** Flags that ask or switch; what follows them is no value. */
const SWITCH =
  /^(?:no|use|with|without|require|requires|enable|disable|has|is|show|reset|change|ask|prompt|verify|generate|force|allow|skip|check|get|list|rotate|revoke|print|dry|read|save|store|ignore|keep|need|needs|wants?|new-random)[-_.]/i;

/**
 * So many names without a blank between them are no text that people or
 * agents write; the rest of such a run is taken for a secret, unread.
 */
const MAX_IN_RUN = 100;

/** A value that has been redacted already. */
const DONE = /[\\"'`\]]{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"'`]{0,4}\[REDACTED/y;

/** Pass 4: values named as secrets. */
export function findNamed(found: Findings): void {
  let run = 0;
  let inside = 0;
  const again = found.text.includes("[REDACTED");
  for (const name of namesIn(found.text)) {
    // Inside of what is redacted already nothing is left to find.
    if (found.has(name.start, name.end)) continue;
    if (again) {
      DONE.lastIndex = name.end;
      if (DONE.test(found.text)) continue;
    }
    inside = name.start < run ? inside + 1 : 0;
    run = Math.max(run, found.reader.runAt(name.start));
    if (inside > MAX_IN_RUN) found.add(name.start, run, "secret");
    else if (mayHaveValue(found.text, name)) findAt(found, name);
    if (
      /[,;\t|]/.test(
        found.text.slice(Math.max(0, name.start - 2), name.end + 2),
      )
    ) {
      for (const cell of readColumns(found.reader, name)) {
        take(found, cell, name.level, "pair");
      }
    }
  }
  if (/\binto\b/i.test(found.text)) {
    for (const { name, at } of readInserts(found.text)) {
      const level = nameLevel(name);
      if (level && level !== "weak" && !found.has(at.start, at.end)) {
        take(found, at, level, "pair");
      }
    }
  }
}

function findAt(found: Findings, name: NameAt): void {
  const r = found.reader;
  const { text } = r;
  const { start, end, level } = name;
  const before = text.slice(Math.max(0, start - 96), start);
  KEY_END.lastIndex = end;
  const closed = KEY_END.exec(text)?.[0].length ?? 0;
  const at = end + closed;

  if (/<$/.test(before) && text[end] === ">") {
    return takeElement(found, r.bare(end + 1, ELEMENT_STOP), level, "pair");
  }
  // `<key>APIKey</key><string>…`, `<entry name="password">…`
  ELEMENT.lastIndex = end;
  const element = ELEMENT.exec(text);
  if (element) {
    const value = r.bare(end + element[0].length, ELEMENT_STOP);
    return takeElement(found, value, level, "colon");
  }
  const pair = readPair(r, end, before);
  if (pair) return take(found, pair, level, "pair");
  const joined = readJoined(r, start, end, before);
  if (joined) return take(found, joined.at, level, joined.form);

  SEPARATOR.lastIndex = at;
  const sep = SEPARATOR.exec(text);
  if (sep) {
    // A line of a shell goes on behind a backslash.
    const on = /^\\\r?\n/.exec(
      text.slice(at + sep[0].length, at + sep[0].length + 3),
    );
    const from = at + sep[0].length + (on?.[0].length ?? 0);
    const value = readSeparated(r, name, before, sep, from);
    if (value) {
      cutAtDelimiter(before, value.at);
      if (isVerdict(text.slice(start, end), value.at, value.form)) {
        return;
      }
      take(found, value.at, level, value.form);
    } else if (/^[:：]/.test(sep[2] ?? "")) {
      for (const line of readBlock(r, start, at + sep[0].length)) {
        take(found, line, level, "pair");
      }
    }
    return;
  }
  const spaced = readSpaced(r, name, before, at);
  if (spaced) take(found, spaced.at, level, spaced.form);
}

/** `name="DB_PASSWORD" value="…"`, `variable "x" { default = "…" }`. */
function readPair(
  r: Reader,
  end: number,
  before: string,
): ValueAt | undefined {
  const { text } = r;
  if (
    !/(?:name|key|variable|id|field|option)["'\\]{0,4}\s{0,4}[:=]?\s{0,4}["'\\]{0,4}$/i
      .test(before.slice(-28))
  ) {
    return undefined;
  }
  PAIR.lastIndex = end;
  const m = PAIR.exec(text);
  if (m) {
    const at = end + m[0].length;
    return r.quoted(at) ?? r.bare(at, FLOW_STOP);
  }
  if (/variable\s{1,4}["']$/.test(before)) {
    const body = text.slice(end, end + 600);
    const close = body.indexOf("\n}");
    const def = /\bdefault\s{0,8}=\s{0,8}(?=")/.exec(
      close < 0 ? body : body.slice(0, close),
    );
    if (def) return r.quoted(end + def.index + def[0].length);
  }
  return undefined;
}

function readSeparated(
  r: Reader,
  name: NameAt,
  before: string,
  sep: RegExpExecArray,
  at: number,
): { at: ValueAt; form: Form } | undefined {
  const { text } = r;
  const [, gap = "", sign = "", after = ""] = sep;
  if (sign === "::" || sign.startsWith("!")) return undefined;
  const label = text.slice(name.start, name.end);
  const near = before.slice(-4);
  const flag = /(?:^|[\s"'`=(,[])--?$/.test(near) ||
    (sign === ":" && /(?:^|\s)\/$/.test(near));
  // `$TOKEN:` reads a variable; only an assignment may follow one.
  if (/\$\{?$/.test(near)) {
    if (sign === ":-" || (sign === ":=" && before.endsWith("{"))) {
      return { at: r.bare(at, DEFAULT_STOP), form: "plain" };
    }
    if (sign !== "=" && sign !== "=>") return undefined;
  }
  if (near.endsWith("%")) return undefined;
  if (before.includes("-secrets") && REFERS.test(before)) return undefined;
  if (near.endsWith(":") && /\barn:[\w:*/-]{0,80}:$/.test(before)) {
    return undefined;
  }
  // `refs/heads/api-token:9f2c…`: a path and what belongs to it.
  if (sign === ":" && after === "" && /[\w.-]\/$/.test(near)) {
    const value = r.bare(at, SHELL_STOP).value;
    if (isHex(value) || !looksRandom(value)) return undefined;
  }
  // In a shell that is a command's output.
  if (sign === "=" && gap + after === "" && text[at] === "`") return undefined;
  const quoted = r.quoted(at);
  // `ask("Password: ")`: that quote closes.
  if (
    quoted && /^\s{0,2}[)\]};,?+]/.test(quoted.value) &&
    /["'`][\w ,]{0,40}$/.test(before)
  ) return undefined;
  if (
    quoted &&
    (after === "" || sign !== "=" || gap !== "" || quoted.value !== "")
  ) {
    const form: Form = flag
      ? "flag"
      : sign.startsWith("=") && sign.length === 1 && isEnvName(label, before)
      ? "env"
      : "pair";
    if (/^={2,3}$/.test(sign) && name.level !== "password") {
      return looksRandom(quoted.value) ? { at: quoted, form } : undefined;
    }
    return { at: quoted, form };
  }
  if (/^={2,3}$/.test(sign)) return undefined;
  const wrapped = readWrapped(r, at);
  if (wrapped) return wrapped;
  if (sign === ":" || sign === "：") {
    if (flag) return { at: r.bare(at, SHELL_STOP), form: "flag" };
    if (isYamlLine(r, name.start)) {
      BLOCK.lastIndex = at;
      if (BLOCK.test(text)) return undefined;
      const line = r.line(at);
      // A line of code ends so; YAML does not.
      const tail = /[,;{[(]+$/.exec(line.value);
      if (tail) shorten(line, tail.index);
      if (line.value === "") return undefined;
      if (!/\s/.test(line.value)) return { at: line, form: "colon" };
      if (name.level === "password" && !isProse(line.value)) {
        return { at: line, form: "colon" };
      }
    }
    // `//registry/:_authToken=x` and `user:pass` have no blank; prose has one.
    const value = r.bare(at, FLOW_STOP);
    trimEnd(value);
    return { at: value, form: "colon" };
  }
  if (gap === "" && after !== "" && sign === "=" && !/\n|^$/.test(after)) {
    // `PASSWORD= cmd`: an empty value, unless what follows is plainly a secret.
    const value = r.bare(at, SHELL_STOP);
    return looksRandom(value.value) ? { at: value, form: "plain" } : undefined;
  }
  if (gap !== "" || sign === "=>") {
    const value = r.bare(at, FLOW_STOP);
    // Bare after ` = `: INI says so on a line of its own, code ends with `;`.
    const next = text[value.end] ?? "\n";
    if (!/[\s]/.test(next) || !isYamlLine(r, name.start)) {
      return looksRandom(value.value, 20)
        ? { at: value, form: "colon" }
        : undefined;
    }
    return { at: value, form: "colon" };
  }
  const env = isEnvName(label, before);
  const value = r.bare(at, SHELL_STOP);
  if (LISTS.test(before.slice(-28))) {
    const cut = value.value.search(/,(?=[\w.[\]-]{1,80}=)/);
    if (cut > 0) shorten(value, cut);
  }
  if (!env && !flag) {
    const cut = value.value.search(/[,}\]](?:$|[\s"'])|,(?=[\w.]{1,40}=)/);
    if (cut >= 0) shorten(value, cut);
    // `f(password=pw)`: a call's argument is a variable unless quoted.
    const next = text[value.end] ?? "";
    const inCall = /[(]\s{0,4}$|,\s{1,4}$|,\n\s{0,40}$/.test(before) ||
      next === ")" ||
      next === "(";
    if (inCall && !looksRandom(value.value, 20) && !isNoName(value.value)) {
      return undefined;
    }
  }
  widen(text, before, value);
  return { at: value, form: flag ? "flag" : env ? "env" : "plain" };
}

/** Flags, SQL, `setx NAME value`, `ENV NAME value`, calls, `.netrc`, prose. */
function readSpaced(
  r: Reader,
  name: NameAt,
  before: string,
  at: number,
): { at: ValueAt; form: Form } | undefined {
  const { text } = r;
  const label = text.slice(name.start, name.end);
  CALL.lastIndex = at;
  const call = CALL.exec(text);
  if (call) {
    const value = r.quoted(at + call[0].length);
    return value && { at: value, form: "call" };
  }
  SPACE.lastIndex = at;
  const space = SPACE.exec(text);
  if (!space) return undefined;
  const from = at + space[0].length;
  if (/(?:^|[\s"'`(])--?$/.test(before)) {
    if (SWITCH.test(label) || text[from] === "-") return undefined;
    // `-k` and the like are judged by program; a name has four letters.
    if (before.endsWith(" -") && label.length < 4 && !/^pwd$/i.test(label)) {
      return undefined;
    }
    const value = r.quoted(from) ?? r.bare(from, SHELL_STOP);
    return { at: value, form: "flag" };
  }
  if (
    /\b(?:setx|setenv|config:set|config set|configure set|auth set|env set|set -\w{1,4}|ENV|ARG|variable set|secrets? set|secrets? put|secrets? add)(?:\s+(?:--?[\w-]{1,20}(?:[= ][\w./-]{1,40})?))?\s+["']?$/
      .test(before)
  ) {
    const value = r.quoted(from) ?? r.bare(from, SHELL_STOP);
    if (value.value.startsWith("-")) return undefined;
    return { at: value, form: "env" };
  }
  // `Set-Item Env:NAME 'x'`
  if (/\benv:$/i.test(before)) {
    const value = r.quoted(from);
    if (value) return { at: value, form: "env" };
  }
  // `["db"]["password"] "x"`
  if (text[at - 1] === "]") {
    const value = r.quoted(from);
    if (value) return { at: value, form: "pair" };
  }
  const quoted = r.quoted(from);
  const sql = isSql(before);
  if (
    quoted && sql &&
    /^(?:pass.{0,60}|secret(?:_\w{1,20})?|(?:aws_)?(?:secret_|session_)\w{3,20})$/i
      .test(label)
  ) {
    return { at: quoted, form: name.level === "password" ? "pair" : "env" };
  }
  // `ALTER USER a PASSWORD EXPIRE`
  if (sql && !quoted) return undefined;
  if (/^(?:password|passwd|requirepass|masterauth|psk)$/i.test(label)) {
    const netrc = /(?:login|user|machine)\s+\S{1,80}\s+$/i.test(before) ||
      /^(?:requirepass|masterauth)$/i.test(label);
    if (netrc) {
      return {
        at: quoted ?? r.bare(from, SHELL_STOP),
        form: "flag",
      };
    }
  }
  // "the password is hunter2"
  const is = /^(?:is|was|=>|->)[ \t]{1,4}:?[ \t]{0,2}/.exec(
    text.slice(from, from + 12),
  );
  if (is) {
    const value = r.quoted(from + is[0].length) ??
      r.bare(from + is[0].length, FLOW_STOP);
    trimEnd(value);
    const plain = name.level === "password" && /\d/.test(value.value);
    return plain || isStrong(value.value)
      ? { at: value, form: "colon" }
      : undefined;
  }
  return undefined;
}

/** Options whose value is a list of pairs: `--set a=1,b=2`. */
const LISTS = /--set(?:-[a-z]{2,8}){0,2}[ =]["']?$/;

/** Options whose pairs name where secrets are kept: `--set-secrets A=name:1`. */
const REFERS = /--(?:set|update|add)-secrets[ =]["']?[\w./:=,-]{0,90}$/;

/** Letters, digits and signs in one word that no variable is called. */
function isNoName(value: string): boolean {
  return /^[A-Za-z0-9][\w.!#@%^&*?~-]{5,60}$/.test(value) &&
    /\d/.test(value) && /[A-Za-z]{2}/.test(value) &&
    /[-!#@%^&*?~]/.test(value);
}

/** `-F "password=my pass"`: one pair fills the quotes of a flag's value. */
function widen(text: string, before: string, value: ValueAt): void {
  const quote =
    /(?:--data-urlencode|--set|--set-string|-var|--from-literal|-e|--env|--build-arg|-F|--form|-D)[ =]?(["'])$/
      .exec(before.slice(-20))?.[1];
  if (!quote || !/[ \t]/.test(text[value.end] ?? "")) return;
  const whole =
    /^[^"'\n]{1,200}/.exec(text.slice(value.start, value.start + 240))
      ?.[0] ?? "";
  const end = value.start + whole.length;
  if (text[end] !== quote) return;
  if (/[=;&|\n$`]/.test(whole)) return;
  value.end = end;
  value.value = whole;
}

/** The lines of a YAML block scalar, each a value. */
function readBlock(r: Reader, start: number, at: number): ValueAt[] {
  const { text } = r;
  BLOCK.lastIndex = at;
  const m = BLOCK.exec(text);
  if (!m) return [];
  const out: ValueAt[] = [];
  const indent = start - (r.lineStart(start) ?? start);
  let from = at + m[0].length;
  for (let i = 0; i < 60 && from < text.length; i++) {
    const line = r.line(from);
    const lead = /^[ \t]{0,80}/.exec(line.value)?.[0].length ?? 0;
    if (line.value !== "" && lead <= indent) break;
    if (line.value.trim() !== "") {
      out.push({
        ...line,
        start: line.start + lead,
        value: line.value.slice(lead),
        quoted: true,
      });
    }
    from = r.next("\n", from) + 1;
  }
  return out;
}

/** In `s|a=.*|a=VALUE|` the sign behind the `s` ends the value. */
function cutAtDelimiter(before: string, value: ValueAt): void {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const sign = /(?:^|[\s"';{}])s([|#,@!/~])/.exec(line)?.[1];
  const cut = sign ? value.value.indexOf(sign) : -1;
  if (cut >= 0) shorten(value, cut);
}

function trimEnd(value: ValueAt): void {
  const tail = /[.,:;!?]{1,3}$/.exec(value.value);
  if (tail && /^[.,:;?]+$/.test(tail[0])) shorten(value, tail.index);
}

function shorten(value: ValueAt, length: number): void {
  value.end = value.start + length;
  value.value = value.value.slice(0, length);
}

/** Upper-case names, and names that `export`, `-e` and the like introduce. */
function isEnvName(label: string, before: string): boolean {
  return /^[A-Z][A-Z0-9_]{1,79}$/.test(label) ||
    /(?:\bexport|\bsetx?|\bdeclare|-e|--env|--build-arg|\$env:|\bENV|\bARG|-v|--set|--set-string|--data|-d|--form|-F|--from-literal|-D|-P)[ =]?["']?(?:[\w.-]{1,40}\.)?$/
      .test(before);
}

function isYamlLine(r: Reader, start: number): boolean {
  const { text } = r;
  const from = r.lineStart(start);
  if (from === undefined) return false;
  if (from === 0) return start === 0 && r.next("\n", 0) < text.length;
  return /^[ \t]*(?:- )?["']?$/.test(text.slice(from, start));
}

function isSql(before: string): boolean {
  return /\b(?:alter|create|set|grant|drop)\s{1,8}(?:user|role|login|password|or\s+replace|external|credential|database|server|master|secret|stage|connection|subscription|persistent\s+secret)\b|\bidentified\b/i
    .test(before);
}

/** `Pass: x`, `"pass": "…"` are verdicts of tests more often than passwords. */
function isVerdict(label: string, at: ValueAt, form: Form): boolean {
  if (!/^pass$/i.test(label) || form === "env" || form === "flag") return false;
  return !/^[!-~]{5,60}$/.test(at.value) || !/\d/.test(at.value) ||
    form === "colon" && label !== "pass";
}

/** The text of an XML element, if it is one. */
function takeElement(
  found: Findings,
  at: ValueAt,
  level: NameLevel,
  form: Form,
): void {
  if (found.text.startsWith("</", at.end)) take(found, at, level, form);
}

function take(
  found: Findings,
  at: ValueAt,
  level: NameLevel,
  form: Form,
): void {
  // Quotes in quotes: `-v pw="'…'"`.
  const inner = /^(["'])([^"']{1,400})\1$/.exec(at.value);
  if (inner) {
    at = { ...at, start: at.start + 1, end: at.end - 1, value: inner[2] ?? "" };
  }
  if (!isSecretValue(at.value, level, form, at.quoted)) return;
  found.add(at.start, at.end, level === "password" ? "password" : "secret");
}
