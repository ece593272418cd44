/**
 * The record types of a transcript.
 *
 * @module
 */

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
