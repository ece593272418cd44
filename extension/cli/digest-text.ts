/**
 * A digest for people.
 *
 * @module
 */
import type { ExtractedDigest } from "../digest/extract.ts";
import { localTime, plural } from "./format.ts";
import { clean, cleanLines } from "./terminal.ts";

/** Entries of a list that are shown. */
const SHOWN = 20;

/** What a part of the score names, in a line. */
const NAMED = 4;
/** Signals that score, in words. */
const SIGNALS: Readonly<Record<string, string>> = {
  toolCallCount: "calls",
  filesWritten: "files written, three points each",
  filesRead: "files read",
  ranTests: "tests ran",
  endedCleanly: "did not end cleanly",
};

const often = ({ times }: { times?: number }) =>
  times === undefined ? "" : `  (${times} times in a row)`;

/** Lines of a digest. */
export function* digestLines(d: ExtractedDigest): Generator<string> {
  yield `Session ${clean(d.sessionId)} (${clean(d.agent)}), ${
    clean(d.project)
  }`;
  yield `  ${localTime(d.startedAt)}, ${d.durationMin} minutes${
    d.model ? `, ${clean(d.model)}` : ""
  }; substance ${d.substance.score}, ${d.substance.tier}`;
  yield `  ${clean(d.filePath)}`;
  if (d.branches) yield `  on ${d.branches.map(clean).join(", ")}`;
  yield* listed(
    "Substance: activity, not worth",
    d.substanceParts.map(({ signal, count, points, from }) =>
      `${points > 0 ? "+" : ""}${points}  ${SIGNALS[signal] ?? signal}${
        count > 1 ? ` ${count}` : ""
      }: ${from.slice(0, NAMED).join(", ")}${from.length > NAMED ? ", …" : ""}`
    ),
  );
  yield* text("Goal", d.keyTurns.goal);
  for (const [i, asked] of d.keyTurns.lastRequests.entries()) {
    yield* text(i === 0 ? "Asked for last" : "", asked);
  }
  yield* listed("Files written", d.files.written);
  yield* listed("Files read", d.files.read);
  yield* listed(
    "Tests",
    d.tests.map((t) =>
      `${
        t.passed === null ? "unknown" : t.passed ? "passed" : "failed"
      }  ${t.command}${often(t)}`
    ),
  );
  yield* listed(
    `Commands that failed (${d.commands.failed} of ${d.commands.total})`,
    d.commands.failing.map((f) =>
      `${f.exitCode === undefined ? "" : `exit ${f.exitCode}  `}${f.text}${
        often(f)
      }`
    ),
  );
  yield* listed(
    "Other calls that failed",
    d.errors.map((e) => `${e.tool}  ${e.text}${often(e)}`),
  );
  yield* listed(
    "Rejected by a person",
    d.rejected.map((r) => `${r.tool}  ${r.text}${often(r)}`),
  );
  yield* listed(
    `Around swamp (${d.swamp.bypasses}; ${d.swamp.calls} used swamp)`,
    d.swamp.last.map((b) =>
      `${b.mutating ? "changed  " : ""}${b.text}${often(b)}`
    ),
  );
  yield* listed("Tools", d.tools.map((t) => `${t.name} ${t.count}`));
  for (const s of d.summaries) {
    yield* text(`${s.subtype}, ${localTime(s.timestamp)}`, s.text);
  }
  for (const [i, last] of d.keyTurns.finalState.entries()) {
    yield* text(i === 0 ? "Where it ended" : "", last);
  }
  if (!d.transcript) return;
  const { number, of, tokens, entries } = d.transcript;
  yield "";
  yield `Transcript, part ${number} of ${of}, about ${plural(tokens, "token")}`;
  for (const entry of entries) {
    yield* text(`${localTime(entry.at)} ${entry.role}`, entry.text);
  }
}

function* text(title: string, body: string | undefined): Generator<string> {
  if (body === undefined) return;
  yield "";
  if (title !== "") yield clean(title);
  for (const line of cleanLines(body).split("\n")) yield `  ${line}`;
}

function* listed(title: string, items: readonly string[]): Generator<string> {
  if (items.length === 0) return;
  yield "";
  yield title;
  for (const item of items.slice(0, SHOWN)) yield `  ${clean(item)}`;
  if (items.length > SHOWN) yield `  and ${items.length - SHOWN} more`;
}
