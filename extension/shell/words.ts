/**
 * Words of the syntax tree -> values, offsets and the text of nested command
 * lines.
 *
 * @module
 */
import type { BodyNode, PartNode, WordNode } from "./unbash.ts";
import { UNKNOWN, type Word } from "./types.ts";

/** A text being read and where its characters stand in the original. */
export interface Frame {
  /** The text that the tree's offsets refer to. */
  text: string;
  /** Its offset -> offset in the original. */
  at(offset: number): number;
  /** The offsets are only those of the enclosing word. */
  inside: boolean;
}

/** What a word's value needs besides the word. */
export interface WordContext {
  /** The text. */
  frame: Frame;
  /** Variables known so far. */
  variables: ReadonlyMap<string, string>;
  /** Whether a variable's value is one of several: a loop's. */
  guessed(name: string): boolean;
  /** Whether one more word may be read again, by its parts. */
  looks(): boolean;
  /** Whether this many more characters may be read again. */
  afford(length: number): boolean;
  /** Called for everything in a word that holds commands. */
  nested(part: PartNode): void;
}

/** Longest `${…}` that is looked into. */
const EXPANSION_LIMIT = 4000;
/** Longest value of a variable that is carried on. */
const VALUE_LIMIT = 4096;

interface Builder {
  value: string;
  literal: boolean;
  quoted: boolean;
  names?: string[];
}

/** Offsets in the original of a range of the frame. */
export function span(
  frame: Frame,
  from: number,
  to: number,
): [number, number] {
  // The parser puts the end of something unclosed behind the text.
  const end = Math.min(to, frame.text.length);
  const start = Math.min(from, end);
  if (end === start) {
    const at = frame.at(start);
    return [at, at];
  }
  return [frame.at(start), frame.at(end - 1) + 1];
}

/** A word of the tree -> a word. */
export function readWord(node: WordNode, context: WordContext): Word {
  const { pos, end: stop } = node;
  const { text } = context.frame;
  const [start, end] = span(context.frame, pos, stop);
  const written = text.slice(pos, stop);
  if (!MEANS.test(written)) {
    return { value: written, start, end, literal: true, quoted: false };
  }
  const inner = unquoted(written);
  if (inner !== undefined) {
    return { value: inner, start, end, literal: true, quoted: true };
  }
  if (isDense(text, pos, stop)) {
    return { value: UNKNOWN, start, end, literal: false, quoted: false };
  }
  if (written.length === 2 && written[0] === "\\" && written[1] !== "\n") {
    const value = written[1] ?? "";
    return { value, start, end, literal: true, quoted: true };
  }
  const b: Builder = { value: "", literal: true, quoted: false };
  if (isPlain(written)) readPlain(written, context, b);
  else if (!context.looks()) {
    return { value: UNKNOWN, start, end, literal: false, quoted: false };
  } else {
    const { parts } = node;
    if (!parts) {
      const { value } = node;
      const quoted = stop - pos !== value.length;
      return { value, start, end, literal: true, quoted };
    }
    for (const part of parts) readPart(part, context, b);
  }
  const word: Word = {
    value: b.value,
    start,
    end,
    literal: b.literal,
    quoted: b.quoted,
  };
  if (b.names) word.names = b.names;
  return word;
}

// The parser reads a word again to give its parts; most words need none.

/** What makes a bare word other than it is written. */
const MEANS = /["$'(<>\\`]/;
/** What means something in double quotes. */
const MEANS_QUOTED = /[$`\\]/;
/** Nothing but `$NAME`s and what means itself, in double quotes or in none. */
const BARE = /^[\w./:@%+,=$-]+$/;
const IN_QUOTES = /^"[^"\\`]{0,4000}"$/;
const NAME = /\$([A-Za-z_]\w{0,98})(?!\w)/g;
/** A `$` that no name follows. */
const OTHER = /\$(?![A-Za-z_]\w{0,98}(?!\w))/;

function isPlain(word: string): boolean {
  return (BARE.test(word) || IN_QUOTES.test(word)) && !OTHER.test(word);
}

function readPlain(word: string, context: WordContext, b: Builder): void {
  b.quoted = word.startsWith('"');
  const text = b.quoted ? word.slice(1, -1) : word;
  let at = 0;
  for (const m of text.matchAll(NAME)) {
    b.value += text.slice(at, m.index);
    readVariable(m[1] ?? "", context, b);
    at = m.index + m[0].length;
  }
  b.value += text.slice(at);
}

/** What stands in the quotes of a word that is one quoted text. */
function unquoted(word: string): string | undefined {
  const quote = word[0];
  if (quote !== "'" && quote !== '"') return undefined;
  if (word.indexOf(quote, 1) !== word.length - 1) return undefined;
  const inner = word.slice(1, -1);
  return quote === '"' && MEANS_QUOTED.test(inner) ? undefined : inner;
}

/**
 * A word of many kilobytes that is full of expansions; the parser's time for
 * one is the square of their number, and no command has such a word.
 */
function isDense(text: string, start: number, end: number): boolean {
  if (end - start < 4000) return false;
  let count = 0;
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    // `$` and the back-tick.
    if ((c === 36 || c === 96) && ++count > 400) return true;
  }
  return false;
}

