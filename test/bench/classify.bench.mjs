// How long a command takes to read and label; and long, hostile ones.
//
//   node test/bench/classify.bench.mjs [commands.json]
//
// commands.json: a list of strings, or of objects with `cmd`; else the
// labelled commands in test/data. Times are of one thread, the best of five
// after a warm-up, so that the machine's other work counts little.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { esbuildNpm } from "../../scripts/npm-specifiers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "classify-bench-"));
const bundle = join(folder, "bundle.mjs");
await build({
  stdin: {
    contents:
      'export { classify } from "./extension/classify/mod.ts"; export { parseShell } from "./extension/shell/mod.ts";',
    resolveDir: ROOT,
    loader: "ts",
  },
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  plugins: [esbuildNpm],
  banner: {
    js:
      'import { createRequire as cr } from "node:module"; const require = cr(import.meta.url);',
  },
});
const { classify, parseShell } = await import(pathToFileURL(bundle).href);
rmSync(folder, { recursive: true });

const run = (text) => {
  const shell = parseShell(text);
  classify({ tool: "Bash", kind: "shell", text, shell });
};

const files = process.argv[2] ? [process.argv[2]] : [
  join(ROOT, "test/data/real-commands.json"),
  join(ROOT, "test/data/label-cases.json"),
];
for (const file of files) {
  const texts = JSON.parse(readFileSync(file, "utf8"))
    .map((c) => typeof c === "string" ? c : c.cmd);
  for (let i = 0; i < 5; i++) for (const text of texts) run(text);
  const times = texts.map((text) => {
    let best = Infinity;
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      run(text);
      best = Math.min(best, performance.now() - start);
    }
    return best * 1000;
  }).sort((a, b) => a - b);
  const at = (q) =>
    times[Math.min(times.length - 1, Math.floor(times.length * q))].toFixed(1);
  console.log(
    `${file}: ${times.length} commands, parse and label: median ${
      at(0.5)
    } us, p95 ${at(0.95)} us, slowest ${at(1)} us`,
  );
}

/** 40 KB of one piece, with something in front. */
const long = (piece, head = "", tail = "") =>
  head + piece.repeat(Math.ceil(40_000 / piece.length)).slice(0, 40_000) + tail;
const HOSTILE = {
  "nested substitutions": long("echo $("),
  "nested back-ticks": long("`\\`"),
  "nested expansions": long("${a:-"),
  "nested sums": long("$(("),
  "nested process substitutions": long("<("),
  "open subshells": long("("),
  "open groups": long("{ "),
  "open quotes": long("'"),
  "open ifs": long("if a; then "),
  "open functions": long("f(){ "),
  "open cases": long("case a in "),
  "heredocs": long("<<A "),
  "statements": long("a;"),
  "pipes": long("a|"),
  "assignments": long("A=$A$A "),
  "evals": long("eval "),
  "sudos": long("sudo "),
  "shells": long("bash -c '"),
  "escapes": long("\x1b[1m"),
  "PowerShell blocks": long("{(", "Get-Item "),
  "aws lines": long("aws s3 ls\n"),
  "ssh lines": long("ssh h 'a' ; "),
  "curl lines": long("curl -X POST https://a.b/c -d x; "),
  "SQL comments": long("/* ", "psql -h x -c '", "'"),
  "code": long("os.system('a ", 'python3 -c "import os\n', '"'),
  "URLs": long("http://", "curl "),
  "paths": long(".swamp/", "cat "),
  "secrets into pipes": long("op read x | "),
  "containers": long("docker run a swamp; "),
  "aliases": long("a;", "alias a=b;"),
};
let worst = ["", 0];
for (const [name, text] of Object.entries(HOSTILE)) {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const start = process.cpuUsage();
    classify({ tool: "Bash", kind: "shell", text });
    const used = process.cpuUsage(start);
    best = Math.min(best, (used.user + used.system) / 1000);
  }
  if (best > worst[1]) worst = [name, best];
}
console.log(
  `${Object.keys(HOSTILE).length} hostile texts of 40 KB: slowest ${
    worst[0]
  }, ${worst[1].toFixed(1)} ms of processor time`,
);
