// Writes what is generated and committed: JSON Schemas and the rule reference.
// --check fails where a committed file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { esbuildNpm } from "./npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");

const bundle = join(tmpdir(), `swamp-sessions-generate-${process.pid}.mjs`);
await build({
  entryPoints: [join(ROOT, "scripts/generated.ts")],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "warning",
  plugins: [esbuildNpm],
});
const { generated } = await import(pathToFileURL(bundle).href);

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
