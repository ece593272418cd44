/**
 * What a call is about: its tool's name and the one telling part of its
 * arguments.
 *
 * @module
 */
import type { CallInput } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import {
  asObject,
  asString,
  type JsonObject,
  plainArgument,
} from "../lines.ts";
import {
  PATCH_BEGIN,
  patchesInside,
  type PatchFiles,
  patchFiles,
  shellPatch,
  withoutPatchContents,
} from "./patch.ts";
import { strings } from "./results.ts";
import { readScript, type Script, scriptPatches } from "./script.ts";

/** A call as read from its item. */
export interface CallItem {
  /** The tool's name. */
  tool: string;
  /** What it is about. */
  input: CallInput;
  /** Process or cell that the call polls. */
  polls?: string;
  /** The script of a code mode call. */
  script?: Script;
  /** Name that a spawned thread is given in its path. */
  taskName?: string;
}

/** Which shell a command without one of its own is for. */
export type Dialect = NonNullable<CallInput["dialect"]>;

const SHELL_TOOLS = new Set([
  "shell",
  "container.exec",
  "shell_command",
  "exec_command",
  "local_shell",
]);
const POSIX = /^(?:ba|z|da|k|a)?sh$/;
const text = (value: string): PrivateText => new PrivateText(value);

/** The program's name without folder and `.exe`, in lower case. */
const program = (word: string): string =>
  word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase().replace(/\.exe$/, "");

const quoted = (word: string): string =>
  /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const patchInput = (files: PatchFiles): CallInput => ({
  kind: "patch",
  text: text(files.text),
  writes: files.paths.map(text),
});

function commandInput(command: string, dialect?: Dialect): CallInput {
  const patch = shellPatch(command);
  if (patch) return patchInput(patch);
  const paths = patchesInside(command);
  return {
    kind: "shell",
    text: text(withoutPatchContents(command)),
    ...(paths.length > 0 ? { writes: paths.map(text) } : {}),
    ...(dialect === undefined || dialect === "posix" ? {} : { dialect }),
  };
}

/** A command given as words: what a shell in front would run, else all quoted. */
function wordsInput(words: string[], dialect?: Dialect): CallInput {
  const [first = "", second = "", third] = words;
  const name = program(first);
  if (words.length === 3 && third !== undefined) {
    if (POSIX.test(name) && /^-[a-z]{0,4}c$/.test(second)) {
      return commandInput(third);
    }
    if (name === "cmd" && /^\/[ck]$/i.test(second)) {
      return commandInput(third, "cmd");
    }
  }
  if (name === "powershell" || name === "pwsh") {
    const at = words.findIndex((word) => /^-c(?:ommand)?$/i.test(word));
    if (at > 0 && at === words.length - 2) {
      return commandInput(words[at + 1] ?? "", "powershell");
    }
  }
  if (name === "apply_patch" || name === "applypatch") {
    const files = second.includes(PATCH_BEGIN) ? patchFiles(second) : undefined;
    if (files) return patchInput(files);
  }
  return commandInput(words.map(quoted).join(" "), dialect);
}

/** The shell named in arguments, as a dialect. */
function shellDialect(shell: unknown, fallback?: Dialect): Dialect | undefined {
  if (typeof shell !== "string") return fallback;
  const name = program(shell);
  if (name === "powershell" || name === "pwsh") return "powershell";
  return name === "cmd" ? "cmd" : "posix";
}

/** Tools that look for or read something: what they are asked is no prompt. */
const LOOKING_TOOLS: ReadonlySet<string> = new Set([
  "grep_files",
  "list_dir",
  "read_file",
  "tool_search",
  "view_image",
  "web_search",
]);

/** The telling argument of a call: where, and what only of a tool that looks. */
function plainInput(tool: string, args: JsonObject): CallInput {
  const known = LOOKING_TOOLS.has(tool);
  const one = (...keys: string[]) => {
    for (const key of keys) {
      const value = known ? asString(args[key]) : plainArgument(args, key);
      if (value !== undefined && value !== "") return text(value);
    }
    return undefined;
  };
  const url = one("url", "uri");
  if (url) return { kind: "url", text: url };
  const path = one("path", "file_path", "filePath", "file");
  if (path) return { kind: "path", text: path };
  const pattern = one("pattern", "glob", "regex");
  if (pattern) return { kind: "pattern", text: pattern };
  const query = one("query", "q");
  if (query) return { kind: "query", text: query };
  const folder = known ? one("dir_path") : undefined;
  return folder ? { kind: "other", searches: [folder] } : { kind: "other" };
}

