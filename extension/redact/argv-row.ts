/**
 * How a row says where a program takes a secret.
 *
 * @module
 */
import { type Arg, rest } from "./commands.ts";
import type { Rule } from "./examples.ts";
import type { Findings } from "./spans.ts";
import { addCookies } from "./structure.ts";
import { isHarmless, looksRandom } from "./values.ts";

/** What of a word is the secret. */
export type Part =
  /** The whole word. */
  | "all"
  /** `user:SECRET`. */
  | "colon"
  /** `NAME=SECRET`. */
  | "equals"
  /** `user%SECRET`. */
  | "percent"
  /** `user,SECRET`. */
  | "comma"
  /** `user/SECRET@db`. */
  | "slash"
  /** `pass:SECRET`, as OpenSSL takes it. */
  | "pass"
  /** Cookies. */
  | "cookie";

/** How one program takes a secret. */
export interface ArgvRule extends Rule {
  /** Programs, lower case, without `.exe`. */
  programs: readonly string[];
  /** Words that must all stand among the arguments, in any order. */
  when?: readonly string[];
  /** Flags whose value, glued by `=` or the next word, is the secret. */
  flags?: readonly string[];
  /** Flags with the secret glued on: `-pS3cret`, `/pass:x`. */
  glued?: readonly string[];
  /** The flag may end a cluster of short ones: `-sku a:b`. */
  cluster?: boolean;
  /** The positional after the last word of `when`: its index; -1 is the last. */
  at?: number;
  /** That positional counts only with such a flag. */
  needs?: RegExp;
  /** A word among the arguments with which the row does not apply. */
  unless?: RegExp;
  /** That positional counts only if the one before names a secret. */
  named?: boolean;
  /** That positional counts only if it mixes letters with digits or signs. */
  mixed?: boolean;
  /** Every `NAME=VALUE` after the last word of `when` holds one. */
  pairs?: boolean;
  /** What it reads from a pipe, a here-string or a heredoc is the secret. */
  stdin?: boolean;
  /** What of the word; the whole unless said. */
  part?: Part;
}

type Row =
  & Omit<
    ArgvRule,
    "id" | "finds" | "programs" | "when" | "flags" | "glued" | "examples"
  >
  & {
    when?: string;
    flags?: string;
    glued?: string;
    miss?: string[];
  };

const list = (words: string | undefined) =>
  words === undefined ? undefined : words.split(" ");

/** One row: its id, its programs, how they take the secret, examples. */
export function row(
  id: string,
  programs: string,
  how: Row,
  ...hit: string[]
): ArgvRule {
  const { when, flags, glued, miss, ...more } = how;
  const rule: ArgvRule = {
    id,
    finds: FINDS[id] ?? id,
    programs: programs.split(" "),
    examples: miss ? { hit, miss } : { hit },
    ...more,
  };
  const w = list(when);
  const f = list(flags);
  const g = list(glued);
  if (w) rule.when = w;
  if (f) rule.flags = f;
  if (g) rule.glued = g;
  return rule;
}

const FINDS: Record<string, string> = {
  "database-password":
    "Passwords that database clients take by position or short flag",
  "web-login": "Users' passwords that HTTP clients take",
  "registry-login":
    "Passwords and tokens given to package and image registries",
  "cloud-secret": "Secrets that clouds' command lines take",
  "secret-store": "Values put into vaults, secret stores and CI secrets",
  "remote-password":
    "Passwords of remote shells, shares, desktops and directories",
  "archive-password": "Passwords of archives and documents",
  "key-passphrase": "Passphrases of keys, certificates and keystores",
  "account-password": "Passwords set for accounts",
  "tool-token": "Tokens that tools take by position or short flag",
  "stdin-secret": "Secrets echoed into commands that read them from stdin",
  "swamp-vault": "Values put into a swamp vault",
};

// The secret part of a word.

/** Names of what stands beside secrets and is none. */
export const PUBLIC_KEY =
  /^(?:user|username|login|email|mail|host|hostname|port|region|zone|ttl|policies|policy|name|type|id|db|dbname|database|role|path|mode|env|url|uri|endpoint|address|format|version|cas|description|tags?|title|category|vault|namespace|account|project|enabled|log_?level|node_env)$/i;

/** Adds the secret part of a word. */
export function addPart(
  found: Findings,
  word: Arg,
  part: Part,
  rule: string,
): void {
  switch (part) {
    case "all":
      return add(found, word, rule);
    case "cookie":
      return addCookies(found, word.start, word.raw);
    case "pass": {
      if (/^(?:env|file|fd|stdin):?/.test(word.raw)) return;
      return add(
        found,
        word.raw.startsWith("pass:") ? rest(word, 5) : word,
        rule,
      );
    }
    case "slash": {
      const m = /^[\w$.#-]{1,60}\/(?=[^\s/@]{3})/.exec(word.raw);
      if (!m) return;
      const end = word.raw.indexOf("@", m[0].length);
      return add(found, {
        start: word.start + m[0].length,
        end: end < 0 ? word.end : word.start + end,
        raw: word.raw.slice(m[0].length, end < 0 ? undefined : end),
      }, rule);
    }
    case "equals": {
      const m = /(?:^|,)(?:[\w.-]{0,40}pass\w{0,8})=/.exec(word.raw) ??
        /=/.exec(word.raw);
      if (!m) return;
      const name = word.raw.slice(0, m.index);
      if (PUBLIC_KEY.test(name) || /^(?:protocol|host|username)$/.test(name)) {
        return;
      }
      const value = rest(word, m.index + m[0].length);
      return add(found, value, rule);
    }
    default: {
      const mark = part === "colon" ? ":" : part === "percent" ? "%" : ",";
      const at = word.raw.startsWith("$") && part === "colon"
        ? word.raw.indexOf(mark, word.raw.indexOf("}") + 1)
        : word.raw.indexOf(mark);
      if (at < 0) return;
      const value = rest(word, at + 1);
      // `-u TOKEN:`: the user is the secret.
      if (value.raw === "" && looksRandom(word.raw.slice(0, at), 16)) {
        return add(found, {
          ...word,
          end: word.start + at,
          raw: word.raw.slice(0, at),
        }, rule);
      }
      if (
        /^\d{1,5}$/.test(value.raw) && /^\d{1,5}$/.test(word.raw.slice(0, at))
      ) return;
      return add(found, value, rule);
    }
  }
}

/** Adds a word, unless it is known to be no secret. */
export function add(found: Findings, word: Arg, rule: string): void {
  if (isHarmless(word.raw)) return;
  if (/^\s{0,8}\{\s{0,8}\\{0,3}["']/.test(word.raw)) {
    return addMembers(found, word, rule);
  }
  found.add(word.start, word.end, rule);
}

const MEMBER =
  /(\\{0,3}["'])([^"'\\\n]{1,80})\1\s{0,8}:\s{0,8}\1([^"'\\\n]{1,4096})\1/g;

/** A JSON object given as a secret: its members are, the usual public ones left out. */
function addMembers(found: Findings, word: Arg, rule: string): void {
  for (const m of word.raw.slice(0, 65536).matchAll(MEMBER)) {
    const [all, quote = "", name = "", value = ""] = m;
    if (PUBLIC_KEY.test(name) || isHarmless(value)) continue;
    const start = word.start + m.index + all.length - quote.length -
      value.length;
    found.add(start, start + value.length, rule);
  }
}
