/**
 * What a rule is, and how its tables of verbs are read.
 *
 * @module
 */
import type { Label, Severity } from "../../schema/mod.ts";
import type { Command, ShellParse, Word } from "../shell/types.ts";

/** What a verb of a program does. */
export type Effect = "read" | "write" | "neutral";

/** A command and what it is; the examples are the tests and the guide. */
export interface Examples {
  /** Bypasses that change something. */
  write?: readonly string[];
  /** Bypasses that only read. */
  read?: readonly string[];
  /** Neither swamp nor a bypass. */
  neutral?: readonly string[];
  /** Use of swamp. */
  swamp?: readonly string[];
}

/**
 * A row of the table. Verb lists are separated by commas; a verb is one or more
 * words, `*` stands for any part of a word, a word with a dash in front for an
 * option that must be there, `#tag` at the end gives the verdict a tag.
 */
export interface Rule {
  /** Stable id, stored with every call it decides. */
  id: string;
  /** Category of its verdicts; the id unless given. */
  category?: string;
  /** What it is about, for people. */
  title: string;
  /** Programs, launchers taken off, lower case; a trailing `*` is a prefix. */
  programs: readonly string[];
  /** Options before the verb that take the next word as their value. */
  valued?: string;
  /** The verb may stand behind words that name a group: `az vm list`. */
  scan?: true;
  /** Verbs that only read. */
  read?: string;
  /** Verbs that change something. */
  write?: string;
  /** Verbs that touch nothing outside. */
  neutral?: string;
  /**
   * Verbs that copy between here and there: a read where the last word is no
   * remote place.
   */
  copies?: string;
  /** What an unknown verb does; undefined: the rule says nothing then. */
  other?: Effect;
  /** What the program without a verb does; neutral unless given. */
  bare?: Effect;
  /** Options that make any verb neutral, besides `--help`. */
  idle?: string;
  /** Words that make any verb a read: `--check`. */
  onlyReads?: string;
  /** Reads matter as much as secrets do. */
  sensitive?: true;
  /** Words in model types that say a type wraps it; empty: nothing does. */
  wraps?: readonly string[];
  /** The first word (after the program) names a service: `aws ec2`. */
  services?: true;
  /** Decides what tables cannot; undefined leaves it to the next rule. */
  judge?: Judge;
  /** Tests and documentation. */
  examples: Examples;
}

/** What a rule says of one command. */
export interface Judged {
  /** The label. */
  label: Label;
  /** The rule. */
  rule: Rule;
  /** Its category, where not the rule's. */
  category?: string;
  /** Whether it changes something, outside for a bypass, here for neutral. */
  mutating?: boolean;
  /** Severity, where not by `mutating` and the rule. */
  severity?: Severity;
  /** Tags. */
  tags?: readonly string[];
  /** Low confidence. */
  low?: boolean;
  /** The part that decided. */
  start: number;
  /** Its end. */
  end: number;
  /** The service, for finding a model type. */
  service?: string;
  /** Further words that name what wraps it: parts of a host. */
  hints?: readonly string[];
}

/** What kinds of files that rules are about a text may name. */
export interface FileHints {
  /** swamp's own. */
  readonly swamp: boolean;
  /** Definitions. */
  readonly definitions: boolean;
  /** Files that hold secrets. */
  readonly secrets: boolean;
}

/** What a judge may look at. */
export interface Scene {
  /** The whole line. */
  parse: ShellParse;
  /** The text. */
  text: string;
  /** Index of the command. */
  at: number;
  /** What kinds of files the text may name. */
  files: FileHints;
  /** Judges another command line, found inside this one. */
  nested(text: string, dialect?: ShellParse["dialect"]): Judged[];
}

/** Decides on a command. */
export type Judge = (
  command: Command,
  rule: Rule,
  scene: Scene,
) => Judged | undefined;

interface Pattern {
  effect: Effect | "copies";
  words: string[];
  globs: (Glob | undefined)[];
  options: string[];
  tag?: string;
  score: number;
}

/** A verb found. */
export interface Verb {
  /** What it does. */
  effect: Effect;
  /** Its last word. */
  word: Word | undefined;
  /** The tag of the pattern. */
  tag?: string;
}

interface Compiled {
  exact: Map<string, Pattern[]>;
  loose: Pattern[];
  valued: ReadonlySet<string>;
  idle: readonly string[];
  onlyReads: readonly string[];
}

const compiled = new WeakMap<Rule, Compiled>();

/** Splits a comma-separated list. */
function list(text: string | undefined): string[] {
  return text ? text.split(",").map((s) => s.trim()).filter(Boolean) : [];
}

/** Splits a space-separated list. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** A verb word with `*`: what it begins with, or an expression. */
type Glob = string | RegExp;

