/**
 * Tokens through the importer to the stored records, against the deduplicated
 * truth of a generated home. Skipped where the generator is absent.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempHome } from "../oracle/oracle.ts";
import { importHome, readStored, type Stored } from "../oracle/stored.ts";

const GENERATOR = fileURLToPath(
  new URL("../../../shared/bench/gen-corpus.mjs", import.meta.url),
);
const there = existsSync(GENERATOR);
/** Sessions, megabytes, rollouts, megabytes, seed. */
const SIZE = ["40", "10", "10", "3", "7"];

type Counts = [
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
];
interface Generated {
  claudeToolUses: number;
  codexCalls: number;
  claudeSessions: number;
  subagentFiles: number;
  codexFiles: number;
}

const home = tempHome(), repo = tempHome();
let stats: Generated;
let stored: Stored[];

beforeAll(async () => {
  if (!there) return;
  const made = spawnSync(process.execPath, [GENERATOR, home, ...SIZE], {
    encoding: "utf8",
  });
  expect(made.stderr).toBe("");
  stats = JSON.parse(
    readFileSync(join(home, "corpus-stats.json"), "utf8"),
  ) as Generated;
  await importHome(home, repo);
  stored = await readStored(repo);
}, 120_000);
afterAll(() => {
  for (const path of [home, repo]) {
    rmSync(path, { recursive: true, force: true });
  }
});

/** Every `.jsonl` below a folder with its records, one `JSON.parse` a line. */
function* transcripts(
  folder: string,
): Generator<{ name: string; records: Line[] }> {
  for (
    const name of readdirSync(folder, { recursive: true, encoding: "utf8" })
  ) {
    if (!name.endsWith(".jsonl")) continue;
    const records = readFileSync(join(folder, name), "utf8").split("\n")
      .filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
    yield { name: basename(name, ".jsonl"), records };
  }
}

interface Line {
  toolUseResult?: { agentId?: string };
  message?: { id?: string; usage?: Record<string, number> };
  payload?: {
    id?: string;
    type?: string;
    info?: { total_token_usage: Record<string, number> };
  };
}

const add = (to: Map<string, Counts>, id: string, more: Counts) => {
  const sum = to.get(id) ?? [0, 0, 0, 0];
  to.set(id, sum.map((n, i) => n + (more[i] ?? 0)) as Counts);
};

/** Each message once, with its greatest output, by session and by agent. */
function claudeTruth(): Map<string, Counts> {
  const messages = new Map<string, { owner: string; counts: Counts }>();
  for (const { name, records } of transcripts(join(home, ".claude"))) {
    const owner = name.replace(/^agent-/, "");
    for (const { message } of records) {
      const usage = message?.usage;
      if (!message?.id || !usage) continue;
      const counts: Counts = [
        usage.input_tokens ?? 0,
        usage.output_tokens ?? 0,
        usage.cache_read_input_tokens ?? 0,
        usage.cache_creation_input_tokens ?? 0,
      ];
      const known = messages.get(message.id);
      if (!known || counts[1] >= known.counts[1]) {
        messages.set(message.id, { owner: known?.owner ?? owner, counts });
      }
    }
  }
  const truth = new Map<string, Counts>();
  for (const { owner, counts } of messages.values()) add(truth, owner, counts);
  return truth;
}

/** The last cumulative count of each rollout. */
function codexTruth(): Map<string, Counts> {
  const truth = new Map<string, Counts>();
  for (const { records } of transcripts(join(home, ".codex"))) {
    const last = records.filter((r) => r.payload?.type === "token_count")
      .at(-1)?.payload?.info?.total_token_usage ?? {};
    const cached = last.cached_input_tokens ?? 0;
    add(truth, records[0]?.payload?.id ?? "", [
      (last.input_tokens ?? 0) - cached,
      last.output_tokens ?? 0,
      cached,
      0,
    ]);
  }
  return truth;
}

const counts = (t: Stored["summary"]["tokens"]): Counts => [
  t.input,
  t.output,
  t.cacheRead,
  t.cacheWrite,
];

describe.skipIf(!there)("a generated home", () => {
  it("has a token error of 0 in every session and subagent, and in every row", () => {
    const truth = new Map([...claudeTruth(), ...codexTruth()]);
    const seen = new Set<string>();
    for (const { summary, detail } of stored) {
      const row: Counts = [0, 0, 0, 0];
      for (const session of [detail.session, ...detail.subagents]) {
        const expected = truth.get(session.id);
        if (expected) seen.add(session.id);
        // A parent whose file is gone has spent nothing of its own.
        expect(counts(session.tokens), session.id)
          .toEqual(expected ?? [0, 0, 0, 0]);
        const turns = new Map<string, Counts>();
        for (const turn of session.turns) add(turns, "", counts(turn.tokens));
        expect(turns.get("") ?? [0, 0, 0, 0]).toEqual(counts(session.tokens));
        counts(session.tokens).forEach((n, i) => row[i] = (row[i] ?? 0) + n);
      }
      expect(counts(summary.tokens), summary.id).toEqual(row);
    }
    expect(seen.size).toBe(truth.size);
    expect(truth.size).toBe(
      stats.claudeSessions + stats.subagentFiles + stats.codexFiles,
    );
  });

  it("loses no call and links every subagent that one names", () => {
    const calls = stored.reduce((n, { summary }) => n + summary.calls, 0);
    expect(calls).toBe(stats.claudeToolUses + stats.codexCalls);
    // Some of its agents no call ever names.
    const named = [...transcripts(join(home, ".claude"))].flatMap((file) =>
      file.records.flatMap((r) => r.toolUseResult?.agentId ?? [])
    );
    const linked = stored.filter((s) => s.summary.harness.name === "claude")
      .flatMap(({ detail }) => detail.subagents)
      .flatMap((s) => s.parent?.call === undefined ? [] : [s.id]);
    expect(linked.sort()).toEqual(named.sort());
    expect(named.length).toBeGreaterThan(5);
  });
});
