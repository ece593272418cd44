/**
 * What a value looks like: a secret, a stand-in for one, a reference to one,
 * or code. Every pattern is bounded.
 *
 * @module
 */
import { type NameLevel, nameLevel } from "./names.ts";

/** What a value is shows in its beginning; longer ones are not read whole. */
const MAX_LOOK = 256;

const PLACEHOLDER_TOKEN =
  /^(.)\1{5,}|x{6,}|X{6,}|\*{3,}|\.{3}|example|your[-_]|placeholder|redacted|\[[A-Za-z0-9]-/i;

/** Whether what follows a vendor's prefix is a stand-in: `xxxx…`, `EXAMPLE`. */
export function isPlaceholderToken(body: string): boolean {
  return PLACEHOLDER_TOKEN.test(body);
}

/** What only running would tell, in the languages that stand in commands. */
const VARIABLE = new RegExp(
  [
    "\\$\\{\\{[^}]{0,300}\\}\\}?", // CI expressions, CEL
    "\\{\\{[^}]{0,300}\\}\\}?", // templates
    "\\{%[^%]{0,200}%\\}",
    "\\$\\{[^}]{0,300}\\}?", // ${X}
    "\\$\\([^)]{0,600}\\)?", // $(…)
    "\\$\\$?(?:env|script|global|using):\\w{1,80}", // PowerShell
    "\\$\\$?[A-Za-z_]\\w{0,80}(?:\\.\\w{1,40}|\\[[^\\]]{0,60}\\]){0,4}",
    "\\$[0-9@*#?!$]",
    "%[A-Za-z_]\\w{0,60}%", // cmd
    "%[sdvq]\\b", // printf
    "![A-Z_]{2,60}!",
    "<[^<>\\n]{1,120}>?", // <your-key>
    "`[^`]{0,600}`?",
    "‹›",
    "\\{[A-Za-z_][\\w.()\\[\\]'\" ]{0,80}\\}", // f-strings, URI templates
    "@@?[A-Z_]{3,60}@@?",
  ].join("|"),
  "g",
);

const STANDIN_WORDS = new Set(
  ("your my our the a an some any this that new old real actual here there " +
    "value values string text example examples sample placeholder changeme " +
    "change me replace replaceme replacewith with insert enter put add paste " +
    "todo fixme tbd dummy fake mock mocked stub test testing tests tester " +
    "foo bar baz qux foobar xxx xxxx yyy zzz abc redacted removed hidden " +
    "masked secret secrets password passwords passwd pass pwd passphrase " +
    "token tokens key keys api apikey auth access private credential " +
    "credentials creds user username default none null nil undefined empty " +
    "unset unknown invalid expired wrong bad missing required optional " +
    "generated random something anything is it not set env var " +
    "variable from vault file client bearer basic admin id name hash digest " +
    "public community provided given sensitive unset short long weak strong incorrect valid same different super long hashed hash salted sample")
    .split(" "),
);

const CONSTANTS = new RegExp(
  "^(?:" + [
    /true|false|yes|no|on|off|null|nil|none|undefined|nan|auto|default|disabled?|enabled?|required|optional|always|never|string|str|bytes|byte|bool|boolean|int|integer|number|float|text|varchar|char|uuid|object|any|unknown|void|never|array|list/,
    /dict|map|date|datetime|timestamp|unique|primary|not|prompt|env|file|stdin|inline|hidden|visible|plaintext|encrypted|read|write|readonly|admin|all|and|or|self|this|sha-?(?:1|256|384|512)|md5|bcrypt|scrypt|argon2\w{0,3}|[hrep]s(?:256|384|512)/,
    /base64|utf-?8|oauth2?|oidc|saml2?|jwt|x509|aes-?\d{3}(?:-\w{3})?|\d{1,9}(?:\.\d{1,4})?\s?(?:ms|s|sec|m|min|h|d|w|kb|mb|gb|%|px)|\d{1,3}/,
  ].map((part) => part.source).join("|") + ")$",
  "i",
);

/** References that name a secret's place, not its value. */
const REFERENCE =
  /^(?:op|vault|vaults|bws|pass|ssm|aws-?sm|aws-?ssm|awssecretsmanager|gcp-?sm|gcpsecretmanager|azkv|akv|azurekeyvault|secretsmanager|secretmanager|keyring|keychain|keeper|infisical|doppler|ref\+[a-z]{1,20}|sm|secretref|secret|k8s|env|file|fd|arn|urn|sops|cyberark|conjur|1password|lastpass|bitwarden|config|exec|cmd|raw-file|stdin|prompt|interactive):(?:\/\/|[A-Za-z0-9_./-])/i;

const FILE =
  /^[\w@./~ -]{1,200}\.(?:txt|json|jsonl|ya?ml|pem|key|crt|cer|csr|der|env|ini|cfg|conf|cnf|toml|sh|bash|py|tsx?|jsx?|mjs|cjs|rb|go|rs|java|php|md|log|gpg|asc|age|pub|p12|pfx|jks|keystore|csv|xml|sql|db|sqlite|html?|tf|tfvars|hcl|lock|enc|template|tpl|tmpl|example|sample|properties|secret|token|password|kdbx|plist|local|gz|zip|tar|png|svg|service|d)$/i;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?:0x)?[0-9a-f]+$/i;