/** Arguments written as a JSON string, or as an object. */
function argumentsOf(value: unknown): JsonObject {
  if (typeof value !== "string") return asObject(value) ?? {};
  try {
    return asObject(JSON.parse(value)) ?? {};
  } catch {
    return {};
  }
}

function scriptItem(source: string, dialect?: Dialect): CallItem {
  const script = readScript(source);
  const server = script.tools.map(serverOf).find((name) => name !== undefined);
  const patch = patchFiles(scriptPatches(source).join("\n"));
  let input: CallInput = { kind: "other" };
  if (script.commands.length > 0) {
    input = commandInput(script.commands.join("\n"), dialect);
    // A command's own patch is told with the folder that it changed to.
    if (patch && script.tools.includes("apply_patch")) {
      input.writes = [...input.writes ?? [], ...patch.paths.map(text)];
    } else if (patch) input.writes ??= patch.paths.map(text);
  } else if (patch) input = patchInput(patch);
  else if (server !== undefined) input.server = server;
  return { tool: "exec", input, script };
}

/** The MCP server in a tool's name: `mcp__github__search` -> `github`. */
function serverOf(name: string): string | undefined {
  const found = /^mcp__(.{1,100}?)(?:__|$)/.exec(name);
  return found?.[1];
}

/** A `function_call` item. */
export function functionCall(item: JsonObject, dialect?: Dialect): CallItem {
  const name = asString(item["name"]) ?? "unknown";
  const namespace = asString(item["namespace"]) ?? "";
  const args = argumentsOf(item["arguments"]);
  const server = serverOf(namespace) ?? serverOf(name);
  if (server !== undefined) {
    const tool = namespace.startsWith("mcp__")
      ? `${namespace.replace(/_+$/, "")}__${name}`
      : name;
    return { tool, input: { ...plainInput(tool, args), server } };
  }
  if (SHELL_TOOLS.has(name)) {
    const command = args["command"] ?? args["cmd"];
    const kind = shellDialect(args["shell"], dialect);
    if (typeof command === "string") {
      return { tool: name, input: commandInput(command, kind) };
    }
    const words = strings(command);
    return {
      tool: name,
      input: words.length > 0 ? wordsInput(words, kind) : { kind: "other" },
    };
  }
  switch (name) {
    case "apply_patch": {
      const patch = asString(args["input"] ?? args["patch"]) ?? "";
      return { tool: name, input: patchOf(patch) };
    }
    case "write_stdin":
      return {
        tool: name,
        input: { kind: "other" },
        ...polls(args, "session_id"),
      };
    case "wait":
      return {
        tool: name,
        input: { kind: "other" },
        ...polls(args, "cell_id"),
      };
    case "read_file":
    case "view_image": {
      const path = asString(args["path"]) ?? asString(args["file_path"]);
      if (path === undefined) break;
      return {
        tool: name,
        input: { kind: "path", text: text(path), reads: [text(path)] },
      };
    }
    case "spawn_agent": {
      const type = asString(args["agent_type"]) ?? asString(args["agent_role"]);
      const taskName = asString(args["task_name"]);
      return {
        tool: name,
        input: type === undefined
          ? { kind: "agent" }
          : { kind: "agent", text: text(type) },
        ...(taskName === undefined ? {} : { taskName }),
      };
    }
  }
  return { tool: name, input: plainInput(name, args) };
}

/** The process or cell that a call polls, as text whatever it was written as. */
function polls(args: JsonObject, key: string): { polls?: string } {
  const id = args[key];
  return typeof id === "string" || typeof id === "number"
    ? { polls: String(id) }
    : {};
}

const patchOf = (patch: string): CallInput => {
  const files = patchFiles(patch);
  return files ? patchInput(files) : { kind: "patch" };
};

/** A `custom_tool_call` item: its input is plain text. */
export function customCall(item: JsonObject, dialect?: Dialect): CallItem {
  const tool = asString(item["name"]) ?? "unknown";
  const input = asString(item["input"]) ?? "";
  if (tool === "exec") return scriptItem(input, dialect);
  if (tool === "apply_patch") return { tool, input: patchOf(input) };
  const server = serverOf(tool);
  return {
    tool,
    input: { kind: "other", ...(server === undefined ? {} : { server }) },
  };
}

/** A `local_shell_call` item. */
export function localShellCall(item: JsonObject): CallItem {
  const words = strings(asObject(item["action"])?.["command"]);
  return {
    tool: "local_shell",
    input: words.length > 0 ? wordsInput(words) : { kind: "other" },
  };
}

/** A `web_search_call` item. */
export function webSearchCall(item: JsonObject): CallItem {
  return {
    tool: "web_search",
    input: plainInput("web_search", asObject(item["action"]) ?? {}),
  };
}
