/**
 * The calls of one thread: from their items, results and events to how each
 * ended.
 *
 * @module
 */
import { hash53 } from "../../../schema/mod.ts";
import type { SessionBuilder } from "../../session/builder.ts";
import type { BuiltCall, LinkEvidence } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import { asString, isUniqueId, type JsonObject } from "../lines.ts";
import {
  type CallItem,
  customCall,
  type Dialect,
  functionCall,
  localShellCall,
  webSearchCall,
} from "./calls.ts";
import { boundedId } from "./head.ts";
import {
  asExit,
  mcpEventFailed,
  type Outcome,
  outcomeOf,
  outputTexts,
  printedExit,
  spawned,
} from "./results.ts";
import type { Script } from "./script.ts";

/** Items that are calls. */
export const CALL_ITEMS: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "web_search_call",
  "tool_search_call",
  "image_generation_call",
]);

/** Items that are results of calls. */
export const RESULT_ITEMS: ReadonlySet<string> = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "tool_search_output",
  "local_shell_call_output",
  "mcp_tool_call_output",
]);

/** Tools whose results begin with a header, or end with one. */
const HEADER_TOOLS = new Set([
  "shell",
  "shell_command",
  "local_shell",
  "container.exec",
  "exec_command",
  "write_stdin",
  "apply_patch",
]);

/** A code mode call whose script has not ended. */
interface RunningScript {
  script: Script;
  /** Exit codes of commands that ran meanwhile, by their own items. */
  exits: number[];
}

/** Items whose ids some gateways give again once the call has its result. */
const REUSABLE = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
]);

/** Which call started a thread, and how that is known. */
export interface Start {
  /** The call's id. */
  call: string;
  /** How it is known. */
  evidence: LinkEvidence;
}

/** Keeps the calls of one thread. */
export class Ledger {
  #builder: SessionBuilder;
  /** Calls whose process runs on, by the process's id. */
  #processes = new Map<string, BuiltCall>();
  /** Calls whose script runs on, by the cell's id. */
  #cells = new Map<string, BuiltCall>();
  #polls = new Map<string, string>();
  #scripts = new Map<string, RunningScript>();
  /** Calls whose script is known to have ended. */
  #ended = new Set<BuiltCall>();
  /** The last call of each id that was given more than once. */
  #again = new Map<string, { id: string; n: number }>();
  #failed = new Set<string>();
  /** Exit codes by the end events of commands. */
  #exits = new Map<string, number>();
  #starts = new Map<string, Start>();
  #paths: { path: string; exact: boolean; call: string }[] = [];

  /** Keeps the calls of one session. */
  constructor(builder: SessionBuilder) {
    this.#builder = builder;
  }

  /** A call's item. */
  item(item: JsonObject, at: number, line: number, dialect?: Dialect): void {
    const type = asString(item["type"]) ?? "";
    const named = boundedId(item["call_id"]) ?? boundedId(item["id"]) ??
      `${type}-${hash53(`${this.#builder.session.id} ${line}`).toString(36)}`;
    const id = this.#idFor(named, type);
    const known = this.#builder.session.calls.has(id);
    const read = this.#read(type, item, dialect);
    const call = this.#builder.call(id, read.tool, at, read.input);
    if (known) return;
    if (read.polls !== undefined) this.#polls.set(id, read.polls);
    if (read.script) this.#scripts.set(id, { script: read.script, exits: [] });
    if (read.taskName !== undefined) {
      this.#paths.push({ path: read.taskName, exact: false, call: id });
    }
    // These have no result of their own.
    if (type === "web_search_call" || type === "image_generation_call") {
      const failed = item["status"] === "failed";
      this.#builder.end(call, at, failed ? "failed" : "ok");
    }
  }

  /**
   * The id of a call's item: its own, unless an earlier call under it has its
   * result. A repeat under an id made to be unique is a copy.
   */
  #idFor(named: string, type: string): string {
    const call = this.#call(named);
    if (!call || call.state === "pending" || !REUSABLE.has(type)) {
      return call?.id ?? named;
    }
    if (isUniqueId(named)) return call.id;
    const n = (this.#again.get(named)?.n ?? 1) + 1, id = `${named}#${n}`;
    this.#again.set(named, { id, n });
    return id;
  }

  /** The last call of an id. */
  #call(named: string): BuiltCall | undefined {
    const id = this.#again.get(named)?.id ?? named;
    return this.#builder.session.calls.get(id);
  }

