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
  const line = {
    parse,
    text,
    files: FILE_HINT.test(text),
    nested: (inner: string, dialect?: ShellParse["dialect"]) =>
      depth >= NESTED_LIMIT ? [] : judgeLine(
        inner,
        parseShell(inner.slice(0, 2000), dialect),
        repo,
        depth + 1,
      ),
  };
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at];
    if (!command || command.template) continue;
    for (const hit of judgeCommand(command, { ...line, at }, repo)) {
      hits.push({ ...hit, at });
    }
  }
  return settle(hits, commands);
}

function judgeCommand(
  command: Command,
  scene: Scene,
  repo: RepoKnowledge | undefined,
): Judged[] {
  const found: Judged[] = [];
  const named = nameOf(command);
  if (named.program !== "") {
    const own = repo && judgeRepo(named, repo);
    const ruled = own ?? first(rulesFor(named.program), named, scene);
    if (ruled) {
      found.push(command.program === "" ? { ...ruled, low: true } : ruled);
    }
  }
  if (scene.files) {
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

/** What a text must hold for a rule about files to say anything. */
const FILE_HINT =
  /\.swamp|(?:models|workflows|vaults)[/\\]|\.env|\.aws|ngrok|netrc|pgpass|\.cnf|npmrc|pypirc|credential|vault-token|htpasswd|config|hosts|auth|service|client_secret|secret|id_|\.pem|\.p12|\.pfx|\.jks|keystore|kdbx|\.key|shadow|sudoers|terraformrc|dev\.vars/i;

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
  if (/^(?:yarn|pnpm|bun)$/.test(command.program)) return binaryOf(command);
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

/** Programs that projects install and start by `yarn PROGRAM`. */
const BINARIES =
  /^(?:wrangler|vercel|netlify|cdk|cdktf|aws-cdk|serverless|sls|sst|firebase|supabase|railway|eas|surge|gh-pages|lerna|changeset|semantic-release|release-it|pulumi|swamp|ampx|amplify|sentry-cli|vsce|jsr|convex|shopify|tsx|ts-node|zx)$/;

/** `pnpm wrangler deploy`, `yarn run cdk deploy`: a program of the project. */
function binaryOf(command: Command): Command {
  let at = 1;
  while (
    /^(?:run|-s|--silent|-w|--|exec)$/.test(command.argv[at]?.value ?? "")
  ) at++;
  const program = command.argv[at]?.value ?? "";
  return BINARIES.test(program)
    ? { ...command, program, argv: command.argv.slice(at) }
    : command;
}

/** Folds in what depends on other commands of the line. */
function settle(hits: Hit[], commands: readonly Command[]): Hit[] {
  const drop = new Set<Hit>();
  const byCommand = new Map<number, Hit[]>();
  for (const hit of hits) {
    const list = byCommand.get(hit.at);
    if (list) list.push(hit);
    else byCommand.set(hit.at, [hit]);
  }
  let readers: Map<number, number[]> | undefined;
  for (const hit of hits) {
    const command = commands[hit.at];
    if (!command) continue;
    if (isRemoteShell(hit)) {
      const inner = startedBy(hit.at, commands)
        .flatMap((at) => byCommand.get(at) ?? []);
      if (inner.some((h) => h.label === "swamp")) drop.add(hit);
      else if (inner.length > 0 && hit.label === "bypass") {
        hit.mutating = inner.some((h) => h.mutating !== false);
        for (const h of inner) if (h.label === "bypass") drop.add(h);
      }
    } else if (command.elsewhere === "container" && hit.label === "swamp") {
      // swamp started by `kubectl exec` or `docker run`: that is what it is.
      let outer = command.within;
      for (let i = 0; outer !== undefined && i < CHAIN_LIMIT; i++) {
        for (const h of byCommand.get(outer) ?? []) drop.add(h);
        outer = commands[outer]?.within;
      }
    }
    if (
      hit.label === "bypass" && hit.mutating === false &&
      categoryOf(hit).startsWith("secret.")
    ) {
      readers ??= readersOf(commands);
      if (feedsVault(commands, readers, hit.at)) drop.add(hit);
    }
  }
  return drop.size > 0 ? hits.filter((hit) => !drop.has(hit)) : hits;
}

/** Longest chain of commands that start or feed one another. */
const CHAIN_LIMIT = 20;

/** Category of a hit. */
export function categoryOf(hit: Judged): string {
  return hit.category ?? hit.rule.category ?? hit.rule.id;
}

function isRemoteShell(hit: Hit): boolean {
  return categoryOf(hit) === "remote.ssh" ||
    hit.tags?.includes("remote-shell") === true;
}

/**
 * Commands that another starts, at any depth. They follow it; a substitution
 * in its words runs here before it, and is none of them.
 */
function startedBy(outer: number, commands: readonly Command[]): number[] {
  const found: number[] = [];
  for (let at = outer + 1; at < commands.length; at++) {
    let up = commands[at]?.within;
    for (let i = 0; up !== undefined && up > outer && i < CHAIN_LIMIT; i++) {
      up = commands[up]?.within;
    }
    if (up !== outer) break;
    const command = commands[at];
    if (command?.context !== "substitution" || command.elsewhere) {
      // What only starts another command is as that one is.
      const next = commands[at + 1];
      const starts = next?.within === at && next.context !== "substitution";
      if (!starts) found.push(at);
    }
  }
  return found;
}

/** By command: those that read its output through a pipe. */
function readersOf(commands: readonly Command[]): Map<number, number[]> {
  const readers = new Map<number, number[]>();
  commands.forEach(({ stdin }, at) => {
    if (stdin === undefined) return;
    const list = readers.get(stdin);
    if (list) list.push(at);
    else readers.set(stdin, [at]);
  });
  return readers;
}

/** Whether a command's output goes into a vault of swamp, by pipe or as a word. */
function feedsVault(
  commands: readonly Command[],
  readers: ReadonlyMap<number, number[]>,
  from: number,
): boolean {
  const seen = new Set<number>();
  const queue = [from];
  while (queue.length > 0 && seen.size < CHAIN_LIMIT) {
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
    queue.push(...readers.get(at) ?? []);
  }
  return false;
}
