/**
 * Which rollouts must be looked at for one family, or for the newest ones, by
 * their names and by which threads their first lines name: most need not be
 * parsed, many not be opened.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { closeSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { openSource } from "../lines.ts";
import type { SourceFile } from "../types.ts";
import { type Head, rolloutId } from "./head.ts";

/** As much of a first line as is looked through, in bytes. */
const LINE = 64 * 1024;
/** Names hold local times; a family may have travelled. */
const SLACK_MS = 26 * 3600_000;

/** A regular file; undefined for others, and where it is gone or out of reach. */
export function sourceFile(path: string): SourceFile | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return undefined;
    return { path, size: stat.size, mtimeMs: stat.mtimeMs };
  } catch {
    return undefined;
  }
}

/** The time in a rollout's name as if it were UTC; undefined where there is none. */
function nameTime(path: string): number | undefined {
  const m = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-/.exec(
    basename(path),
  );
  const time = m ? Date.parse(`${m[1]}T${m[2]}:${m[3]}:${m[4]}Z`) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

const hasId = (path: string): boolean =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(basename(path));

const META = Buffer.from('"session_meta"');
/** The end of every key that an id stands under: `id`, `parent_thread_id`, … */
const KEY = Buffer.from('id":"');

/** Whether a first line names one of the ids, or is too odd to tell. */
function mayName(
  path: string,
  ids: ReadonlySet<string>,
  buffer: Buffer,
): boolean {
  if (!path.endsWith(".jsonl")) return true;
  let length: number;
  try {
    const fd = openSource(path);
    try {
      length = readSync(fd, buffer, 0, LINE, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return true;
  }
  const end = buffer.subarray(0, length).indexOf(10);
  if (end < 0) return true;
  const line = buffer.subarray(0, end);
  if (!line.includes(META)) return true;
  let found = 0;
  for (let at = line.indexOf(KEY); at >= 0; at = line.indexOf(KEY, at)) {
    at += KEY.length;
    const id = line.toString("latin1", at, line.indexOf(34, at)).toLowerCase();
    if (ids.has(id)) return true;
    found++;
  }
  return found === 0;
}

/** Rollouts by their own ids, as names tell them. */
function byRollout<T>(
  items: readonly T[],
  pathOf: (item: T) => string,
): Map<string, T[]> {
  const all = new Map<string, T[]>();
  for (const item of items) {
    const id = rolloutId(pathOf(item));
    const group = all.get(id);
    if (group) group.push(item);
    else all.set(id, [item]);
  }
  return all;
}

/** The threads that a head names as above its own, or as where it goes on from. */
const above = ({ parent, fork, base }: Head): string[] =>
  [parent, fork, base].flatMap((id) => id?.toLowerCase() ?? []);

/**
 * The files with those that their heads name, and those of the same names:
 * whatever was written before a thread and belongs to it.
 */
export function withAbove(
  files: readonly SourceFile[],
  all: readonly SourceFile[],
  headOf: (file: SourceFile) => Head,
): SourceFile[] {
  const byId = byRollout(all, (file) => file.path);
  const kept = new Set(files);
  // A set is gone through to the end, whatever is added meanwhile.
  for (const file of kept) {
    for (const id of [rolloutId(file.path), ...above(headOf(file))]) {
      for (const other of byId.get(id) ?? []) kept.add(other);
    }
  }
  return [...kept];
}

/**
 * The files of every family whose root's id begins with `only`, and those that
 * histories were copied from; perhaps more. None where no name tells of any.
 */
export function narrowed(
  paths: readonly string[],
  only: string,
  headOf: (file: SourceFile) => Head,
): string[] {
  const prefix = only.toLowerCase();
  const byId = byRollout(paths, (path) => path);
  const kept = new Set<string>();
  let since = Infinity;
  for (const path of paths) {
    if (!hasId(path)) kept.add(path);
    else if (rolloutId(path).startsWith(prefix)) {
      kept.add(path);
      since = Math.min(since, nameTime(path) ?? -Infinity);
    }
  }
  if (since === Infinity) return [...kept];
  const ids = new Set<string>();
  const open = [...kept];
  const headAt = (path: string): Head | undefined => {
    const file = sourceFile(path);
    return file && headOf(file);
  };
  const take = (path: string) => {
    ids.add(rolloutId(path));
    const head = headAt(path);
    if (!head) return;
    ids.add(head.id.toLowerCase());
    // Its history, and the thread above it, may lie in older files.
    for (const id of above(head)) {
      for (const other of byId.get(id) ?? []) {
        if (!kept.has(other)) open.push(other);
        kept.add(other);
      }
    }
  };
  for (let path = open.pop(); path; path = open.pop()) take(path);
  ids.delete("");
  const buffer = Buffer.alloc(LINE);
  const later = paths.filter((path) =>
    !kept.has(path) && (nameTime(path) ?? Infinity) >= since - SLACK_MS
  ).sort((a, b) => basename(a) < basename(b) ? -1 : 1);
  // In order of time, so that children come before their own children.
  for (const path of later) {
    if (kept.has(path) || !mayName(path, ids, buffer)) continue;
    const head = headAt(path);
    if (!head) continue;
    const named = [head.id.toLowerCase(), ...above(head)];
    if (!named.some((id) => id !== "" && ids.has(id))) continue;
    kept.add(path);
    take(path);
    for (let more = open.pop(); more; more = open.pop()) take(more);
  }
  return [...kept];
}