  #read(type: string, item: JsonObject, dialect?: Dialect): CallItem {
    switch (type) {
      case "function_call":
        return functionCall(item, dialect);
      case "custom_tool_call":
        return customCall(item, dialect);
      case "local_shell_call":
        return localShellCall(item);
      case "web_search_call":
        return webSearchCall(item);
      case "tool_search_call":
        return { tool: "tool_search", input: { kind: "other" } };
      default:
        return { tool: "image_generation", input: { kind: "other" } };
    }
  }

  /** Whether the header of a call's output tells all that is kept of it. */
  headIsEnough(id: string): boolean {
    const call = this.#call(id);
    return call !== undefined && call.facts.test === undefined &&
      HEADER_TOOLS.has(call.tool);
  }

  /** A call's result; `at` is undefined where the record has no time. */
  result(item: JsonObject, at: number | undefined): void {
    const call = this.#call(boundedId(item["call_id"]) ?? "");
    const output = item["output"];
    if (!call) {
      this.#builder.session.orphanResults++;
      return;
    }
    const outcome = outcomeOf(call.tool, output);
    const polled = this.#polls.get(call.id);
    if (polled !== undefined) {
      this.#polled(call, polled, outcome, at, output);
    } else if (outcome.script || !this.#isScript(call)) {
      this.#settle(call, outcome, at, output);
    } else this.#noticed(call, outcome, at);
    if (call.tool === "spawn_agent") this.#spawned(call.id, output);
  }

  #isScript(call: BuiltCall): boolean {
    return this.#scripts.has(call.id) || this.#ended.has(call);
  }

  #runs(id: string): boolean {
    const state = this.#builder.session.calls.get(id)?.state;
    return state === "pending" || state === "background";
  }

  /**
   * A script's result without a header: what it said on its way (`notify`), or
   * that it never ran. What it says may look like anything.
   */
  #noticed(
    call: BuiltCall,
    { state, exitCode }: Outcome,
    at: number | undefined,
  ): void {
    if (call.state !== "pending" || state === "background") return;
    if (exitCode === undefined) this.#builder.end(call, at, state);
  }

  /** The call that polled a process or cell, and the one that started it. */
  #polled(
    call: BuiltCall,
    key: string,
    outcome: Outcome,
    at: number | undefined,
    output: unknown,
  ): void {
    const list = call.tool === "wait" ? this.#cells : this.#processes;
    const owner = list.get(key);
    // A process that nobody is known to have started: the poll keeps its exit.
    if (!owner) {
      const state = outcome.state === "background" ? "ok" : outcome.state;
      this.#builder.end(call, at, state, outcome.exitCode);
      return;
    }
    const ended = call.tool === "wait"
      ? outcome.state !== "background" &&
        (outcome.state !== "interrupted" || outcome.script === true)
      : outcome.exitCode !== undefined;
    if (ended) {
      list.delete(key);
      this.#settle(owner, outcome, at, output);
    }
    const own = ended || outcome.state === "background" ? "ok" : outcome.state;
    this.#builder.end(call, at, own);
  }

  /** Ends a call by its outcome, or notes that it runs on. */
  #settle(
    call: BuiltCall,
    outcome: Outcome,
    at: number | undefined,
    output: unknown,
  ): void {
    if (outcome.state === "background" && outcome.running !== undefined) {
      const list = call.tool === "exec" ? this.#cells : this.#processes;
      list.set(outcome.running, call);
      // Its end event may have come before its result.
      const exit = this.#exits.get(call.id);
      if (exit === undefined) this.#builder.end(call, undefined, "background");
      return;
    }
    let { state, exitCode } = outcome;
    const running = this.#scripts.get(call.id);
    if (running) {
      this.#scripts.delete(call.id);
      this.#ended.add(call);
      exitCode ??= scriptExit(running, output);
    }
    exitCode ??= this.#exits.get(call.id);
    if (state === "ok" && exitCode !== undefined && exitCode !== 0) {
      state = "failed";
    }
    if (state === "ok" && this.#failed.has(call.id)) state = "failed";
    const text = call.facts.test === undefined
      ? undefined
      : new PrivateText(outputTexts(output).join("\n"));
    this.#builder.end(call, at, state, exitCode, text);
  }

  #spawned(call: string, output: unknown): void {
    const { id, path } = spawned(output);
    if (id !== undefined) this.started(id, call, "result");
    if (path !== undefined) this.#paths.push({ path, exact: true, call });
  }

  /** A command ended, by an event or item of its own. */
  commandEnd(event: JsonObject, id: string, at: number): void {
    const exit = asExit(event["exit_code"]);
    const call = this.#call(id);
    if (exit === undefined) return;
    if (!call) {
      // A command inside a script that runs.
      const running = [...this.#scripts].filter(([id]) => this.#runs(id));
      if (running.length === 1) running[0]?.[1].exits.push(exit);
      return;
    }
    this.#exits.set(call.id, exit);
    if (call.exitCode !== undefined) return;
    if (call.state !== "pending" && call.state !== "background") return;
    this.#builder.end(call, at, exit === 0 ? "ok" : "failed", exit);
  }

  /** An MCP call ended, by an event or item of its own. */
  mcpEnd(event: JsonObject, id: string): void {
    if (!mcpEventFailed(event)) return;
    const call = this.#call(id);
    this.#failed.add(call?.id ?? id);
    if (call?.state === "ok") this.#builder.end(call, call.endedAt, "failed");
  }

  /** A call started a thread. The first evidence stands. */
  started(thread: string, call: string, evidence: LinkEvidence): void {
    const id = this.#call(call)?.id ?? call;
    if (!this.#starts.has(thread)) {
      this.#starts.set(thread, { call: id, evidence });
    }
  }

  /** The call that started a thread, by its id, else by its path. */
  startOf(thread: string, path: string | undefined): Start | undefined {
    const start = this.#starts.get(thread);
    if (start) return start;
    if (path === undefined) return undefined;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const exact = this.#paths.filter((p) => p.exact && p.path === path);
    const alike = this.#paths.filter((p) => !p.exact && p.path === name);
    const calls = new Set(
      (exact.length > 0 ? exact : alike).map((p) => p.call),
    );
    const [call] = calls;
    // Names may be used again: only one candidate is evidence.
    return calls.size === 1 && call !== undefined
      ? { call, evidence: "path" }
      : undefined;
  }

  /** Calls of the open turn without a result were interrupted with it. */
  interrupt(): void {
    for (const call of this.#builder.turn?.calls ?? []) {
      if (call.state === "pending") {
        this.#builder.end(call, undefined, "interrupted");
      }
    }
  }
}

/** A script's exit code: of its one command, printed or by the command's item. */
function scriptExit(
  running: RunningScript,
  output: unknown,
): number | undefined {
  if (running.script.shells !== 1) return undefined;
  const printed = printedExit(output);
  if (printed !== undefined) return printed;
  return running.exits.length === 1 ? running.exits[0] : undefined;
}
