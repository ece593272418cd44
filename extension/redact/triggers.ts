/**
 * One look at a text tells which passes could find something in it. Most texts
 * are paths, patterns and plain commands, in which none could. What a trigger
 * says is never less than what its pass finds.
 *
 * @module
 */

/** Names that may say something of their value. */
export const NAME = 1;
/** Characters beyond ASCII. */
export const WIDE = 1 << 1;
/** Keys that span lines, public keys, data URIs. */
export const BLOCK = 1 << 2;
/** `Authorization`, `Bearer`, `Basic`. */
export const AUTH = 1 << 3;
/** Cookies. */
export const COOKIE = 1 << 4;
/** `kind:` of a manifest. */
export const KIND = 1 << 5;
/** Passwords in SQL. */
export const SQL = 1 << 6;
/** Calls that log in, sign, hash or fill. */
export const CALL = 1 << 7;
/** `@` or `://`. */
export const URL = 1 << 8;
/** Anything else that is told by where it stands. */
export const MARK = 1 << 9;
/** A vendor's token may begin. */
export const VENDOR = 1 << 10;
/** A word that may be noise. */
export const NOISE = 1 << 11;
/** A blank. */
export const BLANK = 1 << 12;
/** A pipe or a redirect. */
export const FEED = 1 << 13;
/** A colon. */
export const COLON = 1 << 14;
/** A list of quoted words in code. */
export const LIST = 1 << 15;
/** A word like `login`, besides the names. */
export const LOGIN = 1 << 16;
/** A word in capitals, small letters and digits. */
export const MIXED = 1 << 17;
/** A program that takes secrets by position is named. */
export const PROGRAM = 1 << 18;

/** `?` or `&`. */
export const QUERY = 1 << 19;

/** Passes on structure have something to do. */
export const STRUCTURE: number = AUTH | COOKIE | KIND | SQL | CALL | URL |
  QUERY | MARK;

/** A pass has something to do, besides that on arguments. */
export const ANY: number = STRUCTURE | NAME | WIDE | BLOCK | VENDOR | NOISE;

/** Ends a name only where no word goes on. */
const AT_END = 1 << 30;

const KEYWORDS: [number, string][] = [
  [
    NAME,
    "pass pwd pw psw secret token key cred auth senha kennwort psk mnemonic bearer jwt cookie session haslo salasana otp _sas signature webhook wachtwoord contrasena dsn salt",
  ],
  [AT_END, "pin _pat -pat .pat"],
  [BLOCK, "begin ls0tls1c aaaa data: service_account kty private-lines:"],
  [AUTH, "auth bearer basic"],
  [COOKIE, "cookie"],
  [KIND, "kind"],
  [SQL, "identified password"],
  [
    CALL,
    "auth login credential connect bind mysqli pdo sequelize hash hmac jwt jsonweb bcrypt passw",
  ],
  [URL, ":// @"],
  [QUERY, "? &"],
  [FEED, "| < >"],
  [COLON, ":"],
  [LIST, "["],
  [MIXED, "~"],
  [
    MARK,
    "<( passcommand word-command word_command wordcommand phrase-command phrase_command base64 b64 atob -enc pgpass ::add-mask ##vso q~ atlasv1 ftp hook send setuser jdbc :aa -us nral $production ==> /bot",
  ],
  [LOGIN, "login log-in signin sign-in unlock securestring -p"],
];

/** Class of each ASCII character in the automaton; letters of both cases are one. */
const CLASS = new Uint8Array(128);
/** Letters and digits; parts of words; of long words; of noise. */
const ALNUM = 1;
const WORD = 2;
const LONG = 4;
const NOISY = 8;
const KIND_OF = new Uint8Array(128);

let next = new Uint16Array(0);
let says = new Int32Array(0);
/** Classes of characters; a state is its number times this. */
const SPAN = 64;
/** Not worked out yet. */
const UNKNOWN = 65535;
let back = new Uint16Array(0);
let built = false;

