/**
 * Substance: how much a session did. It measures activity, not worth.
 *
 * @module
 */
import type { Substance, SubstanceSignals, Tier } from "../../schema/mod.ts";

/** What each part adds to the score. */
export const WEIGHTS = {
  call: 1,
  fileWritten: 3,
  fileRead: 1,
  ranTests: 5,
  notEndedCleanly: -2,
} as const;

/** Lowest score of each tier above trivial; heavy begins above its number. */
export const TIER_FROM = {
  light: 3,
  moderate: 25,
  substantive: 100,
  heavyAbove: 400,
} as const;

/** A session longer than this with fewer calls than `IDLE_CALLS` is idle. */
export const IDLE_MS = 120 * 60_000;
/** See `IDLE_MS`. */
export const IDLE_CALLS = 10;

/** The tier of a score. */
export function tierOf(score: number): Tier {
  if (score > TIER_FROM.heavyAbove) return "heavy";
  if (score >= TIER_FROM.substantive) return "substantive";
  if (score >= TIER_FROM.moderate) return "moderate";
  return score >= TIER_FROM.light ? "light" : "trivial";
}

/** The substance of a session with these signals. */
export function substanceOf(signals: SubstanceSignals): Substance {
  const score = signals.toolCallCount * WEIGHTS.call +
    signals.filesWritten * WEIGHTS.fileWritten +
    signals.filesRead * WEIGHTS.fileRead +
    (signals.ranTests ? WEIGHTS.ranTests : 0) +
    (signals.endedCleanly ? 0 : WEIGHTS.notEndedCleanly);
  return { score, tier: tierOf(score), signals };
}
