/**
 * Where programs take secrets among their arguments or on stdin.
 *
 * @module
 */
import { CLOUD_RULES } from "./argv-clouds.ts";
import { HOST_RULES } from "./argv-hosts.ts";
import type { ArgvRule } from "./argv-row.ts";
import { SERVICE_RULES } from "./argv-services.ts";

export type { ArgvRule, Part } from "./argv-row.ts";

/** All rows. */
export const ARGV_RULES: readonly ArgvRule[] = [
  ...CLOUD_RULES,
  ...SERVICE_RULES,
  ...HOST_RULES,
];
