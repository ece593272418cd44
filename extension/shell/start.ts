/**
 * What a command starts: launchers come off, nested command lines are parsed
 * in turn.
 *
 * @module
 */
import { split } from "./fallback.ts";
import { feeds, fixed, type Line, type Place } from "./line.ts";
import { parseScript, type WordNode } from "./unbash.ts";
import { type Command, type Dialect, UNKNOWN, type Word } from "./types.ts";
import { packageName, programName, type Started, started } from "./unwrap.ts";
import {
  type Frame,
  type Spread,
  spreadFrame,
  spreadSpace,
  spreadWord,
} from "./words.ts";
import { walkScript } from "./walk.ts";

/** Deepest shell in a shell that is followed. */
const DEPTH_LIMIT = 4;
/** Most launchers taken off one command. */
const LAUNCHER_LIMIT = 12;
/** Longest value of an alias that is put in its place. */
const ALIAS_LIMIT = 400;
/** Most command lines that one command is given. */
const TEXT_LIMIT = 100;
/** Most words that make one nested command line. */
const JOIN_LIMIT = 600;

/** Reads the pieces of a text that has no tree. */
export function addPieces(
  line: Line,
  frame: Frame,
  dialect: Dialect,
  place: Place,
): void {
  // Behind a broken tree only what the tree did not hold is wanted.
  if (line.full()) return;
  const covered = ranges(place.depth === 0 ? line.commands : []);
  split(frame, dialect, (piece) => {
    const first = piece.words[0];
    const last = piece.words[piece.words.length - 1];
    if (line.full()) return false;
    if (!first || !last || covered(first.start)) return true;
    const at = line.commands.length;
    const command = line.add(place, first.start, last.end);
    if (piece.piped && line.commands.length > 1) {
      command.stdin = line.commands.length - 2;
    }
    command.words = piece.words;
    takeAssignments(command);
    settle(line, command, at, place);
    return true;
  });
}

/** A shell at the end of a pipe runs what was written into it. */
export function runFed(
  line: Line,
  command: Command,
  at: number,
  place: Place,
): void {
  if (command.stdin === undefined || !readsScript(command)) return;
  const source = line.commands[command.stdin];
  if (!source) return;
  const body = source.redirects.find((r) => r.body)?.body;
  if (source.program === "cat" && body) {
    runBody(line, source, at, place);
  } else if (/^(?:echo|printf)$/.test(source.program)) {
    const nodes = line.nodes.get(source) ?? [];
    const spread: Spread = { text: "", map: [] };
    for (const node of nodes) {
      if (node.type !== "Word" || /^-[neE]+$/.test(node.value)) continue;
      spreadSpace(spread);
      spreadWord(node, place.frame.text, spread);
    }
    runScript(line, spreadFrame(place.frame, spread), command, at, place);
  }
}

function readsScript(command: Command): boolean {
  return started(command.argv)?.kind === "input";
}

