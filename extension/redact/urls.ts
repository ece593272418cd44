/**
 * Secrets in URLs: before the `@`, in the query, in the paths of webhooks.
 *
 * @module
 */
import type { Findings } from "./spans.ts";
import { isHarmless, isHex, isUuid, looksRandom } from "./values.ts";

const QUERY = /[?&;]([A-Za-z0-9_.-]{1,60})=([^&\s"'`<>#;]{8,4096})/g;
const QUERY_NAME =
  /^(?:sig|signature|x-\w{1,6}-signature|x-\w{1,6}-credential|x-\w{1,6}-security-token|s3signature|hmac|key|apikey|api[-_.]?key|appid|app[-_]?key|code|ticket|auth|auth[-_]?key|access[-_]?key|subscription[-_]key|sas|sid|session|session[-_]?id|oauth[-_]\w{3,20}|secret|t|tk|h)$/i;
const HOOKS = [
  /\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/-]{10,300})/g,
  /\bdiscord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{5,25}\/([\w-]{20,120})/g,
  /\bapi\.telegram\.org\/(?:file\/)?bot([\w:-]{20,80})/g,
  /(?<![\w-])(\d{8,10}:AA[\w-]{32,35})(?![\w-])/g,
  /(?:\.webhook|\boutlook)\.office(?:365)?\.com\/webhook(?:b2)?\/([\w@/-]{20,400})/g,
  /\bhooks\.zapier\.com\/hooks\/(?:catch|standard)\/(\d{1,12}\/[\w-]{4,40})/g,
  /\bmaker\.ifttt\.com\/trigger\/[\w-]{1,60}\/(?:json\/)?with\/key\/([\w-]{10,80})/g,
  /\bhooks?(?:\.\w{2,6})?\.(?:make|integromat)\.com\/(\w{20,60})/g,
  /\bevents\.pagerduty\.com\/integration\/(\w{20,40})/g,
  /\bhc-ping\.com\/([0-9a-f-]{36}|[\w-]{20,30}(?=\/))/g,
  /\b(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/(?:v2\/)?hook\/([\w-]{20,60})/g,
  /\bwebhook\/send\?key=([\w-]{20,60})/g,
  /\b(?:infura\.io\/v3|alchemy\.com\/v2|alchemyapi\.io\/v2|quiknode\.pro|getblock\.io|chainstack\.com)\/([\w-]{24,64})/g,
];
const HOOK_PATH =
  /\/(?:(?:[\w-]{0,20}hooks?|integrations?)|(?:triggers?|callbacks?|invites?|resets?|reset-password|password-reset|verify|confirm|tokens?|secrets?|api-?keys?|magic))(?:\/[\w.-]{1,40}){0,2}?\/([A-Za-z0-9_-]{20,200})(?=[/?#\s"'`]|$)/g;
const PROXY_USER =
  /(?<=[\s"'=])[\w.-]{1,60}:([^\s:@/"']{3,100})@[\w-]{1,60}(?:\.[\w-]{1,60}){0,5}:\d{2,5}\b/g;

/** Secrets in the URLs of a text. */
export function findInUrls(found: Findings): void {
  const { text } = found;
  if (text.includes("@")) findUserinfo(found);
  if (text.includes("/")) findHooks(found);
  if (/[?&]/.test(text) && text.includes("=")) findQueries(found);
}

/** Adds what the first group of a pattern finds, unless it is harmless. */
export function capture(found: Findings, pattern: RegExp, rule: string): void {
  for (const m of found.text.matchAll(pattern)) {
    const value = m[1] ?? "";
    if (isHarmless(value)) continue;
    const start = m.index + m[0].lastIndexOf(value);
    found.add(start, start + value.length, rule);
  }
}

/** How far before `@` a URL's user and password reach. */
const MAX_USERINFO = 1024;

function findUserinfo(found: Findings): void {
  const { text } = found;
  for (
    let at = text.indexOf("://");
    at >= 0;
    at = text.indexOf("://", at + 3)
  ) {
    if (!/[A-Za-z0-9+]/.test(text[at - 1] ?? "")) continue;
    const start = at + 3;
    const limit = Math.min(text.length, start + MAX_USERINFO);
    let end = start;
    let sign = -1;
    let depth = 0;
    for (; end < limit; end++) {
      const c = text[end] ?? "";
      // What stands in `${…}` or `{{…}}` may hold anything.
      if (c === "{") depth++;
      else if (c === "}") depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      if (c === "@") sign = end;
      else if (/[\s"'`<>/|\\]/.test(c)) break;
    }
    if (sign < 0) continue;
    addUserinfo(found, start, sign, text.slice(sign + 1, end));
  }
  if (/:\d{2,5}\b/.test(text)) capture(found, PROXY_USER, "url-password");
}

function addUserinfo(
  found: Findings,
  start: number,
  end: number,
  host: string,
): void {
  const info = found.text.slice(start, end);
  const colon = info.search(/:(?![-=+?])/);
  if (colon < 0) {
    // A token alone in place of the user; Sentry's keys are public.
    if (looksRandom(info, 20) && !/sentry/.test(host) && !isHarmless(info)) {
      found.add(start, end, "url-password");
    }
    return;
  }
  const user = info.slice(0, colon);
  const password = info.slice(colon + 1);
  // `host:443?x=a@b`: a port, not a password.
  if (/^\d{1,5}[?#]/.test(password)) return;
  if (password === "" || /^x-oauth-basic$|^x$/i.test(password)) {
    if (user.length >= 12 && !isHarmless(user)) {
      found.add(start, start + colon, "url-password");
    }
    return;
  }
  if (isVariable(password) || isStandInPassword(password)) return;
  found.add(start + colon + 1, end, "url-password");
}

function isVariable(v: string): boolean {
  return /[$%{<]/.test(v) && isHarmless(v);
}

function isStandInPassword(v: string): boolean {
  return v.length < 3 || isHarmless(v) && !v.startsWith("/");
}

function findHooks(found: Findings): void {
  const { text } = found;
  if (
    /hook|telegram|:AA|ping|bot|infura|alchemy|quiknode|getblock|chainstack|pagerduty|ifttt/
      .test(text)
  ) {
    for (const hook of HOOKS) capture(found, hook, "webhook-url");
  }
  if (!text.includes("://")) return;
  for (const m of text.matchAll(HOOK_PATH)) {
    const value = m[1] ?? "";
    const hook = /hook|integration/.test(m[0].slice(0, 30));
    const secret =
      looksRandom(value, 20) && /[A-Z]/.test(value) && !isHex(value) ||
      hook && isHex(value) && value.length >= 24;
    // The URL that the path belongs to begins in the same word.
    const word = text.slice(Math.max(0, m.index - 300), m.index);
    if (!secret || !/:\/\/[^\s"'`]{0,300}$/.test(word)) continue;
    const start = m.index + m[0].length - value.length;
    found.add(start, start + value.length, "webhook-url");
  }
}

function findQueries(found: Findings): void {
  for (const m of found.text.matchAll(QUERY)) {
    const name = m[1] ?? "";
    const value = m[2] ?? "";
    if (!QUERY_NAME.test(name) || isHarmless(value) || isUuid(value)) continue;
    const short = /^(?:t|tk|h|code|sid|session.{0,3}|auth|key|ticket)$/i.test(
      name,
    );
    const hex = isHex(value) && value.length >= 16 && /\d/.test(value) &&
      /[a-f]/i.test(value);
    if (!hex && !looksRandom(value, short ? 20 : 8)) continue;
    if (/^(?:t|h|tk)$/i.test(name) && !/[A-Z]/.test(value)) continue;
    const start = m.index + m[0].length - value.length;
    found.add(start, start + value.length, "signed-url");
  }
}
