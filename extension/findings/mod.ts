/**
 * Built detail -> findings: what to tune, each with the calls behind it.
 *
 * @module
 */
import { type Finding, SEVERITIES } from "../../schema/mod.ts";
import { FINDING_RULES } from "./rules/mod.ts";
import type { FindingRule } from "./rule.ts";
import { type FindingInput, timeline } from "./timeline.ts";

export type { FindingRule } from "./rule.ts";
export type { FindingInput } from "./timeline.ts";
export { FINDING_RULES } from "./rules/mod.ts";

/** Most calls a finding names; the text says how many there are. */
export const MAX_EVIDENCE = 50;
/** Most findings of one rule in one session; the worst and first stay. */
export const MAX_PER_RULE = 10;

/**
 * The findings of a session with its subagents, worst first. Deterministic.
 * `brought` tells how many tokens a call's result brought into the context,
 * by the call's id, where that is known.
 */
export function findFindings(
  detail: FindingInput,
  brought?: ReadonlyMap<string, number>,
  rules: readonly FindingRule[] = FINDING_RULES,
): Finding[] {
  let mine: Set<string>;
  const line = timeline(detail, brought, (call) => mine.has(call.id));
  const told = new Map<string, Set<string>>();
  const found: Omit<Finding, "id">[] = [];
  for (const rule of rules) {
    mine = told.get(rule.topic ?? rule.id) ?? new Set<string>();
    told.set(rule.topic ?? rule.id, mine);
    const hits = rule.find(line);
    if (hits.length === 0) continue;
    for (const hit of hits) for (const id of hit.calls) mine.add(id);
    found.push(
      ...hits.map((hit) => ({
        rule: rule.id,
        severity: hit.severity ?? rule.severity,
        text: `${hit.what}: ${hit.fix ?? rule.fix}.`,
        calls: hit.calls.slice(0, MAX_EVIDENCE),
      })).sort(worstFirst).slice(0, MAX_PER_RULE),
    );
  }
  return found.sort(worstFirst)
    .map((finding, i) => ({ id: `f${i + 1}`, ...finding }));
}

function worstFirst(
  a: Omit<Finding, "id">,
  b: Omit<Finding, "id">,
): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
