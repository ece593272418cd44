/**
 * What the list's popovers hold: a facet, dates, groups, columns, views, order.
 *
 * @module
 */
import {
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from "react";
import type { Mode, Severity, Tier } from "../../../schema/constants.ts";
import { oneLine, whole } from "../base/format.ts";
import { ModeGlyph } from "../base/glyphs.tsx";
import { Key, type KeyOf, SeverityMark, TierMeter } from "../base/marks.tsx";
import { COLUMN_IDS, type ColumnId, COLUMNS } from "./columns.ts";
import {
  type FacetId,
  FACETS,
  facetValues,
  facetWord,
  flagMeaning,
} from "./facets.ts";
import type { GroupBy, ListState, SortStep } from "./state.ts";
import { type SavedView } from "./views.ts";

/** From this many values on, a facet has a search field. */
const SEARCH_FROM = 12;
/** A facet never builds more lines than this; its search reaches the rest. */
const MOST_LINES = 200;

const LABEL_KEYS: Readonly<Record<string, KeyOf>> = {
  swamp: "swamp",
  bypass: "bypass",
  "mutating bypass": "mutating",
  "neutral only": "neutral",
};

function decoration(id: FacetId, value: string): ReactNode {
  if (id === "label") return <Key of={LABEL_KEYS[value] ?? "neutral"} />;
  if (id === "mode") return <ModeGlyph mode={value as Mode} />;
  if (id === "finding" && value !== "none") {
    return <SeverityMark severity={value as Severity} />;
  }
  if (id === "substance") return <TierMeter tier={value as Tier} />;
  return null;
}

/** A facet's values with their counts. */
export function FacetMenu({ id, counts, chosen, onChange }: {
  id: FacetId;
  counts: ReadonlyMap<string, number>;
  chosen: readonly string[];
  onChange(values: string[]): void;
}): ReactElement {
  const [find, setFind] = useState("");
  const values = facetValues(id, counts, chosen);
  const wanted = find.toLowerCase();
  const shown = values.filter((v) =>
    facetWord(id, v.value).toLowerCase().includes(wanted)
  );
  return (
    <fieldset className="as-facet">
      <legend className="as-ph">
        {FACETS[id].label}
        <span>sessions</span>
      </legend>
      {values.length > SEARCH_FROM && (
        <div className="as-line">
          <input
            type="search"
            className="as-field as-grow"
            aria-label={`Find in ${FACETS[id].label}`}
            placeholder={`Find in ${values.length}`}
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        </div>
      )}
      {shown.slice(0, MOST_LINES).map((v) => (
        <label
          className="as-opt"
          key={v.value}
          title={id === "flag" ? flagMeaning(v.value) : undefined}
        >
          <input
            type="checkbox"
            checked={v.chosen}
            onChange={() =>
              onChange(
                v.chosen
                  ? chosen.filter((c) => c !== v.value)
                  : [...chosen, v.value],
              )}
          />
          <span className="as-fx">
            {decoration(id, v.value)}
            <bdi>{oneLine(facetWord(id, v.value), 80)}</bdi>
          </span>
          <span className="as-c">{whole(v.count)}</span>
        </label>
      ))}
      {shown.length > MOST_LINES && (
        <p className="as-line as-dim">
          {`${whole(shown.length - MOST_LINES)} more: type to find them`}
        </p>
      )}
      {!shown.length && <p className="as-line as-dim">no value</p>}
    </fieldset>
  );
}

function Choice<T extends string | number>(
  { name, value, now, onChange, children }: {
    name: string;
    value: T;
    now: T;
    onChange(value: T): void;
    children: ReactNode;
  },
): ReactElement {
  return (
    <label className="as-opt">
      <input
        type="radio"
        name={name}
        checked={now === value}
        onChange={() => onChange(value)}
      />
      <span>{children}</span>
    </label>
  );
}

/** The spans that the date menu offers. */
export const SPANS: readonly (readonly [number, string])[] = [
  [0, "All dates"],
  [1, "Today"],
  [7, "Last 7 days"],
  [30, "Last 30 days"],
  [90, "Last 90 days"],
];

/** Dates: a span, from and to, and the before/after day. */
export function DateMenu({ state, splitDay, onChange }: {
  state: ListState;
  /** The before/after day in use, "" for none. */
  splitDay: string;
  onChange(changes: Record<string, string | null>): void;
}): ReactElement {
  const own = Boolean(state.from || state.to);
  return (
    <div>
      <p className="as-ph">Sessions that overlap</p>
      {SPANS.map(([days, label]) => (
        <Choice
          key={days}
          name="as-span"
          value={days}
          now={own ? -1 : state.last}
          onChange={(n) =>
            onChange({ last: n ? String(n) : null, from: null, to: null })}
        >
          {label}
        </Choice>
      ))}
      <div className="as-line">
        <input
          type="date"
          className="as-field"
          aria-label="From"
          value={state.from}
          onChange={(event) =>
            onChange({ from: event.target.value || null, last: null })}
        />
        <span>to</span>
        <input
          type="date"
          className="as-field"
          aria-label="To"
          value={state.to}
          onChange={(event) =>
            onChange({ to: event.target.value || null, last: null })}
        />
      </div>
      <div className="as-line">
        <label>
          Before and after{" "}
          <input
            type="date"
            className="as-field"
            value={splitDay}
            onChange={(event) =>
              onChange({ split: event.target.value || "none" })}
          />
        </label>
        {splitDay && (
          <button
            type="button"
            className="as-link"
            onClick={() => onChange({ split: "none" })}
          >
            None
          </button>
        )}
      </div>
    </div>
  );
}

const GROUPS: readonly (readonly [GroupBy, string])[] = [
  ["", "None"],
  ["day", "Day"],
  ["repo", "Repo"],
];

/** Headings over the rows. */
export function GroupMenu({ group, onChange }: {
  group: GroupBy;
  onChange(group: GroupBy): void;
}): ReactElement {
  return (
    <fieldset className="as-facet">
      <legend className="as-ph">Group by</legend>
      {GROUPS.map(([value, label]) => (
        <Choice
          key={value}
          name="as-group"
          value={value}
          now={group}
          onChange={onChange}
        >
          {label}
        </Choice>
      ))}
    </fieldset>
  );
}

/** The order, for where there is no header to click. */
export function SortMenu({ sort, onChange }: {
  sort: readonly SortStep[];
  onChange(step: SortStep): void;
}): ReactElement {
  const first = sort[0] ?? { id: "started" as const, desc: true };
  return (
    <div className="as-line">
      <label>
        Sort by{" "}
        <select
          className="as-field"
          value={first.id}
          onChange={(event) => {
            const id = event.target.value as ColumnId;
            onChange({ id, desc: !COLUMNS[id].rising });
          }}
        >
          {COLUMN_IDS.map((id) => (
            <option key={id} value={id}>{COLUMNS[id].label}</option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="as-btn"
        onClick={() => onChange({ ...first, desc: !first.desc })}
      >
        {first.desc ? "Falling" : "Rising"}
      </button>
    </div>
  );
}

/** Which columns show, and in what order. */
export function ColumnsMenu({ order, hidden, onChange, onReset }: {
  order: readonly ColumnId[];
  hidden: readonly ColumnId[];
  onChange(order: readonly ColumnId[], hidden: readonly ColumnId[]): void;
  onReset(): void;
}): ReactElement {
  const [drag, setDrag] = useState<ColumnId>();
  const move = (id: ColumnId, to: number) => {
    const rest = order.filter((c) => c !== id);
    const at = Math.max(0, Math.min(rest.length, to));
    onChange([...rest.slice(0, at), id, ...rest.slice(at)], hidden);
  };
  return (
    <div>
      <p className="as-ph">
        Columns<span>drag, or the arrows</span>
      </p>
      {order.map((id, i) => {
        const label = COLUMNS[id].label;
        const off = hidden.includes(id);
        return (
          <div
            key={id}
            className={drag === id ? "as-col as-dragged" : "as-col"}
            draggable
            onDragStart={(event) => {
              setDrag(id);
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", id);
            }}
            onDragOver={(event) => {
              event.preventDefault();
              if (drag && drag !== id) move(drag, i);
            }}
            onDragEnd={() => setDrag(undefined)}
          >
            <label className="as-opt">
              <input
                type="checkbox"
                checked={!off}
                // The row's link lives there.
                disabled={id === "started"}
                onChange={() =>
                  onChange(
                    order,
                    off ? hidden.filter((c) => c !== id) : [...hidden, id],
                  )}
              />
              <span>{label}</span>
            </label>
            <button
              type="button"
              className="as-move"
              aria-label={`Move ${label} up`}
              disabled={i === 0}
              onClick={() => move(id, i - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              className="as-move"
              aria-label={`Move ${label} down`}
              disabled={i === order.length - 1}
              onClick={() => move(id, i + 1)}
            >
              ↓
            </button>
          </div>
        );
      })}
      <div className="as-foot">
        <button type="button" className="as-link" onClick={onReset}>
          Reset
        </button>
      </div>
    </div>
  );
}

/** Ready-made views and one's own. */
export function ViewsMenu(
  { ready, own, countOf, onOpen, onSave, onForget, onCopy }: {
    ready: readonly SavedView[];
    own: readonly SavedView[];
    countOf(view: SavedView): number;
    onOpen(view: SavedView): void;
    onSave(name: string): void;
    onForget(view: SavedView): void;
    onCopy(): void;
  },
): ReactElement {
  const [naming, setNaming] = useState(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name) onSave(name);
    setNaming(false);
  };
  const line = (view: SavedView, mine: boolean) => (
    <div className="as-view" key={`${mine}${view.name}`}>
      <button
        type="button"
        onClick={() =>
          onOpen(view)}
      >
        <bdi>{oneLine(view.name, 60)}</bdi>
        <span className="as-c">{whole(countOf(view))}</span>
      </button>
      {mine && (
        <button
          type="button"
          className="as-move"
          aria-label={`Forget ${oneLine(view.name, 60)}`}
          onClick={() => onForget(view)}
        >
          ×
        </button>
      )}
    </div>
  );
  return (
    <div>
      <p className="as-ph">
        Views<span>sessions</span>
      </p>
      {ready.map((v) => line(v, false))}
      {own.length > 0 && <p className="as-ph">Your own</p>}
      {own.map((v) => line(v, true))}
      {naming
        ? (
          <form className="as-foot" onSubmit={save}>
            <input
              name="name"
              className="as-field as-grow"
              aria-label="Name of the view"
              maxLength={60}
              autoFocus
            />
            <button type="submit" className="as-btn">Save</button>
          </form>
        )
        : (
          <div className="as-foot">
            <button
              type="button"
              className="as-link"
              onClick={() => setNaming(true)}
            >
              Save this view
            </button>
            <button type="button" className="as-link" onClick={onCopy}>
              Copy link
            </button>
          </div>
        )}
    </div>
  );
}
