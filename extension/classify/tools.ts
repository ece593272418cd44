/**
 * The verdict on a call of a tool that is no shell.
 *
 * @module
 */
import { isDefinitionPath, isSecretPath, isSwampPath } from "./judge/files.ts";
import { sqlWrites } from "./judge/db.ts";
import type { ClassifyInput, RepoKnowledge, Verdict } from "./types.ts";
import { wrapperOf } from "./verdict.ts";
import { MCP_SERVERS, TOOL_GROUPS } from "./rules/tools.ts";

type Core = Pick<Verdict, "label" | "category" | "rule"> & Partial<Verdict>;

/** Judges a call of a tool. */
export function judgeTool(
  input: ClassifyInput,
  repo: RepoKnowledge | undefined,
): Verdict {
  const core = mcp(input, repo) ?? files(input) ?? named(input);
  const decides = core.label !== "neutral" && input.text.length > 0;
  return {
    low: false,
    tags: [],
    parts: decides
      ? [{ start: 0, end: input.text.length, rule: core.rule }]
      : [],
    ...core,
  };
}

const MCP_NAME = /^mcp__(.{1,200}?)__(.{1,200})$/s;

function mcp(
  input: ClassifyInput,
  repo: RepoKnowledge | undefined,
): Core | undefined {
  const name = input.tool.startsWith("mcp__")
    ? MCP_NAME.exec(input.tool)
    : null;
  const server = (input.server ?? name?.[1])?.toLowerCase();
  if (server === undefined || server === "") return undefined;
  const tool = (name?.[2] ?? input.tool).toLowerCase();
  const parts = server.split(/[^a-z0-9]+/).filter(Boolean);
  if (parts.includes("swamp")) {
    return { label: "swamp", category: "swamp.mcp", rule: "swamp.mcp" };
  }
  const kind = MCP_SERVERS.find((row) =>
    row.servers.some((s) => parts.includes(s) || server === s)
  );
  if (!kind) {
    return { label: "neutral", category: "neutral.mcp", rule: "tool.mcp" };
  }
  if (kind.id === "files" && input.text !== "") {
    const own = files({ ...input, tool, kind: "path" });
    if (own && own.label !== "neutral") return own;
  }
  if (kind.category.startsWith("neutral.")) {
    return {
      label: "neutral",
      category: kind.category,
      rule: `tool.mcp.${kind.id}`,
    };
  }
  if (kind.talk?.test(tool)) {
    return {
      label: "neutral",
      category: "neutral.vcs",
      rule: `tool.mcp.${kind.id}`,
    };
  }
  if (
    /^(?:docs?_|.{0,40}(?:documentation|search_docs|docs_search|read_docs|whoami|get_caller_identity|list_tools|help))/
      .test(tool)
  ) {
    return {
      label: "neutral",
      category: "neutral.mcp",
      rule: `tool.mcp.${kind.id}`,
    };
  }
  const asks = kind.id === "db"
    ? /query|sql|execute/
    : /sql|(?:execute|run)[-_]query/;
  const writes = asks.test(tool) && (kind.id === "db" || input.text !== "")
    ? input.text === "" ? undefined : sqlWrites(input.text)
    : mutates(tool);
  const type = repo && wrapperOf(
    {
      label: "bypass",
      rule: {
        id: kind.id,
        category: kind.category,
        title: "",
        programs: [],
        examples: {},
        wraps: parts,
      },
      start: 0,
      end: 0,
    },
    repo.modelTypes,
    parts[0] ?? "",
  );
  return {
    label: "bypass",
    category: kind.category,
    rule: `tool.mcp.${kind.id}`,
    ...(writes === undefined ? {} : { mutating: writes }),
    severity: writes ? "high" : "low",
    ...(type ? { wraps: type } : {}),
  };
}

const READ_NAME =
  /(?:^|[_.-])(?:get|list|read|describe|search|find|query|show|view|fetch|lookup|count|inspect|status|logs?|explain|check|diff|plan|preview|tail|head|browse|validate|dry_?run|export|download|watch|top|events|history|metrics|schema|tables)(?:[_.-]|[A-Z]|$)/i;
const WRITE_NAME =
  /(?:^|[_.-])(?:create|update|delete|remove|put|post|patch|apply|set|add|write|deploy|run|execute|exec|start|stop|restart|scale|rollback|invoke|send|publish|push|upload|insert|drop|alter|terminate|reboot|install|uninstall|upgrade|merge|enable|disable|attach|detach|rotate|restore|import|copy|move|rename|cancel|trigger|approve|reset|purge|call|label|annotate|cordon|drain)(?:[_.-]|[A-Z]|$)/i;

function mutates(tool: string): boolean | undefined {
  if (
    WRITE_NAME.test(tool) && !/^(?:list|get|describe|search|read)/.test(tool)
  ) {
    return true;
  }
  return READ_NAME.test(tool) ? false : undefined;
}

