/**
 * Runs an import for a person: progress, Ctrl-C, and what to say at the end.
 *
 * @module
 */
import { HARNESSES } from "../harness/registry.ts";
import type { HarnessEnv } from "../harness/types.ts";
import { importSessions } from "../import/mod.ts";
import type { ImportOptions, ImportResult } from "../import/types.ts";
import { EmbeddedStore } from "../store/embedded.ts";
import type { Context } from "./command.ts";
import { bytes, count, duration, plural } from "./format.ts";
import { ProgressLine } from "./progress.ts";
import { clean } from "./terminal.ts";

/** What an import is run with. */
export interface ImportJob extends ImportOptions {
  /** Where harness files are looked for. */
  env: HarnessEnv;
  /** The home, where one was given. */
  home?: string;
  /** Make a repository where there is none. */
  init: boolean;
  /** Told what was done before an error that ends the import; then it throws. */
  failed?(partial: ImportResult): void;
}

/**
 * Imports into the embedded store. Throws StoreError where the store refuses;
 * an interruption is no error: the result says so.
 */
export async function runImport(
  context: Context,
  job: ImportJob,
  label = "Importing",
): Promise<ImportResult> {
  const { io } = context;
  io.catchInterrupts();
  const { env, home: _, init, failed, ...options } = job;
  const store = await EmbeddedStore.open({
    repo: job.repo,
    init,
    env: io.env,
    ...(job.force ? { force: true } : {}),
    // A dry run may look also where swamp itself looks after the data.
    ...(job.dryRun ? { readOnly: true } : {}),
  });
  const line = new ProgressLine(io, label);
  line.say("Looking for sessions");
  try {
    const result = await importSessions(options, {
      store,
      harnesses: HARNESSES,
      env,
      signal: io.interrupted,
      ...(failed ? { failed } : {}),
      progress: (p) =>
        line.update({
          sessions: p.done,
          totalSessions: p.total,
          bytes: p.bytes,
          totalBytes: p.totalBytes,
        }),
    });
    // Stopped while it still looked for sessions, it counts none as left.
    return io.interrupted.aborted ? { ...result, interrupted: true } : result;
  } finally {
    line.clear();
  }
}

/** Problems shown to a person; `--json` has all. */
const SHOWN = 10;

/** What an import did, in sentences. */
export function resultLines(
  result: ImportResult,
  dryRun: boolean,
  repo: string,
): string[] {
  const { sessions: s } = result;
  if (result.interrupted && s.found === 0) {
    return ["Stopped while looking for sessions; nothing was stored."];
  }
  const lines: string[] = [];
  const parts = [
    s.new > 0 ? `${count(s.new)} new` : "",
    s.updated > 0 ? `${count(s.updated)} updated` : "",
    s.unchanged > 0 ? `${count(s.unchanged)} unchanged` : "",
    s.skipped > 0 ? `${count(s.skipped)} skipped` : "",
    s.failed > 0 ? `${count(s.failed)} could not be read` : "",
    result.left ? `${count(result.left)} not reached` : "",
  ].filter(Boolean);
  lines.push(
    `${plural(s.found, "session")} found${
      parts.length > 0 ? `: ${parts.join(", ")}` : ""
    }.`,
  );
  const stored = s.new + s.updated;
  if (dryRun) {
    lines.push(`Nothing was written: this was a dry run.`);
  } else if (stored > 0) {
    lines.push(
      `${plural(result.calls, "call")} from ${
        bytes(result.bytes)
      } of session files, stored in ${duration(result.ms)} under ${
        clean(repo)
      }.`,
    );
  }
  if (result.interrupted) {
    lines.push(
      "Stopped before the end: every session that was stored is whole. Run the import again for the rest.",
    );
  }
  return lines;
}

/** What could not be read, in lines. */
export function problemLines(result: ImportResult): string[] {
  const lines = result.problems.slice(0, SHOWN).map((p) =>
    `${clean(p.file)}${p.line === undefined ? "" : `:${p.line}`}: ${
      clean(p.message)
    }`
  );
  const more = result.problems.length - lines.length;
  if (more > 0) {
    lines.push(`and ${plural(more, "more problem")} (--json has all)`);
  }
  return lines;
}
