import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import {
  synthesisPrompt,
  TEMPLATES,
} from "../../extension/digest/prompts/templates.ts";
import type { ExtractedDigest } from "../../extension/digest/extract.ts";
import { HARNESSES } from "../../extension/harness/registry.ts";
import {
  extractSource,
  importSessions,
  knownRepo,
  scanFor,
} from "../../extension/import/mod.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import { type Summary, TIERS } from "../../schema/mod.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "digest-"));
  folders.push(path);
  return path;
};
afterEach(() => {
  for (const path of folders.splice(0)) {
    rmSync(path, { recursive: true, force: true });
  }
});

/** Every home below a folder. */
function homes(path: string, depth = 3): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  const names = readdirSync(path);
  if (names.includes(".claude") || names.includes(".codex")) return [path];
  return depth === 0
    ? []
    : names.flatMap((name) => homes(join(path, name), depth - 1));
}

/** The stored row and the digest of every session of a home. */
async function both(
  home: string,
): Promise<{ summary: Summary; digest: ExtractedDigest }[]> {
  const repo = folder();
  const open = () => EmbeddedStore.open({ repo, init: true });
  const env = { home, vars: {} };
  await importSessions({ repo, all: true }, {
    store: await open(),
    harnesses: HARNESSES,
    env,
  });
  const store = await open();
  const pairs = [];
  const { signal } = new AbortController();
  const { knowledge } = knownRepo(repo);
  for (const { id, summary } of (await store.sessions()).values()) {
    const heads = { get: () => undefined, put: () => {} };
    const { sources } = await scanFor(id, env, heads, signal);
    const source = sources.find(({ unit }) => unit.id === id) ?? sources[0];
    const digest = source && await extractSource(source, { knowledge, signal });
    if (!source || !digest) continue;
    // What is kept of the texts for a digest is what all of them would give.
    const full = { knowledge, signal, segment: { number: 1 } };
    expect((await extractSource(source, full))?.keyTurns, id)
      .toEqual(digest.keyTurns);
    pairs.push({ summary, digest });
  }
  await store.close();
  return pairs;
}

const AREAS = ["fixtures/homes", "../shared/corpus/homes", "../shared/families"]
  .map((area) => [area, homes(join(ROOT, area))] as const);

// The shared ones are skipped where they are not beside this repository.
describe.each(AREAS)("every session of %s", (_area, all) => {
  it.skipIf(all.length === 0)(
    "has one substance, stored and extracted, which its parts explain",
    async () => {
      let sessions = 0;
      for (const home of all) {
        for (const { summary, digest } of await both(home)) {
          sessions++;
          expect(digest.substance, home).toEqual(summary.substance);
          expect(
            digest.substanceParts.reduce((sum, part) => sum + part.points, 0),
            home,
          ).toBe(summary.substance.score);
          expect(digest.files.written.length, home)
            .toBe(summary.substance.signals.filesWritten);
          for (const { name } of TEMPLATES) {
            checkPrompt(synthesisPrompt(name, digest), digest, home);
          }
        }
      }
      expect(sessions).toBeGreaterThanOrEqual(all.length / 2);
    },
  );
});

/** About 25,000 tokens at four characters each: what any model reads at once. */
const LONGEST_PROMPT = 100_000;

function checkPrompt(
  prompt: string,
  digest: ExtractedDigest,
  home: string,
): void {
  expect(prompt.length, home).toBeLessThan(LONGEST_PROMPT);
  const { goal, lastRequests, finalState } = digest.keyTurns;
  for (const text of [goal, ...lastRequests, ...finalState]) {
    if (text) expect(prompt, home).toContain(JSON.stringify(text));
  }
  for (const path of digest.files.written.slice(0, 20)) {
    expect(prompt, home).toContain(JSON.stringify(path));
  }
  for (const { command } of digest.tests) {
    expect(prompt, home).toContain(JSON.stringify(command));
  }
  // What a harness puts into a person's mouth is no goal.
  expect(goal ?? "", home).not.toMatch(
    /^(?:# AGENTS\.md|<environment_context>|<user_instructions>|<command-name>|<local-command|<system-reminder>|Caveat: The messages below)/,
  );
}

/** Lines of a transcript. */
function transcript(
  session: string,
  calls: { id: string; name: string; input: Record<string, unknown> }[],
  agent?: string,
  prompt = "hello",
): string {
  const cwd = "/home/dev/src/shop";
  const at = (i: number) =>
    new Date(Date.parse("2026-11-20T10:00:00.000Z") + i * 1000).toISOString();
  const record = (i: number, type: string, message: unknown) => ({
    type,
    sessionId: session,
    cwd,
    version: "2.1.120",
    uuid: `${agent ?? session}-${i}`,
    timestamp: at(i),
    ...(agent ? { agentId: agent, isSidechain: true } : {}),
    message,
  });
  return [
    record(0, "user", { role: "user", content: prompt }),
    ...calls.flatMap(({ id, name, input }, i) => [
      record(2 * i + 1, "assistant", {
        id: `m-${id}`,
        role: "assistant",
        content: [{ type: "tool_use", id, name, input }],
      }),
      record(2 * i + 2, "user", {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: "ok" }],
      }),
    ]),
    record(2 * calls.length + 1, "assistant", {
      id: `m-${agent ?? "end"}`,
      role: "assistant",
      content: [{ type: "text", text: "Hello. What shall I do?" }],
    }),
  ].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

