import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { type HostOptions, SwampHost } from "../../test/swamp-host.ts";
import {
  detailSchema,
  summarySchema,
  tagsToSummary,
} from "../../schema/mod.ts";
import { MODEL_TYPE, MODEL_VERSION } from "../store/layout.ts";
import { model } from "./sessions.ts";

const FIXTURES = fileURLToPath(
  new URL("../../fixtures/homes/", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "sessions-model-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let made = 0;
const folder = () => {
  const path = join(root, String(++made));
  mkdirSync(path);
  return path;
};

/** Every authored session. */
function fixtureHome(): string {
  const home = folder();
  for (const family of readdirSync(FIXTURES)) {
    cpSync(join(FIXTURES, family, "home"), home, { recursive: true });
  }
  return home;
}

function host(more: Partial<HostOptions> = {}): SwampHost {
  return new SwampHost(model, { repoDir: folder(), ...more });
}

interface Result {
  left: number;
  storedBytes: number;
  next?: string;
  interrupted?: true;
  sessions: Record<string, number>;
  problems: { code: string; file: string }[];
}

function resultOf(lines: readonly string[]): Result {
  const line = lines.find((text) => text.startsWith("import result: "));
  return JSON.parse(line?.slice("import result: ".length) ?? "null") as Result;
}

const ALONE = "2cf24dba";
const fileOf = (home: string) =>
  join(
    home,
    ".claude/projects/-home-dev-src-shop-front",
    `${ALONE}-5fb0-430e-a6e8-3b2ac5b9e29e.jsonl`,
  );

/** One more prompt at the end of a session that no other belongs to. */
function grow(home: string): void {
  const lines = readFileSync(fileOf(home), "utf8").trimEnd().split("\n");
  const user = lines.map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(({ type }) => type === "user");
  appendFileSync(
    fileOf(home),
    JSON.stringify({
      ...user,
      uuid: "11111111-1111-4111-8111-111111111111",
      message: { role: "user", content: "once more" },
    }) + "\n",
  );
}

const tooMany = (swamp: SwampHost) =>
  [...swamp.items].filter(([, versions]) => versions.length !== 1)
    .map(([name]) => name);

describe("the model in a stand-in for swamp", () => {
  test("is what swamp and the stores know it as", () => {
    expect(model.type).toBe(MODEL_TYPE);
    expect(model.version).toBe(MODEL_VERSION);
    expect(Object.keys(model.resources)).toEqual([
      "summary",
      "detail",
      "rollup",
    ]);
    for (const [name, { kind }] of Object.entries(model.methods)) {
      expect(kind).toBe(
        ["doctor", "extract"].includes(name) ? "read" : undefined,
      );
    }
  });

  test("stores what fits its schemas, and a second import writes nothing", async () => {
    const swamp = host(), home = fixtureHome();
    const first = await swamp.run("import", { all: true, home });
    expect(first.status).toBe("succeeded");
    const { sessions, storedBytes } = resultOf(first.lines);
    expect(sessions.new).toBe(swamp.names("summary-").length);
    expect(swamp.names("detail-").length).toBe(sessions.new);
    const bytes = [...swamp.names("summary-"), ...swamp.names("detail-")]
      .map((name) => JSON.stringify(swamp.read(name)).length);
    expect(storedBytes).toBe(bytes.reduce((sum, n) => sum + n));
    expect(swamp.misfits).toEqual([]);
    for (const name of swamp.names("detail-")) {
      detailSchema.parse(swamp.read(name));
    }
    for (const name of swamp.names("summary-")) {
      summarySchema.parse(swamp.read(name));
    }
    const before = swamp.changes.length;
    const second = await swamp.run("import", { all: true, home });
    expect(resultOf(second.lines).sessions.unchanged).toBe(sessions.new);
    expect(swamp.changes.length).toBe(before);
  });

  test("gives back the days, and keeps no session's content in memory", async () => {
    const swamp = host(), home = fixtureHome();
    const run = await swamp.run("import", { all: true, home });
    expect(run.handles.every(({ name }) => name.startsWith("rollup-")))
      .toBe(true);
    expect(run.handles.some((handle) => "attributes" in handle)).toBe(false);
  });

  test("in a workflow, whose own tags go over an item's, nothing is lost", async () => {
    const home = fixtureHome();
    const tags = {
      workflow: "daily",
      workflowId: "1",
      workflowRunId: "2",
      job: "sessions",
      step: "import",
      source: "step-output",
    };
    const swamp = host({ tagOverrides: tags });
    await swamp.run("import", { all: true, home });
    for (const name of swamp.names("summary-")) {
      expect(tagsToSummary(swamp.latest(name)!.tags)).toEqual(swamp.read(name));
    }
  });

  test("a session that grew is written alone and leaves one version", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    grow(home);
    const run = await swamp.run("import", { all: true, home });
    expect(resultOf(run.lines).sessions).toMatchObject({ new: 0, updated: 1 });
    expect(tooMany(swamp)).toEqual([]);
    const [name = ""] = swamp.names(`summary-${ALONE}`);
    expect(swamp.latest(name)?.version).toBe(2);
  });

  test("what a killed run left above the latest is gone after the next write", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    const [name = ""] = swamp.names(`summary-${ALONE}`);
    swamp.leaveBroken(name);
    grow(home);
    const run = await swamp.run("import", { all: true, home });
    expect(run.status).toBe("succeeded");
    expect(swamp.items.get(name)?.map((v) => v.version)).toEqual([3]);
    expect(swamp.changes.filter((c) => c.startsWith(`delete ${name}`)))
      .toEqual([`delete ${name} 2`, `delete ${name} 1`]);
  });

  test("batches carry on where the limit stopped them, also with force", async () => {
    const swamp = host(), home = fixtureHome();
    const left: number[] = [];
    let after: string | undefined;
    do {
      const { lines } = await swamp.run("import", {
        all: true,
        home,
        force: true,
        limit: 4,
        ...(after === undefined ? {} : { after }),
      });
      const result = resultOf(lines);
      left.push(result.left);
      after = result.next;
    } while (after !== undefined);
    const all = swamp.names("summary-").length;
    expect(left).toEqual([all - 4, all - 8, 0].filter((n) => n >= 0));
    expect(tooMany(swamp)).toEqual([]);
  });

  test("an abort in the middle of a session leaves it whole, and the next run carries on", async () => {
    const swamp = host(), home = fixtureHome();
    const text = readFileSync(fileOf(home), "utf8");
    for (let n = 10; n < 50; n++) {
      writeFileSync(
        fileOf(home).replace(ALONE, `000000${n}`),
        text.replaceAll(ALONE, `000000${n}`),
      );
    }
    const stop = new AbortController();
    let details = 0;
    swamp.beforeWrite = (name) => {
      if (name.startsWith("detail-") && ++details === 3) stop.abort();
    };
    const run = await swamp.run("import", { all: true, home }, stop.signal);
    expect(run.status).toBe("cancelled");
    const { interrupted, left, sessions } = resultOf(run.lines);
    expect(interrupted).toBe(true);
    expect(left).toBeGreaterThan(0);
    expect(sessions.new).toBeGreaterThanOrEqual(3);
    expect(swamp.names("summary-").length).toBe(sessions.new);
    expect(swamp.names("detail-").length).toBe(sessions.new);
    swamp.beforeWrite = () => {};
    const next = await swamp.run("import", { all: true, home });
    expect(resultOf(next.lines).sessions.unchanged).toBe(sessions.new);
    expect(tooMany(swamp)).toEqual([]);
  });

  test("a write that fails is the run's error, and no half session counts as stored", async () => {
    const swamp = host(), home = fixtureHome();
    swamp.beforeWrite = (name) => {
      if (name.startsWith("summary-")) throw new Error("disk full");
    };
    const run = await swamp.run("import", { all: true, home });
    expect(run).toMatchObject({ status: "failed", error: "disk full" });
    swamp.beforeWrite = () => {};
    const next = await swamp.run("import", { all: true, home });
    expect(next.status).toBe("succeeded");
    expect(tooMany(swamp)).toEqual([]);
  });

  test("a run that fails loses no day's rollup: the next one makes them all", async () => {
    const home = fixtureHome(), swamp = host(), whole = host();
    await whole.run("import", { all: true, home });
    let summaries = 0;
    swamp.beforeWrite = (name) => {
      if (name.startsWith("rollup-")) throw new Error("disk full");
      if (name.startsWith("summary-")) summaries++;
    };
    const run = await swamp.run("import", { all: true, home });
    expect(run).toMatchObject({ status: "failed", error: "disk full" });
    expect(summaries).toBeGreaterThan(0);
    swamp.beforeWrite = () => {};
    await swamp.run("import", { all: true, home, dryRun: true });
    const { status } = await swamp.run("import", { all: true, home });
    expect(status).toBe("succeeded");
    expect(swamp.names("rollup-")).toEqual(whole.names("rollup-"));
    // Mended once: a third run finds nothing to do.
    const again = await swamp.run("import", { all: true, home });
    expect(again.handles).toEqual([]);
  });

  test("a session of a newer importer is left alone, and told", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    const [name = ""] = swamp.names(`summary-${ALONE}`);
    swamp.latest(name)!.tags.schema = "2";
    grow(home);
    const { lines } = await swamp.run("import", { all: true, home });
    expect(resultOf(lines).problems.map((p) => p.code))
      .toContain("NEWER_SCHEMA");
    expect(swamp.latest(name)?.version).toBe(1);
  });

  test("the log does not say whose home it was", async () => {
    const swamp = host(), home = fixtureHome();
    writeFileSync(fileOf(home), "not a record\n");
    const { lines } = await swamp.run("import", { all: true, home });
    expect(resultOf(lines).problems.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(home);
    const doctor = await swamp.run("doctor", { home });
    expect(doctor.lines.join("\n")).toContain("~/.claude");
    expect(doctor.lines.join("\n")).not.toContain(home);
  });

  test("the definition's rules decide labels, and its lifetime the lifetime", async () => {
    const home = fixtureHome();
    const plain = host();
    await plain.run("import", { all: true, home });
    const rules = [{
      id: "acme",
      programs: ["git", "npm", "aws", "echo", "ls", "cat"],
      label: "swamp",
    }];
    const ruled = host({ globalArgs: { rules, lifetime: "30d" } });
    await ruled.run("import", { all: true, home });
    const swampCalls = (swamp: SwampHost) =>
      swamp.names("summary-").reduce(
        (sum, name) => sum + Number(swamp.latest(name)?.tags.swamp),
        0,
      );
    expect(swampCalls(ruled)).toBeGreaterThan(swampCalls(plain));
    const [name = ""] = ruled.names("summary-");
    expect(ruled.latest(name)?.lifetime).toBe("30d");
    expect(model.globalArguments.safeParse({ rules }).success).toBe(true);
    expect(
      model.globalArguments.safeParse({ rules: [{ id: "No Good" }] }).success,
    ).toBe(false);
  });
});

