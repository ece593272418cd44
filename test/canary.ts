/**
 * Plants a marker in every text position of a home's session files.
 *
 * @module
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** What every marker begins with. */
export const MARK = "zqCanary";

/** Keys whose values the importer reads as structure; a marker would only break the record. */
const STRUCTURE = new Set(
  ("type subtype role uuid parentUuid logicalParentUuid leafUuid messageId " +
    "sessionId session_id timestamp id requestId tool_use_id toolUseID " +
    "parentToolUseID sourceToolAssistantUUID sourceToolUseID agentId " +
    "parentAgentId toolUseId name tool status stop_reason version cwd cwds " +
    "gitBranch model subagent_type agentType entrypoint userType promptId " +
    "operation hookEvent media_type service_tier backgroundTaskId taskId " +
    "task_id runId forkedFrom kind call_id turn_id cli_version originator " +
    "source parent_thread_id forked_from_id thread_id agent_thread_id " +
    "event_id agent_role agent_path namespace branch repository_url " +
    "commit_hash history_mode thread_source reason phase receiver_thread_ids " +
    "new_thread_id process_id item_id task_name agent_type server author " +
    "recipient trigger entry subagent other messageID parentID modelID providerID")
    .split(" "),
);

/** Arguments that tell what a call does; they are stored, redacted. */
const TELLING = new Set(
  ("command cmd file_path path notebook_path pattern glob url uri query q " +
    "workdir bash_id shell_id issue issue_number issueId key skill repo " +
    "repository project team owner libraryId libraryName").split(" "),
);

/** What was planted, by number: where. */
export class Planter {
  /** Position of each marker. */
  readonly places: string[] = [];

  #mark(place: string): string {
    this.places.push(place);
    return ` ${MARK}${this.places.length}q`;
  }

  /** A copy of a value with a marker in each text position. */
  value(value: unknown, key: string, place: string): unknown {
    if (typeof value === "string") return this.#text(value, key, place);
    if (Array.isArray(value)) {
      return value.map((v, i) => this.value(v, key, `${place}[${i}]`));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map((
        [k, v],
      ) => [k, this.value(v, k, `${place}.${k}`)]),
    );
  }

  #text(text: string, key: string, place: string): string {
    if (STRUCTURE.has(key) || TELLING.has(key) || text === "") return text;
    // Arguments are JSON inside a string.
    if (key === "arguments") {
      try {
        return JSON.stringify(this.value(JSON.parse(text), "", place));
      } catch {
        return text;
      }
    }
    // A patch names files, which are stored, and holds contents, which are not.
    if (text.includes("*** Begin Patch")) {
      return text.replace(
        /^[+\- ].*$/gm,
        (line) => line + this.#mark(`${place} (patch)`),
      );
    }
    return text + this.#mark(place);
  }

  /** A line of a session file. */
  line(line: string, place: string): string {
    try {
      return JSON.stringify(this.value(JSON.parse(line), "", place));
    } catch {
      return line; // Damaged lines stay damaged.
    }
  }

  /** Copies a home with markers into another folder. */
  home(from: string, to: string): void {
    for (const name of readdirSync(from)) {
      const path = join(from, name), target = join(to, name);
      if (statSync(path).isDirectory()) this.home(path, target);
      else {
        if (existsSync(target)) continue;
        mkdirSync(dirname(target), { recursive: true });
        if (name.endsWith(".jsonl")) {
          const lines = readFileSync(path, "utf8").split("\n");
          writeFileSync(
            target,
            lines.map((l) => this.line(l, name)).join("\n"),
          );
        } else if (name.endsWith(".json")) {
          writeFileSync(target, this.line(readFileSync(path, "utf8"), name));
        } else cpSync(path, target);
      }
    }
  }
}

/** Every file below a folder, with its bytes. */
export function* everyByte(folder: string): Generator<[string, Buffer]> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* everyByte(path);
    else yield [path, readFileSync(path)];
  }
}
