/**
 * The line above the table: what is shown of what there is, and the notes
 * about what is not.
 *
 * @module
 */
import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { SCHEMA_VERSION } from "../../../schema/constants.ts";
import type { NewerRow, Row } from "../../client/rows.ts";
import { oneLine, percent, plural, whole } from "../base/format.ts";
import { tone } from "../base/marks.tsx";
import { totals } from "./derive.ts";
import type { Sessions } from "./use-sessions.ts";

const MONTHS =
  "January February March April May June July August September October November December"
    .split(" ");

/** `October 2026` for `2026-10`. */
function monthName(month: string): string {
  const [year = "", m] = month.split("-");
  return `${MONTHS[Number(m) - 1] ?? ""} ${year}`;
}

/** Sums of what is shown, and what is folded, loading, or filtered away. */
export function CountLine(
  {
    sessions,
    shown,
    trivial,
    fold,
    foldable,
    filtered,
    onFold,
    onClear,
    children,
  }: {
    sessions: Sessions;
    shown: readonly Row[];
    trivial: number;
    fold: boolean;
    /** Whether folding changes something. */
    foldable: boolean;
    filtered: boolean;
    onFold(fold: boolean): void;
    onClear(): void;
    children: ReactNode;
  },
): ReactElement {
  const sum = useMemo(() => totals(shown), [shown]);
  const { rows, status, next } = sessions;
  const loading = status === "loading" ||
    (status === "partial" && !rows.length);
  return (
    <div className="as-count">
      {loading ? <span role="status">Loading sessions…</span> : (
        <>
          <span role="status">
            <b>{whole(sum.sessions)}</b>
            {` of ${whole(rows.length)}`}
            <span className="as-mid-vh">
              {rows.length === 1 ? " session" : " sessions"}
            </span>
            {trivial > 0 && foldable &&
              ` · ${whole(trivial)} trivial ${fold ? "folded" : "shown"}`}
          </span>
          {trivial > 0 && foldable && (
            <button
              type="button"
              className="as-link"
              aria-keyshortcuts="t"
              aria-label={`${fold ? "Show" : "Fold"} trivial sessions`}
              onClick={() => onFold(!fold)}
            >
              {fold ? "Show" : "Fold"}
            </button>
          )}
          {filtered && (
            <button type="button" className="as-link" onClick={onClear}>
              Clear filters
            </button>
          )}
          <span className="as-hide-n">
            <span className="as-sums">{`${plural(sum.calls, "call")} · `}</span>
            <span className={tone("swamp", sum.swamp)}>
              {percent(sum.swamp, sum.calls)}
            </span>
            {" swamp · "}
            <span className={tone("bypass", sum.bypass)}>
              {percent(sum.bypass, sum.calls)}
            </span>
            {" bypass · "}
            <span className={tone("failed", sum.failed)}>
              {whole(sum.failed)}
            </span>
            {" failed"}
          </span>
          {status === "partial" && (
            <span className="as-tag">
              {next ? `loading ${monthName(next)}…` : "reading again…"}
            </span>
          )}
        </>
      )}
      <span className="as-count-r as-hide-n">{children}</span>
    </div>
  );
}

/** Sessions that a newer importer wrote: said, never guessed at. */
export function NewerNote(
  { newer }: { newer: readonly NewerRow[] },
): ReactElement | null {
  const [open, setOpen] = useState(false);
  if (!newer.length) return null;
  const versions = [...new Set(newer.map((n) => oneLine(n.newer, 20)))].sort();
  return (
    <div className="as-note as-wrap" role="status">
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <path d="M7 11V3M4 6l3-3 3 3" />
      </svg>
      <span>
        <b>
          {`${plural(newer.length, "session")} ${
            newer.length === 1 ? "is" : "are"
          } not shown:`}
        </b>
        {` written by a newer importer (schema ${
          versions.join(", ")
        }; this page reads ${SCHEMA_VERSION}). Update the extension, or import them again with this version.`}
      </span>
      <button
        type="button"
        className="as-link"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? "Hide ids" : "Show ids"}
      </button>
      {open && (
        <p className="as-ids as-mono" tabIndex={0}>
          {newer.slice(0, 500).map((n) => oneLine(n.id, 80)).join(" ")}
          {newer.length > 500 && ` and ${whole(newer.length - 500)} more`}
        </p>
      )}
    </div>
  );
}

/** A load that broke after rows were there: they stay, and it is said. */
export function ProblemNote(
  { sessions }: { sessions: Sessions },
): ReactElement | null {
  const { problem, rows, reload, status } = sessions;
  if (!problem || !rows.length) return null;
  return (
    <div className="as-note" role="alert">
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <path d="M7 1.5l5.8 10.5H1.2zM7 5.5v3M7 10v.6" />
      </svg>
      <span>
        <b>
          {status === "noAccess"
            ? "You may no longer read session data."
            : "Not all sessions could be loaded."}
        </b>
        {` What was loaded before is kept. ${oneLine(problem.message, 200)}`}
      </span>
      <button type="button" className="as-link" onClick={reload}>
        Try again
      </button>
    </div>
  );
}
