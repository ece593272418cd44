/**
 * The data contract of agent sessions: what an importer writes and a reader
 * reads. Version 1.
 *
 * @module
 */
export * from "./common.ts";
export * from "./summary.ts";
export * from "./detail.ts";
export * from "./rollup.ts";
export * from "./tags.ts";
export * from "./versions.ts";
