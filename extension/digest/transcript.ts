/**
 * The transcript of a session without its noise, in parts that fit a model.
 *
 * @module
 */
import { isoTime } from "../../schema/mod.ts";
import type { BuiltCall, TextEntry } from "../session/model.ts";
import type { PrivateText } from "../session/private-text.ts";

/** Tokens that a part of the transcript holds at most, at four characters a token. */
export const SEGMENT_TOKENS = 20_000;
/** Longest text of one entry, in UTF-16 units; a longer one becomes several. */
const ENTRY_TEXT = 16_000;
/** Longest text of a call, in UTF-16 units. */
const CALL_TEXT = 400;

/** One line of the de-noised transcript. */
export interface TranscriptEntry {
  /** When. */
  at: string;
  /** Who: a person, the assistant, or a call. */
  role: "human" | "assistant" | "call" | "recap" | "compaction";
  /** Redacted text; of a call its tool, argument and how it ended. */
  text: string;
}

/** A part of the transcript. */
export interface Segment {
  /** Which part, from 1. */
  number: number;
  /** Of how many. */
  of: number;
  /** Its size, at four characters a token. */
  tokens: number;
  /** Its lines. */
  entries: TranscriptEntry[];
}

/** Which part: of as many as the budget needs, or of `of` parts of like size. */
export interface SegmentWish {
  /** From 1; beyond the last it is the last. */
  number: number;
  /** How many parts, whatever their size. */
  of?: number;
}

/** Tokens of an entry, its time and role included. */
function tokensOf({ text }: TranscriptEntry): number {
  return Math.ceil((text.length + 40) / 4);
}

function callText(call: BuiltCall): string {
  const exit = call.exitCode ? ` (exit ${call.exitCode})` : "";
  return `${call.tool} ${
    oneLine(call.facts.text, CALL_TEXT)
  } -> ${call.state}${exit}`;
}

function* entriesOf(
  texts: readonly TextEntry[],
  calls: readonly BuiltCall[],
  clean: (text: PrivateText) => string,
): Generator<TranscriptEntry> {
  const all = [
    ...texts.map((entry, i) => ({ at: entry.at, i, entry })),
    ...calls.map((call, i) => ({ at: call.startedAt, i, call })),
  ].sort((a, b) => a.at - b.at);
  for (const one of all) {
    const at = isoTime(one.at);
    if ("call" in one) {
      yield { at, role: "call", text: callText(one.call) };
      continue;
    }
    let text = clean(one.entry.text).trim();
    while (text !== "") {
      const end = safeCut(text, ENTRY_TEXT);
      yield { at, role: one.entry.role, text: text.slice(0, end) };
      text = text.slice(end);
    }
  }
}

/** A part of the transcript. The parts together are all of it, in order. */
export function segment(
  texts: readonly TextEntry[],
  calls: readonly BuiltCall[],
  clean: (text: PrivateText) => string,
  wish: SegmentWish,
): Segment {
  const entries = [...entriesOf(texts, calls, clean)];
  const parts = wish.of === undefined
    ? packed(entries)
    : shared(entries, wish.of);
  const number = Math.min(Math.max(1, wish.number), parts.length);
  const own = parts[number - 1] ?? [];
  return {
    number,
    of: parts.length,
    tokens: own.reduce((sum, entry) => sum + tokensOf(entry), 0),
    entries: own,
  };
}

/** As few parts as the budget allows. */
function packed(entries: readonly TranscriptEntry[]): TranscriptEntry[][] {
  const parts: TranscriptEntry[][] = [[]];
  let size = 0;
  for (const entry of entries) {
    const tokens = tokensOf(entry);
    if (size > 0 && size + tokens > SEGMENT_TOKENS) {
      parts.push([]);
      size = 0;
    }
    parts[parts.length - 1]?.push(entry);
    size += tokens;
  }
  return parts;
}

/** So many parts of like size; some may be empty. */
function shared(
  entries: readonly TranscriptEntry[],
  of: number,
): TranscriptEntry[][] {
  const parts = Array.from({ length: of }, (): TranscriptEntry[] => []);
  const total = entries.reduce((sum, entry) => sum + tokensOf(entry), 0);
  let before = 0;
  for (const entry of entries) {
    parts[Math.min(of - 1, Math.floor(before * of / total))]?.push(entry);
    before += tokensOf(entry);
  }
  return parts;
}

// Cutting redacted texts: never inside a marker, never inside a character.

/** Longest marker of a redaction that is looked for, in UTF-16 units. */
const MARKER = 100;

/**
 * The last place up to `limit` where a redacted text may be cut; 0 only where
 * it begins with a marker or a character longer than that.
 */
export function safeCut(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let at = limit;
  const open = text.lastIndexOf("[REDACTED:", at - 1);
  if (open >= 0 && at - open < MARKER) {
    const close = text.indexOf("]", open);
    if (close >= at && close - open < MARKER) at = open;
  }
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

/** The first place from `from` on where the end of a redacted text may begin. */
function safeStart(text: string, from: number): number {
  let at = from;
  const open = text.lastIndexOf("[REDACTED:", at - 1);
  if (open >= 0 && at - open < MARKER) {
    const close = text.indexOf("]", open);
    if (close >= at && close - open < MARKER) at = close + 1;
  }
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** A text cut in the middle, so that both its ends are kept. */
export function shorten(text: string, limit: number): string {
  const clean = text.trim();
  if (clean.length <= limit) return clean;
  const half = Math.max(1, Math.floor((limit - 40) / 2));
  const head = safeCut(clean, half);
  const tail = safeStart(clean, clean.length - half);
  return `${clean.slice(0, head).trimEnd()}\n[… ${tail - head} characters …]\n${
    clean.slice(tail).trimStart()
  }`;
}

/** A text on one line, cut at its end. */
export function oneLine(text: string, limit: number): string {
  const clean = text.replace(/\s{1,400}/g, " ").trim();
  return clean.length <= limit
    ? clean
    : `${clean.slice(0, safeCut(clean, limit - 1))}…`;
}
