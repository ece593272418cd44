/**
 * The rollup of a day: one small record, for trends only.
 *
 * @module
 */
import { z } from "npm:zod@4";
import {
  countSchema,
  SCHEMA_VERSION,
  type Tokens,
  tokensSchema,
} from "./common.ts";

/** Figures of a set of sessions. */
export interface RollupFigures {
  /** Sessions that began that day (UTC). */
  sessions: number;
  /** Their calls, subagents' included. */
  calls: number;
  /** Calls that used swamp. */
  swamp: number;
  /** Calls that went around it. */
  bypass: number;
  /** Bypasses that changed something. */
  mutating: number;
  /** Calls that failed. */
  failed: number;
}

/** One day, by the day (UTC) on which sessions began. */
export interface Rollup extends RollupFigures {
  /** Always 1. */
  schemaVersion: 1;
  /** The day, yyyy-mm-dd, UTC. */
  day: string;
  /** Calls that did neither. */
  neutral: number;
  /** Tokens of the day's sessions. */
  tokens: Tokens;
  /** Figures by harness. */
  harnesses: ({ name: string } & RollupFigures)[];
  /** Figures by repository. */
  repos: ({ name: string } & RollupFigures)[];
  /** Bypass and swamp calls by category. */
  categories: { name: string; calls: number }[];
}

const figures = {
  sessions: countSchema.describe("sessions that began that day"),
  calls: countSchema.describe("their calls, subagents' included"),
  swamp: countSchema.describe("calls that used swamp"),
  bypass: countSchema.describe("calls that went around swamp"),
  mutating: countSchema.describe("bypasses that changed something"),
  failed: countSchema.describe("calls that failed"),
};

const named = z.strictObject({
  name: z.string().min(1).max(200).describe("whose figures"),
  ...figures,
});

/** See {@link Rollup}. */
export const rollupSchema: z.ZodType<Rollup> = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION).describe("always 1"),
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/).describe("yyyy-mm-dd, UTC"),
  ...figures,
  neutral: countSchema.describe("calls that did neither"),
  tokens: tokensSchema,
  harnesses: z.array(named).describe("figures by harness"),
  repos: z.array(named).describe("figures by repository"),
  categories: z.array(
    z.strictObject({
      name: z.string().min(1).max(60).describe("the category"),
      calls: countSchema.describe("its swamp and bypass calls"),
    }),
  ).describe("swamp and bypass calls by category"),
}).describe(
  "Agent session rollup, version 1: one day's figures, for trends only.",
);
