/**
 * The record types of a transcript.
 *
 * @module
 */
import type { TokenCounts } from "../../session/builder.ts";
import type { JsonObject } from "../lines.ts";
import { Skimmer, type SkimRules } from "../skim.ts";

/** Types that hang together in a tree and make up the conversation. */
export const TREE_TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "attachment",
  "system",
  "progress",
]);

/** Types that stand alone: titles, settings, snapshots, queues. */
export const FLAT_TYPES: ReadonlySet<string> = new Set([
  "agent-name",
  "agent-setting",
  "ai-title",
  "atis-latch",
  "bridge-session",
  "content-replacement",
  "custom-title",
  "file-history-delta",
  "file-history-snapshot",
  "frame-link",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "queue-operation",
  "relocated",
  "summary",
  "tag",
  "worktree-state",
]);

// Token counts of an API response.

/** A count that can be true; everything else is none. */
const count = (value: unknown): number =>
  typeof value === "number" && value > 0 && value < 1e12
    ? Math.trunc(value)
    : 0;

/** The counts of a message's `usage`; input excludes what was cached. */
export function tokensOf(usage: JsonObject): TokenCounts {
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: count(usage.cache_creation_input_tokens),
  };
}

/** What of the counts is more than what was counted. */
export function beyond(tokens: TokenCounts, counted: TokenCounts): TokenCounts {
  const more = (kind: keyof TokenCounts) =>
    Math.max(0, tokens[kind] - counted[kind]);
  return {
    input: more("input"),
    output: more("output"),
    cacheRead: more("cacheRead"),
    cacheWrite: more("cacheWrite"),
  };
}

// Versions of Claude Code whose files cannot be taken at their word.

/** First version that writes the final output count of every message. */
const EXACT_OUTPUT: readonly [number, number, number] = [2, 1, 59];

let last = "", lastAnswer = false;

/** Whether this version wrote placeholders for output tokens. Unknown: no. */
export function isLowerBound(version: unknown): boolean {
  if (typeof version !== "string") return false;
  if (version === last) return lastAnswer;
  const parts = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version);
  last = version.slice(0, 40);
  lastAnswer = false;
  if (!parts) return false;
  for (let i = 0; i < 3; i++) {
    const have = Number(parts[i + 1]), want = EXACT_OUTPUT[i] ?? 0;
    if (have !== want) return lastAnswer = have < want;
  }
  return false;
}

// What of a transcript's records is not needed: file contents, diffs,
// snapshots, thinking, mirrors of other records.

const RULES: SkimRules = {
  keys: [
    // Commands and prompts: labelled, redacted, compared.
    { key: "command", action: "whole" },
    { key: "prompt", action: "whole" },
    // `content` of a message, and `text` of its blocks; not of tool results.
    { key: "content", action: "whole", to: 2 },
    { key: "text", action: "whole", to: 4 },
    ...[
      "edits",
      "file",
      "filenames",
      "fullOutput",
      "hookInfos",
      "iterations",
      "lines",
      "newTodos",
      "normalizedMessages",
      "oldTodos",
      "originalFile",
      "signature",
      "snapshot",
      "structuredPatch",
      "thinking",
      "thinkingMetadata",
      "todos",
    ].map((key) => ({ key, action: "drop" as const })),
    // What a tool writes, and what an image holds.
    { key: "content", action: "drop", from: 5, to: 5 },
    ...["old_string", "new_string", "new_source", "data", "output"].map((
      key,
    ) => ({ key, action: "drop" as const, from: 3 })),
    // The message of a subagent, repeated in a progress record.
    { key: "message", action: "drop", from: 2 },
  ],
  // Repeats what the result itself says.
  cut: ["toolUseResult"],
};

/** A parser for transcripts where nobody asks for their texts. */
export function skimmer(): Skimmer {
  return new Skimmer(RULES);
}
