import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportResult } from "../../extension/import/types.ts";
import { fixtureHome, manyHome, notOne, Repo, until } from "./support.ts";

const MANY = 250;

/** Ids of items of a spec, of what lies on disk. */
const ids = (versions: Record<string, string[]>, spec: string) =>
  Object.keys(versions).filter((name) => name.startsWith(spec))
    .map((name) => name.slice(spec.length)).sort();

const stored = (repo: Repo) => ids(repo.versions(), "summary-").length;

describe("an import that does not get to its end", () => {
  test("Ctrl-C leaves whole sessions only, and the next import carries on", async () => {
    const repo = await new Repo().setUp();
    const home = manyHome(MANY);
    const run = repo.startCli(["import", "--all", "--json", "--home", home]);
    await until(() => stored(repo) > 20);
    run.kill("SIGINT");
    const { code, out } = await run.ended;
    expect(code).toBe(1);
    const result = JSON.parse(out) as ImportResult;
    expect(result.interrupted).toBe(true);
    expect(result.sessions.new).toBeGreaterThan(20);
    expect(result.sessions.new + (result.left ?? 0)).toBe(MANY);
    expect(stored(repo)).toBe(result.sessions.new);
    expect(ids(repo.versions(), "detail-"))
      .toEqual(ids(repo.versions(), "summary-"));
    const next = await repo.import(home);
    expect(next.sessions).toMatchObject({
      new: MANY - result.sessions.new,
      unchanged: result.sessions.new,
    });
    expect(notOne(repo.versions())).toEqual([]);
    expect(await repo.items("summary")).toHaveLength(MANY);
  });

  test("swamp killed at once leaves what the next import mends", async () => {
    const repo = await new Repo().setUp();
    const home = manyHome(MANY);
    const run = repo.start(...repo.method("import", { all: true, home }));
    await until(() => stored(repo) > 20);
    run.kill("SIGKILL");
    await run.ended;
    const next = await repo.import(home);
    expect(next.sessions.new + next.sessions.unchanged).toBe(MANY);
    expect(notOne(repo.versions())).toEqual([]);
    expect(await repo.items("summary")).toHaveLength(MANY);
    expect(await repo.items("detail")).toHaveLength(MANY);
  });

  test("the second of two at once waits for the first", async () => {
    const repo = await new Repo().setUp();
    const home = manyHome(60);
    const both = await Promise.all([repo.import(home), repo.import(home)]);
    expect(both.map((r) => r.sessions.new).sort((a, b) => a - b))
      .toEqual([0, 60]);
    expect(notOne(repo.versions())).toEqual([]);
  });

  test("where swamp's lock times out, the import ends with 75", async () => {
    const repo = await new Repo().setUp();
    const long = repo.startCli([
      "import",
      "--all",
      "--json",
      "--home",
      manyHome(400),
    ]);
    await until(() => stored(repo) > 5);
    const other = await repo.startCli(
      ["import", "--all", "--json", "--home", fixtureHome()],
      { SWAMP_LOCK_TIMEOUT_MS: "200" },
    ).ended;
    long.kill("SIGINT");
    await long.ended;
    expect(other.code).toBe(75);
    expect(other.err).toContain("lock");
    expect(JSON.parse(other.out)).toMatchObject({
      sessions: { found: 0, new: 0 },
      problems: [{ code: "FAILED" }],
    });
  });

  test("nothing but swamp writes into .swamp/data, and our caches lie beside it", async () => {
    const repo = await new Repo().setUp();
    await repo.import(fixtureHome());
    expect(readdirSync(join(repo.dir, ".swamp", "agent-sessions")))
      .toEqual(["heads.txt"]);
    expect(
      readdirSync(join(repo.dir, ".swamp", "data")).sort().filter((name) =>
        !name.startsWith("_catalog") && !name.startsWith(".")
      ),
    ).toEqual(["@agent-observation"]);
  });
});
