/**
 * The oracle's files, and our sessions under the oracle's names. The files are
 * optional: where `../shared` is absent, `SHARED` is undefined and tests skip.
 *
 * @module
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isoTime } from "../../schema/mod.ts";
import type { Harness, Problem } from "../../extension/harness/types.ts";
import type {
  BuiltCall,
  BuiltSession,
  CallAnalyst,
  InputKind,
} from "../../extension/session/model.ts";

const shared = fileURLToPath(new URL("../../../shared/", import.meta.url));

/** The folder with the oracle, where this machine has it. */
export const SHARED: string | undefined =
  existsSync(join(shared, "corpus/oracle.jsonl")) ? shared : undefined;

type Json = Record<string, unknown>;

/** Tokens by the oracle's names. */
export interface OracleTokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A turn in the oracle. */
export interface OracleTurn {
  n: number;
  start: string | null;
  end: string | null;
  startAlt?: string;
  endAlt?: string;
  tokens: OracleTokens;
  calls: number;
  prompts?: number;
  abandoned?: boolean;
}

/** A call in the oracle. */
export interface OracleCall {
  id: string | null;
  tool: string;
  turn: number;
  start: string | null;
  end: string | null;
  state: string;
  exitCode: number | null;
  command: string | null;
  namespace?: string;
  altStates?: string[];
  altExit?: (number | null)[];
  commandKind?: string;
  extra?: string;
}

/** A session in the oracle, or one of ours under the oracle's names. */
export interface OracleSession {
  harness: string;
  home?: string;
  file?: string;
  sessionId: string;
  parentSessionId: string | null;
  parentCallId: string | null;
  kind: string;
  harnessVersion: string | null;
  harnessVersions?: string[];
  models: string[];
  cwd: string | null;
  gitBranch: string | null;
  gitBranches?: string[];
  mode: string;
  start: string | null;
  startAlt?: string;
  end: string | null;
  tokens: OracleTokens;
  outputIsLowerBound: boolean;
  orphanResults: number;
  interruptions: number;
  compactions: number;
  recaps: number;
  badLines: number;
  tornTail: boolean;
  forkOf?: string | null;
  soft?: unknown;
  hidden?: string;
  turns: OracleTurn[];
  calls: OracleCall[];
  /** Of one of ours: fields that it cannot tell, which are not compared. */
  absent?: ReadonlySet<string>;
}

/** A home directory with what an import of it must give. */
export interface OracleCase {
  /** Name for tests: the home, or `family#step`. */
  name: string;
  /** The home directory, absolute. */
  home: string;
  /** Expected sessions. */
  sessions: OracleSession[];
}

const json = (path: string): Json =>
  JSON.parse(readFileSync(path, "utf8")) as Json;

/** The corpus homes of one harness, each with its sessions of the oracle. */
export function corpusCases(harness: string): OracleCase[] {
  if (!SHARED) return [];
  const byHome = new Map<string, OracleSession[]>();
  const lines = readFileSync(join(SHARED, "corpus/oracle.jsonl"), "utf8")
    .split("\n").filter((line) => line.trim());
  for (const line of lines) {
    const session = JSON.parse(line) as OracleSession;
    if (session.harness !== harness || !session.home) continue;
    const list = byHome.get(session.home) ?? [];
    byHome.set(session.home, [...list, session]);
  }
  return [...byHome].map(([name, sessions]) => ({
    name,
    home: join(shared, "corpus/homes", name),
    sessions,
  }));
}

/** The families of one harness, each step a case of its own. */
export function familyCases(harness: string): OracleCase[] {
  if (!SHARED) return [];
  const cases: OracleCase[] = [];
  const root = join(SHARED, "families");
  for (const name of readdirSync(root).sort()) {
    const expected = join(root, name, "expected.json");
    if (!existsSync(expected)) continue;
    for (const [key, value] of Object.entries(json(expected))) {
      if (!/^(sessions|step\d+)$/.test(key)) continue;
      const sessions = value as OracleSession[];
      if (!sessions.some((s) => s.harness === harness)) continue;
      const step = key === "sessions" ? "" : key;
      cases.push({
        name: step ? `${name}#${step}` : name,
        home: join(root, name, step, "home"),
        sessions: sessions.filter((s) => s.harness === harness),
      });
    }
  }
  return cases;
}