/** Where a fallback's command begins with `NAME=value` or `set NAME=`. */
function takeAssignments(command: Command): void {
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
export function settle(
  line: Line,
  command: Command,
  at: number,
  place: Place,
): void {
  command.argv = command.words;
  const first = command.argv[0];
  if (!first) return;
  // `$(command -v swamp) model search`
  const program = line.lookedUp(first, at);
  if (program !== undefined) {
    command.argv = [{ ...first, value: program }, ...command.argv.slice(1)];
  }
  expandCall(line, command);
  for (let n = 0; n < LAUNCHER_LIMIT; n++) {
    const alias = n < 4 && line.aliases
      ? line.aliases.get(command.argv[0]?.value ?? "")
      : undefined;
    if (alias && alias.value.length <= ALIAS_LIMIT) {
      const words = alias.value.split(/\s+/).filter((v) => v !== "");
      const first = command.argv[0];
      if (first && words.length > 0 && words[0] !== first.value) {
        command.argv = [
          ...words.map((value) => ({ ...first, value })),
          ...command.argv.slice(1),
        ];
      }
    }
    const name = programName(command.argv[0]);
    const next = started(command.argv, name);
    if (!next) {
      command.program = name;
      return;
    }
    if (next.kind === "input") {
      runInput(line, command, at, place, next.elsewhere);
      break;
    }
    if (next.kind === "text") {
      runTexts(line, command, at, next, place);
      break;
    }
    for (const word of next.assigned) {
      const eq = word.value.indexOf("=");
      command.assignments.push({
        name: word.value.slice(0, eq),
        value: { ...word, value: word.value.slice(eq + 1) },
      });
    }
    if (next.row.keeps) {
      addBeside(line, command, at, next.words, next.row.elsewhere, place);
      break;
    }
    command.launchers.push(name);
    const first = next.words[0];
    command.argv = next.row.package && first
      ? [
        { ...first, value: packageName(first.value) },
        ...next.words.slice(1),
      ]
      : next.words;
    if (next.row.package) {
      command.program = command.argv[0]?.value ?? "";
      if (started(command.argv) !== undefined) continue;
      return;
    }
  }
  command.program = programName(command.argv[0]);
}

/** `k() { kubectl "$@"; }; k get pods` is `kubectl get pods`. */
function expandCall(line: Line, command: Command): void {
  if (!line.functions) return;
  const first = command.argv[0];
  const body = first && line.functions.get(first.value);
  if (!first || !body || body === command) return;
  body.template = true;
  command.launchers = [...body.launchers];
  command.argv = body.argv.flatMap((w) =>
    w.names?.some((n) => n === "@" || n === "*")
      ? command.argv.slice(1)
      : [{ ...w, start: first.start, end: first.end }]
  );
}

/** `ssh host CMD`, `docker exec box CMD`: the second is a command too. */
function addBeside(
  line: Line,
  host: Command,
  at: number,
  words: Word[],
  elsewhere: Command["elsewhere"],
  place: Place,
): void {
  // Each goes through all the words again.
  if (line.full() || !line.spend(4 * words.length)) return;
  if (host.launchers.length >= LAUNCHER_LIMIT) {
    line.complete = false;
    return;
  }
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
  const index = line.commands.length;
  const command = line.add(
    inner,
    Math.min(first.start, last.start),
    Math.max(first.end, last.end),
  );
  command.words = words;
  const nodes = line.nodes.get(host);
  if (nodes) line.nodes.set(command, nodes);
  command.redirects = host.redirects.filter(feeds);
  if (host.stdin !== undefined) command.stdin = host.stdin;
  if (host.inside) command.inside = true;
  settle(line, command, index, inner);
}

/** The command lines a launcher was given as text. */
function runTexts(
  line: Line,
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
    : /^(?:powershell|pwsh|invoke-expression|iex)$/.test(program)
    ? "powershell"
    : "posix";
  const nodes = nodesOf(line, command, place);
  if (next.texts.length > TEXT_LIMIT) line.complete = false;
  for (const all of next.texts.slice(0, TEXT_LIMIT)) {
    if (line.full()) return;
    if (all.length > JOIN_LIMIT) line.complete = false;
    const words = all.slice(0, JOIN_LIMIT);
    if (words.length === 1 && words[0]?.value === UNKNOWN) {
      // `bash -c "$(cat <<EOF …)"`: what the substitution prints is known.
      const source = line.commands.find((c, i) =>
        i > at && c.within === at && c.program === "cat" &&
        c.redirects.some((r) => r.body)
      );
      if (source) {
        runBody(line, source, at, place);
        continue;
      }
    }
    const frame = frameOf(nodes, words, place);
    if (frame) runNested(line, frame, dialect, inner, command);
  }
}

/** The tree's words of a command by where they start. */
function nodesOf(
  line: Line,
  command: Command,
  place: Place,
): Map<number, WordNode> {
  const byStart = new Map<number, WordNode>();
  for (const node of line.nodes.get(command) ?? []) {
    if (node.type === "Word") byStart.set(place.frame.at(node.pos), node);
  }
  return byStart;
}

/** The text of some words as a frame of its own. */
function frameOf(
  byStart: ReadonlyMap<number, WordNode>,
  words: Word[],
  place: Place,
): Frame | undefined {
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

function runNested(
  line: Line,
  frame: Frame,
  dialect: Dialect,
  place: Place,
  host: Command,
): void {
  if (place.depth > DEPTH_LIMIT || line.full()) {
    line.complete = false;
    return;
  }
  if (!line.spend(frame.text.length)) return;
  const first = line.commands.length;
  const inner: Place = { ...place, frame };
  if (dialect !== "posix") {
    addPieces(line, frame, dialect, inner);
    return;
  }
  const script = parseScript(frame.text);
  if (script) walkScript(line, script, inner);
  else {
    line.complete = false;
    addPieces(line, frame, "posix", inner);
  }
  // What is written into the host is read by its first command.
  const command = line.commands[first];
  if (!command || line.commands.length === first) return;
  if (command.stdin === undefined && host.stdin !== undefined) {
    command.stdin = host.stdin;
  }
  if (host.redirects.some(feeds)) {
    command.redirects = [
      ...command.redirects,
      ...host.redirects.filter(feeds),
    ];
    if (readsScript(command)) {
      runBody(line, command, first, place);
    }
  }
}

function runScript(
  line: Line,
  frame: Frame,
  host: Command,
  at: number,
  place: Place,
): void {
  runNested(line, frame, "posix", {
    frame,
    context: "nested",
    depth: place.depth + 1,
    within: at,
    elsewhere: host.elsewhere ?? place.elsewhere,
    launchers: [...host.launchers, host.program],
  }, { ...host, stdin: undefined, redirects: [] });
}

/** A script in a heredoc or here-string of a shell. */
function runInput(
  line: Line,
  command: Command,
  at: number,
  place: Place,
  elsewhere: boolean,
): void {
  command.program = programName(command.argv[0]);
  if (elsewhere && !command.redirects.some((r) => r.body)) return;
  runBody(
    line,
    command,
    at,
    elsewhere ? { ...place, elsewhere: "host" } : place,
  );
}

function runBody(line: Line, command: Command, at: number, place: Place): void {
  for (const redirect of command.redirects) {
    const body = redirect.body;
    if (!body) continue;
    // The body as written, so that its own variables are seen.
    const frame = sourceOf(line, body, place) ??
      fixed(body.value, body.start, body.end);
    runScript(line, frame, command, at, place);
    return;
  }
}

/** The text of a body as it stands in the source. */
function sourceOf(line: Line, body: Word, place: Place): Frame | undefined {
  if (place.frame.inside) return undefined;
  const { root } = line;
  let base = line.from(body.start);
  let text = root.text.slice(base, line.from(body.end));
  const quote = text[0];
  if ((quote === '"' || quote === "'") && text.endsWith(quote)) {
    text = text.slice(1, -1);
    base++;
  }
  return { text, at: (offset) => root.at(base + offset), inside: false };
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
