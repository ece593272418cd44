/**
 * A column's header: sorts, says its place in the order, resizes by its edge
 * or by Shift and arrows.
 *
 * @module
 */
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactElement,
  useRef,
} from "react";
import { type ColumnId, COLUMNS } from "./columns.ts";
import type { SortStep } from "./state.ts";

const STEP = 8;
const LEAST = 32;
const MOST = 900;

/** One header cell; scrolling makes none anew. */
export const HeaderCell = memo(
  function HeaderCell({ id, sort, onSort, onSize }: {
    id: ColumnId;
    sort: readonly SortStep[];
    onSort(id: ColumnId, add: boolean): void;
    onSize(id: ColumnId, px: number | undefined): void;
  }): ReactElement {
    const column = COLUMNS[id];
    const cell = useRef<HTMLDivElement>(null);
    const drag = useRef<{ x: number; width: number } | undefined>(undefined);
    const at = sort.findIndex((s) => s.id === id);
    const step = sort[at];
    const width = () => cell.current?.getBoundingClientRect().width ?? LEAST;
    const size = (px: number) =>
      onSize(id, Math.round(Math.min(MOST, Math.max(LEAST, px))));

    const onPointerDown = (event: PointerEvent<HTMLElement>) => {
      event.preventDefault();
      drag.current = { x: event.clientX, width: width() };
      event.currentTarget.setPointerCapture(event.pointerId);
    };
    const onPointerMove = (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (from) size(from.width + event.clientX - from.x);
    };
    const onPointerUp = () => {
      drag.current = undefined;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
      if (!by || !event.shiftKey) return;
      event.preventDefault();
      size(width() + by);
    };

    return (
      <div
        ref={cell}
        role="columnheader"
        aria-sort={step ? step.desc ? "descending" : "ascending" : undefined}
        className={`as-lh as-c-${id}${column.figure ? " as-num" : ""}`}
      >
        <button
          type="button"
          title={`${
            column.title ? `${column.title}. ` : ""
          }Click sorts, Shift adds to the order, Shift and arrows set the width`}
          onClick={(event) => onSort(id, event.shiftKey)}
          onKeyDown={onKeyDown}
        >
          <span className="as-lh-t">
            {column.label}
            {id === "duration" && <span className="as-tot">&nbsp;/ total</span>}
          </span>
          {step && (
            <span className="as-arrow" aria-hidden="true">
              {step.desc ? "↓" : "↑"}
              {sort.length > 1 && <sup>{at + 1}</sup>}
            </span>
          )}
        </button>
        <span
          aria-hidden="true"
          className="as-resize"
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onDoubleClick={() => onSize(id, undefined)}
        />
      </div>
    );
  },
);