const ID = "7c1f6a52-0d5e-4c0e-9b5a-3d1f2a4b5c6d";

describe("trivial and heavy", () => {
  const project = (home: string) => {
    const path = join(home, ".claude", "projects", "-home-dev-src-shop");
    mkdirSync(path, { recursive: true });
    return path;
  };

  it("a two-message hello is trivial", async () => {
    const home = folder();
    writeFileSync(join(project(home), `${ID}.jsonl`), transcript(ID, []));
    const [pair] = await both(home);
    expect(pair?.digest.substance).toMatchObject({
      score: 0,
      tier: TIERS[0],
      signals: { messageCount: 2, endedCleanly: true },
    });
    expect(pair?.summary.substance.tier).toBe("trivial");
    expect(pair?.digest.keyTurns).toEqual({
      goal: "hello",
      lastRequests: [],
      finalState: ["Hello. What shall I do?"],
    });
  });

  it.each([
    [
      "<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args>all of it</command-args>",
      "/review all of it",
    ],
    [
      "<ide_opened_file>The user opened a.ts.</ide_opened_file>\nFix a.ts.",
      "Fix a.ts.",
    ],
  ])("the goal is what a person typed: %#", async (content, goal) => {
    const home = folder();
    writeFileSync(
      join(project(home), `${ID}.jsonl`),
      transcript(ID, [], undefined, content),
    );
    const [pair] = await both(home);
    expect(pair?.digest.keyTurns.goal).toBe(goal);
  });

  it("an 850-call session with its subagents counts every written file", async () => {
    const home = folder(), dir = project(home);
    const write = (id: string, path: string) => ({
      id,
      name: "Write",
      input: { file_path: `/home/dev/src/shop/${path}`, content: "x" },
    });
    const own = Array.from(
      { length: 450 },
      (_, i) =>
        i % 9 === 0 ? write(`w${i}`, `root/${i}.ts`) : {
          id: `b${i}`,
          name: "Bash",
          input: { command: `ls > out/${i}.txt` },
        },
    );
    const children = Array.from(
      { length: 20 },
      (_, n) => `a${n}${"0".repeat(8)}`,
    );
    const spawns = children.map((agent) => ({
      id: `task-${agent}`,
      name: "Task",
      input: { subagent_type: "general-purpose", prompt: "hello" },
    }));
    writeFileSync(
      join(dir, `${ID}.jsonl`),
      transcript(ID, [...own.slice(0, 430), ...spawns]),
    );
    const below = join(dir, ID, "subagents");
    mkdirSync(below, { recursive: true });
    children.forEach((agent, n) => {
      const calls = Array.from(
        { length: 20 },
        (_, i) => write(`${agent}-${i}`, `child/${n}/${i % 10}.ts`),
      );
      writeFileSync(
        join(below, `agent-${agent}.jsonl`),
        transcript(ID, calls, agent),
      );
      writeFileSync(
        join(below, `agent-${agent}.meta.json`),
        JSON.stringify({ agentType: "x", toolUseId: `task-${agent}` }),
      );
    });
    const [pair] = await both(home);
    const { files, substance, subagents } = pair!.digest;
    expect(subagents).toEqual({ count: 20, calls: 400 });
    expect(substance.signals.toolCallCount).toBe(850);
    // 48 of the session's own, ten of each subagent; none from words of commands.
    expect(files.written.length).toBe(48 + 200);
    expect(files.written.some((path) => path.includes("out/"))).toBe(false);
    expect(substance.tier).toBe("heavy");
    expect(pair!.summary.substance).toEqual(substance);
  });
});
