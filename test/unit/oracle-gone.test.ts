/** Sources that vanish in part: what is stored already is never made less. */
import {
  appendFileSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, expect, it } from "vitest";
import { claude } from "../../extension/harness/claude/mod.ts";
import type { Harness } from "../../extension/harness/types.ts";
import { importSessions } from "../../extension/import/mod.ts";
import type { ImportResult } from "../../extension/import/types.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import { Home, SID, START, Tape } from "../oracle/claude-home.ts";
import { tempHome } from "../oracle/oracle.ts";
import { readStored } from "../oracle/stored.ts";

const folders: (() => void)[] = [];
afterEach(() => folders.splice(0).forEach((remove) => remove()));

/** A home with a session and its subagent, and a repository. */
function place(): { home: Home; repo: string } {
  const home = new Home(), repo = tempHome();
  folders.push(() => home.remove(), () => rmSync(repo, { recursive: true }));
  const root = new Tape();
  root.user("go");
  const call = root.call("Agent", { prompt: "look" });
  root.result(call, "done", { toolUseResult: { agentId: "a1" } });
  const child = new Tape({ isSidechain: true }, START + 1000);
  child.user("look");
  child.call("Bash", { command: "ls" });
  home.write(`${SID}.jsonl`, root)
    .write(`${SID}/subagents/agent-a1.jsonl`, child);
  return { home, repo };
}

async function run(
  home: Home,
  repo: string,
  harness: Harness = claude,
): Promise<ImportResult> {
  return await importSessions({ repo, all: true }, {
    store: await EmbeddedStore.open({ repo, init: true }),
    harnesses: [harness],
    env: { home: home.dir, vars: {} },
  });
}

it("a session whose own file is gone while a subagent's is there stays whole, is flagged, and comes back", async () => {
  const { home, repo } = place();
  await run(home, repo);
  const [before] = await readStored(repo);
  const path = home.path(`${SID}.jsonl`), text = readFileSync(path);
  rmSync(path);
  const gone = await run(home, repo);
  expect(gone.sessions).toMatchObject({ unchanged: 1, updated: 0, failed: 0 });
  const [kept] = await readStored(repo);
  expect(kept?.detail).toEqual(before?.detail);
  expect(kept?.summary).toEqual({
    ...before?.summary,
    flags: [...before?.summary.flags ?? [], "sourceGone"],
    source: { ...before?.summary.source, fingerprint: expect.any(String) },
  });
  // Known by now: nothing is read or written again.
  expect((await run(home, repo)).bytes).toBe(0);
  expect(await readStored(repo)).toEqual([kept]);
  writeFileSync(path, text);
  await run(home, repo);
  const [back] = await readStored(repo);
  expect(back?.summary.flags).toEqual(before?.summary.flags);
  expect(back?.detail).toEqual(before?.detail);
});

it("a session whose subagent's file is gone stays whole and is flagged, until it goes on or the file comes back", async () => {
  const { home, repo } = place();
  await run(home, repo);
  const [before] = await readStored(repo);
  const path = home.path(`${SID}/subagents/agent-a1.jsonl`);
  const text = readFileSync(path);
  rmSync(path);
  const gone = await run(home, repo);
  expect(gone.sessions).toMatchObject({ unchanged: 1, updated: 0, failed: 0 });
  const [kept] = await readStored(repo);
  expect(kept?.detail).toEqual(before?.detail);
  expect(kept?.detail.subagents.map((s) => s.id)).toEqual(["a1"]);
  expect(kept?.summary).toEqual({
    ...before?.summary,
    flags: [...before?.summary.flags ?? [], "sourceGone"],
    source: { ...before?.summary.source, fingerprint: expect.any(String) },
  });
  expect((await run(home, repo)).bytes).toBe(0);
  writeFileSync(path, text);
  await run(home, repo);
  const [back] = await readStored(repo);
  expect(back?.summary.flags).toEqual(before?.summary.flags);
  expect(back?.detail).toEqual(before?.detail);
  // What is new is told, though the subagent is not there any more.
  rmSync(path);
  const more = new Tape({}, START + 60_000);
  more.user("on");
  appendFileSync(home.path(`${SID}.jsonl`), more.text());
  expect((await run(home, repo)).sessions).toMatchObject({ updated: 1 });
  const [on] = await readStored(repo);
  expect(on?.detail.session.turns.length).toBe(2);
});

it("it stays whole too beside an agent of the harness's own, and when that agent's file is gone", async () => {
  for (const lost of ["a1", "acompact-1"]) {
    const { home, repo } = place();
    const own = new Tape({ isSidechain: true }, START + 2000);
    own.user("sum up");
    own.assistant([{ type: "text", text: "done" }]);
    home.write(`${SID}/subagents/agent-acompact-1.jsonl`, own);
    await run(home, repo);
    const [before] = await readStored(repo);
    expect(before?.summary.subagents.count).toBe(1);
    rmSync(home.path(`${SID}/subagents/agent-${lost}.jsonl`));
    await run(home, repo);
    const [kept] = await readStored(repo);
    expect(kept?.detail).toEqual(before?.detail);
    expect(kept?.summary.flags).toContain("sourceGone");
  }
});

it("a fork whose copied subagents turn out to be its origin's is no longer told with them", async () => {
  const { home, repo } = place();
  const other = "bbbbbbbb-0000-4000-8000-000000000002";
  const texts = ["", "/subagents/agent-a1"].map((name) =>
    readFileSync(home.path(`${SID}${name}.jsonl`), "utf8")
  );
  rmSync(home.path(SID), { recursive: true });
  rmSync(home.path(`${SID}.jsonl`));
  const more = new Tape({ sessionId: other }, START + 60_000);
  more.user("on");
  const [main = "", agent = ""] = texts;
  home.write(`${other}.jsonl`, main.replaceAll(SID, other) + more.text())
    .write(`${other}/subagents/agent-a1.jsonl`, agent.replaceAll(SID, other));
  await run(home, repo);
  expect((await readStored(repo))[0]?.detail.subagents.length).toBe(1);
  home.write(`${SID}.jsonl`, main)
    .write(`${SID}/subagents/agent-a1.jsonl`, agent);
  await run(home, repo);
  const stored = (await readStored(repo)).map(({ summary }) => [
    summary.id,
    summary.subagents.count,
    summary.flags.includes("sourceGone"),
    summary.source.files,
  ]);
  expect(stored.sort()).toEqual([[SID, 1, false, 2], [other, 0, false, 2]]);
});

it("a session of which a part could not be read is read again, though no file changed", async () => {
  const { home, repo } = place();
  const path = home.path(`${SID}/subagents/agent-a1.jsonl`);
  const text = readFileSync(path), { mtime } = statSync(path);
  const vanishing: Harness = {
    ...claude,
    read: (unit, context) => {
      rmSync(path);
      return claude.read(unit, context);
    },
  };
  const first = await run(home, repo, vanishing);
  expect(first.problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
  const [partly] = await readStored(repo);
  expect(partly?.detail.subagents).toEqual([]);
  writeFileSync(path, text);
  utimesSync(path, mtime, mtime);
  expect((await run(home, repo)).sessions).toMatchObject({ updated: 1 });
  const [whole] = await readStored(repo);
  expect(whole?.detail.subagents.map((s) => s.id)).toEqual(["a1"]);
  expect((await run(home, repo)).sessions).toMatchObject({ unchanged: 1 });
});
