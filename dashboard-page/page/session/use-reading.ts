/**
 * Where the reader is in a session and what is open, tied to the URL: the part,
 * the filter, the time range, the bars, the chosen finding, the current call or
 * turn.
 *
 * @module
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { How, Nav } from "../base/nav.ts";
import type { Target } from "./Calls.tsx";
import {
  asCallFilter,
  type CallFilter,
  filterCounts,
  passes,
  type TimeRange,
  type Wanted,
} from "./filter.ts";
import type { CallNode, SessionModel, TurnNode } from "./model.ts";
import { agentsAround, numberBefore } from "./navigate.ts";
import { buildRows, type Folds, isOpen, onlyAgent, type Row } from "./rows.ts";
import { asTab, type Tab } from "./Toolbar.tsx";

/** The address follows the keys after this rest, in ms: browsers limit how often it may change. */
const ADDRESS_REST = 300;

/** Everything the view needs to know of the reader, and how to move. */
export interface Reading {
  tab: Tab;
  wanted: Wanted;
  counts: Record<CallFilter, number>;
  wall: boolean;
  /** Id of the chosen finding. */
  finding: string | undefined;
  rows: Row[];
  /** Key of the current row. */
  current: string | undefined;
  /** The current call, where the current row is one. */
  call: CallNode | undefined;
  /** The turn that the current row stands in. */
  turn: TurnNode | undefined;
  target: Target | undefined;
  allOpen: boolean;
  arrived(): void;
  /** Makes a row current; with a target it is brought into sight. */
  choose(key: string, target?: Omit<Target, "key">): void;
  /** Opens or closes what a row holds. */
  toggle(key: string): void;
  toggleAll(): void;
  /** Opens all that hides a call, clears a filter that hides it, and goes there. */
  go(node: CallNode, how?: How, finding?: string): void;
  /** Where the current row stands among the calls, looking forward (1) or back (-1). */
  position(step: 1 | -1): number;
  setTab(tab: Tab): void;
  setFilter(filter: CallFilter): void;
  setRange(range: TimeRange | undefined): void;
  setWall(wall: boolean): void;
  setFinding(id: string | undefined): void;
  /** Unmarks and clears all filters. */
  clear(): void;
}

const NO_FOLDS: Folds = {
  turns: new Map(),
  closedAgents: new Set(),
  details: new Set(),
};

const toggled = (set: ReadonlySet<string>, id: string) => {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
};

const asTime = (text: string | null) => {
  const n = Number(text);
  return text && Number.isFinite(n) ? n : undefined;
};

