/**
 * What the list shows, and its form in the URL. Defaults are left out, so that
 * a plain list has a plain address.
 *
 * @module
 */
import type { Changes } from "../base/nav.ts";
import {
  COLUMN_IDS,
  type ColumnId,
  DEFAULT_SORT,
  isColumnId,
} from "./columns.ts";
import { FACET_IDS, type FacetId } from "./facets.ts";

/** One step of the order. */
export interface SortStep {
  id: ColumnId;
  desc: boolean;
}

/** What rows are put under headings by. */
export type GroupBy = "" | "repo" | "day";

/** Everything that decides what the list shows. */
export interface ListState {
  /** Free text. */
  q: string;
  /** First day, yyyy-mm-dd, or "". */
  from: string;
  /** Last day, or "". */
  to: string;
  /** The last so many days; 0 for no such limit. */
  last: number;
  /** Before/after day; "" for the usual one, "none" for none. */
  split: string;
  /** Chosen values by facet; a facet without any is absent. */
  facets: Partial<Record<FacetId, readonly string[]>>;
  /** The order, first step first. */
  sort: readonly SortStep[];
  /** Whether trivial sessions are folded. */
  fold: boolean;
  group: GroupBy;
  /** Columns in order, all of them. */
  order: readonly ColumnId[];
  hidden: readonly ColumnId[];
  /** Widths that differ from the usual, in px. */
  sizes: Partial<Record<ColumnId, number>>;
  /** Sessions picked for comparison. */
  picked: readonly string[];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOST_STEPS = 6;
const LEAST_SIZE = 28;
const MOST_SIZE = 900;

function readSort(text: string | null): readonly SortStep[] {
  const steps = (text ?? "").split(",").slice(0, MOST_STEPS).map((part) => ({
    id: part.replace(/^-/, ""),
    desc: part.startsWith("-"),
  })).filter((s): s is SortStep => isColumnId(s.id));
  return steps.length ? steps : DEFAULT_SORT;
}

function readOrder(text: string | null): readonly ColumnId[] {
  if (!text) return COLUMN_IDS;
  const named = [
    ...new Set(
      text.split(",").map((c) => c.replace(/^-/, "")).filter(isColumnId),
    ),
  ];
  // Columns that the address does not know go where they usually are: last.
  return [...named, ...COLUMN_IDS.filter((c) => !named.includes(c))];
}

function readSizes(text: string | null): ListState["sizes"] {
  const sizes: ListState["sizes"] = {};
  for (const part of (text ?? "").split(",")) {
    const [id = "", px] = part.split(":");
    const n = Number(px);
    if (isColumnId(id) && n >= LEAST_SIZE && n <= MOST_SIZE) sizes[id] = n;
  }
  return sizes;
}

/** Reads the list's state; anything unknown in it is passed over. */
export function readState(params: URLSearchParams): ListState {
  const facets: ListState["facets"] = {};
  for (const id of FACET_IDS) {
    const values = params.getAll(id);
    if (values.length) facets[id] = values;
  }
  const day = (key: string) => {
    const value = params.get(key) ?? "";
    return DAY.test(value) ? value : "";
  };
  const group = params.get("group");
  const last = Number(params.get("last"));
  return {
    q: params.get("q") ?? "",
    from: day("from"),
    to: day("to"),
    last: Number.isInteger(last) && last > 0 ? last : 0,
    split: params.get("split") === "none" ? "none" : day("split"),
    facets,
    sort: readSort(params.get("sort")),
    fold: params.get("fold") !== "0",
    group: group === "repo" || group === "day" ? group : "",
    order: readOrder(params.get("cols")),
    hidden: (params.get("cols") ?? "").split(",").filter((c) =>
      c.startsWith("-")
    ).map((c) => c.slice(1)).filter(isColumnId),
    sizes: readSizes(params.get("size")),
    picked: params.getAll("pick").slice(0, 2),
  };
}

/** The order as the URL has it; `null` for the usual. */
export function sortParam(sort: readonly SortStep[]): string | null {
  const text = sort.map((s) => (s.desc ? "-" : "") + s.id).join(",");
  const usual = DEFAULT_SORT.map((s) => (s.desc ? "-" : "") + s.id).join(",");
  return text && text !== usual ? text : null;
}

/** Columns as the URL has them; `null` for the usual. */
export function columnsParam(
  order: readonly ColumnId[],
  hidden: readonly ColumnId[],
): string | null {
  const text = order.map((c) => (hidden.includes(c) ? "-" : "") + c).join(",");
  return text === COLUMN_IDS.join(",") ? null : text;
}

/** Widths as the URL has them; `null` for the usual. */
export function sizesParam(sizes: ListState["sizes"]): string | null {
  return Object.entries(sizes).map(([id, px]) => `${id}:${Math.round(px)}`)
    .join(",") || null;
}

/** Whether anything filters; folding is no filter. */
export function isFiltered(state: ListState): boolean {
  return Boolean(
    state.q || state.from || state.to || state.last ||
      Object.keys(state.facets).length,
  );
}

/** What takes every filter away. */
export const NO_FILTERS: Changes = {
  q: null,
  from: null,
  to: null,
  last: null,
  ...Object.fromEntries(FACET_IDS.map((id) => [id, null])),
};
