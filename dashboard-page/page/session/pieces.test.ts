import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPath, isShellTool, type Piece, pieces, toolName } from "./pieces.ts";

const of = (text: string, kind: Piece["kind"]) =>
  pieces(text, true).filter((p) => p.kind === kind).map((p) => p.text);

describe("a command", () => {
  it.each([
    ["swamp model list", ["swamp"]],
    ["cd /x && FOO=1 BAR=2 aws s3 ls | jq .a", ["cd", "aws", "jq"]],
    ["for i in 1 2; do kubectl get $i; done", ["for", "kubectl", "done"]],
    ["echo $(git rev-parse HEAD)", ["echo", "git"]],
    ["a > out.txt 2>&1; b", ["a", "b"]],
    ["one\ntwo", ["one", "two"]],
    ["python3 - <<'PY'\nimport os\nPY\necho hi", ["python3", "echo"]],
  ])("%j: its programs", (text, programs) => {
    expect(of(text, "program")).toEqual(programs);
  });

  it("its flags end at the equals sign", () => {
    expect(of("x -n a --replicas=14 - --", "flag")).toEqual([
      "-n",
      "--replicas=",
    ]);
  });

  it("a redaction is a piece of its own, named by its rule, in quotes too", () => {
    const text =
      `curl -H "Authorization: [REDACTED:http.auth]" [REDACTED:url.userinfo]`;
    expect(of(text, "redacted")).toEqual(["http.auth", "url.userinfo"]);
    expect(of("echo [REDACTED:", "redacted")).toEqual([]);
  });
});

describe("the deciding part", () => {
  it("is cut out of the pieces it lies across", () => {
    const text = "sudo kubectl -n prod scale deploy/x --replicas=1";
    const start = text.indexOf("kubectl");
    const why = pieces(text, true, [start, start + 21]).filter((p) => p.why);
    expect(why.map((p) => p.text).join("")).toBe("kubectl -n prod scale");
  });

  it("is absent where there is none", () => {
    expect(pieces("kubectl get", true).some((p) => p.why)).toBe(false);
  });
});

describe("any text", () => {
  const whole = (list: Piece[]) =>
    list.map((p) => p.kind === "redacted" ? `[REDACTED:${p.text}]` : p.text)
      .join("");
  const nasty = fc.string({
    unit: fc.constantFrom(
      ..."ab -='\"$()<>|&;`\n\t[]\\{}#",
      "[REDACTED:k]",
      "<<E",
      "\nE\n",
      "🦆",
      "\u202e",
      "\u0000",
    ),
    maxLength: 60,
  });

  it("comes out whole and in order, cut or not by a deciding part", () => {
    fc.assert(fc.property(
      fc.oneof(nasty, fc.string()),
      fc.boolean(),
      fc.nat(80),
      fc.nat(80),
      (text, shell, a, b) => {
        expect(whole(pieces(text, shell, [Math.min(a, b), Math.max(a, b)])))
          .toBe(text);
      },
    ));
  });

  it("of a megabyte is cut at the limit", () => {
    expect(whole(pieces("x y ".repeat(300_000), true)).length).toBe(4096);
  });
});

it("a path is one word with a folder in it, and no address", () => {
  for (const path of ["src/a.ts", "~/a/b", "/etc/hosts", "models/**/*.yaml"]) {
    expect(isPath(path)).toBe(true);
  }
  for (
    const text of ["a.ts", "a b/c", "https://x.example/y", "src/", "a/[b]", ""]
  ) expect(isPath(text)).toBe(false);
});

it("a tool of an MCP server is called by server and tool", () => {
  expect(toolName("mcp__linear-server__get_issue")).toBe(
    "linear-server:get_issue",
  );
  expect(toolName("Bash")).toBe("Bash");
});

it("shells are known by their tool's last name", () => {
  expect(
    [
      "Bash",
      "shell",
      "exec_command",
      "mcp__box__bash",
      "functions.exec_command",
    ]
      .every(isShellTool),
  ).toBe(true);
  expect(["Read", "Grep", "Task", "bashful"].some(isShellTool)).toBe(false);
});
