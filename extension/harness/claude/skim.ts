/**
 * What of a transcript's records is not needed: file contents, diffs,
 * snapshots, thinking, mirrors of other records.
 *
 * @module
 */
import { Skimmer, type SkimRules } from "../skim.ts";

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
