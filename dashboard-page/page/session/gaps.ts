/**
 * Times in which nothing ran: the commonest reason a session took long.
 *
 * @module
 */
import type { SessionModel } from "./model.ts";

/** Shortest gap that is shown, in ms. */
const GAP_MS = 300_000;

/** Shortest stretch in which nothing begins or ends that may be pressed together, in ms. */
const STILL_MS = 1_800_000;
/** Its share of the time that is drawn, from which on it would leave no room for the rest. */
const STILL_SHARE = 0.6;

/** A time that the strip presses together. */
export interface Pressed {
  /** Epoch ms. */
  from: number;
  /** Epoch ms. */
  to: number;
  /** Length in ms. */
  ms: number;
  /** Something ran all the while: a call that waited, a machine that slept. */
  still?: true;
}

/** A time between turns in which no turn and no subagent ran. */
export interface IdleGap {
  /** Epoch ms. */
  from: number;
  /** Epoch ms. */
  to: number;
  /** Length in ms. */
  ms: number;
  /** Index of the turn that ended it. */
  before: number;
}

/** Idle gaps of {@link GAP_MS} and more, in time order. */
export function idleGaps(model: SessionModel): IdleGap[] {
  const busy = [
    ...model.turns.map((t) => [t.start, t.end] as const),
    ...model.agents.map((a) => [a.start, a.end] as const),
  ].sort((a, b) => a[0] - b[0]);
  const gaps: IdleGap[] = [];
  let until = busy[0]?.[1] ?? 0;
  for (const [from, to] of busy) {
    if (from - until >= GAP_MS) {
      const before = model.turns.find((t) => t.start >= from);
      if (before) {
        gaps.push({
          from: until,
          to: from,
          ms: from - until,
          before: before.index,
        });
      }
    }
    until = Math.max(until, to);
  }
  return gaps;
}

/**
 * What the strip presses together, in time order: idle gaps, and each stretch
 * so long that all other work would be a few pixels beside it.
 */
export function pressedTimes(model: SessionModel): Pressed[] {
  const pressed: Pressed[] = idleGaps(model).map(({ from, to, ms }) => ({
    from,
    to,
    ms,
  }));
  const times = [model.start, model.end];
  for (const { start, end } of [...model.turns, ...model.agents]) {
    times.push(start, end);
  }
  for (const { start, end } of model.calls) times.push(start, end ?? start);
  times.sort((a, b) => a - b);
  const stretches: Pressed[] = [];
  for (let i = 1; i < times.length; i++) {
    const [from, to] = [times[i - 1]!, times[i]!];
    if (
      to - from >= STILL_MS &&
      !pressed.some((g) => g.from <= from && g.to >= to)
    ) stretches.push({ from, to, ms: to - from, still: true });
  }
  stretches.sort((a, b) => b.ms - a.ms);
  let drawn = pressed.reduce((ms, g) => ms - g.ms, model.end - model.start);
  for (const stretch of stretches) {
    if (stretch.ms < drawn * STILL_SHARE) break;
    drawn -= stretch.ms;
    pressed.push(stretch);
  }
  return pressed.sort((a, b) => a.from - b.from);
}
