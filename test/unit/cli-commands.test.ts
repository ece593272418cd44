import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../extension/cli/commands/mod.ts";
import {
  fakeIo,
  type FakeOptions,
} from "../../extension/cli/fake-io.test-support.ts";
import { systemMessage } from "../../extension/cli/errors.ts";
import { main } from "../../extension/cli/program.ts";
import { jsonSchema } from "../../schema/json-schema.ts";

const FIXTURES = fileURLToPath(
  new URL("../../fixtures/homes/", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "sessions-cli-"));
const home = join(root, "home"), repo = join(root, "repo");
const empty = join(root, "empty");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a command line in the repo, over the test's home. */
async function run(
  line: readonly string[],
  more: Partial<FakeOptions> = {},
): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo({ cwd: repo, home, ...more });
  const code = await main(line, io);
  return { code, out: io.out(), err: io.err() };
}

const objects = (text: string) =>
  text.trimEnd().split("\n").map((line) =>
    JSON.parse(line) as Record<string, unknown>
  );

/** A session of one prompt and one command. */
function claudeSession(id: string, commandText: string): string {
  const at = (s: number) => `2026-11-20T10:00:0${s}.000Z`;
  const common = { sessionId: id, cwd: "/home/dev/src/shop", version: "2.1.0" };
  return [
    {
      ...common,
      type: "user",
      uuid: `${id}-1`,
      timestamp: at(1),
      message: { role: "user", content: "please" },
    },
    {
      ...common,
      type: "assistant",
      uuid: `${id}-2`,
      timestamp: at(2),
      message: {
        id: `m-${id}`,
        role: "assistant",
        model: "claude-test",
        content: [{
          type: "tool_use",
          id: `t-${id}`,
          name: "Bash",
          input: { command: commandText },
        }],
        usage: { input_tokens: 3, output_tokens: 5 },
      },
    },
    {
      ...common,
      type: "user",
      uuid: `${id}-3`,
      timestamp: at(3),
      message: {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: `t-${id}`,
          content: "done",
        }],
      },
    },
  ].map((record) => JSON.stringify(record)).join("\n") + "\n";
}

const TWINS = [
  "abc00000-0000-4000-8000-000000000001",
  "abc00000-0000-4000-8000-000000000002",
];
const twinFile = (id: string) =>
  join(home, ".claude", "projects", "-home-dev-src-shop", `${id}.jsonl`);

beforeAll(async () => {
  for (const dir of [repo, empty]) mkdirSync(dir, { recursive: true });
  for (const family of readdirSync(FIXTURES)) {
    cpSync(join(FIXTURES, family, "home"), home, { recursive: true });
  }
  mkdirSync(join(home, ".claude", "projects", "-home-dev-src-shop"));
  for (const id of TWINS) {
    writeFileSync(twinFile(id), claudeSession(id, "ls \u001b[31m\u202e"));
  }
  const first = await run(["import", "--all", "--init"]);
  expect([first.code, first.err]).toEqual([
    0,
    expect.stringContaining("swamp-sessions dashboard"),
  ]);
  expect(first.out).toMatch(/^\d+ sessions found: \d+ new\./);
});

describe("help", () => {
  test("without arguments it says how to start, with exit code 2", async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Start here:");
  });

  test("--help names every command", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) {
      expect(out).toContain(name);
      expect(out.replace(/\s+/g, " ")).toContain(summary);
    }
  });

  test.each(COMMANDS.map((spec) => [spec.name, spec] as const))(
    "%s --help documents every option and gives examples",
    async (name, spec) => {
      const { code, out } = await run([name, "--help"], { terminal: 100 });
      expect(code).toBe(0);
      for (const option of [...Object.keys(spec.options), "json", "home"]) {
        expect(out).toContain(`--${option}`);
      }
      for (const [line] of spec.examples) expect(out).toContain(line);
    },
  );

  test("no line of help is wider than the terminal but for examples", async () => {
    for (const { name } of COMMANDS) {
      const { out } = await run([name, "--help"], { terminal: 80 });
      const text = out.split("Examples:")[0] ?? "";
      for (const line of text.split("\n")) {
        expect(line.length).toBeLessThanOrEqual(80);
      }
    }
  });
});

