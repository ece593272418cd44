/**
 * Where Claude Code's files are. Names are hostile: nothing is decoded from
 * them but the agent's id and the session's, and nothing is run.
 *
 * @module
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { delimiter, join } from "node:path";
import type { HarnessEnv, Problem, Scan, SourceFile } from "../types.ts";
import { isUuid } from "./ids.ts";

/** A session's file, or a subagent's that lies beside it. */
export interface TopFile {
  /** The file. */
  file: SourceFile;
  /** The folder it lies in. */
  dir: string;
  /** Its name without `.jsonl`. */
  stem: string;
}

/** A subagent's file below its session's folder. */
export interface SubFile {
  /** The file. */
  file: SourceFile;
  /** The project's folder. */
  dir: string;
  /** The name of its session's folder. */
  owner: string;
  /** The agent's id, from the file's name. */
  agent: string;
  /** Its sidecar. */
  meta?: SourceFile;
  /** The workflow's folder that it lies in. */
  workflow?: string;
}

/** All files found. */
export interface Found {
  /** Sessions' own files. */
  sessions: TopFile[];
  /** Subagents' files beside their session's. */
  flatAgents: TopFile[];
  /** Subagents' files below their session's folder. */
  agents: SubFile[];
  /** Folders looked at. */
  roots: Scan["roots"];
  /** What could not be read. */
  problems: Problem[];
}

const AGENT = /^agent-(.+)\.jsonl$/s;
/** Deeper than any version nests its folders. */
const DEPTH = 8;

/**
 * The folders that a variable names: one, or several divided by `,`, `;` or
 * the platform's own divider. A folder of that very name goes first.
 */
function namedDirs(value: string | undefined, home: string): string[] {
  if (!value) return [];
  const parts = existsSync(value)
    ? [value]
    : value.split(delimiter === ":" ? /[,;:]/ : /[,;]/);
  return parts.map((dir) => dir.trim()).filter((dir) => dir !== "")
    .map((dir) => /^~[\\/]/.test(dir) ? join(home, dir.slice(2)) : dir);
}

/** The configuration folders to look in, each once. */
export function configDirs(env: HarnessEnv): string[] {
  const { CLAUDE_CONFIG_DIR, CLAUDE_CONFIG_DIRS } = env.vars;
  const all = [
    join(env.home, ".claude"),
    join(env.home, ".config", "claude"),
    ...namedDirs(CLAUDE_CONFIG_DIR, env.home),
    ...namedDirs(CLAUDE_CONFIG_DIRS, env.home),
  ];
  const seen = new Set<string>();
  return all.filter((dir) => {
    let real = dir;
    try {
      // As the disk spells it: letters may come in either case.
      real = realpathSync.native(dir);
    } catch {
      // Does not exist: reported as such.
    }
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

/** Whether a file system's error says that there is no such folder. */
function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return code === "ENOENT" || code === "ENOTDIR";
}

/** A regular file, links followed; undefined for pipes, folders and the like. */
function sourceFile(path: string): SourceFile | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return undefined;
    return { path, size: stat.size, mtimeMs: stat.mtimeMs };
  } catch {
    return undefined;
  }
}

function isFolder(dir: string, entry: Dirent): boolean {
  if (entry.isDirectory()) return true;
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(join(dir, entry.name)).isDirectory();
  } catch {
    return false;
  }
}

class Walk {
  readonly found: Found = {
    sessions: [],
    flatAgents: [],
    agents: [],
    roots: [],
    problems: [],
  };
  #projects = new Set<string>();
  #only: string | undefined;

  constructor(only: string | undefined) {
    this.#only = only;
  }

  root(path: string, signal: AbortSignal | undefined): void {
    let projects: Dirent[];
    try {
      projects = readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const exists = !isAbsent(error);
      if (exists) this.#unreadable(path);
      this.found.roots.push({ path, exists, files: 0 });
      return;
    }
    const before = this.#count();
    for (const entry of projects) {
      signal?.throwIfAborted();
      if (isFolder(path, entry)) this.#project(join(path, entry.name));
    }
    this.found.roots.push({
      path,
      exists: true,
      files: this.#count() - before,
    });
  }

