/**
 * What nothing else found and only a machine can have made.
 *
 * @module
 */
import type { Rule } from "./examples.ts";
import { namesIn } from "./names.ts";
import type { Findings } from "./spans.ts";
import { expectStarts } from "./triggers.ts";
import {
  isHarmless,
  isHex,
  isPlaceholderToken,
  isSlug,
  isUuid,
  switches,
} from "./values.ts";
import { VENDOR_RULES, type VendorRule } from "./vendor-rules.ts";

/** What this pass finds. */
export const ENTROPY_RULE: Rule = {
  id: "high-entropy",
  finds:
    "Words of 32 characters or more in small and capital letters and digits without order, outside URLs, that are no hash, id, path, digest, public key or file",
  examples: {
    hit: ["./deploy.sh prod «+43b=»"],
    miss: [
      "git show 9f2c4e6a8b0d1f3e5a7c9b1d3f5e7a9c1b3d5f7e",
      "docker pull nginx@sha256:9f2c4e6a8b0d1f3e5a7c9b1d3f5e7a9c1b3d5f7e9f2c4e6a8b0d1f3e5a7c9b1d",
      "npx vitest run AuthenticationServiceImplementationFactoryProvider",
      "echo 'toolu_01AbCdEfGh23IjKlMnOp45Qr'",
      'echo "golang.org/x/net v0.17.0 h1:aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7mN9p=" >> go.sum',
      "ipfs pin add QmYwAPJzv5CZsnAzt8auV39s1ZtYFf2hk8oYyBbW3cTQnv",
      "BUILD_ID=0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f make",
      "[Peer]\nPublicKey = aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7mN9o=",
    ],
  },
};

const WORD = /[A-Za-z0-9+/_=-]{32,8192}/g;

/** What stands right before a hash, an id or a public key. */
const PUBLIC_BEFORE =
  /(?:sha\d{1,3}|h1|md5|blake\w{0,4}|crc\w{0,3}|SHA\d{3}|MD5|multihash|oid|cid|etag|digest|checksum|integrity|fingerprint|peer|public[-_ ]?key|pub[-_]?key|[-_]ids?|Ids?|\bids?|hash|commit|rev|revision|version|cursor|token|marker|page|after|before|signature|nonce|buildId|chunk|asset|thumbprint|hmac|x5t|kid)["']?(?:[-:=~]|\s{1,3}|["']?\s{0,3}[:=]\s{0,3})["'\\]{0,4}$/;

/** Beginnings of files in base64: images, archives, fonts, programs, text. */
const FILE_HEAD =
  /^(?:iVBORw0K|\/9j\/|R0lGOD|UklGR|JVBERi0|UEsDB|H4sI|AGFzbQ|d09G|T1RUTw|AAEAAAA|PHN2Zy|PD94bWw|PCFET0|PGh0bWw|f0VMRg|TVqQ|TVpQ|yv66vg|U1FMaXRl|IyEv|Qk0|SUkq|TU0A|AAAA[A-Z]|T2dnUw|SUQz|GkXfo|KLUv|QlpoO|\/Td6WFo|N3q8|Q1dT|AAABAA|Ly8[gv]|LyoK|aW1wb3J0|Y29uc3Q|ZnVuY3Rp|ZnJvbS|IyB|PCEt|e1xydGY|TUlNRS|LS0tLS1CRUdJTiBD|LS0tLS1CRUdJTiBQVUJ|bWFpbj|cGFja2FnZ|MII[A-J])/;

/** Ids that harnesses and services give to things. */
const ID =
  /^(?:toolu|msg|call|req|resp|chatcmpl|cmpl|run|thread|asst|file|batch|session|sess|ses|evt|fc|rs|ws|ctc|item|task|job|msgbatch|srvtoolu|mcptoolu|prt|conv|conversation|dpl|prj|team|usr|user|org|proj|acct|cus|sub|pi|pm|price|prod|in|ch|re|evt|src|tok|seti|cs|wh|env|vol|snap|img|build|bld|ver|agent|subagent|node|span|trace|req|bash|exec|cell)[_-]/;

/** The last pass. */
export function findEntropy(found: Findings): void {
  const { text } = found;
  for (const m of text.matchAll(WORD)) {
    const start = m.index;
    const end = start + m[0].length;
    if (found.has(start, end) || !isNoise(m[0])) continue;
    if (isNamedId(m[0])) continue;
    if (isPublicHere(text, start, end)) continue;
    found.add(start, end, ENTROPY_RULE.id);
  }
}

/** `BUILD_ID=…`, `--rev=…`: a hash or a UUID behind a name. */
function isNamedId(word: string): boolean {
  const at = word.indexOf("=");
  const value = word.slice(at + 1);
  return at > 0 && (isUuid(value) || isHex(value)) &&
    namesIn(word.slice(0, at)).length === 0;
}

/** What this finds beside the passes. */
export const ENCODED_RULE: Rule = {
  id: "encoded-secret",
  finds: "Words in base64, where a text decodes them and they hold a secret",
  examples: {
    hit: [
      "echo «cGFzc3dvcmQ9aHVudGVyMiE=» | base64 -d >> .env",
      "python3 -c \"import base64; base64.b64decode('«REJfUEFTUz1yYWlueURheTk=»')\"",
    ],
    miss: ["echo aGVsbG8gd29ybGQgYWdhaW4= | base64 -d"],
  },
};

