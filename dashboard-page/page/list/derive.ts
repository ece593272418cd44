/**
 * From filtered rows to what the table paints: order, groups, sums.
 *
 * @module
 */
import type { Row } from "../../client/rows.ts";
import { dayMonth, isoDay } from "../base/format.ts";
import { COLUMNS } from "./columns.ts";
import type { GroupBy, SortStep } from "./state.ts";

/** Newest first; the order that every other one falls back to. */
export function newestFirst(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) =>
    b.start - a.start || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Keys of a column as numbers: strings become their rank, so that comparing is quick. */
function numericKeys(
  rows: readonly Row[],
  key: (row: Row) => number | string,
): Float64Array {
  const keys = rows.map(key);
  const words = new Set<string>();
  for (const k of keys) if (typeof k === "string") words.add(k);
  const rank = new Map([...words].sort().map((w, i) => [w, i]));
  return Float64Array.from(
    keys,
    (k) => (typeof k === "string" ? rank.get(k) ?? 0 : k),
  );
}

/**
 * Rows in order; equal ones keep the order they came in, which is newest
 * first. The input stays as it is.
 */
export function sortRows(
  rows: readonly Row[],
  sort: readonly SortStep[],
): readonly Row[] {
  const [first, ...rest] = sort;
  if (!first || (first.id === "started" && first.desc)) return rows;
  const keys = numericKeys(rows, COLUMNS[first.id].key);
  const sign = first.desc ? -1 : 1;
  const more = rest.map((s) => ({
    keys: numericKeys(rows, COLUMNS[s.id].key),
    sign: s.desc ? -1 : 1,
  }));
  const order = rows.map((_, i) => i);
  order.sort((a, b) => {
    let by = (keys[a] as number) - (keys[b] as number);
    if (by !== 0) return by * sign;
    for (let i = 0; i < more.length; i++) {
      const step = more[i] as typeof more[number];
      by = (step.keys[a] as number) - (step.keys[b] as number);
      if (by !== 0) return by * step.sign;
    }
    return a - b;
  });
  return order.map((i) => rows[i] as Row);
}

/** The next order when a column's header is used. */
export function nextSort(
  sort: readonly SortStep[],
  id: SortStep["id"],
  add: boolean,
): SortStep[] {
  const first = !COLUMNS[id].rising;
  const at = sort.findIndex((s) => s.id === id);
  const now = sort[at];
  if (!add) {
    // The same column alone turns around; another one starts afresh.
    return [{ id, desc: now && sort.length === 1 ? !now.desc : first }];
  }
  if (!now) return [...sort, { id, desc: first }];
  if (now.desc === first) {
    return sort.map((s) => s.id === id ? { id, desc: !first } : s);
  }
  const rest = sort.filter((s) => s.id !== id);
  return rest.length ? rest : [{ id, desc: first }];
}

/** A heading over rows. */
export interface GroupItem {
  /** Tells a heading from a row. */
  kind: "group";
  /** The group's value. */
  key: string;
  label: string;
  sessions: number;
  calls: number;
  bypass: number;
}

/** A line of the table. */
export type Item = GroupItem | Row;

/** Whether a line is a heading. */
export function isGroup(item: Item | undefined): item is GroupItem {
  return item !== undefined && "kind" in item;
}

/** Lines of the table; groups in the order in which the rows' order meets them. */
export function tableItems(
  rows: readonly Row[],
  group: GroupBy,
  now: number,
): readonly Item[] {
  if (!group) return rows;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = group === "repo" ? row.repo : isoDay(row.start);
    const of = groups.get(key);
    if (of) of.push(row);
    else groups.set(key, [row]);
  }
  const items: Item[] = [];
  for (const [key, of] of groups) {
    const first = of[0];
    items.push({
      kind: "group",
      key,
      label: group === "day" && first ? dayMonth(first.start, now) : key,
      sessions: of.length,
      calls: of.reduce((sum, r) => sum + r.calls, 0),
      bypass: of.reduce((sum, r) => sum + r.bypass, 0),
    });
    for (const row of of) items.push(row);
  }
  return items;
}

/** Sums of what is shown. */
export interface Totals {
  sessions: number;
  calls: number;
  swamp: number;
  bypass: number;
  failed: number;
}

/** Adds up. */
export function totals(rows: readonly Row[]): Totals {
  const sum = {
    sessions: rows.length,
    calls: 0,
    swamp: 0,
    bypass: 0,
    failed: 0,
  };
  for (const row of rows) {
    sum.calls += row.calls;
    sum.swamp += row.swamp;
    sum.bypass += row.bypass;
    sum.failed += row.failed;
  }
  return sum;
}
