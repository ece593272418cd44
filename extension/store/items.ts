/**
 * Data items on disk, exactly as swamp lays them out:
 * `<name>/<version>/{raw,metadata.yaml}` and `<name>/latest`.
 *
 * A version appears by one rename of a finished folder, `latest` follows, and
 * only then older versions go, so that a reader meets a whole item at any time.
 *
 * @module
 */
import { createHash, randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Tags } from "../../schema/mod.ts";
import {
  isMissing,
  isTempName,
  lstatOf,
  putInPlace,
  readSmall,
  StoreError,
  tempName,
  writeAtomic,
} from "./files.ts";
import { checkName, MODEL_NAME, specOf } from "./layout.ts";
import { metadataText, parseMetadata } from "./metadata.ts";
import type { StoredItem } from "./port.ts";

/** Names in a folder; none where there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const VERSION = /^[1-9]\d{0,8}$/;

const isFolder = (path: string): boolean =>
  lstatOf(path)?.isDirectory() === true;

/** Versions that are folders; a file or a link of such a name is none. */
const versionsOf = (folder: string): number[] =>
  namesIn(folder).filter((n) => VERSION.test(n) && isFolder(join(folder, n)))
    .map(Number).sort((a, b) => a - b);

/** Most bytes of a marker or metadata, and of an item's content. */
const MAX_SMALL = 1024 * 1024, MAX_CONTENT = 256 * 1024 * 1024;

const textOf = (path: string, max = MAX_SMALL): string | undefined => {
  try {
    return readSmall(path, max, true);
  } catch {
    return undefined;
  }
};

/** The version that `latest` names, where it is there. */
function namedVersion(folder: string): number | undefined {
  const marker = join(folder, "latest");
  let text = textOf(marker);
  if (text === undefined) {
    try {
      // Older swamps used a link.
      text = readlinkSync(marker);
    } catch {
      // Neither: look at the folders.
    }
  }
  const version = /^\s*([1-9]\d{0,8})\/?\s*$/.exec(text ?? "")?.[1];
  return version && isFolder(join(folder, version))
    ? Number(version)
    : undefined;
}

/** The version that `latest` names, else the highest; undefined for none. */
export function latestVersion(folder: string): number | undefined {
  return namedVersion(folder) ?? versionsOf(folder).at(-1);
}

/** An item's metadata; undefined where there is no whole one. */
export function readItem(
  folder: string,
  version: number | undefined = latestVersion(folder),
): StoredItem | undefined {
  const text = fileOf(folder, version, "metadata.yaml", MAX_SMALL);
  return text === undefined ? undefined : parseMetadata(text);
}

/** An item's content; undefined where there is none. */
export function readContent(
  folder: string,
  version: number | undefined = latestVersion(folder),
): string | undefined {
  return fileOf(folder, version, "raw", MAX_CONTENT);
}

/** A file of a version, which may not be a link to another folder. */
function fileOf(
  folder: string,
  version: number | undefined,
  name: string,
  max: number,
): string | undefined {
  if (version === undefined) return undefined;
  const path = join(folder, String(version));
  return isFolder(path) ? textOf(join(path, name), max) : undefined;
}

/** SHA-256, hex. */
export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What to write. */
export interface NewItem {
  /** Its name. */
  name: string;
  /** Its content, JSON. */
  content: string;
  /** Tags of its own. */
  tags: Tags;
  /** swamp's notation. */
  lifetime: string;
  /** The model's id. */
  modelId: string;
}

/** Writes the next version of an item; older ones are still there afterwards. */
export function writeItem(modelFolder: string, item: NewItem): StoredItem {
  checkName(item.name);
  const folder = join(modelFolder, item.name);
  const stat = lstatOf(folder);
  if (stat && !stat.isDirectory()) {
    throw new StoreError(
      "OUTSIDE",
      `${folder} is not a folder (a link?), so nothing is written there. Remove it and import again.`,
    );
  }
  const version = stat ? (versionsOf(folder).at(-1) ?? 0) + 1 : 1;
  if (!VERSION.test(String(version))) {
    throw new StoreError(
      "BAD_NAME",
      `${folder} holds a version so high that none can follow. Remove it and import again.`,
    );
  }
  const content = new TextEncoder().encode(item.content);
  const stored: StoredItem = {
    id: randomUUID(),
    name: item.name,
    version,
    contentType: "application/json",
    lifetime: item.lifetime,
    garbageCollection: 1,
    streaming: false,
    tags: {
      type: "resource",
      specName: specOf(item.name),
      modelName: MODEL_NAME,
      // What swamp writes for a run by nobody who is logged in.
      initiatedBy: "ghost",
      ...item.tags,
    },
    ownerDefinition: { ownerType: "model-method", ownerRef: item.modelId },
    createdAt: new Date().toISOString(),
    size: content.byteLength,
    checksum: sha256(content),
  };
  if (!stat) mkdirSync(folder);
  const temp = join(folder, tempName());
  mkdirSync(temp);
  try {
    writeFileSync(join(temp, "raw"), content, { flag: "wx" });
    writeFileSync(join(temp, "metadata.yaml"), metadataText(stored), {
      flag: "wx",
    });
    putInPlace(temp, join(folder, String(version)));
  } catch (error) {
    rmSync(temp, { recursive: true, force: true });
    throw error;
  }
  writeAtomic(join(folder, "latest"), String(version), { own: true });
  return stored;
}

/**
 * Removes an item's older versions and what a killed run left behind; a whole
 * newest version that `latest` does not name yet becomes the latest. Returns
 * how many versions went.
 */
export function sweepItem(folder: string): number {
  let removed = 0;
  let latest = namedVersion(folder);
  const newest = versionsOf(folder).at(-1);
  if (newest !== undefined && newest !== latest && readItem(folder, newest)) {
    writeAtomic(join(folder, "latest"), String(newest), { own: true });
    latest = newest;
  }
  for (const name of namesIn(folder)) {
    const version = VERSION.test(name);
    const old = version && latest !== undefined && Number(name) < latest;
    const strange = version && !isFolder(join(folder, name)) ||
      name === "latest" && latest === undefined && isFolder(join(folder, name));
    if (!old && !strange && !isTempName(name)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
    if (old) removed++;
  }
  if (newest === undefined && namesIn(folder).length === 0) {
    rmSync(folder, { recursive: true, force: true });
  }
  return removed;
}
