/**
 * Another program in place of this one: same arguments, streams, exit code and
 * signals.
 *
 * @module
 */
import {
  type ChildProcess,
  spawn,
  type SpawnOptions,
} from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

/** Signals that are passed on to the program. */
const PASSED = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "SIGQUIT",
  "SIGUSR1",
  "SIGUSR2",
] as const;

/** Signals that end this process when it sends them to itself. */
const ENDS: readonly NodeJS.Signals[] = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "SIGQUIT",
  "SIGKILL",
];

/** How the program ended. */
export type Ended = { code: number } | { signal: NodeJS.Signals };

/** Starts a program; `.cmd` and `.bat` of Windows run through cmd.exe. */
export function start(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const batch = process.platform === "win32" && /\.(?:cmd|bat)$/i.test(program);
  return batch
    ? spawn(
      process.env.ComSpec ?? "cmd.exe",
      ["/d", "/s", "/c", `"${batchLine(program, args)}"`],
      { ...options, windowsVerbatimArguments: true },
    )
    : spawn(program, args, options);
}

/**
 * Runs a program to its end, streams shared. Rejects where it cannot be
 * started.
 */
export function handOver(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  const child = start(program, args, { stdio: "inherit", env });
  // A terminal sends Ctrl-C to both; the child decides what it means, and a
  // signal sent to this process alone is passed on.
  const passed = PASSED.map((signal) => {
    const listener = () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const off of passed) off();
      done(signal ? { signal } : { code: code ?? 1 });
    });
  });
}

/**
 * Ends this process as the other ended: by the same signal where Node lets it
 * (it takes SIGUSR1 for its debugger, and SIGPIPE for nothing), else with the
 * exit code that a shell gives for it.
 */
export function endAs(ended: Ended): void {
  if ("code" in ended) {
    process.exitCode = ended.code;
    return;
  }
  process.exitCode = 128 + constants.signals[ended.signal];
  // By its own hand, so that whoever waits sees the signal itself.
  if (ENDS.includes(ended.signal)) process.kill(process.pid, ended.signal);
}

/**
 * The line that has cmd.exe run a batch file. Arguments are escaped twice, as
 * cmd.exe reads them once more where the file hands them on as `%*`: with a
 * quote in one, what follows it would else be a command.
 */
export function batchLine(program: string, args: readonly string[]): string {
  return [
    escaped(quoted(program)),
    ...args.map((arg) => escaped(escaped(quoted(arg)))),
  ].join(" ");
}

/** An argument as a program takes its command line apart. */
const quoted = (text: string): string =>
  `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;

/** With every character that cmd.exe acts on escaped. */
const escaped = (text: string): string =>
  text.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
