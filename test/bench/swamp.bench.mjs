// What an import costs inside a real swamp, against what swamp's own writes
// cost: a method that writes the same bytes and does nothing else, one item
// after the other, and again so many at once as the import does.
//
//   SWAMP_BIN=/path/to/swamp npm run bench:swamp -- [--pairs 3] [--home FOLDER]
//     [--gen gen-corpus.mjs] [--sessions 1000] [--keep]
//
// The sessions are those of --home, else made with --gen (the corpus
// generator beside this repo, where it is there), else copies of the fixtures.
// Both methods run in one repository and start alike; each pair runs them one
// after the other, in turns which is first. CPU counts user and system, of
// everything that was started.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { values: given } = parseArgs({
  options: {
    pairs: { type: "string", default: "3" },
    home: { type: "string" },
    gen: { type: "string", default: "../shared/bench/gen-corpus.mjs" },
    sessions: { type: "string", default: "1000" },
    keep: { type: "boolean", default: false },
  },
});
if (!process.env.SWAMP_BIN) {
  console.log("bench: skipped, no real swamp here (set SWAMP_BIN)");
  process.exit(0);
}
const SWAMP = resolve(process.env.SWAMP_BIN);
const PAIRS = Math.max(1, Number(given.pairs));
const SESSIONS = Number(given.sessions);
const OURS = "@agent-observation/sessions", BASE = "@bench/baseline";
const OWNED = ["type", "specName", "modelName", "initiatedBy"];

const top = mkdtempSync(join(tmpdir(), "swamp-bench-"));
process.on("exit", () => {
  if (given.keep) console.log(`kept: ${top}`);
  else rmSync(top, { recursive: true, force: true });
});
const repo = join(top, "repo"), items = join(top, "items.jsonl");
mkdirSync(repo);
const data = join(repo, ".swamp", "data");

