/**
 * The header's figures: from the summary, which is there at once, else from
 * the detail.
 *
 * @module
 */
import type { Summary, Tier } from "../../../schema/mod.ts";
import type { Tally } from "./model.ts";
import type { SessionModel } from "./model.ts";

/** What the receipt line shows. */
export interface HeadFigures {
  /** Epoch ms. */
  start: number;
  activeMs: number;
  durationMs: number;
  turns: number;
  tally: Tally;
  output: number;
  cached: number;
  /** The real output is higher. */
  partial: boolean;
  agents: { count: number; calls: number };
  substance: { score: number; tier: Tier } | undefined;
  /** Files written, and what is known of tests. */
  written: { files: number; tests: string } | undefined;
}

/** The figures of the header; undefined while neither record is there. */
export function headFigures(
  summary: Summary | undefined,
  model: SessionModel | undefined,
): HeadFigures | undefined {
  if (summary) {
    return {
      start: Date.parse(summary.startedAt),
      activeMs: summary.activeMs,
      durationMs: summary.durationMs,
      turns: summary.turns,
      tally: {
        calls: summary.calls,
        ...summary.labels,
        failed: summary.failedCalls,
        rejected: summary.rejectedCalls,
      },
      output: summary.tokens.output,
      cached: summary.tokens.cacheRead,
      partial: summary.tokens.outputIsLowerBound === true,
      agents: summary.subagents,
      substance: summary.substance,
      written: {
        files: summary.substance.signals.filesWritten,
        tests: summary.flags.includes("testsFailed")
          ? "tests failed"
          : summary.flags.includes("ranTests")
          ? "ran tests"
          : "",
      },
    };
  }
  if (!model) return undefined;
  const all = [model.detail.session, ...model.detail.subagents];
  return {
    start: model.start,
    activeMs: model.turns.reduce((ms, t) => ms + t.end - t.start, 0),
    durationMs: model.end - model.start,
    turns: model.turns.length,
    tally: model.total,
    output: all.reduce((n, s) => n + s.tokens.output, 0),
    cached: all.reduce((n, s) => n + s.tokens.cacheRead, 0),
    partial: all.some((s) => s.tokens.outputIsLowerBound === true),
    agents: {
      count: model.agents.filter((a) => !a.session.auxiliary).length,
      calls: model.calls.filter((n) => n.within && !n.within.session.auxiliary)
        .length,
    },
    substance: undefined,
    written: undefined,
  };
}
