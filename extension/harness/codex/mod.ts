/**
 * Codex.
 *
 * @module
 */
import type { Harness } from "../types.ts";

/** Reads Codex's sessions. */
export const codex: Harness = {
  name: "codex",
  title: "Codex",
  scan: () => Promise.resolve({ units: [], roots: [], problems: [] }),
  read: () => Promise.resolve({ subagents: [], problems: [] }),
};
