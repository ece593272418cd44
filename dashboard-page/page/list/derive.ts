/**
 * From filtered rows to what the table paints: order, groups, sums.
 *
 * @module
 */
import type { Row } from "../../client/rows.ts";
import { dayMonth, isoDay } from "../base/format.ts";
import { COLUMNS } from "./columns.ts";
import type { GroupBy, SortStep } from "./state.ts";

/** Rows in order; equal ones newest first. The input stays as it is. */
export function sortRows(
  rows: readonly Row[],
  sort: readonly SortStep[],
): Row[] {
  const steps = sort.map((s) => ({
    key: COLUMNS[s.id].key,
    sign: s.desc ? -1 : 1,
  }));
  // Keys are made once a row, not once a comparison.
  const keyed = rows.map((row) => ({
    row,
    keys: steps.map((s) => s.key(row)),
  }));
  keyed.sort((a, b) => {
    for (let i = 0; i < steps.length; i++) {
      const x = a.keys[i] as number | string;
      const y = b.keys[i] as number | string;
      if (x < y) return -(steps[i]?.sign ?? 1);
      if (x > y) return steps[i]?.sign ?? 1;
    }
    return b.row.start - a.row.start || (a.row.id < b.row.id ? -1 : 1);
  });
  return keyed.map((k) => k.row);
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
  kind: "group";
  /** The group's value. */
  key: string;
  label: string;
  sessions: number;
  calls: number;
  bypass: number;
}

/** A row; `index` counts rows only, from 0. */
export interface RowItem {
  kind: "row";
  row: Row;
  index: number;
}

/** A line of the table. */
export type Item = GroupItem | RowItem;

/** Lines of the table; groups in the order in which the rows' order meets them. */
export function tableItems(
  rows: readonly Row[],
  group: GroupBy,
  now: number,
): Item[] {
  if (!group) return rows.map((row, index) => ({ kind: "row", row, index }));
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = group === "repo" ? row.repo : isoDay(row.start);
    const of = groups.get(key);
    if (of) of.push(row);
    else groups.set(key, [row]);
  }
  const items: Item[] = [];
  let index = 0;
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
    for (const row of of) items.push({ kind: "row", row, index: index++ });
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
