/**
 * Which call started which subagent, by the best evidence there is.
 *
 * @module
 */
import type {
  BuiltCall,
  BuiltSession,
  LinkEvidence,
} from "../../session/model.ts";
import { printable } from "../../session/builder.ts";
import { boundedId, hashId } from "./ids.ts";

/** What a subagent's sidecar file (`agent-*.meta.json`) says. */
export interface Sidecar {
  /** The call that started it. */
  toolUseId?: string;
  /** The subagent that started it, where nested. */
  parentAgentId?: string;
  /** Its kind. */
  agentType?: string;
}

/** A subagent to link. */
export interface Child {
  /** It as built. */
  session: BuiltSession;
  /** Its agent id; absent for one embedded in its parent's file. */
  agent?: string;
  /** Its sidecar, where there is one. */
  sidecar?: Sidecar;
  /** The workflow run whose folder it lies in. */
  workflow?: string;
  /** Hash of its first human text. */
  prompt?: number;
  /** What tells its session where nothing tells its call. */
  fallback: LinkEvidence;
}

interface Start {
  session: BuiltSession;
  call: BuiltCall;
}

/** Weaker evidence comes later. */
const ORDER: readonly LinkEvidence[] = ["result", "progress", "notification"];

/** Most names of workflow runs that are remembered. */
const MOST_WORKFLOWS = 2000;

/** Collects evidence while reading, then links. */
export class Links {
  #calls = new Map<string, Start>();
  #byAgent = new Map<string, { start: Start; rank: number }[]>();
  #byId: { agent: string; call: string; evidence: LinkEvidence }[] = [];
  #seenById = new Set<string>();
  #prompts = new Map<number, Start[]>();
  #types = new Map<BuiltCall, string>();
  #workflows: { name: string; start: Start }[] = [];

