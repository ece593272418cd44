/**
 * Tokens by turn and by subagent.
 *
 * @module
 */
import type { Tokens } from "../../../schema/mod.ts";
import { agentName } from "./lanes.ts";
import type { SessionModel } from "./model.ts";

/** A row of the token table. */
export interface TokenRow {
  name: string;
  tokens: Tokens;
  /** Tokens in the context at the last reply of the turn; absent where not recorded. */
  context?: number;
  /** The context was compacted in this turn. */
  compacted?: true;
}

/** One row a turn of the main session. */
export function tokensByTurn(model: SessionModel): TokenRow[] {
  const marks = model.detail.session.marks.filter((m) =>
    m.kind === "compaction"
  ).map((m) => Date.parse(m.at));
  return model.turns.map((t, i) => {
    const next = model.turns[i + 1]?.start ?? Infinity;
    const row: TokenRow = {
      name: String(t.turn.number),
      tokens: t.turn.tokens,
    };
    if (t.turn.context !== undefined) row.context = t.turn.context;
    if (marks.some((m) => m >= t.start && m < next)) row.compacted = true;
    return row;
  });
}

/** One row a subagent, most output first. */
export const tokensByAgent = (model: SessionModel): TokenRow[] =>
  model.agents.map((a) => ({
    name: agentName(a.session.agentType),
    tokens: a.session.tokens,
  })).sort((a, b) => b.tokens.output - a.tokens.output);

/**
 * The scale of the context bars: the usual window that holds the largest
 * context seen, in tokens.
 */
export function contextWindow(rows: readonly TokenRow[]): number {
  const most = Math.max(0, ...rows.map((r) => r.context ?? 0));
  return [200_000, 400_000, 1_000_000].find((w) => most <= w) ?? most;
}