/** See {@link Reading}. */
export function useReading(model: SessionModel, nav: Nav): Reading {
  const { params } = nav;
  const tab = asTab(params.get("tab"));
  const filter = asCallFilter(params.get("show"));
  const from = asTime(params.get("from"));
  const to = asTime(params.get("to"));
  const wall = params.get("bars") === "wall";
  const finding = params.get("finding") ?? undefined;
  const wanted = useMemo<Wanted>(() => ({
    filter,
    range: from !== undefined && to !== undefined ? [from, to] : undefined,
  }), [filter, from, to]);
  const [folds, setFolds] = useState<Folds>(NO_FOLDS);
  const [current, setCurrent] = useState<string>();
  const [target, setTarget] = useState<Target>();
  const rows = useMemo(() => buildRows(model, folds, wanted), [
    model,
    folds,
    wanted,
  ]);
  const counts = useMemo(() => filterCounts(model, wanted.range), [
    model,
    wanted.range,
  ]);
  const allOpen = model.turns.every((t) => isOpen(model, t, folds, wanted));
  const call = current?.startsWith("c")
    ? model.calls[Number(current.slice(1)) - 1]
    : undefined;

  const index = Number(current?.slice(1));
  const turn = current?.startsWith("t") ? model.turns[index] : model.turns[
    (current?.startsWith("a") ? model.agents[index - 1] : call)?.turn ?? -1
  ];

  const now = useRef({ nav, wanted, folds, current });
  now.current = { nav, wanted, folds, current };

  const reveal = useCallback((node: CallNode) => {
    setFolds((f) => ({
      ...f,
      turns: new Map(f.turns).set(node.turn, true),
      closedAgents: new Set(
        [...f.closedAgents].filter((id) => !agentsAround(node).includes(id)),
      ),
    }));
  }, []);

  const choose = useCallback<Reading["choose"]>((key, aim) => {
    setCurrent(key);
    if (aim) setTarget({ key, ...aim });
  }, []);

  // The address as this view wrote it, so that its own changes are not followed.
  const written = useRef<string>(undefined);
  const addressOf = (key: string | undefined): string | undefined =>
    key?.startsWith("c")
      ? model.calls[Number(key.slice(1)) - 1]?.call.id
      : undefined;
  const turnOf = (key: string | undefined): string | undefined =>
    key?.startsWith("t")
      ? String(model.turns[Number(key.slice(1))]?.turn.number)
      : undefined;

  const go = useCallback<Reading["go"]>((node, how, found) => {
    reveal(node);
    choose(`c${node.number}`, { align: "center", focus: true });
    const changes: Record<string, string | null> = {};
    if (!passes(node, now.current.wanted)) {
      Object.assign(changes, { show: null, from: null, to: null });
    }
    if (found !== undefined) changes.finding = found;
    if (how === "push") {
      written.current = node.call.id;
      Object.assign(changes, { call: node.call.id, turn: null, tab: null });
    }
    if (Object.keys(changes).length) now.current.nav.patch(changes, how);
  }, [reveal, choose]);

  // The address leads: at first, and on back and forward.
  const inAddress = params.get("call") ?? undefined;
  const turnInAddress = params.get("turn") ?? undefined;
  useEffect(() => {
    const asked = inAddress ?? (turnInAddress && `turn ${turnInAddress}`);
    if (asked === undefined || asked === written.current) return;
    written.current = asked;
    const node = inAddress === undefined
      ? undefined
      : model.byId.get(inAddress);
    if (node) {
      go(node);
      return;
    }
    const turn = model.turns.find((t) =>
      String(t.turn.number) === turnInAddress
    );
    if (!turn) return;
    setFolds((f) => ({ ...f, turns: new Map(f.turns).set(turn.index, true) }));
    choose(`t${turn.index}`, { align: "center", focus: true });
  }, [inAddress, turnInAddress, model, go, choose]);

  // The address follows.
  const callId = addressOf(current);
  const turnNumber = turnOf(current);
  useEffect(() => {
    const here = callId ?? (turnNumber && `turn ${turnNumber}`);
    if (here === undefined || here === written.current) return;
    const timer = setTimeout(() => {
      written.current = here;
      now.current.nav.patch({
        call: callId ?? null,
        turn: callId === undefined ? turnNumber ?? null : null,
      });
    }, ADDRESS_REST);
    return () => clearTimeout(timer);
  }, [callId, turnNumber]);

  return useMemo<Reading>(() => {
    /** A filter opens what it finds; without one, the current call stays in sight. */
    const refold = () => {
      setFolds((f) => {
        const turns = new Map<number, boolean>();
        if (turn) turns.set(turn.index, true);
        return { ...f, turns };
      });
    };
    return {
      tab,
      wanted,
      counts,
      wall,
      finding,
      rows,
      current,
      call,
      turn,
      target,
      allOpen,
      arrived: () => setTarget(undefined),
      choose,
      toggle(key) {
        setCurrent(key);
        const n = Number(key.slice(1));
        setFolds((f) => {
          if (key.startsWith("t")) {
            const turn = model.turns[n];
            if (!turn) return f;
            const open = isOpen(model, turn, f, now.current.wanted);
            return { ...f, turns: new Map(f.turns).set(n, !open) };
          }
          const node = key.startsWith("c") ? model.calls[n - 1] : undefined;
          const agent = node ? onlyAgent(node) : model.agents[n - 1];
          if (agent) {
            return {
              ...f,
              closedAgents: toggled(f.closedAgents, agent.session.id),
            };
          }
          return node ? { ...f, details: toggled(f.details, node.call.id) } : f;
        });
      },
      toggleAll: () =>
        setFolds((f) => ({
          ...f,
          turns: new Map(model.turns.map((t) => [t.index, !allOpen])),
        })),
      go,
      position(step) {
        if (current === undefined) return 0;
        const n = Number(current.slice(1));
        if (current.startsWith("c")) return n;
        // Headers stand between calls: before their first when looking on, after it when looking back.
        const before = current.startsWith("t")
          ? numberBefore(model, n)
          : numberBeforeAgent(model, n);
        return step === 1 ? before : before + 1;
      },
      setTab: (t) => nav.patch({ tab: t === "calls" ? null : t }, "push"),
      setFilter(f) {
        refold();
        nav.patch({ show: f === "all" ? null : f, tab: null });
      },
      setRange(range) {
        refold();
        nav.patch({
          from: range ? String(Math.round(range[0])) : null,
          to: range ? String(Math.round(range[1])) : null,
          tab: null,
        });
      },
      setWall: (w) => nav.patch({ bars: w ? "wall" : null }),
      setFinding: (id) => nav.patch({ finding: id ?? null }),
      clear() {
        refold();
        nav.patch({ show: null, from: null, to: null, finding: null });
      },
    };
  }, [
    tab,
    wanted,
    counts,
    wall,
    finding,
    rows,
    current,
    call,
    turn,
    target,
    allOpen,
    choose,
    go,
    model,
    nav,
  ]);
}

/** Number of the last call before a subagent's own. */
function numberBeforeAgent(model: SessionModel, lane: number): number {
  const first = model.calls.find((n) => n.lane === lane);
  return first ? first.number - 1 : 0;
}
