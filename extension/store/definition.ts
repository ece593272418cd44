/**
 * The repository's marker and the model's definition: found, or made.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import {
  ensureFolder,
  readSmall,
  statOf,
  StoreError,
  writeAtomic,
} from "./files.ts";
import { namesIn } from "./items.ts";
import { type Mapping, quickParse } from "./metadata.ts";
import {
  definitionText,
  type Layout,
  markerText,
  MODEL_NAME,
} from "./layout.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Most bytes of a marker or definition; both are small. */
const MAX_BYTES = 1024 * 1024;

function mappingIn(path: string): Mapping | undefined {
  try {
    const text = readSmall(path, MAX_BYTES);
    const value: unknown = quickParse(text) ??
      parseYaml(text, { logLevel: "silent" });
    return typeof value === "object" && value !== null &&
        !Array.isArray(value)
      ? value as Mapping
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the folder is a swamp repository. */
export function hasMarker(layout: Layout): boolean {
  return statOf(layout.marker)?.isFile() === true;
}

/** Variables of the environment. */
export type Vars = Readonly<Record<string, string | undefined>>;

/** Where a repository keeps its data, as swamp would find it. */
export type Datastore =
  /** In `.swamp`. */
  | { kind: "here" }
  /** In a folder that is laid out like `.swamp`. */
  | { kind: "folder"; path: string }
  /** In a place that only swamp reads. */
  | { kind: "other"; type: string };

/** Where the data is: `SWAMP_DATASTORE`, else what the marker says. */
export function datastoreOf(layout: Layout, vars: Vars): Datastore {
  const named = vars.SWAMP_DATASTORE;
  if (named) {
    const at = named.indexOf(":");
    return folderOf(layout, vars, {
      type: at < 0 ? named : named.slice(0, at),
      path: named.slice(at + 1),
    });
  }
  const said = mappingIn(layout.marker)?.datastore;
  if (said === undefined || said === null) return { kind: "here" };
  return folderOf(layout, vars, said as Said);
}

/** A datastore as the marker says it; nothing of it is checked yet. */
interface Said {
  type?: unknown;
  path?: unknown;
  namespace?: unknown;
  directories?: unknown;
}

function folderOf({ repo, swamp }: Layout, vars: Vars, said: Said): Datastore {
  const { type, path, namespace, directories } = said;
  const other: Datastore = { kind: "other", type: String(type ?? "unknown") };
  if (type !== "filesystem" || typeof path !== "string" || path === "") {
    return other;
  }
  if (Array.isArray(directories) && !directories.includes("data")) {
    return { kind: "here" };
  }
  let unset = false;
  const expanded = path.replace(
    /^~(?=\/|$)|\$\{([a-z_]\w*)\}|\$([a-z_]\w*)/gi,
    (_, braced?: string, bare?: string) => {
      const value = vars[braced ?? bare ?? "HOME"];
      if (!value) unset = true;
      return value ?? "";
    },
  );
  if (unset) return other;
  const folder = join(
    resolve(repo, expanded),
    typeof namespace === "string" ? namespace : "",
  );
  return folder === swamp ? { kind: "here" } : { kind: "folder", path: folder };
}

/**
 * The model's id; undefined where there is no definition yet. Throws
 * BAD_DEFINITION for one that cannot be used.
 */
export function findModelId(layout: Layout): string | undefined {
  for (const folder of [layout.definitions, layout.autoDefinitions]) {
    for (const file of namesIn(folder).sort()) {
      if (!file.endsWith(".yaml")) continue;
      const definition = mappingIn(join(folder, file));
      if (!definition) {
        if (file !== `${MODEL_NAME}.yaml`) continue;
        throw new StoreError(
          "BAD_DEFINITION",
          `${
            join(folder, file)
          } cannot be read as YAML. Mend it, or remove it to have a new one made.`,
        );
      }
      if (definition.name !== MODEL_NAME) continue;
      if (typeof definition.id === "string" && UUID.test(definition.id)) {
        return definition.id;
      }
      throw new StoreError(
        "BAD_DEFINITION",
        `${
          join(folder, file)
        } has no valid id. Mend it, or remove it to have a new one made.`,
      );
    }
  }
  return undefined;
}

/** Makes the repository marker. An existing one is left alone. */
export function makeMarker(layout: Layout): void {
  try {
    writeFileSync(
      layout.marker,
      markerText(randomUUID(), new Date().toISOString()),
      { flag: "wx" },
    );
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    if (hasMarker(layout)) return;
    throw new StoreError(
      "NO_FILE",
      `${layout.marker} is no regular file. Move it away and try again.`,
    );
  }
}

/** Makes the model's definition and returns its id. */
export function makeDefinition(layout: Layout): string {
  const id = randomUUID();
  ensureFolder(layout.definitions, layout.repo);
  writeAtomic(
    join(layout.definitions, `${MODEL_NAME}.yaml`),
    definitionText(id),
  );
  return id;
}
