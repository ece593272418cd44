/**
 * Spans of secrets, the markers that stand for them, and reading one value
 * out of a text, with the quotes it stands in.
 *
 * @module
 */

/** A secret found. Offsets are UTF-16 units in the text as given. */
export interface SecretSpan {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The rule that found it; also what its marker says. */
  rule: string;
}

/** A redacted text. */
export interface Redacted {
  /** The text with each secret replaced by `[REDACTED:rule]`. */
  text: string;
  /** The secrets, in order, not overlapping. */
  spans: SecretSpan[];
}

/** A text redacted, then cut. */
export interface RedactedCut {
  /** At most the limit long; never ends inside a marker or a surrogate pair. */
  text: string;
  /** How many secrets were replaced. */
  redactions: number;
  /** The text was cut. */
  truncated: boolean;
  /**
   * Maps a range of the text as given to the text as stored; undefined where
   * nothing of it is left.
   */
  range(start: number, end: number): [number, number] | undefined;
}

/** What any marker looks like: ours, and the bare one other tools write. */
const MARKER = /\[REDACTED(?::[^\]\n[]{1,60})?\]/g;

const BARE_MARKER = "[REDACTED:]";

/** The marker that a rule leaves. */
export function marker(rule: string): string {
  return `[REDACTED:${rule}]`;
}

/** The ranges of markers in a text, in order. */
export function markersOf(text: string): [number, number][] {
  const out: [number, number][] = [];
  if (!text.includes("[REDACTED")) return out;
  for (const m of text.matchAll(MARKER)) {
    out.push([m.index, m.index + m[0].length]);
  }
  return out;
}

/** Collects what the passes find in one text. */
export class Findings {
  readonly #markers: [number, number][];
  readonly #open: [number, number][];
  readonly #spans: SecretSpan[] = [];
  /** By character: found already. */
  #taken: Uint8Array | undefined;

  /** Reads values of the text. */
  readonly reader: Reader;

  /** Findings in `text`, of which `traits` are known. */
  constructor(readonly text: string, readonly traits: number) {
    this.reader = new Reader(text);
    this.#markers = markersOf(text);
    this.#open = [];
  }

  /** Ranges that no later pass may touch: public keys, data URIs. */
  protect(start: number, end: number): void {
    this.#open.push([start, end]);
  }

