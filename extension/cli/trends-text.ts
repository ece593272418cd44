/**
 * Trends for people.
 *
 * @module
 */
import type { TrendFigures, Trends } from "../digest/trends.ts";
import { count, short } from "./format.ts";
import { clean, type Colors, Grid } from "./terminal.ts";

type Row = { name: string } & TrendFigures;

const percent = (part: number | null) =>
  part === null ? "" : `${(100 * part).toFixed(part < 0.0995 ? 1 : 0)} %`;

function gridOf(title: string, room: number, colors: Colors): Grid<Row> {
  const figure = (
    heading: string,
    width: number,
    of: (row: Row) => string,
    drop?: number,
  ) => ({
    title: heading,
    width,
    right: true,
    text: of,
    ...(drop === undefined ? {} : { drop }),
  });
  return new Grid<Row>(
    [
      { title, width: 14, grows: 30, text: (row) => clean(row.name) },
      figure("sessions", 8, (r) => count(r.sessions)),
      figure("calls", 7, (r) => count(r.calls)),
      figure("swamp", 6, (r) => count(r.swamp), 3),
      figure("bypass", 6, (r) => count(r.bypass)),
      figure("share", 6, (r) => percent(r.bypassShare)),
      figure("changed", 7, (r) => count(r.mutating), 5),
      figure("failed", 6, (r) => count(r.failed)),
      figure("share", 6, (r) => percent(r.failedShare), 4),
      figure("in", 6, (r) => r.tokens ? short(r.tokens.input) : "", 6),
      figure("out", 6, (r) => r.tokens ? short(r.tokens.output) : "", 2),
      figure("cached", 6, (r) => r.tokens ? short(r.tokens.cacheRead) : "", 7),
    ],
    room,
    colors,
  );
}

/** Rows of one kind that are shown. */
const SHOWN = 20;

/** Lines of trends in `room` columns. */
export function* trendLines(
  trends: Trends,
  room: number,
  colors: Colors,
): Generator<string> {
  const { by, split, total } = trends;
  const table = function* (
    title: string,
    rows: readonly Row[],
    most = Infinity,
  ) {
    if (rows.length === 0) return;
    const grid = gridOf(title, room, colors);
    yield grid.header();
    for (const row of rows.slice(0, most)) yield grid.row(row);
    if (rows.length > most) {
      yield colors.dim(`and ${count(rows.length - most)} more`);
    }
  };
  yield* table(by === "week" ? "week from" : "day", [
    ...trends.periods.map((p) => ({ ...p, name: p.from })),
    ...(trends.periods.length > 1 ? [{ ...total, name: "all" }] : []),
  ]);
  if (split) {
    yield "";
    yield* table("split", [
      { ...split.before, name: `before ${split.at}` },
      { ...split.after, name: `from ${split.at}` },
    ]);
  }
  for (
    const [title, rows] of [
      ["agent", trends.harnesses],
      ["repo", trends.repos],
    ] as const
  ) {
    if (rows.length < 2) continue;
    yield "";
    yield* table(title, rows, SHOWN);
  }
}
