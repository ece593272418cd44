/**
 * The trend strip: calls a day by label, failures beneath, figures before and
 * after a day. Dragging filters by date; the date menu does the same by keys.
 *
 * @module
 */
import {
  type PointerEvent,
  type ReactElement,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Day } from "../../client/queries.ts";
import { plural, whole } from "../base/format.ts";
import { Key } from "../base/marks.tsx";
import { brushDays, figuresOf } from "./trend.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const BASE = 31;
const HANG = 6;
/** Less than this across the strip is a click. */
const CLICK = 0.012;

const dayLabel = (day: string) =>
  `${day.slice(8)} ${MONTHS[Number(day.slice(5, 7)) - 1]}`;

/** A figure a day; the tenths of a large one tell nothing. */
const aDay = (n: number) => n < 10 ? n.toFixed(1) : whole(Math.round(n));

/** The bars: a path a colour, for every element costs before the first rows. */
function Bars({ strip }: { strip: readonly Day[] }): ReactElement {
  const most = Math.max(1, ...strip.map((d) => d.calls));
  const mostFailed = Math.max(1, ...strip.map((d) => d.failed));
  const height = (n: number) => n / most * BASE;
  const paths = { n: "", s: "", b: "", x: "" };
  strip.forEach((d, i) => {
    const bar = (of: keyof typeof paths, y: number, h: number) => {
      if (h <= 0) return;
      paths[of] += `M${i + 0.12} ${y.toFixed(2)}h.76v${h.toFixed(2)}h-.76z`;
    };
    const all = height(d.calls);
    const s = height(d.swamp);
    const b = height(d.bypass);
    bar("n", BASE - all, all - s - b);
    bar("s", BASE - s - b, s);
    bar("b", BASE - b, b);
    bar("x", 33, Math.sqrt(d.failed / mostFailed) * HANG);
  });
  return (
    <svg
      viewBox={`0 0 ${strip.length} 40`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Calls a day for ${strip.length} days by label, with failed calls beneath`}
    >
      {(["n", "s", "b", "x"] as const).map((of) => (
        <path key={of} className={`as-fill-${of}`} d={paths[of]} />
      ))}
    </svg>
  );
}

function Figure({ of, label, before, after }: {
  of: "bypass" | "neutral" | "failed";
  label: string;
  /** Absent where nothing is compared. */
  before: string | undefined;
  after: string;
}): ReactElement {
  return (
    <div>
      <dt>
        <Key of={of} />
        {label}
      </dt>
      <dd>
        {before !== undefined && (
          <>
            {`${before} `}
            <span aria-hidden="true">→</span>
            <span className="as-vh">to</span>
            {" "}
          </>
        )}
        {after}
      </dd>
    </div>
  );
}

/** The strip; `split` is the index of the before/after day, -1 for none. */
export function Trend({ strip, split, from, to, onBrush, onSplit }: {
  strip: readonly Day[];
  split: number;
  /** The date filter, yyyy-mm-dd or "". */
  from: string;
  to: string;
  onBrush(days: { from: string; to: string } | undefined): void;
  onSplit(day: string): void;
}): ReactElement {
  const plot = useRef<HTMLDivElement>(null);
  const start = useRef<number | undefined>(undefined);
  const [drag, setDrag] = useState<[number, number]>();
  const [hover, setHover] = useState(-1);
  const bars = useMemo(() => <Bars strip={strip} />, [strip]);
  const none = strip.every((d) => d.sessions === 0);
  const after = figuresOf(split > 0 ? strip.slice(split) : strip);
  const before = split > 0 ? figuresOf(strip.slice(0, split)) : undefined;

  const at = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    if (!box?.width) return 0;
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    start.current = at(event);
    plot.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const x = at(event);
    setHover(Math.min(strip.length - 1, Math.floor(x * strip.length)));
    if (start.current !== undefined && Math.abs(x - start.current) > CLICK) {
      setDrag([Math.min(x, start.current), Math.max(x, start.current)]);
    }
  };
  const onPointerUp = (event: PointerEvent) => {
    const x0 = start.current;
    start.current = undefined;
    setDrag(undefined);
    if (x0 === undefined) return;
    const x = at(event);
    if (Math.abs(x - x0) > CLICK) onBrush(brushDays(strip, x0, x));
    else if (from || to) onBrush(undefined);
    else {
      const day =
        strip[Math.min(strip.length - 1, Math.floor(x * strip.length))];
      if (day) onSplit(day.day);
    }
  };

  const index = (day: string) => strip.findIndex((d) => d.day === day);
  const first = from ? index(from) : 0;
  const last = to ? index(to) : strip.length - 1;
  const brush = drag ?? ((from || to) && (first >= 0 || last >= 0)
    ? [
      Math.max(0, first) / strip.length,
      ((last < 0 ? strip.length - 1 : last) + 1) / strip.length,
    ]
    : undefined);
  const ends = [strip[0], strip.at(-1)];
  const hovered = strip[hover];
  const splitDay = strip[split];
  const percent = (x: number) => `${(x * 100).toFixed(1)} %`;
  const figure = (pick: (f: typeof after) => string) => ({
    before: before && pick(before),
    after: pick(after),
  });

  return (
    <section className="as-trend" aria-label={`Last ${strip.length} days`}>
      <div
        ref={plot}
        className="as-plot"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setHover(-1)}
        onPointerCancel={() => {
          start.current = undefined;
          setDrag(undefined);
        }}
      >
        {none
          ? (
            <p className="as-dim">
              {`No session in these ${strip.length} days`}
            </p>
          )
          : bars}
        {splitDay && (
          <div
            className={split > strip.length * 0.6
              ? "as-split as-split-late"
              : "as-split"}
            style={{ left: `${split / strip.length * 100}%` }}
          >
            {!hovered && (
              <span>{`before / after ${dayLabel(splitDay.day)}`}</span>
            )}
          </div>
        )}
        {hovered && (
          <div
            className="as-hover"
            style={hover < strip.length / 2
              ? { left: `${(hover + 1) / strip.length * 100}%` }
              : { right: `${(1 - hover / strip.length) * 100}%` }}
          >
            <b>{dayLabel(hovered.day)}</b>
            {` ${plural(hovered.sessions, "session")} · ${
              plural(hovered.calls, "call")
            } · ${whole(hovered.bypass)} bypass · ${
              whole(hovered.failed)
            } failed`}
          </div>
        )}
        {brush && (
          <div
            className="as-tbrush"
            style={{
              left: `${(brush[0] ?? 0) * 100}%`,
              width: `${((brush[1] ?? 1) - (brush[0] ?? 0)) * 100}%`,
            }}
          />
        )}
        <div className="as-axis" aria-hidden="true">
          {ends.map((d, i) => d && <span key={i}>{dayLabel(d.day)}</span>)}
          {strip.map((d, i) =>
            // Not where an end is named.
            d.day.endsWith("-01") && i > strip.length * 0.14 &&
              i < strip.length * 0.82
              ? (
                <span
                  key={d.day}
                  style={{ left: `${i / strip.length * 100}%` }}
                >
                  {MONTHS[Number(d.day.slice(5, 7)) - 1]}
                </span>
              )
              : null
          )}
        </div>
      </div>
      <dl>
        <Figure
          of="bypass"
          label="Bypass share"
          {...figure((f) => percent(f.bypassShare))}
        />
        <Figure
          of="neutral"
          label="Calls a day"
          {...figure((f) => aDay(f.callsADay))}
        />
        <Figure
          of="failed"
          label="Failed a day"
          {...figure((f) => aDay(f.failedADay))}
        />
      </dl>
    </section>
  );
}

/** The strip's shape while nothing is there yet. */
export function TrendSkeleton(): ReactElement {
  return (
    <div className="as-trend" aria-hidden="true">
      <div className="as-plot as-plot-bones" />
      <dl>
        {(["bypass", "neutral", "failed"] as const).map((of) => (
          <div key={of}>
            <dt>
              <Key of={of} />
              {{
                bypass: "Bypass share",
                neutral: "Calls a day",
                failed: "Failed a day",
              }[of]}
            </dt>
            <dd>
              <span className="as-sk as-sk-fig" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