/** The body of a heredoc -> a word. */
export function readBody(node: BodyNode, context: WordContext): Word {
  const [start, end] = span(context.frame, node.pos, node.end);
  const b: Builder = { value: "", literal: true, quoted: true };
  const parts = isDense(context.frame.text, node.pos, node.end)
    ? undefined
    : node.parts;
  if (parts) { for (const part of parts) readPart(part, context, b); }
  else b.value = node.text;
  const word: Word = {
    value: b.value,
    start,
    end,
    literal: b.literal,
    quoted: true,
  };
  if (b.names) word.names = b.names;
  return word;
}

function readPart(part: PartNode, context: WordContext, b: Builder): void {
  switch (part.type) {
    case "Literal":
      b.value += part.value;
      if (part.text !== part.value) b.quoted = true;
      return;
    case "Glob":
      b.value += part.text;
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      b.quoted = true;
      b.value += part.value;
      return;
    case "DoubleQuoted":
    case "LocaleString":
      b.quoted = true;
      for (const child of part.parts) readPart(child, context, b);
      return;
    case "SimpleExpansion":
      readVariable(part.text.slice(1), context, b);
      return;
    case "ParameterExpansion": {
      const length = part.end - part.pos;
      if (length > EXPANSION_LIMIT || !context.afford(length)) {
        unknown(b);
        return;
      }
      const operation = part.operation;
      if (!operation && !part.prefix && !part.index) {
        readVariable(part.parameter, context, b);
        return;
      }
      name(b, part.parameter);
      if (operation?.type === "Default" && operation.operator.endsWith("-")) {
        // The default is the best guess, and only that.
        const guess = readWord(operation.operand, context).value;
        const known = context.variables.get(part.parameter);
        if (known) b.value += known;
        else {
          b.value += guess;
          b.literal = false;
        }
        return;
      }
      context.nested(part);
      unknown(b);
      return;
    }
    case "BraceExpansion":
    case "ExtendedGlob":
      b.value += part.text;
      if (part.text.includes("$") || part.text.includes("`")) {
        context.nested(part);
        b.literal = false;
      }
      return;
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      context.nested(part);
      unknown(b);
  }
}

function name(b: Builder, value: string): void {
  if (b.names) b.names.push(value);
  else b.names = [value];
}

function unknown(b: Builder): void {
  b.literal = false;
  if (!b.value.endsWith(UNKNOWN)) b.value += UNKNOWN;
}

function readVariable(key: string, context: WordContext, b: Builder): void {
  name(b, key);
  const value = context.variables.get(key);
  if (
    value === undefined || value.length > VALUE_LIMIT ||
    // A long value is looked through each time.
    value.length > 256 && !context.afford(value.length >> 3)
  ) unknown(b);
  else {
    b.value += value;
    if (value.includes(UNKNOWN) || context.guessed(key)) b.literal = false;
  }
}

/** A command line inside a word: its text and, by character, its offset. */
export interface Spread {
  /** The text, quotes taken off, expansions kept as written. */
  text: string;
  /** Offset in the frame of each character. */
  map: number[];
}

/** Adds the text of a word to a nested command line. */
export function spreadWord(
  node: WordNode,
  source: string,
  out: Spread,
): void {
  const parts = node.parts;
  if (!parts) {
    align(source, node.pos, node.end, node.value, out);
    return;
  }
  for (const part of parts) spreadPart(part, source, out);
}

function spreadPart(part: PartNode, source: string, out: Spread): void {
  switch (part.type) {
    case "Literal":
      align(source, part.pos, part.end, part.value, out);
      return;
    case "SingleQuoted":
      verbatim(
        source,
        part.pos + 1,
        Math.min(part.end - 1, part.pos + 1 + part.value.length),
        out,
      );
      return;
    case "AnsiCQuoted":
      for (const c of part.value) {
        out.text += c;
        for (let i = 0; i < c.length; i++) out.map.push(part.pos);
      }
      return;
    case "DoubleQuoted":
      for (const child of part.parts) spreadPart(child, source, out);
      return;
    default:
      verbatim(source, part.pos, part.end, out);
  }
}

function verbatim(source: string, start: number, end: number, out: Spread) {
  out.text += source.slice(start, end);
  for (let i = start; i < end; i++) out.map.push(i);
}

/** Characters of the source that are no part of the value are left out. */
function align(
  source: string,
  start: number,
  end: number,
  value: string,
  out: Spread,
) {
  if (end - start === value.length) return verbatim(source, start, end, out);
  let j = 0;
  for (let i = start; i < end && j < value.length; i++) {
    if (source[i] !== value[j]) continue;
    out.map.push(i);
    j++;
  }
  out.text += value.slice(0, j);
}

/** Separates words joined into one command line. */
export function spreadSpace(out: Spread): void {
  if (!out.text) return;
  out.text += " ";
  out.map.push((out.map[out.map.length - 1] ?? 0) + 1);
}

/** The frame of a nested command line. */
export function spreadFrame(outer: Frame, spread: Spread): Frame {
  const { map, text } = spread;
  const last = map[map.length - 1] ?? 0;
  return {
    text,
    at: (offset) =>
      outer.at(offset < map.length ? map[offset] ?? last : last + 1),
    inside: outer.inside,
  };
}
