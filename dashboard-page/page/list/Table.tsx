/**
 * The table: a sticky header and virtual rows. What it shows is decided
 * outside, by pure functions; TanStack Virtual keeps the rows.
 *
 * @module
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  memo,
  type MouseEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import type { Row } from "../../client/rows.ts";
import {
  clock,
  dayMonth,
  oneLine,
  percent,
  plural,
  whole,
} from "../base/format.ts";
import { isPlainClick } from "../base/nav.ts";
import { cellContent, cellTitle, cellTone } from "./cells.tsx";
import { type ColumnId, COLUMNS, isColumnId } from "./columns.ts";
import { type GroupItem, isGroup, type Item } from "./derive.ts";
import { HeaderCell } from "./HeaderCell.tsx";
import type { ListState } from "./state.ts";

const ROW = 32;
/** Two lines. */
const NARROW_ROW = 56;
const GROUP = 28;
const HEADER = 30;
/** About what stands above the table in a window of usual size. */
const ABOVE = 260;

/** Where the table is, kept while a session is open. */
export interface ListMemory {
  scrollTop: number;
  /** The current row's session. */
  current: string | undefined;
}

/** What the table needs. */
export interface TableProps {
  items: readonly Item[];
  state: ListState;
  narrow: boolean;
  now: number;
  memory: ListMemory;
  /** The current row; a new object scrolls to it and focuses it. */
  current: { id: string | undefined; focus: boolean };
  hrefOf(id: string): string;
  onOpen(id: string): void;
  onPick(id: string): void;
  onCurrent(id: string): void;
  onSort(id: ColumnId, add: boolean): void;
  onSize(id: ColumnId, px: number | undefined): void;
}

interface LineProps {
  row: Row;
  index: number;
  top: number;
  height: number;
  columns: readonly ColumnId[];
  narrow: boolean;
  hrefOf(id: string): string;
  tabStop: boolean;
  current: boolean;
  picked: boolean;
  now: number;
}

const Line = memo(function Line(props: LineProps): ReactElement {
  const { row, index, top, height, columns, narrow, tabStop, now } = props;
  const how = {
    href: props.hrefOf(row.id),
    tabIndex: tabStop ? 0 : -1,
    narrow,
    now,
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.picked}
      data-id={row.id}
      className={props.current ? "as-lr as-cur" : "as-lr"}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div role="cell" className="as-lc as-c-pick">
        <input
          type="checkbox"
          aria-label={`Select ${oneLine(row.repo, 60)}, ${
            dayMonth(row.start, now)
          } ${clock(row.start)}`}
          checked={props.picked}
          tabIndex={how.tabIndex}
          readOnly
        />
      </div>
      {columns.map((id) => (
        <div
          role="cell"
          key={id}
          className={`as-lc as-c-${id}${COLUMNS[id].figure ? " as-num" : ""}${
            cellTone(id, row)
          }`}
          title={cellTitle(id, row)}
        >
          {cellContent(id, row, how)}
        </div>
      ))}
    </div>
  );
});

function GroupLine(
  { item, top, sticky, span }: {
    item: GroupItem;
    top?: number;
    sticky?: boolean;
    span: number;
  },
): ReactElement {
  return (
    <div
      role={sticky ? undefined : "row"}
      aria-hidden={sticky}
      className={sticky ? "as-grp as-grp-sticky" : "as-grp"}
      style={top === undefined
        ? undefined
        : { transform: `translateY(${top}px)` }}
    >
      <div role={sticky ? undefined : "rowheader"} aria-colspan={span}>
        <bdi>{oneLine(item.label, 120)}</bdi>
        <span className="as-dim">
          {`${plural(item.sessions, "session")} · ${
            whole(item.calls)
          } calls · ${percent(item.bypass, item.calls)} bypass`}
        </span>
      </div>
    </div>
  );
}

