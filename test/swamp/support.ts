/** Repositories of a real swamp, and homes to import from. */
import { spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ImportResult } from "../../extension/import/types.ts";
import { MODEL_NAME, MODEL_TYPE } from "../../extension/store/layout.ts";

/** The package. */
export const PACKAGE: string = fileURLToPath(new URL("../../", import.meta.url))
  .replace(/[\\/]$/, "");
const CLI = join(PACKAGE, "dist", "bin", "swamp-sessions.js");
const FIXTURES = join(PACKAGE, "fixtures", "homes");

/** swamp's program, checked by the script that runs this suite. */
const SWAMP = process.env.SWAMP_BIN ?? "";

const root = mkdtempSync(join(tmpdir(), "swamp-real-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

let made = 0;

/** A new empty folder. */
export function folder(name = "f"): string {
  const path = join(root, `${name}-${++made}`);
  mkdirSync(path);
  return path;
}

/** Sessions in {@link fixtureHome}. */
export const SESSIONS = 9;

/** A home that holds every authored session. */
export function fixtureHome(): string {
  const home = folder("home");
  for (const family of readdirSync(FIXTURES)) {
    cpSync(join(FIXTURES, family, "home"), home, { recursive: true });
  }
  return home;
}

/** Every file below a folder. */
export function filesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const full = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(full) : [full];
  });
}

/** Adds one more prompt to a session that no other belongs to. */
export function grow(home: string): void {
  const file = filesBelow(home).find((f) => f.includes("2cf24dba"))!;
  const last = readFileSync(file, "utf8").trimEnd().split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .findLast((record) => record.type === "user")!;
  appendFileSync(
    file,
    JSON.stringify({
      ...last,
      uuid: "11111111-1111-4111-8111-111111111111",
      parentUuid: last.uuid,
      message: { role: "user", content: "once more" },
    }) + "\n",
  );
}

/** A home with so many copies of one session. */
export function manyHome(sessions: number): string {
  const home = folder("many");
  const source = join(FIXTURES, "claude-nightly", "home", ".claude");
  const [project = ""] = readdirSync(join(source, "projects"));
  const [file = ""] = readdirSync(join(source, "projects", project));
  const text = readFileSync(join(source, "projects", project, file), "utf8");
  const id = file.replace(/\.jsonl$/, "");
  const target = join(home, ".claude", "projects", project);
  mkdirSync(target, { recursive: true });
  for (let n = 0; n < sessions; n++) {
    const other = `${String(n).padStart(8, "0")}${id.slice(8)}`;
    writeFileSync(
      join(target, `${other}.jsonl`),
      text.replaceAll(id, other),
    );
  }
  return home;
}

/** How a program ended, and what it wrote. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A program that runs. */
export interface Running {
  ended: Promise<Ended>;
  /** Sends a signal to it, and to what it started. */
  kill(signal: NodeJS.Signals): void;
  /** Everything on stdout so far. */
  out(): string;
  /** The same of both streams. */
  said(): string;
}

const ENV = {
  ...process.env,
  HOME: folder("swamp-home"),
  NO_COLOR: "1",
  SWAMP_NO_TELEMETRY: "1",
  SWAMP_BIN: SWAMP,
  SWAMP_SERVE_URL: undefined,
  SWAMP_REPO_DIR: undefined,
  SWAMP_DATASTORE: undefined,
};

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Running {
  const child = spawn(program, args, {
    cwd,
    env: { ...ENV, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a signal meets all of it.
    detached: true,
  });
  let out = "", err = "";
  child.stdout.on("data", (chunk: Uint8Array) => out += chunk.toString());
  child.stderr.on("data", (chunk: Uint8Array) => err += chunk.toString());
  return {
    out: () => out,
    said: () => out + err,
    kill: (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid!, signal);
      }
    },
    ended: new Promise((done, fail) => {
      child.once("error", fail);
      child.once("close", (code) => done({ code, out, err }));
    }),
  };
}

/** A stored item as a query tells it. */
export interface Item {
  name: string;
  version: number;
}

