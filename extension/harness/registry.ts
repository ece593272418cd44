/**
 * All harnesses that are read.
 *
 * @module
 */
import { claude } from "./claude/mod.ts";
import { codex } from "./codex/mod.ts";
import type { Harness } from "./types.ts";

/** Every adapter, in the order of the documentation. */
export const HARNESSES: readonly Harness[] = [claude, codex];
