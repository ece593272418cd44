/**
 * All finding rules, in the order in which they are asked: of rules of one
 * topic the first takes the calls.
 *
 * @module
 */
import type { FindingRule } from "../rule.ts";
import { BYPASS_RULES } from "./bypass.ts";
import { COURSE_RULES, SECRET_RULES } from "./course.ts";
import { EFFORT_RULES } from "./effort.ts";

/** Whether a rule looks at detours that others of its topic say better. */
const late = ({ id }: FindingRule): boolean =>
  id === "bypass.repeated" || id === "bypass.unwrapped";

/** All rules. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...SECRET_RULES,
  ...BYPASS_RULES.filter((rule) => !late(rule)),
  ...EFFORT_RULES,
  // A poll of something outside is a poll first.
  ...BYPASS_RULES.filter(late),
  ...COURSE_RULES,
];