/** The table of sessions. */
export function SessionTable(props: TableProps): ReactElement {
  const { items, state, narrow, now, memory, current } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // The same columns stay the same array, so that rows need not be made again.
  const columnKey = state.order.filter((id) => !state.hidden.includes(id))
    .join(",");
  const columns = useMemo(
    () => columnKey.split(",").filter(isColumnId),
    [columnKey],
  );
  const sizes = Object.fromEntries(
    Object.entries(state.sizes).map(([id, px]) => [`--as-w-${id}`, `${px}px`]),
  ) as CSSProperties;

  const rowHeight = narrow ? NARROW_ROW : ROW;
  const header = narrow ? 0 : HEADER;
  // New functions make the virtualizer measure all lines anew: only new lines
  // may do that, not every frame of a scroll.
  const getItemKey = useCallback((i: number) => {
    const item = items[i];
    return !item ? i : isGroup(item) ? `g:${item.key}` : item.id;
  }, [items]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => (isGroup(items[i]) ? GROUP : rowHeight),
    getItemKey,
    overscan: 6,
    scrollMargin: header,
    scrollPaddingStart: header + (state.group ? GROUP : 0),
    initialOffset: memory.scrollTop,
    // About what it will have: so the first rows come in the first pass.
    initialRect: { width: 0, height: Math.max(200, innerHeight - ABOVE) },
    // The offset it knows: asking the element would lay the page out anew.
    onChange: ({ scrollOffset }) => {
      if (scrollOffset !== null) memory.scrollTop = scrollOffset;
    },
  });
  // Sizes are known, not measured: tell when they are others.
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measured.current === rowHeight) return;
    measured.current = rowHeight;
    virtual.measure();
  }, [virtual, rowHeight]);

  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = memory.scrollTop;
  }, [memory]);

  useEffect(() => {
    if (!current.focus || current.id === undefined) return;
    const at = items.findIndex((i) => !isGroup(i) && i.id === current.id);
    if (at < 0) return;
    virtual.scrollToIndex(at, { align: "auto" });
    // The row may be mounted only by the scroll.
    let tries = 5;
    let frame = 0;
    const focus = () => {
      const link = scroller.current?.querySelector<HTMLElement>(
        `[data-id="${CSS.escape(current.id ?? "")}"] a`,
      );
      if (link) link.focus({ preventScroll: true });
      else if (tries-- > 0) frame = requestAnimationFrame(focus);
    };
    focus();
    return () => cancelAnimationFrame(frame);
    // Only a new wish moves the focus, not new items.
  }, [current]);

  const lines = virtual.getVirtualItems();
  const first = items.find((i) => !isGroup(i));
  const stop = current.id ?? (first && !isGroup(first) ? first.id : "");
  const offset = virtual.scrollOffset ?? 0;
  let under: GroupItem | undefined;
  if (state.group && offset > 0) {
    const line = lines.find((l) => l.end - header > offset);
    for (let i = line?.index ?? -1; i >= 0 && !under; i--) {
      const item = items[i];
      if (isGroup(item)) under = item;
    }
  }

  const rowAt = (event: MouseEvent): string | undefined =>
    (event.target as Element).closest<HTMLElement>("[data-id]")?.dataset.id;
  const onClick = (event: MouseEvent) => {
    const id = rowAt(event);
    if (id === undefined) return;
    if ((event.target as Element).closest(".as-c-pick")) {
      props.onCurrent(id);
      props.onPick(id);
    } else if (isPlainClick(event)) {
      // Text that was just marked is not a wish to leave.
      if (String(getSelection() ?? "")) return;
      event.preventDefault();
      props.onOpen(id);
    }
  };

  return (
    <div
      ref={scroller}
      className="as-scroll"
      tabIndex={0}
      role="region"
      aria-label="Sessions"
    >
      <div
        role="table"
        aria-label="Sessions"
        aria-rowcount={items.length + 1}
        aria-colcount={columns.length + 1}
        className="as-table"
        style={sizes}
      >
        <div role="rowgroup" className="as-thead">
          <div role="row" aria-rowindex={1} className="as-lr-h">
            <div role="columnheader" className="as-lh as-c-pick">
              <span className="as-vh">Select</span>
            </div>
            {columns.map((id) => (
              <HeaderCell
                key={id}
                id={id}
                sort={state.sort}
                onSort={props.onSort}
                onSize={props.onSize}
              />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className="as-tbody"
          style={{ height: virtual.getTotalSize() }}
          onClick={onClick}
        >
          {under && <GroupLine item={under} sticky span={columns.length + 1} />}
          {lines.map((line) => {
            const item = items[line.index];
            if (!item) return null;
            const top = line.start - header;
            return isGroup(item)
              ? (
                <GroupLine
                  key={line.key}
                  item={item}
                  top={top}
                  span={columns.length + 1}
                />
              )
              : (
                <Line
                  key={line.key}
                  row={item}
                  index={line.index}
                  top={top}
                  height={rowHeight}
                  columns={columns}
                  narrow={narrow}
                  hrefOf={props.hrefOf}
                  tabStop={item.id === stop}
                  current={item.id === current.id}
                  picked={state.picked.includes(item.id)}
                  now={now}
                />
              );
          })}
        </div>
      </div>
    </div>
  );
}

/** Bones in the shape of the table, while nothing is there yet. */
export function TableSkeleton({ columns }: {
  columns: readonly ColumnId[];
}): ReactElement {
  return (
    <div className="as-scroll as-bones" aria-hidden="true">
      <div className="as-lr-h">
        <div className="as-lh as-c-pick" />
        {columns.map((id) => (
          <div
            key={id}
            className={`as-lh as-c-${id}${COLUMNS[id].figure ? " as-num" : ""}`}
          >
            {COLUMNS[id].label}
          </div>
        ))}
      </div>
      <div className="as-bones-in as-lr">
        <div className="as-lc as-c-pick" />
        {columns.map((id, i) => (
          <div key={id} className={`as-lc as-c-${id}`}>
            <span
              className="as-sk"
              style={{
                width: `${50 + i * 13 % 45}%`,
                ...(COLUMNS[id].figure ? { marginLeft: "auto" } : {}),
              }}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
