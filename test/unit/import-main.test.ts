import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { layoutOf } from "../../extension/store/layout.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import type { ImportResult, Progress } from "../../extension/import/types.ts";
import { checkStore } from "./import-check.ts";
import {
  cleanUp,
  fakeHarness,
  fakeSession,
  fakeText,
  folder,
  run,
  tree,
  writeFake,
} from "./import-support.ts";

afterEach(cleanUp);

/** Versions on disk by item. */
function versions(repo: string): Record<string, string[]> {
  const { type } = layoutOf(repo);
  const model = join(type, readdirSync(type)[0]!);
  return Object.fromEntries(
    readdirSync(model).sort().map((name) => [
      name,
      readdirSync(join(model, name)).sort(),
    ]),
  );
}

async function stored(repo: string) {
  const store = await EmbeddedStore.open({ repo, readOnly: true });
  return await store.sessions();
}

describe("importing", () => {
  it("stores every session, and a second run writes nothing at all", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession(repo));
    writeFake(home, "two", fakeSession("/somewhere/else"));
    const counts = { heads: 0, reads: 0 };
    const deps = { harnesses: [fakeHarness(counts)] };
    const first = await run(home, repo, {}, deps);
    expect(first.problems).toEqual([]);
    expect(first.sessions).toEqual({
      found: 2,
      new: 2,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
    });
    expect(first.calls).toBe(6);
    expect(checkStore(repo)).toEqual([]);
    const before = tree(repo);
    const second = await run(home, repo, {}, deps);
    expect(second.sessions).toMatchObject({ new: 0, updated: 0, unchanged: 2 });
    expect(second.bytes).toBe(0);
    expect(tree(repo)).toEqual(before);
    // Nothing was opened either: scanning went by the remembered heads.
    expect(counts).toEqual({ heads: 2, reads: 2 });
  });

  it("updates exactly the session that grew, and leaves one version of it", async () => {
    const home = folder(), repo = folder();
    const file = writeFake(home, "one", fakeSession(repo));
    writeFake(home, "two", fakeSession(repo));
    await run(home, repo);
    const at = Date.parse("2026-10-05T09:01:00.000Z");
    appendFileSync(
      file,
      fakeText([{ do: "call", at, id: "more", text: "ls", end: at + 1 }]),
    );
    const result = await run(home, repo);
    expect(result.sessions).toMatchObject({ new: 0, updated: 1, unchanged: 1 });
    expect(versions(repo)).toEqual({
      "detail-one": ["2", "latest"],
      "detail-two": ["1", "latest"],
      "rollup-2026-10-05": ["2", "latest"],
      "summary-one": ["2", "latest"],
      "summary-two": ["1", "latest"],
    });
    expect(checkStore(repo)).toEqual([]);
    const one = (await stored(repo)).get("one")!;
    expect(one.summary.calls).toBe(4);
    expect(one.version).toBe(2);
  });

  it("plans and counts on a dry run, and makes not even the repository", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession(repo));
    const result = await run(home, repo, { dryRun: true });
    expect(result.sessions).toMatchObject({ found: 1, new: 1 });
    expect(readdirSync(repo)).toEqual([]);
  });

  it("makes the repository on --init even when there is nothing to import", async () => {
    const home = folder(), repo = folder();
    expect((await run(home, repo)).sessions.found).toBe(0);
    expect(existsSync(join(repo, ".swamp.yaml"))).toBe(true);
    const before = tree(repo);
    await run(home, repo);
    expect(tree(repo)).toEqual(before);
  });

  it("imports all others when some files are empty, binary, no session or break the reader", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "good", fakeSession(repo));
    writeFake(home, "empty", "");
    writeFake(home, "binary", "\u0000\u0001\u0002\n".repeat(50));
    writeFake(home, "broken", [{ do: "throw" }]);
    const torn = fakeText(fakeSession(repo)) + '{"do":"call","at":1';
    writeFake(home, "torn", torn);
    mkdirSync(join(home, ".fake", "folder.jsonl"));
    const result = await run(home, repo);
    expect(result.sessions).toMatchObject({ new: 2, skipped: 1, failed: 2 });
    const codes = result.problems.map((p) => [
      p.file.slice(home.length + 7),
      p.code,
    ]).sort();
    expect(codes).toEqual([
      ["binary.jsonl", "NO_SESSION"],
      ["broken.jsonl", "INTERNAL"],
      ["empty.jsonl", "EMPTY"],
      ["folder.jsonl", "UNREADABLE"],
    ]);
    // What an error says may quote the session.
    const internal = result.problems.find((p) => p.code === "INTERNAL")!;
    expect(internal.message).toContain("Error");
    expect(internal.message).not.toContain("fake bug");
    expect([...(await stored(repo)).keys()].sort()).toEqual(["good", "torn"]);
    expect((await stored(repo)).get("torn")!.summary.flags).toContain(
      "damaged",
    );
    expect(checkStore(repo)).toEqual([]);
  });

  it("stores hostile ids and names inside the repository, and finds them again", async () => {
    const home = folder(), outer = folder(), repo = join(outer, "a/b/repo");
    mkdirSync(repo, { recursive: true });
    const ids = [
      "../../escape",
      "latest",
      ".hidden",
      "a/b",
      "Ünï",
      "x..y",
      "con ",
    ];
    for (const id of ids) writeFake(home, id, fakeSession(repo));
    const first = await run(home, repo);
    expect(first.sessions.new).toBe(ids.length);
    expect(checkStore(repo)).toEqual([]);
    const outside = tree(outer).filter((line) => !line.startsWith("/a/b/repo"));
    expect(outside.map((line) => line.split(" ")[0])).toEqual(["/a", "/a/b"]);
    const second = await run(home, repo);
    expect(second.sessions.unchanged).toBe(ids.length);
  });

  it("keeps a session whose source vanished, flags it once, and takes the flag off again", async () => {
    const home = folder(), repo = folder();
    const file = writeFake(home, "one", fakeSession(repo));
    writeFake(home, "two", fakeSession(repo));
    await run(home, repo);
    const text = readFileSync(file);
    rmSync(file);
    const gone = await run(home, repo);
    expect(gone.sessions).toMatchObject({ found: 1, unchanged: 1 });
    expect((await stored(repo)).get("one")!.summary.flags).toContain(
      "sourceGone",
    );
    expect((await stored(repo)).get("two")!.summary.flags).not.toContain(
      "sourceGone",
    );
    expect(checkStore(repo)).toEqual([]);
    const before = tree(repo);
    await run(home, repo);
    expect(tree(repo)).toEqual(before);
    writeFileSync(file, text);
    await run(home, repo);
    expect((await stored(repo)).get("one")!.summary.flags).not.toContain(
      "sourceGone",
    );
  });

  it("calls nothing gone when the whole root is missing or another home is read", async () => {
    const home = folder(), other = folder(), repo = folder();
    writeFake(home, "one", fakeSession(repo));
    writeFake(other, "two", fakeSession(repo));
    await run(home, repo);
    await run(other, repo);
    rmSync(join(home, ".fake"), { recursive: true });
    await run(home, repo);
    for (const session of (await stored(repo)).values()) {
      expect(session.summary.flags).not.toContain("sourceGone");
    }
  });

  it("does not read a session again because its home moved", async () => {
    const home = folder(), moved = folder(), repo = folder();
    const file = writeFake(home, "one", fakeSession(repo));
    const copy = writeFake(moved, "one", fakeSession(repo));
    const time = new Date("2026-10-06T00:00:00Z");
    utimesSync(file, time, time);
    utimesSync(copy, time, time);
    await run(home, repo);
    expect((await run(moved, repo)).sessions).toMatchObject({ unchanged: 1 });
  });

  it("of two programs with one id stores both sessions", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "same", fakeSession(repo));
    mkdirSync(join(home, ".other"));
    writeFileSync(
      join(home, ".other", "same.jsonl"),
      fakeText(fakeSession(repo)),
    );
    const harnesses = [
      fakeHarness(),
      fakeHarness(undefined, undefined, "other"),
    ];
    await run(home, repo, {}, { harnesses });
    expect([...(await stored(repo)).keys()].sort()).toEqual([
      "other-same",
      "same",
    ]);
    const again = await run(home, repo, {}, { harnesses });
    expect(again.sessions.unchanged).toBe(2);
  });

  it("stops after the session at hand, says what is left, and goes on next time", async () => {
    const home = folder(), repo = folder();
    for (const id of ["a", "b", "c", "d"]) {
      writeFake(home, id, fakeSession(repo));
    }
    const stop = new AbortController();
    let read = 0;
    const harnesses = [fakeHarness(undefined, () => {
      if (++read === 3) stop.abort();
    })];
    const first = await run(home, repo, {}, { harnesses, signal: stop.signal });
    expect(first.interrupted).toBe(true);
    expect(first.sessions.new).toBe(2);
    expect(first.left).toBe(2);
    expect(checkStore(repo)).toEqual([]);
    const second = await run(home, repo);
    expect(second.sessions).toMatchObject({ new: 2, unchanged: 2 });
    expect(second.interrupted).toBeUndefined();
  });

  it("writes at most `limit` sessions and counts what is left", async () => {
    const home = folder(), repo = folder();
    for (const id of ["a", "b", "c"]) writeFake(home, id, fakeSession(repo));
    expect(await run(home, repo, { limit: 2 })).toMatchObject({
      left: 1,
      sessions: { new: 2 },
    });
    const last = await run(home, repo, { limit: 2 });
    expect(last.sessions).toMatchObject({ new: 1, unchanged: 2 });
    expect(last.left).toBeUndefined();
  });

  it("reads everything again with force", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession(repo));
    await run(home, repo);
    const result = await run(home, repo, { force: true });
    expect(result.sessions).toMatchObject({ updated: 1, unchanged: 0 });
    expect(checkStore(repo)).toEqual([]);
  });

  it("writes a rollup a day, and rewrites the days that a session left", async () => {
    const home = folder(), repo = folder();
    const day = (d: number) => Date.parse(`2026-10-0${d}T10:00:00.000Z`);
    writeFake(home, "one", fakeSession(repo, day(1)));
    writeFake(home, "two", fakeSession(repo, day(2)));
    await run(home, repo);
    writeFake(home, "two", fakeSession(repo, day(3), 5));
    await run(home, repo);
    const store = await EmbeddedStore.open({ repo, readOnly: true });
    const rollup = async (d: number) =>
      JSON.parse((await store.read(`rollup-2026-10-0${d}`)) ?? "null");
    expect(await rollup(1)).toMatchObject({ sessions: 1, calls: 3, bypass: 1 });
    expect(await rollup(2)).toMatchObject({ sessions: 0, calls: 0 });
    expect(await rollup(3)).toMatchObject({ sessions: 1, calls: 5 });
  });

  it.each([["new", 0], ["updated", 1]])(
    "that fails in the middle of %s sessions is made good by the next one",
    async (_what, before) => {
      const home = folder(), repo = folder();
      const write = (calls: number) => {
        for (const day of [5, 6]) {
          const at = Date.parse(`2026-10-0${day}T09:00:00.000Z`);
          writeFake(home, `s${day}`, fakeSession(repo, at, calls));
        }
      };
      if (before) {
        write(3);
        await run(home, repo);
      }
      write(5);
      const full = await EmbeddedStore.open({ repo, init: true });
      const put = full.put.bind(full);
      let puts = 0;
      full.put = (...session) =>
        ++puts < 2 ? put(...session) : Promise.reject(new Error("ENOSPC"));
      let told: ImportResult | undefined;
      const failed = (partial: ImportResult) => told = partial;
      await expect(run(home, repo, {}, { store: full, failed })).rejects
        .toThrow("ENOSPC");
      // The parts still add up.
      expect([told?.sessions.found, told?.left]).toEqual([2, 1]);
      expect(told?.sessions[before ? "updated" : "new"]).toBe(1);
      expect((await run(home, repo)).sessions.unchanged).toBe(1);
      const store = await EmbeddedStore.open({ repo, readOnly: true });
      for (const day of [5, 6]) {
        expect(JSON.parse((await store.read(`rollup-2026-10-0${day}`))!))
          .toMatchObject({ sessions: 1, calls: 5 });
      }
      expect(store.needsMending()).toBe(false);
      expect(checkStore(repo)).toEqual([]);
    },
  );

  it("that fails when all was stored is made good by the next one", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "a", fakeSession(repo));
    const full = await EmbeddedStore.open({ repo, init: true });
    full.putRollup = () => Promise.reject(new Error("ENOSPC"));
    await expect(run(home, repo, {}, { store: full })).rejects.toThrow();
    expect((await run(home, repo)).sessions.unchanged).toBe(1);
    const store = await EmbeddedStore.open({ repo, readOnly: true });
    expect(JSON.parse((await store.read("rollup-2026-10-05"))!))
      .toMatchObject({ sessions: 1 });
  });

  it("tells how far it is, up to the end", async () => {
    const home = folder(), repo = folder();
    for (const id of ["a", "b"]) writeFake(home, id, fakeSession(repo));
    const told: Progress[] = [];
    const result = await run(home, repo, {}, {
      progress: (progress) => told.push(progress),
    });
    const last = told.at(-1)!;
    expect(last).toEqual({
      done: 2,
      total: 2,
      bytes: result.bytes,
      totalBytes: result.bytes,
    });
  });
});