  #count(): number {
    const { sessions, flatAgents, agents } = this.found;
    return sessions.length + flatAgents.length + agents.length;
  }

  #unreadable(path: string): void {
    this.found.problems.push({
      file: path,
      code: "UNREADABLE",
      message:
        "the folder could not be listed; check its permissions and import again",
    });
  }

  #project(dir: string): void {
    let list: Dirent[];
    try {
      // The same project linked into two folders is one.
      const real = realpathSync.native(dir);
      if (this.#projects.has(real)) return;
      this.#projects.add(real);
      list = readdirSync(dir, { withFileTypes: true });
    } catch {
      this.#unreadable(dir);
      return;
    }
    if (this.#only !== undefined && !list.some((e) => this.#mayBe(e))) return;
    for (const entry of list) {
      const { name } = entry;
      if (entry.isDirectory()) {
        if (isUuid(name) && !this.#mayBe(entry)) continue;
        this.session(dir, name);
      } else if (name.endsWith(".jsonl") && name.length > 6) {
        const file = sourceFile(join(dir, name));
        if (!file) continue;
        const top = { file, dir, stem: name.slice(0, -6) };
        if (AGENT.test(name)) this.found.flatAgents.push(top);
        else this.found.sessions.push(top);
      }
    }
  }

  session(dir: string, owner: string): void {
    this.#below(join(dir, owner, "subagents"), dir, owner, 0);
  }

  /** Whether an entry can be a session that is asked for. */
  #mayBe({ name }: Dirent): boolean {
    const stem = name.endsWith(".jsonl") ? name.slice(0, -6) : name;
    const only = this.#only ?? "";
    // A file whose name is no id tells only inside whose it is.
    return stem.startsWith(only) ||
      (stem !== name && !isUuid(stem) && !AGENT.test(name));
  }

  #below(
    folder: string,
    dir: string,
    owner: string,
    depth: number,
    workflow?: string,
  ): void {
    let list: Dirent[];
    try {
      list = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (!isAbsent(error)) this.#unreadable(folder);
      return;
    }
    const names = new Set(list.map((entry) => entry.name));
    for (const entry of list) {
      const { name } = entry;
      const path = join(folder, name);
      if (entry.isDirectory()) {
        if (depth >= DEPTH) continue;
        const inWorkflows = /[\\/]workflows$/.test(folder);
        this.#below(
          path,
          dir,
          owner,
          depth + 1,
          workflow ?? (inWorkflows ? name : undefined),
        );
        continue;
      }
      const agent = AGENT.exec(name)?.[1];
      const file = agent === undefined ? undefined : sourceFile(path);
      if (agent === undefined || !file) continue;
      const sidecar = `agent-${agent}.meta.json`;
      const meta = names.has(sidecar)
        ? sourceFile(join(folder, sidecar))
        : undefined;
      this.found.agents.push({
        file,
        dir,
        owner,
        agent,
        ...(meta ? { meta } : {}),
        ...(workflow === undefined ? {} : { workflow }),
      });
    }
  }
}

/** The files of a session's subagents, in its project's folder. */
export function subagentsOf(dir: string, owner: string): SubFile[] {
  const walk = new Walk(undefined);
  walk.session(dir, owner);
  return walk.found.agents;
}

/**
 * Lists every file of a home. Folders that cannot be listed are problems. With
 * `only`, projects are passed over in which no session's id begins so.
 */
export function discover(
  env: HarnessEnv,
  signal?: AbortSignal,
  only?: string,
): Found {
  const walk = new Walk(only);
  for (const dir of configDirs(env)) walk.root(join(dir, "projects"), signal);
  return walk.found;
}
