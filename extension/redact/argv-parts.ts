/**
 * The secret part of a word.
 *
 * @module
 */
import type { Part } from "./argv-row.ts";
import { type Arg, rest } from "./commands.ts";
import type { Findings } from "./spans.ts";
import { addCookies } from "./structure.ts";
import { isHarmless, looksRandom } from "./values.ts";

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
  found.add(word.start, word.end, rule);
}
