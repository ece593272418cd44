/**
 * The calls of a session and its subagents as the finding rules see them.
 *
 * @module
 */
import type { Call, Detail, SessionDetail } from "../../schema/mod.ts";

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
  calls: Placed[];
  /** The detail itself. */
  detail: Pick<Detail, "session" | "subagents" | "tests" | "files">;
}

/** Puts all calls of a detail in time order; ties keep their order. */
export function timeline(detail: Timeline["detail"]): Timeline {
  const calls = [detail.session, ...detail.subagents].flatMap((session) =>
    session.turns.flatMap((turn) =>
      turn.calls.map((call) => ({ call, session, turn: turn.number }))
    )
  );
  calls.sort((a, b) =>
    a.call.startedAt < b.call.startedAt
      ? -1
      : a.call.startedAt > b.call.startedAt
      ? 1
      : 0
  );
  return { calls, detail };
}
