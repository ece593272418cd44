/**
 * Claude Code: transcripts of every version under its `projects` folders.
 *
 * @module
 */
import type { Harness } from "../types.ts";
import { readUnit } from "./read.ts";
import { scanHome } from "./scan.ts";

/** Reads Claude Code's sessions. */
export const claude: Harness = {
  name: "claude",
  title: "Claude Code",
  scan: scanHome,
  read: readUnit,
};
