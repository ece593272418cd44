/**
 * `trends`: how things went over time, from what is stored.
 *
 * @module
 */
import {
  readRecord,
  type Rollup,
  ROLLUP_KIND,
  type Summary,
} from "../../../schema/mod.ts";
import { trendsOf } from "../../digest/trends.ts";
import { globMatcher } from "../../import/paths.ts";
import type { EmbeddedStore } from "../../store/embedded.ts";
import { type AnyCommand, command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { toJson } from "../json.ts";
import { LineWriter } from "../lines-out.ts";
import { SELECTION, value } from "../options.ts";
import { repoDir } from "../place.ts";
import { harnessNames } from "../scan.ts";
import { openStored, storedSummaries } from "../stored.ts";
import { trendLines } from "../trends-text.ts";
import { oneOf, type When, when } from "../values.ts";

const DAY_MS = 86_400_000;
/** Days told where nothing is said. */
const DAYS = 90;
/** So many days at most are told one by one where nothing is said. */
const BY_DAY = 31;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** See the module. */
export const trends: AnyCommand = command({
  name: "trends",
  summary: "how calls, bypasses, failures and tokens went over time",
  about:
    `Adds up what is stored in this repo, by day or week, by agent program and by
repo. A day whose sessions have expired is told from its rollup, which is kept
for two years. Days are UTC; a session counts on the day it began.

The share of bypasses is of the calls that swamp is for: bypass / (bypass +
swamp). --before-after compares two times, say before and after a model was
made.`,
  options: {
    harness: SELECTION.harness,
    since: value("when", "from then on: 90d (the default), 4w or a date", when),
    until: value("when", "up to then: same forms", when),
    "before-after": value("date", "compare before that day with after", when),
    by: value(
      "step",
      "day or week (day up to a month, else week)",
      (text) => oneOf(text, ["day", "week"] as const, "step"),
    ),
    repo: value(
      "name",
      "only sessions in repos of this name (* is a wildcard)",
      (t) => t,
    ),
  },
  examples: [
    ["trends", "the last 90 days, by week"],
    ["trends --since 14d --by day", "two weeks, day by day"],
    ["trends --before-after 2026-10-01", "did it get better?"],
    ["trends --json", "one object"],
  ],
  async run(context, values) {
    const { io } = context;
    harnessNames(values.harness);
    const now = io.now();
    const at = (given: When | undefined) =>
      given === undefined ? undefined : localDay(given(now));
    const since = at(values.since) ?? dayOf(now - DAYS * DAY_MS);
    // The day named is not in it any more.
    const until = values.until ? localDay(values.until(now) - 1) : dayOf(now);
    const split = at(values["before-after"]);
    if (since > until) {
      throw new UsageError(
        `No day lies from ${since} on and before ${
          localDay(values.until?.(now) ?? now)
        }: --since must be before --until.`,
      );
    }
    const store = await openStored(repoDir(io, values), io.env);
    const { summaries } = await storedSummaries(store);
    const rollups = await storedRollups(store, since, until);
    const days = (Date.parse(until) - Date.parse(since)) / DAY_MS;
    const repo = values.repo === undefined
      ? undefined
      : globMatcher(values.repo.toLowerCase());
    const by = values.by ?? (days <= BY_DAY ? "day" : "week");
    const found = trendsOf({
      rollups,
      summaries: within(summaries, since, until),
      since,
      until,
      by,
      ...(values.harness.length > 0
        ? { harness: (name) => values.harness.includes(name) }
        : {}),
      ...(repo ? { repo: (name) => repo(name.toLowerCase()) } : {}),
      ...(split === undefined ? {} : { split }),
    });
    const out = new LineWriter(io.stdout);
    if (values.json) await out.line(toJson(found));
    else {
      const room = io.stdout.isTTY ? io.stdout.columns : 160;
      for (const line of trendLines(found, room, context.out)) {
        await out.line(line);
      }
    }
    await out.flush();
    if (found.total.sessions === 0) {
      await context.note(
        summaries.length === 0 && rollups.length === 0
          ? "No session is stored here yet. `swamp-sessions import` brings them in."
          : `None of the stored sessions that you asked for began between ${since} and ${until}: --since looks further back, --until further on.`,
      );
    }
    return EXIT.ok;
  },
});

/** The day that a person means by a date: as their own calendar says it. */
function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${
    two(date.getDate())
  }`;
}

function* within(
  summaries: readonly Summary[],
  since: string,
  until: string,
): Generator<Summary> {
  for (const summary of summaries) {
    const day = summary.startedAt.slice(0, 10);
    if (day >= since && day <= until) yield summary;
  }
}

/** Rollups of some days; what cannot be read is left to the summaries. */
async function storedRollups(
  store: EmbeddedStore,
  since: string,
  until: string,
): Promise<Rollup[]> {
  const rollups: Rollup[] = [];
  for (const { name } of await store.list(ROLLUP_KIND)) {
    const day = name.slice("rollup-".length);
    if (day < since || day > until) continue;
    try {
      const read = readRecord(
        "rollup",
        JSON.parse(await store.read(name) ?? "null"),
      );
      if (read.ok) rollups.push(read.value);
    } catch {
      // Damaged: the next import writes it again.
    }
  }
  return rollups;
}
