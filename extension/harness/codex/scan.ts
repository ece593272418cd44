/**
 * Finds rollouts and puts those of one family together.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import type {
  HarnessEnv,
  HeadCache,
  Problem,
  ProblemCode,
  Scan,
  ScanContext,
  SourceFile,
  Unit,
} from "../types.ts";
import { newestOf } from "../types.ts";
import { type Head, knownHead, readHead, rolloutId } from "./head.ts";
import { narrowed, sourceFile, withAbove } from "./narrow.ts";

/** A thread: one session or subagent, in one file or several in order. */
export interface Thread {
  /** The thread's id. */
  id: string;
  /** Its files, the oldest first. */
  files: SourceFile[];
  /** The head of the first file. */
  head: Head;
  /** The thread whose history it begins with, in its file or elsewhere. */
  forkOf?: string;
}

/** What the reader needs of a family. */
export interface Family {
  /** The root's id. */
  root: string;
  /** All threads whose file is there; parents before their children. */
  threads: Thread[];
  /** Threads outside the family that histories were copied from. */
  sources: Thread[];
}

/** Folders deeper than this are not looked into. */
const MAX_DEPTH = 8;

const NAME = /\.jsonl(?:\.zst)?$|^rollout-.*\.json$/i;

interface Found {
  file: SourceFile;
  /** The rollout's own id by its name. */
  rollout: string;
  head: Head;
  archived: boolean;
}

/** Gives way to other work now and then, and stops when told. */
class Pace {
  #last = performance.now();
  #signal: AbortSignal | undefined;
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }
  /** To be awaited once per file or folder. */
  step(): Promise<void> | undefined {
    this.#signal?.throwIfAborted();
    if (performance.now() - this.#last < 50) return undefined;
    this.#last = performance.now();
    return nextTick();
  }
}

/** Paths of all rollouts below a folder. */
async function listFiles(
  folder: string,
  problems: Problem[],
  pace: Pace,
  depth = 0,
): Promise<string[]> {
  const files: string[] = [];
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    problems.push(problem(folder, "UNREADABLE"));
    return files;
  }
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const wait = pace.step();
    if (wait) await wait;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth >= MAX_DEPTH) continue;
      files.push(...await listFiles(path, problems, pace, depth + 1));
    } else if (NAME.test(entry.name)) {
      // Never a pipe: opening one would wait for ever.
      if (entry.isFile() || (entry.isSymbolicLink() && sourceFile(path))) {
        files.push(path);
      }
    }
  }
  return files;
}

const ADVICE: Partial<Record<ProblemCode, string>> = {
  EMPTY: "the file is empty; nothing to import",
  BINARY: "no line of the file is text that can be read; restore or remove it",
  UNREADABLE:
    "the file could not be read: check its permissions, or restore it if it is damaged",
  STREAM_CAPTURE:
    "this is the output of `codex exec --json`, not a session file; Codex keeps the session itself under sessions/",
  LINE_TOO_LONG: "the file is one object above 64 MB, which is not read",
};

function problem(file: string, code: ProblemCode, line?: number): Problem {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    code,
    message: ADVICE[code] ?? "the file holds no Codex session",
  };
}

/** Plain before compressed, live before archived, then the longer, then the newer. */
function better(a: Found, b: Found): number {
  const packed = (f: Found) => /\.zst$/i.test(f.file.path) ? 1 : 0;
  return packed(a) - packed(b) ||
    Number(a.archived) - Number(b.archived) ||
    b.file.size - a.file.size ||
    b.file.mtimeMs - a.file.mtimeMs ||
    (a.file.path < b.file.path ? -1 : 1);
}

const stem = (path: string): string => basename(path).replace(/\.zst$/i, "");

/**
 * One thread of all files with its id. Copies of one file count once; further
 * files that go on from another of the same thread are its later parts.
 */
function threadOf(id: string, found: Found[]): Thread {
  const byName = new Map<string, Found>();
  for (const one of [...found].sort(better)) {
    const name = stem(one.file.path);
    if (!byName.has(name)) byName.set(name, one);
  }
  const all = [...byName.values()];
  const own = new Set([id, ...all.map((f) => f.rollout)]);
  const later = all.filter((f) =>
    f.head.base !== undefined && own.has(f.head.base) &&
    f.head.base !== f.rollout
  );
  const first = all.find((f) => !later.includes(f));
  const parts = first ? [first, ...later.sort(earlier)] : later.sort(earlier);
  const head = parts[0]?.head ?? { v: 0, id };
  return { id, head, files: parts.map((f) => f.file) };
}

const earlier = (a: Found, b: Found): number =>
  (a.head.at ?? 0) - (b.head.at ?? 0) || (a.file.path < b.file.path ? -1 : 1);

/** All threads by id, and which thread each rollout belongs to. */
function threadsOf(found: Found[]): Map<string, Thread> {
  const groups = new Map<string, Found[]>();
  const owners = new Map<string, string>();
  for (const one of found) {
    const group = groups.get(one.head.id);
    if (group) group.push(one);
    else groups.set(one.head.id, [one]);
    owners.set(one.rollout, one.head.id);
  }
  const threads = new Map<string, Thread>();
  for (const [id, group] of groups) {
    const thread = threadOf(id, group);
    const { fork, base } = thread.head;
    const source = fork ??
      (base === undefined ? undefined : owners.get(base) ?? base);
    if (source !== undefined && source !== id) thread.forkOf = source;
    threads.set(id, thread);
  }
  return threads;
}

