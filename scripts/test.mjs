// Every test: build, unit (Node), core (Deno), browser. Ends with one line of
// totals. `npm test` and .ci/run call this.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const node = (args) => {
  const run = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const output = `${run.stdout ?? ""}${run.stderr ?? ""}`;
  process.stdout.write(output);
  return { ok: run.status === 0, output };
};

let passed = 0, failed = 0, skipped = 0;
const vitest = join(
  dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))),
  "vitest.mjs",
);
const suites = [
  ["build", ["scripts/build.mjs"]],
  ["unit", [vitest, "run", "--reporter=default"]],
  ["deno", ["scripts/test-deno.mjs"]],
  ["browser", ["scripts/test-browser.mjs"]],
  ["swamp", ["scripts/test-swamp.mjs"]],
];
for (const [name, args] of suites) {
  console.log(`\n== ${name}`);
  const { ok, output } = node(args);
  const line = name === "unit"
    ? output.match(/^\s*Tests\s+(.*)$/m)?.[1] ?? ""
    : output.match(/^\w+: (\d+ passed, \d+ failed.*)$/m)?.[1] ?? "";
  const count = (word) => Number(line.match(`(\\d+) ${word}`)?.[1] ?? 0);
  passed += count("passed");
  skipped += count("skipped");
  failed += ok ? 0 : Math.max(1, count("failed"));
}
console.log("");
console.log(
  `${passed} passed, ${failed} failed` +
    (skipped ? `, ${skipped} skipped` : ""),
);
process.exit(failed ? 1 : 0);
