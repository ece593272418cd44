// Runs a TypeScript module of this project in Node, for the scripts here.
import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { esbuildNpm } from "./npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The exports of a module, by its path from the root. */
export async function loadTs(path) {
  const entry = join(ROOT, path);
  // Beside its source, so that files are found from there as ever.
  const bundle = join(
    dirname(entry),
    `.${basename(path)}-${process.pid}.mjs`,
  );
  try {
    await build({
      entryPoints: [entry],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "warning",
      plugins: [esbuildNpm],
    });
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}
