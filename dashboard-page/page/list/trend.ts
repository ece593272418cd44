/**
 * The trend strip: days in a row, and the figures before and after a day.
 *
 * @module
 */
import type { Day } from "../../client/queries.ts";
import type { Row } from "../../client/rows.ts";
import { dayStart, isoDay } from "../base/format.ts";

const DAY_MS = 86_400_000;
/** The strip is a quarter long, or a month where there is no more. */
const LONG = 90;
const SHORT = 30;

const noDay = (day: string): Day => (
  { day, sessions: 0, calls: 0, swamp: 0, bypass: 0, failed: 0 }
);

/** Figures a day, from the rows; for where there are no rollups. */
export function daysOfRows(rows: readonly Row[]): Day[] {
  const days = new Map<string, Day>();
  // Rows mostly come in order: a day's name is asked for when the day changes.
  let from = Infinity;
  let to = -Infinity;
  let d = noDay("");
  for (const row of rows) {
    if (row.start < from || row.start >= to) {
      const day = isoDay(row.start);
      const end = new Date(from = dayStart(day));
      end.setDate(end.getDate() + 1);
      to = end.getTime();
      d = days.get(day) ?? noDay(day);
      days.set(day, d);
    }
    d.sessions++;
    d.calls += row.calls;
    d.swamp += row.swamp;
    d.bypass += row.bypass;
    d.failed += row.failed;
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Rollups, and from the rows the days that have none. */
export function mergeDays(
  rollups: readonly Day[],
  rows: readonly Day[],
): Day[] {
  const known = new Set(rollups.map((d) => d.day));
  return [...rollups, ...rows.filter((d) => !known.has(d.day))]
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

const shift = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString()
    .slice(0, 10);

/**
 * The days of the strip without gaps, oldest first: up to today, or up to the
 * newest session where that is long ago.
 */
export function stripDays(days: readonly Day[], now: number): Day[] {
  const today = isoDay(now);
  // A clock far off must not push all true days out of the strip.
  const past = days.filter((d) => d.day <= shift(today, 1));
  const [first] = past.length ? past : days;
  const last = past.at(-1) ?? days.at(-1);
  if (!first || !last) return [];
  const old = shift(today, -LONG) > last.day;
  const end = old || last.day > today ? last.day : today;
  const length = first.day > shift(end, -SHORT) ? SHORT : LONG;
  const byDay = new Map(days.map((d) => [d.day, d]));
  return Array.from({ length }, (_, i) => {
    const day = shift(end, i - length + 1);
    return byDay.get(day) ?? noDay(day);
  });
}

/** The day before/after which figures are compared: the asked one, or a third of the strip from its end. */
export function splitIndex(strip: readonly Day[], asked: string): number {
  if (asked === "none") return -1;
  if (asked) {
    const at = strip.findIndex((d) => d.day === asked);
    return at > 0 ? at : -1;
  }
  const at = Math.floor(strip.length * 2 / 3);
  const some = (days: readonly Day[]) => days.some((d) => d.calls > 0);
  return some(strip.slice(0, at)) && some(strip.slice(at)) ? at : -1;
}

/** Figures of some days. */
export interface DayFigures {
  /** Bypass calls of all calls, 0 to 1. */
  bypassShare: number;
  callsADay: number;
  failedADay: number;
}

/** Sums up days; days before the first session do not count. */
export function figuresOf(days: readonly Day[]): DayFigures {
  let calls = 0;
  let bypass = 0;
  let failed = 0;
  for (const d of days) {
    calls += d.calls;
    bypass += d.bypass;
    failed += d.failed;
  }
  const from = days.findIndex((d) => d.sessions > 0);
  const n = from < 0 ? 0 : days.length - from;
  return {
    bypassShare: calls ? bypass / calls : 0,
    callsADay: n ? calls / n : 0,
    failedADay: n ? failed / n : 0,
  };
}

/** The days between two points of the strip, each 0 to 1 across it. */
export function brushDays(
  strip: readonly Day[],
  a: number,
  b: number,
): { from: string; to: string } | undefined {
  const at = (x: number) =>
    strip[Math.min(strip.length - 1, Math.max(0, Math.floor(x * strip.length)))]
      ?.day;
  const from = at(Math.min(a, b));
  const to = at(Math.max(a, b));
  return from && to ? { from, to } : undefined;
}