describe("wrong usage", () => {
  test.each([
    [["improt"], /Did you mean import\?/],
    [["list", "--jsno"], /Did you mean --json\?/],
    [["list", "--limit"], /argument missing/],
    [["list", "--sort", "size"], /--sort: "size" is no order: .*recent/],
    [["list", "--since", "yesterday"], /--since: "yesterday" is no time/],
    [["list", "--harness", "cursor"], /"cursor" is not read; .*claude/],
    [["list", "--limit", "-3"], /whole number/],
    [["import", "--lifetime", "long"], /--lifetime/],
    [["import", "--store", "cloud"], /auto, swamp, embedded/],
    [["show"], /Which session/],
    [["show", "a", "b"], /too many arguments/],
    [["schema", "turn"], /summary, detail, rollup/],
    [["explain"], /in quotes/],
    [["explain", "--stdin", "ls"], /not both/],
    [["dashboard", "--server", "ftp://x"], /no address/],
    [["dashboard", "--token", "x"], /--server/],
    [["extract", "abc", "--no-redact"], /--yes/],
    [["extract", "abc", "--segment", "3/2"], /no part/],
    [["help", "lst"], /"lst" is no command: give one of import, list/],
  ])("%j is told, with exit code 2", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("import", () => {
  test("a second run finds all unchanged and touches nothing", async () => {
    const before = mtimes(join(repo, ".swamp"));
    const { code, out } = await run(["import", "--all", "--json"]);
    const [result, ...more] = objects(out);
    expect([code, more]).toEqual([0, []]);
    expect(result).toMatchObject({
      sessions: { new: 0, updated: 0, failed: 0 },
      calls: 0,
      store: "embedded",
      problems: [],
    });
    expect(mtimes(join(repo, ".swamp"))).toEqual(before);
  });

  test("a session that grew is updated, and it alone", async () => {
    const [id = ""] = TWINS;
    appendFileSync(
      twinFile(id),
      claudeSession(id, "pwd").replaceAll("10:00:0", "10:00:2").replaceAll(
        `${id}-`,
        `${id}-x`,
      ).replaceAll(`t-${id}`, `u-${id}`),
    );
    const { out } = await run(["import", "--all", "--json"]);
    expect(objects(out)[0]).toMatchObject({
      sessions: { new: 0, updated: 1 },
      calls: 2,
    });
  });

  test("only this repo's sessions are taken unless all are asked for", async () => {
    const { code, out, err } = await run(["import"]);
    expect(code).toBe(0);
    expect(out).toMatch(/skipped/);
    expect(err).toContain("--all");
  });

  test("a folder that is no repo is refused, with what to do", async () => {
    const { code, out, err } = await run(["import", "--all"], { cwd: empty });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("--init");
  });

  test("--init makes a repository folder that does not exist yet, a dry run does not", async () => {
    const made = join(root, "new", "repo");
    const line = ["import", "--all", "--init", "--repo-dir", made];
    expect((await run([...line, "--dry-run"])).code).toBe(1);
    expect(statSync(made, { throwIfNoEntry: false })).toBeUndefined();
    expect((await run(line)).code).toBe(0);
    expect(readdirSync(made).sort()).toContain(".swamp.yaml");
    const again = ["import", "--all", "--repo-dir", join(root, "nowhere")];
    expect((await run(again)).err).toContain("is not a folder");
  });

  test("a dry run says what it would do and makes nothing", async () => {
    const { code, out } = await run(
      ["import", "--all", "--init", "--dry-run"],
      { cwd: empty },
    );
    expect(code).toBe(0);
    expect(out).toContain("Nothing was written");
    expect(readdirSync(empty)).toEqual([]);
  });

  test("another import that holds the lock ends it with exit code 75", async () => {
    const lock = join(repo, ".swamp", "agent-sessions", "lock");
    writeFileSync(
      lock,
      JSON.stringify({ token: "x", pid: process.pid, host: "elsewhere" }),
    );
    try {
      const { code, err } = await run(["import", "--all", "--force"]);
      expect([code, err]).toEqual([
        75,
        expect.stringContaining("Another import"),
      ]);
    } finally {
      rmSync(lock);
    }
  });

  test("--store swamp without one says how to get it", async () => {
    const { code, err } = await run(["import", "--store", "swamp"]);
    expect([code, err]).toEqual([1, expect.stringContaining("SWAMP_BIN")]);
  });

  test("a home that is none is said", async () => {
    const { code, err } = await run(["import", "--home", join(root, "none")]);
    expect([code, err]).toEqual([1, expect.stringContaining("--home")]);
  });

  test("Ctrl-C ends with exit code 1 and says that what is stored is whole", async () => {
    const io = fakeIo({ cwd: repo, home });
    io.interrupt();
    expect(await main(["import", "--all", "--force"], io)).toBe(1);
    expect(io.out() + io.err()).toMatch(/Stopped/);
  });
});

describe("list", () => {
  test("what is found on the machine and what is stored are the same rows", async () => {
    const found = objects((await run(["list", "--json"])).out);
    const stored = objects((await run(["list", "--stored", "--json"])).out);
    const key = (rows: Record<string, unknown>[]) =>
      rows.map(({ id, calls, tokens, labels, substance }) =>
        JSON.stringify({ id, calls, tokens, labels, substance })
      ).sort();
    expect(key(found)).toEqual(key(stored));
    expect(found.length).toBeGreaterThan(8);
  });

  test("its JSON rows fit the published schema", async () => {
    const valid = new Ajv2020({ strict: false }).compile(jsonSchema("summary"));
    for (
      const row of objects((await run(["list", "--stored", "--json"])).out)
    ) {
      expect([valid(row), valid.errors]).toEqual([true, null]);
    }
  });

  test("narrow or wide, no row is wider than the terminal", async () => {
    for (const terminal of [40, 60, 80, 120, 200]) {
      const { out } = await run(["list", "--stored"], {
        terminal,
        env: { NO_COLOR: "1" },
      });
      for (const line of out.trimEnd().split("\n")) {
        expect(line.length).toBeLessThanOrEqual(terminal);
      }
    }
  });

  test("sorts by substance under either name, and keeps to its bounds", async () => {
    for (const sort of ["substance", "importance"]) {
      const rows = objects(
        (await run(["list", "--json", "--sort", sort, "--limit", "3"])).out,
      );
      const scores = rows.map((row) =>
        (row.substance as { score: number }).score
      );
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(rows).toHaveLength(3);
    }
    const light = objects(
      (await run(["list", "--stored", "--json", "--min-importance", "light"]))
        .out,
    );
    for (const row of light) {
      expect((row.substance as { tier: string }).tier).not.toBe("trivial");
    }
  });

  test("a limit that hides rows is said", async () => {
    const { err } = await run(["list", "--stored", "--limit", "2"]);
    expect(err).toContain("--limit 0");
  });

  test("an empty home is said, with where to look", async () => {
    const { code, out, err } = await run(["list"], { home: empty });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("doctor");
  });
});

describe("show", () => {
  test("its JSON is the stored detail", async () => {
    const { code, out } = await run(["show", "a4d4", "--json"]);
    expect(code).toBe(0);
    const valid = new Ajv2020({ strict: false }).compile(jsonSchema("detail"));
    expect(valid(objects(out)[0])).toBe(true);
  });

  test("subagents stand below the call that started them", async () => {
    const { out } = await run(["show", "a4d4"]);
    const lines = out.split("\n");
    const agent = lines.findIndex((line) => line.includes("↳ Explore"));
    const inner = lines.findIndex((line) => line.includes("↳ general-purpose"));
    expect(agent).toBeGreaterThan(0);
    expect(inner).toBeGreaterThan(agent);
    expect(lines[inner]?.search("↳")).toBeGreaterThan(
      lines[agent]?.search("↳") ?? 0,
    );
  });

  test("no control character of a session reaches the terminal", async () => {
    const { out } = await run(["show", TWINS[1] ?? ""]);
    expect(out).toContain("ls");
    // deno-lint-ignore no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test("an ambiguous beginning lists its candidates", async () => {
    const { code, out, err } = await run(["show", "abc0"]);
    expect([code, out]).toEqual([1, ""]);
    for (const id of TWINS) expect(err).toContain(id);
  });

  test("an unknown one says where to look", async () => {
    const { code, err } = await run(["show", "zzz"]);
    expect([code, err]).toEqual([1, expect.stringContaining("list --stored")]);
  });

  test("nothing stored is said", async () => {
    mkdirSync(join(root, "bare"), { recursive: true });
    writeFileSync(join(root, "bare", ".swamp.yaml"), "swampVersion: 0.0.0\n");
    const { code, err } = await run(["show", "a"], { cwd: join(root, "bare") });
    expect([code, err]).toEqual([1, expect.stringContaining("import")]);
  });
});

describe("where nothing can be read or written", () => {
  test.each([
    [["list", "--stored"]],
    [["show", "a4d4"]],
    [["trends"]],
    [["dashboard"]],
  ])("%j names no option that it does not have", async (line) => {
    const { code, err } = await run(line, { cwd: empty });
    expect(code).toBe(1);
    expect(err).toMatch(
      /not a swamp repository.*`swamp-sessions import --init`/,
    );
  });

  test("an error of the file system says where, and what to do", () => {
    const error = Object.assign(new Error("EACCES: permission denied, open"), {
      code: "EACCES",
      path: "/repo/.swamp/agent-sessions/.1234.tmp",
    });
    expect(systemMessage(error)).toMatch(
      /^\/repo\/\.swamp\/agent-sessions: .*Check who owns it/,
    );
    expect(systemMessage(new Error("other"))).toBeUndefined();
  });
});

describe("doctor", () => {
  test("counts what is there and ends well", async () => {
    const { code, out } = await run(["doctor", "--json"]);
    const [report] = objects(out);
    expect(code).toBe(0);
    expect(report).toMatchObject({ ok: true, damagedPercent: 0 });
    const [claude] = report?.harnesses as Record<string, unknown>[];
    expect(claude).toMatchObject({ name: "claude", damagedLines: 0 });
    expect(claude?.subagents).toMatchObject({ parentGone: 0 });
  });

  test("shows where it looked when nothing is there", async () => {
    const { code, out } = await run(["doctor"], { home: empty });
    expect(code).toBe(0);
    expect(out).toContain(join(empty, ".claude", "projects"));
  });
});

describe("schema and extract", () => {
  test("the schema is that of the kind, or of all", async () => {
    expect(JSON.parse((await run(["schema", "detail"])).out)).toEqual(
      jsonSchema("detail"),
    );
    expect(Object.keys(JSON.parse((await run(["schema"])).out) as object))
      .toEqual(["summary", "detail", "rollup"]);
  });

  test("a digest agrees with the stored row", async () => {
    const digest = objects((await run(["extract", "a4d4", "--json"])).out)[0];
    const rows = objects((await run(["list", "--stored", "--json"])).out);
    const row = rows.find(({ id }) => String(id).startsWith("a4d4"));
    expect(digest?.substance).toEqual(row?.substance);
    expect(digest?.keyTurns).toMatchObject({
      goal: expect.stringContaining("invoice export"),
    });
  });

  test("a part beyond the transcript's end is said, not another one given", async () => {
    const { code, out, err } = await run(["extract", "a4d4", "--segment", "9"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/has 1 part, so there is no part 9/);
  });

  test("a file of that name that holds nothing is named, with the reason", async () => {
    const id = "e0000000-0000-4000-8000-000000000000";
    const path = join(home, ".claude/projects/-empty", `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    const { code, err } = await run(["extract", "e0000000"]);
    rmSync(dirname(path), { recursive: true });
    expect(code).toBe(1);
    expect(err).toContain(`${id}.jsonl: the file is empty`);
  });

  test("the id of a subagent names the session that it is told with", async () => {
    const rows = objects((await run(["list", "--json"])).out);
    const agent = readdirSync(home, { recursive: true, encoding: "utf8" })
      .flatMap((path) => /\bagent-(\w+)\.jsonl$/.exec(path)?.[1] ?? [])
      .sort()[0];
    const { code, err } = await run(["extract", agent ?? ""]);
    expect(code).toBe(1);
    const session = /extract (\S+)\.\n/.exec(err)?.[1];
    expect(rows.map((row) => row.id)).toContain(session);
  });

  test("a prompt is wrapped around it, and people can read it", async () => {
    const handoff = await run(["extract", "a4d4", "--prompt", "handoff"]);
    expect(handoff.out).toContain("handoff note");
    const pretty = await run(["extract", "a4d4", "--pretty", "--full"]);
    expect(pretty.out).toContain("Transcript, part 1 of 1");
  });
});

function mtimes(dir: string): [string, number][] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()
    .map((name) => [name, statSync(join(dir, name)).mtimeMs]);
}
