import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { toJson } from "../../extension/cli/json.ts";
import { main } from "../../extension/cli/program.ts";
import { layoutOf } from "../../extension/store/layout.ts";

const root = mkdtempSync(join(tmpdir(), "cli-json-"));
const home = join(root, "home"), repo = join(root, "repo");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** One of each kind that a terminal may act on. */
const ACTIVE = "\u007f\u009b\u2028\u2029\u202e\u2066";
const RAW = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

async function run(
  ...line: string[]
): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: repo, home });
  const code = await main(line, io);
  return { code, out: io.out(), err: io.err() };
}

beforeAll(() => {
  const folder = join(home, ".claude/projects/-x");
  for (const dir of [folder, repo]) mkdirSync(dir, { recursive: true });
  const record = (type: string, second: number, content: unknown) =>
    JSON.stringify({
      type,
      uuid: `u${second}`,
      sessionId: "5e550000-0000-4000-8000-000000000001",
      timestamp: `2026-11-20T10:00:0${second}.000Z`,
      cwd: repo,
      version: "2.1.0",
      message: { role: type, content },
    });
  writeFileSync(
    join(folder, "5e550000-0000-4000-8000-000000000001.jsonl"),
    [
      record("user", 1, `say ${ACTIVE}`),
      record("assistant", 2, [{
        type: "tool_use",
        id: "t",
        name: "Bash",
        input: { command: `echo ${ACTIVE}` },
      }]),
      "",
    ].join("\n"),
  );
  // Names are anybody's too, and stand in problems.
  writeFileSync(join(folder, `${ACTIVE}.jsonl`), "no JSON\n");
});

describe("JSON on stdout", () => {
  test("means the same, and holds nothing that a terminal acts on", () => {
    const text = fc.array(
      fc.constantFrom(...ACTIVE, "a", '"', "\\", "\n", "é", "🚀"),
    ).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        expect(JSON.parse(toJson(value))).toEqual({ ...value });
        expect(toJson(value)).not.toMatch(RAW);
      }),
    );
  });

  test("of every command is so", async () => {
    const said = [
      await run("import", "--init", "--all", "--json"),
      await run("list", "--json"),
      await run("list", "--stored", "--json"),
      await run("extract", "5e55", "--json"),
      await run("extract", "5e55", "--json", "--prompt", "handoff"),
      await run("explain", "--json", `echo ${ACTIVE}`),
      await run("doctor", "--json"),
      await run("trends", "--json"),
    ];
    // What another program stored, as it is.
    const { type } = layoutOf(repo);
    const item = readdirSync(type).flatMap((model) =>
      readdirSync(join(type, model)).filter((n) => n.startsWith("detail-"))
        .map((name) => join(type, model, name))
    )[0]!;
    const raw = join(item, "1", "raw");
    const detail = readFileSync(raw, "utf8").replace(
      '"tool":"Bash"',
      `"tool":"Bash${ACTIVE}"`,
    );
    writeFileSync(raw, detail);
    const shown = await run("show", "5e55", "--json");
    expect(JSON.parse(shown.out)).toEqual(JSON.parse(detail));
    for (const { out } of [...said, shown]) {
      expect(out.trim()).not.toBe("");
      expect(out).not.toMatch(RAW);
    }
    expect(shown.out).toContain("\\u202e");
    expect(said[0]!.out).toContain("\\u202e");
  });
});

describe("an import that cannot write", () => {
  test("says what to do, and still prints its result", async () => {
    const { swamp } = layoutOf(repo);
    rmSync(swamp, { recursive: true, force: true });
    writeFileSync(swamp, "");
    const { code, out, err } = await run("import", "--all", "--json");
    expect(code).toBe(1);
    expect(err).toContain("is no folder");
    expect(err).not.toContain("not foreseen");
    const result = JSON.parse(out) as { problems: unknown[] };
    expect(result).toMatchObject({ store: "embedded", sessions: { new: 0 } });
    expect(result.problems.at(-1)).toMatchObject({
      file: repo,
      code: "FAILED",
      message: expect.stringContaining("folder") as unknown,
    });
  });
});
