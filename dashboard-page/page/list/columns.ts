/**
 * The columns: what each is called, what it sorts by. A new column is a row
 * here, its cell in `cells.tsx` and its width in `columns.css`.
 *
 * @module
 */
import type { Row } from "../../client/rows.ts";
import { TIERS } from "../../../schema/constants.ts";
import type { SortStep } from "./state.ts";

/** A column. */
export interface Column {
  label: string;
  /** Figures stand right. */
  figure?: true;
  /** Sorts rising first where it is chosen; figures fall first. */
  rising?: true;
  /** What it sorts by. */
  key(row: Row): number | string;
  /** What a sort, or a title, needs to say beyond the label. */
  title?: string;
}

const table = {
  started: { label: "Started", key: (r: Row) => r.start },
  repo: {
    label: "Repo",
    rising: true,
    key: (r: Row) => r.repo.toLowerCase(),
  },
  branch: {
    label: "Branch",
    rising: true,
    key: (r: Row) => r.branch.toLowerCase(),
  },
  harness: {
    label: "Harness",
    rising: true,
    key: (r: Row) => r.harness,
    title: "The agent program; the sign in front is the mode",
  },
  model: {
    label: "Model",
    rising: true,
    key: (r: Row) => r.model,
    title: "The model with most output",
  },
  duration: {
    label: "Active",
    figure: true,
    key: (r: Row) => r.active,
    title: "Time inside turns, of the time from start to end",
  },
  turns: { label: "Turns", figure: true, key: (r: Row) => r.turns },
  calls: {
    label: "Calls",
    figure: true,
    key: (r: Row) => r.calls,
    title: "Tool calls, subagents' included",
  },
  labels: {
    label: "Labels",
    // By the share that is neither, so that both ends of the order tell.
    key: (r: Row) => r.calls ? (r.swamp + r.bypass) / r.calls : 0,
    title: "Swamp, bypass, mutating bypass (striped), neutral",
  },
  swamp: { label: "Swamp", figure: true, key: (r: Row) => r.swamp },
  bypass: {
    label: "Bypass",
    figure: true,
    key: (r: Row) => r.bypass + r.mutating / 1e6,
    title:
      "Calls that went around swamp; a striped square: some changed things",
  },
  failed: {
    label: "Failed",
    figure: true,
    key: (r: Row) => r.failed,
  },
  tokens: {
    label: "Tokens",
    figure: true,
    key: (r: Row) => r.tokens,
    title: "All tokens, cached ones included",
  },
  subagents: {
    label: "Subs",
    figure: true,
    key: (r: Row) => r.agents,
    title: "Subagents at any depth",
  },
  findings: {
    label: "Findings",
    key: (r: Row) => r.high * 1e6 + r.medium * 1e3 + r.low,
    title: "The highest severity, and how many there are",
  },
  substance: {
    label: "Substance",
    figure: true,
    key: (r: Row) => r.score + TIERS.indexOf(r.tier) / 10,
    title: "How much was done: activity, not worth",
  },
} satisfies Record<string, Column>;

/** A column's id. */
export type ColumnId = keyof typeof table;

/** All columns, in the usual order. */
export const COLUMNS: Readonly<Record<ColumnId, Column>> = table;
/** Their ids, in the usual order. */
export const COLUMN_IDS = Object.keys(table) as readonly ColumnId[];

/** Whether a word from the URL is a column. */
export function isColumnId(id: string): id is ColumnId {
  return Object.hasOwn(table, id);
}

/** Newest first. */
export const DEFAULT_SORT: readonly SortStep[] = [{
  id: "started",
  desc: true,
}];