function glob(word: string): Glob | undefined {
  const star = word.indexOf("*");
  if (star < 0) return undefined;
  // Most have it at the end, and are asked of every command.
  if (star === word.length - 1) return word.slice(0, star);
  const escaped = word.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".{0,200}")}$`);
}

function compile(rule: Rule): Compiled {
  const known = compiled.get(rule);
  if (known) return known;
  const exact = new Map<string, Pattern[]>();
  const loose: Pattern[] = [];
  const add = (text: string | undefined, effect: Pattern["effect"]) => {
    for (const entry of list(text)) {
      const parts = words(entry);
      const tag = parts.find((p) => p.startsWith("#"))?.slice(1);
      const options = parts.filter((p) => p.startsWith("-"));
      const verbs = parts.filter((p) =>
        !p.startsWith("-") && !p.startsWith("#")
      );
      const globs = verbs.map(glob);
      const pattern: Pattern = {
        effect,
        words: verbs,
        globs,
        options,
        ...(tag === undefined ? {} : { tag }),
        score: verbs.length * 10 + options.length * 5 +
          globs.filter((g) => g === undefined).length,
      };
      const first = verbs[0];
      if (first === undefined || globs[0] !== undefined) loose.push(pattern);
      else {
        const bucket = exact.get(first);
        if (bucket) bucket.push(pattern);
        else exact.set(first, [pattern]);
      }
    }
  };
  add(rule.neutral, "neutral");
  add(rule.read, "read");
  add(rule.write, "write");
  add(rule.copies, "copies");
  const result = {
    exact,
    loose,
    valued: new Set(words(rule.valued ?? "")),
    idle: words(rule.idle ?? ""),
    onlyReads: words(rule.onlyReads ?? ""),
  };
  compiled.set(rule, result);
  return result;
}

/** The words of a command that are no options, the program left out. */
export function positionals(
  command: Command,
  valued: ReadonlySet<string>,
): Word[] {
  const out: Word[] = [];
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    const { value } = word;
    if (value === "--") break;
    if (value.length > 1 && value.startsWith("-")) {
      if (valued.has(value)) i++;
      continue;
    }
    if (value !== "") out.push(word);
  }
  return out;
}

/** Whether an option is among the words, with or without a value. */
export function hasOption(command: Command, option: string): boolean {
  const long = option.startsWith("--");
  for (const { value } of command.argv) {
    if (value === "--") return false;
    if (value === option) return true;
    if (value.startsWith(option) && option.length > 1) {
      if (long ? value[option.length] === "=" : option.length === 2) {
        return true;
      }
    }
  }
  return false;
}

/** The value of an option: `-o x`, `-ox`, `--out=x`. */
export function optionValue(
  command: Command,
  ...options: string[]
): Word | undefined {
  const { argv } = command;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i];
    if (!word) continue;
    for (const option of options) {
      if (word.value === option) return argv[i + 1];
      if (option.startsWith("--")) {
        if (word.value.startsWith(option + "=")) {
          return { ...word, value: word.value.slice(option.length + 1) };
        }
      } else if (
        option.length === 2 && word.value.length > 2 &&
        word.value.startsWith(option) && !word.value.startsWith("--")
      ) return { ...word, value: word.value.slice(2).replace(/^=/, "") };
    }
  }
  return undefined;
}

const REMOTE = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|[\w.-]{2,64}:[^\\])/i;

function fits(pattern: Pattern, found: Word[], from: number): boolean {
  for (let i = 0; i < pattern.words.length; i++) {
    const value = found[from + i]?.value;
    if (value === undefined) return false;
    const glob = pattern.globs[i];
    if (
      glob === undefined
        ? value !== pattern.words[i]
        : typeof glob === "string"
        ? !value.startsWith(glob)
        : !glob.test(value)
    ) return false;
  }
  return true;
}

/** Looks a command's verb up in the tables of a rule. */
export function findVerb(rule: Rule, command: Command): Verb | undefined {
  const tables = compile(rule);
  const found = positionals(command, tables.valued);
  let best: Pattern | undefined;
  let end = 0;
  const take = (patterns: readonly Pattern[] | undefined, from: number) => {
    for (const pattern of patterns ?? []) {
      if (best && best.score >= pattern.score) continue;
      // Behind a group, `config` or `init` is another group, not the verb.
      if (from > 0 && pattern.effect === "neutral") continue;
      if (!fits(pattern, found, from)) continue;
      if (!pattern.options.every((o) => hasOption(command, o))) continue;
      best = pattern;
      end = from + pattern.words.length - 1;
    }
  };
  const first = found[0]?.value;
  if (first !== undefined) take(tables.exact.get(first), 0);
  take(tables.loose, 0);
  if (rule.scan) {
    for (let i = 1; i < found.length && i < 8 && !best; i++) {
      take(tables.exact.get(found[i]?.value ?? ""), i);
      take(tables.loose, i);
    }
  }
  if (!best) {
    // What only running it would tell counts as an unknown verb.
    const effect = found.length === 0 ? rule.bare ?? "neutral" : rule.other;
    // Most programs name a group first: both words tell what it was.
    return effect ? { effect, word: found[1] ?? found[0] } : undefined;
  }
  let effect: Effect;
  if (best.effect === "copies") {
    const places = found.slice(end + 1);
    const last = places[places.length - 1];
    const away = places.slice(0, -1).some((w) => REMOTE.test(w.value));
    effect = last && away && last.literal && !REMOTE.test(last.value)
      ? "read"
      : "write";
  } else effect = best.effect;
  return {
    effect,
    word: found[end],
    ...(best.tag === undefined ? {} : { tag: best.tag }),
  };
}

/** Whether a command only asks for help or does a dry run. */
function isIdle(rule: Rule, command: Command): boolean {
  const { idle, valued } = compile(rule);
  for (let i = 1; i < command.argv.length; i++) {
    const value = command.argv[i]?.value ?? "";
    if (value === "--") break;
    // `--version` behind a verb is often a value's name: `helm install --version 2`.
    if (value === "--help" || (value === "--version" && i === 1)) return true;
    for (const option of idle) {
      if (value === option) {
        // `gsutil -h "Header: x" cp`: the option takes a value here.
        if (!valued.has(option) || !command.argv[i + 1]) return true;
      }
      if (option.startsWith("--") && !option.includes("=")) {
        const given = value.startsWith(option + "=")
          ? value.slice(option.length + 1)
          : undefined;
        if (given !== undefined && !/^(?:false|none|no|0)$/.test(given)) {
          return true;
        }
      }
    }
  }
  return false;
}

/** The part of a command from its program to a word. */
export function partOf(
  command: Command,
  word?: Word,
): { start: number; end: number } {
  const first = command.argv[0] ?? command;
  const last = word ?? first;
  return {
    start: Math.min(first.start, last.start),
    end: Math.max(first.end, last.end),
  };
}

/** A verdict of a rule on a command. */
export function judged(
  rule: Rule,
  command: Command,
  effect: Effect | "swamp",
  more: Partial<Judged> & { word?: Word } = {},
): Judged {
  const { word, ...rest } = more;
  const base = { rule, ...partOf(command, word) };
  if (effect === "swamp") return { ...base, label: "swamp", ...rest };
  if (effect === "neutral") {
    return { ...base, label: "neutral", mutating: false, ...rest };
  }
  return { ...base, label: "bypass", mutating: effect === "write", ...rest };
}

/** Judges a command by the tables of a rule alone. */
export function byTable(command: Command, rule: Rule): Judged | undefined {
  const verb = findVerb(rule, command);
  if (!verb) return undefined;
  const first = rule.services
    ? positionals(command, compile(rule).valued)[0]?.value
    : undefined;
  const more = {
    ...(verb.word ? { word: verb.word } : {}),
    ...(verb.tag === undefined ? {} : { tags: [verb.tag] }),
    ...(first === undefined ? {} : { service: first }),
    ...(verb.word && !verb.word.literal ? { low: true } : {}),
  };
  if (verb.effect !== "neutral" && isIdle(rule, command)) {
    return judged(rule, command, "neutral", more);
  }
  const { onlyReads } = compile(rule);
  const effect = verb.effect === "write" && onlyReads.length > 0 &&
      command.argv.some((w) => onlyReads.includes(w.value))
    ? "read"
    : verb.effect;
  return judged(rule, command, effect, more);
}

/**
 * What a line has written into a file before a command of it: the heredoc of
 * `cat > FILE` or `tee FILE`.
 */
export function writtenTo(path: string, scene: Scene): Word | undefined {
  const name = path.replace(/^\.\//, "");
  if (name === "" || name.includes("‹›")) return undefined;
  for (let i = scene.at - 1; i >= 0 && i >= scene.at - 50; i--) {
    const command = scene.parse.commands[i];
    if (!command || command.redirects.length === 0) continue;
    const body = command.redirects.find((r) => r.body)?.body;
    if (!body) continue;
    const into = command.redirects.some((r) =>
      r.op.startsWith(">") && r.target?.value.replace(/^\.\//, "") === name
    ) || command.program === "tee" &&
        command.argv.some((w, n) =>
          n > 0 && w.value.replace(/^\.\//, "") === name
        );
    if (into) {
      return body;
    }
  }
  return undefined;
}
