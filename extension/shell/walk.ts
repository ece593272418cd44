/**
 * Syntax tree -> every command in it, launchers unwrapped, nested command
 * lines parsed in turn.
 *
 * @module
 */
import { split } from "./fallback.ts";
import {
  children,
  type CommandNode,
  parseScript,
  type PartNode,
  type RedirectNode,
  type ScriptNode,
  type SyntaxNode,
  type WordNode,
} from "./unbash.ts";
import {
  type Command,
  type CommandContext,
  type Dialect,
  type Redirect,
  UNKNOWN,
  type Word,
} from "./types.ts";
import { packageName, programName, type Started, started } from "./unwrap.ts";
import {
  type Frame,
  readBody,
  readWord,
  span,
  type Spread,
  spreadFrame,
  spreadSpace,
  spreadWord,
  type WordContext,
} from "./words.ts";

/** Deepest shell in a shell that is followed. */
const DEPTH_LIMIT = 4;
/** Deepest tree that is walked; the parser itself stops at 256. */
const WALK_LIMIT = 400;
/** Deepest substitution in a substitution that is followed. */
const SUBSTITUTION_LIMIT = 16;
/** Longest `$((…))` that is looked into: the parser's time is its square. */
const SUM_LIMIT = 1000;
/** Most commands of one text. */
const COMMAND_LIMIT = 1000;
/** Most launchers taken off one command. */
const LAUNCHER_LIMIT = 12;

interface Place {
  frame: Frame;
  context: CommandContext;
  depth: number;
  within?: number;
  elsewhere?: Command["elsewhere"];
  launchers: string[];
}

const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Collects the commands of one text. */
export class Walker {
  /** All commands so far. */
  readonly commands: Command[] = [];
  /** Variables with a known value. */
  readonly variables: Map<string, string> = new Map();
  /** False once something could not be read. */
  complete = true;
  private aliases = new Map<string, Word>();
  private functions = new Map<string, Command>();
  private nodes = new Map<Command, readonly SyntaxNode[]>();
  private guesses = new Set<string>();
  private substitutions = 0;
  private seen = new Set<string>();
  private level = 0;
  /** Set while a pipeline is walked: how its commands are linked. */
  private pipe: number | undefined;

  /**
   * @param budget How many characters may be parsed again, as substitutions
   * and nested command lines; keeps the time linear in the text.
   */
  constructor(private budget: number) {}

  private spend(length: number): boolean {
    this.budget -= length;
    if (this.budget >= 0) return true;
    this.complete = false;
    return false;
  }

  /** Reads a tree. */
  script(script: ScriptNode, place: Place): void {
    if (script.errors && script.errors.length > 0) this.complete = false;
    for (const statement of script.commands) this.node(statement, place);
  }

  /** Reads the pieces of a text that has no tree. */
  pieces(frame: Frame, dialect: Dialect, place: Place): void {
    // Behind a broken tree only what the tree did not hold is wanted.
    const covered = ranges(place.depth === 0 ? this.commands : []);
    for (const piece of split(frame, dialect)) {
      const first = piece.words[0];
      const last = piece.words[piece.words.length - 1];
      if (!first || !last || this.full()) continue;
      if (covered(first.start)) continue;
      const at = this.commands.length;
      const command = this.add(place, first.start, last.end);
      if (piece.piped && this.commands.length > 1) {
        command.stdin = this.commands.length - 2;
      }
      command.words = piece.words;
      this.assigned(command);
      this.settle(command, at, place);
    }
  }

  private full(): boolean {
    if (this.commands.length < COMMAND_LIMIT) return false;
    this.complete = false;
    return true;
  }

  private node(node: SyntaxNode, place: Place): void {
    if (this.level >= WALK_LIMIT || this.full()) {
      this.complete = false;
      return;
    }
    this.level++;
    try {
      this.visit(node, place);
    } finally {
      this.level--;
    }
  }

