/**
 * The whole session as lanes. Dragging filters by time, a click on a turn's
 * number filters to that turn, a click on a call goes to it. All of it can be
 * done in the list by keyboard; the strip itself is one picture with a name.
 *
 * @module
 */
import {
  type PointerEvent,
  type ReactElement,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { oneLine, plural, span } from "../base/format.ts";
import type { TimeRange } from "./filter.ts";
import { pressedTimes } from "./gaps.ts";
import {
  callAt,
  chosenPaths,
  LANE,
  lanePaths,
  lanesOf,
  type Paint,
  PAINTS,
} from "./lanes.ts";
import { lengthOf, type SessionModel } from "./model.ts";
import { type Segment, timeAxis } from "./scale.ts";
import { useSize } from "./use-scroller.ts";

/** More lanes than this scroll inside the strip. */
const MOST_LANES = 8;
/** A drag shorter than this, in px, is a click. */
const DRAG = 4;

/** The lane strip. */
export function Lanes(
  { model, chosen, range, onRange, onGo }: {
    model: SessionModel;
    /** Calls to bring out; the others step back. */
    chosen: ReadonlySet<string>;
    range: TimeRange | undefined;
    onRange(range: TimeRange | undefined): void;
    onGo(call: string): void;
  },
): ReactElement {
  const track = useRef<HTMLDivElement>(null);
  const { width } = useSize(track);
  const stripes = `as-st-${useId().replace(/[^\w-]/g, "")}`;
  const axis = useMemo(
    () => timeAxis(model.start, model.end, pressedTimes(model)),
    [model],
  );
  const lanes = useMemo(() => lanesOf(model), [model]);
  const paths = useMemo(
    () => lanePaths(model, axis, width),
    [model, axis, width],
  );
  const bright = useMemo(
    () => chosenPaths(model, axis, width, chosen),
    [model, axis, width, chosen],
  );
  const [drag, setDrag] = useState<readonly [number, number]>();
  const from = useRef<number>(undefined);

  const place = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    return {
      x: Math.min(box.width, Math.max(0, event.clientX - box.left)),
      lane: Math.floor((event.clientY - box.top) / LANE) - 1,
    };
  };
  const onDown = (event: PointerEvent) => {
    if (event.button === 0) from.current = place(event).x;
  };
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const { x, lane } = place(event);
    if (from.current === undefined) {
      const node = callAt(model, axis, width, lane, x);
      const ms = node && lengthOf(node);
      event.currentTarget.title = node
        ? `#${node.number} ${node.call.category}${
          ms === undefined ? "" : ` ${span(ms)}`
        }: ${oneLine(node.call.text, 80)}`
        : "";
      return;
    }
    if (Math.abs(x - from.current) < DRAG && !drag) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag([Math.min(x, from.current), Math.max(x, from.current)]);
  };
  const onUp = (event: PointerEvent) => {
    if (from.current === undefined) return;
    from.current = undefined;
    setDrag(undefined);
    if (drag) {
      onRange([axis.time(drag[0] / width), axis.time(drag[1] / width)]);
      return;
    }
    const { x, lane } = place(event);
    if (lane < 0) {
      const time = axis.time(x / width);
      const turn = model.turns.findLast((t) => t.start <= time);
      onRange(turn && [turn.start, Math.max(turn.end, turn.start + 1)]);
      return;
    }
    const node = callAt(model, axis, width, lane, x);
    if (node) onGo(node.call.id);
    else onRange(undefined);
  };

  const brush = drag ?? (range && [
    axis.x(range[0]) * width,
    axis.x(range[1]) * width,
  ]);
  const fill = (paint: Paint) =>
    paint === "mutating" ? `url(#${stripes})` : undefined;
  const height = LANE * (lanes.length + 1);
  const scrolls = lanes.length > MOST_LANES;
  const upright = width < 540;
  const pressed = axis.segments.filter((s) => s.pressed !== undefined);
  const lengths = (still: boolean) =>
    pressed.filter((s) => Boolean(s.still) === still)
      .map((s) => span(s.pressed!)).join(", ");
  const [idle, still] = [lengths(false), lengths(true)];
  const words = `The whole session as a timeline: ${
    plural(lanes.length, "lane")
  }, coloured by label.${idle && ` Idle, pressed together: ${idle}.`}${
    still && ` Nothing began or ended, pressed together: ${still}.`
  }`;
  /** What a pressed time says: what has no room is left out, never half shown. */
  const pressedWord = (s: Segment) => {
    const length = span(s.pressed!).replace(/ \d\ds$/, "");
    const room = (s.x1 - s.x0) * width;
    const along = upright ? height : room;
    const fits = (text: string) =>
      7 * text.length + 4 < along && (!upright || room > 12);
    if (!fits(length)) return undefined;
    // Lying, the second word goes into a second line.
    const idle = !s.still && lanes.length > 1 &&
      (upright ? fits(`${length} idle`) : room > 28);
    return idle ? `${length} idle` : length;
  };
  return (
    <div
      className={`as-lanes${scrolls ? " as-lanes-many" : ""}${
        chosen.size ? " as-dimmed" : ""
      }${upright ? " as-lanes-up" : ""}`}
      tabIndex={scrolls ? 0 : undefined}
      role="group"
      aria-label="Timeline"
    >
      <div className="as-lane-names">
        <div className="as-dim">turn</div>
        {lanes.map((lane, i) => (
          <div
            key={i}
            title={oneLine(lane.name, 120)}
            style={{
              paddingLeft: `calc(var(--as-lane-in) * ${
                Math.min(lane.depth, 4)
              })`,
            }}
          >
            <bdi>{oneLine(lane.name, 60)}</bdi>{" "}
            <span className="as-dim">{lane.calls}</span>
          </div>
        ))}
      </div>
      <div
        ref={track}
        className="as-track"
        role="img"
        aria-label={words}
        style={{ height }}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => {
          from.current = undefined;
          setDrag(undefined);
        }}
      >
        {model.turns.map((t, i) => {
          const x = axis.x(t.start);
          const next = model.turns[i + 1];
          const to = next ? axis.x(next.start) : 1;
          // A number without room is left out, never half shown.
          const free = pressed.find((s) => s.to > t.start)?.x0 ?? 1;
          const fits = (Math.min(to, Math.max(x, free)) - x) * width >
            7 * String(t.turn.number).length + 4;
          return (
            <span
              key={i}
              className="as-ax"
              style={{ left: `${x * 100}%`, width: `${(to - x) * 100}%` }}
            >
              {fits && t.turn.number}
            </span>
          );
        })}
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <defs>
              <pattern
                id={stripes}
                width="4"
                height="4"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect className="as-fill-b" width="4" height="4" />
                <rect className="as-stripe" width="1.6" height="4" />
              </pattern>
            </defs>
            {lanes.map((lane, i) => (
              <g key={i} transform={`translate(0 ${LANE * (i + 1)})`}>
                {lane.span
                  ? (
                    <rect
                      className="as-lane-bed"
                      x={axis.x(lane.span[0]) * width}
                      y="1"
                      width={Math.max(
                        1,
                        (axis.x(lane.span[1]) - axis.x(lane.span[0])) * width,
                      )}
                      height="10"
                      rx="1"
                    />
                  )
                  : (
                    <rect
                      className="as-lane-line"
                      y="6"
                      width={width}
                      height="1"
                    />
                  )}
                <g className="as-lane-calls">
                  {PAINTS.map((paint) =>
                    paths[i]?.paints[paint] && (
                      <path
                        key={paint}
                        className={`as-p-${paint}`}
                        fill={fill(paint)}
                        d={paths[i]!.paints[paint]}
                      />
                    )
                  )}
                </g>
                {paths[i]?.bad && (
                  <path className="as-p-bad" d={paths[i]!.bad} />
                )}
              </g>
            ))}
            {bright.map((b) => (
              <path
                key={b.id}
                className={`as-p-${b.paint} as-p-chosen`}
                fill={fill(b.paint)}
                transform={`translate(0 ${LANE * (b.lane + 1)})`}
                d={b.path}
              />
            ))}
          </svg>
        )}
        {pressed.map((s) => {
          const word = pressedWord(s);
          return (
            <div
              key={s.from}
              className="as-idle"
              style={{
                left: `${s.x0 * 100}%`,
                width: `${(s.x1 - s.x0) * 100}%`,
              }}
            >
              {word && <span>{word}</span>}
            </div>
          );
        })}
        {brush && (
          <div
            className="as-brush"
            style={{ left: brush[0], width: brush[1]! - brush[0]! }}
          />
        )}
      </div>
    </div>
  );
}
