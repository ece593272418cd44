import type {
  ClassifyInput,
  RepoKnowledge,
  Verdict,
} from "../classify/types.ts";
export const RULESET_VERSION = "0";
export function classify(input: ClassifyInput, _repo?: RepoKnowledge): Verdict {
  const aws = input.text.startsWith("aws ");
  return {
    label: aws ? "bypass" : "neutral",
    category: aws ? "cloud" : "other",
    rule: aws ? "cloud.aws" : "neutral.other",
    ...(aws ? { mutating: input.text.includes("rm") } : {}),
    low: false,
    tags: [],
    parts: aws ? [{ start: 0, end: 3, rule: "cloud.aws" }] : [],
  };
}
