/**
 * Values whose name says that they are secrets: in environments, flags, YAML,
 * JSON, INI, HCL, XML, PowerShell, SQL and code.
 *
 * @module
 */
import { type NameAt, type NameLevel, nameLevel, namesIn } from "./names.ts";
import {
  FLOW_STOP,
  lineStart,
  readBare,
  readLine,
  readQuoted,
  SHELL_STOP,
  type ValueAt,
} from "./read.ts";
import type { Findings } from "./spans.ts";
import {
  isCode,
  isHarmless,
  isHex,
  isSlug,
  isUuid,
  looksRandom,
} from "./values.ts";

/** How a name and its value are joined. */
export type Form = "env" | "plain" | "colon" | "flag" | "pair" | "call";

const KEY_END = /(?:\\{0,3}["'`”’]\]?|\]|\*\*|__)?/y;
const SEPARATOR =
  /([ \t]{0,20})(:=|\?=|=>|:-|={1,3}|!==?|::|[:：])([ \t]{0,40})/y;
const SPACE = /[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?/y;
const PAIR =
  /\\{0,3}["']?[ \t]{0,8}[,;]?\s{0,40}(?:-\s)?\\{0,3}["']?(?:parameter|string|secret|default)?_?(?:value|default)\\{0,3}["']?[ \t]{0,8}(?:[:=]|=>)[ \t]{0,8}/iy;
const BLOCK = /[|>][+-]?\d?[ \t]{0,8}\r?\n/y;
const CALL = /\([ \t]{0,4}(?=\\{0,3}["'`])/y;
const SECOND = /\\{0,3}["'`][ \t]{0,4},[ \t]{0,4}(?=\\{0,3}["'`])/y;

/** Flags that ask or switch; what follows them is no value. */
const SWITCH =
  /^(?:no|use|with|without|require|requires|enable|disable|has|is|show|reset|change|ask|prompt|verify|generate|force|allow|skip|check|get|list|rotate|revoke|print|dry|read|save|store|ignore|keep|need|needs|wants?|new-random)[-_.]/i;

/** Pass 4: values named as secrets. */
export function findNamed(found: Findings): void {
  const { text } = found;
  for (const name of namesIn(text)) findAt(found, text, name);
}

function findAt(found: Findings, text: string, name: NameAt): void {
  const { start, end, level } = name;
  const before = text.slice(Math.max(0, start - 48), start);
  KEY_END.lastIndex = end;
  const closed = KEY_END.exec(text)?.[0].length ?? 0;
  const at = end + closed;

  if (/<$/.test(before) && text[end] === ">") {
    const value = readBare(text, end + 1, /[<\n]/);
    return take(found, value, level, "pair");
  }
  const pair = readPair(text, end, before);
  if (pair) return take(found, pair, level, "pair");

  SEPARATOR.lastIndex = at;
  const sep = SEPARATOR.exec(text);
  if (sep) {
    const value = readSeparated(text, name, before, sep, at + sep[0].length);
    if (value) {
      if (isVerdict(text.slice(start, end), value.form, value.at.quoted)) {
        return;
      }
      take(found, value.at, level, value.form);
    } else if (/^[:：]/.test(sep[2] ?? "")) {
      for (const line of readBlock(text, start, at + sep[0].length)) {
        take(found, line, level, "pair");
      }
    }
    return;
  }
  const spaced = readSpaced(text, name, before, at);
  if (spaced) take(found, spaced.at, level, spaced.form);
}

/** `name="DB_PASSWORD" value="…"`, `variable "x" { default = "…" }`. */
function readPair(
  text: string,
  end: number,
  before: string,
): ValueAt | undefined {
  if (
    !/(?:name|key|variable|id|field|option)["'\\]{0,4}\s{0,4}[:=]?\s{0,4}["'\\]{0,4}$/i
      .test(before)
  ) {
    return undefined;
  }
  PAIR.lastIndex = end;
  const m = PAIR.exec(text);
  if (m) {
    const at = end + m[0].length;
    return readQuoted(text, at) ?? readBare(text, at, FLOW_STOP);
  }
  if (/variable\s{1,4}["']$/.test(before)) {
    const body = text.slice(end, end + 600);
    const close = body.indexOf("\n}");
    const def = /\bdefault\s{0,8}=\s{0,8}(?=")/.exec(
      close < 0 ? body : body.slice(0, close),
    );
    if (def) return readQuoted(text, end + def.index + def[0].length);
  }
  return undefined;
}

function readSeparated(
  text: string,
  name: NameAt,
  before: string,
  sep: RegExpExecArray,
  at: number,
): { at: ValueAt; form: Form } | undefined {
  const [, gap = "", sign = "", after = ""] = sep;
  if (sign === "::" || sign.startsWith("!")) return undefined;
  const label = text.slice(name.start, name.end);
  const flag = /(?:^|[\s"'`=(,[])--?$/.test(before) ||
    (/(?:^|\s)\/$/.test(before) && sign === ":");
  // `$TOKEN:` reads a variable; only an assignment may follow one.
  if (/\$\{?$/.test(before)) {
    if (sign === ":-" || (sign === ":=" && before.endsWith("{"))) {
      return { at: readBare(text, at, /[}\s"'$]/), form: "plain" };
    }
    if (sign !== "=" && sign !== "=>") return undefined;
  }
  if (/%$/.test(before)) return undefined;
  const quoted = readQuoted(text, at);
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
  if (sign === ":" || sign === "：") {
    if (flag) return { at: readBare(text, at, SHELL_STOP), form: "flag" };
    if (isYamlLine(text, name.start)) {
      BLOCK.lastIndex = at;
      if (BLOCK.test(text)) return undefined;
      const line = readLine(text, at);
      if (line.value === "") return undefined;
      if (!/\s/.test(line.value)) return { at: line, form: "colon" };
      if (name.level === "password" && !isProse(line.value)) {
        return { at: line, form: "colon" };
      }
    }
    // `//registry/:_authToken=x` and `user:pass` have no blank; prose has one.
    const value = readBare(text, at, FLOW_STOP);
    trimEnd(value);
    return { at: value, form: "colon" };
  }
  if (gap === "" && after !== "" && sign === "=" && !/\n|^$/.test(after)) {
    // `PASSWORD= cmd`: an empty value, unless what follows is plainly a secret.
    const value = readBare(text, at, SHELL_STOP);
    return looksRandom(value.value) ? { at: value, form: "plain" } : undefined;
  }
  if (gap !== "" || sign === "=>") {
    const value = readBare(text, at, FLOW_STOP);
    // Bare after ` = `: INI says so on a line of its own, code ends with `;`.
    const next = text[value.end] ?? "\n";
    if (!/[\s]/.test(next) || !isYamlLine(text, name.start)) {
      return looksRandom(value.value, 20)
        ? { at: value, form: "colon" }
        : undefined;
    }
    return { at: value, form: "colon" };
  }
  const env = isEnvName(label, before);
  const value = readBare(text, at, SHELL_STOP);
  if (!env && !flag) {
    const cut = value.value.search(/[,}\]](?:$|[\s"'])|,(?=\w{1,40}=)/);
    if (cut >= 0) shorten(value, cut);
    // `f(password=pw)`: a call's argument is a variable unless quoted.
    const next = text[value.end] ?? "";
    const inCall = /[(]\s{0,4}$|,\s{1,4}$|,\n\s{0,40}$/.test(before) ||
      next === ")" ||
      next === "(";
    if (inCall && !looksRandom(value.value, 20)) return undefined;
  }
  widen(text, before, value);
  return { at: value, form: flag ? "flag" : env ? "env" : "plain" };
}

/** Flags, SQL, `setx NAME value`, `ENV NAME value`, calls, `.netrc`, prose. */
function readSpaced(
  text: string,
  name: NameAt,
  before: string,
  at: number,
): { at: ValueAt; form: Form } | undefined {
  const label = text.slice(name.start, name.end);
  CALL.lastIndex = at;
  const call = CALL.exec(text);
  if (call) {
    const value = readQuoted(text, at + call[0].length);
    return value && { at: value, form: "call" };
  }
  SECOND.lastIndex = name.end;
  const second = SECOND.exec(text);
  if (
    second &&
    /(?:set|put|add|append|define|env|header|environ)\w{0,30}\(?\s{0,4}\\{0,3}["'`]$/i
      .test(before)
  ) {
    const value = readQuoted(text, name.end + second[0].length);
    return value && { at: value, form: "pair" };
  }
  SPACE.lastIndex = at;
  const space = SPACE.exec(text);
  if (!space) return undefined;
  const from = at + space[0].length;
  if (/(?:^|[\s"'`(])--?$/.test(before)) {
    if (SWITCH.test(label) || text[from] === "-") return undefined;
    // `-k` and the like are judged by program; a name has four letters.
    if (before.endsWith(" -") && label.length < 4) return undefined;
    const value = readQuoted(text, from) ?? readBare(text, from, SHELL_STOP);
    return { at: value, form: "flag" };
  }
  if (
    /\b(?:setx|setenv|config:set|config set|configure set|auth set|env set|set -\w{1,4}|ENV|ARG|variable set|secrets? set|secrets? put|secrets? add)(?:\s+(?:--?[\w-]{1,20}(?:[= ][\w./-]{1,40})?))?\s+["']?$/
      .test(before)
  ) {
    const value = readQuoted(text, from) ?? readBare(text, from, SHELL_STOP);
    if (value.value.startsWith("-")) return undefined;
    return { at: value, form: "env" };
  }
  if (name.level !== "password") return undefined;
  const quoted = readQuoted(text, from);
  if (quoted && /^PASS|^password$/i.test(label) && isSql(text)) {
    return { at: quoted, form: "pair" };
  }
  if (/^(?:password|passwd|requirepass|masterauth|psk)$/i.test(label)) {
    const netrc = /(?:login|user|machine)\s+\S{1,80}\s+$/i.test(before) ||
      /^(?:requirepass|masterauth)$/i.test(label);
    if (netrc) {
      return {
        at: quoted ?? readBare(text, from, SHELL_STOP),
        form: "flag",
      };
    }
  }
  // "the password is hunter2"
  const is = /^(?:is|was|=>|->)[ \t]{1,4}:?[ \t]{0,2}/.exec(
    text.slice(from, from + 12),
  );
  if (is) {
    const value = readQuoted(text, from + is[0].length) ??
      readBare(text, from + is[0].length, FLOW_STOP);
    trimEnd(value);
    return { at: value, form: "colon" };
  }
  return undefined;
}

/** `-F "password=my pass"`: one pair fills the quotes of a flag's value. */
function widen(text: string, before: string, value: ValueAt): void {
  const quote =
    /(?:--data-urlencode|--set|--set-string|-var|--from-literal|-e|--env|--build-arg|-F|--form|-D)[ =]?(["'])$/
      .exec(before)?.[1];
  if (!quote || !/[ \t]/.test(text[value.end] ?? "")) return;
  const end = text.indexOf(quote, value.end);
  if (end < 0 || end - value.start > 200) return;
  const whole = text.slice(value.start, end);
  if (/[=;&|\n$`]/.test(whole)) return;
  value.end = end;
  value.value = whole;
}

/** The lines of a YAML block scalar, each a value. */
function readBlock(text: string, start: number, at: number): ValueAt[] {
  BLOCK.lastIndex = at;
  const m = BLOCK.exec(text);
  if (!m) return [];
  const out: ValueAt[] = [];
  const indent = start - lineStart(text, start);
  let from = at + m[0].length;
  for (let i = 0; i < 60 && from < text.length; i++) {
    const line = readLine(text, from);
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
    const next = text.indexOf("\n", from);
    if (next < 0) break;
    from = next + 1;
  }
  return out;
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

function isYamlLine(text: string, start: number): boolean {
  const from = lineStart(text, start);
  if (from === 0) return start === 0 && text.includes("\n");
  return start - from < 200 &&
    /^[ \t]*(?:- )?["']?$/.test(text.slice(from, start));
}

function isSql(text: string): boolean {
  return /\b(?:alter|create|set|grant|drop)\s{1,8}(?:user|role|login|password|or\s+replace|external|credential|database|server|master)\b|\bidentified\b/i
    .test(text.slice(0, 20000));
}

/** Several words without a digit: a sentence. */
function isProse(value: string): boolean {
  const words = value.trim().split(/\s+/);
  if (words.length < 2) return false;
  // A wallet's recovery phrase.
  if (/^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/.test(value.trim())) return false;
  return words.length > 6 || !/\d/.test(value) ||
    words.filter((w) => /^[A-Za-z'.,]+$/.test(w)).length >= 3;
}

/** `Pass: x` and `PASS: TestX` are results more often than passwords. */
function isVerdict(label: string, form: Form, quoted: boolean): boolean {
  return /^pass$/i.test(label) &&
    (form === "colon" || form === "pair" && quoted) &&
    label !== "pass";
}

function take(
  found: Findings,
  at: ValueAt,
  level: NameLevel,
  form: Form,
): void {
  if (!isSecretValue(at.value, level, form, at.quoted)) return;
  found.add(at.start, at.end, level === "password" ? "password" : "secret");
}

/** Whether a value of a name of this level, in this form, is a secret. */
export function isSecretValue(
  value: string,
  level: NameLevel,
  form: Form,
  quoted: boolean,
): boolean {
  if (isHarmless(value)) return false;
  if (level === "weak") return isWeakSecret(value);
  const digits = /\d/.test(value);
  const letters = /[A-Za-z]/.test(value);
  const plainWord = /^[A-Za-z]+$/.test(value);
  // Names of variables standing in for their values.
  if (
    /^[A-Z][A-Z_]{2,60}$/.test(value) &&
    (level === "secret" || nameLevel(value))
  ) {
    return false;
  }
  if (!quoted && form !== "env" && isCode(value)) return false;
  if (quoted && form === "pair" && isCall(value)) return false;
  if (level === "password") {
    if (isUuid(value)) return true;
    if (quoted && form !== "env" && form !== "flag" && isProse(value)) {
      return false;
    }
    if (!letters && digits) return value.length >= 4 && form !== "colon";
    if (form === "env" || form === "flag" || form === "plain") return true;
    if (form === "colon") {
      if (plainWord) return /^[a-z]{8,}$/.test(value);
      return digits
        ? value.length >= 5
        : /[^A-Za-z0-9_\-./:]/.test(value) && value.length >= 6;
    }
    if (form === "call") {
      return digits && value.length >= 6 || looksRandom(value);
    }
    return true;
  }
  if (/\s/.test(value.trim())) {
    const parts = value.trim().split(/\s+/);
    return parts.length <= 3 && parts.some((p) => looksRandom(p, 20));
  }
  if (isUuid(value)) return true;
  if (!letters) return false;
  if (/^(?:id|src|source|type|env|name|target|file|from)=/.test(value)) {
    return false;
  }
  if (plainWord || isSlug(value) && /[-_./:]/.test(value)) {
    // Words: only an environment gives them as values.
    if (form === "env") {
      return value.length >= 6 && !wordsAreNames(value) &&
        (plainWord || value.length >= 10);
    }
    return plainWord && value.length >= 20 && looksRandom(value);
  }
  if (form === "call" || form === "colon") {
    return digits && value.length >= 10 && looksRandom(value, 10) ||
      isHex(value) && value.length >= 16;
  }
  return value.length >= 6 &&
    (digits || /[^A-Za-z0-9_.-]/.test(value) || looksRandom(value));
}

/** Only what a machine made, and no hash. */
function isWeakSecret(value: string): boolean {
  // A cache key: words and a digest.
  const parts = value.split(/[-_./:@]/);
  if (
    parts.length > 2 &&
    isSlug(parts.filter((p) => !(isHex(p) && p.length >= 16)).join("-"))
  ) {
    return false;
  }
  if (/^[\w.+-]{1,80}@[\w-]{1,60}\.[\w.]{2,60}$/.test(value)) return false;
  if (/^[a-z]{2,6}_[A-Za-z0-9]{14,24}$/.test(value)) return false;
  return looksRandom(value, 20) && !isHex(value) && !isUuid(value) &&
    !/[:,]/.test(value) && !/^(?:sha\d{1,3}|md5)[-:]/i.test(value);
}

function isCall(value: string): boolean {
  return /^[A-Za-z_$][\w$.]{0,80}\(.{0,200}\)$/.test(value) ||
    /^(?:process\.env|os\.environ|ENV|env)[.[(]/.test(value);
}

/** `db-credentials`, `my_token_name`: a secret's name stands as its value. */
function wordsAreNames(value: string): boolean {
  return value.split(/[-_./:]/).some((w) =>
    /^(?:secrets?|tokens?|keys?|creds?|credentials?|password|passwd|auth|test|fake|dummy|mock|example)$/i
      .test(w)
  ) && /[-_./:]/.test(value);
}
