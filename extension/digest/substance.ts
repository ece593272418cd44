/**
 * Substance: how much a session did. It measures activity, not worth.
 *
 * @module
 */
import type { Substance, SubstanceSignals, Tier } from "../../schema/mod.ts";
import { oneLine } from "./transcript.ts";

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

/** One part of a score. */
export interface SubstancePart {
  /** The signal. */
  signal: keyof SubstanceSignals;
  /** How many; of a yes-or-no signal 1 or 0. */
  count: number;
  /** What it adds to the score. */
  points: number;
  /** What made it: tools with their calls, files, or commands; the first ones. */
  from: string[];
}

/** Most tools, files or commands that a part names. */
export const EXPLAINED = 20;

/** What an explanation is made of. */
export interface Explainable {
  /** The substance. */
  substance: Substance;
  /** Tools, most used first. */
  tools: readonly { name: string; count: number }[];
  /** Files. */
  files: { written: readonly string[]; read: readonly string[] };
  /** Test runs. */
  tests: readonly { call: { facts: { text: string } } }[];
}

/** The parts of a score; their points add up to it. */
export function explainSubstance(of: Explainable): SubstancePart[] {
  const { signals } = of.substance;
  const part = (
    signal: keyof SubstanceSignals,
    count: number,
    weight: number,
    from: readonly string[],
    points = count * weight,
  ): SubstancePart => ({
    signal,
    count,
    points,
    from: from.slice(0, EXPLAINED),
  });
  const runs = new Set(
    of.tests.map(({ call }) => oneLine(call.facts.text, 200)),
  );
  return [
    part(
      "toolCallCount",
      signals.toolCallCount,
      WEIGHTS.call,
      of.tools.map(({ name, count }) => `${name} ${count}`),
    ),
    part(
      "filesWritten",
      signals.filesWritten,
      WEIGHTS.fileWritten,
      of.files.written,
    ),
    part("filesRead", signals.filesRead, WEIGHTS.fileRead, of.files.read),
    part("ranTests", signals.ranTests ? 1 : 0, WEIGHTS.ranTests, [...runs]),
    part(
      "endedCleanly",
      signals.endedCleanly ? 1 : 0,
      0,
      ["the agent said nothing after the last prompt"],
      signals.endedCleanly ? 0 : WEIGHTS.notEndedCleanly,
    ),
  ].filter(({ points }) => points !== 0);
}
