/**
 * Built session -> what it amounted to: substance, files, tests, tools.
 *
 * @module
 */
import type { Detail, Substance } from "../../schema/mod.ts";
import type { BuiltCall, BuiltSession } from "../session/model.ts";
import { IDLE_CALLS, IDLE_MS, substanceOf } from "./substance.ts";

export { rollupOf } from "./rollup.ts";
export * from "./substance.ts";
export { findTestRun, testOutcome, type TestRun } from "./tests.ts";

/** What a session amounted to, subagents included. */
export interface SessionDigest {
  /** All calls by start time. */
  calls: BuiltCall[];
  /** How much was done. */
  substance: Substance;
  /** Local files, redacted, each once, sorted; read excludes written. */
  files: Detail["files"];
  /** Test runs in time order; `call` is the built call. */
  tests: { call: BuiltCall; passed: boolean | null }[];
  /** Tools, most used first. */
  tools: Detail["tools"];
}

/** An address, not a file of this machine: a remote document, a resource. */
const ADDRESS = /^[a-z][a-z\d+.-]{1,20}:\/\//i;

/** Digests a root session with all its subagents. */
export function digestSession(
  root: BuiltSession,
  subagents: readonly BuiltSession[],
): SessionDigest {
  const calls = [root, ...subagents].flatMap((s) => [...s.calls.values()])
    .sort((a, b) => a.startedAt - b.startedAt);
  const written = new Set<string>(), read = new Set<string>();
  const add = (to: Set<string>, paths: readonly string[] = []) => {
    for (const path of paths) if (!ADDRESS.test(path)) to.add(path);
  };
  const counts = new Map<string, number>();
  const tests: SessionDigest["tests"] = [];
  let errors = 0;
  for (const call of calls) {
    counts.set(call.tool, (counts.get(call.tool) ?? 0) + 1);
    if (call.state === "failed") errors++;
    if (call.state === "ok") {
      add(written, call.facts.writes);
      add(read, call.facts.reads);
    }
    if (
      call.facts.test !== undefined && call.state !== "rejected" &&
      call.state !== "notRun"
    ) {
      tests.push({ call, passed: call.passed ?? null });
    }
  }
  for (const path of written) read.delete(path);
  return {
    calls,
    substance: substanceOf({
      messageCount: root.messages,
      toolCallCount: calls.length,
      filesWritten: written.size,
      filesRead: read.size,
      errorCount: errors,
      ranTests: tests.length > 0,
      endedCleanly: root.endedCleanly,
      idle: root.endedAt - root.startedAt > IDLE_MS &&
        calls.length < IDLE_CALLS,
    }),
    files: { written: [...written].sort(), read: [...read].sort() },
    tests,
    tools: [...counts].map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
  };
}
