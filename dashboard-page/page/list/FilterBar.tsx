/**
 * The one filter bar: search, dates, facets; what does not fit is under More.
 *
 * @module
 */
import {
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { dayMonth, dayStart, oneLine } from "../base/format.ts";
import { SearchGlyph } from "../base/glyphs.tsx";
import type { Changes } from "../base/nav.ts";
import { PopoverButton } from "../base/widgets.tsx";
import { type FacetId, FACETS, facetWord, type Filtered } from "./facets.ts";
import { DateMenu, FacetMenu, GroupMenu, SortMenu, SPANS } from "./menus.tsx";
import { type ListState, sortParam } from "./state.ts";
import type { Room } from "./use-room.ts";

const SHOWN: Readonly<Record<Room, readonly FacetId[]>> = {
  wide: [
    "repo",
    "harness",
    "mode",
    "label",
    "finding",
    "substance",
    "flag",
    "model",
  ],
  middle: ["repo", "harness", "mode", "label", "finding"],
  small: ["repo", "harness", "label", "finding"],
  narrow: ["repo", "label", "finding"],
};

function dateLabel(state: ListState): ReactElement | string {
  if (!state.from && !state.to) {
    const label = SPANS.find(([days]) => days === state.last)?.[1] ??
      `Last ${state.last} days`;
    return state.last ? <span className="as-n">{label}</span> : label;
  }
  const name = (day: string) => (day ? dayMonth(dayStart(day)) : "…");
  return (
    <span className="as-n">
      {state.from === state.to
        ? name(state.from)
        : `${name(state.from)} – ${name(state.to)}`}
    </span>
  );
}

/**
 * The facets that stand in the bar: one after the other goes under More, those
 * without a choice first, until what is left fits one line.
 */
function useFitting(
  room: Room,
  state: ListState,
): [readonly FacetId[], RefObject<HTMLDivElement | null>] {
  const bar = useRef<HTMLDivElement>(null);
  const usual = SHOWN[room];
  const { facets, from, to, last } = state;
  const [width, setWidth] = useState(0);
  const key = JSON.stringify([room, width, facets, from, to, last]);
  const [fit, setFit] = useState({ key, less: 0 });
  const less = fit.key === key ? fit.less : 0;
  // Without a choice all labels are short, and fit: nothing to measure.
  const plain = room === "narrow" ||
    !Object.keys(facets).length && !from && !to && !last;
  useLayoutEffect(() => {
    const el = bar.current;
    if (!el || plain) return;
    const observer = new ResizeObserver(() => setWidth(el.clientWidth));
    observer.observe(el);
    return () => observer.disconnect();
  }, [plain]);
  useLayoutEffect(() => {
    const el = bar.current;
    if (!el || plain) return;
    if (less < usual.length && el.scrollWidth > el.clientWidth) {
      setFit({ key, less: less + 1 });
    }
  }, [key, less, plain, usual]);
  const leaving = new Set(
    [...usual.filter((id) => facets[id]), ...usual.filter((id) => !facets[id])]
      .slice(usual.length - less),
  );
  return [usual.filter((id) => !leaving.has(id)), bar];
}

/** The bar. */
export function FilterBar(
  { state, q, onQ, filtered, room, splitDay, search, onPatch }: {
    state: ListState;
    q: string;
    onQ(q: string): void;
    filtered: Filtered;
    room: Room;
    splitDay: string;
    search: RefObject<HTMLInputElement | null>;
    onPatch(changes: Changes): void;
  },
): ReactElement {
  const [shown, bar] = useFitting(room, state);
  const rest = SHOWN.wide.filter((id) => !shown.includes(id));
  const menu = (id: FacetId) => (
    <FacetMenu
      key={id}
      id={id}
      counts={filtered.counts(id)}
      chosen={state.facets[id] ?? []}
      onChange={(values) => onPatch({ [id]: values })}
    />
  );
  const restChosen = rest.reduce(
    (n, id) => n + (state.facets[id]?.length ?? 0),
    0,
  );
  const dated = Boolean(state.from || state.to || state.last);
  return (
    <div className="as-fbar" role="search" ref={bar}>
      <div className="as-search">
        <SearchGlyph />
        <input
          ref={search}
          type="search"
          placeholder={room === "wide" ? "Search repo, branch, id" : "Search"}
          aria-label="Search repo, branch, model or id"
          aria-keyshortcuts="/"
          value={q}
          onChange={(event) => onQ(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            if (q) onQ("");
            else event.currentTarget.blur();
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <PopoverButton
        label="Date"
        openKey="d"
        className={dated ? "as-on" : ""}
        content={() => (
          <DateMenu state={state} splitDay={splitDay} onChange={onPatch} />
        )}
      >
        {dateLabel(state)}
      </PopoverButton>
      {shown.map((id, i) => {
        const chosen = state.facets[id] ?? [];
        const [only = ""] = chosen;
        return (
          <PopoverButton
            key={id}
            label={FACETS[id].label}
            openKey={i === 0 ? "f" : undefined}
            className={chosen.length ? "as-on" : ""}
            content={() => menu(id)}
          >
            {chosen.length ? `${FACETS[id].label}: ` : FACETS[id].label}
            {chosen.length > 0 && (
              <span className="as-n">
                {chosen.length === 1
                  ? oneLine(facetWord(id, only), 40)
                  : chosen.length}
              </span>
            )}
          </PopoverButton>
        );
      })}
      {rest.length > 0 && (
        <PopoverButton
          label="More filters"
          className={restChosen ? "as-on" : ""}
          content={() => (
            <>
              {room === "narrow" && (
                <>
                  <SortMenu
                    sort={state.sort}
                    onChange={(step) => onPatch({ sort: sortParam([step]) })}
                  />
                  <GroupMenu
                    group={state.group}
                    onChange={(group) => onPatch({ group: group || null })}
                  />
                </>
              )}
              {rest.map(menu)}
            </>
          )}
        >
          {restChosen ? "More: " : "More"}
          {restChosen > 0 && <span className="as-n">{restChosen}</span>}
        </PopoverButton>
      )}
    </div>
  );
}
