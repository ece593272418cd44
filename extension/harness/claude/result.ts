/**
 * How a call ended, by its own result record. Only the beginning of a result's
 * text is looked at: the rest is what the program printed.
 *
 * @module
 */
import type { CallState } from "../../../schema/mod.ts";
import { asObject, asString, type JsonObject } from "../lines.ts";
import { isShellTool } from "./input.ts";
import { firstText, tag, type TaskEnd, taskEnd } from "./text.ts";

/** A call's end as its result tells it. */
export interface ResultState {
  /** How it ended. */
  state: CallState;
  /** Exit code of a shell. */
  exitCode?: number;
  /** The task that goes on in the background. */
  task?: string;
  /** The subagent that ran. */
  agent?: string;
  /** The run of a workflow, and the folder of its transcripts. */
  workflow?: string[];
}

const EXIT = /^\s{0,4}(?:Error: )?Exit code (-?\d{1,10})\b/;
const BACKGROUND = /^Command running in background with ID: ([\w-]{1,100})/;
const MONITOR = /^Monitor started \(task ([\w-]{1,100})/;

const REJECTED: readonly string[] = [
  "The user doesn't want to",
  "User rejected tool use",
];
const NOT_RUN: readonly string[] = [
  "<tool_use_error>Sibling tool call errored",
  "<tool_use_error>InputValidationError",
  "InputValidationError",
  "<tool_use_error>Cancelled: parallel tool call",
  "Cancelled: parallel tool call",
];

const begins = (text: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => text.startsWith(prefix));

function failure(head: string, extra: unknown, record: JsonObject): CallState {
  if (
    asString(record.toolDenialKind) || begins(head, REJECTED) ||
    (typeof extra === "string" && begins(extra, REJECTED))
  ) return "rejected";
  if (begins(head, NOT_RUN)) return "notRun";
  if (head.startsWith("[Request interrupted by user")) return "interrupted";
  return "failed";
}

/** The state of a call after its result. `record` holds the `tool_result` block. */
export function resultState(
  tool: string,
  block: JsonObject,
  record: JsonObject,
): ResultState {
  const extra = record.toolUseResult;
  const more = asObject(extra);
  const head = firstText(block.content).slice(0, 400);
  const shell = isShellTool(tool);
  const agent = asString(more?.agentId);
  const workflow = [more?.runId, more?.transcriptDir]
    .filter((name) => typeof name === "string" && name !== "") as string[];
  const found = {
    ...(agent ? { agent } : {}),
    ...(workflow.length > 0 ? { workflow } : {}),
  };
  if (more?.interrupted === true) return { state: "interrupted", ...found };
  if (block.is_error === true) {
    const state = failure(head, extra, record);
    const code = shell && state === "failed" ? EXIT.exec(head)?.[1] : undefined;
    return {
      state,
      ...(code === undefined ? {} : { exitCode: Number(code) }),
      ...found,
    };
  }
  const task = asString(more?.backgroundTaskId) ??
    (shell ? BACKGROUND.exec(head)?.[1] : undefined) ??
    (tool === "Monitor"
      ? asString(more?.taskId) ?? MONITOR.exec(head)?.[1]
      : undefined);
  if (task) return { state: "background", task, ...found };
  if (more?.isAsync === true || more?.status === "async_launched") {
    const launched = agent ?? asString(more.taskId);
    return {
      state: "background",
      ...(launched ? { task: launched } : {}),
      ...found,
    };
  }
  const unclear = more?.returnCodeInterpretation !== undefined &&
    more.returnCodeInterpretation !== null;
  return {
    state: "ok",
    ...(shell && !unclear ? { exitCode: 0 } : {}),
    ...found,
  };
}

/** What a poll of a background task (`TaskOutput`, `BashOutput`) says. */
export interface Poll {
  /** The task. */
  task: string;
  /** Its end. */
  end: TaskEnd;
  /** Exit code, where told. */
  exitCode?: number;
}

const POLLS: ReadonlySet<string> = new Set([
  "TaskOutput",
  "BashOutput",
  "AgentOutputTool",
]);
const STOPS: ReadonlySet<string> = new Set([
  "TaskStop",
  "KillShell",
  "KillBash",
]);

/** The background task that a polling or stopping tool is about. */
export function taskOf(tool: string, raw: unknown): string | undefined {
  if (!POLLS.has(tool) && !STOPS.has(tool)) return undefined;
  const input = asObject(raw);
  return asString(input?.task_id) ?? asString(input?.bash_id) ??
    asString(input?.shell_id) ?? asString(input?.agentId);
}

/** What the result of a polling or stopping tool says of the end of `task`. */
export function pollResult(
  tool: string,
  task: string,
  block: JsonObject,
  record: JsonObject,
): Poll | undefined {
  if (block.is_error === true) return undefined;
  if (STOPS.has(tool)) return { task, end: "interrupted" };
  const more = asObject(record.toolUseResult);
  const told = asObject(more?.task) ?? more;
  // The tags come before the output that they announce.
  const text = firstText(block.content);
  const cut = text.indexOf("<output>");
  const head = text.slice(0, Math.min(cut < 0 ? 2000 : cut, 2000));
  const end = taskEnd(asString(told?.status) ?? tag(head, "status"));
  if (!end) return undefined;
  const code = told?.exitCode ?? tag(head, "exit_code");
  const exitCode = typeof code === "number"
    ? code
    : typeof code === "string" && /^-?\d{1,10}$/.test(code)
    ? Number(code)
    : undefined;
  return {
    task,
    end: end === "ok" && exitCode !== undefined && exitCode !== 0
      ? "failed"
      : end,
    ...(exitCode === undefined || !Number.isSafeInteger(exitCode)
      ? {}
      : { exitCode }),
  };
}

/** A result without the output it carries. */
export interface SlimResult {
  /** The block, its text cut. */
  block: JsonObject;
  /** The fields of its record that tell how the call ended. */
  record: JsonObject;
}

const TELLING: readonly string[] = [
  "interrupted",
  "backgroundTaskId",
  "taskId",
  "agentId",
  "runId",
  "transcriptDir",
  "isAsync",
  "status",
  "exitCode",
  "returnCodeInterpretation",
];

function pick(from: JsonObject): JsonObject {
  const small: JsonObject = {};
  for (const key of TELLING) {
    const value = from[key];
    if (value === undefined || typeof value === "object") continue;
    small[key] = typeof value === "string" ? value.slice(0, 400) : value;
  }
  return small;
}

/** What must be kept of a result until its call is read. */
export function slimResult(block: JsonObject, record: JsonObject): SlimResult {
  const extra = record.toolUseResult;
  const more = asObject(extra), task = asObject(more?.task);
  return {
    block: {
      content: firstText(block.content).slice(0, 2000),
      is_error: block.is_error === true,
    },
    record: {
      ...(asString(record.toolDenialKind) ? { toolDenialKind: "denied" } : {}),
      toolUseResult: typeof extra === "string"
        ? extra.slice(0, 400)
        : more
        ? { ...pick(more), ...(task ? { task: pick(task) } : {}) }
        : undefined,
    },
  };
}
