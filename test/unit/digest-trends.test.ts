import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import type { Trends } from "../../extension/digest/trends.ts";

const FIXTURES = fileURLToPath(
  new URL("../../fixtures/homes/", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "trends-"));
const home = join(root, "home"), repo = join(root, "repo");
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function run(...line: string[]) {
  const io = fakeIo({ cwd: repo, home });
  const code = await main(line, io);
  return { code, out: io.out(), err: io.err() };
}
const told = async (...line: string[]) =>
  JSON.parse((await run("trends", "--json", ...line)).out) as Trends;

beforeAll(async () => {
  mkdirSync(repo, { recursive: true });
  for (const family of readdirSync(FIXTURES)) {
    cpSync(join(FIXTURES, family, "home"), home, { recursive: true });
  }
  expect((await run("import", "--all", "--init")).code).toBe(0);
});

describe("the trends of what is stored", () => {
  it("count every stored session once, and every call", async () => {
    const rows = (await run("list", "--stored", "--json", "--limit", "0")).out
      .trim().split("\n").map((line) =>
        JSON.parse(line) as { calls: number; startedAt: string }
      );
    const { total, periods, since } = await told("--since", "2020-01-01");
    expect(since).toBe("2020-01-01");
    expect(total).toMatchObject({
      sessions: rows.length,
      calls: rows.reduce((sum, row) => sum + row.calls, 0),
    });
    expect(periods.reduce((sum, p) => sum + p.sessions, 0)).toBe(rows.length);
    expect(total.tokens?.output).toBeGreaterThan(0);
    expect(total.bypassShare).toBeGreaterThan(0);
  });

  it("compare before and after a date, by harness and by repo", async () => {
    const all = await told("--since", "2020-01-01");
    const day = all.periods.at(-1)!.from;
    const { split, harnesses } = await told(
      "--since",
      "2020-01-01",
      "--before-after",
      day,
    );
    expect(split?.at).toBe(day);
    expect(split!.before.calls + split!.after.calls).toBe(all.total.calls);
    expect(harnesses.map((h) => h.name)).toEqual(["claude", "codex"]);
    const codex = await told("--since", "2020-01-01", "--harness", "codex");
    expect(codex.total.calls).toBe(
      harnesses.find((h) => h.name === "codex")?.calls,
    );
    const name = all.repos[0]!.name;
    const one = await told("--since", "2020-01-01", "--repo", name);
    expect(one.repos.map((r) => r.name)).toEqual([name]);
    expect(one.total.calls).toBe(all.repos[0]!.calls);
  });

  it("are a table for people, and say so where there is nothing", async () => {
    const { code, out } = await run(
      "trends",
      "--since",
      "2020-01-01",
      "--by",
      "day",
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^day .*bypass/)]);
    expect(out).toContain("agent");
    const none = await run(
      "trends",
      "--since",
      "2019-01-01",
      "--until",
      "2019-02-01",
    );
    expect([none.code, none.out, none.err]).toEqual([
      0,
      "",
      expect.stringContaining("between 2019-01-01 and 2019-01-31"),
    ]);
    expect((await run("trends", "--since", "1d", "--until", "9d")).code).toBe(
      2,
    );
  });
});

describe("a list straight from the files", () => {
  it("shows its first row before the others are read", async () => {
    const io = fakeIo({ cwd: repo, home });
    const writes: string[] = [];
    const write = io.stdout.write.bind(io.stdout);
    Object.assign(io.stdout, {
      write: (text: string) => {
        writes.push(text);
        return write(text);
      },
    });
    expect(await main(["list", "--json"], io)).toBe(0);
    expect(writes.length).toBeGreaterThan(1);
    expect(writes[0]!.trim().split("\n").length).toBe(1);
  });
});