describe("methods that tidy up", () => {
  const DAY = 86_400_000;

  test("prune removes what is past its lifetime, summaries before details", async () => {
    let now = Date.now() - 40 * DAY;
    const swamp = host({ now: () => now }), home = fixtureHome();
    await swamp.run("import", { all: true, home, lifetime: "30d" });
    now = Date.now();
    grow(home);
    await swamp.run("import", { all: true, home, lifetime: "30d" });
    const all = swamp.names("summary-").length, before = swamp.changes.length;
    const { lines } = await swamp.run("prune");
    expect(lines).toEqual([
      `removed: 0 superseded versions, ${
        all - 1
      } sessions and 0 other items past their lifetime`,
    ]);
    expect(swamp.names("summary-")).toEqual(swamp.names(`summary-${ALONE}`));
    expect(swamp.names("detail-")).toEqual(swamp.names(`detail-${ALONE}`));
    expect(swamp.names("rollup-").length).toBeGreaterThan(1);
    const [first, second] = swamp.changes.slice(before);
    expect(first).toContain("delete summary-");
    expect(second).toBe(first?.replace("summary", "detail"));
  });

  test("prune removes superseded versions and keeps the latest", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    const [name = ""] = swamp.names("summary-");
    const versions = swamp.items.get(name) ?? [];
    swamp.items.set(name, [...versions, { ...versions[0]!, version: 2 }]);
    const { lines } = await swamp.run("prune");
    expect(lines[0]).toContain("removed: 1 superseded versions");
    expect(swamp.items.get(name)?.map((v) => v.version)).toEqual([2]);
  });

  test("rollup writes only the days that differ", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    const [day = "", ...others] = swamp.names("rollup-");
    swamp.latest(day)!.content = "{}";
    const { lines } = await swamp.run("rollup");
    expect(lines).toEqual([`1 of ${others.length + 1} days written`]);
    expect(swamp.items.get(day)?.map((v) => v.version)).toEqual([2]);
  });

  test("relabel reads stored sessions alone, and tells which keep old labels", async () => {
    const swamp = host(), home = fixtureHome();
    await swamp.run("import", { all: true, home });
    for (const name of swamp.names("summary-")) {
      const { tags } = swamp.latest(name)!;
      tags.fingerprint = tags.fingerprint!.replace(/^[^.]*/, "older");
      tags.reading = tags.reading!.replace(/labels \d+/, "labels 0");
    }
    // Of two like sessions one was never stored, and one has no file any more.
    const other = fileOf(home).replace(ALONE, "33333333");
    const text = readFileSync(fileOf(home), "utf8");
    writeFileSync(other, text.replaceAll(ALONE, "33333333"));
    rmSync(fileOf(home));
    const { lines } = await swamp.run("relabel", { home });
    const { sessions } = resultOf(lines);
    expect(sessions.updated).toBe(swamp.names("summary-").length - 1);
    expect(lines.at(-1)).toContain(`1 sessions keep labels of older rules`);
    expect(lines.at(-1)).toContain(ALONE);
    expect(swamp.names("summary-33333333")).toEqual([]);
  });
});

