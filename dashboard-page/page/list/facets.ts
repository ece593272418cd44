/**
 * The facets, and the pass over the rows that filters. A facet's counts
 * respect every other filter, not its own.
 *
 * @module
 */
import { FLAGS, TIERS } from "../../../schema/constants.ts";
import { type Row, searchText } from "../../client/rows.ts";
import { dayStart } from "../base/format.ts";
import type { ListState } from "./state.ts";

/** A facet's id, as the URL has it. */
export type FacetId =
  | "repo"
  | "harness"
  | "mode"
  | "label"
  | "finding"
  | "substance"
  | "flag"
  | "model";

/** A facet. */
export interface Facet {
  label: string;
  /** Its values of a row, one call each. */
  each(row: Row, visit: (value: string) => void): void;
  /** Values in a fixed order; else by count. */
  order?: readonly string[];
}

/** All facets, in the order of the filter bar. */
export const FACETS: Readonly<Record<FacetId, Facet>> = {
  repo: { label: "Repo", each: (r, visit) => visit(r.repo) },
  harness: { label: "Harness", each: (r, visit) => visit(r.harness) },
  mode: { label: "Mode", each: (r, visit) => visit(r.mode) },
  label: {
    label: "Labels",
    each: (r, visit) => {
      if (r.swamp) visit("swamp");
      if (r.bypass) visit("bypass");
      if (r.mutating) visit("mutating bypass");
      if (!r.swamp && !r.bypass) visit("neutral only");
    },
    order: ["swamp", "bypass", "mutating bypass", "neutral only"],
  },
  finding: {
    label: "Findings",
    each: (r, visit) => {
      if (r.high) visit("high");
      if (r.medium) visit("medium");
      if (r.low) visit("low");
      if (!r.high && !r.medium && !r.low) visit("none");
    },
    order: ["high", "medium", "low", "none"],
  },
  substance: {
    label: "Substance",
    each: (r, visit) => visit(r.tier),
    order: TIERS,
  },
  flag: {
    label: "Flags",
    each: (r, visit) => {
      for (const flag of r.flags) visit(flag);
      if (r.failed) visit("failed calls");
      if (r.rejected) visit("rejected calls");
      if (r.agents) visit("subagents");
      if (r.tokensPartial) visit("tokens partial");
    },
  },
  model: { label: "Model", each: (r, visit) => visit(r.model || "unknown") },
};

/** Their ids, in the order of the filter bar. */
export const FACET_IDS = Object.keys(FACETS) as readonly FacetId[];

/** A value as people read it: flags are written as the contract has them. */
export function facetWord(id: FacetId, value: string): string {
  return id === "flag"
    ? value.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)
    : value;
}

/** What a value of the flags facet means, for its title. */
export function flagMeaning(value: string): string | undefined {
  const known: Readonly<Record<string, string>> = {
    ...FLAGS,
    "failed calls": "at least one call failed",
    "rejected calls": "a person rejected at least one call",
    "subagents": "it started subagents",
    "tokens partial":
      "some usage records are missing: the real figure is higher",
  };
  return Object.hasOwn(known, value) ? known[value] : undefined;
}

/** The time that the state asks for, as [from, to) in epoch milliseconds. */
export function timeRange(
  state: Pick<ListState, "from" | "to" | "last">,
  now: number,
): [number, number] {
  let from = state.from ? dayStart(state.from) : -Infinity;
  let to = Infinity;
  if (state.to) {
    const end = new Date(dayStart(state.to));
    end.setDate(end.getDate() + 1); // Not 24 h: days with a clock change differ.
    to = end.getTime();
  }
  if (state.last) {
    const start = new Date(now);
    start.setHours(0, 0, 0, 0);
    start.setDate(start.getDate() - state.last + 1);
    from = Math.max(from, start.getTime());
  }
  return [
    Number.isNaN(from) ? -Infinity : from,
    Number.isNaN(to) ? Infinity : to,
  ];
}

/** What a pass over the rows found. */
export interface Filtered {
  /** Rows to show, folded ones left out. */
  rows: Row[];
  /** Trivial rows that pass the filters, folded or not. */
  trivial: number;
  /**
   * Rows by a facet's values under all other filters, counted when asked for:
   * a closed menu costs nothing. Values of no row are absent.
   */
  counts(id: FacetId): ReadonlyMap<string, number>;
}

/** Filters in one pass. */
export function filterRows(
  rows: readonly Row[],
  state: ListState,
  now: number,
): Filtered {
  const [from, to] = timeRange(state, now);
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const active = FACET_IDS.flatMap((id) => {
    const values = state.facets[id];
    return values?.length ? [{ id, values: new Set(values) }] : [];
  });
  let hit = false;
  let values: ReadonlySet<string> = new Set();
  const look = (value: string) => {
    if (values.has(value)) hit = true;
  };
  const passes = (row: Row, but?: FacetId): boolean => {
    if (row.start >= to || row.end < from) return false;
    if (words.length) {
      const text = searchText(row);
      if (!words.every((w) => text.includes(w))) return false;
    }
    for (const facet of active) {
      if (facet.id === but) continue;
      hit = false;
      values = facet.values;
      FACETS[facet.id].each(row, look);
      if (!hit) return false;
    }
    return true;
  };

  // Who asks for trivial sessions by name sees them.
  const fold = state.fold && !state.facets.substance?.includes("trivial");
  const shown: Row[] = [];
  let trivial = 0;
  for (const row of rows) {
    if (!passes(row)) continue;
    if (row.tier === "trivial") {
      trivial++;
      if (fold) continue;
    }
    shown.push(row);
  }

  const counted = new Map<FacetId, ReadonlyMap<string, number>>();
  const counts = (id: FacetId): ReadonlyMap<string, number> => {
    const known = counted.get(id);
    if (known) return known;
    const into = new Map<string, number>();
    const count = (value: string) => {
      into.set(value, (into.get(value) ?? 0) + 1);
    };
    for (const row of rows) if (passes(row, id)) FACETS[id].each(row, count);
    counted.set(id, into);
    return into;
  };
  return { rows: shown, trivial, counts };
}

/** One line of a facet's list. */
export interface FacetValue {
  value: string;
  count: number;
  chosen: boolean;
}

/** A facet's lines: chosen values always, others where a row has them. */
export function facetValues(
  id: FacetId,
  counts: ReadonlyMap<string, number>,
  chosen: readonly string[],
): FacetValue[] {
  const order = FACETS[id].order;
  const names = new Set([...counts.keys(), ...chosen]);
  return [...names].map((value) => ({
    value,
    count: counts.get(value) ?? 0,
    chosen: chosen.includes(value),
  })).sort((a, b) =>
    order
      ? order.indexOf(a.value) - order.indexOf(b.value)
      : b.count - a.count || (a.value < b.value ? -1 : 1)
  );
}
