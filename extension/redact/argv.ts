/**
 * Secrets known by their place among a program's arguments, or on its stdin.
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import { ARGV_RULES, type ArgvRule, type Part } from "./argv-rules.ts";
import {
  type Arg,
  bare,
  type Commands,
  commandsOfParse,
  rest,
  type Simple,
  splitCommands,
} from "./commands.ts";
import { nameLevel } from "./names.ts";
import type { Findings } from "./spans.ts";
import { addCookies } from "./structure.ts";
import { isHarmless, looksRandom } from "./values.ts";

/** Shells in words in shells are followed so deep. */
const MAX_DEPTH = 4;

/** A program is looked for among so many words, with so many arguments. */
const MAX_LAUNCH = 48;
const MAX_ARGS = 1000;

const byProgram = new Map<string, ArgvRule[]>();
for (const rule of ARGV_RULES) {
  for (const program of rule.programs) {
    const rules = byProgram.get(program);
    if (rules) rules.push(rule);
    else byProgram.set(program, [rule]);
  }
}

/** Programs that start other programs named among their words. */
const LAUNCHER =
  /^(?:sudo|doas|env|nohup|nice|ionice|timeout|gtimeout|time|command|exec|builtin|xargs|stdbuf|setsid|watch|npx|bunx|pnpx|uvx|uv|pnpm|yarn|npm|bun|poetry|pipx|rye|mise|asdf|direnv|dotenv|op|doppler|infisical|aws-vault|chamber|docker|docker-compose|podman|nerdctl|kubectl|oc|k|compose|ssh|mosh|sshpass|expect|unbuffer|script|fly|flyctl|heroku|then|do|else|if|while|until|!|not|bash|sh|zsh|eval|call|cmd|start|winpty|proxychains4?|chronic|retry|parallel|find|su|runuser|gosu|chroot|nsenter|lxc|vagrant|multipass|wsl|flatpak|systemd-run|strace|caffeinate|trap|return|-?\w{0,20}\))$/;

const SINK_FLAG =
  /^--?(?:[\w-]{0,30}(?:password|passphrase|passwd|token|secret|key|pass|pw)[\w-]{0,20}-stdin|with-token|with-api-key|pass(?:word|wd)?-on-stdin|stdin-pass\w{0,8})$/;

/** Filters through which a secret still comes out. */
const FILTER =
  /^(?:tr|base64|tee|cat|head|tail|sed|xargs|rev|cut|awk|jq|openssl|gzip|strings|iconv|sort|xxd)$/;

const PUBLIC_KEY =
  /^(?:user|username|login|email|mail|host|hostname|port|region|zone|ttl|policies|policy|name|type|id|db|dbname|database|role|path|mode|env|url|uri|endpoint|address|format|version|cas|description|tags?|title|category|vault|namespace|account|project|enabled|log_?level|node_env)$/i;

/** Pass 5: arguments and stdin. */
export function findArguments(found: Findings, shell?: ShellParse): void {
  const { text } = found;
  if (shell && shell.complete) read(found, commandsOfParse(text, shell), 0);
  else read(found, splitCommands(found.reader, 0, text.length), 0);
}

function read(found: Findings, parts: Commands, depth: number): void {
  const { commands } = parts;
  for (const command of commands) inspect(found, commands, command);
  if (depth >= MAX_DEPTH) return;
  for (const word of parts.nested) {
    const inner = inside(word);
    if (inner && inner.raw.length > 8 && /\s/.test(inner.raw)) {
      read(
        found,
        splitCommands(found.reader, inner.start, inner.end),
        depth + 1,
      );
    }
  }
}

