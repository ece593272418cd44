// Builds what the bins need: dist/bin (command line) and dist/page (the page).
// Run by `npm install`; skips what is newer than its sources unless --force.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { esbuildNpm } from "./npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const force = process.argv.includes("--force");
const at = (...parts) => join(ROOT, ...parts);

function newest(paths) {
  let time = 0;
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const stat = statSync(path);
    time = Math.max(
      time,
      stat.isDirectory()
        ? newest(readdirSync(path).map((name) => join(path, name)))
        : stat.mtimeMs,
    );
  }
  return time;
}

const fresh = (target, sources) =>
  !force && existsSync(target) &&
  statSync(target).mtimeMs > newest(sources.map((s) => at(s)));

const shared = ["schema", "package.json", "scripts/build.mjs"];

/** Messages of zod in other languages than English are not shipped: they are a ninth of what is loaded. */
const englishOnly = {
  name: "english-only",
  setup(build) {
    build.onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ },
      () => ({ contents: 'export { default as en } from "./en.js";' }),
    );
  },
};

async function buildBins() {
  const out = at("dist/bin/swamp-sessions.js");
  if (fresh(out, [...shared, "extension", "dashboard-page/server"])) return;
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  mkdirSync(at("dist/bin"), { recursive: true });
  await build({
    entryPoints: {
      "swamp-sessions": at("extension/cli/main.ts"),
      swamp: at("extension/cli/shim.ts"),
    },
    outdir: at("dist/bin"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    legalComments: "linked",
    // Comments and blanks are read at every start; names stay for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
    define: { __VERSION__: JSON.stringify(version) },
    // Some CommonJS packages inside the bundle call require for node modules.
    banner: {
      js: [
        "#!/usr/bin/env node",
        'import { createRequire as __createRequire } from "node:module";',
        "const require = __createRequire(import.meta.url);",
      ].join("\n"),
    },
    plugins: [esbuildNpm, englishOnly],
  });
  for (const name of ["swamp-sessions", "swamp"]) {
    chmodSync(at("dist/bin", `${name}.js`), 0o755);
    // The names to type, where only this folder is put on PATH. On Windows npm
    // makes wrappers of its own, and links need rights.
    if (process.platform === "win32") continue;
    rmSync(at("dist/bin", name), { force: true });
    symlinkSync(`${name}.js`, at("dist/bin", name));
  }
  console.log("built dist/bin");
}

function buildPage() {
  const out = at("dist/page/index.html");
  if (
    fresh(out, [
      ...shared,
      "vite.config.ts",
      "dashboard-page/app",
      "dashboard-page/page",
      "dashboard-page/client",
    ])
  ) return;
  const vite = join(
    dirname(fileURLToPath(import.meta.resolve("vite/package.json"))),
    "bin/vite.js",
  );
  execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  console.log("built dist/page");
}

await buildBins();
buildPage();
