/**
 * Which calls run tests, found by the shell parse and never by a word match,
 * and how they went.
 *
 * @module
 */
import type { Command, ShellParse } from "../shell/types.ts";
import { type Runner, RUNNERS } from "./runners.ts";

/** A test run found in a command. */
export interface TestRun {
  /** The runner's name. */
  runner: string;
  /**
   * What the whole command's exit code tells: `all`, it is the runner's own;
   * `zero`, that 0 says that the tests passed (`npm test && npm run lint`).
   */
  exitTells?: "all" | "zero";
  /** Its output was filtered: that no failure is seen proves nothing. */
  filtered?: true;
}

/** Flags of package managers and build tools that take the next word. */
const VALUED = new Set([
  "--filter",
  "-f",
  "-F",
  "--prefix",
  "-C",
  "--dir",
  "--cwd",
  "-w",
  "--workspace",
  "-p",
  "--project",
  "-pl",
  "-P",
  "--file",
]);
/** First words that a script's name comes after. */
const LEADS = new Set(["run", "run-script", "r", "task", "exec", "x"]);
const SCRIPT_NAME =
  /^(?:(?:\w{1,20}[-_:.]){0,3}tests?|t(?:est)?-?all|e2e|specs?|unit)(?:[-_:.][\w:.-]{1,40})?$/i;
const GOAL_NAME =
  /^(?:\/\/\S{0,200}|(?:[\w@/.-]{0,80}:){0,5})(?:(?:\w{1,20}[-_:.]){0,3}tests?(?:[-_:.][\w:.-]{1,40})?|test[A-Z]\w{0,60})$/;
/** Names that hold the word and run no tests. */
const NO_RUN =
  /(?:^|[-_:.])(?:data|fixtures?|db|database|env|image|build|deps|setup|server|lint|types?|compile|clean|report)(?:$|[-_:.])/i;

/** The words that are no flags, and no values of flags. */
function plainWords(command: Command): string[] {
  const words: string[] = [];
  for (let i = 1; i < command.argv.length; i++) {
    const word = command.argv[i]?.value ?? "";
    if (word === "--") break;
    if (VALUED.has(word)) i++;
    else if (!/^[-+]/.test(word)) words.push(word);
  }
  return words;
}

const isTests = (word: string, name: RegExp) =>
  name.test(word) && !NO_RUN.test(word);

function runsForm(form: readonly string[], command: Command): boolean {
  const [program, ...words] = form;
  if (command.program !== program) return false;
  // Flags may stand anywhere, except where the form names one (`node --test`).
  if (words.some((w) => w.startsWith("-"))) {
    const have = command.argv.map((w) => w.value.toLowerCase());
    return words.every((w) => have.includes(w));
  }
  const have = plainWords(command);
  return words.every((w, i) => have[i]?.toLowerCase() === w);
}

function runs(runner: Runner, command: Command): boolean {
  const { forms = [], scripts = [], goals = [] } = runner;
  if (forms.some((form) => runsForm(form, command))) return true;
  if (goals.includes(command.program)) {
    return plainWords(command).some((word) => isTests(word, GOAL_NAME));
  }
  if (!scripts.includes(command.program)) return false;
  let words = plainWords(command);
  // `yarn workspace NAME test`
  if (words[0] === "workspace") words = words.slice(2);
  if (LEADS.has(words[0] ?? "")) words = words.slice(1);
  return isTests(words[0] ?? "", SCRIPT_NAME);
}

const ASKS = new Set([
  "--help",
  "-h",
  "--version",
  "--list",
  "--list-tests",
  "--collect-only",
  "--dry-run",
]);
/** Programs that pass on what they read, or its end. */
const PASSES_ON = new Set(["tail", "cat", "tee", "less", "more"]);

