/**
 * The verdict on a command line: every command judged, the strongest wins.
 *
 * @module
 */
import { parseShell, SHELLS } from "../shell/mod.ts";
import type { Command, ShellParse } from "../shell/types.ts";
import { judgeLocal } from "./local.ts";
import { judgeRepo } from "./repo.ts";
import {
  byTable,
  type FileHints,
  type Judged,
  type Rule,
  type Scene,
  writtenTo,
} from "./rule.ts";
import { ANY_PROGRAM, isKnownProgram, rulesFor } from "./rules/mod.ts";
import type { RepoKnowledge } from "./types.ts";

/** A verdict on one command of a line. */
export interface Hit extends Judged {
  /** Index of the command. */
  at: number;
}

/** Deepest code in code that is looked into. */
const NESTED_LIMIT = 2;
/** How much code in code of one text is looked into, in UTF-16 units. */
const NESTED_LENGTH = 40_000;

/** Judges every command of a line. */
export function judgeLine(
  text: string,
  parse: ShellParse,
  repo: RepoKnowledge | undefined,
  depth = 0,
): Hit[] {
  const hits: Hit[] = [];
  const { commands } = parse;
  let budget = NESTED_LENGTH;
  const scene: Scene = {
    parse,
    text,
    at: 0,
    files: new Hints(text),
    nested: (inner: string, dialect?: ShellParse["dialect"]) => {
      const part = inner.slice(0, budget);
      if (depth >= NESTED_LIMIT || part === "") return [];
      budget -= part.length;
      return judgeLine(part, parseShell(part, dialect), repo, depth + 1);
    },
  };
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at];
    if (!command || command.template) continue;
    scene.at = at;
    judgeCommand(command, scene, repo, hits);
  }
  return settle(hits, commands);
}

/** Each is looked for when a rule first asks, and once a text. */
class Hints implements FileHints {
  #text: string;
  #swamp: boolean | undefined;
  #definitions: boolean | undefined;
  #secrets: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get swamp(): boolean {
    return this.#swamp ??= this.#text.includes(".swamp");
  }

  get definitions(): boolean {
    return this.#definitions ??= /(?:models|workflows|vaults)[/\\]/.test(
      this.#text,
    );
  }

  get secrets(): boolean {
    return this.#secrets ??= SECRET_HINT.test(this.#text);
  }
}

function judgeCommand(
  command: Command,
  scene: Scene,
  repo: RepoKnowledge | undefined,
  hits: Hit[],
): void {
  const { at } = scene;
  const from = hits.length;
  let strong = false;
  const take = (found: Judged) => {
    if (found.label !== "neutral") strong = true;
    hits.push(Object.assign(found, { at }));
  };
  const named = nameOf(command);
  if (named.program !== "") {
    const own = repo && judgeRepo(named, repo);
    const ruled = own ?? first(rulesFor(named.program), named, scene);
    if (ruled) {
      take(command.program === "" ? { ...ruled, low: true } : ruled);
    }
  }
  for (const rule of ANY_PROGRAM) {
    const more = rule.judge?.(command, rule, scene);
    if (more) take(more);
  }
  if (!strong) { for (const more of writtenHits(command, scene)) take(more); }
  // A neutral verdict of a rule says nothing where another one found something.
  if (strong) {
    let to = from;
    for (let i = from; i < hits.length; i++) {
      const hit = hits[i];
      if (hit && hit.label !== "neutral") hits[to++] = hit;
    }
    hits.length = to;
  } else if (
    hits.length === from &&
    (command.argv.length > 0 || command.redirects.length > 0)
  ) hits.push(Object.assign(judgeLocal(command), { at }));
}

/** `cat > x.sh <<EOF …; bash x.sh`: what the script does that was just written. */
function writtenHits(command: Command, scene: Scene): Judged[] {
  const { program, argv } = command;
  const runs = SHELLS.has(program) || program === "source" || program === ".";
  const word = runs
    ? argv.slice(1).find((w) => !/^[-+]/.test(w.value))
    : argv[0];
  if (!word || !runs && !/[/\\]/.test(word.value)) return [];
  const body = writtenTo(word.value, scene);
  const first = argv[0] ?? word;
  if (
    !body || /^#!.{0,60}(?:python|node|ruby|perl|deno|php)/.test(body.value)
  ) {
    return [];
  }
  return scene.nested(body.value).filter((hit) => hit.label !== "neutral")
    .map((hit) => ({ ...hit, start: first.start, end: word.end }));
}

/** What a text must hold for a file of secrets to be named in it. */
const SECRET_HINT =
  /\.env|\.aws|ngrok|netrc|pgpass|\.cnf|npmrc|pypirc|credential|vault-token|htpasswd|config|hosts|auth|service|client_secret|secret|id_|\.pem|\.p12|\.pfx|\.jks|keystore|kdbx|\.key|shadow|sudoers|terraformrc|dev\.vars/i;

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
  const { program: own } = command;
  if (own === "yarn" || own === "pnpm" || own === "bun") {
    return binaryOf(command);
  }
  if (own !== "") return command;
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
  let drop: Set<Hit> | undefined;
  const leave = (hit: Hit) => (drop ??= new Set()).add(hit);
  let known: Map<number, Hit[]> | undefined;
  const of = (at: number): Hit[] => (known ??= byCommand(hits)).get(at) ?? [];
  let readers: Map<number, number[]> | undefined;
  for (const hit of hits) {
    const command = commands[hit.at];
    if (!command) continue;
    if (isRemoteShell(hit)) {
      const inner = startedBy(hit.at, commands)
        .flatMap(of);
      if (inner.some((h) => h.label === "swamp")) leave(hit);
      else if (inner.length > 0 && hit.label === "bypass") {
        hit.mutating = inner.some((h) => h.mutating !== false);
        for (const h of inner) if (h.label === "bypass") leave(h);
      }
    } else if (command.elsewhere === "container" && hit.label === "swamp") {
      // swamp started by `kubectl exec` or `docker run`: that is what it is.
      let outer = command.within;
      for (let i = 0; outer !== undefined && i < CHAIN_LIMIT; i++) {
        for (const h of of(outer)) leave(h);
        outer = commands[outer]?.within;
      }
    }
    if (
      hit.label === "bypass" && hit.mutating === false &&
      categoryOf(hit).startsWith("secret.")
    ) {
      readers ??= readersOf(commands);
      if (feedsVault(commands, readers, hit.at)) leave(hit);
    }
  }
  const left = drop;
  return left ? hits.filter((hit) => !left.has(hit)) : hits;
}

function byCommand(hits: readonly Hit[]): Map<number, Hit[]> {
  const map = new Map<number, Hit[]>();
  for (const hit of hits) {
    const list = map.get(hit.at);
    if (list) list.push(hit);
    else map.set(hit.at, [hit]);
  }
  return map;
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
