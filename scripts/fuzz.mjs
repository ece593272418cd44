// The property tests with other seeds: `npm run fuzz [-- ROUNDS [PATH...]]`.
// Stops at the first failure; fast-check prints its seed and smallest case.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [rounds = "10", ...paths] = process.argv.slice(2);
const listed = spawnSync("git", ["ls-files", "*.test.ts", "*.test.tsx"], {
  cwd: ROOT,
  encoding: "utf8",
}).stdout.split("\n").filter(Boolean);
const properties = listed.filter((file) =>
  (paths.length === 0 || paths.some((path) => file.startsWith(path))) &&
  readFileSync(join(ROOT, file), "utf8").includes('from "fast-check"')
);
for (let round = 1; round <= Number(rounds); round++) {
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  const run = spawnSync(
    join(ROOT, "node_modules/.bin/vitest"),
    ["run", "--reporter=dot", ...properties],
    {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      env: { ...process.env, FUZZ_SEED: seed },
      shell: process.platform === "win32",
    },
  );
  console.log(`round ${round}, seed ${seed}: ${run.status ? "FAILED" : "ok"}`);
  if (run.status) {
    console.error(`${run.stdout}${run.stderr}`.slice(-12000));
    process.exit(1);
  }
}
