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
  /** The whole command's exit code is the runner's own. */
  exitTells: boolean;
}

const matches = (want: string, have: string) =>
  want.endsWith("*") ? have.startsWith(want.slice(0, -1)) : want === have;

function runs(form: readonly string[], command: Command): boolean {
  const [program, ...words] = form;
  if (command.program !== program) return false;
  // Flags may stand anywhere, except where the form names one (`node --test`).
  const flags = words.some((w) => w.startsWith("-"));
  const have = command.argv.slice(1).map((w) => w.value.toLowerCase())
    .filter((w) => flags || !w.startsWith("-"));
  return flags
    ? words.every((w) => have.includes(w))
    : words.every((w, i) => have[i] !== undefined && matches(w, have[i]));
}

const ASKS = new Set(["--help", "-h", "--version", "--list", "--collect-only"]);

/** The first test run in a command line, if any. */
export function findTestRun(shell: ShellParse): TestRun | undefined {
  for (const [i, command] of shell.commands.entries()) {
    if (command.argv.some((w) => ASKS.has(w.value))) continue;
    const runner = RUNNERS.find((r) => r.forms.some((f) => runs(f, command)));
    if (!runner) continue;
    const others = shell.commands.filter((c, j) =>
      j !== i && c.program !== "cd"
    );
    return {
      runner: runner.name,
      // `npm test | tail` and `npm test; echo done` end with another's code.
      exitTells: others.length === 0,
    };
  }
  return undefined;
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
  // A package script may run any of them.
  const asked: readonly Runner[] = own === undefined ||
      ["package script", "make"].includes(runner)
    ? RUNNERS
    : [own];
  if (asked.some((r) => r.failed?.test(tail))) return false;
  if (asked.some((r) => r.passed?.test(tail))) return true;
  return null;
}
