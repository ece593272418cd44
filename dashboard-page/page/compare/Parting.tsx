/**
 * Where two sessions part: what is alike stays quiet, each parting has a
 * sentence, and what differs stands side by side.
 *
 * @module
 */
import { type ReactElement, useMemo, useState } from "react";
import { oneLine, plural, span, whole } from "../base/format.ts";
import { StateGlyph } from "../base/glyphs.tsx";
import type { Nav } from "../base/nav.ts";
import { PageLink } from "../session/Header.tsx";
import { agentName } from "../session/lanes.ts";
import {
  type CallNode,
  lengthOf,
  type SessionModel,
} from "../session/model.ts";
import { CallText, hueOf, LabelMark } from "../session/parts.tsx";
import { isShellTool } from "../session/pieces.ts";
import {
  align,
  type Alignment,
  type Block,
  blocks,
  type PairRow,
} from "./align.ts";

/** Rows before "show more". */
const MOST_ROWS = 120;
/** Calls alike in a row that are shown before the rest folds. */
const MOST_ALIKE = 6;

function Cell(
  { node, of, id, nav }: {
    node: CallNode | undefined;
    of: "A" | "B";
    /** The session's id. */
    id: string;
    nav: Nav;
  },
) {
  const letter = <span className="as-ab" aria-hidden="true">{of}</span>;
  if (!node) {
    return (
      <div className="as-pc as-none" role="cell">
        {letter}
        <span />
        <span>no call</span>
      </div>
    );
  }
  const { call } = node;
  const hue = hueOf(call);
  const ms = lengthOf(node);
  const shell = isShellTool(call.tool);
  const agent = node.agents[0];
  const text = agent
    ? agentName(agent.session.agentType)
    : call.text.slice(0, 400);
  return (
    <div className={`as-pc as-${hue}`} role="cell">
      {letter}
      <StateGlyph state={call.state} />
      <span className={`as-lab as-${hue}`} title={oneLine(call.rule, 80)}>
        <LabelMark hue={hue} category={call.category} low={call.low === true} />
      </span>
      <PageLink
        className="as-call-arg"
        href={nav.href("session", { id, call: call.id })}
        go={() => nav.open("session", { id, call: call.id })}
        title={`#${node.number} in ${of}`}
      >
        {!shell && <span className="as-t-f">{oneLine(call.tool, 60)}{" "}
        </span>}
        <CallText
          text={text}
          shell={shell && !agent}
          why={agent ? undefined : call.why}
        />
      </PageLink>
      <span className="as-num as-dim">{ms === undefined ? "" : span(ms)}</span>
    </div>
  );
}

type Line =
  | { kind: "pair"; row: PairRow }
  | { kind: "fork"; words: string; after: number }
  | { kind: "fold"; count: number; block: number };

/** The rows to show: long alike stretches folded but for their ends. */
function linesOf(list: readonly Block[], open: ReadonlySet<number>): Line[] {
  const lines: Line[] = [];
  list.forEach((block, i) => {
    if (block.kind === "part") {
      lines.push({ kind: "fork", words: block.words, after: block.after });
      for (const row of block.rows) lines.push({ kind: "pair", row });
      return;
    }
    const { rows } = block;
    if (open.has(i) || rows.length <= MOST_ALIKE + 1) {
      for (const row of rows) lines.push({ kind: "pair", row });
      return;
    }
    const half = MOST_ALIKE / 2;
    for (const row of rows.slice(0, half)) lines.push({ kind: "pair", row });
    lines.push({ kind: "fold", count: rows.length - MOST_ALIKE, block: i });
    for (const row of rows.slice(-half)) lines.push({ kind: "pair", row });
  });
  return lines;
}

function note(alignment: Alignment): string {
  const { rows, alikeFirst, alike, uncompared } = alignment;
  const differ = rows.length - alike;
  const first = differ === 0
    ? `all ${plural(alike, "call")} alike`
    : `first ${plural(alikeFirst, "call")} alike, then ${whole(differ)} of ${
      whole(rows.length - alikeFirst)
    } differ`;
  return uncompared
    ? `${first}; ${whole(uncompared)} beyond the limit not compared`
    : first;
}

/** The two call sequences, aligned. Calls of subagents count with their call. */
export function Parting(
  { a, b, nav }: { a: SessionModel; b: SessionModel; nav: Nav },
): ReactElement {
  const alignment = useMemo(() => {
    const main = (m: SessionModel) => m.calls.filter((n) => n.lane === 0);
    return align(main(a), main(b));
  }, [a, b]);
  const list = useMemo(() => blocks(alignment), [alignment]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(MOST_ROWS);
  const lines = useMemo(() => linesOf(list, open), [list, open]);
  return (
    <section className="as-cmp-panel" aria-labelledby="as-part">
      <h2 className="as-sect-h" id="as-part">
        Where they part{" "}
        <span className="as-dim as-light">{note(alignment)}</span>
      </h2>
      <div
        className="as-part"
        role="table"
        aria-label="Calls of A and B, aligned"
      >
        <div role="row" className="as-vh">
          <span role="columnheader">A</span>
          <span role="columnheader">B</span>
        </div>
        {lines.slice(0, most).map((line, i) => {
          if (line.kind === "fork") {
            return (
              <div key={i} className="as-fork" role="row">
                <span role="cell">
                  {line.after
                    ? `After call ${whole(line.after)}: `
                    : "From the start: "}
                  {line.words}
                </span>
              </div>
            );
          }
          if (line.kind === "fold") {
            return (
              <div key={i} className="as-fork as-folded" role="row">
                <span role="cell">
                  <button
                    type="button"
                    className="as-link"
                    onClick={() => setOpen(new Set([...open, line.block]))}
                  >
                    {`${plural(line.count, "more call")} alike`}
                  </button>
                </span>
              </div>
            );
          }
          const { row } = line;
          return (
            <div
              key={i}
              role="row"
              className={`as-pair${row.kind === "same" ? " as-same" : ""}`}
            >
              <Cell node={row.a} of="A" id={a.detail.session.id} nav={nav} />
              <Cell node={row.b} of="B" id={b.detail.session.id} nav={nav} />
            </div>
          );
        })}
      </div>
      {lines.length > most && (
        <p className="as-part-more">
          <button
            type="button"
            className="as-link"
            onClick={() => setMost(most + 500)}
          >
            {`Show ${whole(Math.min(500, lines.length - most))} more of ${
              whole(lines.length - most)
            }`}
          </button>
        </p>
      )}
    </section>
  );
}