/** A swamp repository. */
export class Repo {
  readonly dir: string = folder("repo");
  /** Added to the environment of everything that runs here. */
  env: Record<string, string> = {};

  /** Starts swamp. */
  start(...args: string[]): Running {
    return run(SWAMP, args, this.dir, this.env);
  }

  /** Runs swamp to its end. Throws where it fails. */
  async swamp(...args: string[]): Promise<string> {
    const ended = await this.start(...args).ended;
    if (ended.code !== 0) {
      throw new Error(`swamp ${args.join(" ")}: ${ended.err}${ended.out}`);
    }
    return ended.out;
  }

  /** Starts our command line. */
  startCli(args: string[], env: Record<string, string> = {}): Running {
    return run(process.execPath, [CLI, ...args], this.dir, {
      ...this.env,
      ...env,
    });
  }

  /** Imports every session of a home through our command line. */
  async import(
    home: string,
    args: string[] = [],
    env: Record<string, string> = {},
  ): Promise<ImportResult> {
    const ended = await this.startCli(
      ["import", "--all", "--json", "--home", home, ...args],
      env,
    ).ended;
    if (ended.code !== 0) throw new Error(`import: ${ended.err}${ended.out}`);
    return JSON.parse(ended.out) as ImportResult;
  }

  /** The arguments that run a method. */
  method(name: string, input: object = {}): string[] {
    return [
      "model",
      "method",
      "run",
      MODEL_NAME,
      name,
      "--skip-reports",
      "--input",
      JSON.stringify(input),
    ];
  }

  /** Makes the repository, adds the source, creates the model. */
  async setUp(): Promise<this> {
    await this.swamp("repo", "init", "--tool", "none");
    await this.swamp("extension", "source", "add", PACKAGE);
    await this.swamp("model", "create", MODEL_TYPE, MODEL_NAME);
    return this;
  }

  /** Latest items of a kind, by swamp's own query. */
  async items(kind: "summary" | "detail" | "rollup"): Promise<Item[]> {
    const text = await this.swamp(
      "data",
      "query",
      `tags.kind == "agent-session-${kind}"`,
      "--select",
      "[name, version]",
      "--json",
    );
    const { results } = JSON.parse(text) as { results: [string, number][] };
    return results.map(([name, version]) => ({ name, version }))
      .sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** An item's content, by swamp's own command. */
  async get(name: string): Promise<unknown> {
    const text = await this.swamp("data", "get", MODEL_NAME, name, "--json");
    const { content } = JSON.parse(text) as { content: unknown };
    return typeof content === "string" ? JSON.parse(content) : content;
  }

  /** Versions on disk of every item of the model. */
  versions(data: string = join(this.dir, ".swamp", "data")): Record<
    string,
    string[]
  > {
    const type = join(data, ...MODEL_TYPE.split("/"));
    const found: Record<string, string[]> = {};
    if (!existsSync(type)) return found;
    for (const model of readdirSync(type)) {
      for (const name of readdirSync(join(type, model))) {
        // swamp's lock.
        if (name.startsWith(".")) continue;
        found[name] = readdirSync(join(type, model, name))
          // A killed swamp leaves temporary files of its own.
          .filter((n) => n !== "latest" && !n.startsWith(".")).sort();
      }
    }
    return found;
  }

  /** Every data file with its time: equal lists mean that nothing was written. */
  files(): string[] {
    const all: string[] = [];
    const walk = (path: string) => {
      for (const name of readdirSync(path)) {
        const full = join(path, name);
        const stat = statSync(full);
        if (stat.isDirectory()) walk(full);
        else if (!name.startsWith("_catalog")) {
          all.push(`${full} ${stat.mtimeMs} ${stat.size}`);
        }
      }
    };
    walk(join(this.dir, ".swamp", "data", ...MODEL_TYPE.split("/")));
    return all.sort();
  }
}

/** Waits until something holds, looking often. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 120_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error("waited in vain");
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Names of items that have another number of versions than one. */
export function notOne(versions: Record<string, string[]>): string[] {
  return Object.entries(versions).filter(([, v]) => v.length !== 1)
    .map(([name, v]) => `${name}: ${v.join(" ")}`);
}