  private visit(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case "Command":
        this.command(node, place);
        return;
      case "Pipeline":
        this.pipeline(node.commands, place);
        return;
      case "Redirected": {
        // Where the output of a whole group goes is a command of its own.
        const [start, end] = span(place.frame, node.pos, node.end);
        const at = this.commands.length;
        const holder = this.add(place, start, end);
        this.redirects(node.redirects, holder, at, place);
        this.node(node.command, place);
        return;
      }
      case "Function": {
        const first = this.commands.length;
        this.node(node.body, { ...place, context: "function" });
        const body = this.commands[first];
        if (
          body && this.commands.length === first + 1 &&
          body.argv.some((w) => w.names?.some((n) => n === "@" || n === "*"))
        ) this.functions.set(node.name.value, body);
        return;
      }
      case "For":
      case "Select":
        this.loop(node, place);
        return;
      case "Word":
        readWord(node, this.words(place, place.within));
        return;
      default:
        children(node, (child) => this.node(child, place));
    }
  }

  /** A loop's variable is read as the first word it goes through. */
  private loop(
    node: Extract<SyntaxNode, { type: "For" | "Select" }>,
    place: Place,
  ): void {
    const context = this.words(place, place.within);
    const list = node.wordlist?.map((word) => readWord(word, context));
    const first = list?.[0]?.value;
    const name = node.name.value;
    this.variables.delete(name);
    if (first !== undefined && !first.includes(UNKNOWN)) {
      this.variables.set(name, first);
      this.guesses.add(name);
    }
    this.node(node.body, place);
  }

  private pipeline(nodes: readonly SyntaxNode[], place: Place): void {
    let previous: number | undefined;
    for (const node of nodes) {
      const first = this.commands.length;
      this.pipe = previous;
      this.node(node, place);
      this.pipe = undefined;
      const command = this.commands[first];
      if (command && this.commands.length > first) {
        this.fed(command, first, place);
        previous = first;
      }
    }
  }

  /** A shell at the end of a pipe runs what was written into it. */
  private fed(command: Command, at: number, place: Place): void {
    if (command.stdin === undefined || !this.readsScript(command)) return;
    const source = this.commands[command.stdin];
    if (!source) return;
    const body = source.redirects.find((r) => r.body)?.body;
    if (source.program === "cat" && body) {
      this.bodyText(source, at, place);
    } else if (/^(?:echo|printf)$/.test(source.program)) {
      const nodes = this.nodes.get(source) ?? [];
      const spread: Spread = { text: "", map: [] };
      for (const node of nodes) {
        if (node.type !== "Word" || /^-[neE]+$/.test(node.value)) continue;
        spreadSpace(spread);
        spreadWord(node, place.frame.text, spread);
      }
      this.nest(spreadFrame(place.frame, spread), command, at, place);
    }
  }

  private readsScript(command: Command): boolean {
    return started(command.argv)?.kind === "input";
  }

  private words(place: Place, within: number | undefined): WordContext {
    return {
      frame: place.frame,
      variables: this.variables,
      guesses: this.guesses,
      afford: (length) => this.spend(length),
      nested: (part) => this.part(part, place, within),
    };
  }

  /** Commands inside a word. */
  private part(part: PartNode, place: Place, within: number | undefined): void {
    const inner: Place = {
      frame: place.frame,
      context: "substitution",
      depth: place.depth,
      elsewhere: place.elsewhere,
      launchers: [],
    };
    if (within !== undefined) inner.within = within;
    if (
      part.type === "ArithmeticExpansion" && part.end - part.pos > SUM_LIMIT ||
      this.substitutions >= SUBSTITUTION_LIMIT || this.level >= WALK_LIMIT ||
      this.full()
    ) {
      this.complete = false;
      return;
    }
    if (!this.spend(part.end - part.pos)) return;
    this.level++;
    this.substitutions++;
    const pipe = this.pipe;
    this.pipe = undefined;
    if (
      part.type === "CommandExpansion" || part.type === "ProcessSubstitution"
    ) {
      const script = part.script;
      if (script?.source !== undefined) {
        const [start, end] = span(place.frame, part.pos, part.end);
        inner.frame = fixed(script.source, start, end);
      }
      if (script) this.script(script, inner);
    } else children(part, (child) => this.node(child, inner));
    this.pipe = pipe;
    this.substitutions--;
    this.level--;
  }

  private add(place: Place, start: number, end: number): Command {
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

  private command(node: CommandNode, place: Place): void {
    const { frame } = place;
    const [start, end] = span(frame, node.pos, node.end);
    if (place.depth > 0 && !frame.inside) {
      // A substitution in a nested string was already seen from outside.
      const key = `${start}:${end}`;
      if (this.seen.has(key)) return;
      this.seen.add(key);
    } else if (place.context === "substitution") {
      this.seen.add(`${start}:${end}`);
    }
    const index = this.commands.length;
    const command = this.add(place, start, end);
    if (this.pipe !== undefined) command.stdin = this.pipe;
    this.pipe = undefined;
    const context = this.words(place, index);
    for (const item of node.prefix) {
      if (item.type !== "Assignment") continue;
      const value = item.value;
      if (value.type === "ArrayValue") {
        for (const element of value.elements) readWord(element, context);
        continue;
      }
      const word = readWord(value, context);
      command.assignments.push({ name: item.name, value: word });
      if (!node.name) this.assign(item.name, word, item.append === true);
    }
    if (node.name) {
      const words: Word[] = [];
      this.addWord(node.name, context, words);
      const declares = DECLARES.has(words[0]?.value ?? "");
      const alias = words[0]?.value === "alias";
      for (const item of node.suffix) {
        if (item.type === "Word") this.addWord(item, context, words);
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
          if (declares) this.assign(item.name, value, false);
          else if (alias && value.literal) this.aliases.set(item.name, value);
        }
      }
      // `export A=…` is an assignment, no command.
      command.words = declares && words.length > 1 &&
          node.suffix.every((item) => item.type === "Assignment")
        ? []
        : words;
      this.nodes.set(command, node.suffix);
    }
    const redirects = node.redirects;
    if (redirects.length > 0) this.redirects(redirects, command, index, place);
    this.settle(command, index, place);
  }

  private addWord(node: WordNode, context: WordContext, words: Word[]): void {
    const word = readWord(node, context);
    const only = word.names?.length === 1 && !word.quoted && node.parts
      ? node.parts.length === 1
      : false;
    if (only && word.literal && /[ \t\n]/.test(word.value)) {
      for (const value of word.value.split(/[ \t\n]+/)) {
        if (value) words.push({ ...word, value });
      }
    } else words.push(word);
  }

  private assign(name: string, word: Word, append: boolean): void {
    const value = append
      ? (this.variables.get(name) ?? "") + word.value
      : word.value;
    // A value of which nothing is known is the same as no value.
    this.guesses.delete(name);
    if (value === UNKNOWN || value.length > 4096) this.variables.delete(name);
    else this.variables.set(name, value);
  }

  private redirects(
    nodes: readonly RedirectNode[],
    command: Command,
    at: number,
    place: Place,
  ): void {
    const context = this.words(place, at);
    for (const node of nodes) {
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

  /** Where a fallback's command begins with `NAME=value` or `set NAME=`. */
  private assigned(command: Command): void {
    let at = 0;
    for (; at < command.words.length - 1; at++) {
      const word = command.words[at];
      const eq = word ? /^[A-Za-z_]\w{0,100}=/.exec(word.value) : null;
      if (!word || !eq) break;
      command.assignments.push({
        name: eq[0].slice(0, -1),
        value: { ...word, value: word.value.slice(eq[0].length) },
      });
    }
    if (at > 0) command.words = command.words.slice(at);
  }

  /** Takes launchers off and follows what they start. */
  private settle(command: Command, at: number, place: Place): void {
    command.argv = command.words;
    if (command.argv.length === 0) return;
    this.call(command);
    for (let n = 0; n < LAUNCHER_LIMIT; n++) {
      const alias = this.aliases.get(command.argv[0]?.value ?? "");
      if (alias && n < 4) {
        const words = alias.value.split(/\s+/).filter((v) => v !== "");
        const first = command.argv[0];
        if (first && words.length > 0 && words[0] !== first.value) {
          command.argv = [
            ...words.map((value) => ({ ...first, value })),
            ...command.argv.slice(1),
          ];
        }
      }
      const next = started(command.argv);
      if (!next) break;
      if (next.kind === "input") {
        this.input(command, at, place, next.elsewhere);
        break;
      }
      if (next.kind === "text") {
        this.texts(command, at, next, place);
        break;
      }
      for (const word of next.assigned) {
        const eq = word.value.indexOf("=");
        command.assignments.push({
          name: word.value.slice(0, eq),
          value: { ...word, value: word.value.slice(eq + 1) },
        });
      }
      const launcher = programName(command.argv[0]);
      if (next.row.keeps) {
        this.beside(command, at, next.words, next.row.elsewhere, place);
        break;
      }
      command.launchers.push(launcher);
      const first = next.words[0];
      command.argv = next.row.package && first
        ? [
          { ...first, value: packageName(first.value) },
          ...next.words.slice(1),
        ]
        : next.words;
      if (next.row.package) {
        command.program = command.argv[0]?.value ?? "";
        if (this.isLauncher(command)) continue;
        return;
      }
    }
    command.program = programName(command.argv[0]);
  }

  /** `k() { kubectl "$@"; }; k get pods` is `kubectl get pods`. */
  private call(command: Command): void {
    const first = command.argv[0];
    const body = first && this.functions.get(first.value);
    if (!first || !body || body === command) return;
    body.template = true;
    command.launchers = [...body.launchers];
    command.argv = body.argv.flatMap((w) =>
      w.names?.some((n) => n === "@" || n === "*")
        ? command.argv.slice(1)
        : [{ ...w, start: first.start, end: first.end }]
    );
  }

  private isLauncher(command: Command): boolean {
    return started(command.argv) !== undefined;
  }

  /** `ssh host CMD`, `docker exec box CMD`: the second is a command too. */
  private beside(
    host: Command,
    at: number,
    words: Word[],
    elsewhere: Command["elsewhere"],
    place: Place,
  ): void {
    if (this.full()) return;
    host.program = programName(host.argv[0]);
    const inner: Place = {
      frame: place.frame,
      context: place.context,
      depth: place.depth,
      within: at,
      elsewhere: elsewhere ?? place.elsewhere,
      launchers: [...host.launchers, host.program],
    };
    const first = words[0];
    const last = words[words.length - 1];
    if (!first || !last) return;
    const index = this.commands.length;
    const command = this.add(
      inner,
      Math.min(first.start, last.start),
      Math.max(first.end, last.end),
    );
    command.words = words;
    const nodes = this.nodes.get(host);
    if (nodes) this.nodes.set(command, nodes);
    command.redirects = host.redirects.filter(feeds);
    if (host.stdin !== undefined) command.stdin = host.stdin;
    if (host.inside) command.inside = true;
    this.settle(command, index, inner);
  }

  /** The command lines a launcher was given as text. */
  private texts(
    command: Command,
    at: number,
    next: Extract<Started, { kind: "text" }>,
    place: Place,
  ): void {
    const program = programName(command.argv[0]);
    const inner: Place = {
      frame: place.frame,
      context: "nested",
      depth: place.depth + 1,
      within: at,
      elsewhere: next.row.elsewhere ?? place.elsewhere,
      launchers: [...command.launchers, program],
    };
    const dialect: Dialect = program === "cmd"
      ? "cmd"
      : /^(?:powershell|pwsh)$/.test(program)
      ? "powershell"
      : "posix";
    for (const words of next.texts) {
      const frame = this.frameOf(command, words, place);
      if (frame) this.nested(frame, dialect, inner, command);
    }
  }

  /** The text of some words as a frame of its own. */
  private frameOf(
    command: Command,
    words: Word[],
    place: Place,
  ): Frame | undefined {
    const byStart = new Map<number, WordNode>();
    for (const node of this.nodes.get(command) ?? []) {
      if (node.type === "Word") byStart.set(place.frame.at(node.pos), node);
    }
    const spread: Spread = { text: "", map: [] };
    for (const word of words) {
      const node = byStart.get(word.start);
      if (!node) {
        // No tree (fallback, variable): the value, at the word's offsets.
        const text = words.map((w) => w.value).join(" ");
        const first = words[0];
        const last = words[words.length - 1];
        if (!first || !last) return undefined;
        return fixed(strip(text), first.start, Math.max(first.end, last.end));
      }
      spreadSpace(spread);
      spreadWord(node, place.frame.text, spread);
    }
    const option = /^--?[\w-]{1,40}=/.exec(spread.text);
    if (option && words.length === 1) {
      spread.text = spread.text.slice(option[0].length);
      spread.map = spread.map.slice(option[0].length);
    }
    return spreadFrame(place.frame, spread);
  }

  private nested(
    frame: Frame,
    dialect: Dialect,
    place: Place,
    host: Command,
  ): void {
    if (place.depth > DEPTH_LIMIT || this.full()) {
      this.complete = false;
      return;
    }
    if (!this.spend(frame.text.length)) return;
    const first = this.commands.length;
    const inner: Place = { ...place, frame };
    if (dialect !== "posix") {
      this.pieces(frame, dialect, inner);
      return;
    }
    const script = parseScript(frame.text);
    if (script) this.script(script, inner);
    else {
      this.complete = false;
      this.pieces(frame, "posix", inner);
    }
    // What is written into the host is read by its first command.
    const command = this.commands[first];
    if (!command || this.commands.length === first) return;
    if (command.stdin === undefined && host.stdin !== undefined) {
      command.stdin = host.stdin;
    }
    if (host.redirects.some(feeds)) {
      command.redirects = [
        ...command.redirects,
        ...host.redirects.filter(feeds),
      ];
      if (this.readsScript(command)) {
        this.bodyText(command, first, place);
      }
    }
  }

  private nest(frame: Frame, host: Command, at: number, place: Place): void {
    this.nested(frame, "posix", {
      frame,
      context: "nested",
      depth: place.depth + 1,
      within: at,
      elsewhere: host.elsewhere ?? place.elsewhere,
      launchers: [...host.launchers, host.program],
    }, { ...host, stdin: undefined, redirects: [] });
  }

  /** A script in a heredoc or here-string of a shell. */
  private input(
    command: Command,
    at: number,
    place: Place,
    elsewhere: boolean,
  ): void {
    command.program = programName(command.argv[0]);
    if (elsewhere && !command.redirects.some((r) => r.body)) return;
    this.bodyText(
      command,
      at,
      elsewhere ? { ...place, elsewhere: "host" } : place,
    );
  }

  private bodyText(command: Command, at: number, place: Place): void {
    for (const redirect of command.redirects) {
      const body = redirect.body;
      if (!body) continue;
      // The body as written, so that its own variables are seen.
      const frame = this.source(body, place) ??
        fixed(body.value, body.start, body.end);
      this.nest(frame, command, at, place);
      return;
    }
  }

  private source(body: Word, place: Place): Frame | undefined {
    const root = this.root;
    if (!root || place.frame.inside) return undefined;
    const from = root.from(body.start);
    const to = root.from(body.end);
    let text = root.frame.text.slice(from, to);
    let base = from;
    const quote = text[0];
    if ((quote === '"' || quote === "'") && text.endsWith(quote)) {
      text = text.slice(1, -1);
      base++;
    }
    return {
      text,
      at: (offset) => root.frame.at(base + offset),
      inside: false,
    };
  }

  /** The whole text, for bodies; `from` maps an original offset back. */
  root: { frame: Frame; from(offset: number): number } | undefined;
}

/** Whether a redirect is input. */
function feeds(redirect: Redirect): boolean {
  return redirect.body !== undefined || redirect.op === "<";
}

/** Whether an offset lies in a command already found. */
function ranges(commands: readonly Command[]): (at: number) => boolean {
  if (commands.length === 0) return () => false;
  const sorted = commands.map((c) => [c.start, c.end] as const)
    .sort((a, b) => a[0] - b[0]);
  // Furthest end up to and including each start.
  const starts: number[] = [];
  const ends: number[] = [];
  let reach = 0;
  for (const [start, end] of sorted) {
    reach = Math.max(reach, end);
    starts.push(start);
    ends.push(reach);
  }
  return (at) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low > 0 && at < (ends[low - 1] ?? 0);
  };
}

function strip(text: string): string {
  return text.replace(/^--?[\w-]{1,40}=/, "");
}

/** A frame all of whose offsets are those of one word. */
function fixed(text: string, start: number, end: number): Frame {
  return {
    text,
    at: (offset) =>
      offset >= text.length - 1 ? Math.max(start, end - 1) : start,
    inside: true,
  };
}
