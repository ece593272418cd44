/**
 * Where the keys lead.
 *
 * @module
 */
import { type CallNode, isBad, type SessionModel } from "./model.ts";

/** What `e` and `b` look for. */
export const SOUGHT: Readonly<
  Record<"failure" | "bypass", (node: CallNode) => boolean>
> = {
  failure: (n) => isBad(n.call),
  bypass: (n) => n.call.label === "bypass",
};

/**
 * The next call (`step` 1) or the one before (-1) that is sought, counted from
 * call number `from`; 0 stands before the first. Undefined where there is none.
 */
export function seek(
  model: SessionModel,
  from: number,
  step: 1 | -1,
  sought: (node: CallNode) => boolean,
): CallNode | undefined {
  const first = step === 1 ? from : (from || model.calls.length + 1) - 2;
  for (let i = first; i >= 0 && i < model.calls.length; i += step) {
    if (sought(model.calls[i]!)) return model.calls[i];
  }
  return undefined;
}

/** Ids of subagents that must be open for a call to be seen. */
export function agentsAround(node: CallNode): string[] {
  const ids: string[] = [];
  for (let a = node.within; a; a = a.within) ids.push(a.session.id);
  return ids;
}

/** Number of the last call before a turn; 0 for the first. */
export function numberBefore(model: SessionModel, turn: number): number {
  let number = 0;
  for (let i = 0; i < turn; i++) number += model.turns[i]!.under.calls;
  return number;
}
