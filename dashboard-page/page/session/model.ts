/**
 * A detail item as the page needs it: calls numbered in reading order,
 * subagents hung under the calls that started them, tallies rolled up.
 * Total: broken links, cycles and missing parents still show every call.
 *
 * @module
 */
import type {
  Call,
  Detail,
  Mark,
  SessionDetail,
  Turn,
} from "../../../schema/mod.ts";

/** Counts of a group of calls. */
export interface Tally {
  /** All. */
  calls: number;
  /** Labelled swamp. */
  swamp: number;
  /** Labelled bypass, mutating ones included. */
  bypass: number;
  /** Bypasses that changed something. */
  mutating: number;
  /** Labelled neutral. */
  neutral: number;
  /** In state failed. */
  failed: number;
  /** In state rejected. */
  rejected: number;
}

/** A call in its place. */
export interface CallNode {
  kind: "call";
  call: Call;
  /** From 1, in reading order, subagents' calls in place. */
  number: number;
  /** 0 for the main agent, one more a subagent. */
  depth: number;
  /** Index of the lane: 0 is the main agent. */
  lane: number;
  /** Index of the main session's turn. */
  turn: number;
  /** Epoch ms. */
  start: number;
  /** Epoch ms; undefined where no end was recorded. */
  end: number | undefined;
  /** Subagents it started. */
  agents: AgentNode[];
  /** The subagent that made the call; undefined for the main agent. */
  within: AgentNode | undefined;
}

/** A subagent in its place. */
export interface AgentNode {
  kind: "agent";
  session: SessionDetail;
  /** Index of its lane. */
  lane: number;
  /** Depth of its own calls. */
  depth: number;
  /** Index of the main session's turn. */
  turn: number;
  /** The call that started it, where known. */
  starter: CallNode | undefined;
  /** The subagent it is inside of; undefined under the main agent. */
  within: AgentNode | undefined;
  /** Epoch ms. */
  start: number;
  /** Epoch ms. */
  end: number;
  /** Its calls, and the subagents it started by no known call, in time order. */
  items: Item[];
  /** Its marks. */
  marks: Mark[];
  /** Its own calls. */
  own: Tally;
  /** Its own and those of everything inside. */
  under: Tally;
}

/** What stands in a turn or a subagent. */
export type Item = CallNode | AgentNode;

/** A turn of the main session. */
export interface TurnNode {
  turn: Turn;
  /** From 0. */
  index: number;
  /** Epoch ms. */
  start: number;
  /** Epoch ms. */
  end: number;
  /** Calls, and subagents without a known call, in time order. */
  items: Item[];
  /** The main agent's calls. */
  own: Tally;
  /** Those, and all calls of subagents inside. */
  under: Tally;
}

/** The whole session, ready to be shown. */
export interface SessionModel {
  detail: Detail;
  /** Epoch ms. */
  start: number;
  /** Epoch ms; the last end of anything inside. */
  end: number;
  turns: TurnNode[];
  /** Every call, in reading order; `calls[i].number === i + 1`. */
  calls: CallNode[];
  byId: ReadonlyMap<string, CallNode>;
  /** Every subagent, in reading order; `agents[i].lane === i + 1`. */
  agents: AgentNode[];
  total: Tally;
}

/** An empty tally. */
export const emptyTally = (): Tally => ({
  calls: 0,
  swamp: 0,
  bypass: 0,
  mutating: 0,
  neutral: 0,
  failed: 0,
  rejected: 0,
});

/** Whether a call is a bypass that changed something. */
export const isMutating = (call: Call): boolean =>
  call.label === "bypass" && call.mutating === true;

/** Whether a call failed or was rejected. */
export const isBad = (call: Call): boolean =>
  call.state === "failed" || call.state === "rejected";

function count(tally: Tally, call: Call): void {
  tally.calls++;
  tally[call.label]++;
  if (isMutating(call)) tally.mutating++;
  if (call.state === "failed") tally.failed++;
  if (call.state === "rejected") tally.rejected++;
}

