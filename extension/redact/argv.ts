/**
 * Secrets known by their place among a program's arguments, or on its stdin.
 *
 * @module
 */
import { CLOUD_RULES } from "./argv-clouds.ts";
import { HOST_RULES } from "./argv-hosts.ts";
import { SERVICE_RULES } from "./argv-services.ts";
import type { ShellParse } from "../shell/types.ts";
import {
  addFeeds,
  findGeneric,
  findSinks,
  mayBeGeneric,
} from "./argv-stdin.ts";
import {
  add,
  addPart,
  type ArgvRule,
  type Part,
  PUBLIC_KEY,
} from "./argv-row.ts";
import {
  type Arg,
  bare,
  type Commands,
  commandsOfParse,
  programOf,
  rest,
  type Simple,
  splitCommands,
} from "./commands.ts";
import { nameLevel } from "./names.ts";
import type { Findings } from "./spans.ts";
import {
  BLANK,
  expectProgram,
  LIST,
  LOGIN,
  NAME,
  PROGRAM,
} from "./triggers.ts";
import { isMixed } from "./values.ts";

/** Where programs take secrets among their arguments or on stdin: all rows. */
export const ARGV_RULES: readonly ArgvRule[] = [
  ...CLOUD_RULES,
  ...SERVICE_RULES,
  ...HOST_RULES,
];

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
const LAUNCHER = new RegExp(
  "^(?:" + [
    /sudo|doas|env|nohup|nice|ionice|timeout|gtimeout|time|command|exec|builtin|xargs|stdbuf|setsid|watch|npx|bunx|pnpx|uvx|uv|pnpm|yarn|npm|bun|poetry|pipx|rye|mise|asdf|direnv|dotenv|op|doppler|infisical|aws-vault|chamber|docker|docker-compose/,
    /podman|nerdctl|kubectl|oc|k|compose|ssh|mosh|sshpass|expect|unbuffer|script|fly|flyctl|heroku|then|do|else|if|while|until|!|not|bash|sh|zsh|eval|call|cmd|start|winpty|proxychains4?|chronic|retry|parallel|find|su|runuser|gosu|chroot|nsenter/,
    /lxc|vagrant|multipass|wsl|flatpak|systemd-run|strace|caffeinate|trap|return|-?\w{0,20}\)/,
  ].map((part) => part.source).join("|") + ")$",
);

let asked = "";
let small = "";

/** Whether a row can find anything in a text that names its program. */
function mayApply(rule: ArgvRule, text: string): boolean {
  if (asked !== text) {
    asked = text;
    small = text.toLowerCase();
  }
  if (rule.when && !rule.when.every((word) => small.includes(word))) {
    return false;
  }
  return rule.at !== undefined || rule.cluster === true ||
    rule.pairs === true && small.includes("=") ||
    rule.stdin === true && (small.includes("|") || small.includes("<")) ||
    rule.glued?.some((flag) => text.includes(flag)) === true ||
    rule.flags?.some((flag) => small.includes(flag.toLowerCase())) === true;
}

for (const [program, rules] of byProgram) {
  expectProgram(program, (text) => rules.some((r) => mayApply(r, text)));
}

/** Whether the pass on arguments has something to do. */
export function mayHoldArguments(text: string, traits: number): boolean {
  return (traits & LIST) !== 0 && /\[\s{0,20}["']/.test(text) ||
    (traits & BLANK) !== 0 &&
      ((traits & PROGRAM) !== 0 || mayBeGeneric(text, traits));
}

/** Pass 5: arguments and stdin. */
export function findArguments(found: Findings, shell?: ShellParse): void {
  const { text, traits } = found;
  if (shell && shell.complete) read(found, commandsOfParse(text, shell), 0);
  else read(found, splitCommands(found.reader, 0, text.length), 0);
  if (traits & LIST && /\[\s{0,20}["']/.test(text)) findArrays(found);
}

/** `["mysql", "-pS3cret"]`, `execFile("mysql", ["-pS3cret"])`: words in code. */
const ARRAY =
  /(?:["']([\w./-]{1,60})["']\s{0,4},\s{0,20})?\[\s{0,20}(?=["'][^"'\n]{1,200}["']\s{0,4},)/g;
const ELEMENT =
  /(?:"([^"\n]{0,400})"|'([^'\n]{0,400})'|[\w.]{1,60})\s{0,4}(,?)\s{0,20}/y;

function findArrays(found: Findings): void {
  const { text } = found;
  for (const m of text.matchAll(ARRAY)) {
    const words: Arg[] = [];
    if (m[1]) words.push({ start: m.index, end: m.index, raw: m[1] });
    ELEMENT.lastIndex = m.index + m[0].length;
    for (let i = 0; i < MAX_LAUNCH; i++) {
      const at = ELEMENT.lastIndex;
      const element = ELEMENT.exec(text);
      if (!element) break;
      const raw = element[1] ?? element[2];
      if (raw !== undefined) {
        words.push({ start: at + 1, end: at + 1 + raw.length, raw });
      }
      if (element[3] === "") break;
    }
    if (words.length > 1) {
      const command: Simple = { words, feeds: [] };
      inspect(found, [command], command);
    }
  }
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
  if (found.traits & (NAME | LOGIN)) findSinks(found, all, command);
  findGeneric(found, command);
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
        if (
          next && !/^--?[a-z]/i.test(next.raw) &&
          // `-b <your-token> …` reads as a redirect.
          !/[<>]/.test(found.text.slice(arg.end, next.start))
        ) {
          addPart(found, bare(next), part, rule.id);
        }
      } else addPart(found, rest(arg, flag.length), part, rule.id);
      taken = true;
      continue;
    }
    if (
      rule.cluster && /^-[A-Za-z#]{1,6}\w$/.test(arg.raw) &&
      rule.flags?.includes(`-${arg.raw.at(-1)}`)
    ) {
      const next = args[i + 1];
      if (next) addPart(found, bare(next), part, rule.id);
      continue;
    }
    // `'-pMy Pw'`: the flag stands in the quotes, too.
    const word = rule.glued ? bare(arg) : arg;
    const glued = rule.glued?.find((g) =>
      word.raw.startsWith(g) && word.raw.length > g.length
    );
    if (
      glued &&
      !(glued === "-p" && /^-p(?:rotocol|rint|orts?|ass|lugin)/.test(word.raw))
    ) {
      addPart(
        found,
        rest(word, glued.length + (word.raw[glued.length] === "=" ? 1 : 0)),
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
  if (!value || rule.mixed && !isMixed(bare(value).raw)) return;
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
