/**
 * Codex counts tokens cumulatively; this turns its counts into what was spent
 * since the last one.
 *
 * @module
 */
import type { SessionBuilder, TokenCounts } from "../../session/builder.ts";
import type { BuiltTurn } from "../../session/model.ts";
import { asNumber, asObject, type JsonObject } from "../lines.ts";

/** A count as written: input includes cached, output includes reasoning. */
interface Usage {
  input: number;
  cached: number;
  written: number;
  output: number;
}

function usage(value: unknown): Usage | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const count = (key: string) => {
    const n = asNumber(object[key]);
    return n !== undefined && n > 0 ? Math.min(Math.round(n), 1e15) : 0;
  };
  return {
    input: count("input_tokens"),
    cached: count("cached_input_tokens"),
    written: count("cache_write_input_tokens"),
    output: count("output_tokens"),
  };
}

const counts = (u: Usage): TokenCounts => ({
  // What was read from and written to the cache is part of the input.
  input: Math.max(0, u.input - u.cached - u.written),
  output: u.output,
  cacheRead: u.cached,
  cacheWrite: u.written,
});

const same = (a: Usage, b: Usage): boolean =>
  a.input === b.input && a.cached === b.cached && a.output === b.output &&
  a.written === b.written;

/** Follows the cumulative count of one thread. */
export class TokenCounter {
  #total: Usage | undefined;
  #inherits: boolean;

  /** `inherits`: the thread's count goes on from another thread's. */
  constructor(inherits = false) {
    this.#inherits = inherits;
  }

  /** From here on the count may go on from what was spent elsewhere. */
  inherit(): void {
    if (this.#total === undefined) this.#inherits = true;
  }

  /** Takes a `token_count`'s info that belongs to copied history. */
  skip(info: unknown): void {
    this.#total = usage(asObject(info)?.["total_token_usage"]) ?? this.#total;
  }

  /** What a `token_count`'s info adds; undefined where it adds nothing. */
  add(info: unknown): TokenCounts | undefined {
    const object: JsonObject = asObject(info) ?? {};
    const total = usage(object["total_token_usage"]);
    if (!total) return undefined;
    const last = usage(object["last_token_usage"]);
    const before = this.#total;
    this.#total = total;
    if (!before) {
      // Of an inherited count only the last response is its own.
      return counts(this.#inherits && last ? last : total);
    }
    if (same(before, total)) return undefined;
    const smaller = total.input + total.output < before.input + before.output;
    // The counter began anew: what it says of the last response is all there is.
    if (smaller) return counts(last ?? total);
    return counts({
      input: Math.max(0, total.input - before.input),
      cached: Math.max(0, total.cached - before.cached),
      written: Math.max(0, total.written - before.written),
      output: Math.max(0, total.output - before.output),
    });
  }
}

/** A count as one short text, to compare histories by. */
export function countKey(info: unknown): string | undefined {
  const total = usage(asObject(info)?.["total_token_usage"]);
  return total &&
    `${total.input}/${total.cached}/${total.written}/${total.output}`;
}

// The turns of one thread: by its tasks if there are some, else by prompts.

/** Keeps the turns of one thread. */
export class Turns {
  #builder: SessionBuilder;
  #subagent: boolean;
  /** The file marks turns by tasks. */
  #tasks = false;
  #task: BuiltTurn | undefined;
  #byKey = new Map<string, BuiltTurn>();
  /** A turn with a prompt and nothing since: a task that begins now is its. */
  #waiting: BuiltTurn | undefined;

  /** `subagent`: turns are set off by another thread, not by a person. */
  constructor(builder: SessionBuilder, subagent: boolean) {
    this.#builder = builder;
    this.#subagent = subagent;
  }

  /** The task that runs. */
  get task(): BuiltTurn | undefined {
    return this.#task;
  }

  /** A task begins, or one goes on. */
  start(at: number, key: string): void {
    this.#tasks = true;
    const known = this.#byKey.get(key) ?? this.#waiting;
    const turn = known ??
      this.#builder.startTurn(at, this.#subagent ? "subagent" : "unknown");
    turn.key = key;
    this.#byKey.set(key, turn);
    this.#builder.resume(turn);
    this.#task = turn;
    this.#waiting = undefined;
  }

  /** The task ends; nothing where another has taken the place of this one. */
  end(at: number | undefined, key: string | undefined): void {
    if (key !== undefined && this.#task?.key !== key) return;
    this.touch(at);
    this.close();
  }

  /** Whatever comes next belongs to no open turn. */
  close(): void {
    this.#task = undefined;
    this.#builder.closeTurn();
  }

  /** A prompt: it steers the task that runs, else begins a turn. */
  prompt(at: number): void {
    let turn = this.#task;
    if (!turn) {
      turn = this.#builder.startTurn(
        at,
        this.#subagent ? "subagent" : "prompt",
      );
      this.#waiting = turn;
    } else if (!this.#subagent) turn.trigger = "prompt";
    turn.prompts++;
  }

  /** The message of another agent set the task off. */
  notified(): void {
    if (this.#task?.prompts === 0 && this.#task.trigger === "unknown") {
      this.#task.trigger = "notification";
    }
  }

  /** Does something in the open turn; after a task's end in the one before. */
  active(work: () => void): void {
    const turns = this.#builder.session.turns;
    const last = turns[turns.length - 1];
    const late = this.#tasks && !this.#builder.turn && last;
    if (late) this.#builder.resume(last);
    this.#waiting = undefined;
    work();
    if (late) this.#builder.closeTurn();
  }

  /** The open turn lasts at least to here. */
  touch(at: number | undefined): void {
    if (at !== undefined) this.#builder.extendTurn(at);
  }
}
