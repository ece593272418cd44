/**
 * Loads the list once and keeps it.
 *
 * @module
 */
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import { type Day, listDays, listSessions } from "../../client/queries.ts";
import {
  describeError,
  isUnauthorized,
  type Request,
} from "../../client/request.ts";
import type { NewerRow, Row } from "../../client/rows.ts";

/** What is known of the list. */
export interface Sessions {
  /**
   * `loading` until the first rows are there, `partial` while more come,
   * `ready`, `error` or `noAccess`.
   */
  status: "loading" | "partial" | "ready" | "error" | "noAccess";
  /** All rows so far, in no order. */
  rows: readonly Row[];
  /** Sessions that a newer importer wrote. */
  newer: readonly NewerRow[];
  /** Days from rollups; none where there are no rollups. */
  days: readonly Day[];
  /** What is being loaded, for people. */
  next?: string;
  /** What went wrong; rows loaded before stay. */
  problem?: { code: string; message: string };
  /** Epoch milliseconds of the last load. */
  at: number;
  /** Loads again. */
  reload(): void;
}

type State = Omit<Sessions, "reload">;

const START: State = {
  status: "loading",
  rows: [],
  newer: [],
  days: [],
  at: 0,
};

/** The list, loaded when `wanted` first becomes true. */
export function useSessions(request: Request, wanted: boolean): Sessions {
  const [state, setState] = useState<State>(() => ({
    ...START,
    at: Date.now(),
  }));
  const [round, setRound] = useState(0);
  const begun = useRef<unknown>(undefined);
  const started = wanted || begun.current !== undefined;

  // Asked before the first paint: the server works while the browser paints.
  useLayoutEffect(() => {
    if (!started) return;
    begun.current = request;
    const abort = new AbortController();
    const at = Date.now();
    const rows = new Map<string, Row>();
    const newer = new Map<string, NewerRow>();
    setState((s) =>
      s.status === "loading" ? s : {
        ...s,
        status: s.rows.length ? "partial" : "loading",
        problem: undefined,
        at,
      }
    );
    listSessions(request, at, (page) => {
      for (const row of page.rows) rows.set(row.id, row);
      for (const row of page.newer) newer.set(row.id, row);
      setState((s) => ({
        ...s,
        status: "partial",
        rows: [...rows.values()],
        newer: [...newer.values()],
        next: page.next,
      }));
    }, abort.signal).then(
      () => {
        if (abort.signal.aborted) return;
        setState((s) => ({ ...s, status: "ready", next: undefined }));
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((s) => ({
          ...s,
          status: isUnauthorized(error) ? "noAccess" : "error",
          problem: describeError(error),
          next: undefined,
        }));
      },
    );
    // The strip is an extra: without rollups it is made from the rows.
    listDays(request).then(
      (days) => {
        if (!abort.signal.aborted) setState((s) => ({ ...s, days }));
      },
      () => {},
    );
    return () => abort.abort();
  }, [request, started, round]);

  const reload = useCallback(() => setRound((n) => n + 1), []);
  return { ...state, reload };
}
