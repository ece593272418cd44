// What an import costs, beside a bare loop of JSON.parse over the same files.
//
//   npm run bench:import -- [--rounds N] [--mb N] [--sessions N] [home ...]
//
// Without homes it makes two of the given size, one of Claude Code's sessions
// and one of Codex's: by ../shared/bench/gen-corpus.mjs where that is there,
// else out of the fixtures. Every step runs in a process of its own, the steps
// in turn, so that the machine's other work meets them all alike; figures are
// medians of the rounds, of the step alone (without starting Node).
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GENERATOR = join(ROOT, "../shared/bench/gen-corpus.mjs");

/** The steps, in the order of a table's rows. */
const STEPS = {
  parse: "JSON.parse of each line",
  read: "read and build",
  dry: "and redact, label, digest",
  first: "first import",
  again: "nothing changed",
  grown: "one session grew",
};

function jsonl(folder, found = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) jsonl(path, found);
    else if (entry.name.endsWith(".jsonl")) found.push(path);
  }
  return found;
}

// One step, in a process of its own.

/** The loop to keep up with: one buffer, no value kept. */
function parseAll(home) {
  let buffer = Buffer.allocUnsafe(1 << 20), lines = 0;
  for (const file of jsonl(home)) {
    const fd = openSync(file, "r");
    let held = 0;
    for (;;) {
      if (held === buffer.length) {
        buffer = Buffer.concat([buffer], buffer.length * 2);
      }
      const read = readSync(fd, buffer, held, buffer.length - held, null);
      if (read === 0) break;
      const end = held + read;
      let from = 0;
      for (let to; (to = buffer.indexOf(10, from)) >= 0 && to < end;) {
        try {
          if (to > from) JSON.parse(buffer.toString("utf8", from, to));
        } catch {
          // Damaged lines cost it what they cost.
        }
        lines++;
        from = to + 1;
      }
      buffer.copyWithin(0, from, end);
      held = end - from;
    }
    closeSync(fd);
  }
  return lines;
}

async function readAll(product, home, whole) {
  const env = { home, vars: {} };
  const { Analyst, HARNESSES, makeRecords, pathBase, RepoFinder } = product;
  const bare = {
    call: () => ({ text: "", label: "neutral", category: "", rule: "" }),
    testOutcome: () => null,
  };
  const finder = new RepoFinder(), analyst = new Analyst();
  const base = (cwd) => pathBase(finder.find(cwd, undefined), cwd);
  let calls = 0;
  for (const harness of HARNESSES) {
    const heads = { get: () => undefined, put: () => {} };
    for (const unit of (await harness.scan(env, { heads })).units) {
      const { session: root, subagents } = await harness.read(unit, {
        analyst: whole ? analyst.at(base(unit.cwd), base) : bare,
      });
      if (!root) continue;
      calls += root.calls.size;
      if (!whole) continue;
      makeRecords({
        id: unit.id,
        root,
        subagents,
        place: finder.find(root.cwds[0], root.remote),
        fingerprint: "",
        at: 0,
      });
    }
  }
  return calls;
}

async function importAll(product, home, repo) {
  const store = await product.EmbeddedStore.open({ repo, init: true });
  const { sessions } = await product.importSessions({ repo, all: true }, {
    store,
    harnesses: product.HARNESSES,
    env: { home, vars: {} },
  });
  return `${sessions.new}+${sessions.updated}+${sessions.unchanged}`;
}

async function child([step, bundle, home, repo]) {
  const product = step === "parse"
    ? undefined
    : await import(pathToFileURL(bundle).href);
  const cpu = process.cpuUsage(), start = performance.now();
  const did = step === "parse"
    ? parseAll(home)
    : step === "read" || step === "dry"
    ? await readAll(product, home, step === "dry")
    : await importAll(product, home, repo);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({
    user: user / 1000,
    system: system / 1000,
    wall,
    rss: process.resourceUsage().maxRSS / 1024,
    did,
  }));
}

// The rounds.

