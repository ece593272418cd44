/**
 * Messages of people and of the assistant: each counted once, though many are
 * written twice, and none of the user-role texts that no person wrote.
 *
 * @module
 */
import { asArray, asObject, asString, type JsonObject } from "../lines.ts";

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