/** Aho and Corasick's automaton over all keywords. */
function build(): void {
  built = true;
  for (let c = 0; c < 128; c++) {
    const sign = String.fromCharCode(c);
    const letter = /[A-Za-z0-9]/.test(sign);
    KIND_OF[c] = (letter ? ALNUM : 0) | (/[\w-]/.test(sign) ? WORD : 0) |
      (letter || "_.+=%-".includes(sign) ? LONG : 0) |
      (letter || "+/_=-".includes(sign) ? NOISY : 0);
  }
  const words = KEYWORDS.flatMap(([bit, list]) =>
    list.split(" ").map((word): [number, string] => [bit, word])
  );
  words.push([MARK, " / "], [BLANK, " "], [BLANK, "\t"], [BLANK, "\n"], [
    BLANK,
    "\r",
  ]);
  let size = 1;
  let width = 1;
  for (const [, word] of words) {
    size += word.length;
    for (const c of word) {
      const code = c.charCodeAt(0);
      if (CLASS[code] !== 0) continue;
      CLASS[code] = width;
      if (code >= 97 && code <= 122) CLASS[code - 32] = width;
      width++;
    }
  }
  next = new Uint16Array(size * SPAN).fill(UNKNOWN);
  const edges: number[][] = [];
  says = new Int32Array(size);
  let states = 1;
  for (const [bit, word] of words) {
    let state = 0;
    for (const c of word) {
      const kind = CLASS[c.charCodeAt(0)] ?? 0;
      if (next[state + kind] === UNKNOWN) {
        next[state + kind] = SPAN * states++;
        (edges[state / SPAN] ??= []).push(kind);
      }
      state = next[state + kind] ?? 0;
    }
    says[state / SPAN] = (says[state / SPAN] ?? 0) | bit;
  }
  // Where a keyword breaks off, the longest other that has begun goes on. The
  // states met are worked out then; most never are.
  back = new Uint16Array(states);
  const queue: number[] = [0];
  for (const state of queue) {
    for (const c of edges[state / SPAN] ?? []) {
      const to = next[state + c] ?? 0;
      let from = back[state / SPAN] ?? 0;
      while (state !== 0 && from !== 0 && next[from + c] === UNKNOWN) {
        from = back[from / SPAN] ?? 0;
      }
      const other = state === 0 ? 0 : next[from + c] ?? 0;
      back[to / SPAN] = other === UNKNOWN ? 0 : other;
      says[to / SPAN] = (says[to / SPAN] ?? 0) |
        (says[(back[to / SPAN] ?? 0) / SPAN] ?? 0);
      queue.push(to);
    }
  }
}

/** Where a state goes on from which nothing was met yet. */
function goOn(state: number, c: number): number {
  const at = state + c;
  if (next[at] === UNKNOWN) {
    next[at] = state === 0 ? 0 : goOn(back[state / SPAN] ?? 0, c);
  }
  return next[at] ?? 0;
}

/** Vendors' beginnings by their first two characters. */
const starts = new Map<number, string[]>();
/** Which pairs of characters begin a vendor's token. */
const PAIRS = new Uint8Array(128 * 128);
/** What a token goes on with behind its beginning. */
const TOKEN = /[\w.+/=%~:-]{10}/y;

/** Programs by name, and what they are worth asking. */
const programs = new Map<string, ((text: string) => boolean)[]>();
/** How long the programs are whose names begin with a pair: a bit a length. */
const PROGRAMS = new Int32Array(128 * 128);

/** Says how vendors' tokens begin. */
export function expectStarts(all: Iterable<string>): void {
  for (const start of all) {
    const pair = start.charCodeAt(0) * 128 + start.charCodeAt(1);
    PAIRS[pair] = 1;
    const known = starts.get(pair);
    if (known) known.push(start);
    else starts.set(pair, [start]);
  }
}

/** Says that a text with this program's name is worth a look, if `asked`. */
export function expectProgram(
  name: string,
  asked: (text: string) => boolean,
): void {
  // `mount.cifs` is met as `mount`.
  const word = /^[\w-]*/.exec(name)?.[0] ?? "";
  const pair = word.charCodeAt(0) * 128 + (word.charCodeAt(1) || 0);
  PROGRAMS[pair] = (PROGRAMS[pair] ?? 0) | 1 << Math.min(word.length, 31);
  const known = programs.get(word);
  if (known) known.push(asked);
  else programs.set(word, [asked]);
}

/** Names that count only where no word goes on. */
const ENDS = /(?:pin|[_.-]pat)(?!\w)/i;

const LEAST_LONG = 16;
const LEAST_MIXED = 20;
const LEAST_MARKED = 24;
const LEAST_NOISE = 32;
const LEAST_TOKEN = 12;
/** What a run is shows in its beginning. */
const MAX_LOOK = 512;

/** What a text has that passes look for. */
export function traitsOf(text: string): number {
  let traits = said(text);
  if (hasRun(text, LONG, LEAST_LONG)) {
    eachRun(text, LONG, LEAST_LONG, (start, end) => {
      traits |= longTraits(text, start, end);
    });
    if (mayHoldToken(text)) traits |= VENDOR;
  }
  if (hasRun(text, NOISY, LEAST_NOISE)) {
    eachRun(text, NOISY, LEAST_NOISE, (start, end) => {
      if (isNoisy(text, start, end)) traits |= NOISE;
    });
  }
  if ((traits & BLANK) !== 0 && namesProgram(text)) traits |= PROGRAM;
  return traits;
}

