/**
 * Arguments of the model and its methods.
 *
 * @module
 */
import { z } from "npm:zod@4";
import { MODES, TIERS } from "../../schema/mod.ts";
import { checkRules } from "../classify/mod.ts";
import { MOST_DRIFT } from "../import/mod.ts";
import { LIFETIME_PATTERN, LIFETIMES } from "../store/layout.ts";

const home = z.string().optional().describe(
  "the home folder whose sessions are read; the user's own by default",
);
const since = z.string().optional().describe(
  "only sessions active since: 7d, 24h or a date",
);
const until = z.string().optional().describe(
  "only sessions begun before: 7d, 24h or a date",
);
const harness = z.array(z.string()).default([]).describe(
  "only these harnesses: claude, codex",
);
const lifetime = z.string().regex(LIFETIME_PATTERN, {
  message: "must be a lifetime: 90d, 12w, 6mo, 2y or infinite",
});
const kept = lifetime.default(LIFETIMES.summary).describe(
  "how long sessions are kept: 90d, 12w, 2y, infinite",
);
const limit = z.int().min(1).max(100_000).default(1000).describe(
  "at most so many sessions are stored in this run; the result says what is left",
);
const after = z.string().max(400).optional().describe(
  "`next` of the run before: carries on where its limit stopped it",
);
const percent = z.number().min(0).max(100);

/** Global arguments of a definition. */
export interface GlobalArguments {
  /** Rules of this repository's own, as in `.swamp-sessions.yaml`. */
  rules?: Record<string, unknown>[];
  /** How long sessions are kept, unless a method is told otherwise. */
  lifetime?: string;
}

/** Checks {@link GlobalArguments}. */
export const globalArguments: z.ZodType<GlobalArguments> = z.object({
  rules: z.array(z.record(z.string(), z.unknown())).optional().superRefine(
    (rows, context) => {
      for (const { path, message } of checkRules(rows ?? [], "rules").found) {
        context.addIssue({ code: "custom", path, message });
      }
    },
  ).describe("rules for labels, each a row as in .swamp-sessions.yaml"),
  lifetime: lifetime.optional().describe("how long sessions are kept"),
});

/** Arguments of `import`. */
export interface ImportArguments {
  /** Every repository's sessions, not only this one's. */
  all: boolean;
  /** Only these harnesses; all where empty. */
  harness: string[];
  /** Only sessions active since. */
  since?: string;
  /** Only sessions begun before. */
  until?: string;
  /** Only this mode. */
  mode?: typeof MODES[number];
  /** Only from this tier up. */
  minSubstance?: typeof TIERS[number];
  /** Not sessions in these folders or repositories. */
  exclude: string[];
  /** How long they are kept. */
  lifetime: string;
  /** Most sessions stored in this run. */
  limit: number;
  /** Where to carry on. */
  after?: string;
  /** Plan and count only. */
  dryRun: boolean;
  /** Read every session again. */
  force: boolean;
  /** Whose sessions. */
  home?: string;
}

/** Checks {@link ImportArguments}. */
export const importArguments: z.ZodType<ImportArguments> = z.object({
  all: z.boolean().default(false).describe(
    "every repository's sessions, not only this one's",
  ),
  harness,
  since,
  until,
  mode: z.enum(MODES).optional().describe("only this mode"),
  minSubstance: z.enum(TIERS).optional().describe("this tier and above"),
  exclude: z.array(z.string()).default([]).describe(
    "globs over working directories and repositories' names: not these",
  ),
  lifetime: kept,
  limit,
  after,
  dryRun: z.boolean().default(false).describe("plan and count only"),
  force: z.boolean().default(false).describe(
    "read every session again, and replace what a newer importer wrote",
  ),
  home,
});

/** Arguments of `relabel`. */
export interface RelabelArguments {
  /** How long they are kept. */
  lifetime: string;
  /** Most sessions stored in this run. */
  limit: number;
  /** Where to carry on. */
  after?: string;
  /** Whose sessions. */
  home?: string;
}

/** Checks {@link RelabelArguments}. */
export const relabelArguments: z.ZodType<RelabelArguments> = z.object({
  lifetime: kept,
  limit,
  after,
  home,
});

/** Arguments of `doctor`. */
export interface DoctorArguments {
  /** Only these harnesses; all where empty. */
  harness: string[];
  /** Only sessions active since. */
  since?: string;
  /** Only sessions begun before. */
  until?: string;
  /** Most records of unknown types, in per cent of all. */
  maxUnknown: number;
  /** Most damaged lines, in per cent of all. */
  maxDamaged: number;
  /** Whose sessions. */
  home?: string;
}

/** Checks {@link DoctorArguments}. */
export const doctorArguments: z.ZodType<DoctorArguments> = z.object({
  harness,
  since,
  until,
  maxUnknown: percent.default(MOST_DRIFT.unknown).describe(
    "most records of unknown types, in per cent of all",
  ),
  maxDamaged: percent.default(MOST_DRIFT.damaged).describe(
    "most damaged lines, in per cent of all",
  ),
  home,
});

/** Arguments of `extract`. */
export interface ExtractArguments {
  /** The session's id, or its beginning. */
  id: string;
  /** Wrap the digest in this prompt. */
  prompt?: "handoff" | "memory";
  /** Add the transcript's first part. */
  full: boolean;
  /** Add this part: `2` or `2/5`. */
  segment?: string;
  /** Whose sessions. */
  home?: string;
}

/** Checks {@link ExtractArguments}. */
export const extractArguments: z.ZodType<ExtractArguments> = z.object({
  id: z.string().min(1).max(200).describe(
    "the session's id, or its beginning",
  ),
  prompt: z.enum(["handoff", "memory"]).optional().describe(
    "wrap it in a prompt that is ready to be sent to a model",
  ),
  full: z.boolean().default(false).describe("add the transcript's first part"),
  segment: z.string().regex(/^[1-9]\d{0,5}(?:\/[1-9]\d{0,5})?$/).optional()
    .describe("add this part of the transcript: 2, or 2/5"),
  home,
});
