// The opt-in suite against a real swamp, given by SWAMP_BIN.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function skip(why) {
  console.log(`swamp: skipped, ${why}`);
  process.exit(0);
}

const given = process.env.SWAMP_BIN;
if (!given) skip("no real swamp here (set SWAMP_BIN to its program)");
const program = resolve(given);
try {
  accessSync(program, constants.X_OK);
} catch {
  console.log(`swamp: 0 passed, 1 failed (SWAMP_BIN: cannot run ${program})`);
  process.exit(1);
}

const built = spawnSync(process.execPath, ["scripts/build.mjs"], {
  cwd: ROOT,
  stdio: "inherit",
});
if (built.status !== 0) process.exit(1);

const vitest = join(
  dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))),
  "vitest.mjs",
);
const run = spawnSync(
  process.execPath,
  [
    vitest,
    "run",
    "--config",
    "test/swamp/vitest.config.ts",
    "--reporter=verbose",
    ...process.argv.slice(2),
  ],
  {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, SWAMP_BIN: program, NO_COLOR: "1" },
  },
);
process.stdout.write(`${run.stdout ?? ""}${run.stderr ?? ""}`);
const line = run.stdout?.match(/^\s*Tests\s+(.*)$/m)?.[1] ?? "";
const count = (word) => Number(line.match(`(\\d+) ${word}`)?.[1] ?? 0);
const failed = count("failed") || (run.status === 0 ? 0 : 1);
console.log(`swamp: ${count("passed")} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
