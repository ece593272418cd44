/**
 * The turns of one thread: by its tasks where it has any, else by prompts.
 *
 * @module
 */
import type { SessionBuilder } from "../../session/builder.ts";
import type { BuiltTurn } from "../../session/model.ts";

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
