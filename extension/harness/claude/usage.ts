/**
 * Token counts of an API response.
 *
 * @module
 */
import type { TokenCounts } from "../../session/builder.ts";
import type { JsonObject } from "../lines.ts";

/** A count that can be true; everything else is none. */
const count = (value: unknown): number =>
  typeof value === "number" && value > 0 && value < 1e12
    ? Math.trunc(value)
    : 0;

/** The counts of a message's `usage`; input excludes what was cached. */
export function tokensOf(usage: JsonObject): TokenCounts {
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite: count(usage.cache_creation_input_tokens),
  };
}
