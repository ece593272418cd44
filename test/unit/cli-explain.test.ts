import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import { linesOf } from "../../extension/cli/stdin-lines.ts";

const cwd = mkdtempSync(join(tmpdir(), "sessions-explain-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function explain(
  line: string[],
  stdin: string | Iterable<string> = "",
): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd, stdin });
  const code = await main(["explain", ...line], io);
  return { code, out: io.out(), err: io.err() };
}

const parsed = (text: string) =>
  text.trimEnd().split("\n").map((one) =>
    JSON.parse(one) as Record<string, unknown>
  );

describe("explain COMMAND", () => {
  test("the verdict as JSON has every field of the contract", async () => {
    const { code, out } = await explain([
      "cd infra && aws s3 rm s3://logs/x",
      "--json",
    ]);
    expect(code).toBe(0);
    const [verdict] = parsed(out);
    expect(verdict).toMatchObject({
      label: "bypass",
      mutating: true,
      low: false,
      redacted: "cd infra && aws s3 rm s3://logs/x",
      redactions: 0,
    });
    const [part] = verdict?.parts as { start: number; end: number }[];
    expect("cd infra && aws s3 rm s3://logs/x".slice(part?.start, part?.end))
      .toContain("aws");
  });

  test("for people the deciding part is marked below the command", async () => {
    const { out } = await explain(["cd infra && aws s3 rm s3://logs/x"]);
    const [command = "", marks = ""] = out.split("\n");
    expect(marks.trim()).toMatch(/^\^+$/);
    expect(command.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1))
      .toMatch(/^aws/);
    expect(out).toContain("bypass, changes something");
  });

  test("a secret never shows, and the mark still fits", async () => {
    const secret = ["ghp", "_", "a1B2".repeat(9)].join("");
    const text = `GITHUB_TOKEN=${secret} gh release delete v1`;
    for (const line of [[text], [text, "--json"]]) {
      const { out } = await explain(line);
      expect(out).not.toContain(secret);
      expect(out).toContain("REDACTED");
    }
  });

  test("a command of several words need not be quoted", async () => {
    expect((await explain(["swamp", "model", "list"])).out).toContain("swamp");
  });
});

describe("a command without quotes", () => {
  test("whose options are taken for ours is told to be quoted", async () => {
    const { code, err } = await explain(["aws", "s3", "rm", "--recursive"]);
    expect([code, err]).toEqual([2, expect.stringContaining("in quotes")]);
  });
});

describe("rules of the repo", () => {
  test("decide, and say which file they came from", async () => {
    const file = join(cwd, ".swamp-sessions.yaml");
    writeFileSync(
      file,
      [
        "rules:",
        "  - id: ours",
        "    programs: [ourcloud]",
        "    label: bypass",
        "    category: cloud.other",
        "    mutating: true",
        "  - id: wrong",
        "    label: maybe",
        "",
      ].join("\n"),
    );
    try {
      const { code, out, err } = await explain(["ourcloud rm x"]);
      expect(code).toBe(0);
      expect(out).toContain("repo.ours, from .swamp-sessions.yaml");
      expect(err).toContain(`${file}:7`);
      const [verdict] = parsed((await explain(["ourcloud", "--json"])).out);
      expect(verdict).toMatchObject({
        label: "bypass",
        source: ".swamp-sessions.yaml",
      });
    } finally {
      rmSync(file);
    }
  });
});

describe("explain --stdin", () => {
  test("gives one verdict a line, in order, to any end of the input", async () => {
    const commands = ["swamp model list", "ls -l\nrm x", "kubectl get pods"];
    for (const end of ["\n", ""]) {
      const input = commands.map((c) => JSON.stringify(c)).join("\n") + end;
      const { code, out } = await explain(["--stdin", "--json"], input);
      expect(code).toBe(0);
      expect(parsed(out).map((v) => v.redacted)).toEqual(commands);
    }
  });

  test("a bad line gets an error of its own and the rest goes on", async () => {
    const { code, out, err } = await explain(
      ["--stdin", "--json"],
      '"ls"\n{oops\n7\n\n"pwd"\r\n',
    );
    expect(code).toBe(1);
    expect(parsed(out).map((v) => "error" in v)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(err).toContain("3 of 5");
  });

  test("nothing in gives nothing out", async () => {
    expect(await explain(["--stdin"])).toEqual({ code: 0, out: "", err: "" });
  });

  test("ten thousand lines keep their order", async () => {
    const input = (function* () {
      for (let i = 0; i < 10_000; i++) yield `"echo ${i}"\n`;
    })();
    const { out } = await explain(["--stdin", "--json"], input);
    const numbers = parsed(out).map((v) => Number(String(v.redacted).slice(5)));
    expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
  });
});

describe("lines of a stream", () => {
  const lines = async (...chunks: Uint8Array[]) => {
    const found: (string | undefined)[] = [];
    async function* source() {
      for (const chunk of chunks) {
        await Promise.resolve();
        yield chunk;
      }
    }
    for await (const line of linesOf(source())) found.push(line);
    return found;
  };

  test("a character cut by a chunk's end is whole again", async () => {
    const bytes = new TextEncoder().encode("é\nü");
    const cut = Array.from(bytes, (b) => Uint8Array.of(b));
    expect(await lines(...cut)).toEqual(["é", "ü"]);
  });

  test("a line above the limit is told apart and not kept", async () => {
    const block = new Uint8Array(1024 * 1024).fill(120);
    const end = new TextEncoder().encode("\nnext\n");
    expect(await lines(...Array.from({ length: 17 }, () => block), end))
      .toEqual([undefined, "next"]);
  });
});
