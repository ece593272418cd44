/**
 * Work that goes on after its call returned: the call's real end is told
 * later, by a notice, a poll or a stop, whichever comes first in time.
 *
 * @module
 */
import type { BuiltCall } from "../../session/model.ts";
import type { SessionBuilder } from "../../session/builder.ts";
import { isShellTool } from "./input.ts";
import type { TaskEnd } from "./text.ts";

/** An end as told. */
export interface ToldEnd {
  /** When. */
  at: number;
  /** How. */
  end: TaskEnd;
  /** Exit code, where told. */
  exitCode?: number;
}

/** The background work of one session. */
export class Background {
  #builder: SessionBuilder;
  #calls = new Map<string, BuiltCall>();
  #running = new Set<BuiltCall>();
  /** Ends of tasks and calls that are not known (yet): records may be out of order. */
  #early = new Map<string, ToldEnd>();

  /** Ends are given to the builder's calls. */
  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  /** A call whose work goes on under a task's id. */
  started(call: BuiltCall, task: string | undefined): void {
    this.#running.add(call);
    this.#builder.end(call, undefined, "background");
    for (const key of [task, call.id]) {
      if (key === undefined) continue;
      this.#calls.set(key, call);
      const told = this.#early.get(key);
      if (told) this.#end(call, told);
    }
  }

  /** An end, by the task or the call; the earliest told counts. */
  ended(
    task: string | undefined,
    callId: string | undefined,
    told: ToldEnd,
  ): void {
    const known =
      (callId === undefined ? undefined : this.#calls.get(callId)) ??
        (task === undefined ? undefined : this.#calls.get(task));
    if (known) {
      this.#end(known, told);
      return;
    }
    for (const key of [task, callId]) {
      if (key === undefined || this.#early.size > 10_000) continue;
      const earlier = this.#early.get(key);
      if (!earlier || told.at < earlier.at) this.#early.set(key, told);
    }
  }

  #end(call: BuiltCall, told: ToldEnd): void {
    if (!this.#running.has(call)) return;
    if (call.endedAt !== undefined && call.endedAt <= told.at) return;
    this.#builder.end(
      call,
      told.at,
      told.end,
      isShellTool(call.tool) ? told.exitCode : undefined,
    );
  }
}
