/**
 * A call's text -> pieces to paint: programs, flags, quotes, redactions, and
 * the part that decided the label. A scanner for the eye, not a shell parser:
 * linear, total, and never in the way of the text itself.
 *
 * @module
 */

/** What a piece is; `newline` is one line break. */
export type PieceKind =
  | "program"
  | "flag"
  | "operator"
  | "quote"
  | "newline"
  | "redacted"
  | "plain";

/** A piece of text. */
export interface Piece {
  kind: PieceKind;
  /** As stored; for `redacted` the name of the rule. */
  text: string;
  /** Inside the part that decided. */
  why: boolean;
}

interface Token {
  kind: PieceKind;
  start: number;
  end: number;
}

const MARKER = /\[REDACTED:([^\]\n]{1,80})\]/y;
const SPACE = /[^\S\n]+/y;
const OPERATOR = /[|&;<>()`]+/y;
const WORD = /[^\s'"|&;<>()`[]+|\[/y;
const HEREDOC = /-?\s{0,8}(["'\\]?)([\w.-]{1,60})/y;
const KEYWORDS = new Set([
  "if",
  "then",
  "else",
  "elif",
  "do",
  "while",
  "until",
  "!",
  "{",
]);

const matchAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Splits a range at redaction markers. */
function pushText(
  tokens: Token[],
  kind: PieceKind,
  text: string,
  start: number,
  end: number,
): void {
  let from = start;
  let at = text.indexOf("[REDACTED:", start);
  while (at !== -1 && at < end) {
    const marker = matchAt(MARKER, text, at);
    const to = at + (marker?.[0].length ?? 1);
    if (marker && to <= end) {
      if (at > from) tokens.push({ kind, start: from, end: at });
      tokens.push({ kind: "redacted", start: at, end: to });
      from = to;
    }
    at = text.indexOf("[REDACTED:", to);
  }
  if (end > from) tokens.push({ kind, start: from, end });
}

function lines(tokens: Token[], text: string, start: number, end: number) {
  let from = start;
  while (from < end) {
    let at = text.indexOf("\n", from);
    if (at === -1 || at > end) at = end;
    pushText(tokens, "plain", text, from, at);
    if (at < end) tokens.push({ kind: "newline", start: at, end: at + 1 });
    from = at + 1;
  }
}

function scanShell(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let program = true;
  let heredoc: string | undefined;
  while (at < text.length) {
    const c = text[at]!;
    if (c === "\n") {
      tokens.push({ kind: "newline", start: at, end: ++at });
      program = true;
      if (heredoc !== undefined) {
        // The body is data up to the line that ends it.
        const stop = new RegExp(
          `^\\s{0,80}${heredoc.replace(/[.-]/g, "\\$&")}\\s{0,8}$`,
          "m",
        );
        const found = stop.exec(text.slice(at));
        const end = found ? at + found.index : text.length;
        lines(tokens, text, at, end);
        at = end;
        heredoc = undefined;
        program = false;
      }
      continue;
    }
    const space = matchAt(SPACE, text, at);
    if (space) {
      tokens.push({ kind: "plain", start: at, end: at += space[0].length });
      continue;
    }
    const marker = matchAt(MARKER, text, at);
    if (marker) {
      tokens.push({ kind: "redacted", start: at, end: at += marker[0].length });
      program = false;
      continue;
    }
    if (c === "'" || c === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== c) {
        end += c === '"' && text[end] === "\\" ? 2 : 1;
      }
      end = Math.min(text.length, end + 1);
      let from = at;
      for (
        let nl = text.indexOf("\n", at);
        nl !== -1 && nl < end;
        nl = text.indexOf("\n", nl + 1)
      ) {
        pushText(tokens, "quote", text, from, nl);
        tokens.push({ kind: "newline", start: nl, end: nl + 1 });
        from = nl + 1;
      }
      pushText(tokens, "quote", text, from, end);
      at = end;
      program = false;
      continue;
    }
    const operator = matchAt(OPERATOR, text, at);
    if (operator) {
      const o = operator[0];
      tokens.push({ kind: "operator", start: at, end: at += o.length });
      if (/^<<-?$/.test(o)) {
        const word = matchAt(HEREDOC, text, at);
        if (word) heredoc = word[2]!;
      }
      program = !/[<>]/.test(o);
      continue;
    }
    const word = matchAt(WORD, text, at)?.[0] ?? c;
    const end = at + word.length;
    const afterSpace = at === 0 || /\s/.test(text[at - 1]!);
    if (program && /^\w+\+?=/.test(word)) {
      tokens.push({ kind: "plain", start: at, end });
    } else if (program && KEYWORDS.has(word)) {
      tokens.push({ kind: "operator", start: at, end });
    } else if (program) {
      tokens.push({ kind: "program", start: at, end });
      program = false;
    } else if (afterSpace && /^--?\w/.test(word)) {
      const equals = word.indexOf("=");
      const flagEnd = equals === -1 ? end : at + equals + 1;
      tokens.push({ kind: "flag", start: at, end: flagEnd });
      if (flagEnd < end) tokens.push({ kind: "plain", start: flagEnd, end });
    } else tokens.push({ kind: "plain", start: at, end });
    at = end;
  }
  return tokens;
}

/** Longest text that is scanned, in UTF-16 units; a row shows less, a stored call is shorter. */
export const SCAN_LIMIT = 4096;

/**
 * The pieces of a text, in order; joined they are the text again, but for
 * redactions. `why` is the deciding part as [start, end). A text beyond
 * {@link SCAN_LIMIT} is cut there.
 */
export function pieces(
  text: string,
  shell: boolean,
  why?: readonly [number, number],
): Piece[] {
  const cut = text.length > SCAN_LIMIT ? text.slice(0, SCAN_LIMIT) : text;
  let tokens: Token[] = [];
  if (shell) tokens = scanShell(cut);
  else lines(tokens, cut, 0, cut.length);
  const [from, to] = why ?? [0, 0];
  const out: Piece[] = [];
  for (const t of tokens) {
    if (t.kind === "redacted") {
      const rule = cut.slice(t.start + 10, t.end - 1);
      out.push({
        kind: t.kind,
        text: rule,
        why: t.start >= from && t.end <= to,
      });
      continue;
    }
    // Cut a piece where the deciding part begins and ends.
    const marks = [t.start, from, to, t.end].filter((x) =>
      x >= t.start && x <= t.end
    ).sort((a, b) => a - b);
    for (let i = 0; i + 1 < marks.length; i++) {
      const [a, b] = [marks[i]!, marks[i + 1]!];
      if (b > a) {
        out.push({
          kind: t.kind,
          text: cut.slice(a, b),
          why: a >= from && b <= to,
        });
      }
    }
  }
  return out;
}

/** `server:tool` for a tool of an MCP server; else as it is. */
export const toolName = (tool: string): string =>
  tool.replace(/^mcp__([^_]+(?:_[^_]+)*)__/, "$1:");

/** Whether a text is one path, or a pattern of paths, with a folder in it. */
export const isPath = (text: string): boolean =>
  text.length <= 600 && /^[^\s:[\]]+\/[^\s/[\]]+$/.test(text);

/** Tools whose text is a shell command. */
export const isShellTool = (tool: string): boolean =>
  /^(?:bash|shell|local_shell|exec|exec_command|shell_command|run_shell_command|run_terminal_cmd|execute_command|powershell|terminal|user_shell|bang)$/i
    .test(tool.replace(/^.*(?:__|[.:])/, ""));
