// Writes what is generated and committed: JSON Schemas and the rule reference.
// --check fails where a committed file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadTs } from "./load-ts.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");
const { generated } = await loadTs("scripts/generated.ts");

const stale = [];
for (const [name, text] of Object.entries(generated())) {
  const path = join(ROOT, name);
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (check) stale.push(name);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${name}`);
  }
}
if (stale.length) {
  console.error(`stale: ${stale.join(", ")}; run: npm run generate`);
  process.exit(1);
}
console.log("generated files are fresh");