const DECODES =
  /base64[ \t]{1,4}(?:-[A-Za-z]{0,4}[dD]|--decode)|b64_?decode|frombase64string|\batob\(|@base64d|["']base64["']|[ \t]-enc/i;
const ENCODED = /(?<![\w+/=-])[\w+/-]{12,4096}={0,2}(?![\w+/=-])/g;
/** So many of such words are decoded, with so many characters. */
const MAX_WORDS = 60;
const MAX_DECODED = 16 * 1024;

/** Words that a text decodes, with what they say. */
export function encodedWords(
  text: string,
): { start: number; end: number; says: string }[] {
  const words: { start: number; end: number; says: string }[] = [];
  if (!DECODES.test(text)) return words;
  let left = MAX_DECODED;
  for (const m of text.matchAll(ENCODED)) {
    left -= m[0].length;
    if (left < 0 || words.length >= MAX_WORDS) break;
    const says = decoded(m[0]);
    if (says === undefined) continue;
    words.push({ start: m.index, end: m.index + m[0].length, says });
  }
  return words;
}

/** What a word in base64 says, where that is text; of PowerShell in UTF-16. */
function decoded(word: string): string | undefined {
  try {
    const text = atob(
      word.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""),
    ).replaceAll("\0", "");
    return text.length > 6 && /^[\t\n\r -~]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Small, capital and digit, mixed without order. */
function isNoise(word: string): boolean {
  // Only the first part: a blob is like its beginning.
  const v = word.slice(0, 512);
  let upper = 0;
  let lower = 0;
  let digits = 0;
  let marks = 0;
  for (let i = 0; i < v.length; i++) {
    const c = v.charCodeAt(i);
    if (c >= 48 && c <= 57) digits++;
    else if (c >= 65 && c <= 90) upper++;
    else if (c >= 97 && c <= 122) lower++;
    else marks++;
  }
  if (upper < 4 || lower < 4 || digits < 2) return false;
  if (marks > v.length / 6) return false;
  if (isHex(v) || isUuid(v) || isSlug(v) || isHarmless(word)) return false;
  if (switches(v) < 0.4) return false;
  if (/^(?:sha\d{1,3}|h1|md5)[-:]/.test(v) || isEncodedText(word)) return false;
  if (FILE_HEAD.test(v) || ID.test(v) && v.length < 48) return false;
  // Keys that are published: Stripe's, PostHog's, Supabase's.
  if (/^(?:pk_(?:live|test)|phc|sb_publishable)_/.test(v)) return false;
  if (/^RW[QRST][A-Za-z0-9+/]{53}$/.test(v)) return false; // minisign
  if (/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(v)) return false;
  // Words, joined or in camel case, have small letters in a row.
  const words = v.match(/[A-Z]?[a-z]{3,}/g)?.join("").length ?? 0;
  return words < v.length * 0.5 && shannon(v) >= 3.9;
}

/** Base64 of plain words: nothing that only a machine reads. */
function isEncodedText(word: string): boolean {
  const part = word.slice(0, 256 & ~3);
  if (/[-_]/.test(part)) return false;
  let text = "";
  try {
    text = atob(part.slice(0, part.length & ~3));
  } catch {
    return false;
  }
  return /^[\t\n\r -~]+$/.test(text) &&
    !/key|token|secret|pass|pwd|cred|auth|sign/i.test(text) &&
    // A login is `user:password`; JSON has colons of its own.
    (!/[:=]/.test(text) || /^[{[]"?/.test(text));
}

function shannon(v: string): number {
  const counts = new Map<string, number>();
  for (const c of v) counts.set(c, (counts.get(c) ?? 0) + 1);
  let sum = 0;
  for (const n of counts.values()) {
    sum -= (n / v.length) * Math.log2(n / v.length);
  }
  return sum;
}

/** In a URL, a path, a pattern, or after a name for something public. */
function isPublicHere(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 240), start);
  if (PUBLIC_BEFORE.test(before.slice(-48))) return true;
  if (/:\/\/[^\s"'`<>]{0,240}$/.test(before)) return true;
  // Of a key in JSON the modulus and the point are public.
  if (
    text.includes('"kty"') &&
    /"(?:n|x|y|x5c)"\s{0,3}:\s{0,3}\[?"$/.test(before.slice(-16))
  ) return true;
  if (/public[-_]?key["']?\s{0,3}[:=]\s{0,3}["']?$/i.test(before.slice(-24))) {
    return true;
  }
  if (/(?:[\w.~@-]\/|\.|@|#|~)$/.test(before)) return true;
  if (/^(?:\.[a-z]{1,5}\b|@|\(|\[)/.test(text.slice(end, end + 8))) return true;
  return /ssh-\w{3,10}\s{1,4}$|data:[^\s]{0,80},$/.test(before.slice(-96));
}

// Finding tokens by their vendors' prefixes.

const MAX_TOKEN = 8192;
const VENDOR_WORD = /[A-Za-z0-9_-]/;

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

expectStarts(byStart.keys());

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
    while (end < limit && VENDOR_WORD.test(text[end] ?? "")) end++;
    found.add(m.index, end, rule.id);
    STARTS.lastIndex = end;
  }
}
