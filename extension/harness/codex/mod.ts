/**
 * Codex: rollouts of every version under `$CODEX_HOME`, else `~/.codex`.
 *
 * @module
 */
import type { Harness } from "../types.ts";
import { read } from "./read.ts";
import { scan } from "./scan.ts";

/** Reads Codex's sessions. */
export const codex: Harness = { name: "codex", title: "Codex", scan, read };
