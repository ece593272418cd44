/**
 * Every rule of redaction, in the order of the passes.
 *
 * @module
 */
import { GENERIC_RULES } from "./argv-stdin.ts";
import { ARGV_RULES } from "./argv.ts";
import { BLOCK_RULES } from "./blocks.ts";
import { ENCODED_RULE, ENTROPY_RULE } from "./tokens.ts";
import type { Rule } from "./examples.ts";
import { NAMED_RULES } from "./names.ts";
import { STRUCTURE_RULES } from "./structure.ts";
import { VENDOR_RULES } from "./vendor-rules.ts";

/** A pass: rules that look for secrets in one way. */
export interface Pass {
  /** Its heading. */
  title: string;
  /** What it does, in a sentence. */
  about: string;
  /** Its rules. */
  rules: readonly Rule[];
}

/** The passes. */
export const PASSES: readonly Pass[] = [
  {
    title: "Blocks",
    about: "Keys that span lines, to their end or the end of the text.",
    rules: BLOCK_RULES,
  },
  {
    title: "Vendors' tokens",
    about: "Tokens that say by their first characters whose they are.",
    rules: VENDOR_RULES,
  },
  {
    title: "Structure",
    about: "Secrets known by where they stand: URLs, headers, cookies, files.",
    rules: STRUCTURE_RULES,
  },
  {
    title: "Names",
    about:
      "Values whose name says that they are secrets, in environments, flags, YAML, JSON, INI, HCL, XML, PowerShell and code.",
    rules: NAMED_RULES,
  },
  {
    title: "Arguments",
    about:
      "Secrets known by their place among a program's arguments, or on its stdin.",
    rules: [...ARGV_RULES, ...GENERIC_RULES],
  },
  {
    title: "Noise",
    about:
      "The last pass: what only a machine can have made, and what it wrapped.",
    rules: [ENTROPY_RULE, ENCODED_RULE],
  },
];
