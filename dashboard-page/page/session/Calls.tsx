/**
 * The call list: only the rows in sight exist. It scrolls with whatever
 * scrolls around the page, under the sticky lanes.
 *
 * @module
 */
import {
  defaultRangeExtractor,
  elementScroll,
  type Range,
  useVirtualizer,
} from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type ReactElement,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { MarkKind } from "../../../schema/mod.ts";
import { clockSeconds, span } from "../base/format.ts";
import {
  AgentRow,
  CallRow,
  DetailRow,
  type RowActions,
  TurnRow,
} from "./CallRows.tsx";
import { lengthOf, type SessionModel } from "./model.ts";
import type { Row } from "./rows.ts";
import { LOG_GRID } from "./scale.ts";
import { onResize, onScroll, useScroller, viewOf } from "./use-scroller.ts";

/** Below this container width a call takes two lines; as in the style sheet. */
const NARROW = 640;

const MARK_WORDS: Readonly<Record<MarkKind, string>> = {
  compaction: "context compacted",
  recap: "recap written",
  interruption: "interrupted",
  rollback: "rolled back to an earlier point",
};

/**
 * Heights of rows in px, as in the style sheet. They are given, not measured:
 * measuring each new row costs more than painting it. Only details vary.
 */
function heightOf(
  row: Row | undefined,
  narrow: boolean,
  wall: boolean,
): number {
  switch (row?.kind) {
    case "turn":
      return narrow ? 38 : 36;
    case "gap":
    case "mark":
      return 28;
    case "detail":
      return 110;
    default:
      return narrow ? (wall ? 66 : 54) : 32;
  }
}

/** The grid lines of all bars, painted once a row as a background. */
const GRID_STYLE = {
  "--as-gl": LOG_GRID.map((line) =>
    `linear-gradient(var(--border-subtle) 0 0) ${line.at}% 0 / 1px 100% no-repeat`
  ).join(","),
} as CSSProperties;

/** Where to scroll, and whether the focus goes along. */
export interface Target {
  key: string;
  align: "center" | "auto" | "start";
  focus: boolean;
}

