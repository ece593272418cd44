/**
 * Options as typed tables: one row parses, types and documents an option.
 *
 * @module
 */
import { when } from "./values.ts";

/** One option. */
export interface OptionSpec<T> {
  /** Placeholder of its value; a switch has none. */
  placeholder?: string;
  /** One line for `--help` and the reference. */
  help: string;
  /** The value where it is not given. */
  initial: T;
  /** The value so far and a text -> the new value; throws UsageError. */
  take(text: string, before: T): T;
  /** Other names, accepted and not shown. */
  aliases?: readonly string[];
}

/** Options by their name without `--`. */
export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>;

/** What a table of options gives. */
export type Values<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends OptionSpec<infer V> ? V : never;
};

/** A switch. */
export function flag(help: string): OptionSpec<boolean> {
  return { help, initial: false, take: () => true };
}

/** An option with a value; the last one counts. */
export function value<T>(
  placeholder: string,
  help: string,
  parse: (text: string) => T,
  aliases?: readonly string[],
): OptionSpec<T | undefined> {
  return {
    placeholder,
    help,
    initial: undefined,
    take: parse,
    ...(aliases ? { aliases } : {}),
  };
}

/** An option with a value and a default. */
export function valueOr<T>(
  placeholder: string,
  help: string,
  parse: (text: string) => T,
  initial: T,
): OptionSpec<T> {
  return { placeholder, help, initial, take: parse };
}

/** An option that may be given several times, or with commas. */
export function many(
  placeholder: string,
  help: string,
  parse: (text: string) => string = (text) => text,
): OptionSpec<readonly string[]> {
  return {
    placeholder,
    help,
    initial: [],
    take: (text, before) => [
      ...before,
      ...text.split(",").map((part) => part.trim()).filter(Boolean).map(parse),
    ],
  };
}

/** Options of every command. */
export const COMMON = {
  "repo-dir": value(
    "dir",
    "the swamp repo (else SWAMP_REPO_DIR, else the folder you are in)",
    (text) => text,
  ),
  home: value(
    "dir",
    "whose sessions: the home directory to look in (else your own)",
    (text) => text,
  ),
  json: flag("machine output on stdout; everything else goes to stderr"),
};

/** Options that bound which sessions are meant. */
export const SELECTION = {
  harness: many(
    "name",
    "only sessions of this agent program: claude, codex, ...",
  ),
  since: value(
    "when",
    "only sessions active since: 7d, 12h, 2w or a date",
    when,
  ),
  until: value("when", "only sessions begun before: same forms", when),
};

/** Values of the common options. */
export type CommonValues = Values<typeof COMMON>;
