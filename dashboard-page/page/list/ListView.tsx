/**
 * The list of sessions: wires state, derivations and views.
 *
 * @module
 */
import {
  type ReactElement,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ago, clock, fullTime, plural } from "../base/format.ts";
import { useKeys } from "../base/keys.ts";
import type { Changes, Nav } from "../base/nav.ts";
import {
  copyText,
  KeysButton,
  PopoverButton,
  useToast,
} from "../base/widgets.tsx";
import { COLUMN_IDS, type ColumnId } from "./columns.ts";
import { CountLine, NewerNote, ProblemNote } from "./CountLine.tsx";
import {
  isGroup,
  newestFirst,
  nextSort,
  sortRows,
  tableItems,
} from "./derive.ts";
import { filterRows } from "./facets.ts";
import { FilterBar } from "./FilterBar.tsx";
import { ListProblem, NothingMatches } from "./states.tsx";
import { ColumnsMenu, GroupMenu, ViewsMenu } from "./menus.tsx";
import {
  columnsParam,
  isFiltered,
  NO_FILTERS,
  readState,
  sizesParam,
  sortParam,
} from "./state.ts";
import { type ListMemory, SessionTable, TableSkeleton } from "./Table.tsx";
import { Trend, TrendSkeleton } from "./Trend.tsx";
import { daysOfRows, mergeDays, splitIndex, stripDays } from "./trend.ts";
import type { Sessions } from "./use-sessions.ts";
import { useRoom } from "./use-room.ts";
import { keepViews, ownViews, READY_VIEWS, type SavedView } from "./views.ts";
import "./list.css";
import "./trend.css";
import "./bar.css";
import "./table.css";
import "./columns.css";

/** The URL is not written on every letter. */
const SEARCH_SETTLE_MS = 250;

/** How old what is shown is; it grows older while one looks. */
function Freshness({ imported, read }: {
  /** When an import last stored something, epoch milliseconds, if known. */
  imported: number | undefined;
  read: number;
}): ReactElement {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span
      title={`${
        imported === undefined ? "" : `Last import ${fullTime(imported)}. `
      }Read ${fullTime(read)}`}
    >
      {imported === undefined
        ? `read ${clock(read)}`
        : `imported ${ago(Math.max(now, read) - imported)}`}
    </span>
  );
}

