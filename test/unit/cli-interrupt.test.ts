import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundled } from "../bundled.ts";
import { layoutOf } from "../../extension/store/layout.ts";
import { checkStore } from "./import-check.ts";
import { cleanUp, folder } from "./import-support.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SESSIONS = 300;
let program = "";

beforeAll(async () => {
  program = join(folder(), "swamp-sessions.mjs");
  await bundled(join(ROOT, "extension/cli/main.ts"), program);
});
afterAll(cleanUp);

/** A home with many short sessions of one repository. */
function homeOf(repo: string): string {
  const home = folder();
  const project = join(home, ".claude/projects/-repo");
  mkdirSync(project, { recursive: true });
  for (let i = 0; i < SESSIONS; i++) {
    const sessionId = `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
    const line = (n: number, type: string, content: unknown) =>
      JSON.stringify({
        type,
        uuid: `${sessionId.slice(0, -2)}${n}a`,
        sessionId,
        cwd: repo,
        version: "2.1.0",
        timestamp: `2026-10-05T09:00:0${n}.000Z`,
        message: { id: `m${i}-${n}`, role: type, model: "model-a", content },
      });
    writeFileSync(
      join(project, `${sessionId}.jsonl`),
      [
        line(0, "user", "go"),
        line(1, "assistant", [{
          type: "tool_use",
          id: `call-${i}`,
          name: "Bash",
          input: { command: "git status" },
        }]),
      ].join("\n") + "\n",
    );
  }
  return home;
}

function itemsIn(repo: string): number {
  const { type } = layoutOf(repo);
  if (!existsSync(type)) return 0;
  const [model] = readdirSync(type);
  return model ? readdirSync(join(type, model)).length : 0;
}

/** Runs an import; from `when` on it is interrupted until it ends. */
function importing(
  home: string,
  repo: string,
  when?: () => boolean,
): Promise<{ code: number | null; out: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [
      program,
      "import",
      "--json",
      "--init",
      "--store",
      "embedded",
      "--repo-dir",
      repo,
      "--home",
      home,
    ], { stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    child.stdout.on("data", (data) => out += data);
    const watch = setInterval(() => {
      if (when?.()) child.kill("SIGINT");
    }, 1);
    child.on("close", (code) => {
      clearInterval(watch);
      done({ code, out });
    });
  });
}

describe.skipIf(process.platform === "win32")("an import", () => {
  it("interrupted twice ends with 130 at once; the store is whole, and the next one finishes", async () => {
    const codes: (number | null)[] = [];
    for (const at of [1, 60, 200, 1, 60, 200]) {
      const repo = folder();
      const home = homeOf(repo);
      const { code } = await importing(home, repo, () => itemsIn(repo) >= at);
      codes.push(code);
      // One that stopped in good order before the second came ends with 1.
      expect([0, 1, 130]).toContain(code);
      if (code !== 130) continue;
      const next = await importing(home, repo);
      expect(next.code).toBe(0);
      expect(JSON.parse(next.out).sessions).toMatchObject({
        found: SESSIONS,
        failed: 0,
      });
      expect(checkStore(repo)).toEqual([]);
      return;
    }
    expect(codes).toContain(130);
  });
});

describe("output into a file", () => {
  const schemaInto = (file: string) => {
    const fd = openSync(file, "w");
    try {
      return spawnSync(process.execPath, [program, "schema"], {
        stdio: ["ignore", fd, "pipe"],
        encoding: "utf8",
      });
    } finally {
      closeSync(fd);
    }
  };

  it("is whole", () => {
    const file = join(folder(), "schema.json");
    expect(schemaInto(file)).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8"))))
      .toEqual(["summary", "detail", "rollup"]);
  });

  // Only Linux has a file that is always full.
  it.skipIf(!existsSync("/dev/full"))(
    "that has no room is told, with 1",
    () => {
      const { status, stderr } = schemaInto("/dev/full");
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining("the output could not be written"),
      ]);
    },
  );

  it.skipIf(process.platform === "win32")(
    "that a limit cuts short is told, with 1",
    () => {
      const file = join(folder(), "schema.json");
      const { status, stderr } = spawnSync("sh", [
        "-c",
        'ulimit -f 8 && exec "$0" "$1" schema > "$2"',
        process.execPath,
        program,
        file,
      ], { encoding: "utf8" });
      expect([status, stderr]).toEqual([1, expect.stringContaining("EFBIG")]);
    },
  );
});
