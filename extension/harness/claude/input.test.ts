import { describe, expect, it } from "vitest";
import { callInput } from "./input.ts";

describe("the telling argument", () => {
  const told = (name: string, input: unknown) => {
    const { kind, text, server, reads, writes, dialect } = callInput(
      name,
      input,
    );
    return [
      kind,
      text?.reveal(),
      server,
      reads?.map((r) => r.reveal()),
      writes?.map((w) => w.reveal()),
      dialect,
    ];
  };
  const none = undefined;

  it.each<[string, unknown, unknown[]]>([
    ["Bash", { command: "ls", description: "secret" }, [
      "shell",
      "ls",
      none,
      none,
      none,
      none,
    ]],
    ["PowerShell", { command: "dir" }, [
      "shell",
      "dir",
      none,
      none,
      none,
      "powershell",
    ]],
    ["Read", { file_path: "/a" }, ["path", "/a", none, ["/a"], none, none]],
    ["Write", { file_path: "/a", content: "secret" }, [
      "path",
      "/a",
      none,
      none,
      ["/a"],
      none,
    ]],
    ["MultiEdit", { file_path: "/a", edits: [] }, ["path", "/a", none, none, [
      "/a",
    ], none]],
    ["NotebookEdit", { notebook_path: "/n", new_source: "s" }, [
      "path",
      "/n",
      none,
      none,
      ["/n"],
      none,
    ]],
    ["Grep", { pattern: "x", path: "/p" }, [
      "pattern",
      "x",
      none,
      none,
      none,
      none,
    ]],
    ["WebFetch", { url: "https://x.test", prompt: "secret" }, [
      "url",
      "https://x.test",
      none,
      none,
      none,
      none,
    ]],
    ["WebSearch", { query: "q" }, ["query", "q", none, none, none, none]],
    [
      "Agent",
      { subagent_type: "Explore", prompt: "secret", description: "d" },
      ["agent", "Explore", none, none, none, none],
    ],
    ["Task", { prompt: "secret" }, ["agent", none, none, none, none, none]],
    ["mcp__linear__get_issue", { id: "ENG-1", body: "secret" }, [
      "other",
      "ENG-1",
      "linear",
      none,
      none,
      none,
    ]],
    ["mcp__x__say", { message: "secret", text: "secret" }, [
      "other",
      none,
      "x",
      none,
      none,
      none,
    ]],
    ["mcp__x__q", { query: "long ".repeat(100) }, [
      "other",
      none,
      "x",
      none,
      none,
      none,
    ]],
    ["mcp__x__q", { query: "tell me more", name: "two words" }, [
      "other",
      none,
      "x",
      none,
      none,
      none,
    ]],
    ["mcp__x__n", { issue_number: 5 }, ["other", "5", "x", none, none, none]],
    ["TodoWrite", { todos: [{ content: "secret" }] }, [
      "other",
      none,
      none,
      none,
      none,
      none,
    ]],
    ["AskUserQuestion", { questions: [{ question: "secret" }] }, [
      "other",
      none,
      none,
      none,
      none,
      none,
    ]],
    ["Skill", { skill: "pdf", args: "secret" }, [
      "other",
      "pdf",
      none,
      none,
      none,
      none,
    ]],
    ["Bash", null, ["shell", none, none, none, none, none]],
  ])("%s %j", (name, input, expected) => {
    expect(told(name, input)).toEqual(expected);
  });
});

describe("where a search looks", () => {
  it.each<[string, unknown, string[] | undefined]>([
    ["Grep", { pattern: "x", path: "/p" }, ["/p"]],
    ["Glob", { pattern: "*.ts", path: "src" }, ["src"]],
    ["Grep", { pattern: "x" }, undefined],
    ["Grep", { pattern: "x", path: 7 }, undefined],
    ["Read", { file_path: "/a", path: "/b" }, undefined],
  ])("%s %j", (name, input, places) => {
    const { searches } = callInput(name, input);
    expect(searches?.map((s) => s.reveal())).toEqual(places);
  });
});
