import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { detailSchema, rollupSchema, summarySchema } from "../../schema/mod.ts";
import {
  filesBelow,
  fixtureHome,
  grow,
  notOne,
  PACKAGE,
  Repo,
  SESSIONS,
} from "./support.ts";

describe("an import inside swamp", () => {
  const repo = new Repo();
  const home = fixtureHome();

  beforeAll(async () => {
    const result = await repo.import(home, ["--init", "--yes"]);
    expect(result).toMatchObject({
      store: "swamp",
      sessions: { found: SESSIONS, new: SESSIONS, failed: 0 },
    });
  });

  test("the source and the definition were made by swamp", async () => {
    expect(await repo.swamp("extension", "source", "list", "--json"))
      .toContain(JSON.stringify(PACKAGE));
    expect(await repo.swamp("model", "get", "sessions", "--json"))
      .toContain("@agent-observation/sessions");
  });

  test("a query by tag lists every session, and every item fits the schema", async () => {
    const summaries = await repo.items("summary");
    const details = await repo.items("detail");
    expect(summaries).toHaveLength(SESSIONS);
    expect(details.map(({ name }) => name.replace("detail", "summary")))
      .toEqual(summaries.map(({ name }) => name));
    for (const { name } of summaries.slice(0, 2)) {
      summarySchema.parse(await repo.get(name));
    }
    detailSchema.parse(await repo.get(details[0]!.name));
    const [rollup] = await repo.items("rollup");
    rollupSchema.parse(await repo.get(rollup!.name));
  });

  test("a second import writes nothing", async () => {
    const before = repo.files();
    const result = await repo.import(home);
    expect(result.sessions).toMatchObject({ unchanged: SESSIONS, new: 0 });
    expect(repo.files()).toEqual(before);
  });

  test("a session that grew is written alone, and leaves one version", async () => {
    grow(home);
    const result = await repo.import(home);
    expect(result.sessions).toMatchObject({
      updated: 1,
      unchanged: SESSIONS - 1,
    });
    expect(notOne(repo.versions())).toEqual([]);
    const versions = (await repo.items("summary")).map((i) => i.version);
    expect(versions.sort()).toEqual([...Array(SESSIONS - 1).fill(1), 2]);
  });

  test("batches carry on until every session was read again", async () => {
    const runs = () =>
      filesBelow(join(repo.dir, ".swamp", "outputs"))
        .filter((f) => f.endsWith(".yaml")).length;
    const before = runs();
    const result = await repo.import(home, ["--force"], {
      SWAMP_SESSIONS_BATCH: "4",
    });
    expect(result.sessions).toMatchObject({ updated: SESSIONS, skipped: 0 });
    expect(result.left).toBeUndefined();
    expect(runs() - before).toBe(3);
    expect(notOne(repo.versions())).toEqual([]);
  });

  test("prune, rollup and relabel find nothing to do in a tidy repo", async () => {
    const before = repo.files();
    expect(await repo.swamp(...repo.method("prune")))
      .toContain("removed: 0 superseded versions, 0 sessions and 0 other");
    expect(await repo.swamp(...repo.method("rollup"))).toMatch(/0 of \d+ days/);
    expect(await repo.swamp(...repo.method("relabel", { home })))
      .toContain(`"unchanged":${SESSIONS}`);
    expect(repo.files()).toEqual(before);
  });

  test("doctor and extract store nothing, and no prompt reaches swamp's logs", async () => {
    const before = repo.files();
    expect(await repo.swamp(...repo.method("doctor", { home })))
      .toContain("Claude Code: ");
    const [summary] = await repo.items("summary");
    const id = summary!.name.slice("summary-".length);
    const out = await repo.swamp(...repo.method("extract", { home, id }));
    const digest = JSON.parse(
      out.split("\n").find((line) => line.startsWith("{")) ?? "",
    ) as { keyTurns?: { goal?: string } };
    expect(digest).toMatchObject({ sessionId: id });
    expect(repo.files()).toEqual(before);
    const asked = digest.keyTurns?.goal?.slice(0, 40) ?? "";
    expect(asked).not.toBe("");
    const kept = filesBelow(join(repo.dir, ".swamp")).filter((file) =>
      statSync(file).size < 10_000_000 &&
      readFileSync(file, "utf8").includes(asked)
    );
    expect(kept).toEqual([]);
  });

  test("what is listed, shown and served from the files agrees", async () => {
    const list = await repo.startCli(["list", "--stored", "--json"]).ended;
    expect(list.out.trim().split("\n")).toHaveLength(SESSIONS);
  });

  test("an unknown argument, a wrong time and a wrong rule are refused in words", async () => {
    const told = async (...args: string[]) => {
      const { code, out, err } = await repo.start(...args).ended;
      expect(code).toBe(1);
      return out + err;
    };
    expect(await told(...repo.method("import", { nonsense: 1 })))
      .toContain("nonsense");
    expect(await told(...repo.method("import", { since: "soon" })))
      .toContain("since: soon is no time");
    expect(
      await told(
        "model",
        "create",
        "@agent-observation/sessions",
        "other",
        "--global-arg",
        'rules:json=[{"id":"Bad Id"}]',
      ),
    ).toContain("must be lower case");
    expect(existsSync(join(repo.dir, "models", "other.yaml"))).toBe(false);
  });
});

