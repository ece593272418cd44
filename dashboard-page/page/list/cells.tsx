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
  shortModel,
  shortSpan,
  whole,
} from "../base/format.ts";
import { ModeGlyph } from "../base/glyphs.tsx";
import { LabelBar, SeverityMark, TierMeter, tone } from "../base/marks.tsx";
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

/** A figure that fits its column; zero quietly. */
const figure = (n: number) =>
  n === 0 ? "–" : n < 1000 ? n : n < 10_000 ? whole(n) : compact(n);

const highest = (row: Row): Severity | undefined =>
  row.high ? "high" : row.medium ? "medium" : row.low ? "low" : undefined;

/** A figure; where it is narrow, behind the letter that stands for the header, and nothing for none. */
const signed = (n: number, sign: string, of: string | false): ReactNode =>
  of
    ? n > 0 && (
      <>
        <span aria-hidden="true">{`${sign} `}</span>
        <span className="as-vh">{`${of} `}</span>
        {figure(n)}
      </>
    )
    : figure(n);

/** Text that needs no care: nothing in it controls, or runs from the right. */
const PLAIN = /^[\x20-\x7e]{0,160}$/;

/** Text from a session, as text. */
const asText = (value: string): ReactNode =>
  PLAIN.test(value) ? value : <bdi>{oneLine(value, 160)}</bdi>;

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
      {narrow
        ? (
          <>
            <bdi>{oneLine(row.harness, 160)}</bdi>
            <span className="as-dim">
              {` · ${compact(row.calls)} ${row.calls === 1 ? "call" : "calls"}`}
            </span>
          </>
        )
        : gaps
        ? <span className="as-gappy">{asText(row.harness)}</span>
        : asText(row.harness)}
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
      {signed(row.bypass, "B", narrow && "bypass")}
    </>
  );
}

function Findings({ row }: { row: Row }): ReactElement {
  const severity = highest(row);
  const n = row.high + row.medium + row.low;
  if (!severity) return <>–</>;
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
    case "started": {
      const day = dayMonth(row.start, now);
      return (
        <a
          href={look.href}
          tabIndex={look.tabIndex}
          title={`${fullTime(row.start)}\n${row.id}`}
        >
          {day} {/* Another year takes the time's place. */}
          {day.length <= 6 && <span className="as-dim">{clock(row.start)}
          </span>}
        </a>
      );
    }
    case "repo":
      return (
        <>
          {asText(row.repo)}
          {narrow && row.branch && (
            <span className="as-dim">
              {" "}
              {asText(row.branch)}
            </span>
          )}
        </>
      );
    case "branch":
      return row.branch ? asText(row.branch) : "–";
    case "harness":
      return <Harness row={row} narrow={narrow} />;
    case "model":
      return row.model ? asText(shortModel(row.model)) : "–";
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
      return figure(row.calls);
    case "labels":
      return row.calls ? <LabelBar counts={row} /> : "–";
    case "swamp":
      return signed(row.swamp, "S", narrow && "swamp");
    case "bypass":
      return <Bypass row={row} narrow={narrow} />;
    case "failed":
      return signed(row.failed, "✕", narrow && "failed");
    case "tokens":
      if (!row.tokens) return "–";
      return row.tokensPartial
        ? `≥${compact(row.tokens).replace(/(\d\d)\.\d/, "$1")}`
        : compact(row.tokens);
    case "subagents":
      return figure(row.agents);
    case "findings":
      return <Findings row={row} />;
    case "substance":
      return (
        <>
          <TierMeter tier={row.tier} />
          <span className="as-vh">{`${row.tier}, `}</span>
          {row.score < 0 ? `−${-row.score}` : compact(row.score)}
        </>
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
    case "tokens":
      return row.tokensPartial
        ? "At least: some usage records are missing"
        : undefined;
    case "substance":
      return row.tier;
    default:
      return undefined;
  }
}

/** What a figure stands for, as a class; nothing, or a dash, is dim. */
export function cellTone(id: ColumnId, row: Row): string {
  switch (id) {
    case "swamp":
    case "bypass":
    case "failed":
      return ` ${tone(id, row[id])}`;
    case "branch":
    case "model":
    case "calls":
    case "turns":
    case "tokens":
      return row[id] ? "" : " as-dim";
    case "labels":
      return row.calls ? "" : " as-dim";
    case "subagents":
      return row.agents ? "" : " as-dim";
    case "findings":
      return highest(row) ? "" : " as-dim";
    default:
      return "";
  }
}
