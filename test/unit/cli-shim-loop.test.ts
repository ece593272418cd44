import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
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
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { SPEAKER } from "../../extension/cli/find-program.ts";
import { runSwamp } from "../../extension/cli/swamp-process.ts";
import { esbuildNpm } from "../../scripts/npm-specifiers.mjs";

const root = mkdtempSync(join(tmpdir(), "swamp-loop-"));
const log = join(root, "log");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder for PATH with a `swamp` in it. */
function folder(name: string, text?: string): string {
  const dir = join(root, name);
  mkdirSync(dir, { recursive: true });
  if (text !== undefined) {
    writeFileSync(join(dir, "swamp"), text);
    chmodSync(join(dir, "swamp"), 0o755);
  }
  return dir;
}

/** An install of the package: `.bin/swamp` is a link to its program. */
function install(name: string): string {
  const dir = folder(join(name, "bin"));
  const bin = folder(join(name, "node_modules", ".bin"));
  writeFileSync(join(root, name, "package.json"), '{"type":"module"}');
  copyFileSync(join(root, "swamp.js"), join(dir, "swamp.js"));
  chmodSync(join(dir, "swamp.js"), 0o755);
  symlinkSync(join(dir, "swamp.js"), join(bin, "swamp"));
  return bin;
}

/** A wrapper script in front of an install; it says when it is started. */
const wrapper = (name: string, of: string, exec = "exec") =>
  folder(
    name,
    `#!/bin/sh\necho ${name} >> "${log}"\n${exec} "${of}/swamp" "$@"\n`,
  );

let a = "", b = "", real = "", node = "";
beforeAll(async () => {
  await build({
    entryPoints: [
      fileURLToPath(new URL("../../extension/cli/shim.ts", import.meta.url)),
    ],
    outfile: join(root, "swamp.js"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    banner: { js: "#!/usr/bin/env node" },
    plugins: [esbuildNpm],
  });
  [a, b] = [install("a"), install("b")];
  // Runs a command that runs swamp again, as a workflow's step may.
  real = folder(
    "real",
    `#!/bin/sh
echo real >> "${log}"
echo "real $*"
if [ "$1" = again ] && [ "$(wc -l < "${log}")" -lt 3 ]; then swamp "\${2:-$1}"; fi
`,
  );
  node = folder("node");
  symlinkSync(process.execPath, join(node, "node"));
});

function run(
  folders: string[],
  args = ["x"],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; err: string; log: string[] }> {
  writeFileSync(log, "");
  return new Promise((resolve, reject) => {
    const child = spawn(join(folders[0]!, "swamp"), args, {
      env: { PATH: [...folders, node, "/bin"].join(delimiter), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 20_000,
    });
    let out = "", err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
      resolve({ code, out, err, log: lines });
    });
  });
}

describe.skipIf(process.platform === "win32")(
  "swamp never starts itself without end",
  () => {
    test("two installs on PATH find the real one behind them, or say there is none", async () => {
      expect((await run([a, b, real])).out).toBe("real x\n");
      const ended = await run([a, b]);
      expect([ended.code, ended.err]).toEqual([
        1,
        expect.stringContaining(`${SPEAKER}: \`swamp x\` needs the swamp CLI`),
      ]);
    });

    test("a copy of the program is passed over", async () => {
      const copy = folder("copy");
      copyFileSync(join(root, "swamp.js"), join(copy, "swamp"));
      expect((await run([a, copy, real])).out).toBe("real x\n");
      expect((await run([a, copy])).code).toBe(1);
    });

    test("a script that becomes this program is started once", async () => {
      const d = wrapper("d", b);
      expect(await run([a, d, real])).toMatchObject({
        out: "real x\n",
        log: ["d", "real"],
      });
      expect(await run([a, d])).toMatchObject({ code: 1, log: ["d"] });
    });

    test("scripts that start each other's install end too", async () => {
      const d = wrapper("d1", a), e = wrapper("d2", b);
      expect(await run([a, d, e, b, real])).toMatchObject({
        out: "real x\n",
        log: ["d1", "d2", "real"],
      });
    });

    test("a script that waits for this program is passed over the second time", async () => {
      const w = wrapper("w", a, "");
      expect(await run([a, w, real])).toMatchObject({
        out: "real x\n",
        log: ["w", "real"],
      });
      const ended = await run([a, w]);
      expect(ended.code).toBe(1);
      expect(ended.err).toContain("needs the swamp CLI");
      expect(ended.log.length).toBeLessThan(20);
    });

    test("SWAMP_BIN that names such a script is said", async () => {
      const d = join(wrapper("d3", a), "swamp");
      const ended = await run([a, real], ["x"], { SWAMP_BIN: d });
      expect([ended.code, ended.err, ended.log]).toEqual([
        1,
        expect.stringContaining(d),
        ["d3"],
      ]);
    });

    test.each([["another command", ["again", "y"]], ["its own", ["again"]]])(
      "the real one may run %s through it",
      async (_what, args) => {
        const ended = await run([a, real], args);
        expect(ended.out.split("\n").slice(0, 2)).toEqual([
          `real ${args.join(" ")}`,
          `real ${args[1] ?? args[0]}`,
        ]);
      },
    );

    test("nor does the importer start itself by way of such a script", async () => {
      const d = wrapper("d4", b);
      writeFileSync(log, "");
      const io = fakeIo({
        cwd: root,
        home: root,
        env: { PATH: [d, node, "/bin"].join(delimiter) },
      });
      const { code, said } = await runSwamp(io, {
        program: join(d, "swamp"),
        repo: root,
        args: ["model"],
      });
      expect(code).toBe(1);
      expect(said.join("\n")).toContain("needs the swamp CLI");
      expect(readFileSync(log, "utf8")).toBe("d4\n");
    });
  },
);