/** What the keywords in a text say. */
function said(text: string): number {
  if (!built) build();
  // Held here, the tables are not looked up again for each character.
  const go = next;
  const told = says;
  const classes = CLASS;
  const { length } = text;
  let traits = 0;
  let state = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) {
      state = 0;
      traits |= WIDE;
      continue;
    }
    const kind = classes[code] as number;
    let to = go[state + kind] as number;
    if (to === UNKNOWN) to = goOn(state, kind);
    state = to;
    traits |= told[state >> 6] as number;
  }
  if ((traits & AT_END) !== 0 && ENDS.test(text)) traits |= NAME;
  return traits;
}

/** Whether so many characters of a kind stand in a row: looks at every `least`th. */
function hasRun(text: string, kind: number, least: number): boolean {
  const kinds = KIND_OF;
  for (let i = least - 1; i < text.length; i += least) {
    const code = text.charCodeAt(i);
    if (code > 127 || ((kinds[code] as number) & kind) === 0) continue;
    let start = i;
    while (start > 0 && isKind(text, start - 1, kind)) start--;
    let end = i + 1;
    while (
      end < text.length && end - start < least && isKind(text, end, kind)
    ) {
      end++;
    }
    if (end - start >= least) return true;
  }
  return false;
}

function isKind(text: string, at: number, kind: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && ((KIND_OF[code] as number) & kind) !== 0;
}

/** Every run of so many characters of a kind. */
function eachRun(
  text: string,
  kind: number,
  least: number,
  look: (start: number, end: number) => void,
): void {
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isKind(text, i, kind)) continue;
    if (i - start >= least) look(start, i);
    start = i + 1;
  }
}

function longTraits(text: string, start: number, end: number): number {
  const run = text.slice(start, Math.min(end, start + MAX_LOOK));
  const whole = end - start > MAX_LOOK;
  let traits = 0;
  if (end - start >= LEAST_MARKED && (whole || /\d/.test(run))) traits |= MARK;
  if (
    end - start >= LEAST_MIXED &&
    (whole || /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run))
  ) traits |= MIXED;
  return traits;
}

function isNoisy(text: string, start: number, end: number): boolean {
  if (end - start > MAX_LOOK) return true;
  let upper = 0;
  let lower = 0;
  let digits = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 48) continue;
    if (code < 58) digits++;
    else if (code > 96) lower++;
    else if (code > 64 && code < 91) upper++;
  }
  const marks = end - start - upper - lower - digits;
  return upper >= 4 && lower >= 4 && digits >= 2 &&
    marks <= (end - start) / 6 + 1;
}

/** Whether a vendor's beginning stands where a token may begin. */
function mayHoldToken(text: string): boolean {
  let alnum = false;
  // What follows `\\n` or `%3D` begins a word, too.
  let coded = -1;
  for (let i = 0; i < text.length - LEAST_TOKEN; i++) {
    const code = text.charCodeAt(i);
    const letter = code < 128 && ((KIND_OF[code] as number) & ALNUM) !== 0;
    if (letter) {
      if ((!alnum || i === coded) && beginsToken(text, i, code)) return true;
    } else if (code === 37) coded = i + 3;
    else if (code === 92) {
      const c = text[i + 1];
      coded = i + (c === "x" ? 4 : c === "u" ? 6 : 2);
    }
    alnum = letter;
  }
  return false;
}

function beginsToken(text: string, at: number, code: number): boolean {
  const pair = code * 128 + (text.charCodeAt(at + 1) & 127);
  return PAIRS[pair] === 1 &&
    starts.get(pair)?.some((start) => {
        if (!text.startsWith(start, at)) return false;
        TOKEN.lastIndex = at + start.length;
        return TOKEN.test(text);
      }) === true;
}

/** Whether a word of a text is a program that has something to be asked for. */
function namesProgram(text: string): boolean {
  const kinds = KIND_OF;
  const lengths = PROGRAMS;
  const { length } = text;
  // What a program is asked reads the text: once is enough.
  let refused: Set<string> | undefined;
  let start = -1;
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) : 0;
    if (code < 128 && ((kinds[code] as number) & WORD) !== 0) {
      if (start < 0) start = i;
      continue;
    }
    if (start < 0) continue;
    const size = i - start;
    if (size < 32) {
      const pair = lowerAt(text, start) * 128 +
        (size > 1 ? lowerAt(text, start + 1) : 0);
      if (((lengths[pair] as number) >> size & 1) === 1) {
        const name = text.slice(start, i).toLowerCase();
        const asked = refused?.has(name) ? undefined : programs.get(name);
        if (asked) {
          if (asked.some((ask) => ask(text))) return true;
          (refused ??= new Set()).add(name);
        }
      }
    }
    start = -1;
  }
  return false;
}

function lowerAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}
