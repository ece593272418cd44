/**
 * What labels need to know of the repository imported into: the model types
 * that are in use there, and the rules it adds.
 *
 * @module
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hash53 } from "../../schema/mod.ts";
import { parseRepoRules } from "../classify/mod.ts";
import { isMissing, readSmall, StoreError } from "../store/files.ts";
import type { KnownRepo } from "./types.ts";

/** Where a repository keeps rules of its own. */
export const RULES_FILE: string = ".swamp-sessions.yaml";

/** Folders deep, types and bytes that are looked at; a repository has few. */
const MAX_DEPTH = 6, MAX_TYPES = 2000, MAX_RULES_BYTES = 256 * 1024;

function modelTypes(models: string): string[] {
  const types: string[] = [];
  const walk = (folder: string, parts: string[]) => {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    if (parts.length && entries.some((e) => e.name.endsWith(".yaml"))) {
      types.push(parts.join("/"));
    }
    if (parts.length >= MAX_DEPTH) return;
    for (const entry of entries) {
      if (types.length >= MAX_TYPES) return;
      if (entry.isDirectory()) {
        walk(join(folder, entry.name), [...parts, entry.name]);
      }
    }
  };
  walk(models, []);
  return types.sort();
}

/** What is known of a repository. Rules that are wrong are told, not used. */
export function knownRepo(repo: string): KnownRepo {
  const file = join(repo, RULES_FILE);
  let text = "", unread: string | undefined;
  try {
    text = readSmall(file, MAX_RULES_BYTES);
  } catch (error) {
    // Most repositories add none.
    if (!isMissing(error)) unread = whyUnread(error);
  }
  const { rules, problems } = parseRepoRules(text, RULES_FILE);
  return {
    knowledge: { modelTypes: modelTypes(join(repo, "models")), rules },
    hash: rules.length ? hash53(JSON.stringify(rules)).toString(36) : "",
    problems: unread !== undefined
      ? [{ file, line: 1, code: "BAD_RULE", message: unread }]
      : problems.map(({ line, field, message }) => ({
        file,
        line,
        code: "BAD_RULE",
        message: `${field ? `${field} ` : ""}${message}; this rule is not used`,
      })),
  };
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  const why = !(error instanceof StoreError)
    ? `cannot be read (${String(code)})`
    : error.code === "TOO_LONG"
    ? `is longer than ${MAX_RULES_BYTES / 1024} KB; shorten it`
    : "is no regular file; replace it by one";
  return `${why}. None of its rules is used`;
}
