/**
 * The finding rules as a document.
 *
 * @module
 */
import type { Example, ExampleCall, FindingRule } from "./rule.ts";
import { FINDING_RULES } from "./rules/mod.ts";

const cell = (text: string) => text.replaceAll("|", "\\|");

function callText(call: ExampleCall): string {
  const { tool = "Bash", text = "ls", times = 1, state = "ok" } = call;
  const words = [
    text === "" || tool !== "Bash" ? `${tool} ${text}`.trim() : text,
  ];
  const said = [
    ...(call.label && call.label !== "neutral" ? [call.label] : []),
    ...(call.wraps ? [`${call.wraps} wraps it`] : []),
    ...(state === "ok" ? [] : [state]),
    ...(call.passed === undefined ? [] : [
      call.passed === null ? "result unknown" : call.passed ? "passed" : "",
    ]),
    ...(call.lasts && call.lasts > 5 ? [`${call.lasts} s`] : []),
    ...(call.brings ? [`${call.brings} tokens`] : []),
  ].filter((word) => word !== "");
  return `\`${words.join(" ").replaceAll("\n", " ⏎ ")}\`${
    said.length ? ` (${said.join(", ")})` : ""
  }${times > 1 ? ` ×${times}` : ""}`;
}

function exampleText({ calls, subagent, marks }: Example): string {
  return [
    calls.map(callText).join(", "),
    ...(subagent ? [`subagent: ${subagent.map(callText).join(", ")}`] : []),
    ...(marks?.length ? [`marks: ${marks.join(", ")}`] : []),
  ].join("; ");
}

function rows(title: string, examples: readonly Example[]): string[] {
  return examples.map((example) =>
    `| ${title} | ${cell(example.shows)} | ${cell(exampleText(example))} |`
  );
}

function section(rule: FindingRule): string {
  const { id, severity, about, fix, examples } = rule;
  return [
    `### \`${id}\``,
    "",
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    "",
    `- usual severity: ${severity}`,
    `- what to do: ${fix}`,
    "",
    "| | shows | calls |",
    "| --- | --- | --- |",
    ...rows("found", examples.hit),
    ...rows("not", examples.miss),
    "",
  ].join("\n");
}

/** The whole document, in Markdown. */
export function findingsMarkdown(): string {
  return `# Findings

Generated from the rules; do not edit. Each example is a test.

A finding is something to tune, with the calls behind it and what to do. Rules look at a session with its subagents, after labels and redaction; they see facts (labels, states, times, redacted texts), never a prompt or an output. A good session has none.

A rule counts only calls that were carried out. Rules of one topic tell of a call once: the first in the order of this page takes it, so a poll of something outside is told as a poll and not as a detour too. A finding names at most 50 calls, its text says how many there are; of one rule at most ten findings are kept.

Tuned on 71 public real sessions (Claude Code 1.0.24 to 2.1.220, Codex 0.34 to 0.146, with subagents): 66 have no finding, one has a medium one (a test run that failed last), four have low ones. They hold few outside commands and none of swamp, so the rules on detours are tuned on authored sessions.

${FINDING_RULES.map(section).join("\n")}`;
}
