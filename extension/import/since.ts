/**
 * Points in time as people write them.
 *
 * @module
 */

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const DATE =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * `30m`, `12h`, `7d`, `2w` before `now`, or an ISO date with or without a time
 * (local unless it names a zone), as epoch milliseconds; undefined for
 * anything else.
 */
export function parseWhen(text: string, now: number): number | undefined {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago) return now - Number(ago[1]) * UNIT_MS[ago[2]!]!;
  if (!DATE.test(text)) return undefined;
  // `Date.parse` takes a date alone for UTC; people mean their own midnight.
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(at) ? undefined : at;
}
