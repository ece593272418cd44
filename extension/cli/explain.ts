/**
 * Why a command is labelled as it is.
 *
 * @module
 */
import { classify, type RepoKnowledge, type Verdict } from "../classify/mod.ts";
import { redactAndCut, type RedactedCut } from "../redact/mod.ts";
import { parseShell } from "../shell/mod.ts";
import { clean, type Colors } from "./terminal.ts";

/** What `explain --json` prints of a command. */
export interface Explanation {
  /** swamp, bypass or neutral. */
  label: Verdict["label"];
  /** The kind of thing. */
  category: string;
  /** The rule that decided. */
  rule: string;
  /** Whether it changes something; null where neither is known or apt. */
  mutating: boolean | null;
  /** Low confidence. */
  low: boolean;
  /** Tags of debatable cases. */
  tags: string[];
  /** The model type in this repo that wraps it. */
  wraps?: string;
  /** The file a rule of the repo came from. */
  source?: string;
  /** The command without its secrets, as it would be stored (but not cut). */
  redacted: string;
  /** How many secrets were replaced. */
  redactions: number;
  /** The deciding part first, then the others; offsets in the command as given. */
  parts: { start: number; end: number; rule: string }[];
}

/** A command with its verdict and its redacted text. */
export interface Explained {
  /** The verdict. */
  verdict: Verdict;
  /** The redacted text, and where parts are in it. */
  cut: RedactedCut;
  /** For machines. */
  explanation: Explanation;
}

/** Explains a shell command. Never throws. */
export function explainCommand(
  text: string,
  repo: RepoKnowledge,
): Explained {
  const shell = parseShell(text);
  const verdict = classify({ tool: "Bash", kind: "shell", text, shell }, repo);
  const cut = redactAndCut(text, Number.MAX_SAFE_INTEGER, shell);
  const source = repo.rules.find((rule) => verdict.rule === `repo.${rule.id}`)
    ?.source;
  return {
    verdict,
    cut,
    explanation: {
      label: verdict.label,
      category: verdict.category,
      rule: verdict.rule,
      mutating: verdict.mutating ?? null,
      low: verdict.low,
      tags: verdict.tags,
      ...(verdict.wraps === undefined ? {} : { wraps: verdict.wraps }),
      ...(source === undefined ? {} : { source }),
      redacted: cut.text,
      redactions: cut.redactions,
      parts: verdict.parts.map(({ start, end, rule }) => ({
        start,
        end,
        rule,
      })),
    },
  };
}

/** Colours a label. */
export function paintLabel(
  label: Verdict["label"],
  text: string,
  colors: Colors,
): string {
  return label === "swamp"
    ? colors.green(text)
    : label === "bypass"
    ? colors.yellow(text)
    : colors.dim(text);
}

/** Lines for people: the command, a line of marks below it, and why. */
export function explainLines(
  { verdict, cut, explanation }: Explained,
  colors: Colors,
): string[] {
  const lines: string[] = [];
  const part = verdict.parts[0];
  const range = part && cut.range(part.start, part.end);
  let at = 0;
  for (const line of cut.text.split("\n")) {
    const from = range ? Math.max(0, range[0] - at) : 0;
    const to = range ? Math.min(line.length, range[1] - at) : 0;
    at += line.length + 1;
    if (from < to) {
      const [before, marked] = [line.slice(0, from), line.slice(from, to)];
      lines.push(
        `  ${clean(before)}${colors.bold(colors.inverse(clean(marked)))}${
          clean(line.slice(to))
        }`,
        `  ${" ".repeat(from)}${
          paintLabel(verdict.label, "^".repeat(to - from), colors)
        }`,
      );
    } else lines.push(`  ${clean(line)}`);
  }
  const what = verdict.mutating === undefined
    ? ""
    : verdict.mutating
    ? ", changes something"
    : ", only reads";
  const facts: [string, string][] = [
    [
      "label",
      paintLabel(verdict.label, verdict.label, colors) + what +
      (verdict.low ? " (low confidence)" : ""),
    ],
    ["category", clean(verdict.category)],
    [
      "rule",
      clean(verdict.rule) +
      (explanation.source ? `, from ${clean(explanation.source)}` : ""),
    ],
  ];
  if (verdict.wraps) {
    facts.push(["wrapped by", `${clean(verdict.wraps)}, in this repo`]);
  }
  if (verdict.tags.length > 0) {
    facts.push(["tags", clean(verdict.tags.join(", "))]);
  }
  if (cut.redactions > 0) {
    facts.push(["secrets", `${cut.redactions} replaced, as in what is stored`]);
  }
  const others = new Set(
    verdict.parts.slice(1).map((p) => p.rule).filter((r) => r !== verdict.rule),
  );
  if (others.size > 0) {
    facts.push(["also", clean([...others].join(", "))]);
  }
  lines.push("");
  for (const [name, text] of facts) {
    lines.push(`  ${colors.dim(name.padEnd(10))}  ${text}`);
  }
  return lines;
}
