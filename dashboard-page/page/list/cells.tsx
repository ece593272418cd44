/**
 * What each column paints of a row.
 *
 * @module
 */
import type { ReactElement, ReactNode } from "react";
import type { Severity } from "../../../schema/constants.ts";
import type { Row } from "../../client/rows.ts";
import {
  clock,
  compact,
  dayMonth,
  fullTime,
  oneLine,
  plural,
  shortModel,
  shortSpan,
  whole,
} from "../base/format.ts";
import { ModeGlyph } from "../base/glyphs.tsx";
import { Dash, LabelBar, SeverityMark, TierMeter } from "../base/marks.tsx";
import type { ColumnId } from "./columns.ts";

/** How a row is painted. */
export interface RowLook {
  /** Where its link goes. */
  href: string;
  /** Whether Tab stops at it. */
  tabIndex: number;
  /** Two lines: what has no cell of its own stands beside another. */
  narrow: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/** A figure that fits its column. */
const figure = (n: number) => (n < 10_000 ? whole(n) : compact(n));

const highest = (row: Row): Severity | undefined =>
  row.high ? "high" : row.medium ? "medium" : row.low ? "low" : undefined;

function Figure({ n, sign, className }: {
  n: number;
  /** A letter or mark that stands for the missing header where it is narrow. */
  sign: string | false;
  className: string;
}): ReactElement {
  if (!n) return <Dash />;
  return (
    <span className={className}>
      {sign && <span aria-hidden="true">{`${sign} `}</span>}
      {figure(n)}
    </span>
  );
}

/** Text from a session, as text. */
function Text({ value }: { value: string }): ReactElement {
  return <bdi>{oneLine(value, 160)}</bdi>;
}

function Harness(
  { row, narrow }: { row: Row; narrow: boolean },
): ReactElement {
  const severity = highest(row);
  const gaps = [
    row.flags.includes("damaged") && "damaged lines",
    row.flags.includes("drift") && "unknown records",
  ].filter(Boolean).join(", ");
  return (
    <>
      <ModeGlyph mode={row.mode} />
      <Text value={row.harness} />
      {narrow && (
        <span className="as-dim">{` · ${plural(row.calls, "call")}`}</span>
      )}
      {gaps && (
        <span className="as-hon" role="img" aria-label={gaps} title={gaps}>
          !
        </span>
      )}
      {narrow && severity && (
        <span className="as-sev-n">
          <SeverityMark severity={severity} />
        </span>
      )}
    </>
  );
}

function Bypass(
  { row, narrow }: { row: Row; narrow: boolean },
): ReactElement {
  return (
    <>
      {row.mutating > 0 && (
        <>
          <i
            className="as-key as-key-mutating as-mut"
            title={`${row.mutating} mutating`}
          />
          <span className="as-vh">{`${row.mutating} mutating of `}</span>
        </>
      )}
      <Figure n={row.bypass} sign={narrow && "B"} className="as-t-bypass" />
    </>
  );
}

function Findings({ row }: { row: Row }): ReactElement {
  const severity = highest(row);
  const n = row.high + row.medium + row.low;
  if (!severity) return <Dash />;
  return (
    <>
      <SeverityMark severity={severity} />
      {n > 1 && <span className="as-dim">{` of ${n}`}</span>}
    </>
  );
}

/** One cell's content. */
export function cellContent(
  id: ColumnId,
  row: Row,
  look: RowLook,
): ReactNode {
  const { narrow, now } = look;
  switch (id) {
    case "started":
      return (
        <a
          href={look.href}
          tabIndex={look.tabIndex}
          title={`${fullTime(row.start)}\n${row.id}`}
        >
          {dayMonth(row.start, now)}{" "}
          <span className="as-dim">{clock(row.start)}</span>
        </a>
      );
    case "repo":
      return (
        <>
          <Text value={row.repo} />
          {narrow && row.branch && (
            <span className="as-dim">
              {" "}
              <Text value={row.branch} />
            </span>
          )}
        </>
      );
    case "branch":
      return row.branch ? <Text value={row.branch} /> : <Dash />;
    case "harness":
      return <Harness row={row} narrow={narrow} />;
    case "model":
      return row.model ? <Text value={shortModel(row.model)} /> : <Dash />;
    case "duration":
      return row.flags.includes("live")
        ? <span className="as-tag as-tag-live">live</span>
        : (
          <>
            {shortSpan(row.active)}
            <span className="as-tot as-dim">
              {` / ${shortSpan(row.duration)}`}
            </span>
          </>
        );
    case "turns":
      return figure(row.turns);
    case "calls":
      return row.calls ? figure(row.calls) : <Dash />;
    case "labels":
      return <LabelBar counts={row} />;
    case "swamp":
      return (
        <Figure n={row.swamp} sign={narrow && "S"} className="as-t-swamp" />
      );
    case "bypass":
      return <Bypass row={row} narrow={narrow} />;
    case "failed":
      return (
        <Figure n={row.failed} sign={narrow && "✕"} className="as-t-failed" />
      );
    case "tokens":
      return row.tokens
        ? (
          <span
            title={row.tokensPartial
              ? "At least: some usage records are missing"
              : undefined}
          >
            {row.tokensPartial
              ? `≥${compact(row.tokens).replace(/(\d\d)\.\d/, "$1")}`
              : compact(row.tokens)}
          </span>
        )
        : <Dash />;
    case "subagents":
      return row.agents ? row.agents : <Dash />;
    case "findings":
      return <Findings row={row} />;
    case "substance":
      return (
        <span title={row.tier}>
          <TierMeter tier={row.tier} />
          <span className="as-vh">{`${row.tier}, `}</span>
          {compact(row.score)}
        </span>
      );
  }
}

/** A cell's title, for text that may be cut. */
export function cellTitle(id: ColumnId, row: Row): string | undefined {
  switch (id) {
    case "repo":
      return oneLine(row.branch ? `${row.repo} · ${row.branch}` : row.repo);
    case "branch":
      return row.branch ? oneLine(row.branch) : undefined;
    case "harness":
      return `${oneLine(row.harness, 60)}, ${row.mode}`;
    case "model":
      return row.model ? oneLine(row.model) : undefined;
    case "duration":
      return `active ${shortSpan(row.active)} of ${shortSpan(row.duration)}`;
    default:
      return undefined;
  }
}
