/**
 * Secrets known by where they stand: in URLs, headers, cookies, files of a
 * known layout.
 *
 * @module
 */
import type { Rule } from "./examples.ts";
import { HEADER_STOP, type ValueAt } from "./read.ts";
import type { Findings } from "./spans.ts";
import { isCode, isHarmless, isHex, isUuid, looksRandom } from "./values.ts";

/** What this pass finds. */
export const STRUCTURE_RULES: readonly Rule[] = [
  {
    id: "url-password",
    finds: "Passwords, and tokens in their place, before the `@` of a URL",
    examples: {
      hit: [
        "curl https://admin:«hunt3r2»@registry.example/v2/_catalog",
        "REDIS_URL=redis://:«r3d1sUrl»@cache:6379/0 node worker.js",
        "git clone https://«+40h»:x-oauth-basic@github.com/o/r.git",
        "curl -x «user:»«pr0xyPw»@proxy.example:3128 https://example.com"
          .replace("«user:»", "user:"),
      ],
      miss: [
        "git clone ssh://git@github.com/o/r.git",
        'psql "postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}:5432/app"',
        "curl http://localhost:8080/v1/models:predict@latest",
        "curl https://user:password@example.com/",
      ],
    },
  },
  {
    id: "authorization",
    finds:
      "What follows the scheme of an `Authorization` header, and `Bearer …`",
    examples: {
      hit: [
        "curl -H 'Authorization: Bearer «+40»' https://api.example",
        'wget --header="Authorization: Basic «+28b»" https://example.com',
        "requests.get(u, headers={'Authorization': 'Token «+40h»'})",
      ],
      miss: [
        'curl -H "Authorization: Bearer $TOKEN" https://api.example',
        'curl -H "Authorization: Bearer $(gcloud auth print-access-token)" https://x',
        'curl -H "Authorization: Bearer [REDACTED]" https://api.example',
      ],
    },
  },
  {
    id: "cookie",
    finds: "Values of session cookies and of other cookies that look random",
    examples: {
      hit: [
        "curl -H 'Cookie: _ga=GA1.2.3; connect.sid=«s%3A+32u.+43u»; theme=dark' https://app.example",
      ],
      miss: ["curl -c jar.txt -b jar.txt https://app.example/login"],
    },
  },
  {
    id: "webhook-url",
    finds: "The secret path of webhook and bot URLs, and of hook-like paths",
    examples: {
      hit: [
        "curl -X POST https://hooks.slack.com/services/«T+8U/B+10U/+24»",
        'curl "https://api.telegram.org/bot«+10d:AA+33u»/sendMessage?chat_id=1"',
        "curl -X POST https://api.example/hooks/deploy/«+40»/trigger",
      ],
      miss: [
        "curl https://discord.com/api/v10/channels/123456789012345678/messages",
        'curl -L "https://docs.google.com/document/d/«1+43u»/export"'.replace(
          /[«»]/g,
          "",
        ).replace("+43u", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7mN9p"),
      ],
    },
  },
  {
    id: "signed-url",
    finds: "Signatures and keys in the query of a URL",
    examples: {
      hit: [
        'curl "https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature=«+64h»"',
        'azcopy cp f "https://a.blob.core.windows.net/c?sv=2022-11-02&sig=«+43b%3D»"',
        'curl "https://api.trello.com/1/boards?key=«+32h»&limit=3"',
      ],
      miss: ['curl "https://example.com/?key=name&code=404"'],
    },
  },
  {
    id: "kubernetes-secret",
    finds: "Every value under `data` and `stringData` of a Kubernetes Secret",
    examples: {
      hit: [
        "kubectl apply -f - <<EOF\nkind: Secret\ndata:\n  config.json: «+24b»\nEOF",
      ],
      miss: [
        "kubectl apply -f - <<EOF\nkind: ConfigMap\ndata:\n  mode: cluster-wide\nEOF",
      ],
    },
  },
  {
    id: "sql-password",
    finds: "Passwords in `IDENTIFIED BY` and `WITH PASSWORD`",
    examples: {
      hit: [
        "mysql -e \"CREATE USER 'w'@'%' IDENTIFIED BY '«identBy.5»'\"",
        'psql "$URL" -c "ALTER ROLE app WITH PASSWORD \'«rotated-Pw1»\'"',
      ],
      miss: ["psql -c 'alter user app with password null'"],
    },
  },
  {
    id: "pgpass",
    finds: "The last field of a line of `.pgpass`",
    examples: { hit: ['echo "db:5432:app:me:«pgPw1»" >> ~/.pgpass'] },
  },
  {
    id: "masked",
    finds: "Values that a CI log is told to mask",
    examples: { hit: ['echo "::add-mask::«+30»"'] },
  },
];

const AUTHORIZATION =
  /\bauthorization\\{0,3}["'`]?\]?\s{0,4}(?:=>|:=|[:=,])\s{0,4}/gi;
const SCHEME = /^(?:[A-Za-z][\w-]{1,40}\s{1,4}(?:token=)?)?["']?/;
const BEARER =
  /\b(?:bearer|basic)(?:[ \t]{1,4}|%20|\+)["']?([A-Za-z0-9._~+/=%-]{16,4096})/gi;
const COOKIE = /\b(?:set-)?cookie2?\\{0,3}["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}/gi;
const COOKIE_PAIR = /([^=;\s"']{1,80})=([^;\s"'\\]{1,4096})/g;
const COOKIE_NAME =
  /sess|sid\b|auth|token|jwt|login|remember|csrf|xsrf|identity|secret|sso|__secure|__host|li_at|clearance|passw|^d$/i;
const QUERY = /[?&;]([A-Za-z0-9_.-]{1,60})=([^&\s"'`<>#;]{8,4096})/g;
const QUERY_NAME =
  /^(?:sig|signature|x-\w{1,6}-signature|x-\w{1,6}-credential|x-\w{1,6}-security-token|s3signature|hmac|key|apikey|api[-_.]?key|appid|app[-_]?key|code|ticket|auth|auth[-_]?key|access[-_]?key|subscription[-_]key|sas|sid|session|session[-_]?id|oauth[-_]\w{3,20}|secret|t|tk|h)$/i;
const HOOKS = [
  /\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/-]{10,300})/g,
  /\bdiscord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{5,25}\/([\w-]{20,120})/g,
  /\bapi\.telegram\.org\/(?:file\/)?bot([\w:-]{20,80})/g,
  /(?<![\w-])(\d{8,10}:AA[\w-]{32,35})(?![\w-])/g,
  /\b(?:[\w-]{1,60}\.webhook|outlook)\.office(?:365)?\.com\/webhook(?:b2)?\/([\w@/-]{20,400})/g,
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
const PGPASS =
  /(?:^|[\s"'])[^\s:"']{1,200}:(?:\d{2,5}|\*):[^\s:"']{1,100}:[^\s:"']{1,100}:([^\s"']{3,200})/g;
const MASK =
  /(?:::add-mask::|##vso\[task\.setvariable [^\]\n]{0,200}issecret=true[^\]\n]{0,80}\]|##vso\[task\.setsecret\])([^\s"'`]{3,500})/g;
const PROXY_USER =
  /(?<=[\s"'=])[\w.-]{1,60}:([^\s:@/"']{3,100})@[\w-]{1,60}(?:\.[\w-]{1,60}){0,5}:\d{2,5}\b/g;

const SQL =
  /\b(?:identified(?:\s{1,4}with\s{1,4}[\w'"]{1,40})?\s{1,4}(?:by|as)(?:\s{1,4}password)?|(?:encrypted\s{1,4}|with\s{1,4}|set\s{1,4})password(?:\s{1,4}for\s{1,4}[^=\s]{1,80})?)\s{0,4}=?\s{0,4}(?:password\()?(?=\\{0,3}["'])/gi;

const LOGIN_PAIR =
  /\b(?:auth|basic_?auth|httpbasicauth|login|authenticate|pscredential|networkcredential|usernamepassword\w{0,20}|passwordauthentication)\s{0,4}[=(:]\s{0,4}[([{]?\s{0,4}["'][^"'\n]{1,100}["']\s{0,4},\s{0,4}(?=["'])/gi;

/** Pass 3: structure. */
export function findStructure(found: Findings): void {
  const { text } = found;
  if (text.includes("@")) findUserinfo(found);
  if (/auth|bearer|basic/i.test(text)) findAuthorization(found);
  if (/cookie/i.test(text)) findCookies(found);
  if (text.includes("/")) findHooks(found);
  if (/[?&]/.test(text)) findQueries(found);
  if (/\bkind\\?["']?\s{0,4}:\s{0,4}\\?["']?Secret\b/.test(text)) {
    findKubernetes(found);
  }
  if (/identified|password/i.test(text)) findSql(found);
  if (/auth|login|credential/i.test(text)) findLoginPairs(found);
  if (text.includes("pgpass")) capture(found, PGPASS, "pgpass");
  if (text.includes("::add-mask") || text.includes("##vso[")) {
    capture(found, MASK, "masked");
  }
}

function capture(found: Findings, pattern: RegExp, rule: string): void {
  for (const m of found.text.matchAll(pattern)) {
    const value = m[1] ?? "";
    if (isHarmless(value)) continue;
    const start = m.index + m[0].indexOf(value, m[0].length - value.length);
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

/** No header is read further. */
const MAX_HEADER = 8192;

/** The values of a header, each looked at once. */
function* headers(
  found: Findings,
  pattern: RegExp,
): Generator<{ value: ValueAt }> {
  const { text, reader } = found;
  const search = new RegExp(pattern);
  for (let m = search.exec(text); m; m = search.exec(text)) {
    const at = m.index + m[0].length;
    const value = reader.quoted(at) ?? reader.bare(at, HEADER_STOP);
    yield { value };
    search.lastIndex = Math.max(search.lastIndex, value.end);
  }
}

function findAuthorization(found: Findings): void {
  const { text } = found;
  for (const { value } of headers(found, AUTHORIZATION)) {
    const scheme = SCHEME.exec(value.value)?.[0].length ?? 0;
    let secret = value.value.slice(scheme);
    let lead = scheme;
    if (secret === "") {
      // `Authorization: x`: no scheme.
      secret = value.value;
      lead = 0;
    }
    secret = secret.trimEnd();
    // `A=Bearer x,B=y`: a list of headers.
    const comma = secret.indexOf(",");
    if (comma > 0 && !/[=\s]/.test(secret.slice(0, comma))) {
      secret = secret.slice(0, comma);
    }
    // Outside quotes the header ends with the word.
    if (!value.quoted && !/[,=]/.test(secret)) {
      secret = /^\S{0,4096}/.exec(secret)?.[0] ?? "";
    }
    if (!isCredential(secret, lead > 0)) continue;
    const start = value.start + lead;
    found.add(start, start + secret.length, "authorization");
  }
  for (const m of text.matchAll(BEARER)) {
    const value = m[1] ?? "";
    if (
      isHarmless(value) ||
      !looksRandom(value, 16) && !(isHex(value) && value.length >= 24)
    ) continue;
    const start = m.index + m[0].length - value.length;
    found.add(start, start + value.length, "authorization");
  }
}

function isCredential(secret: string, schemed: boolean): boolean {
  if (secret.length < 6 || isHarmless(secret)) return false;
  const words = secret.split(/\s+/);
  if (words.length > 1 && !/[=:]/.test(secret)) return false;
  if (words.length > 12) return false;
  if (isCode(secret)) return false;
  if (/^[A-Za-z_.-]+$/.test(secret)) {
    return secret.length >= 24 && looksRandom(secret);
  }
  return schemed || /\d/.test(secret);
}

function findCookies(found: Findings): void {
  for (const { value } of headers(found, COOKIE)) {
    addCookies(found, value.start, value.value.slice(0, MAX_HEADER));
  }
}

/** Adds the secret values among `name=value; …`. */
export function addCookies(found: Findings, start: number, text: string): void {
  for (const m of text.matchAll(COOKIE_PAIR)) {
    const name = m[1] ?? "";
    const value = m[2] ?? "";
    if (isHarmless(value)) continue;
    const named = COOKIE_NAME.test(name) && value.length >= 6 &&
      /\d|%/.test(value);
    if (!named && !(looksRandom(value, 24) && !/^GA\d/.test(value))) continue;
    const from = start + m.index + m[0].length - value.length;
    found.add(from, from + value.length, "cookie");
  }
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

/** `auth=("user", "password")`. */
function findLoginPairs(found: Findings): void {
  for (const m of found.text.matchAll(LOGIN_PAIR)) {
    const value = found.reader.quoted(m.index + m[0].length);
    if (!value || isHarmless(value.value)) continue;
    if (value.value.length < 5 || !/[^A-Za-z_ ]/.test(value.value)) continue;
    found.add(value.start, value.end, "password");
  }
}

function findSql(found: Findings): void {
  for (const m of found.text.matchAll(SQL)) {
    const value = found.reader.quoted(m.index + m[0].length);
    if (!value || isHarmless(value.value)) continue;
    found.add(value.start, value.end, "sql-password");
  }
}

const DATA =
  /^([ \t]{0,40})\\{0,3}["']?(?:stringData|data)\\{0,3}["']?:[ \t]{0,8}\r?$/gm;

function findKubernetes(found: Findings): void {
  const { text } = found;
  let at = 0;
  for (const m of text.matchAll(DATA)) {
    if (m.index < at) continue;
    const indent = (m[1] ?? "").length;
    at = text.indexOf("\n", m.index) + 1;
    for (let i = 0; i < 100 && at > 0 && at < text.length; i++) {
      const line = found.reader.line(at);
      const pair = /^([ \t]{0,60})["']?[\w.-]{1,120}["']?:[ \t]{1,8}["']?/.exec(
        line.value,
      );
      if (
        line.value.trim() !== "" && (!pair || (pair[1] ?? "").length <= indent)
      ) {
        // Lines of a block scalar go on; anything else ends the map.
        if (
          !/^[ \t]/.test(line.value) ||
          /^[ \t]{0,60}/.exec(line.value)?.[0].length === indent
        ) break;
      }
      if (pair) {
        const start = line.start + pair[0].length;
        const end = line.end - (/["']$/.test(line.value) ? 1 : 0);
        const value = text.slice(start, end);
        if (!isHarmless(value) && !/^[|>]/.test(value)) {
          found.add(start, end, "kubernetes-secret");
        }
      }
      at = text.indexOf("\n", at) + 1;
    }
  }
}
