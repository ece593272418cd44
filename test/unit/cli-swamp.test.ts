import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import {
  progressIn,
  resultIn,
  sumResults,
} from "../../extension/cli/swamp-import.ts";
import { IMPORTED_BY } from "../../extension/import/mod.ts";
import type { ImportResult } from "../../extension/import/types.ts";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url))
  .replace(/[\\/]$/, "");
const root = mkdtempSync(join(tmpdir(), "cli-swamp-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Stands in for swamp: does what it is asked, or what a play says. */
const SWAMP = `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require("fs");
const args = process.argv.slice(2);
let stop = () => process.exit(1);
process.on("SIGINT", () => stop());
appendFileSync(process.env.FAKE_LOG, JSON.stringify(args) + "\\n");
const at = (name) => args[args.indexOf(name) + 1];
const act = args.slice(0, 3).join(" ");
if (act.startsWith("repo init")) writeFileSync(args[2] + "/.swamp.yaml", "");
if (act === "extension source add") {
  writeFileSync(at("--repo-dir") + "/.swamp-sources.yaml",
    JSON.stringify({ sources: [{ path: args[3] }] }));
}
if (act.startsWith("model create")) {
  const folder = at("--repo-dir") + "/models/" + args[2];
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + "/" + args[3] + ".yaml",
    "name: " + args[3] + "\\nid: 00000000-0000-4000-8000-000000000000\\n");
}
if (act === "model method run") {
  const play = JSON.parse(readFileSync(process.env.FAKE_PLAY, "utf8"));
  const { out = [], err = [], code = 0, wait } = play.shift();
  writeFileSync(process.env.FAKE_PLAY, JSON.stringify(play));
  const say = () => {
    for (const line of out) console.log(line);
    for (const line of err) console.error(line);
    process.exitCode = code;
  };
  if (wait) {
    const timer = setInterval(() => {}, 1000);
    stop = () => { clearInterval(timer); say(); };
    console.log("              progress: 0 of 5 sessions, 0 of 9 bytes");
  } else say();
}
`;
const swamp = join(root, "swamp");
writeFileSync(swamp, SWAMP);
chmodSync(swamp, 0o755);

const log = join(root, "log"), playFile = join(root, "play");
const home = join(root, "home");
mkdirSync(home);
let repo = "", n = 0;
beforeEach(() => {
  repo = join(root, `repo-${n++}`);
  mkdirSync(repo);
  writeFileSync(log, "");
});

interface Play {
  out?: string[];
  err?: string[];
  code?: number;
  wait?: boolean;
}

function run(line: string[], play: Play[] = [], more: {
  stdin?: string;
  terminal?: number;
  env?: Record<string, string>;
} = {}) {
  writeFileSync(playFile, JSON.stringify(play));
  const { env, ...rest } = more;
  const io = fakeIo({
    cwd: repo,
    home,
    env: {
      SWAMP_BIN: swamp,
      FAKE_LOG: log,
      FAKE_PLAY: playFile,
      ...env,
    },
    ...rest,
  });
  io.stdinIsTTY = more.stdin !== undefined;
  return { io, done: main(["import", ...line], io) };
}

const calls = () =>
  readFileSync(log, "utf8").trimEnd().split("\n").filter(Boolean).map((line) =>
    JSON.parse(line) as string[]
  );

const result = (
  sessions: Partial<ImportResult["sessions"]>,
  more: Partial<ImportResult> = {},
): ImportResult => ({
  sessions: {
    found: 5,
    new: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    ...sessions,
  },
  calls: 2,
  bytes: 10,
  storedBytes: 1,
  ms: 7,
  store: "swamp",
  problems: [],
  ...more,
});

const said = (r: ImportResult) =>
  `              import result: ${JSON.stringify({ left: 0, ...r })}`;
const READY = ["--init", "--yes"];

describe.skipIf(process.platform === "win32")("an import inside swamp", () => {
  test("makes repo, source and definition once, each by swamp's own command", async () => {
    const first = run(READY, [{ out: [said(result({ new: 5 }))] }]);
    expect(await first.done).toBe(0);
    expect(calls().map((args) => args.slice(0, 3).join(" "))).toEqual([
      `repo init ${repo}`,
      "extension source add",
      "model create @agent-observation/sessions",
      "model method run",
    ]);
    expect(calls()[1]?.[3]).toBe(PACKAGE);
    expect(calls()[3]).toContain("--skip-reports");
    writeFileSync(log, "");
    const second = run([], [{ out: [said(result({ unchanged: 5 }))] }]);
    expect(await second.done).toBe(0);
    expect(calls()).toHaveLength(1);
  });

  test("says so where swamp still runs an older bundle", async () => {
    const by = (text: string) => ({
      out: [said({ ...result({ new: 5 }), by: text } as ImportResult)],
    });
    const old = run(READY, [by("importer 0, labels 1, redaction 1")]);
    expect(await old.done).toBe(0);
    expect(old.io.err()).toContain("swamp extension source rm");
    const same = run([], [by(IMPORTED_BY)]);
    expect(await same.done).toBe(0);
    expect(same.io.err()).not.toContain("source rm");
  });

  test("asks on a terminal, and changes nothing where the answer is no", async () => {
    const no = run(["--init"], [], { stdin: "n\n", terminal: 80 });
    expect(await no.done).toBe(1);
    expect(calls()).toEqual([]);
    const yes = run(["--init"], [{ out: [said(result({ new: 5 }))] }], {
      stdin: "\n",
      terminal: 80,
    });
    expect(await yes.done).toBe(0);
    expect(calls()).toHaveLength(4);
  });

  test("says what to do where nobody can be asked", async () => {
    const { io, done } = run(["--init"]);
    expect(await done).toBe(1);
    expect(io.err()).toContain("swamp extension source add");
    expect(io.err()).toContain("--yes");
    expect(existsSync(join(repo, ".swamp.yaml"))).toBe(false);
  });

  test("a dry run in a repo that swamp knows nothing of changes nothing", async () => {
    writeFileSync(join(repo, ".swamp.yaml"), "");
    const { done } = run(["--dry-run"]);
    expect(await done).toBe(0);
    expect(calls()).toEqual([]);
  });

  test("passes every option on, and no home that was not given", async () => {
    const { done } = run([
      ...READY,
      "--all",
      "--harness",
      "claude,codex",
      "--since",
      "2026-10-01T00:00:00Z",
      "--mode",
      "headless",
      "--min-substance",
      "light",
      "--exclude",
      "a,b",
      "--lifetime",
      "30d",
      "--force",
    ], [{ out: [said(result({ updated: 5 }))] }]);
    expect(await done).toBe(0);
    const args = calls().at(-1) ?? [];
    expect(JSON.parse(args[args.indexOf("--input") + 1] ?? "")).toEqual({
      all: true,
      harness: ["claude", "codex"],
      since: "2026-10-01T00:00:00.000Z",
      mode: "headless",
      minSubstance: "light",
      exclude: ["a", "b"],
      lifetime: "30d",
      dryRun: false,
      force: true,
      limit: 1000,
    });
  });

  test("runs batches until nothing is left, and sums them", async () => {
    const problem = { file: "~/x.jsonl", code: "DAMAGED", message: "bad" };
    const problems = [problem] as ImportResult["problems"];
    const { io, done } = run([...READY, "--json"], [
      {
        out: [said(
          result({ new: 2, unchanged: 1 }, { left: 2, next: "1 b", problems }),
        )],
      },
      { out: [said(result({ new: 1, updated: 1, unchanged: 3 }))] },
    ], { env: { SWAMP_SESSIONS_BATCH: "2" } });
    expect(await done).toBe(0);
    const inputs = calls().slice(-2).map((args) =>
      JSON.parse(args[args.indexOf("--input") + 1] ?? "") as unknown
    );
    expect(inputs).toMatchObject([{ limit: 2 }, { limit: 2, after: "1 b" }]);
    expect(JSON.parse(io.out())).toMatchObject({
      sessions: {
        found: 5,
        new: 3,
        updated: 1,
        unchanged: 1,
        skipped: 0,
        failed: 0,
      },
      calls: 4,
      store: "swamp",
      problems: [{ file: join(home, "x.jsonl") }],
    });
  });

  test("ends with 75 where swamp's lock times out, and with swamp's own words", async () => {
    const { io, done } = run(READY, [{
      err: ['Error: Lock "x" timed out \u001b[31m'],
      code: 75,
    }]);
    expect(await done).toBe(75);
    expect(io.err()).toContain("timed out");
    expect(io.err()).not.toContain("\u001b[31m");
  });

  test("an error of swamp is passed through", async () => {
    const { io, done } = run(READY, [{ err: ["Error: no vault"], code: 1 }]);
    expect(await done).toBe(1);
    expect(io.err()).toContain("Error: no vault");
  });

  test("Ctrl-C stops swamp, and what it stored is told", async () => {
    const { io, done } = run([...READY, "--json"], [{
      wait: true,
      out: [said(result({ new: 2 }, { left: 3, interrupted: true }))],
      code: 1,
    }]);
    const timer = setInterval(() => {
      if (calls().length === 4) io.interrupt();
    }, 50);
    expect(await done).toBe(1);
    clearInterval(timer);
    expect(JSON.parse(io.out())).toMatchObject({
      interrupted: true,
      left: 3,
      sessions: { new: 2 },
    });
  });
});

describe("lines of swamp's log", () => {
  test("progress and result are read, anything else is not", () => {
    expect(progressIn("   progress: 3 of 10 sessions, 5 of 70 bytes")).toEqual({
      sessions: 3,
      totalSessions: 10,
      bytes: 5,
      totalBytes: 70,
    });
    expect(progressIn("progress: many")).toBeUndefined();
    expect(resultIn("import result: {broken")).toBeUndefined();
    expect(resultIn("  Completed   import")).toBeUndefined();
  });

  test("a session is in one count only", () => {
    const { sessions } = sumResults([
      result({ found: 9, new: 2, unchanged: 1, skipped: 2 }, { left: 4 }),
      result({ found: 9, new: 1, unchanged: 3, skipped: 3, failed: 1 }, {
        left: 1,
      }),
    ]);
    expect(sessions).toEqual({
      found: 9,
      new: 3,
      updated: 0,
      unchanged: 1,
      skipped: 3,
      failed: 1,
    });
  });
});