describe("settings of the repository", () => {
  test("with autoGc on, a grown session leaves one version too", async () => {
    const repo = await new Repo().setUp();
    appendFileSync(join(repo.dir, ".swamp.yaml"), "autoGc: true\n");
    const home = fixtureHome();
    await repo.import(home);
    grow(home);
    expect((await repo.import(home)).sessions.updated).toBe(1);
    expect(notOne(repo.versions())).toEqual([]);
    expect(await repo.items("summary")).toHaveLength(SESSIONS);
  });

  test("with an external datastore nothing of ours lies in .swamp/data", async () => {
    const repo = new Repo();
    const store = new Repo().dir;
    repo.env = { SWAMP_DATASTORE: `filesystem:${store}` };
    await repo.setUp();
    const home = fixtureHome();
    expect((await repo.import(home)).sessions.new).toBe(SESSIONS);
    expect((await repo.import(home)).sessions.unchanged).toBe(SESSIONS);
    grow(home);
    expect((await repo.import(home)).sessions.updated).toBe(1);
    expect(repo.versions()).toEqual({});
    const outside = repo.versions(join(store, "data"));
    expect(Object.keys(outside).length).toBeGreaterThan(2 * SESSIONS);
    expect(notOne(outside)).toEqual([]);
    expect(await repo.items("summary")).toHaveLength(SESSIONS);
    // What reads without swamp finds it there too.
    const list = await repo.startCli(["list", "--stored", "--json"]).ended;
    expect(list.out.trim().split("\n")).toHaveLength(SESSIONS);
    const { id } = JSON.parse(list.out.split("\n")[0]!) as { id: string };
    const show = await repo.startCli(["show", id, "--json"]).ended;
    detailSchema.parse(JSON.parse(show.out));
  });

  test("the daily workflow imports and prunes, and its tags harm none of ours", async () => {
    const repo = await new Repo().setUp();
    const home = fixtureHome();
    repo.env = { HOME: home };
    await repo.swamp(
      ...["workflow", "run", "@agent-observation/sessions/daily-import"],
      ...["--input", "all=true", "--input", "since=2020-01-01"],
    );
    repo.env = {};
    expect(await repo.items("summary")).toHaveLength(SESSIONS);
    const again = await repo.import(home);
    expect(again.sessions.unchanged).toBe(SESSIONS);
    expect(again.problems).toEqual([]);
  });

  test("a repo that the embedded store filled is seen whole, and carried on", async () => {
    const repo = new Repo();
    const home = fixtureHome();
    const first = await repo.import(home, ["--init", "--store", "embedded"]);
    expect(first.store).toBe("embedded");
    const before = repo.files();
    await repo.swamp("extension", "source", "add", PACKAGE);
    const summaries = await repo.items("summary");
    expect(summaries).toHaveLength(SESSIONS);
    expect(await repo.items("detail")).toHaveLength(SESSIONS);
    summarySchema.parse(await repo.get(summaries[0]!.name));
    const listed = await repo.swamp("data", "list", "sessions", "--json");
    for (const { name } of summaries) expect(listed).toContain(name);
    expect((await repo.import(home)).sessions.unchanged).toBe(SESSIONS);
    expect(repo.files()).toEqual(before);
    grow(home);
    expect((await repo.import(home)).sessions.updated).toBe(1);
    expect(notOne(repo.versions())).toEqual([]);
    expect((await repo.items("summary")).map((i) => i.version).sort())
      .toEqual([...Array(SESSIONS - 1).fill(1), 2]);
  });
});
