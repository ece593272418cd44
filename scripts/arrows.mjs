// Checks that imports between rooms point only where this table allows, and
// that the pure rooms touch no file, clock, environment or runtime global.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What the importer, and all above it, may use. */
const LOWER = [
  "schema",
  "extension/session",
  "extension/shell",
  "extension/redact",
  "extension/classify",
  "extension/digest",
  "extension/findings",
  "extension/harness",
  "extension/store",
];

/** room -> rooms it may import. A room may always import itself. */
export const ARROWS = {
  "schema": [],
  "extension/session": ["schema"],
  "extension/shell": ["schema"],
  "extension/redact": ["schema", "extension/shell"],
  "extension/classify": ["schema", "extension/session", "extension/shell"],
  "extension/digest": ["schema", "extension/session", "extension/shell"],
  "extension/findings": ["schema", "extension/session"],
  "extension/harness": ["schema", "extension/session"],
  "extension/store": ["schema"],
  "extension/import": [...LOWER],
  "extension/models": [...LOWER, "extension/import"],
  "extension/cli": [...LOWER, "extension/import", "dashboard-page/server"],
  "dashboard-page/client": ["schema"],
  "dashboard-page/page": ["schema", "dashboard-page/client"],
  "dashboard-page/app": [
    "schema",
    "dashboard-page/client",
    "dashboard-page/page",
  ],
  "dashboard-page/server": ["schema", "extension/import", "extension/store"],
};

/** Rooms whose shipped files are pure functions of their input. */
export const PURE = [
  "schema",
  "extension/session",
  "extension/shell",
  "extension/redact",
  "extension/classify",
  "extension/digest",
  "extension/findings",
];

const IMPURE = [
  [/from\s+"node:/, "a node: module"],
  [/\bprocess\./, "process"],
  [/\bDeno\./, "Deno"],
  [/\bDate\.now\(/, "the clock"],
  [/\bnew Date\(\)/, "the clock"],
  [/\bperformance\.now\(/, "the clock"],
  [/\bMath\.random\(/, "chance"],
  [/\bfetch\(/, "the network"],
  [/\b(?:window|document|localStorage)\./, "a browser global"],
];

const roomOf = (file) =>
  Object.keys(ARROWS).find((room) => file.startsWith(room + "/"));

function* sources(dir) {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) {
      if (name !== "node_modules") yield* sources(path);
    } else if (/\.tsx?$/.test(name)) yield path;
  }
}

export function check() {
  const problems = [];
  let files = 0;
  for (const top of ["schema", "extension", "dashboard-page"]) {
    for (const path of sources(join(ROOT, top))) {
      const file = relative(ROOT, path).split(sep).join(posix.sep);
      const room = roomOf(file);
      if (!room) {
        problems.push(`${file}: lies in no room of the table`);
        continue;
      }
      files++;
      // Tests may reach across rooms: they are no part of the product.
      if (/\.test\.tsx?$|_test\.tsx?$/.test(file)) continue;
      const text = readFileSync(path, "utf8");
      for (
        const m of text.matchAll(
          /(?:^|\n)\s*(?:import|export)\b[^;"']*?["'](\.[^"']+)["']/g,
        )
      ) {
        const target = relative(ROOT, resolve(dirname(path), m[1]))
          .split(sep).join(posix.sep);
        const to = roomOf(target);
        if (!to) {
          if (!/\.(css|json)$/.test(target)) {
            problems.push(`${file}: imports ${target}, which lies in no room`);
          }
        } else if (to !== room && !ARROWS[room].includes(to)) {
          problems.push(`${file}: ${room} may not import ${to}`);
        }
      }
      if (PURE.includes(room)) {
        const code = text.replace(/\/\*[\s\S]*?\*\/|(^|[^:])\/\/[^\n]*/g, "$1");
        for (const [pattern, what] of IMPURE) {
          if (pattern.test(code)) {
            problems.push(`${file}: a pure room must not touch ${what}`);
          }
        }
      }
    }
  }
  return { files, problems };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, problems } = check();
  for (const p of problems) console.error(p);
  console.log(
    problems.length
      ? `arrows: ${problems.length} problems in ${files} files`
      : `arrows: ${files} files, all as allowed`,
  );
  process.exit(problems.length ? 1 : 0);
}
