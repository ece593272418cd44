/**
 * Rollups and summaries -> how things went over time.
 *
 * A day is counted from its sessions' summaries as long as they are all there,
 * else from its rollup, which outlives them; so nothing is counted twice, and
 * a day whose sessions have expired is not lost. Days are UTC.
 *
 * @module
 */
import {
  isoTime,
  type Rollup,
  type RollupFigures,
  type Summary,
  type Tokens,
} from "../../schema/mod.ts";
import { rollupOf } from "./rollup.ts";

/** Figures of a period, a harness or a repository. */
export interface TrendFigures extends RollupFigures {
  /** Bypasses of all calls that swamp was for: bypass / (bypass + swamp); null without any. */
  bypassShare: number | null;
  /** Failed calls of all calls; null without any. */
  failedShare: number | null;
  /** Tokens; absent where only a rollup tells of some of the sessions. */
  tokens?: Tokens;
}

/** A day or a week. */
export interface TrendPeriod extends TrendFigures {
  /** Its first day that is asked for, yyyy-mm-dd. */
  from: string;
  /** Its last day that is asked for, yyyy-mm-dd. */
  to: string;
}

/** What `trends` tells. */
export interface Trends {
  /** First day. */
  since: string;
  /** Last day. */
  until: string;
  /** Length of a period. */
  by: "day" | "week";
  /** Periods with sessions, the oldest first; weeks begin on Monday. */
  periods: TrendPeriod[];
  /** All of it. */
  total: TrendFigures;
  /** By harness, most calls first. */
  harnesses: ({ name: string } & TrendFigures)[];
  /** By repository, most calls first. */
  repos: ({ name: string } & TrendFigures)[];
  /** Before and from a day on, where one is given. */
  split?: { at: string; before: TrendFigures; after: TrendFigures };
}

/** What trends are made of. */
export interface TrendInput {
  /** Stored rollups. */
  rollups: Iterable<Rollup>;
  /** Stored summaries. */
  summaries: Iterable<Summary>;
  /** First day. */
  since: string;
  /** Last day. */
  until: string;
  /** Length of a period. */
  by: "day" | "week";
  /** Only these harnesses. */
  harness?: (name: string) => boolean;
  /** Only these repositories. */
  repo?: (name: string) => boolean;
  /** Splits the whole before this day. */
  split?: string;
}

const DAY_MS = 86_400_000;

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  return isoTime(ms - weekday * DAY_MS).slice(0, 10);
}

/** The day so many days later. */
export function dayAfter(day: string, days: number): string {
  return isoTime(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS)
    .slice(0, 10);
}

type Sum = RollupFigures & { tokens: Tokens | undefined };

const zero = (): Sum => ({
  sessions: 0,
  calls: 0,
  swamp: 0,
  bypass: 0,
  mutating: 0,
  failed: 0,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
});

const FIGURES = [
  "sessions",
  "calls",
  "swamp",
  "bypass",
  "mutating",
  "failed",
] as const;
const TOKENS = ["input", "output", "cacheRead", "cacheWrite"] as const;

function add(to: Sum, figures: RollupFigures, tokens: Tokens | undefined) {
  for (const name of FIGURES) to[name] += figures[name];
  if (!tokens || !to.tokens) {
    to.tokens = undefined;
    return;
  }
  for (const name of TOKENS) to.tokens[name] += tokens[name];
  if (tokens.outputIsLowerBound) to.tokens.outputIsLowerBound = true;
}

const share = (part: number, whole: number) =>
  whole === 0 ? null : Math.round(10_000 * part / whole) / 10_000;

function figuresOf(sum: Sum): TrendFigures {
  const { tokens, ...figures } = sum;
  return {
    ...figures,
    bypassShare: share(sum.bypass, sum.bypass + sum.swamp),
    failedShare: share(sum.failed, sum.calls),
    ...(tokens ? { tokens } : {}),
  };
}

/** One harness in one repository on one day, or a part of that from a rollup. */
interface Piece {
  harness?: string;
  repo?: string;
  figures: RollupFigures;
  tokens?: Tokens;
}

