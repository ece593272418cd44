/**
 * Records that are known and say nothing that is kept. All others that are not
 * read are counted as unknown.
 *
 * @module
 */

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
