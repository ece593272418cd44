/**
 * Hits of a line -> one verdict.
 *
 * @module
 */
import type { Severity } from "../../schema/mod.ts";
import type { Command } from "../shell/types.ts";
import { categoryOf, type Hit } from "./shell.ts";
import type { Part, RepoKnowledge, Verdict } from "./types.ts";
import { wrapperOf } from "./wraps.ts";

/** How much a hit weighs: what decides is the heaviest, then the first. */
function weight(hit: Hit): number {
  if (hit.label === "bypass") {
    if (hit.mutating !== false) return 60;
    return severityOf(hit) === "medium" ? 50 : 40;
  }
  if (hit.label === "swamp") return 30;
  return NEUTRAL[categoryOf(hit)] ?? 8;
}

/** Of neutral commands the one that tells most about the call. */
const NEUTRAL: Readonly<Record<string, number>> = {
  "neutral.test": 20,
  "neutral.build": 18,
  "neutral.vcs": 16,
  "neutral.edit": 14,
  "neutral.read": 12,
  "neutral.other": 4,
};

function severityOf(hit: Hit): Severity {
  return hit.severity ??
    (hit.mutating ? "high" : hit.rule.sensitive ? "medium" : "low");
}

/** The verdict on a line. `complete` is false where it was not read whole. */
export function conclude(
  hits: readonly Hit[],
  commands: readonly Command[],
  length: number,
  complete: boolean,
  repo: RepoKnowledge | undefined,
): Verdict {
  let best: Hit | undefined;
  for (const hit of hits) {
    if (!best || weight(hit) > weight(best)) best = hit;
  }
  if (!best) {
    return {
      label: "neutral",
      category: "neutral.other",
      rule: "neutral.other",
      low: !complete,
      tags: [],
      parts: [],
    };
  }
  const tags = new Set<string>();
  for (const hit of hits) for (const tag of hit.tags ?? []) tags.add(tag);
  const category = categoryOf(best);
  const neutral = best.label === "neutral";
  const verdict: Verdict = {
    label: best.label,
    // A neutral verdict of a rule about clouds is no cloud call.
    category: neutral && !category.startsWith("neutral.")
      ? neutralCategory(category)
      : category,
    rule: best.rule.id,
    low: best.low === true || !complete,
    tags: [...tags],
    parts: partsOf(best, hits, length),
  };
  if (best.label === "bypass") {
    if (best.mutating !== undefined) verdict.mutating = best.mutating;
    verdict.severity = severityOf(best);
    const program = commands[best.at]?.program ?? "";
    const type = repo && wrapperOf(best, repo.modelTypes, program);
    if (type) verdict.wraps = type;
  }
  return verdict;
}

function neutralCategory(category: string): string {
  if (category.startsWith("saas.gh")) return "neutral.vcs";
  return /^(?:registry|k8s|iac)\./.test(category)
    ? "neutral.build"
    : "neutral.other";
}

/** Most parts kept; a line of a thousand commands needs no thousand marks. */
const PART_LIMIT = 50;

function partsOf(best: Hit, hits: readonly Hit[], length: number): Part[] {
  const parts: Part[] = [];
  const seen = new Set<string>();
  const add = (hit: Hit) => {
    const start = Math.max(0, Math.min(hit.start, length));
    const end = Math.max(start, Math.min(hit.end, length));
    const key = `${start}:${end}:${hit.rule.id}`;
    if (end === start || seen.has(key) || parts.length >= PART_LIMIT) return;
    seen.add(key);
    parts.push({ start, end, rule: hit.rule.id });
  };
  add(best);
  for (const hit of hits) if (hit.label !== "neutral") add(hit);
  return parts;
}
