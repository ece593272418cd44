/**
 * The calls of a session and its subagents as the finding rules see them.
 *
 * @module
 */
import type { Call, Detail, SessionDetail } from "../../schema/mod.ts";

/** What findings are made of. */
export type FindingInput = Pick<
  Detail,
  "session" | "subagents" | "tests" | "files"
>;

/** A call with its place. */
export interface Placed {
  /** The call. */
  call: Call;
  /** The session or subagent that made it. */
  session: SessionDetail;
  /** Its turn's number. */
  turn: number;
}

/** What a rule looks at. */
export interface Timeline {
  /** All calls by start time, subagents' included. */
  calls: readonly Placed[];
  /** The same by session, in the order of the detail. */
  sessions: readonly { session: SessionDetail; calls: readonly Placed[] }[];
  /** The detail itself. */
  detail: FindingInput;
  /** Tokens that a call's result brought into the context, where known. */
  brought: ReadonlyMap<string, number>;
  /** Whether an earlier rule of the same topic told of the call already. */
  told(call: Call): boolean;
}

/** Tools that run a command line. */
const SHELLS =
  /^(?:bash|powershell|shell|exec|exec_command|local_shell|shell_command|container\.exec|monitor)$/i;
/** Tools that stop for a person: what they answer is conversation. */
const ASKS =
  /^(?:ask_?user_?question|exit_?plan_?mode|enter_?plan_?mode|request_user_input|request_permissions|ask_followup_question|attempt_completion)$/i;
/** Categories of calls that only look at things here. */
const LOOKS: ReadonlySet<string> = new Set([
  "neutral.read",
  "neutral.web",
  "neutral.agent",
]);

/** Whether a call is a command line, whole. */
export function isCommand(call: Call): boolean {
  return SHELLS.test(call.tool) && call.text !== "" && !call.truncated &&
    call.category !== "neutral.edit" && call.category !== "none";
}

/** Whether a call asks a person something. */
export function asksPerson(call: Call): boolean {
  return ASKS.test(call.tool);
}

/** Whether a call was carried out, with whatever success. */
export function ran(call: Call): boolean {
  return call.state !== "rejected" && call.state !== "notRun" &&
    call.state !== "pending";
}

/** Whether a call can have changed what a later one sees. */
export function mayChange(call: Call): boolean {
  return ran(call) && !LOOKS.has(call.category) &&
    !(call.label === "bypass" && call.mutating === false);
}

/** A call's length in milliseconds; 0 where its end is not known. */
export function lasted(call: Call): number {
  return call.endedAt === undefined
    ? 0
    : Date.parse(call.endedAt) - Date.parse(call.startedAt);
}

/** Groups calls by a key, in order; a call without one is left out. */
export function grouped(
  calls: Iterable<Placed>,
  key: (call: Call) => string | undefined,
): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const placed of calls) {
    const name = key(placed.call);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(placed);
    else groups.set(name, [placed]);
  }
  return groups;
}

/** `once`, `2 times`. */
export function times(n: number): string {
  return n === 1 ? "once" : `${n} times`;
}

/** `1 call`, `2 calls`. */
export function plural(n: number, one: string): string {
  return `${n} ${one}${n === 1 ? "" : "s"}`;
}

/** Ids of calls. */
export function idsOf(calls: readonly Placed[]): string[] {
  return calls.map((placed) => placed.call.id);
}

/** Of calls by start time, the last that began before a moment. */
export function lastBefore(
  calls: readonly Placed[],
  at: string,
): Placed | undefined {
  let from = 0, to = calls.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (calls[middle]!.call.startedAt <= at) from = middle + 1;
    else to = middle;
  }
  return calls[from - 1];
}

/** Milliseconds as people say them: `36 min`, `2.5 h`. */
export function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}

/** Puts all calls of a detail in time order; ties keep their order. */
export function timeline(
  detail: FindingInput,
  brought: ReadonlyMap<string, number> = new Map(),
  told: Timeline["told"] = () => false,
): Timeline {
  const sessions = [detail.session, ...detail.subagents].map((session) => {
    const calls: Placed[] = [];
    for (const { number, calls: own } of session.turns) {
      for (const call of own) calls.push({ call, session, turn: number });
    }
    return { session, calls: calls.sort(byStart) };
  });
  const calls = sessions.length === 1
    ? sessions[0]!.calls
    : sessions.flatMap((s) => s.calls).sort(byStart);
  return { calls, sessions, detail, brought, told };
}

function byStart(a: Placed, b: Placed): number {
  const x = a.call.startedAt, y = b.call.startedAt;
  return x < y ? -1 : x > y ? 1 : 0;
}
