/**
 * A session as files to keep: its detail as JSON, a report as Markdown.
 *
 * @module
 */
import type { Call, Summary } from "../../../schema/mod.ts";
import { compact, fullTime, oneLine, plural, span } from "../base/format.ts";
import { agentName } from "./lanes.ts";
import {
  type AgentNode,
  type CallNode,
  isMutating,
  type Item,
  lengthOf,
  type SessionModel,
} from "./model.ts";

/** The stored detail item, indented. */
export const toJson = (model: SessionModel): string =>
  JSON.stringify(model.detail, null, 2) + "\n";

/** Text as Markdown code that nothing in it can end. */
export function code(text: string): string {
  const line = oneLine(text, 2100);
  const longest = Math.max(
    0,
    ...[...line.matchAll(/`+/g)].map((m) => m[0].length),
  );
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^\s|\s$/.test(line) ? " " : "";
  return line ? `${fence}${pad}${line}${pad}${fence}` : "";
}

/** Text as Markdown words: what would be markup is escaped. */
export const words = (text: string): string =>
  oneLine(text, 700).replace(/[\\`*_{}[\]<>#|~&!]/g, "\\$&");

const labelWord = (call: Call): string =>
  isMutating(call)
    ? "**bypass, mutating**"
    : call.label === "bypass"
    ? "**bypass**"
    : call.label;

function callLine(node: CallNode, indent: string): string {
  const { call } = node;
  const ms = lengthOf(node);
  const parts = [
    `#${node.number}`,
    ...(call.state === "ok" ? [] : [`**${call.state}**`]),
    `${labelWord(call)} (${words(call.category)}${
      call.low ? ", low confidence" : ""
    })`,
    words(call.tool),
    code(call.text),
    ...(call.truncated ? ["(cut at 2 KB)"] : []),
    ...(ms === undefined ? [] : [span(ms)]),
    ...(call.exitCode ? [`exit ${call.exitCode}`] : []),
  ];
  return `${indent}- ${parts.filter(Boolean).join(" · ")}`;
}

function agentLine(agent: AgentNode, indent: string): string {
  return `${indent}- subagent ${words(agentName(agent.session.agentType))}: ${
    plural(agent.own.calls, "call")
  }, ${words(agent.session.models.join(", ") || "model unknown")}`;
}

/** A report of the session. */
export function toMarkdown(
  model: SessionModel,
  summary: Summary | undefined,
): string {
  const { detail, total } = model;
  const out: string[] = [];
  const title = summary
    ? `${summary.repo.name}${summary.branch ? ` / ${summary.branch}` : ""}`
    : detail.session.id;
  out.push(`# Agent session: ${words(title)}`, "");
  out.push(
    `- Session ${code(detail.session.id)}`,
    `- ${fullTime(model.start)}, ${span(model.end - model.start)}${
      summary ? `, ${span(summary.activeMs)} active` : ""
    }`,
  );
  if (summary) {
    out.push(
      `- ${words(summary.harness.name)} ${
        words(summary.harness.version ?? "")
      }, ${words(summary.models.join(", "))}`,
    );
  }
  out.push(
    `- ${plural(model.turns.length, "turn")}, ${
      plural(total.calls, "call")
    }: ${total.swamp} swamp, ${total.bypass} bypass (${total.mutating} mutating), ${total.neutral} neutral`,
    `- ${total.failed} failed, ${total.rejected} rejected`,
  );
  if (summary) {
    out.push(
      `- ${summary.tokens.outputIsLowerBound ? "at least " : ""}${
        compact(summary.tokens.output)
      } output tokens`,
    );
  }
  if (detail.findings.length) {
    out.push("", "## Findings", "");
    for (const f of detail.findings) {
      const numbers = f.calls.map((id) => model.byId.get(id)).filter((n) => !!n)
        .map((n) => `#${n.number}`);
      out.push(
        `- **${f.severity}** ${words(f.text)} (${code(f.rule)}${
          numbers.length ? `: ${numbers.join(", ")}` : ""
        })`,
      );
    }
  }
  out.push("", "## Turns");
  for (const t of model.turns) {
    out.push(
      "",
      `### Turn ${t.turn.number}: ${t.turn.trigger}, ${
        plural(t.under.calls, "call")
      }, ${span(t.end - t.start)}`,
      "",
    );
    const stack: { item: Item; indent: number }[] = [];
    const enter = (items: readonly Item[], indent: number) => {
      for (let i = items.length - 1; i >= 0; i--) {
        stack.push({ item: items[i]!, indent });
      }
    };
    enter(t.items, 0);
    while (stack.length) {
      const { item, indent } = stack.pop()!;
      // Deep nesting stays readable, and is not taken for a code block.
      const pad = "  ".repeat(Math.min(indent, 12));
      if (item.kind === "agent") {
        out.push(agentLine(item, pad));
        enter(item.items, indent + 1);
      } else {
        out.push(callLine(item, pad));
        enter(item.agents, indent + 1);
      }
    }
  }
  const list = (heading: string, lines: string[]) => {
    if (lines.length) out.push("", `## ${heading}`, "", ...lines);
  };
  list("Files written", detail.files.written.map((f) => `- ${code(f)}`));
  list("Files read", detail.files.read.map((f) => `- ${code(f)}`));
  list(
    "Tests",
    detail.tests.map((t) => {
      const node = model.byId.get(t.call);
      const how = t.passed === null
        ? "unknown"
        : t.passed
        ? "passed"
        : "failed";
      return `- ${how}${
        node ? ` #${node.number} ${code(node.call.text)}` : ""
      }`;
    }),
  );
  list("Tools", detail.tools.map((t) => `- ${words(t.name)}: ${t.count}`));
  return out.join("\n") + "\n";
}

/** A file name for a session, from its id and an ending. */
export const fileName = (id: string, ending: string): string =>
  `agent-session-${id.replace(/[^\w.-]/g, "_").slice(0, 80)}.${ending}`;
