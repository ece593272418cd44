/**
 * The rows of the call list. Each is memoised: scrolling paints only what
 * comes into sight.
 *
 * @module
 */
import {
  type CSSProperties,
  memo,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from "react";
import type { Call } from "../../../schema/mod.ts";
import {
  clockSeconds,
  compact,
  oneLine,
  plural,
  shortModel,
  span,
  whole,
} from "../base/format.ts";
import { Chevron, STATE_NAMES, StateGlyph } from "../base/glyphs.tsx";
import { agentName } from "./lanes.ts";
import {
  type AgentNode,
  type CallNode,
  emptyTally,
  lengthOf,
  type TurnNode,
} from "./model.ts";
import {
  CallText,
  hueOf,
  LabelButton,
  LabelMark,
  PathText,
  RollUps,
  TallyBar,
} from "./parts.tsx";
import { isPath, isShellTool, SCAN_LIMIT, toolName } from "./pieces.ts";
import { onlyAgent } from "./rows.ts";
import { type Bar, logWidth, wallBar } from "./scale.ts";
import { reason } from "./why.ts";

/** What rows ask their list to do. Stable over the list's life. */
export interface RowActions {
  /** Opens or closes a turn, a subagent or a call's details; and makes it current. */
  toggle(key: string): void;
  /** Makes a row current. */
  choose(key: string): void;
  /** Says why, at the label pressed. */
  why(call: Call, anchor: HTMLElement): void;
  /** Copies a command, or the link to a call. */
  copy(what: "command" | "link", call: Call): void;
  /** The address of a call. */
  href(call: Call): string;
  /** Puts a call into the address. */
  follow(call: Call): void;
}

/** Indentation stops here: below, the number of the depth is said in words only. */
const MOST_DEPTH = 8;
const indent = (depth: number): CSSProperties =>
  ({ "--as-d": Math.min(depth, MOST_DEPTH) }) as CSSProperties;

function BarCell(
  { bar, className }: { bar: Bar | undefined; className: string },
): ReactElement {
  return (
    <span role="cell" className="as-call-bar">
      {bar && (
        <i
          className={className + (bar.over ? " as-over" : "")}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        />
      )}
    </span>
  );
}

/** The bar of a span: log length, or its place on the turn's clock. */
function barOf(
  turn: TurnNode,
  start: number,
  end: number | undefined,
  wall: boolean,
): Bar | undefined {
  if (wall) return wallBar(turn, start, end);
  return end === undefined
    ? undefined
    : { left: 0, width: logWidth(end - start), over: false };
}

/** A subagent's receipt, in the argument's place. */
function AgentReceipt({ agent, open }: { agent: AgentNode; open: boolean }) {
  const model = agent.session.models[0];
  return (
    <span className="as-agent">
      <b>
        <bdi>{oneLine(agentName(agent.session.agentType), 60)}</bdi>
      </b>
      {agent.session.auxiliary && (
        <span
          className="as-dim"
          title="The harness started it itself: its tokens count, it is not counted as a subagent"
        >
          harness’s own
        </span>
      )}
      {model && <span className="as-dim">{oneLine(shortModel(model), 40)}
      </span>}
      <span>{plural(agent.under.calls, "call")}</span>
      {agent.under.calls > 0 && (
        <span className="as-lbar-64">
          <TallyBar tally={agent.under} />
        </span>
      )}
      {/* Closed, all of it is inside something closed: only hollow marks. */}
      <RollUps own={open ? agent.own : emptyTally()} under={agent.under} />
    </span>
  );
}

/** A turn as a receipt. */
export const TurnRow = memo(function TurnRow(
  { turn, open, rowKey, actions }: {
    turn: TurnNode;
    open: boolean;
    rowKey: string;
    actions: RowActions;
  },
): ReactElement {
  const { turn: t } = turn;
  return (
    <div
      className={`as-turn${open ? " as-open" : ""}`}
      onClick={() => actions.toggle(rowKey)}
    >
      <span role="cell" className="as-turn-n">
        <button
          type="button"
          className="as-tt as-x"
          aria-expanded={open}
          onClick={(event) => {
            event.stopPropagation();
            actions.toggle(rowKey);
          }}
        >
          <Chevron />
          Turn {t.number}
        </button>
      </span>
      <span role="cell" className="as-turn-g as-dim">{t.trigger}</span>
      <span role="cell" className="as-turn-a as-dim">
        {clockSeconds(turn.start)}
      </span>
      <span role="cell" className="as-turn-b">
        <TallyBar tally={turn.under} />
      </span>
      <span role="cell" className="as-turn-m">
        <RollUps own={turn.own} under={turn.under} />
      </span>
      <span role="cell" className="as-num as-turn-c">
        {whole(turn.under.calls)}{" "}
        <span className="as-dim">
          {turn.under.calls === 1 ? "call" : "calls"}
        </span>
      </span>
      <span role="cell" className="as-num as-turn-k">
        {t.tokens.outputIsLowerBound ? "≥" : ""}
        {compact(t.tokens.output)} <span className="as-dim">tok</span>
      </span>
      <span role="cell" className="as-num as-turn-d">
        {span(turn.end - turn.start)}
      </span>
    </div>
  );
});

/** A call; with the subagent it started, that one's receipt. */
export const CallRow = memo(function CallRow(
  { node, turn, open, slow, wall, whyOpen, rowKey, actions }: {
    node: CallNode;
    turn: TurnNode;
    open: boolean;
    slow: boolean;
    wall: boolean;
    whyOpen: boolean;
    rowKey: string;
    actions: RowActions;
  },
): ReactElement {
  const { call } = node;
  const agent = onlyAgent(node);
  // The row's buttons exist only under the mouse; the keys y and Y do the same.
  const [hot, setHot] = useState(false);
  const hue = hueOf(call);
  const ms = lengthOf(node);
  const ran = ms !== undefined && call.state !== "notRun";
  let argument: ReactNode;
  if (agent) argument = <AgentReceipt agent={agent} open={open} />;
  else if (!call.text) {
    argument = (
      <span
        className="as-dim"
        title="No argument is stored: prompts and contents never are"
      >
        –
      </span>
    );
  } else if (!call.why && !isShellTool(call.tool) && isPath(call.text)) {
    argument = <PathText path={call.text} />;
  } else {
    const text = (
      <CallText
        text={call.text.slice(0, 600)}
        shell={isShellTool(call.tool)}
        why={call.why}
      />
    );
    argument = call.truncated || node.agents.length
      ? (
        <span className="as-argx">
          <span className="as-txt">{text}</span>
          {node.agents.length > 1 && (
            <span className="as-cut">
              {plural(node.agents.length, "subagent")}
            </span>
          )}
          {call.truncated && <span className="as-cut">cut at 2 KB</span>}
        </span>
      )
      : text;
  }
  const stop = (event: MouseEvent) => event.stopPropagation();
  return (
    <div
      className={`as-call as-${hue}${agent ? " as-sub" : ""}`}
      style={indent(node.depth)}
      onClick={() => actions.choose(rowKey)}
      onPointerEnter={(event) => setHot(event.pointerType === "mouse")}
      onPointerLeave={() => setHot(false)}
    >
      <span role="cell" className="as-call-x">
        <button
          type="button"
          className="as-xb as-x"
          aria-expanded={open}
          aria-label={agent
            ? `Subagent ${
              agentName(agent.session.agentType)
            }, call ${node.number}`
            : `Details of call ${node.number}`}
          onClick={(event) => {
            stop(event);
            actions.toggle(rowKey);
          }}
        >
          <Chevron />
        </button>
      </span>
      <span role="cell" className="as-call-i">
        <a
          className="as-id"
          href={actions.href(call)}
          aria-label={`${node.number}, link to call ${node.number}${
            node.depth ? `, in a subagent at depth ${node.depth}` : ""
          }`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            stop(event);
            actions.follow(call);
          }}
        >
          {node.number}
        </a>
      </span>
      <span role="cell" className="as-call-s">
        <StateGlyph state={call.state} />
      </span>
      <span role="cell" className="as-call-l">
        <LabelButton
          call={call}
          open={whyOpen}
          onWhy={(button) => actions.why(call, button)}
        />
      </span>
      <span role="cell" className="as-call-t" title={oneLine(call.tool, 200)}>
        <bdi>{oneLine(toolName(call.tool), 80)}</bdi>
      </span>
      <span role="cell" className="as-call-arg">{argument}</span>
      <BarCell
        bar={call.state === "notRun"
          ? undefined
          : barOf(turn, node.start, node.end, wall)}
        className={`as-bar-${hue}${agent ? " as-ag" : slow ? " as-slow" : ""}`}
      />
      <span
        role="cell"
        className={`as-call-d${slow ? " as-slow" : ""}`}
        title={slow ? "Among the slowest tenth" : undefined}
      >
        {ran ? span(ms) : <span title={STATE_NAMES[call.state]}>–</span>}
      </span>
      <span
        role="cell"
        className={`as-call-e${call.exitCode ? " as-bad" : ""}`}
      >
        {call.exitCode}
        {hot && (
          <span className="as-row-acts" onClick={stop}>
            {!agent && call.text && (
              <button
                type="button"
                className="as-btn"
                tabIndex={-1}
                onClick={() => actions.copy("command", call)}
              >
                Copy
              </button>
            )}
            <button
              type="button"
              className="as-btn"
              tabIndex={-1}
              onClick={() => actions.copy("link", call)}
            >
              Link
            </button>
          </span>
        )}
      </span>
    </div>
  );
});