const NONE: readonly string[] = [];
/** Tools whose pattern is one of paths. */
const LISTS = new Set(["glob", "find_files", "file_search"]);

function files(input: ClassifyInput): Core | undefined {
  const name = input.tool.toLowerCase();
  const kind = TOOL_GROUPS.get(name);
  let writes = input.writes ?? NONE;
  let reads = input.reads ?? NONE;
  if (
    input.kind === "path" && writes.length + reads.length === 0 && input.text
  ) {
    const edits = kind === "neutral.edit" ||
      kind === undefined && mutates(name) === true;
    if (edits) writes = [input.text];
    else reads = [input.text];
  }
  // What a glob matches lies in a folder; a pattern to search for does not.
  if (input.kind === "pattern" && LISTS.has(name) && isSwampPath(input.text)) {
    reads = [...reads, input.text];
  }
  if (input.kind === "patch" && writes.length === 0) {
    writes = [
      ...input.text.slice(0, 200_000).matchAll(
        /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$/gm,
      ),
    ].map((m) => m[1] ?? "");
  }
  const searches = input.searches ?? NONE;
  if (searches.length > 0) {
    const found = searched(input, name, [...reads, ...searches]);
    // What decides is no part of the text, unless that is a place, too.
    if (found) return reads.some(isSwampPath) ? found : { ...found, parts: [] };
  }
  if (writes.length + reads.length === 0) return undefined;
  if (writes.some(isSwampPath)) {
    return {
      label: "bypass",
      category: "swampdata.write",
      rule: "swampdata.write",
      mutating: true,
      severity: "high",
    };
  }
  if (reads.some(isSwampPath)) return swampRead(name, reads);
  if (writes.some(isDefinitionPath) && creates(input, name)) {
    return {
      label: "bypass",
      category: "swampdef.handmade",
      rule: "swampdef.handmade",
      mutating: true,
      severity: "medium",
      low: true,
    };
  }
  if (writes.length === 0 && prints(name) && reads.some(isSecretPath)) {
    return SECRET_READ;
  }
  return {
    label: "neutral",
    category: writes.length > 0 ? "neutral.edit" : "neutral.read",
    rule: writes.length > 0 ? "tool.edit" : "tool.read",
    ...(kind === undefined ? { low: true } : {}),
  };
}

const SECRET_READ: Core = {
  label: "bypass",
  category: "secret.read",
  rule: "secret.read.file",
  mutating: false,
  severity: "medium",
};

/** A look below `.swamp/`: a listing of its data is what swamp's guide says. */
function swampRead(name: string, places: readonly string[]): Core {
  const lists = name === "ls" || name === "list_dir" ||
    name === "list_directory";
  return lists &&
      places.every((p) => !isSwampPath(p) || /\.swamp[/\\]data/.test(p))
    ? {
      label: "neutral",
      category: "neutral.read",
      rule: "swampdata.read",
      tags: ["troubleshooting"],
    }
    : {
      label: "bypass",
      category: "swampdata.read",
      rule: "swampdata.read",
      mutating: false,
      severity: "medium",
    };
}

/** What is looked through, if that matters: as `rg`, `find` and `ls` there. */
function searched(
  input: ClassifyInput,
  name: string,
  places: readonly string[],
): Core | undefined {
  if (places.some(isSwampPath)) return swampRead(name, places);
  const contents = input.kind === "pattern" && !LISTS.has(name);
  return contents && places.some(isSecretPath) ? SECRET_READ : undefined;
}

/** Whether a tool writes whole new files, rather than editing what is there. */
function creates(input: ClassifyInput, name: string): boolean {
  return /^(?:write|write_file|create_file|create)$/.test(name) ||
    input.kind === "patch" &&
      /^\*\*\* Add File: /m.test(input.text.slice(0, 200_000));
}

/** Whether a tool shows what is in a file. */
function prints(name: string): boolean {
  return /^(?:read|read_file|view|cat|open|open_file|notebookread|read_many_files|fs_read)$/
    .test(name);
}

function named(input: ClassifyInput): Core {
  const name = input.tool.toLowerCase();
  const category = TOOL_GROUPS.get(name);
  if (category) {
    return {
      label: "neutral",
      category,
      rule: category.replace(/^neutral\./, "tool."),
    };
  }
  if (input.kind === "url" || input.kind === "query") {
    return { label: "neutral", category: "neutral.web", rule: "tool.web" };
  }
  if (input.kind === "agent") {
    return { label: "neutral", category: "neutral.agent", rule: "tool.agent" };
  }
  if (input.kind === "pattern") {
    return { label: "neutral", category: "neutral.read", rule: "tool.read" };
  }
  return {
    label: "neutral",
    category: "neutral.other",
    rule: "tool.unknown",
    low: true,
  };
}
