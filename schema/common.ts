/**
 * Scalar schemas that all records share; the constants come along.
 *
 * @module
 */
import { z } from "npm:zod@4";
import type { Tokens } from "./constants.ts";

export * from "./constants.ts";

const count = z.int().min(0);

/** A whole number from 0. */
export const countSchema: z.ZodType<number> = count;

/** ISO 8601 in UTC with milliseconds, `2026-10-05T09:12:33.120Z`. */
export const timeSchema: z.ZodType<string> = z.string().regex(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
).describe("ISO 8601, UTC, with milliseconds");

/** A non-empty string of bounded length. */
export function textSchema(limit: number): z.ZodType<string> {
  return z.string().min(1).max(limit);
}

/** A session's id: safe as a data item's name and as a file name. */
export const idSchema: z.ZodType<string> = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/,
).max(200).describe(
  "safe as a data item's name: letters, digits, `_`, `-`, single dots inside",
);

/** A schema of a type. */
export type Schema<T> = z.ZodType<T>;

const counted = z.strictObject({
  input: count.describe("input tokens that came from no cache"),
  output: count.describe("output tokens, reasoning included"),
  cacheRead: count.describe("input tokens read from the cache"),
  cacheWrite: count.describe("input tokens written to the cache"),
  outputIsLowerBound: z.literal(true).optional().describe(
    "present where the harness wrote placeholders: the real output is higher",
  ),
}).describe("tokens, each counted once; input excludes cached");

/** See {@link Tokens}; named apart, since swamp takes its name for a secret's. */
export const tokensSchema: Schema<Tokens> = counted;
