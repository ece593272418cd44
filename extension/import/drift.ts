/**
 * Whether what harnesses write has changed so much that they must be read in
 * another way.
 *
 * @module
 */
import type { HarnessSurvey } from "./survey.ts";

/** Shares that tell whether what is written changed, in per cent. */
export interface Drift {
  /** Sessions looked at. */
  sessions: number;
  /** Records of unknown types, of all records. */
  unknown: number;
  /** Lines that could not be read, of all lines. */
  damaged: number;
  /** Sessions with records of unknown types. */
  sessionsWithUnknown: number;
  /** Sessions with damaged lines. */
  sessionsWithDamage: number;
}

/** The drift of all harnesses together. */
export function driftOf(surveys: readonly HarnessSurvey[]): Drift {
  const sum = (of: (s: HarnessSurvey) => number) =>
    surveys.reduce((n, survey) => n + of(survey), 0);
  const share = (n: number, all: number) => all === 0 ? 0 : 100 * n / all;
  const records = sum((s) => s.records);
  const damaged = sum((s) => s.damagedLines);
  const unknown = sum((s) =>
    Object.values(s.unknownRecords).reduce((a, b) => a + b, 0)
  );
  return {
    sessions: sum((s) => s.sessions),
    unknown: share(unknown, records),
    damaged: share(damaged, records + damaged),
    sessionsWithUnknown: sum((s) => s.sessionsWithUnknown),
    sessionsWithDamage: sum((s) => s.sessionsWithDamage),
  };
}

/** Most that is allowed unless said otherwise, in per cent. */
export const MOST_DRIFT: Pick<Drift, "unknown" | "damaged"> = {
  unknown: 1,
  damaged: 1,
};

/**
 * Where a drift is more than is allowed, in per cent: what and what to do. One
 * odd session alone is no drift, unless nothing at all is allowed.
 */
export function tooMuch(
  drift: Drift,
  most: Pick<Drift, "unknown" | "damaged">,
): string[] {
  const reasons: string[] = [];
  const check = (
    share: number,
    most: number,
    sessions: number,
    what: string,
    todo: string,
  ) => {
    if (share <= most || (sessions < 2 && most > 0)) return;
    reasons.push(
      `${share.toFixed(1)} % of ${what}, in ${sessions} session${
        sessions === 1 ? "" : "s"
      } (at most ${most} % allowed): ${todo}`,
    );
  };
  check(
    drift.unknown,
    most.unknown,
    drift.sessionsWithUnknown,
    "records are of unknown types",
    "the format has probably changed; look for a newer version of this program",
  );
  check(
    drift.damaged,
    most.damaged,
    drift.sessionsWithDamage,
    "lines are damaged",
    "look at the files named under `problems`",
  );
  return reasons;
}
