/**
 * `metadata.yaml` of a data item, written and read.
 *
 * @module
 */
import { parse as parseYaml } from "npm:yaml@2.9.1";
import type { StoredItem } from "./port.ts";

/**
 * A YAML double-quoted scalar: a JSON string, with what YAML does not allow as
 * it is written as escapes.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** A key as it is where YAML reads it as a string, else quoted. */
function key(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) &&
      !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : quoted(name);
}

/** The text of an item's `metadata.yaml`. */
export function metadataText(item: StoredItem): string {
  const lines = [
    `id: ${item.id}`,
    `name: ${quoted(item.name)}`,
    `version: ${item.version}`,
    `contentType: ${item.contentType}`,
    `lifetime: ${item.lifetime}`,
    `garbageCollection: ${item.garbageCollection}`,
    `streaming: ${item.streaming}`,
    Object.keys(item.tags).length ? "tags:" : "tags: {}",
  ];
  for (const [name, value] of Object.entries(item.tags)) {
    lines.push(`  ${key(name)}: ${quoted(value)}`);
  }
  lines.push(
    "ownerDefinition:",
    `  ownerType: ${item.ownerDefinition.ownerType}`,
    `  ownerRef: ${quoted(item.ownerDefinition.ownerRef)}`,
    `createdAt: ${quoted(item.createdAt)}`,
    `size: ${item.size}`,
    `checksum: ${quoted(item.checksum)}`,
    "",
  );
  return lines.join("\n");
}

/** A YAML mapping; scalars may be texts. */
export type Mapping = Record<string, unknown>;

const SCALAR = /^([A-Za-z][\w-]*|"(?:[^"\\]|\\.){1,200}"):(?: (.*))?$/;

/**
 * Reads the plain subset of YAML that is written here, some ten times quicker
 * than a YAML parser; undefined for anything else.
 */
export function quickParse(text: string): Mapping | undefined {
  const top: Mapping = {};
  let into: Mapping | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const nested = line.startsWith("  ");
    const match = SCALAR.exec(nested ? line.slice(2) : line);
    if (!match || (nested && !into)) return undefined;
    try {
      const name = match[1]!.startsWith('"')
        ? JSON.parse(match[1]!) as string
        : match[1]!;
      const raw = match[2];
      const at = nested ? into! : top;
      if (raw === undefined) {
        if (nested) return undefined;
        at[name] = into = {};
      } else if (raw.startsWith('"')) at[name] = JSON.parse(raw);
      else if (raw === "{}") at[name] = {};
      else if (raw === "[]") at[name] = [];
      else if (/^[\w@./-]+$/.test(raw)) at[name] = raw;
      else return undefined;
    } catch {
      return undefined;
    }
  }
  return top;
}

const text = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
const mapping = (value: unknown): Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Mapping
    : {};

/** The item that a `metadata.yaml` describes; undefined where it is none. */
export function parseMetadata(source: string): StoredItem | undefined {
  let found = quickParse(source);
  if (!found) {
    try {
      // `core` reads times as text, which the default would not.
      found = mapping(
        parseYaml(source, { schema: "core", logLevel: "silent" }),
      );
    } catch {
      return undefined;
    }
  }
  const version = Number(text(found.version));
  const name = text(found.name);
  if (!name || !Number.isInteger(version) || version < 1) return undefined;
  const owner = mapping(found.ownerDefinition);
  const tags: Record<string, string> = {};
  for (const [tag, value] of Object.entries(mapping(found.tags))) {
    tags[tag] = text(value);
  }
  return {
    id: text(found.id),
    name,
    version,
    contentType: text(found.contentType),
    lifetime: text(found.lifetime),
    garbageCollection: Number(text(found.garbageCollection)) || 1,
    streaming: text(found.streaming) === "true",
    tags,
    ownerDefinition: {
      ownerType: text(owner.ownerType),
      ownerRef: text(owner.ownerRef),
    },
    createdAt: text(found.createdAt),
    size: Number(text(found.size)) || 0,
    checksum: text(found.checksum),
  };
}