/** A subagent with a row of its own: no one call is known to have started only it. */
export const AgentRow = memo(function AgentRow(
  { agent, turn, open, wall, rowKey, actions }: {
    agent: AgentNode;
    turn: TurnNode;
    open: boolean;
    wall: boolean;
    rowKey: string;
    actions: RowActions;
  },
): ReactElement {
  const name = agentName(agent.session.agentType);
  return (
    <div
      className="as-call as-n as-sub"
      style={indent(agent.depth - 1)}
      onClick={() => actions.choose(rowKey)}
    >
      <span role="cell" className="as-call-x">
        <button
          type="button"
          className="as-xb as-x"
          aria-expanded={open}
          aria-label={`Subagent ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            actions.toggle(rowKey);
          }}
        >
          <Chevron />
        </button>
      </span>
      <span role="cell" className="as-call-i" />
      <span role="cell" className="as-call-s" />
      <span role="cell" className="as-call-l">
        <span className="as-lab as-n">
          <LabelMark hue="n" category="agent" />
        </span>
      </span>
      <span role="cell" className="as-call-t">
        {agent.starter ? `of #${agent.starter.number}` : (
          <span
            title={agent.session.auxiliary
              ? "No call started it: the harness did"
              : "Nothing recorded says which call started it"}
          >
            no call
          </span>
        )}
      </span>
      <span role="cell" className="as-call-arg">
        <AgentReceipt agent={agent} open={open} />
      </span>
      <BarCell
        bar={barOf(turn, agent.start, agent.end, wall)}
        className="as-bar-n as-ag"
      />
      <span role="cell" className="as-call-d">
        {span(agent.end - agent.start)}
      </span>
      <span role="cell" className="as-call-e" />
    </div>
  );
});

