/**
 * Rules that a repository adds: read, checked, applied.
 *
 * @module
 */
import { isMap, LineCounter, parseDocument } from "npm:yaml@2.9.1";
import { z } from "npm:zod@4";
import type { Label } from "../../schema/mod.ts";
import type { Command } from "../shell/types.ts";
import { findVerb, type Judged, judged, type Rule } from "./rule.ts";
import type { RepoKnowledge, RepoRule } from "./types.ts";

/** Something wrong in a file of rules. */
export interface RepoRuleProblem {
  /** The line, from 1. */
  line: number;
  /** The field: `rules[2].programs`; "" for the whole file. */
  field: string;
  /** What is wrong and what to write instead. */
  message: string;
}

/** What a file of rules holds. */
export interface RepoRules {
  /** The rules that are right; a file with problems gives those it can. */
  rules: RepoRule[];
  /** What is wrong. */
  problems: RepoRuleProblem[];
}

/** Most rules of one repository, and most programs of one rule. */
const RULE_LIMIT = 200;

const name = z.string().min(1).max(80).regex(/^[A-Za-z0-9@][\w.@/+-]*$/, {
  message: "must be a program's name, without spaces: kubectl",
});
const verbs = z.array(z.string().min(1).max(80)).max(200);
const ruleSchema = z.strictObject({
  id: z.string().max(60).regex(/^[a-z0-9][a-z0-9._-]*$/, {
    message: "must be lower case letters, digits, dots and dashes: deploy-tool",
  }),
  programs: z.array(name).min(1).max(50),
  label: z.enum(["swamp", "bypass", "neutral"]),
  category: z.string().max(60).regex(/^[a-z0-9][a-z0-9._-]*$/, {
    message: "must be lower case letters, digits, dots and dashes: cloud.acme",
  }).optional(),
  read: verbs.optional(),
  neutral: verbs.optional(),
  mutating: z.boolean().optional(),
});
const rulesSchema = z.array(ruleSchema).max(RULE_LIMIT);

/**
 * Reads `.swamp-sessions.yaml`.
 *
 * ```yaml
 * rules:
 *   - id: acme-deploy
 *     programs: [acmectl]
 *     label: bypass
 *     category: cloud.acme
 *     read: [get, "logs"]
 *     neutral: [version]
 *     mutating: true
 * ```
 *
 * @param text The file's content; whoever reads it bounds its length.
 * @param file Its path from the repository's root; each rule remembers it.
 * @returns The rules, and a problem with line and field for each that is
 * wrong. Never throws.
 */
export function parseRepoRules(text: string, file: string): RepoRules {
  try {
    return read(text, file);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      rules: [],
      problems: [{ line: 1, field: "", message: `cannot be read: ${message}` }],
    };
  }
}

function read(text: string, file: string): RepoRules {
  const problems: RepoRuleProblem[] = [];
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line || 1;
  for (const error of doc.errors) {
    problems.push({
      line: lineAt(error.pos[0]),
      field: "",
      message: `is no valid YAML: ${error.message}`,
    });
  }
  if (problems.length > 0) return { rules: [], problems };
  if (doc.contents === null) return { rules: [], problems };
  const lineOf = (path: (string | number)[]): number => {
    for (let n = path.length; n > 0; n--) {
      const node: unknown = doc.getIn(path.slice(0, n), true);
      const range = rangeOf(node);
      if (range) return lineAt(range);
    }
    return 1;
  };
  if (!isMap(doc.contents)) {
    return {
      rules: [],
      problems: [{
        line: 1,
        field: "",
        message: "must be a map with the key `rules`",
      }],
    };
  }
  // `maxAliasCount` bounds what aliases can blow up.
  const value: unknown = doc.toJS({ maxAliasCount: 100 });
  const record = asRecord(value);
  for (const key of Object.keys(record)) {
    if (key === "rules" || key === "version") continue;
    problems.push({
      line: lineOf([key]),
      field: key,
      message: "is not a known field; known are `version` and `rules`",
    });
  }
  const listed = record["rules"];
  if (listed === undefined) {
    problems.push({ line: 1, field: "rules", message: "is missing" });
    return { rules: [], problems };
  }
  if (!Array.isArray(listed)) {
    problems.push({
      line: lineOf(["rules"]),
      field: "rules",
      message: "must be a list of rules",
    });
    return { rules: [], problems };
  }
  const { rules, found } = checkRules(listed, file);
  for (const { path, message } of found) {
    problems.push({
      line: lineOf(["rules", ...path]),
      field: fieldName(path),
      message,
    });
  }
  return { rules, problems };
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) {
    return undefined;
  }
  const range: unknown = node.range;
  return Array.isArray(range) && typeof range[0] === "number"
    ? range[0]
    : undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : {};
}

