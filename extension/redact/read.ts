/**
 * Reading one value out of a text, with the quotes it stands in.
 *
 * @module
 */

/** A value in a text; the range leaves its quotes out. */
export interface ValueAt {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The text of it. */
  value: string;
  /** It stood in quotes. */
  quoted: boolean;
}

/** Characters that end a bare value; blanks always do. */
export interface Stop {
  /** By code, for ASCII. */
  ascii: Uint8Array;
  /** The others. */
  wide: string;
}

function stop(chars: string): Stop {
  const ascii = new Uint8Array(128);
  let wide = "";
  for (const c of chars) {
    const code = c.charCodeAt(0);
    if (code < 128) ascii[code] = 1;
    else wide += c;
  }
  return { ascii, wide };
}

/** Ends a bare word of a shell. */
export const SHELL_STOP: Stop = stop(" \t\r\n\"'`;&|<>()“”");
/** Ends a bare value in prose or a flow of code. */
export const FLOW_STOP: Stop = stop(" \t\r\n\"'`,;)}]<>“”");
/** Ends a default in `${NAME:-default}`. */
export const DEFAULT_STOP: Stop = stop("} \t\r\n\"'$");
/** Ends a header that stands in no quotes of its own. */
export const HEADER_STOP: Stop = stop("\"'`\r\n");
/** Ends the text of an XML element. */
export const ELEMENT_STOP: Stop = stop("<\n");

const BLANK_STOP = stop(" \t\r\n");

const ESCAPABLE = " $;&|()<>!#*?\\";

const CLOSERS: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "„": "“",
  "«": "»",
  "「": "」",
};

const OPENING = /(?:[fbruFBRUN@$]{0,2}(?=["']))?(\\{0,3})(["'`“‘„«「])/y;
/** A line's start is looked for no further back: longer lines are no lists. */
const MAX_INDENT = 240;

/**
 * Reads values of one text. What it searched it remembers, so that reading at
 * every place of a hostile text stays linear.
 */
export class Reader {
  readonly #runs = new Map<Stop, [number, number]>();
  readonly #nexts = new Map<string, [number, number]>();

  /** A reader of `text`. */
  constructor(readonly text: string) {}

  /** Where `what` comes next at or after an offset; the text's end if nowhere. */
  next(what: string, from: number): number {
    const known = this.#nexts.get(what);
    if (known && known[0] <= from && from <= known[1]) return known[1];
    const at = this.text.indexOf(what, from);
    const found = at < 0 ? this.text.length : at;
    this.#nexts.set(what, [from, found]);
    return found;
  }

  /** The quoted value that begins at an offset; undefined where none does. */
  quoted(at: number): ValueAt | undefined {
    OPENING.lastIndex = at;
    const m = OPENING.exec(this.text);
    if (!m) return undefined;
    let start = at + m[0].length;
    const slashes = m[1] ?? "";
    const quote = m[2] ?? "";
    let closer = slashes + (CLOSERS[quote] ?? quote);
    if (slashes === "" && this.text.startsWith(quote + quote, start)) {
      const triple = quote === '"' || quote === "'";
      if (triple) {
        start += 2;
        closer = closer.repeat(3);
      }
    }
    const line = this.next("\n", start);
    let end = this.next(closer, start);
    // An escaped quote belongs to the value, unless escapes are the delimiter.
    while (
      end < line && slashes === "" && quote === '"' &&
      this.text[end - 1] === "\\" && this.text[end - 2] !== "\\"
    ) end = this.next(closer, end + 1);
    end = Math.max(start, Math.min(end, line));
    return { start, end, value: this.text.slice(start, end), quoted: true };
  }

  /** The bare value at an offset, up to a character of `ends`. */
  bare(at: number, ends: Stop): ValueAt {
    const { text } = this;
    const run = this.#runs.get(ends);
    let end = at;
    if (run && run[0] <= at && at < run[1]) end = run[1];
    else {
      for (; end < text.length; end++) {
        const code = text.charCodeAt(end);
        if (code === 92) {
          const next = text[end + 1] ?? "\n";
          // A written line break ends what a line of a file holds.
          if (next === "n" || next === "r") break;
          if (ESCAPABLE.includes(next)) end++;
          // A line of a shell goes on behind a backslash.
          else if (next === "\n" && /[\w.~+/=-]/.test(text[end + 2] ?? "")) {
            end++;
          }
        } else if (
          code < 128
            ? ends.ascii[code] === 1
            : ends.wide.includes(text[end] ?? "")
        ) break;
      }
      end = Math.min(end, text.length);
      this.#runs.set(ends, [at, end]);
    }
    return { start: at, end, value: text.slice(at, end), quoted: false };
  }

  /** Where the run of characters without a blank ends that holds an offset. */
  runAt(at: number): number {
    return this.bare(at, BLANK_STOP).end;
  }

  /** The rest of the line, without a comment and blanks behind it. */
  line(at: number): ValueAt {
    let end = this.next("\n", at);
    const mark = this.next(" #", at);
    if (mark < end) end = mark;
    while (end > at && /\s/.test(this.text[end - 1] ?? "")) end--;
    return {
      start: at,
      end,
      value: this.text.slice(at, end),
      quoted: false,
    };
  }

  /** Where the line begins that an offset lies in; undefined if far away. */
  lineStart(at: number): number | undefined {
    const low = Math.max(0, at - MAX_INDENT);
    for (let i = at - 1; i >= low; i--) {
      if (this.text.charCodeAt(i) === 10) return i + 1;
    }
    return low === 0 ? 0 : undefined;
  }
}
