/**
 * Text for a terminal: made harmless, measured, cut, aligned, coloured.
 *
 * @module
 */
import pc from "picocolors";
import type { Io, Output } from "./io.ts";

// C0 and C1 controls, and the marks that turn the direction of writing: a
// terminal acts on the former, a reader is fooled by the latter.
// deno-lint-ignore no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const INVISIBLE =
  /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Session text as it may go to a terminal: one line, no escapes. */
export function clean(text: string): string {
  return text.replace(CONTROLS, (c) => {
    if (c === "\n") return "⏎";
    if (c === "\t" || c === "\r") return " ";
    const code = c.charCodeAt(0);
    return code < 0x20
      ? String.fromCharCode(0x2400 + code)
      : code === 0x7f
      ? "␡"
      : "�";
  }).replace(INVISIBLE, "�");
}

/** As {@link clean}, line by line. */
export function cleanLines(text: string): string {
  return text.split("\n").map(clean).join("\n");
}

// East Asian wide and fullwidth forms, and emoji; good enough for alignment.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const MARK = /\p{M}/u;

/** Columns that a text takes; it must hold no escapes. */
export function width(text: string): number {
  let columns = 0;
  for (const c of text) {
    if (c >= " " && c <= "~") columns++;
    else if (WIDE.test(c)) columns += 2;
    else if (!MARK.test(c)) columns++;
  }
  return columns;
}

/** The text in at most so many columns, with `…` where it was cut. */
export function fit(text: string, columns: number): string {
  if (columns <= 0) return "";
  // A text of a megabyte is not measured to its end.
  const head = text.length > columns * 4 ? text.slice(0, columns * 4) : text;
  if (head.length === text.length && width(text) <= columns) return text;
  let used = 0, kept = "";
  for (const c of head) {
    const w = width(c);
    if (used + w > columns - 1) break;
    kept += c;
    used += w;
  }
  return kept + "…";
}

/** Pads with blanks to so many columns. */
export function pad(text: string, columns: number, right = false): string {
  const blanks = " ".repeat(Math.max(0, columns - width(text)));
  return right ? blanks + text : text + blanks;
}

/** Colours, all of them identity where there is no terminal. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for an output: on a terminal, unless `NO_COLOR` or `TERM=dumb`. */
export function colorsFor(output: Output, io: Pick<Io, "env">): Colors {
  const forced = io.env.FORCE_COLOR !== undefined && io.env.FORCE_COLOR !== "0";
  const no = Boolean(io.env.NO_COLOR) || io.env.TERM === "dumb";
  return pc.createColors(!no && (output.isTTY || forced));
}

/** A column of a grid. */
export interface Column<T> {
  /** Its heading. */
  title: string;
  /** How wide it is; of a growing one, the least. */
  width: number;
  /** The plain text of a row's cell; cleaned already. */
  text(row: T): string;
  /** Numbers stand right. */
  right?: boolean;
  /** Colour of a cell, applied after padding. */
  paint?(cell: string, row: T): string;
  /** Takes a share of the room that is left, up to this width. */
  grows?: number;
  /** Left out when the terminal is too narrow: higher goes first. */
  drop?: number;
}

/**
 * A table whose columns are known before its rows, so that rows can be printed
 * as they come. Fits into so many columns: expendable ones are left out first,
 * then what is left goes to those that grow.
 */
export class Grid<T> {
  private readonly shown: Column<T>[];
  private readonly widths: Map<Column<T>, number>;

  /** Lays the columns out. */
  constructor(
    columns: readonly Column<T>[],
    room: number,
    private readonly colors: Colors,
  ) {
    const total = (some: readonly Column<T>[]) =>
      some.reduce((sum, c) => sum + c.width + GAP, -GAP);
    let shown = [...columns];
    while (total(shown) > room) {
      const [next] = shown.filter((c) => c.drop !== undefined)
        .sort((a, b) => (b.drop ?? 0) - (a.drop ?? 0));
      if (!next) break;
      shown = shown.filter((c) => c !== next);
    }
    let spare = Math.max(0, room - total(shown));
    const growing = shown.filter((c) => c.grows !== undefined);
    this.shown = shown;
    this.widths = new Map(shown.map((c) => [c, c.width]));
    for (const [i, c] of growing.entries()) {
      const share = Math.floor(spare / (growing.length - i));
      const more = Math.min(share, (c.grows ?? 0) - c.width);
      this.widths.set(c, c.width + more);
      spare -= more;
    }
  }

  /** The line of headings. */
  header(): string {
    return this.line((c) => c.title, (text) => this.colors.dim(text));
  }

  /** The line of a row. */
  row(row: T): string {
    return this.line(
      (c) => c.text(row),
      (text, c) => c.paint ? c.paint(text, row) : text,
    );
  }

  private line(
    cell: (c: Column<T>) => string,
    paint: (text: string, c: Column<T>) => string,
  ): string {
    return this.shown.map((c, i) => {
      const size = this.widths.get(c) ?? c.width;
      const text = fit(cell(c), size);
      const last = i === this.shown.length - 1 && !c.right;
      return paint(last ? text : pad(text, size, c.right), c);
    }).join(" ".repeat(GAP)).trimEnd();
  }
}

/** Blanks between columns. */
const GAP = 2;
