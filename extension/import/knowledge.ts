/**
 * What labels need to know of the repository imported into: the model types
 * that are in use there, and the rules it adds.
 *
 * @module
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { hash53 } from "../../schema/mod.ts";
import type { KnownRepo } from "./types.ts";

/** Where a repository keeps rules of its own. */
export const RULES_FILE = "agent-sessions.rules.yaml";

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

/** What is known of a repository. */
export function knownRepo(repo: string): KnownRepo {
  const file = join(repo, RULES_FILE);
  let text = "";
  try {
    if (statSync(file).size <= MAX_RULES_BYTES) {
      text = readFileSync(file, "utf8");
    }
  } catch {
    // Most repositories add none.
  }
  return {
    knowledge: {
      modelTypes: modelTypes(join(repo, "models")),
      rules: [],
    },
    hash: text === "" ? "" : hash53(text).toString(36),
  };
}
