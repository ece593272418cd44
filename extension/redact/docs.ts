/**
 * The rules as a page of documentation.
 *
 * @module
 */
import { type Rule, showExample } from "./examples.ts";
import { marker } from "./spans.ts";
import { PASSES } from "./rules.ts";

const MARKED = /«[^»]{0,400}»/g;

/** The generated page: every rule, what it finds, and examples. */
export function redactionMarkdown(): string {
  const out = [
    "# Redaction",
    "",
    "Generated from the rules; do not edit. Each example is a test.",
    "",
    "Every stored string passes here before it is cut: commands, paths, URLs, branches, remotes, error texts. A secret becomes `[REDACTED:rule]`. Placeholders, variables, references, hashes, ids, digests and public keys stay. Made-up parts of examples are shown as `…`.",
    "",
  ];
  for (const pass of PASSES) {
    out.push(`## ${pass.title}`, "", pass.about, "");
    for (const [id, rules] of byId(pass.rules)) {
      out.push(`### \`${id}\``, "");
      for (const finds of new Set(rules.map((r) => r.finds))) {
        out.push(`${finds}.`, "");
      }
      out.push("| given | stored |", "| --- | --- |");
      for (const rule of rules) {
        for (const hit of rule.examples.hit) {
          out.push(
            `| ${cell(showExample(hit))} | ${
              cell(hit.replace(MARKED, marker(id)))
            } |`,
          );
        }
        for (const miss of rule.examples.miss ?? []) {
          out.push(`| ${cell(showExample(miss))} | the same |`);
        }
      }
      out.push("");
    }
  }
  return out.join("\n");
}

function byId(rules: readonly Rule[]): Map<string, Rule[]> {
  const out = new Map<string, Rule[]>();
  for (const rule of rules) {
    const same = out.get(rule.id);
    if (same) same.push(rule);
    else out.set(rule.id, [rule]);
  }
  return out;
}

/** A text as code in a table's cell. */
function cell(text: string): string {
  const line = text.replace(/\r?\n/g, "⏎").replace(/\|/g, "\\|");
  const fence = "`".repeat(
    1 + Math.max(0, ...[...line.matchAll(/`+/g)].map((m) => m[0].length)),
  );
  return `${fence} ${line} ${fence}`;
}
