/**
 * What a session says of itself: by what it was started, where, in which
 * version.
 *
 * @module
 */
import type { Mode } from "../../../schema/mod.ts";
import { printable, type SessionBuilder } from "../../session/builder.ts";
import { asObject, asString, type JsonObject } from "../lines.ts";

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
