/**
 * Finding tokens by their vendors' prefixes.
 *
 * @module
 */
import type { Findings } from "./spans.ts";
import { isPlaceholderToken } from "./values.ts";
import { VENDOR_RULES, type VendorRule } from "./vendor-rules.ts";

const MAX_TOKEN = 8192;
const WORD = /[A-Za-z0-9_-]/;

/** No part of a token before its first dot is longer. */
const MAX_HEAD = 2000;

interface Matcher {
  rule: VendorRule;
  body: RegExp;
  /** Needs a dot. */
  dotted: boolean;
}

const byStart = new Map<string, Matcher>();
for (const rule of VENDOR_RULES) {
  const body = new RegExp(rule.body, "y");
  const dotted = /^(?:\[[^\]]+\]\{[\d,]+\})\\\./.test(rule.body);
  for (const start of rule.starts) {
    if (start !== "") byStart.set(start, { rule, body, dotted });
  }
}

const escape = (s: string) => s.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** All beginnings, the longest first so that the more specific wins. */
const STARTS = new RegExp(
  [...byStart.keys()].sort((a, b) => b.length - a.length).map(escape).join("|"),
  "g",
);

/** Whether a token may begin here: not in the middle of a word. */
function beginsAt(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1] ?? "";
  if (!/[A-Za-z0-9]/.test(before)) return true;
  // `\n` in a quoted string, `%3D` in a URL.
  return /(?:\\[nrt]|%[0-9A-Fa-f]{2}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4})$/
    .test(text.slice(Math.max(0, at - 10), at));
}

/** Pass 2: tokens with a vendor's prefix. */
export function findVendorTokens(found: Findings): void {
  const { text } = found;
  STARTS.lastIndex = 0;
  for (let m = STARTS.exec(text); m; m = STARTS.exec(text)) {
    const matcher = byStart.get(m[0]);
    if (!matcher || !beginsAt(text, m.index)) continue;
    const { body, rule, dotted } = matcher;
    // Tokens with a dot are not tried where none follows.
    const from = m.index + m[0].length;
    if (dotted && found.reader.next(".", from) > from + MAX_HEAD) continue;
    body.lastIndex = from;
    const rest = body.exec(text);
    if (!rest || isPlaceholderToken(rest[0])) continue;
    let end = m.index + m[0].length + rest[0].length;
    // A token longer than its vendor says leaves no tail behind.
    const limit = Math.min(text.length, end + MAX_TOKEN);
    while (end < limit && WORD.test(text[end] ?? "")) end++;
    found.add(m.index, end, rule.id);
    STARTS.lastIndex = end;
  }
}
