/**
 * Examples of rules. A secret is written `«prefix+N»`: the prefix, then N
 * made-up characters (`+N` letters and digits, `+Nh` hex, `+Nd` digits, `+Nu`
 * base64url, `+Nb` base64, `+NU` capitals and digits, `+Nl` lower case and
 * digits); or `«text»`, as it stands. So no token stands whole in a file.
 *
 * @module
 */

/** What documents and tests a rule. */
export interface Examples {
  /** Texts whose marked parts must be hidden. */
  hit: string[];
  /** Texts that must survive untouched; marks make them up as in `hit`. */
  miss?: string[];
}

/** One rule: its name in markers, what it finds, and examples. */
export interface Rule {
  /** What its markers say. */
  id: string;
  /** One line for people. */
  finds: string;
  /** Examples, which are tests. */
  examples: Examples;
}

/** An example with its secrets made up. */
export interface MadeExample {
  /** The text. */
  text: string;
  /** The secrets in it. */
  secrets: string[];
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";
const ALPHABETS: Record<string, string> = {
  "": UPPER + LOWER + DIGITS,
  h: "0123456789abcdef",
  d: DIGITS,
  u: UPPER + LOWER + DIGITS + "-_",
  b: UPPER + LOWER + DIGITS + "+/",
  U: UPPER + "234567",
  l: LOWER + DIGITS,
};

const MARK = /«([^»]{0,400})»/g;
const PART = /\+(\d{1,3})([hdubUl]?)/g;

/** Made-up characters: the same for the same seed. */
function made(alphabet: string, count: number, seed: number): string {
  let state = (seed + 1) * 2654435761 >>> 0;
  let out = "";
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x6d2b79f5) >>> 0;
    out += alphabet[(state >>> 8) % alphabet.length] ?? "";
  }
  return out;
}

/** Makes up the secrets of an example. */
export function makeExample(example: string): MadeExample {
  const secrets: string[] = [];
  const text = example.replace(MARK, (_, body: string) => {
    const secret = body.replace(
      PART,
      (_part, count: string, kind: string, at: number) =>
        made(
          ALPHABETS[kind] ?? LOWER,
          Number(count),
          at + Number(count) + example.length + secrets.length,
        ),
    );
    secrets.push(secret);
    return secret;
  });
  return { text, secrets };
}

/** An example as documentation shows it: made-up parts as dots. */
export function showExample(example: string): string {
  return example.replace(
    MARK,
    (_, body: string) => body.replace(PART, "…"),
  );
}