/** The root of a family, and how far below it a thread is. */
interface Place {
  root: string;
  depth: number;
}

/**
 * Notes the place of a thread, and of all on the way to its root. Of threads
 * that are each other's parents the smallest id is the root.
 */
function place(
  thread: Thread,
  threads: Map<string, Thread>,
  places: Map<string, Place>,
): void {
  const way: string[] = [];
  const passed = new Set<string>();
  let id = thread.id;
  while (!places.has(id) && !passed.has(id)) {
    passed.add(id);
    way.push(id);
    const parent = threads.get(id)?.head.parent;
    if (parent === undefined) places.set(id, { root: id, depth: 0 });
    else id = parent;
  }
  if (passed.has(id) && !places.has(id)) {
    const circle = way.slice(way.indexOf(id));
    const first = circle.reduce((a, b) => a < b ? a : b);
    const at = circle.indexOf(first);
    circle.forEach((member, i) =>
      places.set(member, {
        root: first,
        depth: (at - i + circle.length) % circle.length,
      })
    );
  }
  for (let above = places.get(id); above && way.length > 0;) {
    const next = way.pop() ?? "";
    const known = places.get(next);
    if (!known) {
      places.set(next, { root: above.root, depth: above.depth + 1 });
    }
    above = places.get(next);
  }
}

function unitsOf(threads: Map<string, Thread>): Unit[] {
  const places = new Map<string, Place>();
  const families = new Map<string, { thread: Thread; depth: number }[]>();
  for (const thread of threads.values()) {
    place(thread, threads, places);
    const { root, depth } = places.get(thread.id) ??
      { root: thread.id, depth: 0 };
    const family = families.get(root);
    if (family) family.push({ thread, depth });
    else families.set(root, [{ thread, depth }]);
  }
  return [...families].map(([root, members]) => {
    members.sort((a, b) =>
      a.depth - b.depth ||
      (a.thread.head.at ?? 0) - (b.thread.head.at ?? 0) ||
      (a.thread.id < b.thread.id ? -1 : 1)
    );
    return unitOf(root, members.map((m) => m.thread), threads);
  });
}

function unitOf(
  root: string,
  members: Thread[],
  threads: Map<string, Thread>,
): Unit {
  const inside = new Set(members.map((t) => t.id));
  const sources = new Map<string, Thread>();
  for (const { head } of members) {
    // Where the own part is marked, the source need not be looked at.
    if (head.fork === undefined || head.base !== undefined) continue;
    if (head.ordinal !== undefined || inside.has(head.fork)) continue;
    const source = threads.get(head.fork);
    if (source) sources.set(source.id, source);
  }
  const family: Family = {
    root,
    threads: members,
    sources: [...sources.values()],
  };
  // A root whose file is gone lends its place to its oldest child.
  const told = members[0]?.head;
  return {
    harness: "codex",
    id: root,
    files: members.flatMap((t) => t.files),
    needs: family.sources.flatMap((t) => t.files),
    ...(told?.cwd === undefined ? {} : { cwd: told.cwd }),
    ...(told?.at === undefined ? {} : { startedAt: told.at }),
    state: family,
  };
}

/** The folder that Codex keeps its files in. */
function codexHome(env: HarnessEnv): string {
  const moved = env.vars["CODEX_HOME"];
  return moved ? resolve(moved) : join(env.home, ".codex");
}

/** A file's head, remembered or read. */
function headOf(file: SourceFile, heads: HeadCache): Head {
  const known = knownHead(heads.get(file));
  if (known) return known;
  const head = readHead(file);
  // What could not be read may be readable next time.
  if (head.refused?.code !== "UNREADABLE") heads.put(file, head);
  return head;
}

/** Finds the sessions of a home. */
export async function scan(
  env: HarnessEnv,
  context: ScanContext,
): Promise<Scan> {
  const home = codexHome(env);
  const problems: Problem[] = [];
  const found: Found[] = [];
  const roots: Scan["roots"] = [];
  const pace = new Pace(context.signal);
  const archived = join(home, "archived_sessions");
  const paths: string[] = [];
  for (const path of [join(home, "sessions"), archived]) {
    const exists = existsSync(path);
    const below = exists ? await listFiles(path, problems, pace) : [];
    roots.push({ path, exists, files: below.length });
    paths.push(...below);
  }
  const { only, heads, newest = Infinity } = context;
  const headAt = (file: SourceFile) => headOf(file, heads);
  const all: SourceFile[] = [];
  for (
    const path of only === undefined ? paths : narrowed(paths, only, headAt)
  ) {
    const wait = pace.step();
    if (wait) await wait;
    const file = sourceFile(path);
    if (file) all.push(file);
  }
  const { kept, since } = newestOf(all, newest, (file) => file.mtimeMs);
  for (
    const file of since === undefined ? kept : withAbove(kept, all, headAt)
  ) {
    const wait = pace.step();
    if (wait) await wait;
    const head = headOf(file, heads);
    if (head.refused) {
      const { code, line } = head.refused;
      problems.push(problem(file.path, code, line));
    } else {
      found.push({
        file,
        head,
        rollout: rolloutId(file.path),
        archived: file.path.startsWith(archived),
      });
    }
  }
  const units = unitsOf(threadsOf(found));
  return {
    units: only === undefined
      ? units
      : units.filter(({ id }) => id.startsWith(only)),
    roots,
    problems,
    ...(since === undefined ? {} : { since }),
  };
}
