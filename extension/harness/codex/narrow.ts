/**
 * Which rollouts must be looked at for one family, by their names and by which
 * threads their first lines name: most need not be parsed, many not be opened.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { SourceFile } from "../types.ts";
import { type Head, rolloutId } from "./head.ts";

/** As much of a first line as is looked through, in bytes. */
const LINE = 64 * 1024;
/** Names hold local times; a family may have travelled. */
const SLACK_MS = 26 * 3600_000;

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

/** Whether a first line names one of the ids, or is too odd to tell. */
function mayName(
  file: SourceFile,
  ids: ReadonlySet<string>,
  buffer: Buffer,
): boolean {
  if (!file.path.endsWith(".jsonl")) return true;
  let length: number;
  try {
    const fd = openSync(file.path, "r");
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
  const line = buffer.toString("latin1", 0, end);
  if (!line.includes('"session_meta"')) return true;
  for (const id of ids) if (line.includes(id)) return true;
  return false;
}

/**
 * The files of every family whose root's id begins with `only`, and those that
 * histories were copied from; perhaps more. None where no name tells of any.
 */
export function narrowed(
  files: readonly SourceFile[],
  only: string,
  headOf: (file: SourceFile) => Head,
): SourceFile[] {
  const prefix = only.toLowerCase();
  const byId = new Map<string, SourceFile[]>();
  const kept = new Set<SourceFile>();
  let since = Infinity;
  for (const file of files) {
    const id = rolloutId(file.path);
    byId.set(id, [...byId.get(id) ?? [], file]);
    if (!hasId(file.path)) kept.add(file);
    else if (id.startsWith(prefix)) {
      kept.add(file);
      since = Math.min(since, nameTime(file.path) ?? -Infinity);
    }
  }
  if (since === Infinity) return [...kept];
  const ids = new Set<string>();
  const open = [...kept];
  const take = (file: SourceFile) => {
    ids.add(rolloutId(file.path));
    const { id, parent, fork, base } = headOf(file);
    if (id) ids.add(id);
    // Its history, and the thread above it, may lie in older files.
    for (const other of [parent, fork, base]) {
      for (const above of byId.get(other?.toLowerCase() ?? "") ?? []) {
        if (!kept.has(above)) open.push(above);
        kept.add(above);
      }
    }
  };
  for (let file = open.pop(); file; file = open.pop()) take(file);
  const buffer = Buffer.alloc(LINE);
  const later = files.filter((file) =>
    !kept.has(file) &&
    (nameTime(file.path) ?? Infinity) >= since - SLACK_MS
  ).sort((a, b) => basename(a.path) < basename(b.path) ? -1 : 1);
  // In order of time, so that children come before their own children.
  for (const file of later) {
    if (kept.has(file) || !mayName(file, ids, buffer)) continue;
    const { id, parent, fork, base } = headOf(file);
    if (![id, parent, fork, base].some((x) => x && ids.has(x))) continue;
    kept.add(file);
    take(file);
    for (let more = open.pop(); more; more = open.pop()) take(more);
  }
  return [...kept];
}