/** Runs swamp; its time in seconds, memory in MB, and what it said. */
function swamp(...args) {
  return new Promise((done, fail) => {
    const start = performance.now();
    // The shell's own word: it counts what was started, to the millisecond.
    const child = spawn(
      "bash",
      ["-c", 'TIMEFORMAT="bench-time %U %S"; time "$@"', "-", SWAMP, ...args],
      {
        cwd: repo,
        env: {
          ...process.env,
          HOME: top,
          NO_COLOR: "1",
          SWAMP_NO_TELEMETRY: "1",
          SWAMP_REPO_DIR: repo,
          SWAMP_DATASTORE: undefined,
          LC_ALL: "C",
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let out = "", err = "", rss = 0;
    child.stdout.on("data", (chunk) => out += chunk);
    child.stderr.on("data", (chunk) => err += chunk);
    const look = setInterval(() => rss = Math.max(rss, peak(child.pid)), 50);
    child.once("error", fail);
    child.once("close", (code) => {
      clearInterval(look);
      const time = /bench-time ([\d.]+) ([\d.]+)/.exec(err);
      if (code !== 0 || !time) {
        return fail(new Error(`swamp ${args.join(" ")}: ${out}${err}`));
      }
      done({
        wall: (performance.now() - start) / 1000,
        cpu: Number(time[1]) + Number(time[2]),
        rss,
        said: out + err,
      });
    });
  });
}

/** The most memory that any process below `pid` took so far, in MB; Linux only. */
function peak(pid) {
  let most = 0;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    for (const child of children.split(" ").filter(Boolean)) {
      const status = readFileSync(`/proc/${child}/status`, "utf8");
      const own = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
      most = Math.max(most, own || 0, peak(child));
    }
  } catch {
    // It has just ended, or this is no Linux.
  }
  return most;
}

const IDS =
  /\b[0-9a-f]{8}(?=-[0-9a-f]{4}-)|(?<=\b(?:msg|toolu|req)_01)[0-9a-f]{8}/g;
const xor = (hex, n) =>
  ((parseInt(hex, 16) ^ n) >>> 0).toString(16).padStart(8, "0");

function makeHome() {
  if (given.home) return resolve(given.home);
  const home = join(top, "home"), gen = resolve(ROOT, given.gen);
  if (existsSync(gen)) {
    const part = (n) => String(Math.round(SESSIONS * n));
    const made = spawnSync(
      process.execPath,
      [gen, home, part(0.8), part(0.12), part(0.2), part(0.04)],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    if (made.status === 0) return home;
  }
  const source = join(ROOT, "fixtures/homes/claude-nightly/home/.claude");
  const [project] = readdirSync(join(source, "projects"));
  const [file] = readdirSync(join(source, "projects", project));
  const text = readFileSync(join(source, "projects", project, file), "utf8");
  const target = join(home, ".claude/projects", project);
  mkdirSync(target, { recursive: true });
  for (let n = 0; n < SESSIONS; n++) {
    // Ids of its own for each: files that share any are taken for forks.
    const own = (part) => part.replace(IDS, (hex) => xor(hex, n));
    writeFileSync(join(target, own(file)), own(text));
  }
  return home;
}

/** An extension whose method writes prepared items, and nothing else. */
function makeBaseline() {
  const dir = join(top, "baseline");
  mkdirSync(dir);
  writeFileSync(
    join(dir, "manifest.yaml"),
    [
      "manifestVersion: 1",
      'name: "@bench/baseline"',
      'version: "2026.01.01.1"',
      "description: Writes what was prepared",
      "paths:",
      "  base: manifest",
      "models:",
      "  - baseline.ts",
      "",
    ].join("\n"),
  );
  cpSync(
    join(ROOT, "test/bench/swamp-baseline.mjs"),
    join(dir, "baseline.ts"),
  );
  return dir;
}

/** Every stored item of ours, in the order of its writing. */
function stored() {
  const type = join(data, ...OURS.split("/"));
  const found = [];
  for (const model of existsSync(type) ? readdirSync(type) : []) {
    for (const name of readdirSync(join(type, model))) {
      const dir = join(type, model, name, "1");
      if (name.startsWith(".") || !existsSync(dir)) continue;
      const { tags, lifetime, createdAt } = parse(
        readFileSync(join(dir, "metadata.yaml"), "utf8"),
      );
      const spec = tags.specName;
      for (const key of OWNED) delete tags[key];
      found.push({
        spec,
        name,
        tags,
        lifetime,
        createdAt: String(createdAt),
        raw: join(dir, "raw"),
      });
    }
  }
  return found.sort((a, b) => a.createdAt < b.createdAt ? -1 : 1);
}

/** One line a session, then one a day; the bytes of all content. */
async function prepare() {
  const out = createWriteStream(items);
  const all = stored();
  const line = ({ spec, name, tags, lifetime, raw }) =>
    `{"spec":"${spec}","name":${
      JSON.stringify(name)
    },"lifetime":"${lifetime}",` +
    `"tags":${JSON.stringify(tags)},"data":${readFileSync(raw, "utf8")}}`;
  const summaries = new Map(
    all.filter((i) => i.spec === "summary").map((i) => [i.name.slice(8), i]),
  );
  for (const item of all.filter((i) => i.spec === "detail")) {
    const summary = summaries.get(item.name.slice("detail-".length));
    out.write(`[${line(item)},${line(summary)}]\n`);
  }
  for (const item of all.filter((i) => i.spec === "rollup")) {
    out.write(`[${line(item)}]\n`);
  }
  await new Promise((done) => out.end(done));
  return summaries.size;
}

function contentBytes(type) {
  let bytes = 0, count = 0;
  const walk = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const full = join(path, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (entry.name === "raw") {
        bytes += readFileSync(full).length, count++;
      }
    }
  };
  walk(join(data, ...type.split("/")));
  return { bytes, count };
}

const clean = () => {
  rmSync(data, { recursive: true, force: true });
  rmSync(join(repo, ".swamp/outputs"), { recursive: true, force: true });
  rmSync(join(repo, ".swamp/agent-sessions"), { recursive: true, force: true });
};
const method = (model, name, input) =>
  swamp(
    ...["model", "method", "run", model, name, "--skip-reports"],
    ...["--input", JSON.stringify(input)],
  );
const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2
    ? sorted[half]
    : (sorted[half - 1] + sorted[half]) / 2;
};
const load = () => loadavg().map((n) => n.toFixed(1)).join(" ");
const told = ({ wall, cpu, rss }) =>
  `${wall.toFixed(2)} s, CPU ${cpu.toFixed(2)} s, ${rss.toFixed(0)} MB`;

/** Runs both by turns, and tells medians and ratios. */
async function pairs(title, ours, base) {
  console.log(`\n${title}`);
  const all = { ours: [], base: [] };
  for (let n = 0; n < PAIRS; n++) {
    for (const who of n % 2 ? ["base", "ours"] : ["ours", "base"]) {
      const run = await (who === "ours" ? ours : base)();
      all[who].push(run);
      const extra = /baseline: .*/.exec(run.said)?.[0] ?? "";
      console.log(
        `  ${n + 1} ${who}: ${told(run)}; load ${load()}${
          extra && `; ${extra}`
        }`,
      );
    }
  }
  const of = (who) =>
    Object.fromEntries(
      ["wall", "cpu", "rss"].map((k) => [k, median(all[who].map((r) => r[k]))]),
    );
  const a = of("ours"), b = of("base");
  console.log(`  median ours: ${told(a)}`);
  console.log(`  median base: ${told(b)}`);
  console.log(
    `  ratio: wall ${(a.wall / b.wall).toFixed(2)}, CPU ${
      (a.cpu / b.cpu).toFixed(2)
    }; of pairs: wall ${
      median(all.ours.map((r, i) => r.wall / all.base[i].wall)).toFixed(2)
    }, CPU ${
      median(all.ours.map((r, i) => r.cpu / all.base[i].cpu)).toFixed(2)
    }`,
  );
}

const home = makeHome();
await swamp("repo", "init", "--tool", "none");
await swamp("extension", "source", "add", ROOT.replace(/\/$/, ""));
await swamp("extension", "source", "add", makeBaseline());
await swamp("model", "create", OURS, "sessions");
await swamp("model", "create", BASE, "baseline");

const importing = () =>
  method("sessions", "import", { all: true, home, limit: 100_000 });
clean();
await importing();
const sessions = await prepare();
const { bytes, count } = contentBytes(OURS);
console.log(`${sessions} sessions: ${count} items, ${bytes} bytes of content`);
const writing = (atOnce) => {
  clean();
  return method("baseline", "write", { items, atOnce });
};
await writing(16);
const wrote = contentBytes(BASE);
if (wrote.bytes !== bytes || wrote.count !== count) {
  throw new Error(`the baseline wrote ${JSON.stringify(wrote)}`);
}

const first = () => {
  clean();
  return importing();
};
await pairs(
  "first import, against writing the same bytes one item after the other",
  first,
  () => writing(1),
);
await pairs(
  "first import, against writing the same bytes, 16 sessions at once as we do",
  first,
  () => writing(16),
);

clean();
await importing();
await pairs(
  "nothing changed, against a method that only asks the projected query",
  importing,
  () => method("baseline", "query", {}),
);
await pairs(
  "nothing changed, against `swamp data query` with the same projection",
  importing,
  () =>
    swamp(
      ...["data", "query", 'tags.kind == "agent-session-summary"'],
      ...["--select", "[version, tags]", "--json"],
    ),
);
