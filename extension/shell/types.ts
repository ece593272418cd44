/**
 * What a shell command line is made of. Offsets are UTF-16 units in the text
 * that was parsed.
 *
 * @module
 */

/** Stands in a value for what only running the command would tell. */
export const UNKNOWN = "‹›";

/** The language a command line is written in. */
export type Dialect = "posix" | "powershell" | "cmd";

/** One word of a command. */
export interface Word {
  /**
   * The value after quotes, with variables of the same text resolved; `‹›`
   * stands for what only running it would tell.
   */
  value: string;
  /** Start in the source. */
  start: number;
  /** End in the source. */
  end: number;
  /** False where part of the value is unknown (`$X`, `$(…)`). */
  literal: boolean;
  /** The word, or a part of it, was quoted. */
  quoted: boolean;
  /** Variables in it, resolved or not, in order. */
  names?: string[];
}

/** A redirect of a command. */
export interface Redirect {
  /** `>`, `>>`, `<`, `<<`, `<<<`, `&>`, ... */
  op: string;
  /** Its target, or the delimiter of a heredoc. */
  target?: Word;
  /** The body of a heredoc or here-string. */
  body?: Word;
}

/** Where a command stands. */
export type CommandContext = "main" | "substitution" | "function" | "nested";

/** Where a command runs, if not here: on another host, or in a container. */
export type Elsewhere = "host" | "container";

/** One simple command, launchers unwrapped. */
export interface Command {
  /** The program: base name, lower case, without `.exe`; "" if unknown. */
  program: string;
  /** The words from the program on; `argv[0]` is the program's word. */
  argv: Word[];
  /** The whole command as written, launchers included. */
  words: Word[];
  /** Launchers taken off, outermost first: `sudo`, `timeout`, ... */
  launchers: string[];
  /** `NAME=value` in front of it, and by `env`. */
  assignments: { name: string; value: Word }[];
  /** Its redirects. */
  redirects: Redirect[];
  /** Start in the source. */
  start: number;
  /** End in the source. */
  end: number;
  /** Where it stands. */
  context: CommandContext;
  /** How many shells deep: 0, or the depth of `bash -c`, `eval`, ... */
  depth: number;
  /** Index of the command whose output it reads through a pipe. */
  stdin?: number;
  /**
   * Index of the command that it is part of: whose word holds the
   * substitution, or which starts it (`ssh host CMD`, `find -exec CMD`).
   */
  within?: number;
  /** Set where it runs elsewhere. */
  elsewhere?: Elsewhere;
  /**
   * Set for the body of a function that passes its arguments on (`"$@"`) and
   * is called: each call stands as a command of its own.
   */
  template?: boolean;
  /**
   * Set for a command found in a nested string: its words' offsets are those
   * of the enclosing word in the source.
   */
  inside?: boolean;
}

/** A parsed command line. */
export interface ShellParse {
  /** All simple commands, in source order; what is nested follows its host. */
  commands: Command[];
  /** Assignments that stand alone: `TOOL=kubectl`. */
  variables: Map<string, string>;
  /** False where the parser gave up on a part, or the text is no POSIX shell. */
  complete: boolean;
  /** The language it was read as. */
  dialect: Dialect;
  /** Comment ranges. */
  comments: [number, number][];
}