function addTally(to: Tally, from: Tally): void {
  for (const key of Object.keys(to) as (keyof Tally)[]) to[key] += from[key];
}

/** Epoch ms of a contract time; `fallback` where it is none. */
function at(time: string | undefined, fallback: number): number {
  const ms = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? fallback : ms;
}

/** Length of a call in ms; undefined where no end was recorded. */
export const lengthOf = (node: CallNode): number | undefined =>
  node.end === undefined ? undefined : Math.max(0, node.end - node.start);

interface Links {
  /** Subagents by the call that started them. */
  byCall: Map<Call, SessionDetail[]>;
  /** Subagents without a known call, by the session they are shown in. */
  loose: Map<SessionDetail, SessionDetail[]>;
}

const push = <K, V>(map: Map<K, V[]>, key: K, value: V) => {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
};

/** Finds for each subagent where it stands; whoever leads nowhere stands in the main session. */
function link(detail: Detail): Links {
  const sessions = new Map<string, SessionDetail>();
  for (const s of [detail.session, ...detail.subagents]) {
    if (!sessions.has(s.id)) sessions.set(s.id, s);
  }
  const callsOf = new Map<SessionDetail, Map<string, Call>>();
  const starters = new Map<string, { owner: SessionDetail; call: Call }>();
  for (const s of sessions.values()) {
    const calls = new Map<string, Call>();
    for (const turn of s.turns) {
      for (const call of turn.calls) {
        if (!calls.has(call.id)) calls.set(call.id, call);
        if (call.subagent !== undefined && !starters.has(call.subagent)) {
          starters.set(call.subagent, { owner: s, call });
        }
      }
    }
    callsOf.set(s, calls);
  }
  const parents = new Map<
    SessionDetail,
    { owner: SessionDetail; call?: Call }
  >();
  for (const s of detail.subagents) {
    const owner = s.parent && sessions.get(s.parent.session);
    const named = owner && s.parent?.call !== undefined
      ? callsOf.get(owner)?.get(s.parent.call)
      : undefined;
    if (owner && named) parents.set(s, { owner, call: named });
    else {parents.set(
        s,
        starters.get(s.id) ?? { owner: owner ?? detail.session },
      );}
  }
  // A chain that meets itself never reaches the main session: its first member
  // that is looked at moves there.
  const rooted = new Set<SessionDetail>([detail.session]);
  for (const s of detail.subagents) {
    const chain = new Set<SessionDetail>();
    let at = s;
    while (!rooted.has(at) && !chain.has(at)) {
      chain.add(at);
      at = parents.get(at)?.owner ?? detail.session;
    }
    if (!rooted.has(at)) parents.set(at, { owner: detail.session });
    for (const member of chain) rooted.add(member);
  }
  const links: Links = { byCall: new Map(), loose: new Map() };
  for (const s of detail.subagents) {
    const place = parents.get(s)!;
    if (place.call) push(links.byCall, place.call, s);
    else push(links.loose, place.owner, s);
  }
  return links;
}

