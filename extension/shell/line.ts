/**
 * What is known of a line while it is read, and the limits of reading.
 *
 * @module
 */
import type { SyntaxNode } from "./unbash.ts";
import {
  type Command,
  type CommandContext,
  type Redirect,
  UNKNOWN,
  type Word,
} from "./types.ts";
import type { Frame } from "./words.ts";

/** Deepest tree that is walked; the parser itself stops at 256. */
export const WALK_LIMIT = 400;
/** Most commands of one text; a line of more is no line an agent writes. */
export const COMMAND_LIMIT = 600;

/** Most words of one text that are read by their parts: each takes a lexer. */
const WORD_LIMIT = 2000;
/** Most words of one text: a list of files is never so long. */
const ALL_WORDS_LIMIT = 5000;

/** Where a command is being read. */
export interface Place {
  /** The text it is in. */
  frame: Frame;
  /** What surrounds it. */
  context: CommandContext;
  /** How many shells deep. */
  depth: number;
  /** Index of the command it is part of. */
  within?: number;
  /** Where it runs, if not here. */
  elsewhere?: Command["elsewhere"];
  /** Launchers already taken off. */
  launchers: string[];
}

/** The state of reading one line; what few lines need is made when needed. */
export class Line {
  /** All commands so far. */
  readonly commands: Command[] = [];
  /** Variables with a known value. */
  readonly variables: Map<string, string> = new Map();
  /** Of these the value is one of several. */
  guesses: Set<string> | undefined;
  /** What `alias` set. */
  aliases: Map<string, Word> | undefined;
  /** Arrays: `CMD=(kubectl delete)`. */
  arrays: Map<string, Word[]> | undefined;
  /** Functions that pass their arguments on, by the one command in them. */
  functions: Map<string, Command> | undefined;
  /** The tree's words of each command. */
  readonly nodes: Map<Command, readonly SyntaxNode[]> = new Map();
  /** Places of commands already taken from a substitution. */
  seen: Set<string> | undefined;
  /** False once something could not be read. */
  complete = true;
  /** The tree of the whole text is not whole: what it lacks is split. */
  broken = false;
  /** How deep in the tree. */
  level = 0;
  /** How many words were read by their parts. */
  private looked = 0;
  /** How many words were taken. */
  private taken = 0;
  /** How deep in substitutions. */
  substitutions = 0;
  /** Set while a pipeline is walked: the command that the next one reads. */
  pipe: number | undefined;

  /**
   * The state for one text.
   *
   * @param root The whole text.
   * @param from Maps an offset in the original back to one in the text.
   * @param budget How many characters may be parsed again, as substitutions
   * and nested command lines; keeps the time linear in the text.
   */
  constructor(
    readonly root: Frame,
    readonly from: (offset: number) => number,
    private budget: number,
  ) {}

  /** Counts a word that is read by its parts; false where that is enough. */
  looks(): boolean {
    if (!this.full() && this.looked++ < WORD_LIMIT) return true;
    this.complete = false;
    return false;
  }

  /** Counts a word; false where no more are taken. */
  takes(): boolean {
    if (this.taken++ < ALL_WORDS_LIMIT) return true;
    this.complete = false;
    return false;
  }

  /** Takes from the budget; false where it is used up. */
  spend(length: number): boolean {
    this.budget -= length;
    if (this.budget >= 0) return true;
    this.complete = false;
    return false;
  }

  /** Whether no more commands are taken. */
  full(): boolean {
    if (this.commands.length < COMMAND_LIMIT) return false;
    this.complete = false;
    return true;
  }

  /** A new command, empty but for its place. */
  add(place: Place, start: number, end: number): Command {
    const command: Command = {
      program: "",
      argv: [],
      words: [],
      launchers: place.launchers.slice(),
      assignments: [],
      redirects: [],
      start,
      end,
      context: place.context,
      depth: place.depth,
    };
    if (place.within !== undefined) command.within = place.within;
    if (place.elsewhere) command.elsewhere = place.elsewhere;
    if (place.frame.inside) command.inside = true;
    this.commands.push(command);
    return command;
  }

  /**
   * The program that a word of a command looks up, if it does nothing else:
   * `$(command -v swamp)`.
   */
  lookedUp(word: Word, at: number): string | undefined {
    if (word.value !== UNKNOWN) return undefined;
    let inner: Command | undefined;
    for (let i = at + 1; i < this.commands.length && !inner; i++) {
      const c = this.commands[i];
      if (
        c?.within === at && c.context === "substitution" &&
        c.start >= word.start && c.end <= word.end
      ) inner = c;
    }
    const [program, ...rest] = (inner?.argv ?? []).map((w) => w.value);
    if (!/^(?:which|where|whence|command|type)$/.test(program ?? "")) {
      return undefined;
    }
    const names = rest.filter((value) => !value.startsWith("-"));
    const asks = program !== "command" && program !== "type" ||
      /^-[vpP]/.test(rest[0] ?? "");
    return asks && names.length === 1 ? names[0] : undefined;
  }

  /** Remembers a variable. */
  assign(name: string, word: Word, append: boolean): void {
    const value = append
      ? (this.variables.get(name) ?? "") + word.value
      : word.value;
    // A value of which nothing is known is the same as no value.
    this.guesses?.delete(name);
    if (value === UNKNOWN || value.length > 4096) this.variables.delete(name);
    else this.variables.set(name, value);
  }
}

/** Whether a redirect is input. */
export function feeds(redirect: Redirect): boolean {
  return redirect.body !== undefined || redirect.op === "<";
}

/** A frame all of whose offsets are those of one word. */
export function fixed(text: string, start: number, end: number): Frame {
  return {
    text,
    at: (offset) =>
      offset >= text.length - 1 ? Math.max(start, end - 1) : start,
    inside: true,
  };
}