/** The first test run in a command line, if any; `text` is what was parsed. */
export function findTestRun(
  shell: ShellParse,
  text: string,
): TestRun | undefined {
  for (const [i, command] of shell.commands.entries()) {
    if (command.argv.some((w) => ASKS.has(w.value))) continue;
    const inner = throughCorepack(command);
    const runner = RUNNERS.find((r) => runs(r, inner));
    if (!runner) continue;
    const exitTells = whatExitTells(shell, i, text);
    return {
      runner: runner.name,
      ...(exitTells ? { exitTells } : {}),
      ...(isFiltered(shell, i) ? { filtered: true as const } : {}),
    };
  }
  return undefined;
}

/** `corepack pnpm test`, `pnpm exec vitest`: the command that they start. */
function throughCorepack(command: Command): Command {
  const { program, argv } = command;
  const skip = program === "corepack"
    ? 1
    : /^(?:npm|pnpm|yarn|bun)$/.test(program) &&
        /^(?:exec|x|dlx)$/.test(argv[1]?.value ?? "")
    ? argv[2]?.value === "--" ? 3 : 2
    : 0;
  const next = skip > 0 ? argv[skip]?.value.toLowerCase() : undefined;
  if (next === undefined || next === "") return command;
  const inner = { ...command, program: next, argv: argv.slice(skip) };
  return program === "corepack" ? throughCorepack(inner) : inner;
}

function isFiltered(shell: ShellParse, at: number): boolean {
  for (let i = at; i >= 0;) {
    const reader = shell.commands.findIndex((c) => c.stdin === i);
    if (reader < 0) return false;
    if (!PASSES_ON.has(shell.commands[reader]?.program ?? "")) return true;
    i = reader;
  }
  return false;
}

const REDIRECT = /\d{0,2}(?:>>?|<)&?\s{0,9}(?:[^\s;&|<>]{1,300})?/g;

/** What joins two commands of a line, or ends it; redirects are left out. */
const joint = (text: string) => text.replace(REDIRECT, "").trim();

/** See {@link TestRun.exitTells}. */
function whatExitTells(
  shell: ShellParse,
  at: number,
  text: string,
): TestRun["exitTells"] {
  const run = shell.commands[at];
  const others = shell.commands.filter((c, j) =>
    j !== at && c.program !== "cd"
  );
  if (!run) return undefined;
  if (others.length === 0) {
    return /^&(?!&)/.test(joint(text.slice(run.end))) ? undefined : "all";
  }
  if (run.depth > 0 || run.context !== "main" || run.within !== undefined) {
    return undefined;
  }
  const line = shell.commands.filter((c) =>
    c.depth === 0 && c.context === "main" && c.within === undefined
  ).sort((a, b) => a.start - b.start);
  const i = line.indexOf(run);
  const after = line.slice(i).map((c, j, rest) =>
    joint(text.slice(c.end, rest[j + 1]?.start))
  );
  if (!after.every((j, n) => n === after.length - 1 ? j === "" : j === "&&")) {
    return undefined;
  }
  if (after.length > 1) return "zero";
  // The last of a line: what ran before matters only where it can end it.
  const before = line[i - 1];
  const gap = before && joint(text.slice(before.end, run.start));
  return gap === undefined || gap === ";" || gap === "" || gap === "|" ||
      before?.program === "cd"
    ? "all"
    : gap === "&&"
    ? "zero"
    : undefined;
}

/** How far back a summary line is looked for, in UTF-16 units. */
const TAIL = 20_000;

/**
 * What a test run's output says of itself; null where it says nothing. Any
 * failing summary wins over a passing one.
 */
export function testOutcome(runner: string, output: string): boolean | null {
  // Colour codes stand between the words of a summary.
  // deno-lint-ignore no-control-regex
  const tail = output.slice(-TAIL).replace(/\u001b\[[0-9;]{0,20}m/g, "");
  const own = RUNNERS.find((r) => r.name === runner);
  const asked: readonly Runner[] = own === undefined || own.any
    ? RUNNERS
    : [own];
  if (asked.some((r) => r.failed?.test(tail))) return false;
  if (asked.some((r) => r.passed?.test(tail))) return true;
  return null;
}
