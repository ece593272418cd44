/**
 * Values of options: text -> value, or a {@link UsageError} that says what is
 * expected.
 *
 * @module
 */
import { type Mode, MODES, type Tier, TIERS } from "../../schema/mod.ts";
import { parseWhen } from "../import/text.ts";
import { UsageError } from "./errors.ts";

/** Reads a time when it is known what time it is now. */
export type When = (now: number) => number;

/**
 * `7d`, `12h`, `2w`, or a date: `2026-10-05` (local midnight),
 * `2026-10-05T09:00`, with a zone or without.
 */
export function when(text: string): When {
  if (parseWhen(text, 0) === undefined) {
    throw new UsageError(
      `${
        quote(text)
      } is no time: give 30m, 12h, 7d or 2w (so long ago), or a date such as 2026-10-05 or 2026-10-05T09:00.`,
    );
  }
  return (now) => parseWhen(text, now) ?? now;
}

/** A tier of substance. */
export function tier(text: string): Tier {
  return oneOf(text, TIERS, "tier");
}

/** A mode of a session. */
export function mode(text: string): Mode {
  return oneOf(text, MODES, "mode");
}

/** One of a list, told with its whole list otherwise. */
export function oneOf<T extends string>(
  text: string,
  all: readonly T[],
  what: string,
): T {
  const found = all.find((one) => one === text.toLowerCase());
  if (found) return found;
  throw new UsageError(
    `${quote(text)} is no ${what}: give one of ${all.join(", ")}.`,
  );
}

/** A whole number within bounds. */
export function whole(low: number, high: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (/^\d{1,9}$/.test(text) && n >= low && n <= high) return n;
    throw new UsageError(
      `${quote(text)} is not a whole number from ${low} to ${high}.`,
    );
  };
}

/** A number of per cent. */
export function perCent(text: string): number {
  const n = Number(text.replace(/%$/, ""));
  if (/^\d{1,3}(?:\.\d{1,4})?%?$/.test(text) && n <= 100) return n;
  throw new UsageError(`${quote(text)} is not a number from 0 to 100.`);
}

/** swamp's lifetime notation. */
export function lifetime(text: string): string {
  if (/^(?:[1-9]\d{0,5}(?:mo|y|h|m|d|w)|infinite)$/.test(text)) return text;
  throw new UsageError(
    `${quote(text)} is no lifetime: give 90d, 12w, 6mo, 2y or infinite.`,
  );
}

/** A user's text in a message: short and without line breaks. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