function fieldName(path: (string | number)[]): string {
  let out = "rules";
  for (const part of path) {
    out += typeof part === "number" ? `[${part}]` : `.${part}`;
  }
  return out;
}

interface Found {
  path: (string | number)[];
  message: string;
}

/**
 * Checks rules that come as values: from a file, or from the model's global
 * arguments.
 *
 * @param values The rules as given.
 * @param source Where they come from, for people.
 */
export function checkRules(
  values: readonly unknown[],
  source: string,
): { rules: RepoRule[]; found: Found[] } {
  const rules: RepoRule[] = [];
  const found: Found[] = [];
  const whole = rulesSchema.safeParse(values);
  if (values.length > RULE_LIMIT) {
    found.push({ path: [], message: `must hold at most ${RULE_LIMIT} rules` });
  }
  const ids = new Set<string>();
  for (let i = 0; i < values.length && i < RULE_LIMIT; i++) {
    const one = ruleSchema.safeParse(values[i]);
    if (!one.success) {
      for (const issue of one.error.issues) {
        found.push({
          path: [i, ...issue.path.filter(isKey)],
          message: issue.message,
        });
      }
      continue;
    }
    const rule = one.data;
    if (ids.has(rule.id)) {
      found.push({ path: [i, "id"], message: `is used twice: ${rule.id}` });
      continue;
    }
    ids.add(rule.id);
    rules.push({
      id: rule.id,
      source,
      programs: rule.programs,
      label: rule.label,
      category: rule.category ?? `repo.${rule.id}`,
      ...(rule.read ? { read: rule.read } : {}),
      ...(rule.neutral ? { neutral: rule.neutral } : {}),
      ...(rule.mutating === undefined ? {} : { mutating: rule.mutating }),
    });
  }
  if (!whole.success && found.length === 0) {
    found.push({ path: [], message: "is not a list of rules" });
  }
  return { rules, found };
}

function isKey(part: PropertyKey): part is string | number {
  return typeof part === "string" || typeof part === "number";
}

const made = new WeakMap<RepoRule, Rule>();

function ruleOf(own: RepoRule): Rule {
  const known = made.get(own);
  if (known) return known;
  const other = own.mutating === undefined
    ? undefined
    : own.mutating
    ? "write"
    : "read";
  const rule: Rule = {
    id: `repo.${own.id}`,
    category: own.category,
    title: `${own.programs.join(", ")} (${own.source})`,
    programs: own.programs,
    read: (own.read ?? []).join(", "),
    neutral: (own.neutral ?? []).join(", "),
    ...(other ? { other, bare: other } : {}),
    examples: {},
  };
  made.set(own, rule);
  return rule;
}

/** The verdict of a repository's own rules; they go before the built-in ones. */
export function judgeRepo(
  command: Command,
  repo: RepoKnowledge,
): Judged | undefined {
  for (const own of repo.rules) {
    if (!own.programs.some((p) => p.toLowerCase() === command.program)) {
      continue;
    }
    return apply(own, command);
  }
  return undefined;
}

function apply(own: RepoRule, command: Command): Judged {
  const rule = ruleOf(own);
  const verb = findVerb(rule, command);
  const at = verb?.word ? { word: verb.word } : {};
  const label: Label = verb?.effect === "neutral" ? "neutral" : own.label;
  if (label !== "bypass") {
    return judged(rule, command, label, at);
  }
  const base = judged(rule, command, verb?.effect ?? "read", at);
  // Without `mutating` only the verbs that read are known.
  if (own.mutating === undefined && verb?.effect !== "read") {
    const { mutating: _, ...rest } = base;
    return rest;
  }
  return base;
}
