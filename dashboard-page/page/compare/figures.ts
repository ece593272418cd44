/**
 * Two sessions in figures: what changed from A to B, and whether for the better.
 *
 * @module
 */
import type { Summary } from "../../../schema/mod.ts";
import { compact, span, whole } from "../base/format.ts";
import type { SessionModel } from "../session/model.ts";

/** A line of the figures. */
export interface Figure {
  name: string;
  a: number;
  b: number;
  /** As text. */
  show(n: number): string;
  /** Which way is better; 0 where neither is. */
  better: -1 | 0 | 1;
  /** Whose square stands in front. */
  key?: "swamp" | "bypass" | "mutating" | "failed";
}

const findings = (s: Summary) =>
  s.findings.high + s.findings.medium + s.findings.low;

/** All figures of two sessions. */
export function figures(a: Summary, b: Summary): Figure[] {
  const row = (
    name: string,
    of: (s: Summary) => number,
    better: Figure["better"] = 0,
    show: Figure["show"] = whole,
    key?: Figure["key"],
  ): Figure => ({
    name,
    a: of(a),
    b: of(b),
    show,
    better,
    ...(key ? { key } : {}),
  });
  return [
    row("Active time", (s) => s.activeMs, -1, span),
    row("Total time", (s) => s.durationMs, -1, span),
    row("Turns", (s) => s.turns),
    row("Calls", (s) => s.calls),
    row("Swamp", (s) => s.labels.swamp, 1, whole, "swamp"),
    row("Bypass", (s) => s.labels.bypass, -1, whole, "bypass"),
    row("Mutating", (s) => s.labels.mutating, -1, whole, "mutating"),
    row("Failed", (s) => s.failedCalls, -1, whole, "failed"),
    row("Rejected", (s) => s.rejectedCalls, -1),
    row("Output tokens", (s) => s.tokens.output, 0, compact),
    row("Cache read", (s) => s.tokens.cacheRead, 0, compact),
    row("Subagents", (s) => s.subagents.count),
    row("Findings", findings, -1),
    row("Substance", (s) => s.substance.score),
  ];
}

/** The change from a to b: `−35 %`, `+55 %`, `0 %`, `new` from nothing. */
export function change(a: number, b: number): string {
  if (a === b) return "0 %";
  if (a === 0) return "new";
  const p = Math.round((b - a) / Math.abs(a) * 100);
  return p > 0 ? `+${p} %` : p < 0 ? `−${-p} %` : b > a ? "+0 %" : "−0 %";
}

/** Whether a change is for the better. */
export const isBetter = (f: Figure): boolean =>
  f.better !== 0 && Math.sign(f.b - f.a) === f.better;

/** A tool, and how often each session called it. */
export interface ToolPair {
  name: string;
  a: number;
  b: number;
}

/** Tools of both sessions, most used first. */
export function toolPairs(a: SessionModel, b: SessionModel): ToolPair[] {
  const pairs = new Map<string, ToolPair>();
  const take = (side: "a" | "b", model: SessionModel) => {
    for (const { name, count } of model.detail.tools) {
      const pair = pairs.get(name) ?? { name, a: 0, b: 0 };
      pair[side] += count;
      pairs.set(name, pair);
    }
  };
  take("a", a);
  take("b", b);
  return [...pairs.values()].sort((x, y) =>
    y.a + y.b - x.a - x.b || (x.name < y.name ? -1 : 1)
  );
}

/** Files written by both, only by A, only by B. */
export function filePairs(
  a: readonly string[],
  b: readonly string[],
): { both: string[]; onlyA: string[]; onlyB: string[] } {
  const inA = new Set(a);
  const inB = new Set(b);
  return {
    both: a.filter((f) => inB.has(f)),
    onlyA: a.filter((f) => !inB.has(f)),
    onlyB: b.filter((f) => !inA.has(f)),
  };
}
