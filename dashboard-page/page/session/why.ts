/**
 * Why a call has its label, in words.
 *
 * @module
 */
import type { Call } from "../../../schema/mod.ts";
import { isMutating } from "./model.ts";

/** What the "why" popover says. */
export interface Reason {
  /** The verdict, a short sentence. */
  verdict: string;
  /** Names and values, in order. */
  facts: { name: string; value: string; code?: true }[];
  /** The model type here that wraps what was done. */
  wraps?: string;
}

/** Secrets and swamp's own data weigh more than another read. */
const SENSITIVE = /^(?:secret|swampdata|swampdef)\b/;

function severity(call: Call): string {
  if (isMutating(call)) return "high: it changed something";
  if (SENSITIVE.test(call.rule)) return "medium: secrets or swamp’s own data";
  return call.mutating === false
    ? "low: it only read"
    : "low: not known to change anything";
}

/** The reason for a call's label. */
export function reason(call: Call): Reason {
  const verdict = call.label === "swamp"
    ? "Used swamp"
    : call.label === "neutral"
    ? "Neither used swamp nor went around it"
    : isMutating(call)
    ? "Went around swamp, and changed something"
    : call.mutating === false
    ? "Went around swamp, read only"
    : "Went around swamp";
  const facts: Reason["facts"] = [
    {
      name: "Label",
      value: isMutating(call) ? "bypass, mutating" : call.label,
    },
    { name: "Category", value: call.category },
    { name: "Rule", value: call.rule, code: true },
  ];
  if (call.label === "bypass") {
    facts.push({ name: "Severity", value: severity(call) });
  }
  facts.push({
    name: "Confidence",
    value: call.low
      ? "low: what this call runs cannot be read with certainty"
      : "high: the call was read in full",
  });
  return {
    verdict,
    facts,
    ...(call.label === "bypass" && call.wraps ? { wraps: call.wraps } : {}),
  };
}
