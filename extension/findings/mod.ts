/**
 * Built detail -> findings: what to tune, each with the calls behind it.
 *
 * @module
 */
import { type Detail, type Finding, SEVERITIES } from "../../schema/mod.ts";
import { FINDING_RULES } from "./rules.ts";
import { timeline } from "./timeline.ts";

export { FINDING_RULES } from "./rules.ts";

/** Most calls a finding names; the text says how many there are. */
export const MAX_EVIDENCE = 50;

/** The findings of a session with its subagents, worst first. Deterministic. */
export function findFindings(
  detail: Pick<Detail, "session" | "subagents" | "tests" | "files">,
): Finding[] {
  const line = timeline(detail);
  return FINDING_RULES
    .flatMap((rule) =>
      rule.find(line).map((hit) => ({
        rule: rule.id,
        severity: hit.severity ?? rule.severity,
        text: hit.text,
        calls: hit.calls.slice(0, MAX_EVIDENCE),
      }))
    )
    .sort((a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
    )
    .map((finding, i) => ({ id: `f${i + 1}`, ...finding }));
}
