/**
 * Secrets that commands read from pipes, here-strings and heredocs.
 *
 * @module
 */
import { add, addPart, type Part } from "./argv-row.ts";
import { type Arg, bare, programOf, rest, type Simple } from "./commands.ts";
import type { Rule } from "./examples.ts";
import {
  isHex,
  isMixed,
  isSecretValue,
  isSlug,
  isUuid,
  looksRandom,
  switches,
} from "./values.ts";
import { nameLevel } from "./names.ts";
import type { Findings } from "./spans.ts";
import * as trait from "./triggers.ts";

const SINK_FLAG =
  /^--?(?:[\w-]{0,30}(?:password|passphrase|passwd|token|secret|key|pass|pw)[\w-]{0,20}-stdin|with-token|with-api-key|pass(?:word|wd)?-on-stdin|stdin-pass\w{0,8})$/;

/** Sub-commands that read one secret, whatever the program. */
const SINK_WORD =
  /^(?:log-?in|sign-?in|unlock|passwd|secrets?(?:[:.]\w{2,12})?|credentials?|auth|authtoken|set-(?:secret|password|token))$/i;

/** Filters through which a secret still comes out. */
const FILTER =
  /^(?:tr|base64|tee|cat|head|tail|sed|xargs|rev|cut|awk|jq|openssl|gzip|strings|iconv|sort|xxd)$/;

/** Flags that say what is read, PowerShell's conversions, `printf`'s formats. */
export function findSinks(
  found: Findings,
  all: Simple[],
  command: Simple,
): void {
  const { words } = command;
  const sink = words.find((w) => SINK_FLAG.test(w.raw)) ??
    words.find((w, i) =>
      /^--passphrase-fd$/.test(w.raw) && words[i + 1]?.raw === "0" ||
      w.raw === "--passphrase-fd=0" || w.raw === "stdin" &&
        /^-pass/.test(words[i - 1]?.raw ?? "")
    );
  if (sink) addFeeds(found, all, command, "stdin-secret", "all");
  else if (words.slice(0, 6).some((w) => SINK_WORD.test(w.raw))) {
    addPiped(found, all, command);
  }
  findPowerShell(found, all, command);
  findPrinted(found, words);
  findSaved(found, command);
  findRead(found, command);
}

