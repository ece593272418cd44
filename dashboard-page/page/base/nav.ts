/**
 * Where the page is, as URL parameters. By default they live in the URL's
 * hash; a host with a router of its own hands in where they live instead.
 *
 * @module
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

/** The page's three views. */
export type View = "list" | "session" | "compare";

/** How a change enters the history: a new entry, or in place of the last. */
export type How = "push" | "replace";

/** A host's own keeping of the page's state. */
export interface Navigation {
  /** The state now: a query string without `?` or `#`. */
  value: string;
  /** The page asks to be at another state. */
  onChange(value: string, how: How): void;
  /** The link for a state; without it links are `#` + state. */
  href?(value: string): string;
}

/** Parameters to set; `null` and empty lists remove. */
export type Changes = Record<string, string | readonly string[] | null>;

/** Reads and moves the page. */
export interface Nav {
  /** Which view is open. */
  view: View;
  /** The view's parameters; do not change them, call `patch`. */
  params: URLSearchParams;
  /** Changes some parameters of the view that is open; `replace` by default. */
  patch(changes: Changes, how?: How): void;
  /** Opens a view. The list without parameters opens as it was left. */
  open(view: View, changes?: Changes, how?: How): void;
  /** The address of a view, for links. */
  href(view: View, changes?: Changes): string;
  /** Ids of the list in the order last shown; for previous and next. */
  order(): readonly string[];
  /** The list tells its order, made when it is first asked for. */
  setOrder(ids: () => readonly string[]): void;
  /** A link that works elsewhere: the address of the state as it is. */
  link(changes?: Changes): string;
}

/** The parameters with changes applied, as a string without waste. */
export function withChanges(
  params: URLSearchParams,
  changes: Changes,
): string {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(changes)) {
    next.delete(key);
    if (value === null) continue;
    for (const v of typeof value === "string" ? [value] : value) {
      next.append(key, v);
    }
  }
  return next.toString().replace(/%3A/g, ":").replace(/%2C/g, ",");
}

function useHash(): Navigation {
  const read = () => location.hash.replace(/^#/, "");
  const [value, setValue] = useState(read);
  useEffect(() => {
    const changed = () => setValue(read());
    // popstate, not hashchange: pushState with the same hash fires neither.
    addEventListener("popstate", changed);
    addEventListener("hashchange", changed);
    return () => {
      removeEventListener("popstate", changed);
      removeEventListener("hashchange", changed);
    };
  }, []);
  return useMemo(() => ({
    value,
    onChange(next, how) {
      const url = next ? `#${next}` : location.pathname + location.search;
      history[how === "push" ? "pushState" : "replaceState"](null, "", url);
      setValue(next);
    },
  }), [value]);
}

const viewOf = (params: URLSearchParams): View => {
  const view = params.get("view");
  return view === "session" || view === "compare" ? view : "list";
};

/** The page's state in the URL, or in what the host hands in. */
export function useNav(host?: Navigation): Nav {
  const own = useHash();
  const at = host ?? own;
  const { value } = at;
  const params = useMemo(() => new URLSearchParams(value), [value]);
  const view = viewOf(params);
  // Several patches in one event must build on each other.
  const latest = useRef({
    at,
    params,
    lastList: "",
    order: (): readonly string[] => [],
  });
  latest.current.at = at;
  latest.current.params = params;
  if (view === "list") latest.current.lastList = value;

  const stateOf = useCallback((to: View, changes?: Changes) => {
    if (to === "list" && !changes) return latest.current.lastList;
    return withChanges(
      new URLSearchParams(to === "list" ? "" : `view=${to}`),
      changes ?? {},
    );
  }, []);
  const go = useCallback((next: string, how: How) => {
    const now = latest.current;
    now.params = new URLSearchParams(next);
    now.at.onChange(next, how);
  }, []);

  return useMemo<Nav>(() => ({
    view,
    params,
    patch: (changes, how = "replace") =>
      go(withChanges(latest.current.params, changes), how),
    open: (to, changes, how = "push") => go(stateOf(to, changes), how),
    href: (to, changes) => {
      const state = stateOf(to, changes);
      return latest.current.at.href?.(state) ?? `#${state}`;
    },
    order: () => latest.current.order(),
    setOrder: (ids) => {
      latest.current.order = ids;
    },
    link: (changes = {}) => {
      const state = withChanges(latest.current.params, changes);
      return new URL(
        latest.current.at.href?.(state) ?? `#${state}`,
        location.href,
      ).href;
    },
  }), [view, params, go, stateOf]);
}

/** Takes a plain click on a link for the page; others are the browser's. */
export function isPlainClick(event: {
  button: number;
  metaKey: boolean;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey &&
    !event.shiftKey && !event.altKey;
}
