/**
 * `list`: sessions straight from the harness files, or the stored ones.
 *
 * @module
 */
import { type Summary, TIERS } from "../../../schema/mod.ts";
import type { Problem } from "../../harness/types.ts";
import { globMatcher } from "../../import/paths.ts";
import {
  knownRepo,
  newestFirst,
  scanHome,
  Selector,
  type Source,
  SourceReader,
  unitBytes,
} from "../../import/mod.ts";
import { type AnyCommand, command, type Context } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { plural } from "../format.ts";
import { toJson } from "../json.ts";
import { LineWriter } from "../lines-out.ts";
import { listGrid } from "../list-grid.ts";
import { flag, SELECTION, value, valueOr, type Values } from "../options.ts";
import type { CommonValues } from "../options.ts";
import { harnessEnv, repoDir } from "../place.ts";
import { ProgressLine } from "../progress.ts";
import { harnessNames, knownHeads } from "../scan.ts";
import { openStored, storedSummaries } from "../stored.ts";
import { oneOf, tier, whole } from "../values.ts";

/** Rows for people where no limit is given; for programs all. */
const PEOPLE_LIMIT = 40;

/** Rows are shown so often at least, in milliseconds. */
const SHOW_MS = 100;

const SORTS = ["recent", "substance"] as const;

const OPTIONS = {
  stored: flag("the sessions stored in this repo, not the harness files"),
  sort: valueOr(
    "order",
    "recent (begun last first) or substance (most done first)",
    (text) => text === "importance" ? "substance" : oneOf(text, SORTS, "order"),
    "recent" as typeof SORTS[number],
  ),
  "min-substance": value(
    "tier",
    `only this tier or above: ${TIERS.join(", ")}`,
    tier,
    ["min-importance"],
  ),
  ...SELECTION,
  repo: value(
    "name",
    "only sessions in repos of this name (* is a wildcard)",
    (t) => t,
  ),
  limit: value(
    "number",
    `at most so many; 0 is no limit (${PEOPLE_LIMIT} on a terminal)`,
    whole(0, 1_000_000),
  ),
};

type ListValues = Values<typeof OPTIONS> & CommonValues;

/** See the module. */
export const list: AnyCommand = command({
  name: "list",
  summary: "list sessions, from the harness files or the store",
  about:
    `Lists sessions of all repos straight from the files that agent programs keep
under your home; nothing is imported. With --stored it lists what is stored in
this repo, which is quicker.

Substance says how much was done (calls, files written and read, tests run),
not how good it was.`,
  options: OPTIONS,
  examples: [
    ["list", "the latest sessions on this machine"],
    ["list --stored --since 7d", "this repo's, active within a week"],
    ["list --sort substance --min-substance moderate", "most work first"],
    ["list --json --limit 0", "all of them, one object a line"],
  ],
  async run(context, values) {
    const { io } = context;
    const limit = values.limit ?? (values.json ? 0 : PEOPLE_LIMIT);
    const wanted = filterOf(values, io.now());
    const printer = new RowPrinter(context, values.json, limit || Infinity);
    harnessNames(values.harness);
    if (values.stored) {
      const store = await openStored(repoDir(io, values), io.env);
      const { summaries, newer } = await storedSummaries(store);
      const rows = summaries.filter(wanted);
      if (values.sort === "substance") rows.sort(bySubstance);
      for (const row of rows) if (!await printer.print(row)) break;
      await printer.end(rows.length);
      if (newer > 0) {
        await context.note(
          `${
            plural(newer, "session")
          } left out: written by a newer importer. Update this program, or import again with --force.`,
        );
      }
      if (summaries.length === 0 && newer === 0) {
        await context.note(
          "No session is stored here yet. `swamp-sessions import` brings them in.",
        );
      } else if (rows.length === 0) await context.note(NO_MATCH);
      return EXIT.ok;
    }
    await fromHome(context, values, wanted, printer);
    return EXIT.ok;
  },
});

const NO_MATCH = "No session matches.";

const bySubstance = (a: Summary, b: Summary) =>
  b.substance.score - a.substance.score;

/** Whether a row is asked for. */
function filterOf(values: ListValues, now: number): (s: Summary) => boolean {
  const since = values.since?.(now), until = values.until?.(now);
  const least = TIERS.indexOf(values["min-substance"] ?? "trivial");
  const repo = values.repo === undefined
    ? undefined
    : globMatcher(values.repo.toLowerCase());
  return (s) =>
    (since === undefined || Date.parse(s.endedAt) >= since) &&
    (until === undefined || Date.parse(s.startedAt) < until) &&
    (values.harness.length === 0 || values.harness.includes(s.harness.name)) &&
    TIERS.indexOf(s.substance.tier) >= least &&
    (repo === undefined || repo(s.repo.name.toLowerCase()));
}

/** Prints rows as they come, up to a limit. */
class RowPrinter {
  private readonly out: LineWriter;
  private readonly grid;
  private printed = 0;
  private shown = -Infinity;

  constructor(
    private readonly context: Context,
    private readonly json: boolean,
    readonly limit: number,
  ) {
    const { io } = context;
    this.out = new LineWriter(io.stdout);
    this.grid = listGrid(
      io.stdout.isTTY ? io.stdout.columns : 160,
      context.out,
    );
  }

