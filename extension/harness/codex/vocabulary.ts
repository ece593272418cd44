/**
 * Records that are known and say nothing that is kept. All others that are not
 * read are counted as unknown.
 *
 * @module
 */
import type { Mode } from "../../../schema/mod.ts";
import { printable, type SessionBuilder } from "../../session/builder.ts";
import { asArray, asObject, asString, type JsonObject } from "../lines.ts";

/** Kinds of records. */
export const QUIET_RECORDS: ReadonlySet<string> = new Set([
  "world_state",
  "inter_agent_communication",
  "token_usage_record",
  "security_risk_score",
  "realtime_item",
  "git_metadata",
  "thread_metadata",
]);

/** Items of the model's conversation, and completed items of newer files. */
export const QUIET_ITEMS: ReadonlySet<string> = new Set([
  "reasoning",
  "agent_message",
  "ghost_snapshot",
  "compaction",
  "compaction_summary",
  "context_compaction",
  "Plan",
  "Reasoning",
  "FileChange",
  "WebSearch",
  "ImageView",
  "ImageGeneration",
  "HookPrompt",
  "Sleep",
  "DynamicToolCall",
  "Extension",
  "EnteredReviewMode",
  "ExitedReviewMode",
]);

/** Events. */
export const QUIET_EVENTS: ReadonlySet<string> = new Set([
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "web_search_begin",
  "web_search_end",
  "patch_apply_begin",
  "patch_apply_end",
  "turn_diff",
  "exec_command_begin",
  "mcp_tool_call_begin",
  "view_image_tool_call",
  "image_generation_end",
  "dynamic_tool_call_request",
  "dynamic_tool_call_response",
  "thread_settings_applied",
  "thread_name_updated",
  "thread_goal_updated",
  "entered_review_mode",
  "exited_review_mode",
  "guardian_assessment",
  "guardian_warning",
  "collab_agent_interaction_end",
  "collab_waiting_end",
  "collab_close_end",
  "collab_resume_end",
  "undo_started",
  "undo_completed",
  "plan_update",
  "background_event",
  "stream_error",
  "warning",
  "error",
]);

// What a session says of itself: by what it was started, where, in which
// version.

const HEADLESS = /^codex_(?:exec|sdk)/i;
const INTERACTIVE = /^(?:codex[-_](?:cli|tui|vscode)|codex desktop)/i;

/** Whether a person sat at it, by what started it. */
function modeOf(meta: JsonObject): Mode {
  const source = asString(meta["source"]);
  const originator = asString(meta["originator"]) ?? "";
  if (source === "exec" || HEADLESS.test(originator)) return "headless";
  if (source === "cli" || source === "vscode") return "interactive";
  return INTERACTIVE.test(originator) ? "interactive" : "unknown";
}

const spawnOf = (meta: JsonObject): JsonObject =>
  asObject(
    asObject(asObject(meta["source"])?.["subagent"])?.["thread_spawn"],
  ) ?? {};

/** The path that a thread was given by the one that spawned it. */
export function agentPath(meta: JsonObject): string | undefined {
  return asString(spawnOf(meta)["agent_path"]) ?? asString(meta["agent_path"]);
}

/** Notes what a `session_meta` payload tells; it may come again, with more. */
export function describe(
  builder: SessionBuilder,
  meta: JsonObject,
  first: boolean,
): void {
  const { session } = builder;
  if (first) {
    session.mode = modeOf(meta);
    const spawn = spawnOf(meta);
    const role = asString(spawn["agent_role"]) ??
      asString(spawn["agent_type"]) ?? asString(meta["agent_role"]);
    if (role) session.agentType = printable(role, 120);
  }
  builder.note("versions", meta["cli_version"]);
  session.entry ??= asString(meta["originator"]);
  const git = asObject(meta["git"]) ?? meta;
  const branch = git["branch"] ?? git["git_branch"];
  if (branch !== "HEAD") builder.note("branches", branch);
  session.remote ??= asString(git["repository_url"]);
}

// Messages of people and of the assistant: each counted once, though many are
// written twice, and none of the user-role texts that no person wrote.

/** What Codex itself puts into the user's role. */
const INJECTED = [
  "<environment_context",
  "<user_instructions",
  "<INSTRUCTIONS>",
  "# AGENTS.md instructions",
  "<permissions instructions>",
  "<skill>",
  "<turn_aborted>",
  "<subagent_notification",
  "<goal_context",
  "<codex_internal_context",
  "<user_shell_command",
  "<recommended_plugins",
  "<collaboration_mode",
  "<model_switch",
];

/** Whether a user-role text was put there by Codex. */
function isInjected(text: string): boolean {
  const start = text.slice(0, 200).trimStart();
  return INJECTED.some((tag) => start.startsWith(tag));
}

/** The text of a message's content, pictures left out. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content).map((part) => asString(asObject(part)?.["text"]))
    .filter((part) => part !== undefined).join("\n");
}

/** Whether a content holds anything at all, pictures included. */
function hasContent(content: unknown): boolean {
  return asArray(content).length > 0 || asString(content) !== undefined;
}

/** Tells the second writing of a message from a new one. */
export class Twins {
  #sources = new Set<string>();
  #text = "";

  /** Whether this is the last message again, written by another source. */
  repeats(source: string, text: string): boolean {
    const twin = text === this.#text && this.#sources.size > 0 &&
      !this.#sources.has(source);
    if (!twin) this.#sources.clear();
    this.#sources.add(source);
    this.#text = text;
    return twin;
  }
}

/** The user-role text of an item, if a person wrote it. */
export function humanText(item: JsonObject): string | undefined {
  if (!hasContent(item["content"])) return undefined;
  const text = contentText(item["content"]);
  return isInjected(text) ? undefined : text;
}