  /**
   * Adds a secret. A range that touches a marker is left out: it has been
   * redacted already. A range inside a protected one is public.
   */
  add(start: number, end: number, rule: string): void {
    if (start >= end) return;
    if (meets(this.#markers, start, end)) return;
    if (this.#open.some(([s, e]) => start >= s && end <= e)) return;
    this.#spans.push({ start, end, rule });
    (this.#taken ??= new Uint8Array(this.text.length)).fill(1, start, end);
  }

  /** Whether a range meets one that was found already. */
  has(start: number, end: number): boolean {
    const taken = this.#taken;
    if (!taken) return false;
    for (let i = start; i < end; i++) if (taken[i] === 1) return true;
    return false;
  }

  /** The spans in order; overlapping ones joined under the earlier finder's rule. */
  spans(): SecretSpan[] {
    return this.#spans.length === 0 ? [] : join(this.#spans);
  }
}

function meets(
  ranges: [number, number][],
  start: number,
  end: number,
): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    const range = ranges[mid];
    if (range && range[1] <= start) low = mid + 1;
    else high = mid;
  }
  const first = ranges[low];
  return first !== undefined && first[0] < end;
}

/**
 * Sorts spans and joins those that overlap. Spans come in the order of the
 * passes, so the earliest, most specific rule names the joined one.
 */
export function join(spans: readonly SecretSpan[]): SecretSpan[] {
  const order = spans.map((span, rank) => ({ ...span, rank }));
  order.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: { start: number; end: number; rule: string; rank: number }[] = [];
  for (const span of order) {
    const last = out.at(-1);
    if (last && span.start < last.end) {
      if (span.end > last.end) last.end = span.end;
      if (span.rank < last.rank) {
        last.rank = span.rank;
        last.rule = span.rule;
      }
    } else out.push({ ...span });
  }
  return out.map(({ start, end, rule }) => ({ start, end, rule }));
}

/** The text with each span replaced by its marker. */
export function apply(text: string, spans: readonly SecretSpan[]): string {
  if (spans.length === 0) return text;
  let out = "";
  let at = 0;
  for (const span of spans) {
    out += text.slice(at, span.start) + marker(span.rule);
    at = span.end;
  }
  return out + text.slice(at);
}

/**
 * Where an offset of a redacted text lies in the text as given. An offset
 * inside a marker maps to the start of its secret, or to its end when `end`.
 */
export function unmap(
  spans: readonly SecretSpan[],
  offset: number,
  end: boolean,
): number {
  let shift = 0;
  for (const span of spans) {
    const start = span.start + shift;
    const size = BARE_MARKER.length + span.rule.length;
    if (offset <= start) break;
    if (offset < start + size) return end ? span.end : span.start;
    shift += size - (span.end - span.start);
  }
  return offset - shift;
}

/** Where an offset of the text as given lies in its redacted text. */
export function map(
  spans: readonly SecretSpan[],
  offset: number,
  end: boolean,
): number {
  let shift = 0;
  for (const span of spans) {
    if (offset <= span.start) break;
    const size = BARE_MARKER.length + span.rule.length;
    if (offset < span.end) return span.start + shift + (end ? size : 0);
    shift += size - (span.end - span.start);
  }
  return offset + shift;
}

// Reading values.

/** A value in a text; the range leaves its quotes out. */
export interface ValueAt {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The text of it. */
  value: string;
  /** It stood in quotes. */
  quoted: boolean;
}

/** Characters that end a bare value; blanks always do. */
export interface Stop {
  /** By code, for ASCII. */
  ascii: Uint8Array;
  /** The others. */
  wide: string;
}

function stop(chars: string): Stop {
  const ascii = new Uint8Array(128);
  let wide = "";
  for (const c of chars) {
    const code = c.charCodeAt(0);
    if (code < 128) ascii[code] = 1;
    else wide += c;
  }
  return { ascii, wide };
}

/** Ends a bare word of a shell. */
export const SHELL_STOP: Stop = stop(" \t\r\n\"'`;&|<>()“”");
/** Ends a bare value in prose or a flow of code. */
export const FLOW_STOP: Stop = stop(" \t\r\n\"'`,;)}]<>“”");
/** Ends a default in `${NAME:-default}`. */
export const DEFAULT_STOP: Stop = stop("} \t\r\n\"'$");
/** Ends a header that stands in no quotes of its own. */
export const HEADER_STOP: Stop = stop("\"'`\r\n");
/** Ends the text of an XML element. */
export const ELEMENT_STOP: Stop = stop("<\n");

const BLANK_STOP = stop(" \t\r\n");

const ESCAPABLE = " $;&|()<>!#*?\\";

const CLOSERS: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "„": "“",
  "«": "»",
  "「": "」",
};

const OPENING = /(?:[fbruFBRUN@$]{0,2}(?=["']))?(\\{0,3})(["'`“‘„«「])/y;
/** A line's start is looked for no further back: longer lines are no lists. */
const MAX_INDENT = 240;

/**
 * Reads values of one text. What it searched it remembers, so that reading at
 * every place of a hostile text stays linear.
 */
export class Reader {
  readonly #runs = new Map<Stop, [number, number]>();
  readonly #nexts = new Map<string, [number, number]>();

  /** A reader of `text`. */
  constructor(readonly text: string) {}

  /** Where `what` comes next at or after an offset; the text's end if nowhere. */
  next(what: string, from: number): number {
    const known = this.#nexts.get(what);
    if (known && known[0] <= from && from <= known[1]) return known[1];
    const at = this.text.indexOf(what, from);
    const found = at < 0 ? this.text.length : at;
    this.#nexts.set(what, [from, found]);
    return found;
  }

  /** The quoted value that begins at an offset; undefined where none does. */
  quoted(at: number): ValueAt | undefined {
    OPENING.lastIndex = at;
    const m = OPENING.exec(this.text);
    if (!m) return undefined;
    let start = at + m[0].length;
    const slashes = m[1] ?? "";
    const quote = m[2] ?? "";
    let closer = slashes + (CLOSERS[quote] ?? quote);
    if (slashes === "" && this.text.startsWith(quote + quote, start)) {
      const triple = quote === '"' || quote === "'";
      if (triple) {
        start += 2;
        closer = closer.repeat(3);
      }
    }
    const line = this.next("\n", start);
    let end = this.next(closer, start);
    // An escaped quote belongs to the value, unless escapes are the delimiter.
    while (
      end < line && slashes === "" && quote === '"' &&
      this.text[end - 1] === "\\" && this.text[end - 2] !== "\\"
    ) end = this.next(closer, end + 1);
    end = Math.max(start, Math.min(end, line));
    return { start, end, value: this.text.slice(start, end), quoted: true };
  }

  /** The bare value at an offset, up to a character of `ends`. */
  bare(at: number, ends: Stop): ValueAt {
    const { text } = this;
    const run = this.#runs.get(ends);
    let end = at;
    if (run && run[0] <= at && at < run[1]) end = run[1];
    else {
      for (; end < text.length; end++) {
        const code = text.charCodeAt(end);
        if (code === 92) {
          const next = text[end + 1] ?? "\n";
          // A written line break ends what a line of a file holds.
          if (next === "n" || next === "r") break;
          if (ESCAPABLE.includes(next)) end++;
          // A line of a shell goes on behind a backslash.
          else if (next === "\n" && /[\w.~+/=-]/.test(text[end + 2] ?? "")) {
            end++;
          }
        } else if (
          code < 128
            ? ends.ascii[code] === 1
            : ends.wide.includes(text[end] ?? "")
        ) break;
      }
      end = Math.min(end, text.length);
      this.#runs.set(ends, [at, end]);
    }
    return { start: at, end, value: text.slice(at, end), quoted: false };
  }

  /** Where the run of characters without a blank ends that holds an offset. */
  runAt(at: number): number {
    return this.bare(at, BLANK_STOP).end;
  }

  /** The rest of the line, without a comment and blanks behind it. */
  line(at: number): ValueAt {
    let end = this.next("\n", at);
    const mark = this.next(" #", at);
    if (mark < end) end = mark;
    while (end > at && /\s/.test(this.text[end - 1] ?? "")) end--;
    return {
      start: at,
      end,
      value: this.text.slice(at, end),
      quoted: false,
    };
  }

  /** Where the line begins that an offset lies in; undefined if far away. */
  lineStart(at: number): number | undefined {
    const low = Math.max(0, at - MAX_INDENT);
    for (let i = at - 1; i >= low; i--) {
      if (this.text.charCodeAt(i) === 10) return i + 1;
    }
    return low === 0 ? 0 : undefined;
  }
}