/** What a word holds: within its quotes, or from its first quote on. */
function inside(word: Arg): Arg | undefined {
  const inner = bare(word);
  if (inner.raw !== word.raw) return inner;
  const open = word.raw.search(/["'`]|\$\(/);
  if (open < 0) return word;
  const skip = word.raw[open] === "$" ? 2 : 1;
  return {
    start: word.start + open + skip,
    end: Math.max(word.start + open + skip, word.end - 1),
    raw: word.raw.slice(open + skip, -1),
  };
}

/** The name of the program that a word calls: `/usr/bin/psql.exe` is `psql`. */
function programOf(raw: string): string {
  if (raw.length > 200) return "";
  let name = raw;
  if (/["'\\/.]/.test(name)) {
    name = name.replace(/^["'\\]{1,3}|["'\\]{1,3}$/g, "");
    name = name.slice(
      Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1,
    );
    name = name.replace(/\.(?:exe|cmd|bat|sh|ps1)$/i, "");
  }
  name = name.replace(/(?<=\w)@[\w.-]{1,30}$/, "");
  return name.toLowerCase();
}

function inspect(found: Findings, all: Simple[], command: Simple): void {
  const { words } = command;
  let launched = true;
  const last = Math.min(words.length, MAX_LAUNCH);
  for (let i = 0; i < last && launched; i++) {
    const program = programOf(words[i]?.raw ?? "");
    const rules = byProgram.get(program);
    if (rules) {
      const args = words.slice(i + 1, i + 1 + MAX_ARGS);
      for (const rule of rules) applyRule(found, all, command, rule, args);
    }
    // The first word must be a launcher for later ones to be programs.
    if (i === 0) launched = LAUNCHER.test(program);
  }
  const sink = words.find((w) => SINK_FLAG.test(w.raw)) ??
    words.find((w, i) =>
      /^--passphrase-fd$/.test(w.raw) && words[i + 1]?.raw === "0" ||
      w.raw === "--passphrase-fd=0" || w.raw === "stdin" &&
        /^-pass/.test(words[i - 1]?.raw ?? "")
    );
  if (sink) addFeeds(found, all, command, "stdin-secret", "all");
  findPowerShell(found, words);
  findPrinted(found, words);
}

/** `printf 'API_KEY=%s\n' VALUE`: the format names the value. */
function findPrinted(found: Findings, words: Arg[]): void {
  if (programOf(words[0]?.raw ?? "") !== "printf") return;
  const format = words[1]?.raw ?? "";
  let at = 1;
  for (
    const m of format.matchAll(
      /([\w-]{2,60})["']?\s{0,2}[=:]\s{0,2}["']?%s|%[sdq]/g,
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

/** `ConvertTo-SecureString 'x' -AsPlainText`, `PSCredential('u', 'x')`. */
function findPowerShell(found: Findings, words: Arg[]): void {
  const at = words.findIndex((w) => /^convertto-securestring$/i.test(w.raw));
  if (at < 0) return;
  const rest = words.slice(at + 1);
  const flagged = rest.findIndex((w) => /^-string$/i.test(w.raw));
  const value = flagged >= 0
    ? rest[flagged + 1]
    : rest.find((w) => !w.raw.startsWith("-"));
  if (value) add(found, bare(value), "account-password");
}

function applyRule(
  found: Findings,
  all: Simple[],
  command: Simple,
  rule: ArgvRule,
  args: Arg[],
): void {
  let after = 0;
  for (const word of rule.when ?? []) {
    const at = args.findIndex((a) => a.raw.toLowerCase() === word);
    if (at < 0) return;
    after = Math.max(after, at + 1);
  }
  const unless = rule.unless;
  if (unless && args.some((a) => unless.test(a.raw))) return;
  if (rule.needs && rule.at === undefined) {
    const needs = rule.needs;
    if (!args.some((a) => needs.test(a.raw))) return;
  }
  const part = rule.part ?? "all";
  const flagged = rule.flags || rule.glued
    ? takeFlags(found, rule, args, part)
    : false;
  if (rule.at !== undefined && !(rule.flags && flagged)) {
    takePosition(found, rule, args, after, part);
  }
  if (rule.pairs) takePairs(found, rule, args.slice(after));
  if (rule.stdin) addFeeds(found, all, command, rule.id, part);
}

function takeFlags(
  found: Findings,
  rule: ArgvRule,
  args: Arg[],
  part: Part,
): boolean {
  let taken = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg) continue;
    const flag =
      /^(["']?)([-/][^=:"']{0,60}|\w{2,12}_pw)(?=[=:"']|$)/.exec(arg.raw)
        ?.[2] ?? "";
    if (
      rule.flags?.includes(flag) || rule.flags?.includes(flag.toLowerCase())
    ) {
      const sign = arg.raw[flag.length];
      if (sign === "=" || sign === ":") {
        addPart(found, rest(arg, flag.length + 1), part, rule.id);
      } else if (arg.raw.length === flag.length) {
        const next = args[i + 1];
        if (next && !/^--?[a-z]/i.test(next.raw)) {
          addPart(found, bare(next), part, rule.id);
        }
      } else addPart(found, rest(arg, flag.length), part, rule.id);
      taken = true;
      continue;
    }
    if (
      rule.cluster &&
      rule.flags?.some((f) =>
        /^-\w$/.test(f) && new RegExp(`^-[A-Za-z#]{1,6}${f[1]}$`).test(arg.raw)
      )
    ) {
      const next = args[i + 1];
      if (next) addPart(found, bare(next), part, rule.id);
      continue;
    }
    const glued = rule.glued?.find((g) =>
      arg.raw.startsWith(g) && arg.raw.length > g.length
    );
    if (
      glued &&
      !(glued === "-p" && /^-p(?:rotocol|rint|orts?|ass|lugin)/.test(arg.raw))
    ) {
      addPart(
        found,
        rest(arg, glued.length + (arg.raw[glued.length] === "=" ? 1 : 0)),
        part,
        rule.id,
      );
      taken = true;
    }
  }
  return taken;
}

function takePosition(
  found: Findings,
  rule: ArgvRule,
  args: Arg[],
  after: number,
  part: Part,
): void {
  const needs = rule.needs;
  if (needs && !args.some((a) => needs.test(a.raw))) return;
  const places = args.slice(after).filter((a) =>
    !/^-|^\/[A-Za-z]{1,12}(?::|$)/.test(a.raw)
  );
  const at = rule.at ?? 0;
  // The last positional of several: with one alone it is a file or a user.
  const value = at < 0 ? places.at(at) : places[at];
  if (!value) return;
  if (at < 0 && after === 0 && !needs && places.length < 1) return;
  if (rule.named) {
    const name = at < 0 ? places.at(at - 1) : places[at - 1];
    const label = bare(name ?? value).raw.replace(/^.*[:/]/, "");
    const level = nameLevel(label);
    const known = level && level !== "weak" ||
      /token|basic|passw/i.test(name?.raw ?? "");
    const spoken = at > 1 &&
      args.some((a) => /basic|auth|token|pass/i.test(a.raw));
    if (!known && !spoken) return;
  }
  if (/[=]/.test(value.raw) && /^\w{1,30}=/.test(value.raw) && part === "all") {
    return;
  }
  addPart(found, bare(value), part, rule.id);
}

function takePairs(found: Findings, rule: ArgvRule, args: Arg[]): void {
  for (const arg of args) {
    const word = bare(arg);
    const m = /^([A-Za-z_][\w.-]{0,80})(?:\[\w{1,20}\])?=/.exec(word.raw);
    if (!m) continue;
    const name = m[1] ?? "";
    if (rule.named) {
      const level = nameLevel(name) ??
        (/secret_?id$/i.test(name) ? "secret" : undefined);
      if (!level || level === "weak") continue;
    } else if (PUBLIC_KEY.test(name)) continue;
    add(found, rest(word, m[0].length), rule.id);
  }
}

/** What a command reads: here-strings, heredocs, what is echoed into it. */
function addFeeds(
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

function addEchoed(
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
    values.shift();
  }
  for (const word of values) addLines(found, bare(word), part, rule);
}

/** A text of one or more lines, each a value. */
function addLines(found: Findings, text: Arg, part: Part, rule: string): void {
  const pattern = /(?:(?!\\n)[^\n]){1,4096}/g;
  for (const m of text.raw.slice(0, 65536).matchAll(pattern)) {
    const lead = /^\s{0,200}/.exec(m[0])?.[0].length ?? 0;
    const raw = m[0].trim();
    const start = text.start + m.index + lead;
    addPart(found, bare({ start, end: start + raw.length, raw }), part, rule);
  }
}

function addPart(found: Findings, word: Arg, part: Part, rule: string): void {
  switch (part) {
    case "all":
      return add(found, word, rule);
    case "cookie":
      return addCookies(found, word.start, word.raw);
    case "pass": {
      if (/^(?:env|file|fd|stdin):?/.test(word.raw)) return;
      return add(
        found,
        word.raw.startsWith("pass:") ? rest(word, 5) : word,
        rule,
      );
    }
    case "slash": {
      const m = /^[\w$.#-]{1,60}\/(?=[^\s/@]{3})/.exec(word.raw);
      if (!m) return;
      const end = word.raw.indexOf("@", m[0].length);
      return add(found, {
        start: word.start + m[0].length,
        end: end < 0 ? word.end : word.start + end,
        raw: word.raw.slice(m[0].length, end < 0 ? undefined : end),
      }, rule);
    }
    case "equals": {
      const m = /(?:^|,)(?:[\w.-]{0,40}pass\w{0,8})=/.exec(word.raw) ??
        /=/.exec(word.raw);
      if (!m) return;
      const name = word.raw.slice(0, m.index);
      if (PUBLIC_KEY.test(name) || /^(?:protocol|host|username)$/.test(name)) {
        return;
      }
      const value = rest(word, m.index + m[0].length);
      return add(found, value, rule);
    }
    default: {
      const mark = part === "colon" ? ":" : part === "percent" ? "%" : ",";
      const at = word.raw.startsWith("$") && part === "colon"
        ? word.raw.indexOf(mark, word.raw.indexOf("}") + 1)
        : word.raw.indexOf(mark);
      if (at < 0) return;
      const value = rest(word, at + 1);
      // `-u TOKEN:`: the user is the secret.
      if (value.raw === "" && looksRandom(word.raw.slice(0, at), 16)) {
        return add(found, {
          ...word,
          end: word.start + at,
          raw: word.raw.slice(0, at),
        }, rule);
      }
      if (
        /^\d{1,5}$/.test(value.raw) && /^\d{1,5}$/.test(word.raw.slice(0, at))
      ) return;
      return add(found, value, rule);
    }
  }
}

function add(found: Findings, word: Arg, rule: string): void {
  if (isHarmless(word.raw)) return;
  found.add(word.start, word.end, rule);
}
