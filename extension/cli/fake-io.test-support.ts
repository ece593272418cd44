/**
 * A process in memory, for tests of the command line.
 *
 * @module
 */
import type { Io, Output } from "./io.ts";

/** What a run wrote, and its process. */
export interface FakeIo extends Io {
  /** Everything on stdout. */
  out(): string;
  /** Everything on stderr. */
  err(): string;
  /** Presses Ctrl-C. */
  interrupt(): void;
}

/** What a fake process may be told. */
export interface FakeOptions {
  cwd: string;
  home?: string;
  env?: Record<string, string>;
  stdin?: string | Iterable<string>;
  /** Columns of a terminal on stdout and stderr; none where absent. */
  terminal?: number;
  now?: number;
}

class Collected implements Output {
  text = "";
  constructor(readonly isTTY: boolean, readonly columns: number) {}
  write(text: string): Promise<void> {
    this.text += text;
    return Promise.resolve();
  }
}

/** Makes a process in memory. */
export function fakeIo(options: FakeOptions): FakeIo {
  const terminal = options.terminal !== undefined;
  const stdout = new Collected(terminal, options.terminal ?? 80);
  const stderr = new Collected(terminal, options.terminal ?? 80);
  const controller = new AbortController();
  const { stdin = "" } = options;
  const parts = typeof stdin === "string" ? [stdin] : stdin;
  return {
    stdout,
    stderr,
    stdin: (async function* () {
      for (const part of parts) {
        await Promise.resolve();
        yield new TextEncoder().encode(part);
      }
    })(),
    stdinIsTTY: false,
    env: options.env ?? {},
    cwd: options.cwd,
    homedir: options.home ?? options.cwd,
    platform: "linux",
    now: () => options.now ?? Date.parse("2026-11-30T12:00:00.000Z"),
    interrupted: controller.signal,
    catchInterrupts: () => {},
    out: () => stdout.text,
    err: () => stderr.text,
    interrupt: () => controller.abort(),
  };
}
