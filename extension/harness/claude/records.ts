/**
 * The record types of a transcript.
 *
 * @module
 */
import type { TokenCounts } from "../../session/builder.ts";
import type { JsonObject } from "../lines.ts";
import { Skimmer, type Want, type Wants } from "../skim.ts";
import { TELLING_ARGUMENTS } from "./input.ts";
import { TELLING_FIELDS } from "./result.ts";

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

// What is looked at of a transcript's records where nobody asks for their texts.
// A field that is read in this folder has to stand here.

const any: Want = {}, often: Want = { often: true };
/** A text of which the beginning is enough. */
const head: Want = { cut: true };

const names = (...list: string[]): Wants =>
  Object.fromEntries(list.map((name) => [name, any]));

/** What a result says of how a call ended. */
const TELLING: Wants = Object.fromEntries(
  TELLING_FIELDS.map((name) => [name, { keys: {}, cut: true }]),
);

/** The blocks of a message's content, or its text. */
const CONTENT: Want = {
  keys: {
    type: often,
    text: any,
    id: any,
    name: often,
    input: {
      keys: {
        ...names("prompt", "agentId"),
        ...Object.fromEntries(TELLING_ARGUMENTS.map((name) => [name, any])),
      },
    },
    tool_use_id: any,
    is_error: any,
    content: { keys: { type: often, text: head }, cut: true },
  },
};

const WANTS: Wants = {
  ...names(
    "uuid",
    "timestamp",
    "parentUuid",
    "isSidechain",
    "isMeta",
    "isApiErrorMessage",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "interruptedMessageId",
    "interruptedByShutdown",
    "toolDenialKind",
    "parentToolUseID",
    "content",
    "prUrl",
  ),
  type: often,
  subtype: often,
  version: often,
  cwd: often,
  gitBranch: often,
  entrypoint: often,
  origin: { keys: { kind: any } },
  message: {
    keys: {
      id: any,
      model: often,
      usage: {
        keys: names(
          "input_tokens",
          "output_tokens",
          "cache_read_input_tokens",
          "cache_creation_input_tokens",
        ),
      },
      content: CONTENT,
    },
  },
  toolUseResult: {
    keys: { ...TELLING, task: { keys: TELLING, cut: true } },
    cut: true,
  },
  attachment: {
    keys: {
      type: often,
      prompt: { keys: { type: often, text: any } },
      commandMode: any,
      isMeta: any,
      origin: { keys: { kind: any } },
    },
  },
  data: { keys: { type: often, agentId: any } },
};

/** A parser for transcripts where nobody asks for their texts. */
export function skimmer(): Skimmer {
  return new Skimmer(WANTS);
}