/** Password hashes as `crypt` and web frameworks write them. */
const PASSWORD_HASH =
  /^\{?(?:\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2(?:id|i|d)?|scrypt|pbkdf2[-\w]{0,20})\$|pbkdf2_sha|argon2|bcrypt\$|\{SSHA|SSHA\}|SHA\}|SCRAM-SHA)/;

/** Base64 of `-----BEGIN CERTIFICATE` and `-----BEGIN PUBLIC KEY`. */
const PUBLIC_BASE64 = /^(?:LS0tLS1CRUdJTiB(?:DRVJ|QVUJ|SU0EgUFVC|YNTA5))/;

/** Words of a value: split at what is no letter or digit, and at humps. */
function wordsOf(value: string): string[] {
  return value.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
    .split(/[^a-z0-9]+/).filter((w) => w !== "");
}

/** Whether a value is known not to be a secret: a stand-in, a variable, a path. */
export function isHarmless(value: string): boolean {
  const v = value.slice(0, MAX_LOOK).trim();
  if (v.length < 3) return true;
  if (/REDACTED|<redacted>/.test(v)) return true;
  if (PASSWORD_HASH.test(v) || PUBLIC_BASE64.test(v)) return true;
  if (CONSTANTS.test(v) || REFERENCE.test(v)) return true;
  if (/^(.)\1{2,}$/.test(v) || /^[.*•xX_#?-]+$/.test(v)) return true;
  if (v.length < 80 && /\.{3}|…|•{2}|\*{3}|x{4}|X{4}/.test(v)) return true;
  if (/[$%{<`!‹@]/.test(v)) {
    const rest = v.replace(VARIABLE, " ");
    if (rest !== v && !hasSubstance(rest)) return true;
    if (
      /^![A-Za-z]/.test(v) &&
      /\s|^!(?:ref|sub|vault|env|secret|getatt|importvalue|reference)$/i.test(v)
    ) return true; // YAML tags
    if (v.startsWith("@") && /^@[\w./~-]+$/.test(v)) return /[./]|^@-$/.test(v);
  }
  if (isPath(v) || isAddress(v)) return true;
  if (/\[\^?[\w\\]|\\[dwsSWb]|\.\*|\.\+|\(\?|\]\{|\)\{/.test(v)) return true;
  return isStandIn(v);
}

/** Whether a rest around variables holds anything of its own. */
function hasSubstance(rest: string): boolean {
  const own = rest.replace(/[^A-Za-z0-9]/g, "");
  if (own.length < 5 || !/[0-9]/.test(own) || !/[A-Za-z]/.test(own)) {
    return false;
  }
  return !wordsOf(rest).every((w) =>
    STANDIN_WORDS.has(w) || /^[a-z]+$/.test(w) || /^v?\d{1,4}$/.test(w)
  );
}

function isStandIn(v: string): boolean {
  if (v.length > 80) return false;
  if (
    /^your[-_ ]|^<|changeme|change[-_]me|replace[-_]?(?:me|with)|placeholder|redacted|\bexample\b|_here$|-here$/i
      .test(v)
  ) {
    return !/[A-Za-z0-9+/]{24}/.test(v);
  }
  const words = wordsOf(v);
  return words.length > 0 && words.every((w) => STANDIN_WORDS.has(w));
}

/** Whether a value is a path; base64 with slashes is none. */
export function isPath(v: string): boolean {
  if (FILE.test(v)) return true;
  if (/^(?:\.{1,2}|~\w{0,32})\//.test(v)) return true;
  if (/^[A-Za-z]:[\\/]/.test(v) || v.startsWith("\\\\")) return true;
  if (!v.startsWith("/")) return false;
  if (v.length < 3) return true;
  const parts = v.slice(1).split("/");
  return !parts.some((p) => p.length >= 16 && looksRandom(p, 16)) &&
    !(v.length >= 30 && !/[._-]/.test(v) && switches(v) > 0.42);
}

/** A URL without a login, a query or a part that looks made by a machine. */
function isAddress(v: string): boolean {
  const m = /^[a-z][a-z0-9+.-]{1,20}:\/\/([\w.:/-]{1,240})$/i.exec(v);
  if (!m) return false;
  return !(m[1] ?? "").split("/").some((p) =>
    looksRandom(p, 12) || isHex(p) && p.length > 11
  );
}

/** Words that members and modules are called in code. */
const CODE_WORD = new RegExp(
  [
    /^(?:this|self|cls|super|options|opts|args?|argv|params?|props|req|request|res|response|resp|result|ctx|context|process|os|sys|app|users?|account|row|rows|item|items|obj|db|vars?|locals?|modules?|outputs?|inputs?|values?|state|form|body|json|yaml|model|fixtures?|client|server|service|session|event|field|node|type|enum|each|global|window|document|store|entry|record|input|page|common|utils?|lib|src|std|math|crypto|driver|test\w{0,20}|mock\w{0,20}|stub\w{0,20})$/,
    /pass|pwd|pw\d?$|secret|token|key|cred|auth|hash|salt|config|conf$|cfg|setting|param|env|value|data|name|field|text|string|code|id\d?$/,
  ].map((part) => part.source).join("|"),
  "i",
);

/** Type names, member accesses, calls: code where a value could stand. */
export function isCode(value: string): boolean {
  const v = value.slice(0, MAX_LOOK).trim();
  if (v === "") return true;
  if (
    /^[&*!~+\-]?[A-Za-z_$][\w$]{0,80}(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]{0,80}){1,8}[!?]?$/
      .test(v)
  ) {
    // a.b.c: words with dots; a token with dots has digits in odd places, and
    // in a password with a dot no part is a word that code would use.
    const parts = v.split(/[^\w$]+/).filter((p) => p !== "");
    if (
      parts.some((p) =>
        p.length >= 8 && looksRandom(p, 8) && !CODE_WORD.test(p)
      )
    ) return false;
    return parts.length > 3 || !/^[\w$]+\.[\w$.]+$/.test(v) ||
      !/[A-Za-z]{2}\d{1,4}$/.test(v) || parts.some((p) => CODE_WORD.test(p));
  }
  if (
    /[A-Za-z_\]]\w{0,80}[([]/.test(v) &&
    /^[\w$&*!.:<>?=|"',\s-]{0,120}[([]/.test(v)
  ) return true;
  if (
    /^(?:await|new|async|lambda|function|fn|func|typeof|not|return|if|else|process|os|env|self|this|args|opts|options|config|cfg|settings|ctx|req|request|res|params|props|data|input|Deno|Bun|import|ENV|System)\b(?:[\s.[(:]|$)/
      .test(v)
  ) return true;
  if (/^[[{(|]/.test(v) || /^(?:=>|&&|\|\||==)/.test(v)) return true;
  // Type names: words with humps, no digits.
  if (
    /^(?:[A-Z][a-z]+){1,6}(?:\[\])?[?!]?$/.test(v) && !/^[A-Z][a-z]+$/.test(v)
  ) return true;
  if (
    /^(?:Option(?:al)?|Vec|List|Map|Dict|Array|Promise|Record|Set|Box|Arc|Secret|SecretStr|String|Bytes?|Buffer|Uint8Array|Token|Password|Credentials?|ApiKey|Char)(?:$|[<[?|])/
      .test(v)
  ) return true;
  return false;
}

/** Share of neighbours of unlike class: about 0.6 in noise, 0.2 in words. */
export function switches(v: string): number {
  let changes = 0;
  let last = -1;
  for (let i = 0; i < v.length; i++) {
    const c = v.charCodeAt(i);
    const kind = c >= 97 && c <= 122
      ? 0
      : c >= 65 && c <= 90
      ? 1
      : c >= 48 && c <= 57
      ? 2
      : 3;
    // A capital before small letters begins a word: one change, not two.
    if (kind !== last && last >= 0) changes++;
    last = kind;
  }
  return v.length > 1 ? changes / (v.length - 1) : 0;
}

/** Mostly words: small letters in a row. */
export function isWordy(v: string): boolean {
  const words = v.match(/[A-Za-z]?[a-z]{3,}/g)?.join("").length ?? 0;
  return words >= v.length / 2;
}

/** A UUID. */
export function isUuid(v: string): boolean {
  return v.length === 36 && UUID.test(v);
}

/** Hexadecimal only. */
export function isHex(v: string): boolean {
  return HEX.test(v);
}

/** Words joined by dashes, dots or underscores: names of things, not secrets. */
export function isSlug(v: string): boolean {
  if (!/^[A-Za-z0-9]+(?:[-_./:][A-Za-z0-9]+){0,12}$/.test(v)) return false;
  const parts = v.split(/[-_./:]/);
  return parts.every((p) =>
    /^[a-z]+$/.test(p) || /^[A-Z]+$/.test(p) || /^[A-Z][a-z]+$/.test(p) ||
    /^v?\d{1,4}$/.test(p) || /^[a-z]{1,12}\d{1,2}$/.test(p)
  );
}

/** Letters with digits or signs in one word that is no name, path or address. */
export function isMixed(value: string): boolean {
  if (value.length < 5 || value.length > 200) return false;
  if (!/[A-Za-z]/.test(value) || !/[\d!@#$%^&*?+=~]/.test(value)) return false;
  if (/[\s()[\]{}"'`|<>]|:\/\/|^\d+:|:\d{2,5}$|^-/.test(value)) return false;
  if (/^[\w.-]{1,60}=/.test(value) || /^v?\d+(?:\.\d+)+/.test(value)) {
    return false;
  }
  // Names of things have no capitals, or no digits behind their words.
  const named = /[/:]/.test(value) || !/[A-Z][a-z]+.*[a-z]\d/.test(value);
  if (/[-_./:@]/.test(value) && isSlug(value) && named) return false;
  if (value.includes("/") && !looksRandom(value, 16)) return false;
  return !isHarmless(value) && !isUuid(value);
}

/** Whether a value looks like made by a machine: digits and letters in no order. */
export function looksRandom(value: string, least = 16): boolean {
  if (value.length < least) return false;
  const v = value.slice(0, MAX_LOOK);
  if (!/^[A-Za-z0-9+/=_.~%:!@#$^&*,-]+$/.test(v)) return false;
  let digits = 0;
  let letters = 0;
  let upper = 0;
  const seen = new Set<string>();
  for (const c of v) {
    seen.add(c);
    if (c >= "0" && c <= "9") digits++;
    else if (c >= "a" && c <= "z") letters++;
    else if (c >= "A" && c <= "Z") upper++;
  }
  if (digits === 0 ? letters < 3 || upper < 3 || switches(v) < 0.4 : false) {
    return false;
  }
  if (letters + upper === 0) return false;
  if (isUuid(v) || isSlug(v)) return false;
  if (seen.size < Math.min(8, least)) return false;
  return switches(v) >= 0.25;
}

// Whether the value of a name is a secret.

/** How a name and its value are joined. */
export type Form = "env" | "plain" | "colon" | "flag" | "pair" | "call";

/** Whether a value of a name of this level, in this form, is a secret. */
export function isSecretValue(
  whole: string,
  level: NameLevel,
  form: Form,
  quoted: boolean,
): boolean {
  // What a value is shows in its beginning.
  const value = whole.slice(0, 256);
  if (isHarmless(value)) return false;
  if (level === "weak") return form !== "call" && isWeakSecret(value);
  const digits = /\d/.test(value);
  const letters = /[A-Za-z]/.test(value);
  const plainWord = /^[A-Za-z]+$/.test(value);
  // Names of variables standing in for their values.
  if (
    /^[A-Z][A-Z_]{2,60}$/.test(value) &&
    (level === "secret" || nameLevel(value))
  ) {
    return false;
  }
  if (!quoted && (form === "env" ? isCall(value) : isCode(value))) {
    return false;
  }
  if (quoted && form === "pair" && isCall(value)) return false;
  if (level === "password") {
    if (isForeignProse(value)) return false;
    if (isUuid(value)) return true;
    if (quoted && form !== "env" && form !== "flag" && isProse(value)) {
      return false;
    }
    if (!letters && digits) return value.length >= 4 && form !== "colon";
    if (form === "env" || form === "flag" || form === "plain") return true;
    if (form === "colon") {
      if (plainWord) return /^[a-z]{8,}$/.test(value) || looksRandom(value, 10);
      return digits
        ? value.length >= 5
        : /[^A-Za-z0-9_\-./:]/.test(value) && value.length >= 6 ||
          isPhrase(value);
    }
    if (form === "call") {
      return digits && value.length >= 6 || looksRandom(value);
    }
    return true;
  }
  if (/\s/.test(value.trim())) {
    const parts = value.trim().split(/\s+/);
    if (parts.length > 4) return false;
    const given = quoted && (form === "flag" || form === "env");
    return parts.some((p) => looksRandom(p, 20)) || given && digits;
  }
  if (isUuid(value)) return true;
  if (!letters) return false;
  // `--secret id=npm,src=x`, `--set-secrets A=ref:1`: names with their own values.
  const pair = /^([A-Za-z_/][\w./-]{0,60})=[^=\s]/.exec(value)?.[1];
  if (pair && (!/\d/.test(pair) || isSlug(pair))) return false;
  if (plainWord || isSlug(value) && /[-_./:]/.test(value)) {
    // Words: only an environment gives them as values.
    if (form === "env") {
      return value.length >= 6 && !wordsAreNames(value) &&
        (plainWord || value.length >= 10);
    }
    return plainWord && value.length >= 20 && looksRandom(value);
  }
  if (form === "call" || form === "colon") {
    return digits && value.length >= 10 && looksRandom(value, 10) ||
      isHex(value) && value.length >= 16;
  }
  return value.length >= 6 &&
    (digits || /[^A-Za-z0-9_.-]/.test(value) || looksRandom(value));
}

/** Only what a machine made, and no hash. */
function isWeakSecret(value: string): boolean {
  // A cache key: words and a digest.
  const parts = value.split(/[-_./:@]/);
  if (
    parts.length > 2 &&
    isSlug(parts.filter((p) => !(isHex(p) && p.length >= 16)).join("-"))
  ) {
    return false;
  }
  if (/^[\w.+-]{1,80}@[\w-]{1,60}\.[\w.]{2,60}$/.test(value)) return false;
  if (isWordy(value)) return false;
  if (/^[a-z]{2,6}_[A-Za-z0-9]{14,24}$/.test(value)) return false;
  return looksRandom(value, 20) && /\d/.test(value) && !isHex(value) &&
    !isUuid(value) &&
    !/[:,]/.test(value) && !/^(?:sha\d{1,3}|md5)[-:]/i.test(value);
}

function isCall(value: string): boolean {
  return /^[A-Za-z_$][\w$.]{0,80}\(.{0,200}\)$/.test(value) ||
    /^(?:process\.env|os\.(?:environ|getenv)|import\.meta\.env|System\.getenv|ENV|env)[.[(]/
      .test(value);
}

/** `db-credentials`, `my_token_name`: a secret's name stands as its value. */
function wordsAreNames(value: string): boolean {
  return value.split(/[-_./:]/).some((w) =>
    /^(?:secrets?|tokens?|keys?|creds?|credentials?|password|passwd|auth|test|fake|dummy|mock|example)$/i
      .test(w)
  ) && /[-_./:]/.test(value);
}

/** `correct-horse-battery-staple`: four words drawn by lot. */
function isPhrase(value: string): boolean {
  const words = value.split(/[-_.]/);
  return words.length >= 4 &&
    words.every((w) => /^[a-z]{4,10}$/.test(w) && !STANDIN_WORDS.has(w));
}

/** A sentence in a script without blanks. */
function isForeignProse(value: string): boolean {
  const wide = value.replace(/[ -~]/g, "").length;
  return wide > 2 && wide * 2 > value.length;
}

/** Several words without a digit: a sentence. */
export function isProse(value: string): boolean {
  const words = value.trim().split(/\s+/);
  if (words.length < 2) return false;
  // A wallet's recovery phrase.
  if (/^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/.test(value.trim())) return false;
  return words.length > 6 || !/\d/.test(value) ||
    words.filter((w) => /^[A-Za-z'.,]+$/.test(w)).length >= 3;
}
