/**
 * The repository's marker and the model's definition: found, or made.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import { ensureFolder, statOf, StoreError, writeAtomic } from "./files.ts";
import { namesIn } from "./items.ts";
import { type Mapping, quickParse } from "./metadata.ts";
import {
  definitionText,
  type Layout,
  markerText,
  MODEL_NAME,
} from "./layout.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function mappingIn(path: string): Mapping | undefined {
  try {
    const text = readFileSync(path, "utf8");
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

/** Whether the repository keeps its data in another place than `.swamp`. */
export function hasOtherDatastore(layout: Layout): boolean {
  const datastore = mappingIn(layout.marker)?.datastore;
  return datastore !== undefined && datastore !== null;
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
