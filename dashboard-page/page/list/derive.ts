/**
 * From filtered rows to what the table paints: order, groups, sums.
 *
 * @module
 */
import type { Row } from "../../client/rows.ts";
import { dayMonth, isoDay } from "../base/format.ts";
import { COLUMNS } from "./columns.ts";
import type { GroupBy, SortStep } from "./state.ts";

/** Keys of a column as numbers: strings become their rank, so that comparing is quick. */
function numericKeys(
  rows: readonly Row[],
  key: (row: Row) => number | string,
): number[] {
  const keys = rows.map(key);
  const words = keys.filter((k) => typeof k === "string");
  if (!words.length) return keys as number[];
  const rank = new Map([...new Set(words)].sort().map((w, i) => [w, i]));
  return keys.map((k) => (typeof k === "string" ? rank.get(k) ?? 0 : k));
}

/** Rows in order; equal ones newest first. The input stays as it is. */
export function sortRows(
  rows: readonly Row[],
  sort: readonly SortStep[],
): Row[] {
  const steps = sort.map((s) => ({
    keys: numericKeys(rows, COLUMNS[s.id].key),
    sign: s.desc ? -1 : 1,
  }));
  steps.push({ keys: rows.map((r) => r.start), sign: -1 });
  const order = rows.map((_, i) => i);
  order.sort((a, b) => {
    for (const { keys, sign } of steps) {
      const x = keys[a] ?? 0;
      const y = keys[b] ?? 0;
      if (x !== y) return x < y ? -sign : sign;
    }
    return (rows[a]?.id ?? "") < (rows[b]?.id ?? "") ? -1 : 1;
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
