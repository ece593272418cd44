/**
 * Spans of secrets and the markers that stand for them.
 *
 * @module
 */
import { Reader } from "./read.ts";

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
  }

  /** Whether a range meets one that was found already. */
  has(start: number, end: number): boolean {
    // Passes go from left to right: what meets is near the end.
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      const s = this.#spans[i];
      if (s && start < s.end && end > s.start) return true;
    }
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
    const size = marker(span.rule).length;
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
    const size = marker(span.rule).length;
    if (offset < span.end) return span.start + shift + (end ? size : 0);
    shift += size - (span.end - span.start);
  }
  return offset + shift;
}
