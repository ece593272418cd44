/**
 * The lane strip: one lane for the main agent and one for each subagent, as
 * SVG paths in pixels. A path a colour and lane keeps thousands of calls cheap.
 *
 * @module
 */
import {
  type CallNode,
  isBad,
  isMutating,
  type SessionModel,
} from "./model.ts";
import type { TimeAxis } from "./scale.ts";

/** Height of a lane in px. */
export const LANE = 15;

/** How a call is painted. */
export type Paint = "neutral" | "swamp" | "bypass" | "mutating";

/** In painting order: what matters is never covered by what does not. */
export const PAINTS: readonly Paint[] = [
  "neutral",
  "swamp",
  "bypass",
  "mutating",
];

/** A lane's name and what it holds. */
export interface Lane {
  name: string;
  depth: number;
  /** Its own calls. */
  calls: number;
  /** Span of a subagent, epoch ms; undefined for the main agent. */
  span: readonly [number, number] | undefined;
}

/** Paths of one lane, relative to its top; "" where there is nothing. */
export interface LanePaths {
  paints: Record<Paint, string>;
  /** Ticks under failed and rejected calls. */
  bad: string;
}

/** How a call is painted. */
const paintOf = (node: CallNode): Paint =>
  isMutating(node.call) ? "mutating" : node.call.label;

/** The name of a subagent's kind. */
export const agentName = (agentType: string | undefined): string =>
  agentType || "subagent";

/** The lanes from top to bottom. */
export function lanesOf(model: SessionModel): Lane[] {
  const main = model.calls.filter((n) => n.lane === 0).length;
  return [
    { name: "main", depth: 0, calls: main, span: undefined },
    ...model.agents.map((a) => ({
      name: agentName(a.session.agentType),
      depth: a.depth,
      calls: a.own.calls,
      span: [a.start, a.end] as const,
    })),
  ];
}

const MIN_PX = 2.5;
const round = (n: number) => Math.round(n * 10) / 10;
const rect = (x: number, y: number, w: number, h: number) =>
  `M${round(x)} ${y}h${round(w)}v${h}h${-round(w)}z`;

/** A call's left edge and width in px. */
function spanPx(
  node: CallNode,
  axis: TimeAxis,
  width: number,
): [number, number] {
  const x = axis.x(node.start) * width;
  const w = node.end === undefined ? 0 : axis.x(node.end) * width - x;
  const wide = Math.max(MIN_PX, w);
  return [Math.min(x, Math.max(0, width - wide)), wide];
}

/** Background work is a thin line under the lane: it does not hold the agent up. */
const isThin = (node: CallNode) => node.call.state === "background";

/** The calls that are painted: a subagent's own lane stands for the call that started it. */
const painted = (node: CallNode) => node.agents.length === 0;

/** Paths of every lane at this width. */
export function lanePaths(
  model: SessionModel,
  axis: TimeAxis,
  width: number,
): LanePaths[] {
  const lanes: LanePaths[] = Array.from(
    { length: model.agents.length + 1 },
    () => ({
      paints: { neutral: "", swamp: "", bypass: "", mutating: "" },
      bad: "",
    }),
  );
  for (const node of model.calls) {
    const lane = lanes[node.lane]!;
    const [x, w] = spanPx(node, axis, width);
    if (isBad(node.call)) lane.bad += rect(x, 11, 4, 3);
    if (!painted(node)) continue;
    lane.paints[paintOf(node)] += isThin(node)
      ? rect(x, 12, w, 2)
      : rect(x, 1, w, 10);
  }
  return lanes;
}

/** Paths of chosen calls only, lane by lane: `[lane, path]`. */
export function chosenPaths(
  model: SessionModel,
  axis: TimeAxis,
  width: number,
  chosen: ReadonlySet<string>,
): { lane: number; paint: Paint; path: string; id: string }[] {
  const out: { lane: number; paint: Paint; path: string; id: string }[] = [];
  for (const id of chosen) {
    const node = model.byId.get(id);
    if (!node) continue;
    const [x, w] = spanPx(node, axis, width);
    const path = isThin(node) ? rect(x, 12, w, 2) : rect(x, 1, w, 10);
    out.push({ lane: node.lane, paint: paintOf(node), path, id });
  }
  return out;
}

/** The call at a point of a lane, within 3 px; the one that matters most wins. */
export function callAt(
  model: SessionModel,
  axis: TimeAxis,
  width: number,
  lane: number,
  px: number,
): CallNode | undefined {
  let best: CallNode | undefined;
  let bestScore = Infinity;
  for (const node of model.calls) {
    if (node.lane !== lane || !painted(node)) continue;
    const [x, w] = spanPx(node, axis, width);
    const away = Math.max(0, x - px, px - x - w);
    if (away > 3) continue;
    const score = away * 10 - PAINTS.indexOf(paintOf(node));
    if (score < bestScore) [best, bestScore] = [node, score];
  }
  return best;
}
