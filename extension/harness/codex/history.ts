/**
 * Forks begin with the records of the thread they were made from, under new
 * times. This finds where a thread's own part begins.
 *
 * @module
 */
import { hash53 } from "../../../schema/mod.ts";
import {
  asNumber,
  asObject,
  asString,
  type JsonObject,
  timeOf,
} from "../lines.ts";
import { countKey } from "./tokens.ts";

/** Decides record by record whether the thread's own part has begun. */
export interface Cut {
  /** Whether this record, and all that follow, are the thread's own. */
  own(record: JsonObject, line: number): boolean;
}

/** The id of the turn that a record begins. */
function turnStart(record: JsonObject): string | undefined {
  const type = record["type"];
  if (type !== "turn_context" && type !== "event_msg") return undefined;
  const payload = asObject(record["payload"]);
  if (!payload) return undefined;
  if (type === "event_msg" && !isTaskStart(payload["type"])) return undefined;
  return asString(payload["turn_id"]);
}

/** Whether an event's type says that a turn begins. */
function isTaskStart(type: unknown): boolean {
  return type === "task_started" || type === "turn_started";
}

/** What tells a record apart where turns have no ids. */
function recordKey(record: JsonObject): string | undefined {
  if (record["type"] !== "event_msg") return undefined;
  const payload = asObject(record["payload"]);
  if (payload?.["type"] === "token_count") return countKey(payload["info"]);
  if (payload?.["type"] !== "user_message") return undefined;
  return `user ${hash53(asString(payload["message"]) ?? "")}`;
}

/** What must be known of a thread to tell copies of its records. */
export class History {
  /** Ids of its turns. */
  readonly turns: Set<string> = new Set();
  /** Its counts and prompts in order; kept only while no turn had an id. */
  readonly keys: string[] = [];

  /** Takes the next record of the thread's file, copied ones included. */
  add(record: JsonObject): void {
    const turn = turnStart(record);
    if (turn !== undefined) {
      this.turns.add(turn);
      this.keys.length = 0;
    } else if (this.turns.size === 0) {
      const key = recordKey(record);
      if (key !== undefined) this.keys.push(key);
    }
  }

  /** The cut of a fork of this thread. */
  cut(): Cut {
    let own = false, at = 0;
    return {
      own: (record) => {
        if (own) return true;
        const turn = turnStart(record);
        if (turn !== undefined) own = !this.turns.has(turn);
        else if (this.turns.size === 0) {
          const key = recordKey(record);
          if (key !== undefined && key !== this.keys[at++]) own = true;
        }
        return own;
      },
    };
  }
}

/** The cut of a thread that says at which ordinal its own part begins. */
export function ordinalCut(first: number): Cut {
  let own = false;
  return {
    own: (record) => {
      const ordinal = asNumber(record["ordinal"]);
      if (ordinal !== undefined) own = ordinal >= first;
      return own;
    },
  };
}

/**
 * Finds the cut of a fork whose source is gone: turns keep the time at which
 * they really began, so that the first one after the fork is its own.
 */
export class StartFinder {
  #born: number;
  #told = false;
  #line: number | undefined;

  /** `born`: when the fork was made, epoch milliseconds. */
  constructor(born: number) {
    this.#born = born;
  }

  /** Takes the next record of the fork's file. */
  add(record: JsonObject, line: number): void {
    if (this.#line !== undefined || record["type"] !== "event_msg") return;
    const payload = asObject(record["payload"]);
    if (!isTaskStart(payload?.["type"])) return;
    const value = payload?.["started_at"];
    const seconds = asNumber(value);
    const started = seconds === undefined ? timeOf(value) : seconds * 1000;
    if (Number.isNaN(started)) return;
    this.#told = true;
    if (started >= this.#born - 1000) this.#line = line;
  }

  /** The cut; undefined where nothing in the file tells. */
  cut(): Cut | undefined {
    if (!this.#told) return undefined;
    const first = this.#line ?? Infinity;
    return { own: (_record, line) => line >= first };
  }
}
