import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { CallInput } from "../../session/model.ts";
import { customCall, functionCall, localShellCall } from "./calls.ts";

const named = (name: string, args: unknown, more = {}) =>
  functionCall({ name, arguments: JSON.stringify(args), ...more });
const shown = (input: CallInput) => ({
  kind: input.kind,
  text: input.text?.reveal(),
  ...(input.dialect ? { dialect: input.dialect } : {}),
  ...(input.server ? { server: input.server } : {}),
  ...(input.writes ? { writes: input.writes.map((w) => w.reveal()) } : {}),
});
const PATCH =
  "*** Begin Patch\n*** Add File: a.ts\n+secret words\n*** End Patch";

describe("what a call is about", () => {
  it.each([
    ["shell", { command: ["bash", "-lc", "a && b"] }, "a && b"],
    ["shell", { command: ["/bin/zsh", "-c", "a | b"] }, "a | b"],
    ["shell", { command: ["ls", "-la", "src/x.ts"] }, "ls -la src/x.ts"],
    ["shell", { command: ["echo", "it's", ""] }, `echo 'it'\\''s' ''`],
    ["shell", { command: ["bash", "-lc", "a", "b"] }, "bash -lc a b"],
    ["shell", { command: "ls -la" }, "ls -la"],
    ["shell_command", { command: "npm test" }, "npm test"],
    ["exec_command", { cmd: "git status", workdir: "/x" }, "git status"],
    ["container.exec", { command: ["ls"] }, "ls"],
  ])("%s runs a command: %#", (name, args, text) => {
    expect(shown(named(name, args).input)).toEqual({ kind: "shell", text });
  });

  it.each([
    [["powershell.exe", "-Command", "Get-Item x"], "Get-Item x", "powershell"],
    [["C:\\Windows\\pwsh.exe", "-NoLogo", "-c", "dir"], "dir", "powershell"],
    [["cmd.exe", "/c", "dir"], "dir", "cmd"],
  ])("another shell is told: %#", (command, text, dialect) => {
    expect(shown(named("shell", { command }).input))
      .toEqual({ kind: "shell", text, dialect });
  });

  it("a script writes what its patches and its commands' patches do", () => {
    const patch = (path: string) =>
      `*** Begin Patch\\n*** Add File: ${path}\\n*** End Patch`;
    const inside = `cd sub && apply_patch <<'EOF'\\n${patch("c")}\\nEOF`;
    const run = `tools.exec_command({cmd:"${inside}"});`;
    const writes = (input: string) =>
      shown(customCall({ name: "exec", input }).input).writes;
    expect(writes(run)).toEqual(["sub/c"]);
    expect(writes(`${run} for (const p of ["${patch("a")}", "${patch("b")}"])
      await tools.apply_patch(p);`)).toEqual(["sub/c", "a", "b"]);
  });

  it("a command without a shell of its own is for the platform's", () => {
    const item = { name: "shell_command", arguments: '{"command":"dir"}' };
    expect(functionCall(item, "powershell").input.dialect).toBe("powershell");
    const bash = { ...item, arguments: '{"cmd":"ls","shell":"/bin/bash"}' };
    expect(functionCall({ ...bash, name: "exec_command" }, "powershell").input)
      .not.toHaveProperty("dialect");
  });

  it.each([
    ["as a tool", customCall({ name: "apply_patch", input: PATCH })],
    ["as a function", named("apply_patch", { input: PATCH })],
    ["as words", named("shell", { command: ["apply_patch", PATCH] })],
    [
      "in a heredoc",
      named("shell", {
        command: ["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\nEOF`],
      }),
    ],
    [
      "in a script",
      customCall({
        name: "exec",
        input: `await tools.apply_patch(${JSON.stringify(PATCH)})`,
      }),
    ],
  ])("a patch %s is its files, never its contents", (_how, { input }) => {
    expect(shown(input))
      .toEqual({ kind: "patch", text: "Add a.ts", writes: ["a.ts"] });
  });

  it("a patch among other commands loses its contents", () => {
    const command = `git add . && apply_patch <<'EOF'\n${PATCH}\nEOF`;
    const { text, kind } = shown(named("exec_command", { cmd: command }).input);
    expect(kind).toBe("shell");
    expect(text).toContain("git add .");
    expect(text).not.toContain("secret");
  });

  it("a spawned agent is its type, never its task", () => {
    const item = named("spawn_agent", {
      agent_type: "explorer",
      message: "the prompt",
      task_name: "look",
    });
    expect(shown(item.input)).toEqual({ kind: "agent", text: "explorer" });
    expect(item.taskName).toBe("look");
    expect(shown(named("spawn_agent", { message: "the prompt" }).input))
      .toEqual({ kind: "agent", text: undefined });
  });

  it.each([
    [named("mcp__github__search", { query: "q" }), "mcp__github__search"],
    [
      named("search", { query: "q" }, { namespace: "mcp__github" }),
      "mcp__github__search",
    ],
    [
      named("search", { query: "q" }, { namespace: "mcp__github__" }),
      "mcp__github__search",
    ],
  ])("an MCP call names its server: %#", (item, tool) => {
    expect([item.tool, shown(item.input)])
      .toEqual([tool, { kind: "query", text: "q", server: "github" }]);
  });

  it.each([
    ["view_image", { path: "a.png" }, "a.png"],
    ["read_file", { file_path: "/x/a.ts", limit: 9 }, "/x/a.ts"],
  ])("%s reads its file", (name, args, path) => {
    const { input } = named(name, args);
    expect([input.text?.reveal(), input.reads?.map((r) => r.reveal())])
      .toEqual([path, [path]]);
  });

  it.each([
    ["ask", { query: "please look at all of it" }, undefined],
    ["ask", { query: "one\ntwo" }, undefined],
    ["ask", { q: "x".repeat(201) }, undefined],
    ["mcp__a__ask", { pattern: "tell me more" }, undefined],
    ["ask", { path: "a\nb" }, undefined],
    ["ask", { path: "/my files/a.ts" }, "/my files/a.ts"],
    ["ask", { query: "ENG-1" }, "ENG-1"],
    ["web_search", { query: "how to sort" }, "how to sort"],
  ])(
    "%s %j: of a tool that is not known only a name or a place is taken",
    (name, args, text) => {
      expect(named(name, args).input.text?.reveal()).toBe(text);
    },
  );

  it("what is written to a program is not kept", () => {
    const item = named("write_stdin", { session_id: 7, chars: "password\n" });
    expect([item.polls, shown(item.input)])
      .toEqual(["7", { kind: "other", text: undefined }]);
  });

  it("any arguments are read without an error", () => {
    const names = fc.constantFrom(
      ...["shell", "exec_command", "apply_patch", "spawn_agent", "wait"],
      ...["view_image", "write_stdin", "mcp__a__b", "x", "constructor"],
    );
    fc.assert(fc.property(names, fc.jsonValue(), (name, args) => {
      named(name, args);
      functionCall({ name, arguments: args, namespace: args });
      customCall({ name, input: args });
      localShellCall({ action: args });
    }));
  });
});
