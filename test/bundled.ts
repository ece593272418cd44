/**
 * Programs for tests that need a process of their own.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { esbuildNpm } from "../scripts/npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Bundles a module of this tree for Node into `outfile`. */
export async function bundled(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    absWorkingDir: ROOT,
    plugins: [esbuildNpm],
    nodePaths: [`${ROOT}node_modules`],
    banner: {
      js:
        'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "silent",
  });
}
