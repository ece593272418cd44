/**
 * What a shell command line is made of. Offsets are UTF-16 units in the text
 * that was parsed.
 *
 * @module
 */

/** One word of a command. */
export interface Word {
  /** The value after quotes; `‹›` stands for what only running it would tell. */
  value: string;
  /** Start in the source. */
  start: number;
  /** End in the source. */
  end: number;
  /** False where part of the value is unknown (`$X`, `$(…)`). */
  literal: boolean;
  /** The word, or a part of it, was quoted. */
  quoted: boolean;
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

/** One simple command, launchers unwrapped. */
export interface Command {
  /** The program: base name, lower case, without `.exe`; "" if unknown. */
  program: string;
  /** The words from the program on; `argv[0]` is the program's word. */
  argv: Word[];
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
   * Set for a command found in a nested string: its words' offsets are those
   * of the enclosing word in the source.
   */
  inside?: boolean;
}

/** A parsed command line. */
export interface ShellParse {
  /** All simple commands, in source order. */
  commands: Command[];
  /** Assignments that stand alone: `TOOL=kubectl`. */
  variables: Map<string, string>;
  /** False where the parser gave up on a part, or the text is no POSIX shell. */
  complete: boolean;
  /** Comment ranges. */
  comments: [number, number][];
}
