/**
 * The real swamp, run for us: its lines as they come, Ctrl-C passed on.
 *
 * @module
 */
import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { withChain } from "./chain.ts";
import { CliError, EXIT } from "./errors.ts";
import { start } from "./hand-over.ts";
import { realPath } from "./find-program.ts";
import type { Io } from "./io.ts";
import { SHIM } from "./package-root.ts";
import { clean } from "./terminal.ts";

/** A run of swamp. */
export interface SwampRun {
  /** The program. */
  program: string;
  /** The repository it works in. */
  repo: string;
  /** Its arguments. */
  args: readonly string[];
  /** Told each line on its stdout. */
  line?(text: string): void;
}

/** Lines of either stream that are kept to tell what went wrong. */
const KEPT = 40;

/**
 * What swamp must not find in its environment: it would run the method on
 * another machine, whose session files are not ours.
 */
const REMOTE = "SWAMP_SERVE_URL";

/**
 * Runs swamp to its end and gives its exit code, with what it wrote last.
 * Throws SWAMP_FAILED where it cannot be started.
 */
export async function runSwamp(
  io: Io,
  { program, repo, args, line }: SwampRun,
): Promise<{ code: number; said: string[] }> {
  const { [REMOTE]: _, ...env } = io.env;
  // A group of its own: a terminal's Ctrl-C would reach it twice, and swamp
  // takes the second one for "at once".
  const child = start(program, args, {
    cwd: repo,
    env: {
      ...withChain(env, args, process.pid, [realPath(SHIM), realPath(program)]),
      NO_COLOR: "1",
      SWAMP_REPO_DIR: repo,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: io.platform !== "win32",
  });
  const stop = () => signal(child, "SIGINT");
  const end = () => signal(child, "SIGTERM");
  const hangUp = () => {
    end();
    process.exit(1);
  };
  io.interrupted.addEventListener("abort", stop);
  process.on("exit", end);
  process.on("SIGHUP", hangUp);
  try {
    const out: string[] = [], err: string[] = [];
    const [code] = await Promise.all([
      new Promise<number>((done, fail) => {
        child.once("error", fail);
        child.once("close", (code) => done(code ?? 1));
      }),
      eachLine(child.stdout, (text) => {
        keep(out, text);
        line?.(text);
      }),
      eachLine(child.stderr, (text) => keep(err, text)),
    ]);
    return { code, said: err.some((text) => text !== "") ? err : out };
  } catch (error) {
    throw new CliError(
      "SWAMP_FAILED",
      `${program} could not be started: ${
        error instanceof Error ? error.message : String(error)
      }`,
    );
  } finally {
    io.interrupted.removeEventListener("abort", stop);
    process.off("exit", end);
    process.off("SIGHUP", hangUp);
  }
}

/** To the whole group, as a terminal does: swamp may be started by a script. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (process.platform === "win32" || child.pid === undefined) {
      child.kill(name);
    } else process.kill(-child.pid, name);
  } catch {
    // It ended meanwhile.
  }
}

function keep(lines: string[], text: string): void {
  const shown = clean(text).trim();
  if (shown === "") return;
  lines.push(shown);
  if (lines.length > KEPT) lines.shift();
}

async function eachLine(
  stream: Readable | null,
  take: (text: string) => void,
): Promise<void> {
  if (!stream) return;
  for await (const text of createInterface({ input: stream })) take(text);
}

/** The error of a run that ended badly: swamp's own words, and its exit code. */
export function swampError(
  what: string,
  { code, said }: { code: number; said: readonly string[] },
): CliError {
  const locked = code === EXIT.locked;
  return new CliError(
    "SWAMP_FAILED",
    [
      locked
        ? `${what}: another run holds swamp's lock on the model. Try again when it has ended.`
        : `${what} failed (swamp ended with exit code ${code}).`,
      ...said.map((text) => `  ${text}`),
    ].join("\n"),
    locked ? EXIT.locked : EXIT.failed,
  );
}
