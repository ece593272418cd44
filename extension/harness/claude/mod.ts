/**
 * Claude Code.
 *
 * @module
 */
import type { Harness } from "../types.ts";

/** Reads Claude Code's sessions. */
export const claude: Harness = {
  name: "claude",
  title: "Claude Code",
  scan: () => Promise.resolve({ units: [], roots: [], problems: [] }),
  read: () => Promise.resolve({ subagents: [], problems: [] }),
};
