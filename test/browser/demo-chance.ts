/** Chance that is the same every time (mulberry32, public domain). */

/** A run of chance. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  /** One of these. */
  pick<T>(from: readonly T[]): T;
  /** One of these, by weight. */
  weighted<T>(
    from: readonly (readonly [T, number])[],
  ): readonly [T, number];
}

/** Starts a run. */
export function chance(seed: number): Chance {
  let a = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <T>(from: readonly T[]): T =>
    from[Math.floor(next() * from.length)] as T;
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick,
    weighted: (from) => {
      let left = next() * from.reduce((sum, [, w]) => sum + w, 0);
      for (const entry of from) {
        left -= entry[1];
        if (left < 0) return entry;
      }
      return pick(from);
    },
  };
}
