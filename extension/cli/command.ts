/**
 * What a command is.
 *
 * @module
 */
import type { ExitCode } from "./errors.ts";
import type { Io } from "./io.ts";
import type { COMMON, OptionTable, Values } from "./options.ts";
import type { Colors } from "./terminal.ts";

/** What a command is given besides its options. */
export interface Context {
  /** The process. */
  io: Io;
  /** Colours of stdout. */
  out: Colors;
  /** Colours of stderr. */
  err: Colors;
  /** Writes a line to stdout. */
  print(line?: string): Promise<void>;
  /** Writes a line to stderr. */
  note(line?: string): Promise<void>;
}

/** A positional argument. */
export interface Argument {
  /** Its name. */
  name: string;
  /** One line of help. */
  help: string;
  /** Must be given. */
  required?: boolean;
  /** What it may be; checked, and shown. */
  choices?: readonly string[];
  /** Takes all that follow, joined by blanks. */
  rest?: boolean;
}

/** A command of the command line. */
export interface Command<T extends OptionTable> {
  /** Its name. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** What a newcomer needs to know; paragraphs. */
  about: string;
  /** At most one positional argument. */
  argument?: Argument;
  /** Its own options. */
  options: T;
  /** A command line after `swamp-sessions`, and what it does. */
  examples: readonly (readonly [string, string])[];
  /** Does it. Throws CliError where it cannot. */
  run(
    context: Context,
    values: Values<T & typeof COMMON>,
    argument: string | undefined,
  ): Promise<ExitCode>;
}

/** A command whose options are known at run time only. */
export interface AnyCommand extends Omit<Command<OptionTable>, "run"> {
  /** As in {@link Command}; the values fit the options by construction. */
  run(
    context: Context,
    values: Readonly<Record<string, unknown>>,
    argument: string | undefined,
  ): Promise<ExitCode>;
}

/** Declares a command; the values that `run` gets follow from its options. */
export function command<T extends OptionTable>(
  spec: Command<T>,
): AnyCommand {
  return {
    ...spec,
    run: (context, values, argument) =>
      spec.run(context, values as Values<T & typeof COMMON>, argument),
  };
}
