/**
 * swamp's lifetimes.
 *
 * @module
 */
import type { StoredItem } from "./port.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  mo: 2_592_000_000,
  y: 31_536_000_000,
};

/** A lifetime in milliseconds; undefined for one without an end. */
export function lifetimeMs(lifetime: string): number | undefined {
  const match = /^(\d{1,9})(mo|y|h|m|d|w)$/.exec(lifetime);
  return match ? Number(match[1]) * UNIT_MS[match[2]!]! : undefined;
}

/** When an item's lifetime ends, counted from its write; undefined for never. */
export function expiresAt(
  item: Pick<StoredItem, "createdAt" | "lifetime">,
): number | undefined {
  const length = lifetimeMs(item.lifetime);
  const written = Date.parse(item.createdAt);
  return length === undefined || Number.isNaN(written)
    ? undefined
    : written + length;
}