/** The list. */
export function Calls(
  {
    model,
    rows,
    current,
    marked,
    slowFrom,
    wall,
    why,
    sticky,
    target,
    onArrived,
    actions,
  }: {
    model: SessionModel;
    rows: readonly Row[];
    /** Key of the current row. */
    current: string | undefined;
    /** Ids of marked calls. */
    marked: ReadonlySet<string>;
    /** Length from which a call is slow, in ms. */
    slowFrom: number;
    wall: boolean;
    /** Id of the call whose reason is shown. */
    why: string | undefined;
    /** The sticky block above, which covers the top of the view. */
    sticky: RefObject<HTMLElement | null>;
    /** A row to bring into sight, once. */
    target: Target | undefined;
    onArrived(): void;
    actions: RowActions;
  },
): ReactElement {
  const table = useRef<HTMLDivElement>(null);
  const scroller = useScroller(table);
  const [above, setAbove] = useState({ margin: 0, cover: 0, narrow: false });

  // How far down the list begins, and how much of the view is covered.
  useLayoutEffect(() => {
    const element = table.current;
    if (!element || !scroller) return;
    const measure = () => {
      const top = scroller === document.documentElement
        ? 0
        : scroller.getBoundingClientRect().top;
      const margin = Math.round(
        element.getBoundingClientRect().top - top + scroller.scrollTop,
      );
      const stuck = sticky.current &&
        getComputedStyle(sticky.current).position === "sticky";
      const cover = stuck ? sticky.current!.offsetHeight : 0;
      const narrow = element.offsetWidth <= NARROW;
      setAbove((was) =>
        was.margin === margin && was.cover === cover && was.narrow === narrow
          ? was
          : { margin, cover, narrow }
      );
    };
    const page = element.closest<HTMLElement>(".as") ?? element;
    const stops = [onResize(page, measure), onResize(scroller, measure)];
    if (sticky.current) stops.push(onResize(sticky.current, measure));
    return () => stops.forEach((stop) => stop());
  }, [scroller, sticky]);

  const at = rows.findIndex((r) => r.key === current);
  const rangeExtractor = useCallback((range: Range) => {
    const seen = defaultRangeExtractor(range);
    // The current row keeps existing, so that the focus is not lost with it.
    if (at >= 0 && at < seen[0]!) seen.unshift(at);
    else if (at > seen[seen.length - 1]!) seen.push(at);
    return seen;
  }, [at]);
  const virtual = useVirtualizer<HTMLElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (i) => heightOf(rows[i], above.narrow, wall),
    getItemKey: (i) => rows[i]!.key,
    scrollMargin: above.margin,
    scrollPaddingStart: above.cover,
    overscan: 8,
    rangeExtractor,
    observeElementRect: (instance, tell) => {
      const element = instance.scrollElement;
      return element
        ? onResize(element, () => tell(viewOf(element)))
        : undefined;
    },
    observeElementOffset: (instance, tell) => {
      const element = instance.scrollElement;
      return element ? onScroll(element, tell) : undefined;
    },
    scrollToFn: elementScroll,
  });
  // Heights differ between the layouts.
  useLayoutEffect(() => virtual.measure(), [virtual, above.narrow, wall]);

  // A row asked for may exist only after the next paint: until then it is wanted.
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (!target || !scroller) return;
    const index = rows.findIndex((r) => r.key === target.key);
    onArrived();
    if (index < 0) return;
    virtual.scrollToIndex(index, { align: target.align });
    if (target.focus) wanted.current = target.key;
  }, [target, rows, scroller, virtual, onArrived]);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = table.current?.querySelector<HTMLElement>(
      `[data-key="${wanted.current}"] .as-x`,
    );
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });

  return (
    <div
      ref={table}
      className={`as-calls${wall ? " as-wall" : ""}`}
      role="table"
      aria-label="Calls by turn"
      aria-rowcount={rows.length + 1}
      style={GRID_STYLE}
    >
      <div role="rowgroup" className="as-vh">
        <div role="row" aria-rowindex={1}>
          {[
            "Open",
            "Number",
            "State",
            "Label",
            "Tool",
            "Argument",
            wall ? "Wall clock" : "Length, log scale",
            "Time",
            "Exit",
          ]
            .map((name) => <span key={name} role="columnheader">{name}</span>)}
        </div>
      </div>
      <div
        role="rowgroup"
        className="as-rows"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          const id = row.kind === "call" || row.kind === "detail"
            ? row.node.call.id
            : undefined;
          const hit = row.kind === "call" && marked.has(row.node.call.id);
          return (
            <div
              key={item.key}
              ref={row.kind === "detail" ? virtual.measureElement : undefined}
              role="row"
              aria-rowindex={item.index + 2}
              data-index={item.index}
              data-key={row.key}
              data-call={id}
              className={`as-row as-row-${row.kind}${
                row.key === current ? " as-cur" : ""
              }${hit ? " as-hit" : ""}`}
              style={{
                transform: `translateY(${item.start - above.margin}px)`,
              }}
            >
              <RowBody
                row={row}
                model={model}
                slowFrom={slowFrom}
                wall={wall}
                why={id !== undefined && id === why}
                actions={actions}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function RowBody(
  { row, model, slowFrom, wall, why, actions }: {
    row: Row;
    model: SessionModel;
    slowFrom: number;
    wall: boolean;
    why: boolean;
    actions: RowActions;
  },
): ReactElement {
  switch (row.kind) {
    case "gap":
      return (
        <div className="as-gap" role="cell">
          <span>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <circle cx="6" cy="6" r="4.8" />
              <path d="M6 3.2V6l1.8 1.3" />
            </svg>
            {` idle ${span(row.ms).replace(/^(\d+)m \d\ds$/, "$1 min")}`}
          </span>
        </div>
      );
    case "mark":
      return (
        <div className="as-mark" role="cell">
          <span title={clockSeconds(row.at)}>{MARK_WORDS[row.mark]}</span>
        </div>
      );
    case "turn":
      return (
        <TurnRow
          turn={row.turn}
          open={row.open}
          rowKey={row.key}
          actions={actions}
        />
      );
    case "agent":
      return (
        <AgentRow
          agent={row.agent}
          turn={model.turns[row.agent.turn]!}
          open={row.open}
          wall={wall}
          rowKey={row.key}
          actions={actions}
        />
      );
    case "detail":
      return <DetailRow node={row.node} actions={actions} />;
    case "call":
      return (
        <CallRow
          node={row.node}
          turn={model.turns[row.node.turn]!}
          open={row.open}
          slow={row.node.agents.length === 0 &&
            row.node.call.state !== "background" &&
            (lengthOf(row.node) ?? 0) >= slowFrom}
          wall={wall}
          whyOpen={why}
          rowKey={row.key}
          actions={actions}
        />
      );
  }
}

/** The columns' names for the eye, in the sticky block; the table has its own. */
export function CallHead({ wall }: { wall: boolean }): ReactElement {
  return (
    <div className={`as-chead${wall ? " as-wall" : ""}`} aria-hidden="true">
      <span />
      <span className="as-num">#</span>
      <span />
      <span>Label</span>
      <span>Tool</span>
      <span>Argument</span>
      <span className="as-ticks">
        {wall
          ? (
            <>
              <span className="as-tick-first">start of turn</span>
              <span className="as-tick-last">end of turn</span>
            </>
          )
          : LOG_GRID.filter((line) =>
            line.word
          ).map((line) => (
            <span key={line.at} style={{ left: `${line.at}%` }}>
              {line.word}
            </span>
          ))}
      </span>
      <span className="as-num">Time</span>
      <span className="as-num">Exit</span>
    </div>
  );
}
