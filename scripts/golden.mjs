// Writes fixtures/golden/*.json anew. Read the diff before you commit it: it is
// what a change did to every stored record.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { esbuildNpm } from "./npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
// Beside its source, so that its fixtures are found from there.
const bundle = join(ROOT, "test", `.golden-${process.pid}.mjs`);
try {
  await build({
    entryPoints: [join(ROOT, "test/golden.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "warning",
    plugins: [esbuildNpm],
  });
  const { FAMILIES, importFamily } = await import(pathToFileURL(bundle).href);
  mkdirSync(join(ROOT, "fixtures/golden"), { recursive: true });
  for (const family of FAMILIES) {
    writeFileSync(
      join(ROOT, `fixtures/golden/${family}.json`),
      JSON.stringify(await importFamily(family), null, 1) + "\n",
    );
  }
  console.log(`wrote ${FAMILIES.length} golden results`);
} finally {
  rmSync(bundle, { force: true });
}
