import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { patchFiles } from "./patch.ts";
import { readScript, scriptPatches } from "./script.ts";

describe("code mode scripts", () => {
  it.each([
    [`const r = await tools.exec_command({cmd:"git status",workdir:"/x"});`, [
      "git status",
    ]],
    [`await tools.exec_command({"cmd":"rg -n \\"a|b\\" src","x":1})`, [
      'rg -n "a|b" src',
    ]],
    ["tools.exec_command({ workdir: '/x', cmd: `echo ${x}\nls` })", [
      "echo ${x}\nls",
    ]],
    [`tools.shell_command({command:'npm test'})`, ["npm test"]],
    [`const cmd = "ls -la"; tools.exec_command({cmd, workdir})`, ["ls -la"]],
    [`const c = 'pwd'; tools.exec_command({cmd: c})`, ["pwd"]],
    [`tools.exec_command({cmd:"\\u0061\\x62\\u{63}\\n"})`, ["abc\n"]],
    [
      `await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})])`,
      ["a", "b"],
    ],
  ])("commands written out are found: %#", (source, commands) => {
    expect(readScript(source).commands).toEqual(commands);
  });

  it("commands that only running would tell are counted, not guessed", () => {
    const script = readScript("tools.exec_command({cmd: list[0]})");
    expect(script).toEqual({ commands: [], shells: 1, tools: [] });
  });

  it("a command is never taken from the next call", () => {
    const script = readScript(
      `tools.exec_command(args); tools.exec_command({cmd:"b"})`,
    );
    expect(script).toEqual({ commands: ["b"], shells: 2, tools: [] });
  });

  it("other tools are named once", () => {
    const script = readScript(
      "tools.web__run({}); tools.update_plan({}); tools.web__run({})",
    );
    expect(script.tools).toEqual(["web__run", "update_plan"]);
  });

  it.each([
    'const p = "*** Begin Patch\\n*** Update File: a.ts\\n@@\\n-x\\n*** End Patch"; tools.apply_patch(p)',
    "tools.apply_patch(`*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n*** End Patch`)",
    "tools.apply_patch(`\n*** Begin Patch\n*** Update File: a.ts\n*** End Patch`)",
  ])("a patch written out is found: %#", (source) => {
    expect(patchFiles(scriptPatches(source)[0] ?? "")?.paths).toEqual([
      "a.ts",
    ]);
  });

  it("every patch written out is found", () => {
    const patch = (path: string) =>
      `*** Begin Patch\\n*** Delete File: ${path}\\n*** End Patch`;
    const source = `const a = "${patch("a")}", b = '\\n${patch("b")}';
      tools.apply_patch(a); tools.apply_patch(b); // "${patch("open")}`;
    expect(scriptPatches(source).map((p) => patchFiles(p)?.paths)).toEqual([
      ["a"],
      ["b"],
    ]);
    expect(scriptPatches('\\"*** Begin Patch'.repeat(25_000)).length).toBe(1);
  });

  it("tens of thousands of calls are no burden", () => {
    expect(readScript("tools.shell(".repeat(40_000)).shells).toBe(40_000);
    const named = `const a = "ls"; ${"tools.shell({cmd:a});".repeat(20_000)}`;
    expect(readScript(named).commands.length).toBe(20_000);
  });

  it("any text is read without an error", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => {
      readScript(`${a}tools.exec_command({cmd:${b}`);
      scriptPatches(`${a}"*** Begin Patch${b}`);
    }));
  });
});