/** A day's pieces, once by repository and once by harness; each adds up to the day. */
interface DayPieces {
  all: Piece[];
  harnesses: Piece[];
  repos: Piece[];
}

function fromSummaries(day: string, own: readonly Summary[]): DayPieces {
  const pieces = own.map((s): Piece => {
    const { harnesses: _h, repos: _r, categories: _c, tokens, ...figures } =
      rollupOf(day, [s]);
    return {
      harness: s.harness.name,
      repo: s.repo.name,
      figures,
      tokens,
    };
  });
  return { all: pieces, harnesses: pieces, repos: pieces };
}

function fromRollup(
  rollup: Rollup,
  { harness, repo }: TrendInput,
): DayPieces {
  const harnesses = rollup.harnesses.filter((h) => harness?.(h.name) ?? true)
    .map((h): Piece => ({ harness: h.name, figures: h }));
  const repos = rollup.repos.filter((r) => repo?.(r.name) ?? true)
    .map((r): Piece => ({ repo: r.name, figures: r }));
  // A rollup does not tell which harness worked where.
  if (harness && repo) return { all: [], harnesses: [], repos: [] };
  if (harness) return { all: harnesses, harnesses, repos: [] };
  if (repo) return { all: repos, harnesses: [], repos };
  return {
    all: [{ figures: rollup, tokens: rollup.tokens }],
    harnesses,
    repos,
  };
}

/** Tells how things went. The order of the input changes nothing. */
export function trendsOf(input: TrendInput): Trends {
  const { since, until, by, harness, repo, split } = input;
  const days = new Map<string, { summaries: Summary[]; rollup?: Rollup }>();
  const at = (day: string) => {
    if (day < since || day > until) return undefined;
    const known = days.get(day) ?? { summaries: [] };
    days.set(day, known);
    return known;
  };
  for (const summary of input.summaries) {
    at(summary.startedAt.slice(0, 10))?.summaries.push(summary);
  }
  for (const rollup of input.rollups) {
    const day = at(rollup.day);
    if (day) day.rollup = rollup;
  }
  const periods = new Map<string, Sum>();
  const harnesses = new Map<string, Sum>(), repos = new Map<string, Sum>();
  const total = zero(), before = zero(), after = zero();
  const into = (map: Map<string, Sum>, name: string): Sum => {
    const known = map.get(name) ?? zero();
    map.set(name, known);
    return known;
  };
  for (const day of [...days.keys()].sort()) {
    const { summaries, rollup } = days.get(day) ?? { summaries: [] };
    const whole = !rollup || summaries.length >= rollup.sessions;
    const pieces = whole
      ? fromSummaries(
        day,
        summaries.filter((s) =>
          (harness?.(s.harness.name) ?? true) && (repo?.(s.repo.name) ?? true)
        ),
      )
      : fromRollup(rollup, input);
    const period = by === "week" ? mondayOf(day) : day;
    for (const { figures, tokens } of pieces.all) {
      if (figures.sessions === 0) continue;
      for (
        const sum of [
          total,
          into(periods, period),
          split !== undefined && day < split ? before : after,
        ]
      ) add(sum, figures, tokens);
    }
    for (const { harness: name, figures, tokens } of pieces.harnesses) {
      if (name !== undefined) add(into(harnesses, name), figures, tokens);
    }
    for (const { repo: name, figures, tokens } of pieces.repos) {
      if (name !== undefined) add(into(repos, name), figures, tokens);
    }
  }
  const named = (map: Map<string, Sum>) =>
    [...map].map(([name, sum]) => ({ name, ...figuresOf(sum) }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
  return {
    since,
    until,
    by,
    periods: [...periods].map(([first, sum]) => {
      const last = by === "week" ? dayAfter(first, 6) : first;
      return {
        from: first < since ? since : first,
        to: last > until ? until : last,
        ...figuresOf(sum),
      };
    }),
    total: figuresOf(total),
    harnesses: named(harnesses),
    repos: named(repos),
    ...(split === undefined ? {} : {
      split: {
        at: split,
        before: figuresOf(before),
        after: figuresOf(after),
      },
    }),
  };
}
