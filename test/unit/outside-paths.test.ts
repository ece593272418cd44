import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import { everyByte } from "../canary.ts";

const root = mkdtempSync(join(tmpdir(), "outside-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("a path inside a record is never followed: not outside, nor by a link", async () => {
  const MARK = "zqOutside", id = "5e550000-0000-4000-8000-000000000002";
  const home = join(root, "home"), repo = join(root, "repo");
  const folder = join(home, ".claude/projects/-x");
  const results = join(folder, id, "tool-results");
  for (const dir of [repo, results]) mkdirSync(dir, { recursive: true });
  const outside = join(root, "outside.txt"), link = join(results, "link.txt");
  writeFileSync(outside, `${MARK}\n`);
  symlinkSync(outside, link);
  const inner = join(results, "inner.txt");
  writeFileSync(inner, `${MARK}\n`);
  const paths = [
    outside,
    `${results}/../../../../../../outside.txt`,
    link,
    inner,
  ];
  const record = (type: string, n: number, content: unknown, more = {}) =>
    JSON.stringify({
      type,
      uuid: `u${n}`,
      sessionId: id,
      timestamp: `2026-11-20T10:00:${String(n + 10)}.000Z`,
      cwd: repo,
      version: "2.1.0",
      message: { role: type, content },
      ...more,
    });
  const lines = [record("user", 0, "go")];
  for (const [i, persistedOutputPath] of paths.entries()) {
    lines.push(
      record("assistant", 2 * i + 1, [{
        type: "tool_use",
        id: `t${i}`,
        name: "Bash",
        input: { command: "npm test" },
      }]),
      record("user", 2 * i + 2, [{
        type: "tool_result",
        tool_use_id: `t${i}`,
        content:
          `<persisted-output>\nOutput too large. Full output saved to: ${persistedOutputPath}\n</persisted-output>`,
      }], {
        toolUseResult: {
          stdout: "",
          persistedOutputPath,
          persistedOutputSize: 9,
        },
      }),
    );
  }
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join("\n")}\n`);
  for (
    const line of [
      ["import", "--init", "--all", "--json"],
      ["show", id, "--json"],
      ["extract", id, "--full", "--json"],
      ["extract", id, "--full", "--no-redact", "--yes", "--json"],
    ]
  ) {
    const io = fakeIo({ cwd: repo, home });
    expect(await main(line, io)).toBe(0);
    expect(io.out()).not.toBe("");
    expect(io.out() + io.err()).not.toContain(MARK);
  }
  for (const [, bytes] of everyByte(repo)) {
    expect(bytes.includes(MARK)).toBe(false);
  }
});
