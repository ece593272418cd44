/**
 * How a call ended, from its result. Only headers that Codex writes are read:
 * what a program printed may hold the same words.
 *
 * @module
 */
import type { CallState } from "../../../schema/mod.ts";
import { asArray, asObject, asString, type JsonObject } from "../lines.ts";

/** How a call ended, or that it runs on. */
export interface Outcome {
  /** State of the call itself. */
  state: CallState;
  /** Exit code, where the header tells. */
  exitCode?: number;
  /** The process or cell that runs on, polled by later calls. */
  running?: string;
  /** Read from the header of a code mode script. */
  script?: true;
}

/** Headers are looked for in this many UTF-16 units. */
const HEAD = 2000;

/** Results that are parsed as JSON as a whole, in UTF-16 units. */
const MAX_JSON = 256 * 1024;

const FAILED =
  /^(?:error:|execution error:|failed in sandbox |sandbox error:|apply_patch verification failed|tool call (?:error|failed)|unsupported call:|failed to |err: |write_stdin failed:|exec_command failed|unknown process id)/i;
const SANDBOX_EXIT =
  /^failed in sandbox [^\n]{1,300}?, exit code: (-?\d{1,10})\b/;
const REJECTED =
  /^(?:exec command rejected|patch rejected|user rejected MCP tool call)/;
const ABORTED = /^aborted(?: by user)?(?: after [\d.]{1,12}s)?\s{0,9}$/;
const HEADER_LINE =
  /^(?:Chunk ID: |Wall time: |Original token count: |Total output lines: |Exit code: |Process exited with code |Process running with session ID |Warning: )/;

const byExit = (exitCode: number): Outcome => ({
  state: exitCode === 0 ? "ok" : "failed",
  exitCode,
});

/** The texts of a result, whatever its form; pictures are left out. */
export function outputTexts(output: unknown): string[] {
  if (typeof output === "string") return [output];
  if (Array.isArray(output)) {
    return output.flatMap((item) => {
      const text = asString(asObject(item)?.["text"]);
      return text === undefined ? [] : [text];
    });
  }
  const object = asObject(output);
  if (!object) return [];
  const text = asString(object["text"]);
  return text === undefined ? outputTexts(object["content"]) : [text];
}

/** An exit code, where the value is one. */
export function asExit(value: unknown): number | undefined {
  return Number.isInteger(value) && Math.abs(value as number) <= 0xffffffff
    ? value as number
    : undefined;
}

/** The exit code of a result written as JSON: `{"output":…,"metadata":{…}}`. */
function jsonExit(text: string): number | undefined {
  if (!text.startsWith("{")) return undefined;
  // Quotes inside the output are escaped, so that these match outside only.
  const found =
    /"metadata":\{"exit_code":(-?\d{1,10})[,}][^{}"]{0,200}(?:"[^{}]{0,200})?\}\s{0,9}\}?\s{0,9}$/
      .exec(text.slice(-600)) ??
      /^\{"metadata":\{"exit_code":(-?\d{1,10})[,}]/.exec(text.slice(0, 200));
  if (found) return Number(found[1]);
  if (!text.includes('"exit_code"')) return undefined;
  return asExit(asObject(parsed(text)?.["metadata"])?.["exit_code"]);
}

function parsed(text: string): JsonObject | undefined {
  if (text.length > MAX_JSON || !text.startsWith("{")) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The header lines in front of a command's output. */
function* headerLines(text: string): Generator<string> {
  let from = 0;
  if (text.startsWith("Command: ")) {
    // The command itself may have several lines.
    const at = /\n(?:Chunk ID|Wall time): /.exec(text)?.index;
    if (at === undefined) return;
    from = at + 1;
  }
  for (let n = 0; n < 12; n++) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? from + HEAD : end);
    if (!HEADER_LINE.test(line)) return;
    yield line;
    if (end < 0) return;
    from = end + 1;
  }
}

