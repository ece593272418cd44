/**
 * Which calls are shown, and how many each filter would show.
 *
 * @module
 */
import {
  type CallNode,
  isBad,
  isMutating,
  type SessionModel,
} from "./model.ts";

/** A filter of the call list; `failed` includes rejected calls. */
export type CallFilter = "all" | "failed" | "bypass" | "mutating" | "swamp";

/** All filters, in the toolbar's order. */
export const CALL_FILTERS: readonly CallFilter[] = [
  "all",
  "failed",
  "bypass",
  "mutating",
  "swamp",
];

/** Epoch ms, both ends included. */
export type TimeRange = readonly [from: number, to: number];

/** What is asked for. */
export interface Wanted {
  filter: CallFilter;
  range: TimeRange | undefined;
}

/** The call filter named so, else `all`. */
export const asCallFilter = (value: unknown): CallFilter =>
  CALL_FILTERS.find((f) => f === value) ?? "all";

const TESTS: Record<CallFilter, (node: CallNode) => boolean> = {
  all: () => true,
  failed: (n) => isBad(n.call),
  bypass: (n) => n.call.label === "bypass",
  mutating: (n) => isMutating(n.call),
  swamp: (n) => n.call.label === "swamp",
};

/** Whether a call passes. A time range keeps what overlaps it. */
export function passes(node: CallNode, wanted: Wanted): boolean {
  if (!TESTS[wanted.filter](node)) return false;
  if (!wanted.range) return true;
  const [from, to] = wanted.range;
  return node.start <= to && (node.end ?? node.start) >= from;
}

/** Whether anything is filtered away. */
export const isFiltering = (wanted: Wanted): boolean =>
  wanted.filter !== "all" || wanted.range !== undefined;

/** How many calls each filter shows within the time range. */
export function filterCounts(
  model: SessionModel,
  range: TimeRange | undefined,
): Record<CallFilter, number> {
  const counts = { all: 0, failed: 0, bypass: 0, mutating: 0, swamp: 0 };
  for (const node of model.calls) {
    for (const filter of CALL_FILTERS) {
      if (passes(node, { filter, range })) counts[filter]++;
    }
  }
  return counts;
}
