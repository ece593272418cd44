/**
 * Finding secrets in a text, replacing them, and cutting what is left.
 *
 * @module
 */
import type { ShellParse } from "../shell/types.ts";
import { findArguments, mayHoldArguments } from "./argv.ts";
import { findBlocks } from "./blocks.ts";
import {
  ENCODED_RULE,
  encodedWords,
  findEntropy,
  findVendorTokens,
} from "./tokens.ts";
import { findNamed } from "./named.ts";
import {
  apply,
  Findings,
  join,
  map,
  markersOf,
  type Redacted,
  type RedactedCut,
  type SecretSpan,
  unmap,
} from "./spans.ts";
import { findStructure } from "./structure.ts";
import {
  ANY,
  BLOCK,
  MARK,
  NAME,
  NOISE,
  STRUCTURE,
  traitsOf,
  VENDOR,
  WIDE,
} from "./triggers.ts";

/** Changes with every change of the rules, so that stored texts can be told. */
export const REDACTION_VERSION = "3";

/** A text to be cut is read no further: what is kept lies at its beginning. */
const MAX_READ = 256 * 1024;
/** So much of a text read in part is not kept: a secret could be cut there. */
const MARGIN = 16 * 1024;

/** Rounds after which a text is taken as it is; real ones need two. */
const MAX_ROUNDS = 6;

/**
 * The secrets in a text, in order, not overlapping. With a parse of the same
 * text the commands are taken from it; without, from a simple split. Never
 * throws.
 */
export function findSecrets(text: string, shell?: ShellParse): SecretSpan[] {
  let spans = scan(text, shell);
  // A secret taken out can uncover another (a quote inside it hid the next
  // one). Looking again until nothing is found also makes redaction idempotent.
  for (let round = 1; spans.length > 0 && round < MAX_ROUNDS; round++) {
    const more = scan(apply(text, spans));
    if (more.length === 0) break;
    const found = spans;
    spans = join([
      ...found,
      ...more.map((s) => ({
        start: unmap(found, s.start, false),
        end: unmap(found, s.end, true),
        rule: s.rule,
      })),
    ]);
  }
  return spans;
}

/** The text with each secret replaced by `[REDACTED:rule]`, and the secrets' places. */
export function redact(text: string, shell?: ShellParse): Redacted {
  const spans = findSecrets(text, shell);
  return { text: apply(text, spans), spans };
}

/**
 * Redacts, then cuts to at most `limit` UTF-16 units: a secret cut in two
 * would no longer be found. The cut falls neither inside a marker nor inside
 * a surrogate pair. Of a text beyond 256 KB only the beginning is read.
 */
export function redactAndCut(
  text: string,
  limit: number,
  shell?: ShellParse,
): RedactedCut {
  const part = text.length > MAX_READ;
  const { text: whole, spans } = part
    ? redact(text.slice(0, MAX_READ))
    : redact(text, shell);
  const cut = cutAt(
    whole,
    part ? Math.min(limit, Math.max(0, whole.length - MARGIN)) : limit,
  );
  return {
    text: whole.slice(0, cut),
    redactions: spans.length,
    truncated: cut < whole.length,
    range(start, end) {
      const from = map(spans, start, false);
      const to = Math.min(map(spans, end, true), cut);
      return from < to ? [from, to] : undefined;
    },
  };
}

function cutAt(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let cut = Math.max(0, Math.floor(limit));
  for (const [start, end] of markersOf(text)) {
    if (start < cut && cut < end) cut = start;
  }
  const before = text.charCodeAt(cut - 1);
  const after = text.charCodeAt(cut);
  const splits = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 &&
    after <= 0xdfff;
  return splits ? cut - 1 : cut;
}

// One look at a text: every pass, the most specific first.

/** Every vendor's token has so many characters in a row. */
const LONG_WORD = /[A-Za-z0-9_.+=%-]{16}/;

/** What the passes find in a text as it stands. */
export function scan(
  text: string,
  shell?: ShellParse,
  inner = false,
): SecretSpan[] {
  if (text.length < 4) return [];
  const traits = traitsOf(text);
  const commands = mayHoldArguments(text, traits);
  if (!commands && (traits & ANY) === 0) return [];
  const found = new Findings(text, traits);
  if (traits & BLOCK) findBlocks(found);
  // Most commands hold no word long enough to be a token.
  if (traits & VENDOR && LONG_WORD.test(text)) findVendorTokens(found);
  if (traits & STRUCTURE) findStructure(found);
  if (traits & (NAME | WIDE)) findNamed(found);
  if (commands) findArguments(found, shell);
  if (traits & NOISE) findEntropy(found);
  if (traits & MARK && !inner) findEncoded(found);
  return found.spans().map((span) => widen(text, span));
}

/** Words in base64 that hold a secret. */
function findEncoded(found: Findings): void {
  for (const { start, end, says } of encodedWords(found.text)) {
    if (found.has(start, end) || scan(says, undefined, true).length === 0) {
      continue;
    }
    found.add(start, end, ENCODED_RULE.id);
  }
}

/** `"abc"'def'`: a shell joins quoted parts to one word. */
function widen(text: string, span: SecretSpan): SecretSpan {
  const more = /^(["'])(?!\1)(["'])([\w+/=.~-]{4,400})\2(?=[\s;&|)]|$)/
    .exec(text.slice(span.end, span.end + 410));
  return more ? { ...span, end: span.end + more[0].length - 1 } : span;
}
