// Runs the core suite in real Deno, straight from the TypeScript, through the
// small vitest shim in test/deno. Cached type information is not asked for:
// `npm run types` did that.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const deno = join(ROOT, "node_modules/.bin/deno");

export const CORE = [
  "schema/",
  "extension/session/",
  "extension/shell/",
  "extension/redact/",
  "extension/classify/",
  "extension/digest/",
  "extension/findings/",
  "extension/harness/",
];

const run = spawnSync(
  deno,
  ["test", "-A", "--no-check", "--quiet", "--no-lock", ...CORE],
  {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1" },
    shell: process.platform === "win32",
  },
);
const output = `${run.stdout}\n${run.stderr}`;
const summary = output.match(/(\d+) passed[^|]*\| (\d+) failed/);
if (run.status !== 0 || !summary) {
  console.error(output.slice(-20000));
  console.error(
    run.error ? `deno did not start: ${run.error.message}` : "deno: failed",
  );
}
console.log(
  `deno: ${summary?.[1] ?? 0} passed, ${
    summary?.[2] ?? (run.status === 0 ? 0 : 1)
  } failed`,
);
process.exit(run.status === 0 && summary ? 0 : 1);
