/**
 * What has to be read: units whose files, or what reads them, changed since
 * they were stored.
 *
 * A fingerprint is `<content>.<root>`: a hash over the unit's files and our
 * versions, and a hash of the folder they were found under. A `!` at its end
 * says that the source is gone, a `-` in front that a part could not be read. Only the content decides whether to read; the
 * root tells which sessions may be called gone when another home is scanned.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { hash53, safeId } from "../../schema/mod.ts";
import type { Harness, Scan, SourceFile, Unit } from "../harness/types.ts";
import type { StoredSession } from "../store/port.ts";
import type { ImportProblem } from "./types.ts";
import { IMPORTER_VERSION, RULES_VERSION } from "./version.ts";

/** A unit with what it is stored under. */
export interface Planned {
  /** Its adapter. */
  harness: Harness;
  /** The unit. */
  unit: Unit;
  /** Its id in the store. */
  id: string;
  /** See the module's comment. */
  fingerprint: string;
  /** Bytes to read. */
  bytes: number;
  /** Last change of any of its files, epoch milliseconds. */
  changedAt: number;
}

/** One harness's scan. */
export interface HarnessScan {
  /** The adapter. */
  harness: Harness;
  /** What it found. */
  scan: Scan;
}

/** Content part of a fingerprint. */
export function contentOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.indexOf(".") + 1);
}

/** Whether a fingerprint says that the source is gone. */
export function saysGone(fingerprint: string): boolean {
  return fingerprint.endsWith("!");
}

/** A fingerprint of a session of which a part could not be read: to be tried again. */
export function unfinished(fingerprint: string): string {
  return `-${fingerprint}`;
}

const rootHash = (harness: string, path: string) =>
  hash53(`${harness}\0${path}`).toString(36);

/** The name of a file within its session's folder: moving a home changes nothing. */
function localName(file: SourceFile, folder: string): string {
  return file.path.startsWith(folder)
    ? file.path.slice(folder.length).replaceAll("\\", "/")
    : file.path.replace(/^.*[\\/]/, "");
}

function fingerprintOf(
  harness: Harness,
  unit: Unit,
  roots: Scan["roots"],
  rulesHash: string,
): string {
  const first = unit.files[0]?.path ?? "";
  const folder = first.replace(/[^\\/]*$/, "");
  const hash = createHash("sha256").update(
    `${IMPORTER_VERSION}\n${RULES_VERSION}\n${rulesHash}\n`,
  );
  const names = (files: readonly SourceFile[]) =>
    files.map((f) =>
      `${localName(f, folder)}\t${f.size}\t${Math.floor(f.mtimeMs)}\n`
    ).sort().join("");
  hash.update(names(unit.files)).update("needs\n").update(names(unit.needs));
  let root = "";
  for (const { path } of roots) {
    if (path.length > root.length && first.startsWith(path)) root = path;
  }
  return `${hash.digest("hex").slice(0, 24)}.${rootHash(harness.name, root)}`;
}

const total = (unit: Unit) =>
  [...unit.files, ...unit.needs].reduce((sum, f) => sum + f.size, 0);

/** Gives every unit its id and fingerprint; of two with one id the longer counts. */
export function planUnits(
  scans: readonly HarnessScan[],
  rulesHash: string,
  problems: ImportProblem[],
): Planned[] {
  const byId = new Map<string, Planned>();
  for (const { harness, scan } of scans) {
    for (const unit of scan.units) {
      let id = safeId(unit.id);
      const other = byId.get(id);
      // Two programs that use the same id are two sessions.
      if (other && other.harness !== harness) {
        id = safeId(`${harness.name}-${id}`);
      }
      const planned: Planned = {
        harness,
        unit,
        id,
        fingerprint: fingerprintOf(harness, unit, scan.roots, rulesHash),
        bytes: total(unit),
        changedAt: Math.max(0, ...unit.files.map((f) => f.mtimeMs)),
      };
      const twin = byId.get(id);
      if (twin) {
        const [kept, left] = isLonger(planned, twin)
          ? [planned, twin]
          : [twin, planned];
        byId.set(id, kept);
        problems.push({
          file: left.unit.files[0]?.path ?? "",
          code: "DUPLICATE",
          message:
            "a second file of the same session; the longer one was imported and this one left out",
        });
      } else byId.set(id, planned);
    }
  }
  return [...byId.values()];
}

function isLonger(a: Planned, b: Planned): boolean {
  return a.bytes !== b.bytes
    ? a.bytes > b.bytes
    : (a.unit.files[0]?.path ?? "") < (b.unit.files[0]?.path ?? "");
}

/**
 * Stored sessions whose source was looked for and is not there. A root that is
 * missing as a whole (another machine, an unmounted disk) says nothing, nor
 * does one where something could not be opened.
 */
export function goneSessions(
  scans: readonly HarnessScan[],
  planned: readonly Planned[],
  stored: Iterable<StoredSession>,
): StoredSession[] {
  const looked = new Set<string>();
  for (const { harness, scan } of scans) {
    if (scan.problems.some((p) => p.code === "UNREADABLE")) continue;
    for (const root of scan.roots) {
      if (root.exists) looked.add(rootHash(harness.name, root.path));
    }
  }
  const there = new Set(planned.map((p) => p.id));
  const gone: StoredSession[] = [];
  for (const session of stored) {
    const { fingerprint } = session;
    const root = fingerprint.slice(fingerprint.indexOf(".") + 1);
    if (looked.has(root) && !there.has(session.id)) gone.push(session);
  }
  return gone;
}
