/**
 * Time -> place on screen, three ways: log bars, the wall clock of one turn,
 * and the whole session with its idle gaps pressed together.
 *
 * @module
 */
import type { Pressed } from "./gaps.ts";
import { lengthOf, type SessionModel, type TurnNode } from "./model.ts";

const LOG_MIN = 30;
const LOG_MAX = 1_800_000;

/** Width of a log bar in percent: 30 ms is 0, 30 min is 100. Calls span five orders of magnitude. */
export function logWidth(ms: number): number {
  const x = Math.log10(Math.max(ms, LOG_MIN) / LOG_MIN) /
    Math.log10(LOG_MAX / LOG_MIN) * 100;
  return Math.min(100, x);
}

/** Grid lines of the log bars; only those with a word are labelled. */
export const LOG_GRID: readonly { at: number; word: string }[] = [
  { at: logWidth(1_000), word: "1 s" },
  { at: logWidth(10_000), word: "" },
  { at: logWidth(60_000), word: "1 m" },
  { at: logWidth(600_000), word: "" },
];

/**
 * Length in ms from which a call is among the slowest tenth; Infinity where
 * there is nothing to compare. Background work and subagents' own rows do not
 * count: they are long by nature.
 */
export function slowFrom(model: SessionModel): number {
  const lengths: number[] = [];
  for (const node of model.calls) {
    const ms = lengthOf(node);
    if (
      ms !== undefined && node.agents.length === 0 &&
      node.call.state !== "background" && node.call.state !== "notRun"
    ) lengths.push(ms);
  }
  if (lengths.length < 10) return Infinity;
  lengths.sort((a, b) => a - b);
  const at = lengths[Math.floor(lengths.length * 0.9)]!;
  // Where most calls take the same time, none of them is slow.
  return at > lengths[lengths.length >> 1]! ? at : Infinity;
}

/** A bar in percent of its track. */
export interface Bar {
  left: number;
  width: number;
  /** It runs past the end of the track. */
  over: boolean;
}

/** A time span on the clock of its turn. */
export function wallBar(
  turn: TurnNode,
  start: number,
  end: number | undefined,
): Bar {
  const length = Math.max(1, turn.end - turn.start);
  const left = Math.min(100, Math.max(0, (start - turn.start) / length * 100));
  const to = (end ?? start) - turn.start;
  return {
    left,
    width: Math.max(0, Math.min(100, to / length * 100) - left),
    over: to > length,
  };
}

/** A span of session time and its span on screen, 0 to 1. */
export interface Segment {
  from: number;
  to: number;
  x0: number;
  x1: number;
  /** Set where it is pressed together: its length in ms. */
  pressed?: number;
  /** Nothing began or ended in it, yet it was not idle. */
  still?: true;
}

/** The session's time axis. */
export interface TimeAxis {
  segments: Segment[];
  /** Epoch ms -> 0 to 1. */
  x(time: number): number;
  /** 0 to 1 -> epoch ms. */
  time(x: number): number;
}

const GAP_WIDTH = 0.052;

/** The axis from start to end, each gap equally narrow. */
export function timeAxis(
  start: number,
  end: number,
  gaps: readonly Pressed[],
): TimeAxis {
  // Many gaps share two fifths of the width, so that the work stays readable.
  const gap = Math.min(GAP_WIDTH, 0.4 / Math.max(1, gaps.length));
  const worked = Math.max(1, gaps.reduce((ms, g) => ms - g.ms, end - start));
  const room = 1 - gap * gaps.length;
  const segments: Segment[] = [];
  let from = start;
  let x0 = 0;
  for (const g of gaps) {
    const x1 = x0 + Math.max(0, g.from - from) / worked * room;
    segments.push({ from, to: g.from, x0, x1 });
    segments.push({
      from: g.from,
      to: g.to,
      x0: x1,
      x1: x1 + gap,
      pressed: g.ms,
      ...(g.still ? { still: true } : {}),
    });
    from = g.to;
    x0 = x1 + gap;
  }
  segments.push({ from, to: Math.max(from, end), x0, x1: 1 });
  const last = segments[segments.length - 1]!;
  const clamp = (x: number) => Math.min(1, Math.max(0, x));
  return {
    segments,
    x(time) {
      const s = segments.find((s) => time <= s.to) ?? last;
      return clamp(
        s.x0 + (time - s.from) / Math.max(1, s.to - s.from) * (s.x1 - s.x0),
      );
    },
    time(x) {
      const at = clamp(x);
      const s = segments.find((s) => at <= s.x1) ?? last;
      return Math.round(
        s.from + (at - s.x0) / Math.max(1e-9, s.x1 - s.x0) * (s.to - s.from),
      );
    },
  };
}
