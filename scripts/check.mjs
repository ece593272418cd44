// Everything that must hold before a commit.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(ROOT, "node_modules/.bin", name);
const steps = [
  ["types", bin("tsc"), ["-p", "tsconfig.json"]],
  ["format", bin("deno"), ["fmt", "--check", "--quiet"]],
  ["lint", bin("deno"), ["lint", "--quiet"]],
  ["arrows", process.execPath, ["scripts/arrows.mjs"]],
  ["generated", process.execPath, ["scripts/generate.mjs", "--check"]],
  ["publish", process.execPath, ["scripts/publish.mjs"]],
  ["build", process.execPath, ["scripts/build.mjs", "--force"]],
  ["unit", bin("vitest"), ["run", "--reporter=dot"]],
  ["deno", process.execPath, ["scripts/test-deno.mjs"]],
  ["browser", process.execPath, ["scripts/test-browser.mjs"]],
];
const only = process.argv.slice(2);
let bad = 0;
for (const [name, command, args] of steps) {
  if (only.length && !only.includes(name)) continue;
  const began = performance.now();
  const run = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    shell: process.platform === "win32",
  });
  const ok = run.status === 0;
  if (!ok) {
    bad++;
    console.error(`${run.stdout ?? ""}${run.stderr ?? ""}`.slice(-12000));
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
}
process.exit(bad ? 1 : 0);
