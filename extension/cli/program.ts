/**
 * The command line as a function: arguments in, exit code out.
 *
 * @module
 */
import { Command as Commander, CommanderError, Option } from "commander";
import { StoreError } from "../store/files.ts";
import type { AnyCommand, Context } from "./command.ts";
import { COMMANDS } from "./commands/mod.ts";
import {
  CliError,
  EXIT,
  type ExitCode,
  messageOf,
  UsageError,
} from "./errors.ts";
import type { Io } from "./io.ts";
import { COMMON, type OptionTable } from "./options.ts";
import { packageVersion } from "./package-root.ts";
import { cleanLines, colorsFor } from "./terminal.ts";

/** Name in help and messages. */
export const PROGRAM = "swamp-sessions";

const ABOUT =
  `Shows what your coding agents did in a swamp repo: their turns and tool calls,
and whether each call used swamp, went around it (a bypass), or neither.

It reads the session files that agent programs keep on this machine. It calls
no network and no model, and never stores a prompt or a reply of a session.`;

const START = `Start here:
  $ ${PROGRAM} list                    sessions that were found on this machine
  $ ${PROGRAM} import --all --init     import them into this folder's repo
  $ ${PROGRAM} dashboard               look at them in the browser`;

/**
 * Runs the command line. `argv` holds the arguments only. Never throws; what
 * went wrong is on stderr and in the exit code.
 */
export async function main(
  argv: readonly string[],
  io: Io,
): Promise<ExitCode> {
  const context = contextOf(io);
  let exit: ExitCode = EXIT.ok;
  let out = "", errors = "";
  const program = new Commander(PROGRAM)
    .description(ABOUT)
    .version(packageVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", `\n${START}`)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => out += text,
      writeErr: (text) => errors += text,
      getOutHelpWidth: () => Math.min(io.stdout.columns, 100),
      getErrHelpWidth: () => Math.min(io.stderr.columns, 100),
      getOutHasColors: () => context.out.isColorSupported,
      getErrHasColors: () => context.err.isColorSupported,
      outputError: (text, write) => write(cleanLines(text)),
    })
    .configureHelp({ styleTitle: (title) => context.out.bold(title) });
  for (const spec of COMMANDS) {
    addCommand(program, spec, async (values, argument) => {
      exit = await spec.run(context, values, argument);
    });
  }
  const topic = argv[0] === "help" ? argv[1] : undefined;
  try {
    if (topic !== undefined && !COMMANDS.some(({ name }) => name === topic)) {
      throw new UsageError(
        `${JSON.stringify(topic)} is no command: give one of ${
          COMMANDS.map(({ name }) => name).join(", ")
        }.`,
      );
    }
    if (argv.length === 0) {
      errors += program.helpInformation() + `\n${START}\n`;
      exit = EXIT.usage;
    } else await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    exit = error instanceof CommanderError
      ? (error.exitCode === 0 ? EXIT.ok : EXIT.usage)
      : exitOf(error);
    if (!(error instanceof CommanderError)) {
      errors += `${context.err.red("error:")} ${
        cleanLines(messageOf(error, io))
      }\n`;
    } else if (exit === EXIT.usage) {
      const spec = COMMANDS.find(({ name }) => name === argv[0]);
      if (spec?.argument?.rest && error.code === "commander.unknownOption") {
        errors +=
          `If that belongs to the ${spec.argument.name}, put it in quotes.\n`;
      }
      errors += `Try ${PROGRAM} ${spec ? `${spec.name} ` : ""}--help.\n`;
    }
  }
  await io.stdout.write(out);
  await io.stderr.write(errors);
  return exit;
}

function contextOf(io: Io): Context {
  return {
    io,
    out: colorsFor(io.stdout, io),
    err: colorsFor(io.stderr, io),
    print: (line = "") => io.stdout.write(`${line}\n`),
    note: (line = "") => io.stderr.write(`${line}\n`),
  };
}

function addCommand(
  program: Commander,
  spec: AnyCommand,
  run: (
    values: Readonly<Record<string, unknown>>,
    argument: string | undefined,
  ) => Promise<void>,
): void {
  const sub = program.command(spec.name)
    .summary(spec.summary)
    .description(spec.about)
    .allowExcessArguments(false)
    .helpOption("-h, --help", "print this help");
  const { argument } = spec;
  if (argument) {
    const name = `${argument.name}${argument.rest ? "..." : ""}`;
    sub.argument(argument.required ? `<${name}>` : `[${name}]`, argument.help);
  }
  const values: Record<string, unknown> = {};
  const table: OptionTable = { ...spec.options, ...COMMON };
  for (const [name, option] of Object.entries(table)) {
    values[name] = option.initial;
    for (const [i, alias] of [name, ...(option.aliases ?? [])].entries()) {
      const value = option.placeholder ? ` <${option.placeholder}>` : "";
      const added = new Option(`--${alias}${value}`, option.help);
      sub.addOption(i > 0 ? added.hideHelp() : added);
      sub.on(`option:${alias}`, (text: string | null) => {
        try {
          values[name] = option.take(text ?? "", values[name]);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          throw new UsageError(`--${alias}: ${error.message}`);
        }
      });
    }
  }
  const width = Math.max(...spec.examples.map(([line]) => line.length));
  const examples = spec.examples.map(([line, what]) =>
    `  $ ${PROGRAM} ${line.padEnd(width)}   ${what}`
  );
  sub.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
  sub.action(async (given: string | string[] | undefined) => {
    const text = Array.isArray(given) ? given.join(" ") : given;
    const one = argument && text !== undefined && text !== ""
      ? text
      : undefined;
    if (one !== undefined && argument?.choices?.includes(one) === false) {
      throw new UsageError(
        `${JSON.stringify(one)} is no ${argument.name}: give one of ${
          argument.choices.join(", ")
        }.`,
      );
    }
    await run(values, one);
  });
}

/** Exit code of an error. */
function exitOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exit;
  if (error instanceof StoreError && error.code === "LOCKED") {
    return EXIT.locked;
  }
  return EXIT.failed;
}
