/**
 * Where two sessions part: what is alike stays quiet, each parting has a
 * sentence, and what differs stands side by side.
 *
 * @module
 */
import {
  type CSSProperties,
  type ReactElement,
  useMemo,
  useState,
} from "react";
import { oneLine, plural, span, whole } from "../base/format.ts";
import { Chevron, StateGlyph } from "../base/glyphs.tsx";
import type { Nav } from "../base/nav.ts";
import { PageLink } from "../session/Header.tsx";
import { agentName } from "../session/lanes.ts";
import {
  type CallNode,
  lengthOf,
  type SessionModel,
} from "../session/model.ts";
import { CallText, hueOf, LabelMark } from "../session/parts.tsx";
import { isShellTool, toolName } from "../session/pieces.ts";
import {
  type Alignment,
  type Block,
  blocks,
  type PairRow,
  type Strand,
  strands,
} from "./align.ts";

/** Rows before "show more". */
const MOST_ROWS = 120;
/** Calls alike in a row that are shown before the rest folds. */
const MOST_ALIKE = 6;
/** Calls of one side alone, in a row, that are shown before the rest folds. */
const MOST_ALONE = 12;

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
        {!shell && (
          <span className="as-t-f">
            {oneLine(toolName(call.tool), 60)}
            {" "}
          </span>
        )}
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
  | { kind: "fold"; words: string; block: string }
  | { kind: "agent"; strand: Strand; key: string; open: boolean };

/** The rows of one agent: long stretches alike, or of one side, are folded. */
function blockLines(
  list: readonly Block[],
  strand: number,
  open: ReadonlySet<string>,
): Line[] {
  const lines: Line[] = [];
  list.forEach((block, i) => {
    const { rows } = block;
    const key = `${strand}:${i}`;
    let [shown, last, words] = [rows.length, 0, ""];
    if (block.kind === "part") {
      lines.push({ kind: "fork", words: block.words, after: block.after });
      // One side is done before the other: what is left is that one's alone.
      const both = rows.findIndex((r) => !r.a || !r.b);
      const alone = both < 0 ? 0 : rows.length - both;
      if (alone > MOST_ALONE + 1) {
        shown = both + MOST_ALONE;
        words = `${plural(rows.length - shown, "more call")} only in ${
          rows[both]?.a ? "A" : "B"
        }`;
      }
    } else if (rows.length > MOST_ALIKE + 1) {
      shown = last = MOST_ALIKE / 2;
      words = `${plural(rows.length - MOST_ALIKE, "more call")} alike`;
    }
    if (open.has(key)) [shown, last, words] = [rows.length, 0, ""];
    for (const row of rows.slice(0, shown)) lines.push({ kind: "pair", row });
    if (words) lines.push({ kind: "fold", words, block: key });
    if (last) {
      for (const row of rows.slice(-last)) lines.push({ kind: "pair", row });
    }
  });
  return lines;
}

/** Only a subagent that both have, and that differs, is open before anyone asks. */
const opensItself = ({ a, b, alignment }: Strand) =>
  a !== undefined && b !== undefined &&
  alignment.rows.length > alignment.alike;

/**
 * The rows to show: the main agents', then each subagent's under a heading.
 * `turned` holds what a person opened, or closed.
 */
function linesOf(
  all: readonly Strand[],
  turned: ReadonlySet<string>,
): Line[] {
  return all.flatMap((strand, i) => {
    const list = blocks(strand.alignment);
    if (i === 0) return blockLines(list, i, turned);
    const key = String(i);
    const open = opensItself(strand) !== turned.has(key);
    return [
      { kind: "agent" as const, strand, key, open },
      ...(open ? blockLines(list, i, turned) : []),
    ];
  });
}

function note(alignment: Alignment): string {
  const { rows, alikeFirst, alike, uncompared } = alignment;
  const differ = rows.length - alike;
  const first = differ === 0
    ? `all ${plural(alike, "call")} alike`
    : alikeFirst === 0
    ? `${whole(differ)} of ${plural(rows.length, "call")} differ`
    : `first ${plural(alikeFirst, "call")} alike, then ${whole(differ)} of ${
      whole(rows.length - alikeFirst)
    } differ`;
  return uncompared
    ? `${first}; ${whole(uncompared)} beyond the limit not compared`
    : first;
}

/** What there is of subagents, in words. */
function agentsNote(agents: readonly Strand[]): string {
  if (!agents.length) return "";
  const both = agents.filter((s) => s.a && s.b);
  const alike = both.filter((s) => !opensItself(s)).length;
  const only = (side: "a" | "b") => agents.filter((s) => !s[side]).length;
  return [
    both.length && `${plural(both.length, "subagent")} in both, ${alike} alike`,
    only("b") && `${whole(only("b"))} only in A`,
    only("a") && `${whole(only("a"))} only in B`,
  ].filter(Boolean).join(", ");
}

/** A subagent's heading; a click shows or hides its calls. */
function AgentLine({ line, onTurn }: {
  line: Extract<Line, { kind: "agent" }>;
  onTurn(key: string): void;
}) {
  const { a, b, alignment } = line.strand;
  const one = a ?? b;
  if (!one) return null;
  const where = !b
    ? `only in A, ${plural(alignment.rows.length, "call")}`
    : !a
    ? `only in B, ${plural(alignment.rows.length, "call")}`
    : note(alignment);
  return (
    <div
      className="as-fork as-fork-agent"
      role="row"
      style={{ "--as-d": Math.min(one.depth - 1, 6) } as CSSProperties}
    >
      <span role="cell">
        <button
          type="button"
          className="as-tt"
          aria-expanded={line.open}
          onClick={() => onTurn(line.key)}
        >
          <Chevron />
          <bdi>{oneLine(agentName(one.session.agentType), 60)}</bdi>
        </button>{" "}
        <span className="as-dim as-light">{where}</span>
      </span>
    </div>
  );
}

/** The calls of every agent, aligned; subagents beside their likes. */
export function Parting(
  { a, b, nav }: { a: SessionModel; b: SessionModel; nav: Nav },
): ReactElement {
  const all = useMemo(() => strands(a, b), [a, b]);
  const [main] = all;
  const agents = agentsNote(all.slice(1));
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(MOST_ROWS);
  const lines = useMemo(() => linesOf(all, turned), [all, turned]);
  const turn = (key: string) =>
    setTurned((was) => {
      const next = new Set(was);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <section className="as-cmp-panel" aria-labelledby="as-part">
      <h2 className="as-sect-h" id="as-part">
        Where they part{" "}
        <span className="as-dim as-light">
          {main && note(main.alignment)}
          {agents && ` · ${agents}`}
        </span>
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
          if (line.kind === "agent") {
            return <AgentLine key={i} line={line} onTurn={turn} />;
          }
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
                    onClick={() => turn(line.block)}
                  >
                    {line.words}
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
