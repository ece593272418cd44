/**
 * Syntax tree -> every command in it.
 *
 * @module
 */
import { fixed, type Line, type Place, WALK_LIMIT } from "./line.ts";
import { runFed, settle } from "./start.ts";
import {
  children,
  type CommandNode,
  type PartNode,
  type RedirectNode,
  type ScriptNode,
  type SyntaxNode,
  type WordNode,
} from "./unbash.ts";
import { type Command, type Redirect, UNKNOWN, type Word } from "./types.ts";
import {
  type Frame,
  readBody,
  readWord,
  span,
  type WordContext,
} from "./words.ts";

/** Deepest substitution in a substitution that is followed. */
const SUBSTITUTION_LIMIT = 16;
/** Longest unclosed substitution that is looked into. */
const OPEN_LIMIT = 4000;
/** Longest `$((…))` that is looked into: the parser's time is its square. */
const SUM_LIMIT = 1000;

/** Most assignments and most redirects of one command that are read. */
const PREFIX_LIMIT = 600;
const REDIRECT_LIMIT = 600;
/** Most words that an array gives a command. */
const ARRAY_LIMIT = 500;
/** `"${CMD[@]}"`: an array's words, all of them. */
const ALL_OF = /^"?\$\{(\w{1,80})\[[@*]\]\}"?$/;

const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Reads a tree. */
export function walkScript(line: Line, script: ScriptNode, place: Place): void {
  if (script.errors && script.errors.length > 0) line.complete = false;
  for (const statement of script.commands) walkNode(line, statement, place);
}

function walkNode(line: Line, node: SyntaxNode, place: Place): void {
  if (line.level >= WALK_LIMIT) {
    line.complete = false;
    line.broken = true;
    return;
  }
  if (line.full()) return;
  // A throw ends the whole reading, so the level need not be put right.
  line.level++;
  visit(line, node, place);
  line.level--;
}

function visit(line: Line, node: SyntaxNode, place: Place): void {
  switch (node.type) {
    case "Command":
      walkCommand(line, node, place);
      return;
    case "Pipeline":
      walkPipeline(line, node.commands, place);
      return;
    case "Redirected": {
      // Where the output of a whole group goes is a command of its own.
      const [start, end] = span(place.frame, node.pos, node.end);
      const at = line.commands.length;
      const holder = line.add(place, start, end);
      addRedirects(line, node.redirects, holder, at, place);
      walkNode(line, node.command, place);
      return;
    }
    case "Function": {
      const first = line.commands.length;
      walkNode(line, node.body, { ...place, context: "function" });
      const body = passesOn(line.commands.slice(first));
      if (body) (line.functions ??= new Map()).set(node.name.value, body);
      return;
    }
    case "For":
    case "Select":
      walkLoop(line, node, place);
      return;
    case "Word":
      readWord(node, wordContext(line, place, place.within));
      return;
    default:
      children(node, (child) => walkNode(line, child, place));
  }
}

/**
 * The command of a function's body that passes the arguments on: the one that
 * starts with them (`"$@"`), or the only one of all.
 */
function passesOn(body: readonly Command[]): Command | undefined {
  const all = (word: Word | undefined): boolean =>
    word?.names?.some((n) => n === "@" || n === "*") === true;
  return body.find((c) => all(c.argv[0])) ??
    (body.length === 1 ? body.find((c) => c.argv.some(all)) : undefined);
}

/** A loop's variable is read as the first word it goes through. */
function walkLoop(
  line: Line,
  node: Extract<SyntaxNode, { type: "For" | "Select" }>,
  place: Place,
): void {
  const context = wordContext(line, place, place.within);
  const list = node.wordlist?.map((word) => readWord(word, context));
  const first = list?.[0]?.value;
  const name = node.name.value;
  line.variables.delete(name);
  if (first !== undefined && first !== UNKNOWN) {
    line.variables.set(name, first);
    (line.guesses ??= new Set()).add(name);
  }
  walkNode(line, node.body, place);
}