/** A call's details: the whole text, times, state, rule. */
export const DetailRow = memo(function DetailRow(
  { node, actions }: { node: CallNode; actions: RowActions },
): ReactElement {
  const { call } = node;
  const { verdict, wraps } = reason(call);
  const rest = call.text.length - SCAN_LIMIT;
  return (
    <div className={`as-detail as-${hueOf(call)}`} style={indent(node.depth)}>
      <div role="cell">
        {call.text && (
          <pre tabIndex={0}>
            <CallText text={call.text} shell={isShellTool(call.tool)} why={call.why} lines />
            {rest > 0 && (
              <span className="as-cut">{`${whole(rest)} more characters, not shown`}</span>
            )}
            {call.truncated && (
              <span className="as-cut">cut at 2 KB, the rest was never stored</span>
            )}
          </pre>
        )}
        <p>
          {call.label !== "neutral" && <b>{verdict}</b>}
          <span>
            {clockSeconds(node.start)}
            {node.end !== undefined && ` – ${clockSeconds(node.end)}`}
          </span>
          <span>
            {STATE_NAMES[call.state]}
            {call.exitCode !== undefined && `, exit ${call.exitCode}`}
          </span>
          <span className="as-mono">{oneLine(call.rule, 80)}</span>
          {wraps && (
            <span>
              This repo wraps it:{" "}
              <bdi className="as-mono">{oneLine(wraps, 160)}</bdi>
            </span>
          )}
          {call.spans?.length
            ? (
              <span>
                swamp spans{" "}
                <span className="as-mono">
                  {call.spans.map((s) => oneLine(s, 120)).join(" ")}
                </span>
              </span>
            )
            : null}
          {call.text && (
            <button
              type="button"
              className="as-btn"
              onClick={() => actions.copy("command", call)}
            >
              Copy command
            </button>
          )}
          <button
            type="button"
            className="as-btn"
            onClick={() =>
              actions.copy("link", call)}
          >
            Copy link
          </button>
        </p>
      </div>
    </div>
  );
});
