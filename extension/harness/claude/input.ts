/**
 * The one telling argument of each tool. Never contents, never a prompt.
 *
 * @module
 */
import type { CallInput, InputKind } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import {
  asObject,
  asString,
  type JsonObject,
  plainArgument,
} from "../lines.ts";

/** Which argument of a tool tells what the call does. */
interface ToolInput {
  kind: InputKind;
  /** Names of the argument, the first that exists counts. */
  from: readonly string[];
  /** The argument is a local file that the call reads or writes. */
  file?: "reads" | "writes";
  /** The argument that says where it looks. */
  searches?: string;
  dialect?: "powershell";
}

const path = (from: string, file: "reads" | "writes"): ToolInput => ({
  kind: "path",
  from: [from, "path"],
  file,
});

/** Known tools, by their name in lower case. */
const TOOLS: ReadonlyMap<string, ToolInput> = new Map<string, ToolInput>([
  ["bash", { kind: "shell", from: ["command"] }],
  ["monitor", { kind: "shell", from: ["command"] }],
  ["powershell", { kind: "shell", from: ["command"], dialect: "powershell" }],
  ["read", path("file_path", "reads")],
  ["notebookread", path("notebook_path", "reads")],
  ["write", path("file_path", "writes")],
  ["edit", path("file_path", "writes")],
  ["multiedit", path("file_path", "writes")],
  ["notebookedit", path("notebook_path", "writes")],
  ["ls", { kind: "path", from: ["path"] }],
  ["grep", { kind: "pattern", from: ["pattern"], searches: "path" }],
  ["glob", { kind: "pattern", from: ["pattern"], searches: "path" }],
  ["webfetch", { kind: "url", from: ["url"] }],
  ["websearch", { kind: "query", from: ["query"] }],
  ["toolsearch", { kind: "query", from: ["query"] }],
  ["task", { kind: "agent", from: ["subagent_type"] }],
  ["agent", { kind: "agent", from: ["subagent_type"] }],
  ["readmcpresourcetool", { kind: "url", from: ["uri"] }],
]);

/**
 * Arguments of other tools that are a name or an address, most telling first.
 * Free text (`prompt`, `description`, `message`, `content`, ...) is not here.
 */
const SCALARS: readonly string[] = [
  "file_path",
  "path",
  "url",
  "uri",
  "id",
  "task_id",
  "taskId",
  "bash_id",
  "shell_id",
  "issue",
  "issue_number",
  "issueId",
  "key",
  "name",
  "skill",
  "repo",
  "repository",
  "project",
  "team",
  "owner",
  "server",
  "q",
  "query",
  "pattern",
  "libraryId",
  "libraryName",
];

/** Names that start a subagent, by version. */
export function isAgentTool(name: string): boolean {
  return name === "Task" || name === "Agent";
}

/** Shells, whose success is exit code 0. */
export function isShellTool(name: string): boolean {
  return /^(?:bash|powershell)$/i.test(name);
}

function scalar(input: JsonObject): string | undefined {
  for (const key of SCALARS) {
    const text = plainArgument(input, key);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** What a call's arguments come to. */
export function callInput(name: string, raw: unknown): CallInput {
  const input = asObject(raw) ?? {};
  const tool = TOOLS.get(name.toLowerCase());
  if (tool) {
    const text = tool.from.map((key) => asString(input[key]))
      .find((value) => value !== undefined && value !== "");
    if (text === undefined) return { kind: tool.kind };
    const boxed = new PrivateText(text);
    const place = tool.searches && asString(input[tool.searches]);
    return {
      kind: tool.kind,
      text: boxed,
      ...(tool.dialect ? { dialect: tool.dialect } : {}),
      ...(tool.file ? { [tool.file]: [boxed] } : {}),
      ...(place ? { searches: [new PrivateText(place)] } : {}),
    };
  }
  const server = /^mcp__(.{1,100}?)__/.exec(name)?.[1];
  const text = scalar(input);
  return {
    kind: "other",
    ...(text === undefined ? {} : { text: new PrivateText(text) }),
    ...(server === undefined ? {} : { server }),
  };
}
