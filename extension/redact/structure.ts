/**
 * Secrets known by where they stand: in URLs, headers, cookies, files of a
 * known layout.
 *
 * @module
 */
import type { Rule } from "./examples.ts";
import { type Findings, HEADER_STOP, type ValueAt } from "./spans.ts";
import * as trait from "./triggers.ts";
import { capture, findInUrls } from "./urls.ts";
import { isCode, isHarmless, isHex, isMixed, looksRandom } from "./values.ts";

const AUTHORIZATION =
  /\bauthorization\\{0,3}["'`]?\]?\s{0,4}(?:=>|:=|[:=,])\s{0,4}/gi;
const SCHEME = /^(?:[A-Za-z][\w-]{1,40}\s{1,4}(?:token=)?)?["']?/;
const BEARER =
  /\b(?:bearer|basic)(?:[ \t]{1,4}|%20|\+)["']?([A-Za-z0-9._~+/=%-]{16,4096})/gi;
const COOKIE = /\b(?:set-)?cookie2?\\{0,3}["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}/gi;
const COOKIE_PAIR = /([^=;\s"']{1,80})=([^;\s"'\\]{1,4096})/g;
const COOKIE_NAME =
  /sess|sid\b|auth|token|jwt|login|remember|csrf|xsrf|identity|secret|sso|__secure|__host|li_at|clearance|passw|^d$/i;
/** Tokens that a mark in or before them tells. */
const MARKED: [string, RegExp, string][] = [
  [
    "Q~",
    /(?<![\w~.-])([\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~.-])/g,
    "azure-secret",
  ],
  [
    ".atlasv1.",
    /(?<![\w.])([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,80})/g,
    "terraform-token",
  ],
  [
    "AC",
    /\bAC[0-9a-f]{32}\W{1,6}([0-9a-f]{32})\b/g,
    "twilio-key",
  ],
  // What git filter-repo and BFG are told to replace.
  ["==>", /(?<![^\s'"])([^\s'"=]{6,400})==>/g, "secret"],
  [
    " / ",
    /\b(?:log-?in|credentials?|creds|account|access)\b[^\n/]{0,60}:\s{1,4}[\w.@+-]{2,60} \/ (?=\S{0,40}\d)(?=\S{0,40}[!#$%&*^~+=@])([^\s"']{8,60})/gi,
    "password",
  ],
  ["-us", /(?<![\w-])([0-9a-f]{32}-us\d{1,2})(?![\w-])/g, "mail-key"],
  ["FFFFNRAL", /\b([0-9a-f]{32,36}FFFFNRAL)\b/g, "newrelic-key"],
  ["|", /(?<![\w|])(\d{15,16}\|[\w-]{27,40})(?![\w-])/g, "saas-token"],
  [
    "$production$",
    /\b(access_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32})\b/g,
    "saas-token",
  ],
  [
    "send",
    /(?:assword|passphrase|passcode|token)(?:[^"\n]{0,40}"[^"]{0,80}|[^"\n]{1,60})\bsend\s{1,4}(?:--\s)?"([^"\n\\$]{3,200})\\{1,2}[rn]"/gi,
    "password",
  ],
  [
    "<(",
    /(?:pass\w{0,8}|secret|token|key|credentials?)[-_]?file[= ]["']?<\([ \t]{0,4}(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4}|["']?%s(?:\\n)?["']?[ \t]{1,4}){0,2}["']?([^\s"')]{3,200})/gi,
    "password",
  ],
  // Commands that give a password: `--password-command 'echo x'`.
  [
    "ommand",
    /pass(?:word|phrase|wd)?[-_]?command\w{0,4}["']?(?:[= ]|: )\s{0,4}["']?(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4}|%s[ \t]{1,4}){0,2}["']?([^\s"'$`]{3,200})/gi,
    "password",
  ],
  // Asana's: a version, ids, a secret.
  [
    ":",
    /(?<![\w/.])([012]\/\d{12,20}(?:\/\d{12,20})?:[0-9a-f]{32})(?!\w)/g,
    "saas-token",
  ],
  [
    "setuser",
    /\bsetuser\b[^\n|;]{0,200}?['" ]>([^\s'"]{3,200})/gi,
    "password",
  ],
  [
    "SETUSER",
    /\bSETUSER\b[^\n|;]{0,200}?['" ]>([^\s'"]{3,200})/g,
    "password",
  ],
  [
    "jdbc:",
    /\bjdbc:oracle:[a-z]{2,8}:[\w$]{1,60}\/([^\s@"']{3,200})@/g,
    "url-password",
  ],
  [
    "ftp",
    /^[ \t]{0,20}(?:quote )?user[ \t]{1,4}\S{1,60}[ \t]{1,4}(\S{3,100})[ \t]{0,8}$/gim,
    "password",
  ],
  [
    ".",
    /(?<![\w.-])([MNO][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,38})(?![\w.-])/g,
    "discord-token",
  ],
];

const PGPASS =
  /(?:^|[\s"'])[^\s:"']{1,200}:(?:\d{2,5}|\*):[^\s:"']{1,100}:[^\s:"']{1,100}:([^\s"']{3,200})/g;
const MASK =
  /(?:::add-mask::|##vso\[task\.setvariable [^\]\n]{0,200}issecret=true[^\]\n]{0,80}\]|##vso\[task\.setsecret\])([^\s"'`]{3,500})/g;
const SQL =
  /\b(?:identified(?:\s{1,4}with\s{1,4}[\w'"]{1,40})?\s{1,4}(?:by|as)(?:\s{1,4}password)?|(?:encrypted\s{1,4}|with\s{1,4}|set\s{1,4})password(?:\s{1,4}for\s{1,4}[^=\s]{1,80})?)\s{0,4}=?\s{0,4}(?:password\()?(?=N?\\{0,3}["'])/gi;

/** Oracle takes a password without quotes. */
const UNQUOTED =
  /\b(?:create|alter)\s{1,4}(?:user|role)\s{1,4}[\w$."]{1,60}\s{1,4}identified\s{1,4}by\s{1,4}([A-Za-z][\w$#]{4,60})(?![\w(])/gi;

const LOGIN_PAIR =
  /\b(?:auth|basic_?auth|httpbasicauth|login|authenticate|pscredential|networkcredential|usernamepassword\w{0,20}|passwordauthentication)\s{0,4}[=(:]\s{0,4}[([{]?\s{0,4}["'][^"'\n]{1,100}["']\s{0,4},\s{0,4}(?=["'])/gi;

/** Functions that hash a password: `Hash::make('x')`. */
const HASHED =
  /\b(?:hash::make|bcrypt(?:\.\w{1,20})?|hashpw|make_password|set_password|password_hash|(?:generate_|get_)password_hash|hash_?password|check_password)\s{0,4}\(\s{0,4}(?=b?["'])/gi;

/** Fields of a page that are filled: `fill("#password", "x")`. */
const FILLED =
  /\b(?:fill|type|send_?keys|set_?value)\s{0,4}\(\s{0,4}["'`][^"'`\n]{0,80}passw[^"'`\n]{0,40}["'`]\s{0,4},\s{0,4}(?=["'`])|passw[^"'`\n]{0,40}["'`]\s{0,4}\)\s{0,8}\.(?:fill|type|send_?keys|set_?value|press_?sequentially)\s{0,4}\(\s{0,4}(?=["'`])/gi;

/** Functions that sign with a secret: `jwt.sign(claims, "x")`. */
const SIGNED =
  /\b(?:(?:jwt|jsonwebtoken["']?\)|jws|jose)\.(?:sign|verify|encode|decode)\s{0,4}\([^"'`\n]{1,200},\s{0,8}|(?:createHmac|hmac\.new|hash_hmac|HMAC\.new|hexdigest)\s{0,4}\(\s{0,4}(?:["']?[\w:.-]{1,30}["']?\s{0,4},\s{0,4})?)(?=b?["'])/g;

/** Functions whose third argument is a password. */
const CONNECT =
  /\b(?:mysqli?_connect|pg_connect|oci_connect|ftp_login|ldap_bind|new\s{1,4}mysqli|new\s{1,4}PDO|Sequelize|getConnection)\s{0,4}\(\s{0,4}[^,()\n]{1,160},\s{0,4}["'][^"'\n]{0,100}["']\s{0,4},\s{0,4}(?=["'])/g;

/** Pass 3: structure. */
export function findStructure(found: Findings): void {
  const { text, traits } = found;
  if (traits & (trait.URL | trait.QUERY | trait.MARK)) findInUrls(found);
  if (traits & trait.AUTH) findAuthorization(found);
  if (traits & trait.COOKIE) findCookies(found);
  if (
    traits & trait.KIND &&
    /\bkind\\?["']?\s{0,4}:\s{0,4}\\?["']?Secret\b/.test(text)
  ) {
    findKubernetes(found);
  }
  if (traits & trait.SQL) findSql(found);
  if (traits & trait.CALL) findLoginPairs(found);
  if (!(traits & trait.MARK)) return;
  for (const [mark, pattern, rule] of MARKED) {
    if (text.includes(mark)) capture(found, pattern, rule);
  }
  if (text.includes("pgpass")) capture(found, PGPASS, "pgpass");
  if (text.includes("::add-mask") || text.includes("##vso[")) {
    capture(found, MASK, "masked");
  }
}

/** No header is read further. */
const MAX_HEADER = 8192;

/** The values of a header, each looked at once. */
function* headers(
  found: Findings,
  pattern: RegExp,
): Generator<{ value: ValueAt }> {
  const { text, reader } = found;
  pattern.lastIndex = 0;
  for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
    const at = m.index + m[0].length;
    const value = reader.quoted(at) ?? reader.bare(at, HEADER_STOP);
    yield { value };
    pattern.lastIndex = Math.max(pattern.lastIndex, value.end);
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

/** `auth=("user", "password")`. */
function findLoginPairs(found: Findings): void {
  for (const pattern of [LOGIN_PAIR, CONNECT, HASHED, FILLED, SIGNED]) {
    for (const m of found.text.matchAll(pattern)) {
      const value = found.reader.quoted(m.index + m[0].length);
      if (!value || isHarmless(value.value)) continue;
      if (value.value.length < 5 || !/[^A-Za-z_ ]/.test(value.value)) continue;
      if (pattern === SIGNED && /\s/.test(value.value)) continue;
      found.add(value.start, value.end, "password");
    }
  }
}

function findSql(found: Findings): void {
  for (const m of found.text.matchAll(SQL)) {
    const value = found.reader.quoted(m.index + m[0].length);
    if (!value || isHarmless(value.value)) continue;
    found.add(value.start, value.end, "sql-password");
  }
  for (const m of found.text.matchAll(UNQUOTED)) {
    const value = m[1] ?? "";
    if (!isMixed(value)) continue;
    const end = m.index + m[0].length;
    found.add(end - value.length, end, "sql-password");
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

// What is found by where it stands. Data: a row documents and tests itself.

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
        "java -jar a.jar jdbc:oracle:thin:scott/«t1gerOra»@h:1521:xe",
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
        "echo 'ALTER USER me IDENTIFIED BY «t1gerPw9»;' | sqlplus / as sysdba",
      ],
      miss: [
        "psql -c 'alter user app with password null'",
        "git commit -m 'sessions are identified by uuid4 now'",
      ],
    },
  },
  {
    id: "azure-secret",
    finds: "Client secrets of Azure applications",
    examples: { hit: ["./run «aB38Q~+34»"] },
  },
  {
    id: "terraform-token",
    finds: "Tokens of Terraform Cloud",
    examples: { hit: ["./run «+14.atlasv1.+67u»"] },
  },
  {
    id: "discord-token",
    finds: "Tokens of Discord bots",
    examples: { hit: ["./bot «M+23.+6.+30»"] },
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
