/**
 * `doctor`: where sessions were looked for, and how well they can be read.
 *
 * @module
 */
import {
  type Counts,
  driftOf,
  type HarnessSurvey,
  MOST_DRIFT,
  type ProblemGroup,
  type RootSurvey,
  Selector,
  surveyHome,
  tooMuch,
} from "../../import/mod.ts";
import { type AnyCommand, command, type Context } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { bytes, count, percent, plural } from "../format.ts";
import { toJson } from "../json.ts";
import { SELECTION, valueOr } from "../options.ts";
import { harnessEnv, repoDir } from "../place.ts";
import { ProgressLine } from "../progress.ts";
import { harnessNames, knownHeads } from "../scan.ts";
import { clean } from "../terminal.ts";
import { perCent } from "../values.ts";

/** Names and problems listed for people; `--json` has all. */
const SHOWN = 12;

/** See the module. */
export const doctor: AnyCommand = command({
  name: "doctor",
  summary: "check where sessions are found and how well they can be read",
  about:
    `Looks through every session file of the home, of all repos, and says for each
agent program: where it looked, what it found, which versions, how subagents
are linked to the calls that started them, and what it could not read: unknown
record types, tools that may write files and are not known to, damaged lines,
refused files. Stores nothing.

It ends with exit code 1 when too many records are of types that it does not
know, or too many lines cannot be read: then the format has changed. One odd
session alone does not do that, unless nothing at all is allowed (0).`,
  options: {
    ...SELECTION,
    "max-unknown": valueOr(
      "percent",
      `most records of unknown types, in per cent of all (${MOST_DRIFT.unknown})`,
      perCent,
      MOST_DRIFT.unknown,
    ),
    "max-damaged": valueOr(
      "percent",
      `most damaged lines, in per cent of all (${MOST_DRIFT.damaged})`,
      perCent,
      MOST_DRIFT.damaged,
    ),
  },
  examples: [
    ["doctor", "everything under your home"],
    ["doctor --since 7d --max-unknown 0", "fail on any new record type"],
    ["doctor --json", "all figures, for other programs"],
  ],
  async run(context, values) {
    const { io } = context;
    io.catchInterrupts();
    const now = io.now();
    const env = harnessEnv(io, values);
    const repo = repoDir(io, values);
    const selector = new Selector(repo, {
      all: true,
      ...(values.since ? { since: values.since(now) } : {}),
      ...(values.until ? { until: values.until(now) } : {}),
    });
    const line = new ProgressLine(io, "Reading");
    const surveys = await surveyHome(env, {
      heads: knownHeads(repo, env.home),
      signal: io.interrupted,
      only: harnessNames(values.harness),
      takes: (unit) => selector.mayTake(unit),
      progress: (done) => line.update(done),
    }).catch((error: unknown) => {
      if (!io.interrupted.aborted) throw error;
      throw new CliError(
        "INTERRUPTED",
        "Stopped before the end; nothing was stored.",
      );
    }).finally(() => line.clear());
    const drift = driftOf(surveys);
    const reasons = tooMuch(drift, {
      unknown: values["max-unknown"],
      damaged: values["max-damaged"],
    });
    if (values.json) {
      await context.print(
        toJson({
          ok: reasons.length === 0,
          sessions: drift.sessions,
          unknownPercent: drift.unknown,
          damagedPercent: drift.damaged,
          reasons,
          harnesses: surveys,
        }),
      );
    } else {
      for (const survey of surveys) await printSurvey(context, survey);
      for (const reason of reasons) {
        await context.print(`${context.out.red("too much:")} ${reason}`);
      }
      if (reasons.length === 0) {
        await context.print(
          drift.sessions === 0
            ? "No sessions were found. Is --home right?"
            : `${context.out.green("good:")} ${
              plural(drift.sessions, "session")
            } read; ${drift.unknown.toFixed(1)} % of records unknown, ${
              drift.damaged.toFixed(1)
            } % of lines damaged.`,
        );
      }
    }
    return reasons.length === 0 ? EXIT.ok : EXIT.failed;
  },
});

async function printSurvey(
  { print, out }: Context,
  s: HarnessSurvey,
): Promise<void> {
  await print(out.bold(s.title));
  for (const root of s.roots) {
    await print(`  ${clean(root.path)}  ${out.dim(rootText(root))}`);
  }
  const row = (name: string, text: string) =>
    print(`  ${out.dim(name.padEnd(16))}${text}`);
  if (s.sessions > 0) {
    await row(
      "sessions",
      `${count(s.sessions)} in ${plural(s.files, "file")}, ${bytes(s.bytes)}; ${
        plural(s.records, "record")
      }; ${plural(s.calls, "call")}; ${count(s.withoutCalls)} without calls; ${
        count(s.live)
      } live`,
    );
    await row("versions", clean(listed(s.versions)));
  }
  const { count: agents, linked, parentGone } = s.subagents;
  if (agents > 0) {
    await row(
      "subagents",
      `${count(agents)}, ${
        percent(linked, agents)
      } linked to the call that started them${
        parentGone > 0 ? `, ${count(parentGone)} whose parent is gone` : ""
      }`,
    );
    if (linked > 0) await row("  linked by", listed(s.evidence));
  }
  if (s.orphanResults > 0) {
    await row(
      "stray results",
      `${count(s.orphanResults)} that belong to no call`,
    );
  }
  const warn = (name: string, counts: Counts) =>
    Object.keys(counts).length > 0
      ? row(name, out.yellow(clean(listed(counts))))
      : undefined;
  await warn("unknown records", s.unknownRecords);
  await warn("may write files", s.writeLikeTools);
  if (Object.keys(s.otherTools).length > 0) {
    await row("other tools", out.dim(clean(listed(s.otherTools))));
  }
  if (s.damagedLines > 0) {
    await row(
      "damaged lines",
      out.yellow(
        `${count(s.damagedLines)} in ${
          plural(s.sessionsWithDamage, "session")
        }`,
      ),
    );
  }
  for (const [i, group] of s.refused.slice(0, SHOWN).entries()) {
    await row(i === 0 ? "not read" : "", problemText(group, out.dim));
  }
  if (s.refused.length > SHOWN) {
    await row(
      "",
      `and ${count(s.refused.length - SHOWN)} more (--json has all)`,
    );
  }
  await print();
}

/** What one folder holds. */
function rootText(root: RootSurvey): string {
  if (!root.exists) return "not there";
  return [
    plural(root.files, "file"),
    plural(root.sessions, "session"),
    plural(root.subagents.count, "subagent"),
  ].join(", ");
}

/** `12 files: what is the matter with them`, and the first of them below. */
function problemText(
  { count: n, code, message, files }: ProblemGroup,
  dim: (text: string) => string,
): string {
  const below = `\n${" ".repeat(20)}`;
  const rest = n - files.length;
  return [
    `${n > 1 ? `${count(n)} files: ` : ""}${clean(message)} ${dim(code)}`,
    ...files.map((file) => dim(clean(file))),
    ...(rest > 0 ? [dim(`and ${count(rest)} more (--json has all)`)] : []),
  ].join(below);
}

/** `a 12, b 3, and 4 more`. */
function listed(counts: Readonly<Record<string, number | undefined>>): string {
  const entries = Object.entries(counts);
  const shown = entries.slice(0, SHOWN).map(([name, n]) =>
    `${name} ${count(n ?? 0)}`
  );
  const more = entries.length - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}
