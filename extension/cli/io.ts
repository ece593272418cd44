/**
 * All that the command line touches of its process, so that tests can give
 * something else.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { fstatSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import process from "node:process";
import { EXIT, systemMessage } from "./errors.ts";

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
    stdout: nodeOutput(process.stdout, 1),
    stderr: nodeOutput(process.stderr, 2),
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

/** Whether a stream is a file; one that was closed is none. */
function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** Writes all of a text: Node's own stream takes half of it for all. */
function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

function nodeOutput(stream: NodeJS.WriteStream, fd: number): Output {
  let closed = false;
  const file = isFile(fd);
  const waiting: (() => void)[] = [];
  const release = () => {
    for (const go of waiting.splice(0)) go();
  };
  stream.on("drain", release);
  stream.on("error", (error: Error & { code?: string }) => {
    closed = true;
    release();
    if (stream !== process.stdout) return;
    // `… | head` closes the pipe: no error, nobody wants the rest.
    if (error.code === "EPIPE") process.exit();
    // Whoever keeps the output must know that it is not whole.
    process.stderr.write(
      `error: the output could not be written: ${
        systemMessage(error) ?? error.message
      }\n`,
      () => process.exit(EXIT.failed),
    );
  });
  return {
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || Number(process.env.COLUMNS) || 80;
    },
    async write(text) {
      if (closed || text === "") return;
      if (file) {
        try {
          writeWhole(fd, text);
        } catch (error) {
          closed = true;
          stream.destroy(error instanceof Error ? error : undefined);
        }
        return;
      }
      if (stream.write(text)) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