/** Where the output of a command is kept, behind its last word. */
const KEPT =
  /^[ \t]{0,4}(?:1?>{1,2}\|?|\|[ \t]{0,4}(?:sudo[ \t]{1,4})?tee(?:[ \t]{1,4}-a)?)[ \t]{0,4}["']?([^\s"'|;&<>]{1,200})/;
/** Files that hold one bare value; others hold text about it. */
const BARE_FILE = /(?:^|\/)\.?([\w-]{2,80})(?:\.(?:txt|secret|local|tmp))?$/;

/** `echo VALUE > /run/secrets/db_password`: the file's name says what it is. */
function findSaved(found: Findings, command: Simple): void {
  const { words, feeds } = command;
  const program = programOf(words[0]?.raw ?? "");
  const last = words.at(-1);
  if (!last || words.length < 2) return;
  if (program === "tee") {
    for (const feed of feeds) addKept(found, bare(feed), bare(last).raw);
    return;
  }
  if (!/^(?:echo|printf|write-output)$/.test(program)) return;
  const target = KEPT.exec(found.text.slice(last.end, last.end + 240))?.[1];
  const values = words.slice(1).filter((w) => !/^-\w{1,2}$|%s/.test(w.raw));
  const [value] = values;
  if (target && value && values.length === 1) {
    addKept(found, bare(value), target);
  }
}

/** `read -r DB_PASS <<< VALUE` */
function findRead(found: Findings, command: Simple): void {
  const { words, feeds } = command;
  if (programOf(words[0]?.raw ?? "") !== "read" || feeds.length !== 1) return;
  const names = words.slice(1).filter((w) => /^[A-Za-z_]\w*$/.test(w.raw));
  const [name] = names;
  const [feed] = feeds;
  if (name && feed && names.length === 1) {
    addKept(found, bare(feed), name.raw);
  }
}

/** A value under the name of a file or variable. */
function addKept(found: Findings, value: Arg, name: string): void {
  if (/\s/.test(value.raw)) return;
  const level = nameLevel(BARE_FILE.exec(name)?.[1] ?? "");
  if (!level || !isSecretValue(value.raw, level, "env", true)) return;
  add(found, value, level === "password" ? "password" : "secret");
}

/** `ConvertTo-SecureString 'x'`, and what is piped into it. */
function findPowerShell(
  found: Findings,
  all: Simple[],
  command: Simple,
): void {
  const { words } = command;
  const at = words.findIndex((w) => /^convertto-securestring$/i.test(w.raw));
  if (at < 0) return;
  const args = words.slice(at + 1);
  const flagged = args.findIndex((w) => /^-string$/i.test(w.raw));
  const value = flagged >= 0
    ? args[flagged + 1]
    : args.find((w) => !w.raw.startsWith("-"));
  if (value) add(found, bare(value), "account-password");
  const source = command.stdin === undefined ? undefined : all[command.stdin];
  const piped = source?.words.at(-1);
  if (piped && /^["']/.test(piped.raw)) {
    add(found, bare(piped), "account-password");
  }
}

/** `printf 'API_KEY=%s\n' VALUE`: the format names the value. */
function findPrinted(found: Findings, words: Arg[]): void {
  if (programOf(words[0]?.raw ?? "") !== "printf") return;
  const format = words[1]?.raw ?? "";
  let at = 1;
  for (
    const m of format.matchAll(
      /([\w-]{2,60})["']?(?:\s{0,2}[=:]\s{0,2}|[ \t])["']?%s|%[sdq]/g,
    )
  ) {
    at++;
    const value = words[at];
    const level = m[1] ? nameLevel(m[1]) : undefined;
    if (value && level && level !== "weak") {
      add(found, bare(value), level === "password" ? "password" : "secret");
    }
  }
}

/** One word echoed into a command that logs in or keeps secrets. */
function addPiped(found: Findings, all: Simple[], command: Simple): void {
  const source = command.stdin === undefined ? undefined : all[command.stdin];
  const words = source?.words ?? [];
  const value = words.at(-1);
  if (!value || !/^(?:echo|printf)$/.test(programOf(words[0]?.raw ?? ""))) {
    return;
  }
  const word = bare(value);
  if (isMixed(word.raw)) add(found, word, "stdin-secret");
}

/** What a command reads: here-strings, heredocs, what is echoed into it. */
export function addFeeds(
  found: Findings,
  all: Simple[],
  command: Simple,
  rule: string,
  part: Part,
): void {
  for (const feed of command.feeds) addLines(found, bare(feed), part, rule);
  let from = command.stdin;
  for (let i = 0; i < 6 && from !== undefined; i++) {
    const source = all[from];
    if (!source) return;
    const program = programOf(source.words[0]?.raw ?? "");
    if (/^(?:echo|printf|print|write-output|write-host|yes)$/.test(program)) {
      addEchoed(found, source.words.slice(1), program === "printf", part, rule);
      return;
    }
    if (/^["']/.test(source.words[0]?.raw ?? "") && source.words.length === 1) {
      const word = source.words[0];
      if (word) addPart(found, bare(word), part, rule);
      return;
    }
    for (const feed of source.feeds) addLines(found, bare(feed), part, rule);
    if (!FILTER.test(program)) return;
    from = source.stdin;
  }
}

/** What `echo` or `printf` hands on is a secret. */
export function addEchoed(
  found: Findings,
  words: Arg[],
  printf: boolean,
  part: Part,
  rule: string,
): void {
  const values = words.filter((w) =>
    !/^-(?:n|e|E|ne|en|NoNewline|r|u\d)$/.test(w.raw) && w.raw !== "--"
  );
  if (printf && values.length > 1 && /%/.test(values[0]?.raw ?? "")) {
    // `printf 'root:%s'`: the format holds the part before.
    if (/[:=]%s/.test(values.shift()?.raw ?? "")) part = "all";
  }
  for (const word of values) addLines(found, bare(word), part, rule);
}

/** A text of one or more lines, each a value. */
export function addLines(
  found: Findings,
  text: Arg,
  part: Part,
  rule: string,
): void {
  const pattern = /(?:(?!\\n)[^\n]){1,4096}/g;
  for (const m of text.raw.slice(0, 65536).matchAll(pattern)) {
    const lead = /^\s{0,200}/.exec(m[0])?.[0].length ?? 0;
    const raw = m[0].trim();
    const start = text.start + m.index + lead;
    addPart(found, bare({ start, end: start + raw.length, raw }), part, rule);
  }
}

// Arguments that are secrets by custom, whatever the program.

/** What custom tells. */
export const GENERIC_RULES: readonly Rule[] = [
  {
    id: "cli-password",
    finds:
      "`-p VALUE` beside a user or `login`, and `--user NAME:VALUE`, in any program, where the value mixes letters with digits or signs",
    examples: {
      hit: [
        "expo login -u a -p «3xpoPw1»",
        "newtool --username bob -p «N3wTool!» sync",
        "etcdctl --user root:«3tcdPw1» get x",
        "newdb -uroot -p«N3wDbPw» dump",
        "newdb -u app -p «Rainy-day04» -h db",
      ],
      miss: [
        "docker run -u 1000:1000 -p 8080:80 -d nginx",
        "psql -U app -p 5432 -h db",
        "newtool -u app -p web-api2 up",
        "docker run --user node:node app",
        "mkdir -p src/v2/login1",
        "pytest -p no:cacheprovider -k login",
      ],
    },
  },
  {
    id: "cli-secret",
    finds:
      "The value after a secret's name in `set NAME VALUE`, the `--value` of commands on secrets, and random words after short flags",
    examples: {
      hit: [
        "consul kv put x/password «c0nsulKv»",
        "eas secret:create --name X --value «e4sS3cr» --type string",
        "newtool -t «+32» deploy",
      ],
      miss: [
        "git config user.signingkey 0xABCDEF1234",
        "kubectl create token default-sa-2",
        "kubectl create secret generic db-password-2 --from-file=pw.txt",
        "docker build -t acme/web:9f2c4e6a8b0d1f3e5a7c9b1d3f5e7a9c .",
      ],
    },
  },
];

const USER_FLAG =
  /^(?:-u|-U|--user|--username|--login|--user-name)(?:=|$)|^-u[a-z]/;
const LOGIN = /^(?:log-?in|sign-?in|auth|authenticate)$/i;
const PAIR_FLAG =
  /^(?:-u|-U|-a|--user|--auth|--creds|--credentials|--userpwd|--login)(?:=|$)/;
const VERB =
  /^(?:h?m?set(?:ex|nx)?|getset|put|add|config|update|write|insert|store|set-secret|set-password)$/i;
const SECRET_WORD = /^secrets?(?:[:.][\w-]{1,20})?$/;
const VALUE_FLAG = /^--(?:value|secret-value|data|body|literal)(?:=|$)/;
const SHORT_FLAG = /^-[tkTKaswP]$/;

/** One look at a whole command tells most that hold nothing of this. */
const TRIGGER =
  /\s["']?(?:-[puUatkTKswP](?:\s|["'\w])|--(?:user|auth|cred|login|value|secret-value|data|body|literal)|(?:h?m?set(?:ex|nx)?|getset|put|add|config|update|write|insert|store)\b)/i;

/** What, beside a name, `findSinks` and `findGeneric` need. */
const BESIDE_NAME =
  /[|<>]|\b(?:h?m?set(?:ex|nx|-secret|-password)?|getset|put|add|config|update|write|insert|store|printf)\b|--(?:value|secret-value|data|body|literal)\b/i;

/** Whether a text may hold anything of this, whatever its programs. */
export function mayBeGeneric(text: string, traits: number): boolean {
  return (traits & trait.NAME) !== 0 && BESIDE_NAME.test(text) ||
    (traits & trait.MIXED) !== 0 && /\s["']?-[tkTKaswP]["']?\s/.test(text) ||
    (traits & trait.COLON) !== 0 &&
      /\s["']?(?:-[uUa]|--(?:user|auth|cred|login))/.test(text) ||
    (traits & (trait.LOGIN | trait.NAME)) !== 0 && /\s["']?-p/.test(text) &&
      /\s["']?(?:-u|-U|--user|--login)|log-?in|sign-?in|auth/i.test(text) ||
    (traits & trait.LOGIN) !== 0 && (traits & trait.FEED) !== 0 ||
    (traits & trait.LOGIN) !== 0 && /securestring/i.test(text);
}

/** Looks at one command. */
export function findGeneric(found: Findings, command: Simple): void {
  const { words } = command;
  const first = words[0];
  const last = words.at(-1);
  if (!first || !last || words.length < 3 || words.length > 200) return;
  if (!TRIGGER.test(found.text.slice(first.end, last.end))) return;
  let user = false;
  let login = false;
  let secret = false;
  for (const { raw } of words) {
    if (USER_FLAG.test(raw)) user = true;
    else if (LOGIN.test(raw)) login = true;
    else if (SECRET_WORD.test(raw)) secret = true;
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    const next = words[i + 1];
    if (!word) continue;
    const { raw } = word;
    if (raw.charCodeAt(0) !== 45) {
      if (VERB.test(raw)) addNamed(found, words, i + 1);
      continue;
    }
    if (user || login) {
      if (raw === "-p" && next) addMixed(found, bare(next), "cli-password");
      else if (user && /^-p[^-=\s]{4,}/.test(raw)) {
        addMixed(found, rest(word, 2), "cli-password");
      }
    }
    if (PAIR_FLAG.test(raw)) addPair(found, word, next);
    if (secret && VALUE_FLAG.test(raw)) {
      const sign = raw.indexOf("=");
      const value = sign > 0 ? rest(word, sign + 1) : next && bare(next);
      if (value && !/^[[{]/.test(value.raw)) add(found, value, "cli-secret");
    }
    if (next && SHORT_FLAG.test(raw)) addRandom(found, bare(next));
  }
}

function addMixed(found: Findings, value: Arg, rule: string): void {
  if (isMixed(value.raw)) add(found, value, rule);
}

/** `--user name:VALUE`. */
function addPair(found: Findings, word: Arg, next: Arg | undefined): void {
  const sign = word.raw.indexOf("=");
  const pair = sign > 0 ? rest(word, sign + 1) : next && bare(next);
  const colon = pair?.raw.indexOf(":") ?? -1;
  if (
    !pair || colon < 1 || !/^[\w.@+-]{1,80}$/.test(pair.raw.slice(0, colon))
  ) return;
  addMixed(found, rest(pair, colon + 1), "cli-password");
}

/** `set NAME VALUE` where the name says that the value is a secret. */
function addNamed(found: Findings, words: Arg[], from: number): void {
  const places = words.slice(from, from + 8).filter((w) =>
    !w.raw.startsWith("-")
  );
  // A hash's key stands before its field.
  const hash = /^h/i.test(words[from - 1]?.raw ?? "") ? 1 : 0;
  const name = places[hash];
  const value = places[hash + 1];
  if (!name || !value || name.raw.includes("=")) return;
  const label = bare(name).raw.replace(/^.*[:/]/, "");
  const level = nameLevel(label);
  if (!level || level === "weak" || /signing_?key$/i.test(label)) return;
  // The name of a thing created, not of a value.
  if (/^(?:secrets?|tokens?|credentials?|auth)$/i.test(label)) return;
  const word = bare(value);
  if (isMixed(word.raw) || isUuid(word.raw)) add(found, word, "cli-secret");
}

/** Capitals, small letters and digits without order. */
function addRandom(found: Findings, value: Arg): void {
  const v = value.raw;
  if (v.length < 20 || v.length > 200 || !/^[A-Za-z0-9+_=~-]+$/.test(v)) return;
  if (!/[A-Z]/.test(v) || !/[a-z]/.test(v) || !/\d/.test(v)) return;
  if (isHex(v) || isUuid(v) || isSlug(v)) return;
  if (/^RW[QRST]/.test(v)) return; // minisign's public keys
  if (looksRandom(v, 20) && switches(v) >= 0.4) add(found, value, "cli-secret");
}
