/**
 * Whether a person sat at a session, by what started it.
 *
 * @module
 */
import type { Mode } from "../../../schema/mod.ts";
import { asString, type JsonObject } from "../lines.ts";

const HEADLESS = /^codex_(?:exec|sdk)/i;
const INTERACTIVE = /^(?:codex[-_](?:cli|tui|vscode)|codex desktop)/i;

/** The mode that a `session_meta` payload tells. */
export function modeOf(meta: JsonObject): Mode {
  const source = asString(meta["source"]);
  const originator = asString(meta["originator"]) ?? "";
  if (source === "exec" || HEADLESS.test(originator)) return "headless";
  if (source === "cli" || source === "vscode") return "interactive";
  return INTERACTIVE.test(originator) ? "interactive" : "unknown";
}
