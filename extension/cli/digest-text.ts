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

/** Lines of a digest. */
export function* digestLines(d: ExtractedDigest): Generator<string> {
  yield `Session ${clean(d.sessionId)} (${clean(d.agent)}), ${
    clean(d.project)
  }`;
  yield `  ${localTime(d.startedAt)}, ${d.durationMin} minutes${
    d.model ? `, ${clean(d.model)}` : ""
  }; substance ${d.substance.score}, ${d.substance.tier}`;
  yield `  ${clean(d.filePath)}`;
  yield* text("Goal", d.keyTurns.goal);
  yield* listed("Files written", d.files.written);
  yield* listed("Files read", d.files.read);
  yield* listed(
    "Tests",
    d.tests.map((t) =>
      `${
        t.passed === null ? "unknown" : t.passed ? "passed" : "failed"
      }  ${t.command}`
    ),
  );
  yield* listed(
    `Commands that failed (${d.commands.failed} of ${d.commands.total})`,
    d.commands.failing.map((f) =>
      `${f.exitCode === undefined ? "" : `exit ${f.exitCode}  `}${f.text}`
    ),
  );
  yield* listed(
    "Other calls that failed",
    d.errors.map((e) => `${e.tool}  ${e.text}`),
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
