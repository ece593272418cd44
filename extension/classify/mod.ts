/**
 * What a call is: use of swamp, a way around it, or neither; and why we say
 * so. Total and pure.
 *
 * @module
 */
import { parseShell } from "../shell/mod.ts";
import { judgeLine } from "./shell.ts";
import { judgeTool } from "./tools.ts";
import type { ClassifyInput, RepoKnowledge, Verdict } from "./types.ts";
import { conclude } from "./verdict.ts";

export { checkRules, parseRepoRules } from "./repo.ts";
export type { RepoRuleProblem, RepoRules } from "./repo.ts";
export { RULES, RULESET_VERSION } from "./rules/mod.ts";
export type {
  ClassifyInput,
  Part,
  RepoKnowledge,
  RepoRule,
  Verdict,
} from "./types.ts";

/**
 * The verdict on a call.
 *
 * @param input The tool and its telling argument, not redacted.
 * @param repo What is known of the repository; its rules go first.
 * @returns Label, category, rule and the deciding part, offsets in UTF-16
 * units of `input.text`. Never throws: what cannot be judged is neutral with
 * low confidence.
 */
export function classify(
  input: ClassifyInput,
  repo?: RepoKnowledge,
): Verdict {
  try {
    if (input.kind !== "shell") return judgeTool(input, repo);
    const parse = input.shell ?? parseShell(input.text, input.dialect);
    const hits = judgeLine(input.text, parse, repo);
    return conclude(
      hits,
      parse.commands,
      input.text.length,
      parse.complete,
      repo,
    );
  } catch {
    return {
      label: "neutral",
      category: "neutral.other",
      rule: "neutral.unreadable",
      low: true,
      tags: [],
      parts: [],
    };
  }
}