async function bundled(folder) {
  const { build } = await import("esbuild");
  const { esbuildNpm } = await import("../../scripts/npm-specifiers.mjs");
  const outfile = join(folder, "product.mjs");
  await build({
    stdin: {
      contents: [
        'export * from "./extension/import/mod.ts";',
        'export { HARNESSES } from "./extension/harness/registry.ts";',
        'export { EmbeddedStore } from "./extension/store/embedded.ts";',
      ].join("\n"),
      resolveDir: ROOT,
      loader: "ts",
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [esbuildNpm],
    banner: {
      js:
        'import { createRequire as cr } from "node:module"; const require = cr(import.meta.url);',
    },
  });
  return outfile;
}

/** Copies of the fixtures under ids of their own, until there is enough. */
function multiply(harness, home, bytes) {
  const homes = join(ROOT, "fixtures/homes");
  let made = 0;
  for (let copy = 1; made < bytes; copy++) {
    const fresh = (text) =>
      text.replace(
        /\b[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-)/g,
        (_, rest) => copy.toString(16).padStart(8, "0") + rest,
      );
    for (const fixture of readdirSync(homes)) {
      if (!fixture.startsWith(harness)) continue;
      for (const file of jsonl(join(homes, fixture))) {
        const below = file.slice(join(homes, fixture).length)
          .replace(/\/([^/]+)\//g, (all) => fresh(all));
        const to = join(
          home,
          fresh(below).replace(
            "/projects/",
            `/projects/${fixture}-`,
          ),
        );
        mkdirSync(dirname(to), { recursive: true });
        const text = fresh(readFileSync(file, "utf8"));
        writeFileSync(to, text);
        made += text.length;
      }
    }
  }
}

function makeHome(folder, harness, sessions, mb) {
  const home = join(folder, harness);
  mkdirSync(home);
  if (!existsSync(GENERATOR)) {
    multiply(harness, home, mb * 1e6);
    return home;
  }
  const sizes = harness === "claude"
    ? [sessions, mb, 1, 0.01]
    : [1, 0.01, sessions, mb];
  execFileSync(process.execPath, [GENERATOR, home, ...sizes.map(String), "7"]);
  const other = harness === "claude" ? ".codex" : ".claude";
  rmSync(join(home, other), { recursive: true, force: true });
  return home;
}

/** Ends a file of middle size with its own last line again, under new ids. */
function grow(home) {
  const files = jsonl(home).filter((f) => !f.includes("/subagents/"))
    .map((path) => ({ path, ...sizeOf(path) }))
    .sort((a, b) => a.size - b.size);
  const file = files[Math.floor(files.length / 2)];
  const last = readFileSync(file.path, "utf8").trimEnd().split("\n").at(-1);
  appendFileSync(
    file.path,
    last.replace(/"uuid":"[^"]{8}/, '"uuid":"ffffffff') + "\n",
  );
  return () => {
    truncateSync(file.path, file.size);
    utimesSync(file.path, file.mtime, file.mtime);
  };
}

function sizeOf(path) {
  const { size, mtime } = statSync(path);
  return { size, mtime };
}

const median = (values) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function measure(folder, bundle, home, rounds) {
  const got = Object.fromEntries(Object.keys(STEPS).map((step) => [step, []]));
  const run = (step, repo) => {
    const made = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), "--child", step, bundle, home, repo],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    );
    if (made.status !== 0) throw new Error(`the step "${step}" failed`);
    got[step].push(JSON.parse(made.stdout));
  };
  for (let round = 0; round < rounds; round++) {
    const repo = mkdtempSync(join(folder, "repo-"));
    for (const step of ["parse", "read", "dry", "first", "again"]) {
      run(step, repo);
    }
    const back = grow(home);
    run("grown", repo);
    back();
    rmSync(repo, { recursive: true });
  }
  const files = jsonl(home);
  const size = files.reduce((sum, file) => sum + sizeOf(file).size, 0);
  console.log(
    `\n${home}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB, ` +
      `${rounds} rounds`,
  );
  console.log(
    `${
      "".padEnd(27)
    }user ms  system    wall  peak RSS  times parse (user)  did`,
  );
  for (const [step, name] of Object.entries(STEPS)) {
    const of = (field) => median(got[step].map((r) => r[field]));
    // Each round is compared with its own loop.
    const ratio = median(got[step].map((r, i) => r.user / got.parse[i].user));
    console.log([
      name.padEnd(26),
      of("user").toFixed(0).padStart(8),
      of("system").toFixed(0).padStart(8),
      of("wall").toFixed(0).padStart(8),
      `${of("rss").toFixed(0)} MB`.padStart(10),
      ratio.toFixed(2).padStart(20),
      " ",
      got[step][0].did,
    ].join(""));
  }
}

if (process.argv[2] === "--child") await child(process.argv.slice(3));
else {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      sessions: { type: "string", default: "150" },
      mb: { type: "string", default: "60" },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "import-bench-"));
  try {
    const bundle = await bundled(folder);
    const homes = positionals.length ? positionals : ["claude", "codex"]
      .map((h) => makeHome(folder, h, +values.sessions, +values.mb));
    for (const home of homes) measure(folder, bundle, home, +values.rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
