/**
 * Where swamp keeps things in a repository, and what it calls them.
 *
 * @module
 */
import { StoreError } from "./files.ts";
import type { StoredItem } from "./port.ts";
import { join } from "node:path";

/** The swamp model type of agent sessions. */
export const MODEL_TYPE = "@agent-observation/sessions";
/** The type's version, a CalVer. */
export const MODEL_VERSION = "2026.11.30.1";
/** Name of the model (its definition) in a repository. */
export const MODEL_NAME = "sessions";

/** The resource specs of the model type; each item's name begins with its spec. */
export type Spec = "summary" | "detail" | "rollup";

/** Lifetimes where nothing else is asked for. */
export const LIFETIMES: Readonly<Record<Spec, string>> = {
  summary: "90d",
  detail: "90d",
  rollup: "2y",
};

/** Lifetimes that swamp accepts for items like ours. */
export const LIFETIME_PATTERN = /^(?:[1-9]\d{0,5}(?:mo|y|h|m|d|w)|infinite)$/;

const FOLDER = ".swamp";
const MARKER = ".swamp.yaml";

/** Longest item name in bytes; names here are ASCII. */
const NAME_BYTES = 255;

/** Paths inside a repository. */
export interface Layout {
  /** The repository's folder. */
  repo: string;
  /** `.swamp.yaml`. */
  marker: string;
  /** `.swamp`. */
  swamp: string;
  /** Folder of the type's data. */
  type: string;
  /** swamp's index of all data. */
  catalog: string;
  /** Folder of the type's definitions. */
  definitions: string;
  /** Where swamp keeps definitions that it made itself. */
  autoDefinitions: string;
  /** Our own folder, never synced: index, lock, caches. */
  own: string;
}

/** The paths of a repository; `data` is where its data is, if not in `.swamp`. */
export function layoutOf(repo: string, data?: string): Layout {
  const swamp = join(repo, FOLDER);
  const base = data ?? swamp;
  return {
    repo,
    marker: join(repo, MARKER),
    swamp,
    type: join(base, "data", ...MODEL_TYPE.split("/")),
    catalog: join(swamp, "data", "_catalog.db"),
    definitions: join(repo, "models", ...MODEL_TYPE.split("/")),
    autoDefinitions: join(base, "auto-definitions", ...MODEL_TYPE.split("/")),
    own: join(swamp, "agent-sessions"),
  };
}

/** Throws BAD_NAME for what swamp would not take, or what leads elsewhere. */
export function checkName(name: string): void {
  if (
    !/^(?:summary|detail|rollup)-[A-Za-z0-9_.-]+$/.test(name) ||
    /\.\./.test(name) || name.length > NAME_BYTES
  ) {
    throw new StoreError(
      "BAD_NAME",
      `${
        JSON.stringify(name.slice(0, 80))
      } cannot be an item's name: letters, digits, "_", "-" and single dots after "summary-", "detail-" or "rollup-".`,
    );
  }
}

/** The spec of an item by its name. */
export function specOf(name: string): Spec {
  return name.slice(0, name.indexOf("-")) as Spec;
}

/** The text of a new repository marker. */
export function markerText(repoId: string, now: string): string {
  return [
    `swampVersion: 0.0.0`,
    `initializedAt: "${now}"`,
    `repoId: ${repoId}`,
    `tools: []`,
    `gitignoreManaged: false`,
    "",
  ].join("\n");
}

/** The text of a new definition. */
export function definitionText(modelId: string): string {
  return [
    `type: "${MODEL_TYPE}"`,
    `typeVersion: ${MODEL_VERSION}`,
    `id: ${modelId}`,
    `name: ${MODEL_NAME}`,
    "version: 1",
    "tags: {}",
    "globalArguments: {}",
    "methods: {}",
    "",
  ].join("\n");
}

// swamp's lifetimes.

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 2_592_000_000,
  y: 31_536_000_000,
};

/** A lifetime in milliseconds; undefined for one without an end. */
export function lifetimeMs(lifetime: string): number | undefined {
  const match = /^(\d{1,9})(mo|y|h|m|d|w)$/.exec(lifetime);
  return match ? Number(match[1]) * UNIT_MS[match[2]!]! : undefined;
}

/** When an item's lifetime ends, counted from its write; undefined for never. */
export function expiresAt(
  item: Pick<StoredItem, "createdAt" | "lifetime">,
): number | undefined {
  const length = lifetimeMs(item.lifetime);
  const written = Date.parse(item.createdAt);
  return length === undefined || Number.isNaN(written)
    ? undefined
    : written + length;
}
