/**
 * The verdict on a command line: every command judged, the strongest wins.
 *
 * @module
 */
import { parseShell } from "../shell/mod.ts";
import type { Command, ShellParse } from "../shell/types.ts";
import { judgeLocal } from "./local.ts";
import { judgeRepo } from "./repo.ts";
import { byTable, type Judged, type Rule, type Scene } from "./rule.ts";
import { ANY_PROGRAM, isKnownProgram, rulesFor } from "./rules/mod.ts";
import type { RepoKnowledge } from "./types.ts";

/** A verdict on one command of a line. */
export interface Hit extends Judged {
  /** Index of the command. */
  at: number;
}

/** Deepest code in code that is looked into. */
const NESTED_LIMIT = 2;

/** Judges every command of a line. */
export function judgeLine(
  text: string,
  parse: ShellParse,
  repo: RepoKnowledge | undefined,
  depth = 0,
): Hit[] {
  const hits: Hit[] = [];
  const { commands } = parse;
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at];
    if (!command || command.template) continue;
    for (const hit of judgeCommand(command, at, text, parse, repo, depth)) {
      hits.push({ ...hit, at });
    }
  }
  return settle(hits, commands);
}

function judgeCommand(
  command: Command,
  at: number,
  text: string,
  parse: ShellParse,
  repo: RepoKnowledge | undefined,
  depth: number,
): Judged[] {
  const scene: Scene = {
    parse,
    text,
    at,
    nested: (line, dialect) =>
      depth >= NESTED_LIMIT ? [] : judgeLine(
        line,
        parseShell(line.slice(0, 2000), dialect),
        repo,
        depth + 1,
      ),
  };
  const found: Judged[] = [];
  const named = nameOf(command);
  if (named.program !== "") {
    const own = repo && judgeRepo(named, repo);
    const ruled = own ?? first(rulesFor(named.program), named, scene);
    if (ruled) found.push(named === command ? ruled : { ...ruled, low: true });
  }
  if (command.argv.length > 0 || command.redirects.length > 0) {
    for (const rule of ANY_PROGRAM) {
      const more = rule.judge?.(command, rule, scene);
      if (more) found.push(more);
    }
  }
  // A neutral verdict of a rule says nothing where another one found something.
  const strong = found.filter((hit) => hit.label !== "neutral");
  if (strong.length > 0) return strong;
  if (found.length > 0) return found;
  if (command.argv.length === 0 && command.redirects.length === 0) return [];
  return [judgeLocal(command)];
}

function first(
  rules: readonly Rule[],
  command: Command,
  scene: Scene,
): Judged | undefined {
  for (const rule of rules) {
    const hit = rule.judge
      ? rule.judge(command, rule, scene)
      : byTable(command, rule);
    if (hit) return hit;
  }
  return undefined;
}

/** `$KUBECTL get pods`: a variable that is called like a program. */
function nameOf(command: Command): Command {
  if (command.program !== "") return command;
  const name = command.argv[0]?.names?.[0];
  if (!name) return command;
  const program = name.toLowerCase().replace(
    /_(?:bin|cmd|cli|exe|path|command)$/,
    "",
  );
  return program === "swamp" || isKnownProgram(program)
    ? { ...command, program }
    : command;
}

/** Folds in what depends on other commands of the line. */
function settle(hits: Hit[], commands: readonly Command[]): Hit[] {
  const drop = new Set<Hit>();
  for (const hit of hits) {
    const command = commands[hit.at];
    if (!command) continue;
    if (isRemoteShell(hit)) {
      const inner = hits.filter((h) => within(commands, h.at, hit.at));
      if (inner.some((h) => h.label === "swamp")) drop.add(hit);
      else if (inner.length > 0 && hit.label === "bypass") {
        hit.mutating = inner.some((h) => h.mutating !== false);
        for (const h of inner) if (h.label === "bypass") drop.add(h);
      }
    } else if (command.elsewhere === "container" && hit.label === "swamp") {
      // swamp started by `kubectl exec` or `docker run`: that is what it is.
      for (const outer of hits) {
        if (within(commands, hit.at, outer.at)) drop.add(outer);
      }
    }
    if (
      hit.label === "bypass" && hit.mutating === false &&
      categoryOf(hit).startsWith("secret.") && feedsVault(commands, hit.at)
    ) drop.add(hit);
  }
  return drop.size > 0 ? hits.filter((hit) => !drop.has(hit)) : hits;
}

/** Category of a hit. */
export function categoryOf(hit: Judged): string {
  return hit.category ?? hit.rule.category ?? hit.rule.id;
}

function isRemoteShell(hit: Hit): boolean {
  return categoryOf(hit) === "remote.ssh" ||
    hit.tags?.includes("remote-shell") === true;
}

/** Whether a command is started by another, at any depth. */
function within(
  commands: readonly Command[],
  inner: number,
  outer: number,
): boolean {
  let at = commands[inner]?.within;
  for (let i = 0; at !== undefined && i < 20; i++) {
    if (at === outer) {
      return commands[inner]?.context !== "substitution" ||
        commands[inner]?.elsewhere !== undefined;
    }
    at = commands[at]?.within;
  }
  return false;
}

/** Whether a command's output goes into a vault of swamp, by pipe or as a word. */
function feedsVault(commands: readonly Command[], from: number): boolean {
  const seen = new Set<number>();
  const queue = [from];
  while (queue.length > 0 && seen.size < 50) {
    const at = queue.pop();
    if (at === undefined || seen.has(at)) continue;
    seen.add(at);
    const command = commands[at];
    if (!command) continue;
    if (
      at !== from && command.program === "swamp" &&
      command.argv[1]?.value === "vault"
    ) return true;
    if (command.within !== undefined && command.context === "substitution") {
      queue.push(command.within);
    }
    for (let i = 0; i < commands.length; i++) {
      if (commands[i]?.stdin === at) queue.push(i);
    }
  }
  return false;
}
