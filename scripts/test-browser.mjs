// Runs the Playwright suite with the Chromium that scripts/chromium.mjs finds.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./chromium.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
let chromium;
try {
  chromium = await findChromium();
} catch (error) {
  console.error(error.message);
  console.log("browser: 0 passed, 1 failed");
  process.exit(1);
}
const cli = join(
  dirname(fileURLToPath(import.meta.resolve("@playwright/test/package.json"))),
  "cli.js",
);
const bench = process.argv.includes("--bench");
const run = spawnSync(process.execPath, [
  cli,
  "test",
  ...(bench ? ["bench.spec", "--workers=1"] : []),
  ...process.argv.slice(2).filter((arg) => arg !== "--bench"),
], {
  cwd: ROOT,
  encoding: "utf8",
  maxBuffer: 1 << 28,
  env: {
    ...process.env,
    CHROMIUM_PATH: chromium,
    ...(bench ? { BENCH: "1" } : {}),
  },
});
process.stdout.write(run.stdout ?? "");
process.stderr.write(run.stderr ?? "");
const count = (word) =>
  Number(run.stdout?.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
console.log(
  `browser: ${count("passed")} passed, ${
    run.status === 0 ? 0 : Math.max(1, count("failed"))
  } failed`,
);
process.exit(run.status ?? 1);
