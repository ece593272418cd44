// Runs the core suite in real Deno, straight from the TypeScript, through the
// small vitest shim in test/deno; then the swamp model, type-checked, bundled
// the way swamp does it, and run. Of the suite no types are checked: `npm run
// types` did that.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const deno = join(ROOT, "node_modules/.bin/deno");
const MODEL = "extension/models/sessions.ts";

export const CORE = [
  "schema/",
  "extension/session/",
  "extension/shell/",
  "extension/redact/",
  "extension/classify/",
  "extension/digest/",
  "extension/findings/",
  "extension/harness/",
  "extension/models/",
];

let passed = 0, failed = 0;

function run(args, env = {}) {
  const ended = spawnSync(deno, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1", ...env },
    shell: process.platform === "win32",
  });
  // Deno colours its output for any FORCE_COLOR, "0" too.
  const output = stripVTControlCharacters(`${ended.stdout}\n${ended.stderr}`);
  if (ended.status !== 0) {
    console.error(output.slice(-20000));
    if (ended.error) {
      console.error(`deno did not start: ${ended.error.message}`);
    }
  }
  return { ok: ended.status === 0, output };
}

function suite(paths, env) {
  const { ok, output } = run(
    ["test", "-A", "--no-check", "--quiet", "--no-lock", ...paths],
    env,
  );
  const summary = output.match(
    /^(?:ok|FAILED) \| (\d+) passed[^|\n]*\| (\d+) failed/m,
  );
  passed += Number(summary?.[1] ?? 0);
  if (ok && !summary) console.error(`no summary line:\n${output.slice(-2000)}`);
  const bad = Number(summary?.[2] ?? 0);
  failed += ok && summary ? bad : Math.max(1, bad);
}

function check(ok) {
  if (ok) passed++;
  else failed++;
  return ok;
}

// Packages travel inside the bundle; zod alone is the host's.
function bundle(file) {
  const { ok } = run([
    "bundle",
    "--quiet",
    "--no-lock",
    "--platform=deno",
    "--external=npm:zod@4",
    `--output=${file}`,
    MODEL,
  ]);
  if (!ok) return false;
  const text = readFileSync(file, "utf8").replace(
    /^import \{ ([\w, ]+) \} from "npm:zod@4";$/gm,
    (_, names) =>
      `const { ${names.replace(/(\w+) as /g, "$1: ")} } = globalThis.hostZod;`,
  );
  writeFileSync(file, text);
  const others = [...text.matchAll(/^import [^;]*? from "([^"]+)";$/gm)]
    .map(([, from]) => from).filter((from) => !from.startsWith("node:"));
  if (others.length) console.error(`left outside the bundle: ${others}`);
  return others.length === 0;
}

suite(CORE);
check(run(["check", "--quiet", "--no-lock", MODEL]).ok);
const folder = mkdtempSync(join(tmpdir(), "bundle-"));
try {
  const file = join(folder, "model.mjs");
  if (check(bundle(file))) {
    suite(["test/deno/bundled.ts"], { MODEL_BUNDLE: file });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`deno: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