describe("methods that only read", () => {
  const printed = async (
    swamp: SwampHost,
    args: Record<string, unknown>,
  ) => {
    const real = console.log;
    let text = "";
    console.log = (line: string) => void (text += line);
    try {
      return { run: await swamp.run("extract", args), text };
    } finally {
      console.log = real;
    }
  };

  test("extract prints the digest, logs none of it and stores nothing", async () => {
    const swamp = host(), home = fixtureHome();
    const { run, text } = await printed(swamp, { id: ALONE, home });
    expect(run.status).toBe("succeeded");
    const digest = JSON.parse(text) as { keyTurns: { goal: string } };
    expect(digest.keyTurns.goal).not.toBe("");
    expect(run.lines).toEqual([]);
    expect(swamp.changes).toEqual([]);
    const prompt = await printed(swamp, { id: ALONE, home, prompt: "handoff" });
    expect(prompt.text).toContain(digest.keyTurns.goal);
  });

  test.each([
    [{ id: "zzz" }, "no session's id begins with zzz"],
    [{ id: "" }, ""],
    [{ id: "2", segment: "0/3" }, ""],
  ])("extract refuses %j", async (args, message) => {
    const run = await host().run("extract", { home: fixtureHome(), ...args });
    expect(run.status).toBe("failed");
    expect(run.error).toContain(message);
  });

  test("doctor fails where too much is unknown, and says what to do", async () => {
    const swamp = host(), home = fixtureHome();
    const fine = await swamp.run("doctor", { home });
    expect(fine.status).toBe("succeeded");
    appendFileSync(
      fileOf(home),
      '{"type":"new-kind","sessionId":"x"}\n',
    );
    const bad = await swamp.run("doctor", { home, maxUnknown: 0 });
    expect(bad.status).toBe("failed");
    expect(bad.error).toContain("of unknown types");
    expect(swamp.changes).toEqual([]);
  });

  test("times bound what doctor and import look at, and wrong ones are refused", async () => {
    const swamp = host(), home = fixtureHome();
    utimesSync(fileOf(home), 1, 1);
    const { lines } = await swamp.run("import", {
      all: true,
      home,
      since: "1d",
    });
    expect(resultOf(lines).sessions.skipped).toBeGreaterThan(0);
    const run = await swamp.run("doctor", { home, until: "later" });
    expect(run.error).toContain("until: later is no time");
  });
});