/** The outcome that a command's header tells, if it has one. */
function headerOutcome(text: string): Outcome | undefined {
  let header = false;
  for (const line of headerLines(text)) {
    header = true;
    const exit = /^(?:Exit code: |Process exited with code )(-?\d{1,10})\s*$/
      .exec(line);
    if (exit) return byExit(Number(exit[1]));
    const running = /^Process running with session ID (\S{1,60})/.exec(line);
    if (running?.[1]) return { state: "background", running: running[1] };
  }
  return header ? { state: "ok" } : undefined;
}

/** The outcome of a code mode script, or of waiting for one. */
function scriptOutcome(text: string): Outcome | undefined {
  const found =
    /^Script (completed|failed|terminated|running with cell ID (\S{1,60}))/
      .exec(text.slice(0, 200));
  if (!found) return undefined;
  const script = true;
  if (found[2]) return { state: "background", running: found[2], script };
  if (found[1] === "completed") return { state: "ok", script };
  const state = found[1] === "terminated" ? "interrupted" : "failed";
  return { state, script };
}

/** Tools whose results are JSON; plain text from them is an error. */
const JSON_ONLY = new Set(["spawn_agent", "wait_agent", "list_agents"]);

/** How the call of this tool ended, from its result. */
export function outcomeOf(tool: string, output: unknown): Outcome {
  const object = asObject(output);
  if (object?.["success"] === false) return { state: "failed" };
  const text = outputTexts(output)[0] ?? "";
  const head = text.slice(0, HEAD);
  if (ABORTED.test(head)) return { state: "interrupted" };
  if (tool === "exec" || tool === "wait") {
    const script = scriptOutcome(head);
    if (script) return script;
  }
  const exit = jsonExit(text);
  if (exit !== undefined) return byExit(exit);
  const header = headerOutcome(text);
  if (header) return header;
  if (REJECTED.test(head)) return { state: "rejected" };
  if (FAILED.test(head)) {
    const code = SANDBOX_EXIT.exec(head);
    return code ? byExit(Number(code[1])) : { state: "failed" };
  }
  if (JSON_ONLY.has(tool) && text !== "" && !/^\s{0,9}[{[]/.test(head)) {
    return { state: "failed" };
  }
  return { state: mcpFailed(text) ? "failed" : "ok" };
}

/** Whether a result is an MCP result that says it failed. */
function mcpFailed(text: string): boolean {
  if (!/"is_?error":true/i.test(text.slice(0, HEAD) + text.slice(-200))) {
    return false;
  }
  const result = parsed(text);
  return result?.["isError"] === true || result?.["is_error"] === true;
}

/** The exit code printed by a script, where it printed exactly one result. */
export function printedExit(output: unknown): number | undefined {
  const codes = outputTexts(output).slice(1).flatMap((text) => {
    const start = text.slice(0, 40).trimStart();
    if (!start.startsWith("{") || !text.includes('"exit_code"')) return [];
    const code = asExit(parsed(text.trimStart())?.["exit_code"]);
    return code === undefined ? [] : [code];
  });
  return codes.length === 1 ? codes[0] : undefined;
}

/** The thread and the path that a spawn's result names. */
export function spawned(output: unknown): { id?: string; path?: string } {
  const result = parsed(outputTexts(output)[0] ?? "");
  const id = asString(result?.["agent_id"]);
  const path = asString(result?.["task_name"]);
  return {
    ...(id === undefined ? {} : { id }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Whether an MCP end event or item says that the call failed. */
export function mcpEventFailed(event: JsonObject): boolean {
  if (asObject(event["error"])) return true;
  if (asString(event["status"]) === "failed") return true;
  const result = asObject(event["result"]);
  if (!result) return false;
  if (result["Err"] !== undefined) return true;
  const ok = asObject(result["Ok"]) ?? result;
  return ok["is_error"] === true || ok["isError"] === true;
}

/** The string items of an array. */
export function strings(value: unknown): string[] {
  return asArray(value).filter((x) => typeof x === "string");
}