/** Single damaged files with what they hold; each is to be put in a home. */
export function damagedCases(
  harness: string,
): { file: string; session: OracleSession }[] {
  if (!SHARED) return [];
  return readFileSync(join(SHARED, "corpus/damaged-oracle.jsonl"), "utf8")
    .split("\n").filter((line) => line.trim())
    .map((line) => JSON.parse(line) as OracleSession)
    .filter((session) => session.harness === harness)
    .map((session) => ({
      file: join(shared, "corpus", session.file ?? ""),
      session,
    }));
}

/** A fresh folder under the system's temporary directory. */
export function tempHome(): string {
  return mkdtempSync(join(tmpdir(), "oracle-"));
}

const PREFIX = "kind:";

/** An analyst that keeps the raw text, so that commands can be compared. */
export const rawAnalyst: CallAnalyst = {
  call: (_tool, input) => ({
    text: input.text?.reveal() ?? "",
    label: "neutral",
    category: PREFIX + input.kind,
    rule: "none",
    ...(input.writes ? { writes: input.writes.map((w) => w.reveal()) } : {}),
    ...(input.reads ? { reads: input.reads.map((r) => r.reveal()) } : {}),
  }),
  testOutcome: () => null,
};

/** What kind of text a call built with {@link rawAnalyst} has. */
export function inputKind(call: BuiltCall): InputKind {
  return call.facts.category.slice(PREFIX.length) as InputKind;
}

/** Everything an adapter finds in a home. */
export async function readHome(
  harness: Harness,
  home: string,
): Promise<{ sessions: BuiltSession[]; problems: Problem[] }> {
  const scan = await harness.scan({ home, vars: {} }, {
    heads: { get: () => undefined, put: () => {} },
  });
  const sessions: BuiltSession[] = [];
  const problems = [...scan.problems];
  for (const unit of scan.units) {
    const result = await harness.read(unit, { analyst: rawAnalyst });
    if (result.session) sessions.push(result.session);
    sessions.push(...result.subagents);
    problems.push(...result.problems);
  }
  return { sessions, problems };
}

const time = (ms: number | undefined): string | null =>
  ms === undefined || ms === 0 || !Number.isFinite(ms) ? null : isoTime(ms);

const four = (t: OracleTokens): OracleTokens => ({
  input: t.input,
  output: t.output,
  cacheRead: t.cacheRead,
  cacheWrite: t.cacheWrite,
});

/** A built session under the oracle's names. */
export function toOracle(s: BuiltSession): OracleSession {
  const marks = (kind: string) => s.marks.filter((m) => m.kind === kind).length;
  return {
    harness: s.harness,
    sessionId: s.id,
    parentSessionId: s.parent?.session ?? null,
    parentCallId: s.parent?.call ?? null,
    kind: s.kind,
    harnessVersion: s.versions[0] ?? null,
    models: s.models,
    cwd: s.cwds[0] ?? null,
    gitBranch: s.branches[0] ?? null,
    mode: s.mode,
    start: time(s.startedAt),
    end: time(s.endedAt),
    tokens: four(s.tokens),
    outputIsLowerBound: s.tokens.outputIsLowerBound === true,
    orphanResults: s.orphanResults,
    interruptions: marks("interruption"),
    compactions: marks("compaction"),
    recaps: marks("recap"),
    badLines: s.badLines,
    tornTail: s.tornTail,
    ...(s.forkOf === undefined ? {} : { forkOf: s.forkOf }),
    turns: s.turns.map((t) => ({
      n: t.number,
      start: time(t.startedAt),
      end: time(t.endedAt),
      tokens: four(t.tokens),
      calls: t.calls.length,
    })),
    calls: [...s.calls.values()].map((c) => ({
      id: c.id,
      tool: c.tool,
      turn: c.turn.number,
      start: time(c.startedAt),
      end: time(c.endedAt),
      state: c.state,
      exitCode: c.exitCode ?? null,
      // The oracle keeps commands of shells only; Monitor runs one, too.
      command: inputKind(c) === "shell" && c.facts.text !== "" &&
          c.tool !== "Monitor"
        ? c.facts.text
        : null,
    })),
  };
}
