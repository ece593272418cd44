/**
 * `import`: harness files -> stored sessions.
 *
 * @module
 */
import { TIERS } from "../../../schema/mod.ts";
import { type ImportResult, noResult } from "../../import/types.ts";
import { hasMarker } from "../../store/definition.ts";
import { layoutOf } from "../../store/layout.ts";
import { type AnyCommand, command, type Context } from "../command.ts";
import { EXIT, messageOf } from "../errors.ts";
import {
  type ImportJob,
  problemLines,
  resultLines,
  runImport,
} from "../import-run.ts";
import { toJson } from "../json.ts";
import { flag, many, SELECTION, value, valueOr } from "../options.ts";
import { harnessEnv, repoDir } from "../place.ts";
import { harnessNames } from "../scan.ts";
import { chooseHost, isReady, prepare, STORE_CHOICES } from "../swamp-host.ts";
import { importThroughSwamp } from "../swamp-import.ts";
import { clean } from "../terminal.ts";
import { lifetime, mode, oneOf, tier } from "../values.ts";

/** See the module. */
export const importCommand: AnyCommand = command({
  name: "import",
  summary: "import this repo's sessions from the harness files",
  about:
    `Reads the session files that agent programs keep under your home, and stores
what they show as data of this swamp repo: turns and tool calls with how they
ended, their labels, tokens and times. Prompts, replies and outputs are never
stored. A command is, as it was typed, with what was typed into it (a heredoc,
a commit message); secrets in it are replaced before anything is written.

Taken are sessions whose working directory lies in this repo, its subfolders or
its git worktrees; --all takes every session. Sessions that did not change since
the last import are left alone, so it can be run as often as you like.

Where the swamp CLI is found (along PATH, or SWAMP_BIN) the work is done inside
swamp, as a method of its model @agent-observation/sessions; the first time that
asks whether swamp may load this package in the repo. Without swamp the same
layout is written here, and swamp sees it when it opens the repo.`,
  options: {
    all: flag("every repo's sessions, not only this repo's"),
    ...SELECTION,
    mode: value(
      "mode",
      "only interactive or headless sessions",
      mode,
    ),
    "min-substance": value(
      "tier",
      `only this tier or above: ${TIERS.join(", ")}`,
      tier,
      ["min-importance"],
    ),
    exclude: many(
      "glob",
      "not sessions in such folders or repos; may be given again",
    ),
    lifetime: value(
      "time",
      "how long swamp keeps them: 90d (default), 12w, 2y, infinite",
      lifetime,
    ),
    "dry-run": flag("say what would be imported; write nothing"),
    store: valueOr(
      "kind",
      `where to: ${STORE_CHOICES.join(", ")} (auto)`,
      (text) => oneOf(text, STORE_CHOICES, "store"),
      "auto",
    ),
    init: flag("make this folder a swamp repo if it is none"),
    yes: flag("let swamp load this package in this repo, without asking"),
    force: flag(
      "read everything again, replace what a newer importer wrote, and write beside swamp's own catalog",
    ),
  },
  examples: [
    ["import", "this repo's sessions"],
    ["import --all --init", "every session on this machine, into this folder"],
    [
      "import --since 7d --min-substance light",
      "recent ones that did something",
    ],
    ["import --dry-run", "look before you leap"],
  ],
  async run(context, values) {
    const { io, note, err } = context;
    const now = io.now();
    const repo = repoDir(io, values, {
      here: values.init,
      make: values.init && !values["dry-run"],
    });
    const env = harnessEnv(io, values);
    const harness = harnessNames(values.harness);
    const host = chooseHost(values.store, io, repo, values.init);
    const job: ImportJob = {
      repo,
      env,
      ...(values.home === undefined ? {} : { home: env.home }),
      init: values.init,
      all: values.all,
      dryRun: values["dry-run"],
      force: values.force,
      ...(harness.length > 0 ? { harness } : {}),
      ...(values.since ? { since: values.since(now) } : {}),
      ...(values.until ? { until: values.until(now) } : {}),
      ...(values.mode ? { mode: values.mode } : {}),
      ...(values["min-substance"]
        ? { minSubstance: values["min-substance"] }
        : {}),
      ...(values.exclude.length > 0 ? { exclude: values.exclude } : {}),
      ...(values.lifetime ? { lifetime: values.lifetime } : {}),
    };
    let result = noResult(host.kind);
    job.failed = (partial) => result = partial;
    const makes = values.init && !values["dry-run"] &&
      host.kind === "embedded" && !hasMarker(layoutOf(repo));
    try {
      result = host.kind === "embedded"
        ? await runImport(context, job)
        : await runInSwamp(context, host.program, job, values.yes);
    } catch (error) {
      if (values.json) {
        const message = messageOf(error, io);
        const problem = { file: repo, code: "FAILED" as const, message };
        const problems = [...result.problems, problem];
        await context.print(toJson({ ...result, problems }));
      }
      throw error;
    }
    if (makes) await note(`${clean(repo)} is a swamp repository now.`);
    for (const line of problemLines(result)) {
      await note(`${err.yellow("problem:")} ${line}`);
    }
    if (values.json) await context.print(toJson(result));
    else {
      for (const line of resultLines(result, values["dry-run"], repo)) {
        await context.print(line);
      }
      if (!result.interrupted) {
        await hint(context, result.sessions, values.all);
      }
    }
    // A file that cannot be read is said, and is no failure of the import.
    return result.interrupted ? EXIT.failed : EXIT.ok;
  },
});

async function runInSwamp(
  context: Context,
  program: string,
  job: ImportJob,
  yes: boolean,
): Promise<ImportResult> {
  const { io, note } = context;
  io.catchInterrupts();
  const { repo } = job;
  if (!isReady(repo)) {
    // Nothing of ours is stored yet, and a dry run must not change that.
    if (job.dryRun) return { ...await runImport(context, job), store: "swamp" };
    await prepare(io, { program, repo, yes, note });
  }
  return await importThroughSwamp(context, program, job);
}

async function hint(
  context: { note(line?: string): Promise<void> },
  s: {
    found: number;
    new: number;
    updated: number;
    unchanged: number;
    skipped: number;
  },
  all: boolean,
): Promise<void> {
  if (s.found === 0) {
    await context.note(
      "`swamp-sessions doctor` shows where sessions are looked for; --home looks elsewhere.",
    );
  } else if (!all && s.new + s.updated + s.unchanged === 0 && s.skipped > 0) {
    await context.note(
      "None of them belongs to this repo. --all imports every repo's sessions.",
    );
  } else if (s.new + s.updated > 0) {
    await context.note("`swamp-sessions dashboard` shows them in the browser.");
  }
}
