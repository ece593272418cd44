import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { esbuildNpm } from "../../scripts/npm-specifiers.mjs";

const root = mkdtempSync(join(tmpdir(), "swamp-shim-"));
const bin = join(root, "pkg", "bin"), real = join(root, "real");
const shim = join(bin, "swamp.js");

function script(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

beforeAll(async () => {
  for (const dir of [bin, real]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(root, "pkg", "package.json"), '{"type":"module"}');
  await build({
    entryPoints: [
      fileURLToPath(new URL("../../extension/cli/shim.ts", import.meta.url)),
    ],
    outfile: shim,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [esbuildNpm],
  });
  chmodSync(shim, 0o755);
  // Tells what it was given, as the real ones would be run.
  const echo = (name: string) =>
    `process.stdout.write(JSON.stringify([${
      JSON.stringify(name)
    }, ...process.argv.slice(2)]));`;
  writeFileSync(join(bin, "swamp-sessions.js"), echo("ours"));
  script(
    join(real, "swamp"),
    `#!/usr/bin/env node
if (process.argv[2] === "wait") {
  process.on("SIGTERM", () => process.exit(9));
  process.on("SIGUSR1", () => process.exit(10));
  process.on("SIGUSR2", () => process.exit(12));
  setInterval(() => {}, 1000);
} else process.stdin.pipe(process.stdout);
${echo("real")}
if (process.argv[2] === "die") process.kill(process.pid, "SIGTERM");
if (process.argv[2] === "exit") process.exitCode = Number(process.argv[3]);
`,
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

function run(
  args: string[],
  more: {
    env?: Record<string, string>;
    input?: string;
    program?: string;
    kill?: NodeJS.Signals;
  } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(more.program ?? shim, args, {
      env: {
        PATH: [bin, real, process.env.PATH ?? ""].join(delimiter),
        ...more.env,
      },
    });
    let out = "", err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (more.kill) child.kill(more.kill);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
    child.stdin.end(more.input ?? "");
  });
}

describe("swamp, in front of the real one", () => {
  test("`extension import sessions` is ours, with all its arguments", async () => {
    const ended = await run([
      "extension",
      "import",
      "sessions",
      "--all",
      "a b",
    ]);
    expect(JSON.parse(ended.out)).toEqual(["ours", "import", "--all", "a b"]);
    expect(ended.code).toBe(0);
  });

  test.each([
    [["extension", "import"]],
    [["extension", "import", "session"]],
    [["--json", "extension", "import", "sessions"]],
    [["extension", "source", "add", "/a b"]],
    [[]],
  ])("%j is the real one's", async (args) => {
    expect(JSON.parse((await run(args)).out)).toEqual(["real", ...args]);
  });

  test("arguments and input arrive as they were given", async () => {
    const args = [
      "x",
      "a b",
      "line\nfeed",
      "",
      "$HOME",
      '"quoted"',
      "*",
      "ünïcödé",
    ];
    const ended = await run(args, { input: "typed" });
    expect(ended.out).toBe(`${JSON.stringify(["real", ...args])}typed`);
  });

  test("the exit code comes back", async () => {
    expect((await run(["exit", "3"])).code).toBe(3);
  });

  test("a program that dies of a signal is seen to die of it", async () => {
    expect((await run(["die"])).signal).toBe("SIGTERM");
  });

  test.each([["PIPE", 141], ["USR1", 138], ["USR2", 140], ["ABRT", 134]])(
    "a program that dies of SIG%s is told by exit code %i",
    async (signal, code) => {
      const dies = join(root, "dies");
      script(dies, '#!/bin/sh\nkill -"$1" $$\n');
      const ended = await run([signal], { env: { SWAMP_BIN: dies } });
      expect(ended).toMatchObject({ code, signal: null });
    },
  );

  test.each<[NodeJS.Signals, number]>([
    ["SIGTERM", 9],
    ["SIGUSR1", 10],
    ["SIGUSR2", 12],
  ])("%s is passed on, and its answer back", async (kill, code) => {
    expect((await run(["wait"], { kill })).code).toBe(code);
  });

  test("links to ourselves along PATH are passed over", async () => {
    const links = join(root, "links");
    mkdirSync(links);
    symlinkSync(shim, join(links, "swamp"));
    const ended = await run(["x"], {
      program: join(links, "swamp"),
      env: { PATH: [links, bin, real, process.env.PATH ?? ""].join(delimiter) },
    });
    expect(JSON.parse(ended.out)).toEqual(["real", "x"]);
  });

  test("SWAMP_BIN comes before PATH", async () => {
    const other = join(root, "other");
    script(other, "#!/bin/sh\nprintf other");
    expect((await run(["x"], { env: { SWAMP_BIN: other } })).out).toBe("other");
  });

  test("with none there it says how to get it", async () => {
    const node = join(root, "only-node");
    mkdirSync(node);
    symlinkSync(process.execPath, join(node, "node"));
    const ended = await run(["model", "list"], { env: { PATH: node } });
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("swamp model list");
    expect(ended.err).toContain("SWAMP_BIN");
  });

  test("a SWAMP_BIN that is no program, or this one, is said", async () => {
    for (const path of [join(root, "none"), shim]) {
      const ended = await run(["x"], { env: { SWAMP_BIN: path } });
      expect([ended.code, ended.err]).toEqual([
        1,
        expect.stringContaining(path),
      ]);
    }
  });

  test("it is small: it is in front of every swamp", () => {
    expect(readFileSync(shim).length).toBeLessThan(20_000);
  });
});
