/**
 * Two call sequences side by side: what is alike, and where they part; and
 * which agents' sequences belong side by side.
 *
 * @module
 */
import { shortCategory } from "../base/format.ts";
import type { AgentNode, CallNode, SessionModel } from "../session/model.ts";

/** A row of the comparison. */
export type PairRow =
  | { kind: "same"; a: CallNode; b: CallNode }
  | { kind: "differ"; a?: CallNode; b?: CallNode };

/** The whole alignment. */
export interface Alignment {
  rows: PairRow[];
  /** Calls alike before the first difference. */
  alikeFirst: number;
  /** Calls that have a partner. */
  alike: number;
  /** Calls beyond the limit that were not compared, both sides together. */
  uncompared: number;
}

/** Longest sequence that is aligned exactly; the table of the search stays below 16 MB. */
export const ALIGN_LIMIT = 2000;

/** What makes two calls alike: the tool, and the text but for white space. */
export const signature = (node: CallNode): string =>
  `${node.call.tool}\n${node.call.text.replace(/\s+/g, " ").trim()}`;

/** Aligns two sequences by their longest common subsequence. */
export function align(
  a: readonly CallNode[],
  b: readonly CallNode[],
): Alignment {
  const left = a.slice(0, ALIGN_LIMIT);
  const right = b.slice(0, ALIGN_LIMIT);
  const keysA = left.map(signature);
  const keysB = right.map(signature);
  let start = 0;
  while (
    start < left.length && start < right.length && keysA[start] === keysB[start]
  ) start++;
  let endA = left.length;
  let endB = right.length;
  while (endA > start && endB > start && keysA[endA - 1] === keysB[endB - 1]) {
    endA--;
    endB--;
  }
  const n = endA - start;
  const m = endB - start;
  const width = m + 1;
  const table = new Uint16Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      table[i * width + j] = keysA[start + i] === keysB[start + j]
        ? table[(i + 1) * width + j + 1]! + 1
        : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const rows: PairRow[] = [];
  for (let i = 0; i < start; i++) {
    rows.push({ kind: "same", a: left[i]!, b: right[i]! });
  }
  let onlyA: CallNode[] = [];
  let onlyB: CallNode[] = [];
  const flush = () => {
    for (let k = 0; k < Math.max(onlyA.length, onlyB.length); k++) {
      const row: PairRow = { kind: "differ" };
      if (onlyA[k]) row.a = onlyA[k]!;
      if (onlyB[k]) row.b = onlyB[k]!;
      rows.push(row);
    }
    onlyA = [];
    onlyB = [];
  };
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && keysA[start + i] === keysB[start + j]) {
      flush();
      rows.push({
        kind: "same",
        a: left[start + i++]!,
        b: right[start + j++]!,
      });
    } else if (
      j >= m ||
      (i < n && table[(i + 1) * width + j]! >= table[i * width + j + 1]!)
    ) onlyA.push(left[start + i++]!);
    else onlyB.push(right[start + j++]!);
  }
  flush();
  for (let k = 0; endA + k < left.length; k++) {
    rows.push({ kind: "same", a: left[endA + k]!, b: right[endB + k]! });
  }
  return {
    rows,
    alikeFirst: start,
    alike: rows.reduce((sum, r) => sum + (r.kind === "same" ? 1 : 0), 0),
    uncompared: a.length - left.length + b.length - right.length,
  };
}

/** One agent of A beside its like of B. */
export interface Strand {
  /** Absent for the main agent, and where only B has this subagent. */
  a?: AgentNode;
  /** Absent for the main agent, and where only A has this subagent. */
  b?: AgentNode;
  alignment: Alignment;
}