function walkPipeline(
  line: Line,
  nodes: readonly SyntaxNode[],
  place: Place,
): void {
  let previous: number | undefined;
  for (const node of nodes) {
    const first = line.commands.length;
    line.pipe = previous;
    walkNode(line, node, place);
    line.pipe = undefined;
    const command = line.commands[first];
    if (command && line.commands.length > first) {
      runFed(line, command, first, place);
      previous = first;
    }
  }
}

function wordContext(
  line: Line,
  place: Place,
  within: number | undefined,
): WordContext {
  return new Context(line, place, within);
}

/** What the words of one command need; a class, as there is one a command. */
class Context implements WordContext {
  readonly frame: Frame;
  readonly variables: ReadonlyMap<string, string>;

  constructor(
    private line: Line,
    private place: Place,
    private within: number | undefined,
  ) {
    this.frame = place.frame;
    this.variables = line.variables;
  }

  looks(): boolean {
    return this.line.looks();
  }

  afford(length: number): boolean {
    return this.line.spend(length);
  }

  guessed(name: string): boolean {
    return this.line.guesses?.has(name) === true;
  }

  nested(part: PartNode): void {
    walkPart(this.line, part, this.place, this.within);
  }
}

/** A long substitution that nothing closes: each level reads all the rest. */
function isOpen(part: PartNode, text: string): boolean {
  return part.end - part.pos > OPEN_LIMIT &&
    !/[)`}]/.test(text[part.end - 1] ?? "");
}

/** Commands inside a word. */
function walkPart(
  line: Line,
  part: PartNode,
  place: Place,
  within: number | undefined,
): void {
  const inner: Place = {
    frame: place.frame,
    context: "substitution",
    depth: place.depth,
    elsewhere: place.elsewhere,
    launchers: [],
  };
  if (within !== undefined) inner.within = within;
  if (
    isOpen(part, place.frame.text) ||
    part.type === "ArithmeticExpansion" && part.end - part.pos > SUM_LIMIT ||
    line.substitutions >= SUBSTITUTION_LIMIT || line.level >= WALK_LIMIT ||
    line.full()
  ) {
    line.complete = false;
    return;
  }
  if (!line.spend(part.end - part.pos)) return;
  line.level++;
  line.substitutions++;
  const pipe = line.pipe;
  line.pipe = undefined;
  if (
    part.type === "CommandExpansion" || part.type === "ProcessSubstitution"
  ) {
    const script = part.script;
    if (script?.source !== undefined) {
      const [start, end] = span(place.frame, part.pos, part.end);
      inner.frame = fixed(script.source, start, end);
    }
    if (script) walkScript(line, script, inner);
  } else children(part, (child) => walkNode(line, child, inner));
  line.pipe = pipe;
  line.substitutions--;
  line.level--;
}

function walkCommand(line: Line, node: CommandNode, place: Place): void {
  const { frame } = place;
  const [start, end] = span(frame, node.pos, node.end);
  if (place.depth > 0 && !frame.inside) {
    // A substitution in a nested string was already seen from outside.
    const key = `${start}:${end}`;
    if (line.seen?.has(key)) return;
    (line.seen ??= new Set()).add(key);
  } else if (place.context === "substitution") {
    (line.seen ??= new Set()).add(`${start}:${end}`);
  }
  const index = line.commands.length;
  const command = line.add(place, start, end);
  if (line.pipe !== undefined) command.stdin = line.pipe;
  line.pipe = undefined;
  const context = wordContext(line, place, index);
  if (node.prefix.length > PREFIX_LIMIT) line.complete = false;
  for (const item of node.prefix.slice(0, PREFIX_LIMIT)) {
    if (item.type !== "Assignment") continue;
    const value = item.value;
    if (value.type === "ArrayValue") {
      const words = value.elements.map((e) => readWord(e, context));
      const arrays = line.arrays ??= new Map();
      const old = item.append === true ? arrays.get(item.name) ?? [] : [];
      arrays.set(item.name, [...old, ...words].slice(0, ARRAY_LIMIT));
      continue;
    }
    const word = readWord(value, context);
    const program = line.lookedUp(word, index);
    if (program !== undefined) word.value = program;
    command.assignments.push({ name: item.name, value: word });
    if (!node.name) line.assign(item.name, word, item.append === true);
  }
  if (node.name) {
    const words: Word[] = [];
    addWord(node.name, context, words, line.arrays);
    const declares = DECLARES.has(words[0]?.value ?? "");
    const alias = words[0]?.value === "alias";
    for (const item of node.suffix) {
      if (!line.takes()) break;
      if (item.type === "Word") addWord(item, context, words, line.arrays);
      else if (item.type === "Assignment") {
        const [a, b] = span(frame, item.pos, item.end);
        if (item.value.type === "ArrayValue") {
          for (const e of item.value.elements) readWord(e, context);
          continue;
        }
        const value = readWord(item.value, context);
        words.push({
          ...value,
          value: `${item.name}=${value.value}`,
          start: a,
          end: b,
        });
        if (declares) line.assign(item.name, value, false);
        else if (alias && value.literal) {
          (line.aliases ??= new Map()).set(item.name, value);
        }
      }
    }
    // `export A=…` is an assignment, no command.
    command.words = declares && words.length > 1 &&
        node.suffix.every((item) => item.type === "Assignment")
      ? []
      : words;
    line.nodes.set(command, node.suffix);
  }
  const redirects = node.redirects;
  if (redirects.length > 0) {
    addRedirects(line, redirects, command, index, place);
  }
  settle(line, command, index, place);
}

/** A variable that holds several words, unquoted, gives them all. */
function addWord(
  node: WordNode,
  context: WordContext,
  words: Word[],
  arrays: ReadonlyMap<string, readonly Word[]> | undefined,
): void {
  // Only where they may say what runs; elsewhere they are data.
  const all = arrays && words.every((w, i) => i < 1 || /^-/.test(w.value)) &&
    ALL_OF.exec(context.frame.text.slice(node.pos, node.end))?.[1];
  const elements = all && arrays.get(all);
  if (elements && words.length + elements.length < ARRAY_LIMIT) {
    words.push(...elements);
    return;
  }
  const word = readWord(node, context);
  if (
    word.names?.length === 1 && word.literal && !word.quoted &&
    /[ \t\n]/.test(word.value) && node.parts?.length === 1 &&
    context.afford(4 * word.value.length)
  ) {
    for (const value of word.value.split(/[ \t\n]+/)) {
      if (value) words.push({ ...word, value });
    }
  } else words.push(word);
}

function addRedirects(
  line: Line,
  nodes: readonly RedirectNode[],
  command: Command,
  at: number,
  place: Place,
): void {
  const context = wordContext(line, place, at);
  if (nodes.length > REDIRECT_LIMIT) line.complete = false;
  for (const node of nodes.slice(0, REDIRECT_LIMIT)) {
    const redirect: Redirect = { op: node.operator };
    if (node.type === "HereDoc") {
      const delimiter = node.delimiter;
      if (delimiter) {
        const [start, end] = span(place.frame, delimiter.pos, delimiter.end);
        redirect.target = {
          value: delimiter.value,
          start,
          end,
          literal: true,
          quoted: delimiter.quoted,
        };
      }
      redirect.body = readBody(node.body, context);
    } else if (node.target) {
      const word = readWord(node.target, context);
      if (node.type === "HereString") redirect.body = word;
      else {
        redirect.target = word;
        // `2>&1` names a descriptor, no file.
        if (/^(?:>&|<&)$/.test(node.operator) && /^[\d-]/.test(word.value)) {
          continue;
        }
      }
    }
    command.redirects.push(redirect);
  }
}
