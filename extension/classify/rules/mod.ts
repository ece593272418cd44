/**
 * All rules, and the version of the whole.
 *
 * @module
 */
import type { Rule } from "../rule.ts";
import { ACCESS_RULES, SHELL_RULES } from "./access.ts";
import { CLOUD_RULES } from "./cloud.ts";
import { PLATFORM_RULES } from "./platform.ts";
import { REGISTRY_RULES } from "./registry.ts";
import { SAAS_RULES } from "./saas.ts";
import { SECRET_RULES } from "./secret.ts";
import { SWAMP_RULES } from "./swamp.ts";

/**
 * The version of the rules; stored with every summary, so that sessions
 * labelled by other rules are labelled again. Raise it with every change that
 * can change a verdict.
 */
export const RULESET_VERSION = "3";

/** All rules; where several are about a program, the first that decides wins. */
export const RULES: readonly Rule[] = [
  ...SWAMP_RULES,
  ...SECRET_RULES,
  ...REGISTRY_RULES,
  ...SHELL_RULES,
  ...CLOUD_RULES,
  ...PLATFORM_RULES,
  ...SAAS_RULES,
  ...ACCESS_RULES,
];

const exact = new Map<string, Rule[]>();
const prefixes: [string, Rule][] = [];
/** Rules about any program. */
export const ANY_PROGRAM: readonly Rule[] = RULES.filter((r) =>
  r.programs.includes("*")
);
const CMDLETS = RULES.filter((r) => r.programs.includes("*-*"));
for (const rule of RULES) {
  for (const program of rule.programs) {
    if (program === "*" || program === "*-*") continue;
    if (program.endsWith("*")) prefixes.push([program.slice(0, -1), rule]);
    else {
      const rules = exact.get(program);
      if (rules) rules.push(rule);
      else exact.set(program, [rule]);
    }
  }
}

const cache = new Map<string, readonly Rule[]>();

/** Rules about a program, in order. */
export function rulesFor(program: string): readonly Rule[] {
  const known = cache.get(program);
  if (known) return known;
  const found = [...exact.get(program) ?? []];
  for (const [prefix, rule] of prefixes) {
    if (program.startsWith(prefix) && !found.includes(rule)) found.push(rule);
  }
  if (/^[a-z]{2,20}-[a-z]/.test(program)) found.push(...CMDLETS);
  // Session text names programs without end; remember only so many.
  if (cache.size > 2000) cache.clear();
  cache.set(program, found);
  return found;
}

/** Whether a rule is about a program by its name alone. */
export function isKnownProgram(program: string): boolean {
  return exact.has(program);
}
