/**
 * What an import stored, under the oracle's names.
 *
 * @module
 */
import { HARNESSES } from "../../extension/harness/registry.ts";
import type { HarnessEnv } from "../../extension/harness/types.ts";
import { importSessions } from "../../extension/import/mod.ts";
import type {
  ImportOptions,
  ImportResult,
} from "../../extension/import/types.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import {
  type Detail,
  safeId,
  type SessionDetail,
  type Summary,
} from "../../schema/mod.ts";
import type { OracleSession } from "./oracle.ts";

/** The two records of one session. */
export interface Stored {
  summary: Summary;
  detail: Detail;
}

/** Imports a home, every repository's sessions, into the embedded store. */
export async function importHome(
  home: string,
  repo: string,
  options: Partial<ImportOptions> = {},
  vars: HarnessEnv["vars"] = {},
): Promise<ImportResult> {
  return await importSessions({ all: true, ...options, repo }, {
    store: await EmbeddedStore.open({ repo, init: true }),
    harnesses: HARNESSES,
    env: { home, vars },
  });
}

/** Everything that is stored, by id. */
export async function readStored(repo: string): Promise<Stored[]> {
  const store = await EmbeddedStore.open({ repo, readOnly: true });
  const all: Stored[] = [];
  for (const { id, summary } of (await store.sessions()).values()) {
    all.push({ summary, detail: await store.detail(id) as Detail });
  }
  await store.close();
  return all.sort((a, b) => a.summary.id < b.summary.id ? -1 : 1);
}

/** Fields of the oracle that no record holds, or only redacted. */
const NEVER = ["cwd", "orphanResults", "command"];
/** What only a session's summary holds, so that its subagents cannot tell. */
const SUMMARY_ONLY = [
  "harnessVersion",
  "gitBranch",
  "mode",
  "badLines",
  "tornTail",
  "forkOf",
];

function view(
  s: SessionDetail,
  summary: Summary,
  alone: boolean,
): OracleSession {
  const root = s.parent === undefined;
  const marks = (kind: string) => s.marks.filter((m) => m.kind === kind).length;
  const flag = (name: Summary["flags"][number]) => summary.flags.includes(name);
  const { outputIsLowerBound, ...tokens } = s.tokens;
  return {
    harness: summary.harness.name,
    sessionId: s.id,
    parentSessionId: s.parent?.session ?? null,
    parentCallId: s.parent?.call ?? null,
    kind: root ? "main" : "subagent",
    harnessVersion: summary.harness.version ?? null,
    models: s.models,
    cwd: null,
    gitBranch: summary.branch ?? null,
    mode: summary.mode,
    start: s.startedAt,
    end: s.endedAt,
    tokens,
    outputIsLowerBound: outputIsLowerBound === true,
    orphanResults: 0,
    interruptions: marks("interruption"),
    compactions: marks("compaction"),
    recaps: marks("recap"),
    badLines: summary.source.badLines,
    tornTail: flag("live"),
    ...(summary.forkOf === undefined ? {} : { forkOf: summary.forkOf }),
    turns: s.turns.map((t) => ({
      n: t.number,
      start: t.startedAt,
      end: t.endedAt,
      tokens: t.tokens,
      calls: t.calls.length,
    })),
    calls: s.turns.flatMap((t) =>
      t.calls.map((c) => ({
        id: c.id,
        tool: c.tool,
        turn: t.number,
        start: c.startedAt,
        end: c.endedAt ?? null,
        state: c.state,
        exitCode: c.exitCode ?? null,
        command: null,
      }))
    ),
    absent: new Set([
      ...NEVER,
      ...(root ? [] : SUMMARY_ONLY),
      // These are sums over the family.
      ...(alone ? [] : ["badLines", "tornTail"]),
    ]),
  };
}

/** Stored sessions and subagents under the oracle's names; no placeholders. */
export function storedViews(stored: readonly Stored[]): OracleSession[] {
  return stored.flatMap(({ summary, detail }) => {
    const { session, subagents } = detail;
    const gone = summary.flags.includes("parentGone");
    return [...(gone ? [] : [session]), ...subagents]
      .map((s) => view(s, summary, subagents.length === 0));
  });
}

/** The oracle's sessions by the ids that they are stored under. */
export function underStoredIds(
  oracle: readonly OracleSession[],
): OracleSession[] {
  return oracle.map((o) => ({
    ...o,
    sessionId: safeId(o.sessionId),
    parentSessionId: o.parentSessionId === null
      ? null
      : safeId(o.parentSessionId),
    ...(o.forkOf ? { forkOf: safeId(o.forkOf) } : {}),
  }));
}
