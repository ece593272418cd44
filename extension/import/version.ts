/**
 * Versions of what makes a record. A change of any makes every session be read
 * again, so that stored labels and figures are never of two makings.
 *
 * @module
 */
import { RULESET_VERSION } from "../classify/mod.ts";
import { REDACTION_VERSION } from "../redact/mod.ts";

/** Rises whenever the same files would give another record. */
export const IMPORTER_VERSION = "3";

/** The label and redaction rules together, as a summary's `source.ruleset`. */
export const RULES_VERSION: string =
  `labels ${RULESET_VERSION}, redaction ${REDACTION_VERSION}`.slice(0, 40);

/** Both, as a run tells who it was: swamp may keep an older bundle of this. */
export const IMPORTED_BY: string =
  `importer ${IMPORTER_VERSION}, ${RULES_VERSION}`;