/** The list. */
export function ListView({ sessions, nav, memory, onKeys }: {
  sessions: Sessions;
  nav: Nav;
  /** Where the list was, kept while a session is open. */
  memory: ListMemory;
  onKeys(): void;
}): ReactElement {
  const { newer, days, status } = sessions;
  const rows = useMemo(() => newestFirst(sessions.rows), [sessions.rows]);
  const now = sessions.at || Date.now();
  const box = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const room = useRoom(box);
  const [toast, say] = useToast();
  const [views, setViews] = useState(() => ownViews());

  const state = useMemo(() => readState(nav.params), [nav.params]);
  const patch = nav.patch;

  // The field leads, the URL follows; a change from outside leads the field.
  const [q, setQ] = useState(state.q);
  const settled = useRef(state.q);
  if (state.q !== settled.current) {
    settled.current = state.q;
    if (q !== state.q) setQ(state.q);
  }
  useEffect(() => {
    if (q === settled.current) return;
    const timer = setTimeout(() => {
      settled.current = q;
      patch({ q: q || null });
    }, SEARCH_SETTLE_MS);
    return () => clearTimeout(timer);
  }, [q, patch]);
  const wanted = useDeferredValue(q);

  const filterKey = JSON.stringify([
    wanted,
    state.from,
    state.to,
    state.last,
    state.facets,
    state.fold,
  ]);
  const filtered = useMemo(
    () => filterRows(rows, { ...state, q: wanted }, now),
    // The key holds all of the state that filters.
    [rows, filterKey, now],
  );
  const sortKey = sortParam(state.sort);
  const shown = useMemo(
    () => sortRows(filtered.rows, state.sort),
    [filtered, sortKey],
  );
  const items = useMemo(
    () => tableItems(shown, state.group, now),
    [shown, state.group, now],
  );
  const strip = useMemo(
    () => stripDays(mergeDays(days, daysOfRows(rows)), now),
    [days, rows, now],
  );
  const split = splitIndex(strip, state.split);
  const splitDay = strip[split]?.day ?? "";

  // Ids in the order in which they are seen, made when a key asks for them.
  const order = useMemo(() => {
    let ids: string[] | undefined;
    return () => ids ??= items.flatMap((i) => (isGroup(i) ? [] : [i.id]));
  }, [items]);
  useEffect(() => nav.setOrder(order), [nav, order]);

  const [current, setCurrent] = useState(() => ({
    id: memory.current,
    focus: memory.current !== undefined,
  }));
  const goTo = useCallback((id: string | undefined, focus: boolean) => {
    memory.current = id;
    setCurrent({ id, focus });
  }, [memory]);
  const step = (by: number) => {
    const ids = order();
    if (!ids.length) return;
    const at = current.id === undefined ? -1 : ids.indexOf(current.id);
    const to = at < 0 && by > 0 ? 0 : at + by;
    goTo(ids[Math.max(0, Math.min(ids.length - 1, to))], true);
  };

  const onOpen = useCallback((id: string) => {
    memory.current = id;
    nav.open("session", { id });
  }, [nav, memory]);
  const onPick = useCallback((id: string) => {
    const picked = readState(nav.params).picked;
    patch({
      pick: picked.includes(id)
        ? picked.filter((p) => p !== id)
        // Two are compared; a third takes the place of the first.
        : [...picked, id].slice(-2),
    });
  }, [nav, patch]);
  const [a, b] = state.picked;
  const compare = () => {
    if (a && b) nav.open("compare", { a, b });
    else say("Select two sessions first");
  };
  const clear = () => {
    setQ("");
    settled.current = "";
    patch(NO_FILTERS);
  };
  const openMenu = (key: string) =>
    box.current?.querySelector<HTMLElement>(`[data-open-key="${key}"]`)
      ?.click();

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    g: () => goTo(order()[0], true),
    G: () => goTo(order().at(-1), true),
    "/": () => search.current?.select(),
    x: () => current.id !== undefined && onPick(current.id),
    c: compare,
    t: () => patch({ fold: state.fold ? "0" : null }),
    f: () => openMenu("f"),
    d: () => openMenu("d"),
    Escape: () => {
      if (state.picked.length) patch({ pick: null });
      else if (isFiltered(state)) clear();
    },
  });

  const hrefOf = useCallback((id: string) => nav.href("session", { id }), [
    nav,
  ]);
  const onSize = useCallback((id: ColumnId, px: number | undefined) => {
    const { sizes } = readState(nav.params);
    const next = { ...sizes };
    if (px === undefined) delete next[id];
    else next[id] = px;
    patch({ size: sizesParam(next) });
  }, [nav, patch]);
  const onSort = (id: ColumnId, add: boolean) =>
    patch({ sort: sortParam(nextSort(state.sort, id, add)) });

  const openView = (view: SavedView, close: () => void) => {
    close();
    const changes: Record<string, string[]> = {};
    for (const [key, value] of new URLSearchParams(view.query)) {
      (changes[key] ??= []).push(value);
    }
    nav.open("list", changes);
  };
  const saveView = (name: string) => {
    const query = new URLSearchParams(nav.params);
    query.delete("pick");
    const next = [...views, { name, query: query.toString() }];
    keepViews(next);
    setViews(ownViews());
    say("View saved in this browser");
  };
  const forgetView = (view: SavedView) => {
    keepViews(views.filter((v) => v.name !== view.name));
    setViews(ownViews());
  };
  const copyLink = async () =>
    say(await copyText(nav.link()) ? "Link copied" : "The browser refused");

  const none = status === "ready" && !rows.length && !newer.length;
  const blocked = !rows.length &&
    (status === "error" || status === "noAccess" || none);
  const loading = status === "loading" ||
    (status === "partial" && !rows.length);
  const imported = useMemo(
    () =>
      days.reduce<number | undefined>(
        (last, { storedAt }) =>
          storedAt !== undefined && !(last !== undefined && last > storedAt)
            ? storedAt
            : last,
        undefined,
      ),
    [days],
  );
  const repos = useMemo(() => new Set(rows.map((r) => r.repo)).size, [rows]);

  return (
    <div className="as-list" ref={box} data-status={status}>
      <header className="as-head">
        <h1 tabIndex={-1}>Agent Sessions</h1>
        {rows.length > 0 && (
          <span className="as-dim as-hide-n">
            {`${plural(repos, "repo")} · `}
            <Freshness imported={imported} read={now} />
          </span>
        )}
        <div className="as-right">
          {!blocked && (
            <>
              <button
                type="button"
                className="as-btn as-icon"
                aria-label="Read again"
                title="Read again"
                onClick={sessions.reload}
              >
                <svg
                  width="13"
                  height="13"
                  viewBox="0 0 13 13"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="1.4"
                  aria-hidden="true"
                >
                  <path d="M11 6.5A4.5 4.5 0 112 6.5a4.5 4.5 0 017.8-3M10 1v2.8H7.2" />
                </svg>
              </button>
              <span className="as-hide-n">
                <PopoverButton
                  label="Views"
                  content={(close) => (
                    <ViewsMenu
                      ready={READY_VIEWS}
                      own={views}
                      countOf={(view) =>
                        filterRows(
                          rows,
                          readState(new URLSearchParams(view.query)),
                          now,
                        ).rows.length}
                      onOpen={(view) => openView(view, close)}
                      onSave={saveView}
                      onForget={forgetView}
                      onCopy={copyLink}
                    />
                  )}
                >
                  Views
                </PopoverButton>
              </span>
            </>
          )}
          <KeysButton onKeys={onKeys} />
        </div>
      </header>

      {blocked ? <ListProblem sessions={sessions} /> : (
        <>
          {loading ? <TrendSkeleton /> : strip.length > 0 && (
            <Trend
              strip={strip}
              split={split}
              from={state.from}
              to={state.to}
              onBrush={(range) =>
                patch({
                  from: range?.from ?? null,
                  to: range?.to ?? null,
                  last: null,
                }, "push")}
              onSplit={(day) => patch({ split: day })}
            />
          )}
          <FilterBar
            state={state}
            q={q}
            onQ={setQ}
            filtered={filtered}
            room={room}
            splitDay={splitDay}
            search={search}
            onPatch={(changes: Changes) => patch(changes)}
          />
          <div className="as-panel">
            <NewerNote newer={newer} />
            <ProblemNote sessions={sessions} />
            <CountLine
              sessions={sessions}
              shown={shown}
              trivial={filtered.trivial}
              fold={state.fold}
              foldable={!state.facets.substance?.includes("trivial")}
              filtered={isFiltered(state)}
              onFold={(fold) => patch({ fold: fold ? null : "0" })}
              onClear={clear}
            >
              <PopoverButton
                label="Group by"
                className="as-quiet"
                content={() => (
                  <GroupMenu
                    group={state.group}
                    onChange={(group) => patch({ group: group || null })}
                  />
                )}
              >
                {state.group ? `Group: ${state.group}` : "Group"}
              </PopoverButton>
              <PopoverButton
                label="Columns"
                className="as-quiet"
                content={() => (
                  <ColumnsMenu
                    order={state.order}
                    hidden={state.hidden}
                    onChange={(order, hidden) =>
                      patch({ cols: columnsParam(order, hidden) })}
                    onReset={() => patch({ cols: null, size: null })}
                  />
                )}
              >
                Columns
              </PopoverButton>
            </CountLine>
            {loading
              ? <TableSkeleton columns={COLUMN_IDS} />
              : items.length
              ? (
                <SessionTable
                  items={items}
                  state={state}
                  narrow={room === "narrow"}
                  now={now}
                  memory={memory}
                  current={current}
                  hrefOf={hrefOf}
                  onOpen={onOpen}
                  onPick={onPick}
                  onCurrent={(id) => goTo(id, false)}
                  onSort={onSort}
                  onSize={onSize}
                />
              )
              : (
                <NothingMatches
                  trivial={filtered.trivial}
                  filtered={isFiltered(state)}
                  onClear={clear}
                  onUnfold={() => patch({ fold: "0" })}
                />
              )}
          </div>
        </>
      )}

      {state.picked.length > 0 && !blocked && (
        <div className="as-cmpbar" role="status">
          <span>
            {b ? "2 selected" : "1 selected, pick one more"}
          </span>
          {a && b && (
            <a
              className="as-btn"
              href={nav.href("compare", { a, b })}
              onClick={(event) => {
                event.preventDefault();
                compare();
              }}
            >
              Compare <kbd>c</kbd>
            </a>
          )}
          <button
            type="button"
            className="as-btn"
            onClick={() =>
              patch({ pick: null })}
          >
            Clear
          </button>
        </div>
      )}
      {toast}
    </div>
  );
}
