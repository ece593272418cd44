/**
 * Arguments that are secrets by custom, whatever the program.
 *
 * @module
 */
import { add } from "./argv-parts.ts";
import { type Arg, bare, rest, type Simple } from "./commands.ts";
import type { Rule } from "./examples.ts";
import { nameLevel } from "./names.ts";
import type { Findings } from "./spans.ts";
import {
  isHex,
  isMixed,
  isSlug,
  isUuid,
  looksRandom,
  switches,
} from "./values.ts";

/** What custom tells. */
export const GENERIC_RULES: readonly Rule[] = [
  {
    id: "cli-password",
    finds:
      "`-p VALUE` beside a user or `login`, and `--user NAME:VALUE`, in any program, where the value mixes letters with digits or signs",
    examples: {
      hit: [
        "expo login -u a -p «3xpoPw1»",
        "newtool --username bob -p «N3wTool!» sync",
        "etcdctl --user root:«3tcdPw1» get x",
        "newdb -uroot -p«N3wDbPw» dump",
        "newdb -u app -p «Rainy-day04» -h db",
      ],
      miss: [
        "docker run -u 1000:1000 -p 8080:80 -d nginx",
        "psql -U app -p 5432 -h db",
        "newtool -u app -p web-api2 up",
        "docker run --user node:node app",
        "mkdir -p src/v2/login1",
        "pytest -p no:cacheprovider -k login",
      ],
    },
  },
  {
    id: "cli-secret",
    finds:
      "The value after a secret's name in `set NAME VALUE`, the `--value` of commands on secrets, and random words after short flags",
    examples: {
      hit: [
        "consul kv put x/password «c0nsulKv»",
        "eas secret:create --name X --value «e4sS3cr» --type string",
        "newtool -t «+32» deploy",
      ],
      miss: [
        "git config user.signingkey 0xABCDEF1234",
        "kubectl create token default-sa-2",
        "kubectl create secret generic db-password-2 --from-file=pw.txt",
        "docker build -t acme/web:9f2c4e6a8b0d1f3e5a7c9b1d3f5e7a9c .",
      ],
    },
  },
];

const USER_FLAG =
  /^(?:-u|-U|--user|--username|--login|--user-name)(?:=|$)|^-u[a-z]/;
const LOGIN = /^(?:log-?in|sign-?in|auth|authenticate)$/i;
const PAIR_FLAG =
  /^(?:-u|-U|-a|--user|--auth|--creds|--credentials|--userpwd|--login)(?:=|$)/;
const VERB =
  /^(?:set|put|add|config|update|write|insert|store|set-secret|set-password)$/;
const SECRET_WORD = /^secrets?(?:[:.][\w-]{1,20})?$/;
const VALUE_FLAG = /^--(?:value|secret-value|data|body|literal)(?:=|$)/;
const SHORT_FLAG = /^-[tkTKaswP]$/;

/** One look at a whole command tells most that hold nothing of this. */
const TRIGGER =
  /\s["']?(?:-[puUatkTKswP](?:\s|["'\w])|--(?:user|auth|cred|login|value|secret-value|data|body|literal)|(?:set|put|add|config|update|write|insert|store)\b)/;

/** Looks at one command. */
export function findGeneric(found: Findings, command: Simple): void {
  const { words } = command;
  const first = words[0];
  const last = words.at(-1);
  if (!first || !last || words.length < 3 || words.length > 200) return;
  if (!TRIGGER.test(found.text.slice(first.end, last.end))) return;
  let user = false;
  let login = false;
  let secret = false;
  for (const { raw } of words) {
    if (USER_FLAG.test(raw)) user = true;
    else if (LOGIN.test(raw)) login = true;
    else if (SECRET_WORD.test(raw)) secret = true;
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    const next = words[i + 1];
    if (!word) continue;
    const { raw } = word;
    if (raw.charCodeAt(0) !== 45) {
      if (VERB.test(raw)) addNamed(found, words, i + 1);
      continue;
    }
    if (user || login) {
      if (raw === "-p" && next) addMixed(found, bare(next), "cli-password");
      else if (user && /^-p[^-=\s]{4,}/.test(raw)) {
        addMixed(found, rest(word, 2), "cli-password");
      }
    }
    if (PAIR_FLAG.test(raw)) addPair(found, word, next);
    if (secret && VALUE_FLAG.test(raw)) {
      const sign = raw.indexOf("=");
      const value = sign > 0 ? rest(word, sign + 1) : next && bare(next);
      if (value && !/^[[{]/.test(value.raw)) add(found, value, "cli-secret");
    }
    if (next && SHORT_FLAG.test(raw)) addRandom(found, bare(next));
  }
}

function addMixed(found: Findings, value: Arg, rule: string): void {
  if (isMixed(value.raw)) add(found, value, rule);
}

/** `--user name:VALUE`. */
function addPair(found: Findings, word: Arg, next: Arg | undefined): void {
  const sign = word.raw.indexOf("=");
  const pair = sign > 0 ? rest(word, sign + 1) : next && bare(next);
  const colon = pair?.raw.indexOf(":") ?? -1;
  if (
    !pair || colon < 1 || !/^[\w.@+-]{1,80}$/.test(pair.raw.slice(0, colon))
  ) return;
  addMixed(found, rest(pair, colon + 1), "cli-password");
}

/** `set NAME VALUE` where the name says that the value is a secret. */
function addNamed(found: Findings, words: Arg[], from: number): void {
  const places = words.slice(from, from + 8).filter((w) =>
    !w.raw.startsWith("-")
  );
  const [name, value] = places;
  if (!name || !value || name.raw.includes("=")) return;
  const label = bare(name).raw.replace(/^.*[:/]/, "");
  const level = nameLevel(label);
  if (!level || level === "weak" || /signing_?key$/i.test(label)) return;
  // The name of a thing created, not of a value.
  if (/^(?:secrets?|tokens?|credentials?|auth)$/i.test(label)) return;
  addMixed(found, bare(value), "cli-secret");
}

/** Capitals, small letters and digits without order. */
function addRandom(found: Findings, value: Arg): void {
  const v = value.raw;
  if (v.length < 20 || v.length > 200 || !/^[A-Za-z0-9+_=~-]+$/.test(v)) return;
  if (!/[A-Z]/.test(v) || !/[a-z]/.test(v) || !/\d/.test(v)) return;
  if (isHex(v) || isUuid(v) || isSlug(v)) return;
  if (/^RW[QRST]/.test(v)) return; // minisign's public keys
  if (looksRandom(v, 20) && switches(v) >= 0.4) add(found, value, "cli-secret");
}