  /** Whether the limit is reached. */
  get full(): boolean {
    return this.printed >= this.limit;
  }

  /** Prints one; false where it is one too many. */
  async print(row: Summary): Promise<boolean> {
    if (this.full) return false;
    if (this.json) await this.out.line(toJson(row));
    else {
      if (this.printed === 0) await this.out.line(this.grid.header());
      await this.out.line(this.grid.row(row));
    }
    this.printed++;
    // Whoever waits sees the first rows at once, and then how it goes on.
    const now = performance.now();
    if (now - this.shown > SHOW_MS) {
      this.shown = now;
      await this.out.flush();
    }
    return true;
  }

  /** Lets a person see what is there already. */
  flush(): Promise<void> {
    return this.out.flush();
  }

  /** Ends the list; `total` says how many there are, where known. */
  async end(total: number | undefined): Promise<void> {
    await this.out.flush();
    if (this.json || !this.full || total === this.printed) return;
    const more = total === undefined
      ? "There may be more"
      : `${plural(total - this.printed, "more session")}`;
    await this.context.note(
      this.context.err.dim(`${more}: --limit 0 lists all.`),
    );
  }
}

/** What was read of a home, and what is to be said of it. */
interface Reading {
  /** Whether there is anything to be read at all: sessions or files. */
  found: number;
  /** Rows that match. */
  matches: number;
  /** Whether that is all. */
  whole: boolean;
  /** Files refused. */
  problems: readonly Problem[];
}

async function fromHome(
  context: Context,
  values: ListValues,
  wanted: (s: Summary) => boolean,
  printer: RowPrinter,
): Promise<void> {
  const { io } = context;
  io.catchInterrupts();
  const repo = repoDir(io, values);
  const env = harnessEnv(io, values);
  const now = io.now();
  const since = values.since?.(now), until = values.until?.(now);
  const selector = new Selector(repo, {
    all: true,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  });
  const reader = new SourceReader(knownRepo(repo).knowledge, io.interrupted);
  const streams = values.sort === "recent";
  // Rows that stream onto the same terminal would run into a progress line.
  const line = new ProgressLine(io, "Reading", streams && io.stdout.isTTY);
  const done = { sessions: 0, totalSessions: 0, bytes: 0, totalBytes: 0 };
  const heads = knownHeads(repo, env.home);
  const signal = io.interrupted;
  const rowOf = async (source: Source): Promise<Summary | undefined> => {
    const read = await reader.read(source, {
      progress: (n) => {
        done.bytes += n;
        line.update(done);
      },
    });
    done.sessions++;
    line.update(done);
    const row = read?.summary();
    return row && wanted(row) ? row : undefined;
  };

  const stream = async (): Promise<Reading> => {
    const reading = { found: 0, matches: 0, whole: false, problems: [] };
    const all = newestFirst(env, values.harness, heads, signal, since);
    for (;;) {
      const { value, done } = await all.next();
      if (done) {
        const { files: found, problems } = value;
        return { ...reading, found, whole: true, problems };
      }
      reading.found++;
      if (!selector.mayTake(value.unit)) continue;
      if (printer.full) return reading;
      const row = await rowOf(value);
      if (!row) continue;
      reading.matches++;
      await printer.print(row);
    }
  };

  const rank = async (): Promise<Reading> => {
    const { sources, problems } = await scanHome(
      env,
      values.harness,
      heads,
      signal,
    );
    const chosen = sources.filter(({ unit }) => selector.mayTake(unit));
    done.totalSessions = chosen.length;
    done.totalBytes = chosen.reduce((n, { unit }) => n + unitBytes(unit), 0);
    const best: Summary[] = [];
    let matches = 0;
    for (const source of chosen) {
      const row = await rowOf(source);
      if (!row) continue;
      matches++;
      best.push(row);
      if (best.length >= 2 * printer.limit) {
        best.sort(bySubstance).length = printer.limit;
      }
    }
    line.clear();
    for (const row of best.sort(bySubstance)) {
      if (!await printer.print(row)) break;
    }
    return { found: sources.length, matches, whole: true, problems };
  };

  const { found, matches, whole, problems } = await (streams ? stream : rank)()
    .catch(async (error: unknown) => {
      if (!io.interrupted.aborted) throw error;
      line.clear();
      await printer.flush();
      throw new CliError(
        "INTERRUPTED",
        `Stopped before the end, after ${plural(done.sessions, "session")}.`,
      );
    }).finally(() => line.clear());
  await printer.end(whole ? matches : undefined);
  if (problems.length > 0 && !values.json) {
    await context.note(
      context.err.dim(
        `${
          plural(problems.length, "file or folder", "files or folders")
        } could not be read: \`swamp-sessions doctor\` says which and why.`,
      ),
    );
  }
  if (found === 0 && problems.length === 0) {
    await context.note(
      "No session files were found. `swamp-sessions doctor` shows where they were looked for; --home looks elsewhere.",
    );
  } else if (matches === 0 && found > 0) await context.note(NO_MATCH);
}