/** Builds the model. Pure; linear in the number of calls and subagents. */
export function buildModel(detail: Detail): SessionModel {
  const links = link(detail);
  const start = at(detail.session.startedAt, 0);
  const calls: CallNode[] = [];
  const agents: AgentNode[] = [];
  const byId = new Map<string, CallNode>();
  let end = at(detail.session.endedAt, start);

  const callNode = (
    call: Call,
    turn: number,
    within: AgentNode | undefined,
    depth: number,
  ): CallNode => {
    const from = at(call.startedAt, start);
    const to = call.endedAt === undefined ? undefined : at(call.endedAt, from);
    if (to !== undefined && to > end) end = to;
    return {
      kind: "call",
      call,
      number: 0,
      depth,
      lane: within?.lane ?? 0,
      turn,
      start: from,
      end: to,
      agents: [],
      within,
    };
  };
  const agentNode = (
    session: SessionDetail,
    turn: number,
    depth: number,
    starter: CallNode | undefined,
    within: AgentNode | undefined,
  ): AgentNode => {
    const from = at(session.startedAt, starter?.start ?? start);
    const to = at(session.endedAt, from);
    if (to > end) end = to;
    return {
      kind: "agent",
      session,
      lane: 0,
      depth,
      turn,
      starter,
      within,
      start: from,
      end: to,
      items: [],
      marks: session.marks,
      own: emptyTally(),
      under: emptyTally(),
    };
  };

  const turns: TurnNode[] = detail.session.turns.map((turn, index) => ({
    turn,
    index,
    start: at(turn.startedAt, start),
    end: at(turn.endedAt, at(turn.startedAt, start)),
    items: [],
    own: emptyTally(),
    under: emptyTally(),
  }));
  for (const t of turns) {
    t.items = t.turn.calls.map((c) => callNode(c, t.index, undefined, 0));
    for (const c of t.turn.calls) count(t.own, c);
    addTally(t.under, t.own);
    if (t.end > end) end = t.end;
  }
  // Subagents that no call of the main session is known to have started.
  const loose = (links.loose.get(detail.session) ?? []).map((s) =>
    agentNode(s, 0, 1, undefined, undefined)
  ).sort((a, b) => a.start - b.start);
  if (loose.length && turns.length === 0) {
    turns.push(madeTurn(detail, start, end));
  }
  for (const agent of loose) {
    let home = turns[0]!;
    for (const t of turns) if (t.start <= agent.start) home = t;
    agent.turn = home.index;
    home.items.push(agent);
    home.items.sort((a, b) => a.start - b.start);
  }

  // Reading order without recursion: depth is the record's, not the stack's.
  const stack: Item[] = turns.flatMap((t) => t.items).reverse();
  while (stack.length) {
    const item = stack.pop()!;
    if (item.kind === "call") {
      item.number = calls.push(item);
      if (!byId.has(item.call.id)) byId.set(item.call.id, item);
      item.lane = item.within?.lane ?? 0;
      const started = links.byCall.get(item.call);
      if (!started) continue;
      links.byCall.delete(item.call);
      // One subagent shares the row of its call; several get rows of their own.
      const depth = item.depth + (started.length > 1 ? 2 : 1);
      item.agents = started.map((s) =>
        agentNode(s, item.turn, depth, item, item.within)
      );
      for (const agent of item.agents.toReversed()) stack.push(agent);
      continue;
    }
    item.lane = agents.push(item);
    const own = item.session.turns.flatMap((t) => t.calls);
    for (const c of own) count(item.own, c);
    item.items = own.map((c) => callNode(c, item.turn, item, item.depth));
    const inside = links.loose.get(item.session);
    if (inside) {
      links.loose.delete(item.session);
      item.items.push(
        ...inside.map((s) =>
          agentNode(s, item.turn, item.depth + 1, undefined, item)
        ),
      );
      item.items.sort((a, b) => a.start - b.start);
    }
    for (const child of item.items.toReversed()) stack.push(child);
  }
  for (const agent of agents.toReversed()) {
    addTally(agent.under, agent.own);
    addTally((agent.within ?? turns[agent.turn]!).under, agent.under);
  }
  const total = emptyTally();
  for (const t of turns) addTally(total, t.under);
  return { detail, start, end, turns, calls, byId, agents, total };
}

/** A turn to hang subagents in where the main session has none. */
function madeTurn(detail: Detail, start: number, end: number): TurnNode {
  return {
    turn: {
      number: 1,
      startedAt: detail.session.startedAt,
      endedAt: detail.session.endedAt,
      trigger: "unknown",
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      calls: [],
    },
    index: 0,
    start,
    end,
    items: [],
    own: emptyTally(),
    under: emptyTally(),
  };
}
