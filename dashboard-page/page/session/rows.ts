/**
 * The model and what is open -> the flat rows that the virtual list paints.
 *
 * @module
 */
import type { Mark, MarkKind } from "../../../schema/mod.ts";
import { isFiltering, passes, type Wanted } from "./filter.ts";
import { idleGaps } from "./gaps.ts";
import type {
  AgentNode,
  CallNode,
  Item,
  SessionModel,
  TurnNode,
} from "./model.ts";

/** What the reader has opened and closed. */
export interface Folds {
  /** Turns opened or closed by hand, by index; the rest follow `opensItself`. */
  turns: ReadonlyMap<number, boolean>;
  /** Subagents closed by hand, by id; they are open otherwise. */
  closedAgents: ReadonlySet<string>;
  /** Calls whose details are open, by id. */
  details: ReadonlySet<string>;
}

/** One row of the list. `key` is stable and unique. */
export type Row =
  | { kind: "gap"; key: string; ms: number }
  | { kind: "mark"; key: string; mark: MarkKind; at: number; depth: number }
  | { kind: "turn"; key: string; turn: TurnNode; open: boolean }
  | { kind: "call"; key: string; node: CallNode; open: boolean }
  | {
    kind: "agent";
    key: string;
    agent: AgentNode;
    open: boolean;
  }
  | { kind: "detail"; key: string; node: CallNode };

/** Sessions up to this many calls open whole: closed receipts would hide all there is. */
const SMALL = 12;

/** Whether a turn is open before anybody touched it: only where something in it wants a look. */
function opensItself(
  model: SessionModel,
  turn: TurnNode,
  wanted: Wanted,
): boolean {
  const { failed, rejected, mutating } = turn.under;
  return isFiltering(wanted) || failed + rejected + mutating > 0 ||
    model.turns.length === 1 || model.total.calls <= SMALL;
}

/** Whether a turn is open. */
export const isOpen = (
  model: SessionModel,
  turn: TurnNode,
  folds: Folds,
  wanted: Wanted,
): boolean => folds.turns.get(turn.index) ?? opensItself(model, turn, wanted);

/** The subagent that shares the row of the call that started it. */
export const onlyAgent = (node: CallNode): AgentNode | undefined =>
  node.agents.length === 1 ? node.agents[0] : undefined;

/** Which items pass, or hold something that passes. One walk, leaves first. */
function kept(model: SessionModel, wanted: Wanted): Set<Item> {
  const keep = new Set<Item>();
  for (const node of model.calls) {
    if (!passes(node, wanted)) continue;
    let item: Item | undefined = node;
    while (item && !keep.has(item)) {
      keep.add(item);
      item = item.kind === "call" ? item.within : item.starter ?? item.within;
    }
  }
  return keep;
}

type MarkRow = Extract<Row, { kind: "mark" }>;

/** A session's marks as rows, in time order. */
function markRows(marks: readonly Mark[], lane: number, depth: number) {
  return marks.map((m): MarkRow => ({
    kind: "mark",
    key: "",
    mark: m.kind,
    at: Date.parse(m.at) || 0,
    depth,
  })).sort((a, b) => a.at - b.at).map((m, i) => ({
    ...m,
    key: `m${lane}.${i}`,
  }));
}

/** Items with marks between them, by time. */
function withMarks(
  items: readonly Item[],
  marks: readonly MarkRow[],
): (Item | MarkRow)[] {
  if (marks.length === 0) return items.slice();
  const merged: (Item | MarkRow)[] = [];
  let next = 0;
  for (const item of items) {
    while (next < marks.length && marks[next]!.at < item.start) {
      merged.push(marks[next++]!);
    }
    merged.push(item);
  }
  return merged.concat(marks.slice(next));
}

/** All rows that are visible with these folds and this filter. */
export function buildRows(
  model: SessionModel,
  folds: Folds,
  wanted: Wanted,
): Row[] {
  const rows: Row[] = [];
  const filtering = isFiltering(wanted);
  const keep = filtering ? kept(model, wanted) : undefined;
  const shown = (items: readonly Item[]) =>
    keep ? items.filter((item) => keep.has(item)) : items;
  const gaps = new Map(
    filtering ? [] : idleGaps(model).map((g) => [g.before, g.ms]),
  );
  const marks = filtering ? [] : markRows(model.detail.session.marks, 0, 0);

  // A stack, not recursion: how deep subagents nest is up to the record.
  const write = (entries: readonly (Item | MarkRow)[]) => {
    const stack = entries.toReversed();
    const enter = (list: readonly (Item | MarkRow)[]) => {
      for (let i = list.length - 1; i >= 0; i--) stack.push(list[i]!);
    };
    const inside = (agent: AgentNode) =>
      filtering ? shown(agent.items) : withMarks(
        agent.items,
        markRows(agent.marks, agent.lane, agent.depth),
      );
    while (stack.length) {
      const item = stack.pop()!;
      if (item.kind === "mark") {
        rows.push(item);
      } else if (item.kind === "agent") {
        const open = !folds.closedAgents.has(item.session.id);
        rows.push({ kind: "agent", key: `a${item.lane}`, agent: item, open });
        if (open) enter(inside(item));
      } else {
        const agent = onlyAgent(item);
        const open = agent
          ? !folds.closedAgents.has(agent.session.id)
          : folds.details.has(item.call.id);
        rows.push({ kind: "call", key: `c${item.number}`, node: item, open });
        if (agent) {
          if (open) enter(inside(agent));
          continue;
        }
        if (open) {
          rows.push({ kind: "detail", key: `d${item.number}`, node: item });
        }
        enter(shown(item.agents));
      }
    }
  };

  for (const turn of model.turns) {
    const items = shown(turn.items);
    if (filtering && items.length === 0) continue;
    const next = model.turns[turn.index + 1]?.start ?? Infinity;
    const ours = marks.filter((m) => m.at >= turn.start && m.at < next);
    if (turn.index === 0) rows.push(...marks.filter((m) => m.at < turn.start));
    const gap = gaps.get(turn.index);
    if (gap !== undefined) {
      rows.push({ kind: "gap", key: `g${turn.index}`, ms: gap });
    }
    const open = isOpen(model, turn, folds, wanted);
    rows.push({ kind: "turn", key: `t${turn.index}`, turn, open });
    if (open) write(withMarks(items, ours));
    else rows.push(...ours);
  }
  return rows;
}
