/**
 * All that the command line touches of its process, so that tests can give
 * something else.
 *
 * @module
 */
import { homedir } from "node:os";
import process from "node:process";
import { EXIT } from "./errors.ts";

/** A place to write text to. */
export interface Output {
  /** A person reads it. */
  readonly isTTY: boolean;
  /** Columns of the terminal; 80 where unknown. */
  readonly columns: number;
  /** Writes; resolves when there is room for more. Writing to a closed pipe does nothing. */
  write(text: string): Promise<void>;
}

/** The process as commands see it. */
export interface Io {
  /** Data. */
  stdout: Output;
  /** Everything for people when stdout is data. */
  stderr: Output;
  /** What is piped in. */
  stdin: AsyncIterable<Uint8Array>;
  /** A person types into stdin. */
  stdinIsTTY: boolean;
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** Working directory. */
  cwd: string;
  /** Home directory of the person. */
  homedir: string;
  /** `linux`, `darwin`, `win32`, ... */
  platform: string;
  /** The time now, epoch milliseconds. */
  now(): number;
  /** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process. */
  interrupted: AbortSignal;
  /** Lets Ctrl-C abort `interrupted` from here on instead of ending at once. */
  catchInterrupts(): void;
}

/** The real process. */
export function nodeIo(): Io {
  const controller = new AbortController();
  let caught = false;
  return {
    stdout: nodeOutput(process.stdout),
    stderr: nodeOutput(process.stderr),
    stdin: process.stdin,
    stdinIsTTY: process.stdin.isTTY === true,
    env: process.env,
    cwd: workingDirectory(),
    homedir: homedir(),
    platform: process.platform,
    now: () => Date.now(),
    interrupted: controller.signal,
    catchInterrupts() {
      if (caught) return;
      caught = true;
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        process.on(signal, () => {
          // A second one: the person will not wait. Every write is whole or
          // absent, so that ending here leaves a valid store.
          if (controller.signal.aborted) process.exit(EXIT.interrupted);
          controller.abort();
        });
      }
    },
  };
}

/** The working directory; the home directory where it was removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return homedir();
  }
}

function nodeOutput(stream: NodeJS.WriteStream): Output {
  let closed = false;
  const waiting: (() => void)[] = [];
  const release = () => {
    for (const go of waiting.splice(0)) go();
  };
  stream.on("drain", release);
  // `… | head` closes the pipe: no error, nobody wants the rest.
  stream.on("error", (error: Error & { code?: string }) => {
    closed = true;
    release();
    if (error.code === "EPIPE" && stream === process.stdout) process.exit();
  });
  return {
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || Number(process.env.COLUMNS) || 80;
    },
    async write(text) {
      if (closed || text === "" || stream.write(text)) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
