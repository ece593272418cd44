/**
 * A day's rollup from the summaries of the sessions that began that day.
 *
 * @module
 */
import {
  type Rollup,
  type RollupFigures,
  SCHEMA_VERSION,
  type Summary,
} from "../../schema/mod.ts";

const zero = (): RollupFigures => ({
  sessions: 0,
  calls: 0,
  swamp: 0,
  bypass: 0,
  mutating: 0,
  failed: 0,
});

function count(figures: RollupFigures, s: Summary): void {
  figures.sessions++;
  figures.calls += s.calls;
  figures.swamp += s.labels.swamp;
  figures.bypass += s.labels.bypass;
  figures.mutating += s.labels.mutating;
  figures.failed += s.failedCalls;
}

function at(map: Map<string, RollupFigures>, name: string): RollupFigures {
  let figures = map.get(name);
  if (!figures) map.set(name, figures = zero());
  return figures;
}

const named = (map: Map<string, RollupFigures>) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, figures]) => ({
    name,
    ...figures,
  }));

/**
 * The rollup of `day` (yyyy-mm-dd, UTC). Summaries of other days are passed
 * over, so the order and surplus of the input change nothing.
 */
export function rollupOf(day: string, summaries: Iterable<Summary>): Rollup {
  const total = zero();
  const harnesses = new Map<string, RollupFigures>();
  const repos = new Map<string, RollupFigures>();
  const categories = new Map<string, number>();
  const tokens: Rollup["tokens"] = {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
  };
  let neutral = 0;
  for (const s of summaries) {
    if (s.startedAt.slice(0, 10) !== day) continue;
    count(total, s);
    count(at(harnesses, s.harness.name), s);
    count(at(repos, s.repo.name), s);
    neutral += s.labels.neutral;
    tokens.input += s.tokens.input;
    tokens.output += s.tokens.output;
    tokens.cacheRead += s.tokens.cacheRead;
    tokens.cacheWrite += s.tokens.cacheWrite;
    if (s.tokens.outputIsLowerBound) tokens.outputIsLowerBound = true;
    for (const c of s.categories ?? []) {
      categories.set(c.name, (categories.get(c.name) ?? 0) + c.calls);
    }
  }
  return {
    schemaVersion: SCHEMA_VERSION,
    day,
    ...total,
    neutral,
    tokens,
    harnesses: named(harnesses),
    repos: named(repos),
    categories: [...categories].sort(([a, x], [b, y]) =>
      y - x || (a < b ? -1 : 1)
    ).map(([name, calls]) => ({ name, calls })),
  };
}