  /** A call, so that a sidecar can name it. */
  call(session: BuiltSession, call: BuiltCall): void {
    if (!this.#calls.has(call.id)) this.#calls.set(call.id, { session, call });
  }

  /** A call that starts a subagent, with the prompt it gives. */
  agentCall(
    session: BuiltSession,
    call: BuiltCall,
    prompt: string | undefined,
    type: string | undefined,
  ): void {
    if (type) this.#types.set(call, printable(type, 120));
    if (prompt === undefined) return;
    const hash = hashId(prompt);
    const list = this.#prompts.get(hash);
    if (list) list.push({ session, call });
    else this.#prompts.set(hash, [{ session, call }]);
  }

  /** A record of the call itself names the agent. */
  evidence(
    agent: string,
    session: BuiltSession,
    call: BuiltCall,
    evidence: LinkEvidence,
  ): void {
    const list = this.#byAgent.get(agent) ?? [];
    list.push({ start: { session, call }, rank: ORDER.indexOf(evidence) });
    this.#byAgent.set(agent, list);
  }

  /** A record names agent and call; the call may be read later. */
  byId(agent: string, call: string, evidence: LinkEvidence): void {
    const key = `${evidence} ${agent} ${call}`;
    if (this.#seenById.has(key) || this.#seenById.size > 100_000) return;
    this.#seenById.add(key);
    this.#byId.push({ agent, call: boundedId(call), evidence });
  }

  /** A call that started a workflow; `name` is its run or its folder. */
  workflow(name: string, session: BuiltSession, call: BuiltCall): void {
    if (this.#workflows.length >= MOST_WORKFLOWS) return;
    this.#workflows.push({ name, start: { session, call } });
  }

  /** Links every child to `root` or to another child. */
  link(root: BuiltSession, children: readonly Child[]): void {
    for (const { agent, call, evidence } of this.#byId) {
      const start = this.#calls.get(call);
      if (start) this.evidence(agent, start.session, start.call, evidence);
    }
    const agents = new Map<string, BuiltSession>();
    for (const child of children) {
      if (child.agent !== undefined) agents.set(child.agent, child.session);
    }
    const taken = new Set<BuiltCall>();
    const open: Child[] = [];
    for (const child of children) {
      if (!this.#byRecord(child, root, agents, taken)) open.push(child);
    }
    // Equal prompts go to the calls in the order of time.
    open.sort((a, b) =>
      a.session.startedAt - b.session.startedAt ||
      (a.session.id < b.session.id ? -1 : 1)
    );
    for (const child of open) this.#byContent(child, root, taken);
    breakCycles(root, children);
  }

  /** By ids: sidecar, result, progress, notice. */
  #byRecord(
    child: Child,
    root: BuiltSession,
    agents: ReadonlyMap<string, BuiltSession>,
    taken: Set<BuiltCall>,
  ): boolean {
    const { sidecar, session } = child;
    if (sidecar?.toolUseId) {
      const id = boundedId(sidecar.toolUseId);
      const start = this.#calls.get(id);
      if (start && start.session !== session) {
        this.#set(child, start, "sidecar", taken);
        return true;
      }
      const parent = agents.get(sidecar.parentAgentId ?? "") ?? root;
      session.parent = {
        session: parent === session ? root.id : parent.id,
        call: id,
        evidence: "sidecar",
      };
      return true;
    }
    const found = (this.#byAgent.get(child.agent ?? "") ?? [])
      .filter((one) => one.start.session !== session)
      .sort((a, b) =>
        a.rank - b.rank || a.start.call.startedAt - b.start.call.startedAt
      );
    const best = found[0];
    if (!best) {
      if (sidecar?.parentAgentId) {
        const parent = agents.get(sidecar.parentAgentId);
        if (parent && parent !== session) {
          session.parent = { session: parent.id, evidence: "sidecar" };
          return true;
        }
      }
      return false;
    }
    this.#set(child, best.start, ORDER[best.rank] ?? "result", taken);
    // An agent that was resumed has several calls.
    for (const { start } of found) start.call.subagent ??= session.id;
    return true;
  }

  /** By what it is: workflow run, equal prompt, and at last its place. */
  #byContent(child: Child, root: BuiltSession, taken: Set<BuiltCall>): void {
    const run = child.workflow;
    if (run !== undefined) {
      const start = this.#workflows.find(({ name }) =>
        name === run || run === `wf_${name}` ||
        name.split(/[\\/]/).includes(run)
      )?.start;
      if (start) {
        this.#describe(child, start);
        child.session.parent = {
          session: start.session.id,
          call: start.call.id,
          evidence: "workflow",
        };
        start.call.subagent ??= child.session.id;
        return;
      }
    }
    const same = child.prompt === undefined
      ? undefined
      : this.#prompts.get(child.prompt)?.find(({ session, call }) =>
        session !== child.session && !taken.has(call) &&
        call.subagent === undefined
      );
    if (same) this.#set(child, same, "prompt", taken);
    else {
      child.session.parent = { session: root.id, evidence: child.fallback };
    }
  }

  #describe(child: Child, start: Start): void {
    const type = this.#types.get(start.call);
    if (type !== undefined) child.session.agentType ??= type;
  }

  #set(
    child: Child,
    start: Start,
    evidence: LinkEvidence,
    taken: Set<BuiltCall>,
  ): void {
    taken.add(start.call);
    this.#describe(child, start);
    child.session.parent = {
      session: start.session.id,
      call: start.call.id,
      evidence,
    };
    start.call.subagent ??= child.session.id;
  }
}

/** Files that name each other as parents must not make a ring. */
function breakCycles(root: BuiltSession, children: readonly Child[]): void {
  const byId = new Map(
    children.map((child) => [child.session.id, child.session]),
  );
  for (const { session, fallback } of children) {
    const passed = new Set<BuiltSession>();
    let at: BuiltSession | undefined = session;
    while (at && !passed.has(at)) {
      passed.add(at);
      const parent: string | undefined = at.parent?.session;
      at = parent === undefined || parent === root.id
        ? undefined
        : byId.get(parent);
    }
    if (at === session) {
      session.parent = { session: root.id, evidence: fallback };
    }
  }
}
