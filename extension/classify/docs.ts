/**
 * The guide to the labels, written from the rules themselves.
 *
 * @module
 */
import type { Rule } from "./rule.ts";
import { RULES, RULESET_VERSION } from "./rules/mod.ts";
import { MCP_SERVERS, TOOL_GROUPS } from "./rules/tools.ts";

function code(text: string): string {
  const one = text.replaceAll("\n", " ⏎ ").replaceAll("|", "\\|");
  const ticks = one.includes("`") ? "``" : "`";
  const pad = ticks === "``" ? " " : "";
  return `${ticks}${pad}${one}${pad}${ticks}`;
}

function section(rule: Rule): string[] {
  const category = rule.category ?? rule.id;
  const programs = rule.programs.includes("*")
    ? "any program"
    : rule.programs.map((p) => `\`${p}\``).join(", ");
  const lines = [
    `### \`${rule.id}\``,
    "",
    `${rule.title}.`,
    "",
    `- category: \`${category}\``,
    `- programs: ${programs}`,
  ];
  const verbs: [string, string | undefined][] = [
    ["changes something", rule.write],
    ["reads", rule.read],
    ["copies (a read where the last word is here)", rule.copies],
    ["neutral", rule.neutral],
    ["neutral with", rule.idle?.replaceAll(" ", ", ")],
    ["read with", rule.onlyReads?.replaceAll(" ", ", ")],
  ];
  for (const [name, list] of verbs) {
    if (list) {
      lines.push(
        `- ${name}: ${list.split(", ").map((v) => `\`${v}\``).join(", ")}`,
      );
    }
  }
  if (rule.other) {
    const what = {
      write: "changes something",
      read: "reads",
      neutral: "is neutral",
    };
    lines.push(`- any other verb: ${what[rule.other]}`);
  }
  const rows: [string, readonly string[] | undefined][] = [
    ["swamp", rule.examples.swamp],
    ["bypass, changes something", rule.examples.write],
    ["bypass, reads", rule.examples.read],
    ["neutral", rule.examples.neutral],
  ];
  lines.push("", "| label | example |", "| --- | --- |");
  for (const [label, list] of rows) {
    for (const example of list ?? []) {
      lines.push(`| ${label} | ${code(example)} |`);
    }
  }
  return [...lines, ""];
}

/** `docs/labels.md`: every rule with its verbs and its examples. */
export function labelsMarkdown(): string {
  const lines = [
    "# Labels",
    "",
    `Generated from the rules (version ${RULESET_VERSION}); do not edit. Each example is a test.`,
    "",
    "A call's label says whether it used swamp (`swamp`), did by other means what swamp is for (`bypass`), or neither (`neutral`). A bypass is not a mistake: it has a severity, and a hint whether a model type of the repository wraps it. Of all commands in a call the strongest decides: a bypass that changes something, a bypass that reads, swamp, neutral.",
    "",
    "Launchers (`sudo`, `timeout`, `xargs`, `npx`, `bash -c`, `ssh`, `docker run`, ...) are taken off first; comments, quoted text and the data of heredocs say nothing. `--help` and dry runs are neutral. An unknown verb of a known tool counts as a change. What cannot be read is neutral with low confidence.",
    "",
    "Tags mark debatable cases: `credcheck` (who am I, log in), `probe` (a health check), `installer` (a script fetched and run), `forge-write` (conversation on a forge), `troubleshooting` (what swamp's own guide says to look at or remove), `opaque` (a script or task that cannot be looked into), `shell-in-model` (a command run through swamp), `secret-inline` (a value given to a vault on the command line).",
    "",
    "## Rules",
    "",
  ];
  for (const rule of RULES) lines.push(...section(rule));
  lines.push(
    "## Tools that are no shell",
    "",
    "File tools below `.swamp/` are `swampdata.read` or `swampdata.write`, and so is a search (`Grep`, `Glob`) told to look there; a tool that writes a new file `models/…`, `workflows/…` or `vaults/…` is `swampdef.handmade`; one that shows a file of credentials is `secret.read`. swamp's own MCP server is swamp.",
    "",
    "| tools | category |",
    "| --- | --- |",
  );
  const by = new Map<string, string[]>();
  for (const [name, category] of TOOL_GROUPS) {
    const names = by.get(category);
    if (names) names.push(name);
    else by.set(category, [name]);
  }
  for (const [category, names] of by) {
    lines.push(
      `| ${names.map((n) => `\`${n}\``).join(", ")} | \`${category}\` |`,
    );
  }
  lines.push("", "| MCP servers named | category |", "| --- | --- |");
  for (const row of MCP_SERVERS) {
    lines.push(
      `| ${
        row.servers.map((n) => `\`${n}\``).join(", ")
      } | \`${row.category}\` |`,
    );
  }
  lines.push("| any other | `neutral.mcp` |", "");
  return lines.join("\n");
}