/** Subagents with one parent each in A and B, paired: by their starting calls, then by type and order. */
function pairAgents(
  inA: readonly AgentNode[],
  inB: readonly AgentNode[],
  parents: Alignment,
): Pick<Strand, "a" | "b">[] {
  const type = (agent: AgentNode) => agent.session.agentType ?? "";
  const partner = new Map<AgentNode, AgentNode>();
  const taken = new Set<AgentNode>();
  const pair = (a: AgentNode, b: AgentNode | undefined) => {
    if (!b) return;
    partner.set(a, b);
    taken.add(b);
  };
  for (const row of parents.rows) {
    if (row.kind !== "same") continue;
    row.a.agents.forEach((a, i) => {
      const b = row.b.agents[i];
      if (b && type(a) === type(b)) pair(a, b);
    });
  }
  const free = new Map<string, AgentNode[]>();
  for (const b of inB) {
    if (taken.has(b)) continue;
    const of = free.get(type(b));
    if (of) of.push(b);
    else free.set(type(b), [b]);
  }
  for (const of of free.values()) of.reverse();
  for (const a of inA) if (!partner.has(a)) pair(a, free.get(type(a))?.pop());
  return [
    ...inA.map((a) => ({ a, ...(partner.has(a) && { b: partner.get(a)! }) })),
    ...inB.filter((b) => !taken.has(b)).map((b) => ({ b })),
  ];
}

/** The main agents first, then every subagent beneath its parent, at any depth. */
export function strands(a: SessionModel, b: SessionModel): Strand[] {
  const sides = [a, b].map((model) => {
    const calls = new Map<number, CallNode[]>();
    for (const node of model.calls) {
      const of = calls.get(node.lane);
      if (of) of.push(node);
      else calls.set(node.lane, [node]);
    }
    const inside = new Map<number, AgentNode[]>();
    for (const agent of model.agents) {
      const lane = agent.within?.lane ?? 0;
      const of = inside.get(lane);
      if (of) of.push(agent);
      else inside.set(lane, [agent]);
    }
    return { calls, inside };
  });
  const [left, right] = sides as [typeof sides[0], typeof sides[0]];
  const out: Strand[] = [];
  // Lane 0 is the main agent; -1 is nobody.
  const waiting: Pick<Strand, "a" | "b">[] = [{}];
  while (waiting.length) {
    const of = waiting.pop()!;
    const main = !of.a && !of.b;
    const laneA = main ? 0 : of.a?.lane ?? -1;
    const laneB = main ? 0 : of.b?.lane ?? -1;
    const alignment = align(
      left.calls.get(laneA) ?? [],
      right.calls.get(laneB) ?? [],
    );
    out.push({ ...of, alignment });
    waiting.push(
      ...pairAgents(
        left.inside.get(laneA) ?? [],
        right.inside.get(laneB) ?? [],
        alignment,
      ).reverse(),
    );
  }
  return out;
}

/** A stretch of the comparison as it is shown. */
export type Block =
  | { kind: "alike"; rows: PairRow[]; first: number }
  | { kind: "part"; rows: PairRow[]; after: number; words: string };

/** Where a side goes, in words: by what it goes around swamp, else what it does. */
function goes(nodes: readonly CallNode[]): string {
  if (nodes.length === 0) return "makes no call";
  const by = (label: string) => {
    const counts = new Map<string, number>();
    for (const { call } of nodes) {
      if (call.label !== label) continue;
      counts.set(call.category, (counts.get(call.category) ?? 0) + 1);
    }
    return [...counts].sort((x, y) => y[1] - x[1]).slice(0, 2)
      .map(([c]) => shortCategory(c));
  };
  const around = by("bypass");
  const swamp = by("swamp").length > 0;
  if (around.length) {
    const way = around.join(" and ");
    return swamp
      ? `uses swamp, and goes around it by ${way}`
      : `goes around swamp by ${way}`;
  }
  if (swamp) return "stays with swamp";
  return `does neither: ${by("neutral").join(" and ")}`;
}

/** The rows in stretches: alike, then apart, with a sentence at each parting. */
export function blocks(alignment: Alignment): Block[] {
  const out: Block[] = [];
  let alike = 0;
  let row = 0;
  const { rows } = alignment;
  while (row < rows.length) {
    const kind = rows[row]!.kind;
    let end = row;
    while (end < rows.length && rows[end]!.kind === kind) end++;
    const part = rows.slice(row, end);
    if (kind === "same") {
      out.push({ kind: "alike", rows: part, first: alike });
      alike += part.length;
    } else {
      const a = part.flatMap((r) => r.a ?? []);
      const b = part.flatMap((r) => r.b ?? []);
      const before = rows.slice(0, row).findLast((r) => r.kind === "same");
      const after = before?.a?.number ?? 0;
      out.push({
        kind: "part",
        rows: part,
        after,
        words: `A ${goes(a)}, B ${goes(b)}`,
      });
    }
    row = end;
  }
  return out;
}
