/**
 * Cutting redacted texts: never inside a marker, never inside a character.
 *
 * @module
 */

/** Longest marker of a redaction that is looked for, in UTF-16 units. */
const MARKER = 100;

/** The last place up to `limit` where a redacted text may be cut; at least 1. */
export function safeCut(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let at = limit;
  const open = text.lastIndexOf("[REDACTED:", at - 1);
  if (open > 0 && at - open < MARKER) {
    const close = text.indexOf("]", open);
    if (close >= at && close - open < MARKER) at = open;
  }
  const code = text.charCodeAt(at - 1);
  if (at > 1 && code >= 0xd800 && code <= 0xdbff) at--;
  return Math.max(1, at);
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
