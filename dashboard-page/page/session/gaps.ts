/**
 * Times in which nothing ran: the commonest reason a session took long.
 *
 * @module
 */
import type { SessionModel } from "./model.ts";

/** Shortest gap that is shown, in ms. */
const GAP_MS = 300_000;

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
