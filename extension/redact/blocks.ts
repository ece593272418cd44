/**
 * Keys that span lines, and the public blocks that look like them.
 *
 * @module
 */
import type { Rule } from "./examples.ts";
import type { Findings } from "./spans.ts";

/** What this pass finds. */
export const BLOCK_RULES: readonly Rule[] = [
  {
    id: "private-key",
    finds:
      "Private keys: PEM, OpenSSH, PGP and PuTTY blocks to their end or the end of the text, the same in base64, JWK members",
    examples: {
      hit: [
        "cat > k.pem <<'EOF'\n«-----BEGIN RSA PRIVATE KEY-----\n+64b\n+64b\n-----END RSA PRIVATE KEY-----»\nEOF",
        "cat > k.pem <<EOF\n«-----BEGIN EC PRIVATE KEY-----\n+64b\n+20b»",
        'echo \'{"kty":"EC","crv":"P-256","d":"«+43u»"}\' > jwk.json',
      ],
      miss: [
        "grep -rl 'BEGIN RSA PRIVATE KEY' . | head",
        'grep -q -- "-----BEGIN PRIVATE KEY-----" k.pem && rm k.pem',
        "cat > ca.pem <<'EOF'\n-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEbGZ2\n-----END CERTIFICATE-----\nEOF",
        'echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG8Qz1 me@host" >> ~/.ssh/authorized_keys',
      ],
    },
  },
  {
    id: "service-account",
    finds: "Key ids in Google service-account files",
    examples: {
      hit: [
        'echo \'{"type":"service_account","private_key_id":"«+40h»"}\' > sa.json',
      ],
    },
  },
];

const BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,60}?) ?-{4,5}/g;
/** The body must begin with base64 or with a header of the block. */
const BODY =
  /(?:\s|\\{1,4}[nr]?|["',+]){0,12}(?:(?:[A-Z][A-Za-z-]{2,30}: [^\n]{1,200})|[A-Za-z0-9+/=]{16})/y;
const BASE64 = /[A-Za-z0-9+/=_-]/;
const SSH_PUBLIC =
  /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-[a-z0-9-]{4,40}@openssh\.com)\s{1,4}AAAA[A-Za-z0-9+/=]{8,4000}/g;
const DATA_URI = /\bdata:[\w/+.-]{0,80}(?:;[\w=.+-]{0,60}){0,4},/g;
const KEY_ID =
  /private_key_id\\{0,3}["']?\s{0,4}:\s{0,4}\\{0,3}["']?([0-9a-f]{20,64})/g;
const JWK =
  /\\{0,3}"(?:d|p|q|dp|dq|qi|k)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([A-Za-z0-9_-]{20,1400})/g;
const PUTTY = /Private-Lines: \d{1,4}\s{1,4}/g;

/** Pass 1: blocks. Public ones are protected from the later passes. */
export function findBlocks(found: Findings): void {
  const { text } = found;
  if (text.includes("BEGIN")) findPem(found);
  if (text.includes("LS0tLS1C")) findBase64Pem(found);
  if (text.includes(" AAAA")) protect(found, SSH_PUBLIC);
  if (text.includes("data:")) {
    for (const m of text.matchAll(DATA_URI)) {
      const start = m.index + m[0].length;
      found.protect(m.index, runEnd(text, start));
    }
  }
  if (text.includes("service_account")) {
    capture(found, KEY_ID, "service-account");
  }
  if (/"kty\\{0,3}"/.test(text)) capture(found, JWK, "private-key");
  if (text.includes("Private-Lines:")) {
    for (const m of text.matchAll(PUTTY)) {
      const start = m.index + m[0].length;
      const end = found.reader.next("Private-MAC:", start);
      found.add(start, end, "private-key");
      if (end === text.length) break;
    }
  }
}

function findPem(found: Findings): void {
  const { text } = found;
  let done = 0;
  for (const m of text.matchAll(BEGIN)) {
    if (m.index < done) continue;
    const label = m[1] ?? "";
    const start = m.index + m[0].length;
    BODY.lastIndex = start;
    if (!BODY.test(text)) continue;
    const closer = /-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}/g;
    closer.lastIndex = start;
    const end = closer.exec(text);
    const stop = end ? end.index + end[0].length : text.length;
    done = stop;
    if (/PRIVATE KEY|ENCRYPTED KEY|SECRET KEY|OPENVPN STATIC KEY/.test(label)) {
      found.add(m.index, stop, "private-key");
    } else if (end) found.protect(m.index, stop);
  }
}

function findBase64Pem(found: Findings): void {
  const { text } = found;
  let from = text.indexOf("LS0tLS1C");
  while (from >= 0) {
    const end = runEnd(text, from);
    const head = decode(text.slice(from, from + 96));
    if (/BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/.test(head)) {
      found.add(from, end, "private-key");
    } else if (/BEGIN (?:CERTIFICATE|[A-Z0-9 ]{0,20}PUBLIC KEY)/.test(head)) {
      found.protect(from, end);
    }
    from = text.indexOf("LS0tLS1C", Math.max(end, from + 8));
  }
}

/** Base64 to text; "" where it is none. */
function decode(base64: string): string {
  const whole = base64.slice(0, base64.length & ~3);
  try {
    return atob(whole);
  } catch {
    return "";
  }
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && BASE64.test(text[end] ?? "")) end++;
  return end;
}

function protect(found: Findings, pattern: RegExp): void {
  for (const m of found.text.matchAll(pattern)) {
    found.protect(m.index, m.index + m[0].length);
  }
}

function capture(found: Findings, pattern: RegExp, rule: string): void {
  for (const m of found.text.matchAll(pattern)) {
    const value = m[1] ?? "";
    const start = m.index + m[0].length - value.length;
    found.add(start, start + value.length, rule);
  }
}
