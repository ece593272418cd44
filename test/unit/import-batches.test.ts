import { utimesSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import {
  cleanUp,
  fakeHarness,
  fakeSession,
  folder,
  run,
  writeFake,
} from "./import-support.ts";

afterEach(cleanUp);

/** Sessions of which the first is the newest. */
function write(home: string, repo: string, ids: readonly string[]): void {
  for (const [i, id] of ids.entries()) {
    const path = writeFake(
      home,
      id,
      id === "empty" ? "not one\n" : fakeSession(repo),
    );
    utimesSync(path, 2e9 - i, 2e9 - i);
  }
}

describe("an import in batches", () => {
  it("counts what it stores, so that empty files never fill a batch", async () => {
    const home = folder(), repo = folder();
    write(home, repo, ["empty", "a", "b", "c"]);
    const first = await run(home, repo, { limit: 1 });
    expect(first.sessions).toMatchObject({ new: 1, skipped: 1 });
    expect(first.left).toBe(2);
  });

  it("carries on behind the last session with `after`, also when all are read again", async () => {
    const home = folder(), repo = folder();
    write(home, repo, ["a", "b", "c", "d", "e"]);
    await run(home, repo);
    const reads: string[] = [];
    const harnesses = [fakeHarness(undefined, (unit) => {
      reads.push(unit.id);
    })];
    const left: (number | undefined)[] = [];
    let after: string | undefined;
    do {
      const result = await run(
        home,
        repo,
        { force: true, limit: 2, ...(after === undefined ? {} : { after }) },
        { harnesses },
      );
      left.push(result.left);
      after = result.next;
    } while (after !== undefined);
    expect(reads).toEqual(["a", "b", "c", "d", "e"]);
    expect(left).toEqual([3, 1, undefined]);
  });

  it("reads a file that holds no session once, and says so each time", async () => {
    const home = folder(), repo = folder();
    write(home, repo, ["empty", "a"]);
    const reads: string[] = [];
    const harnesses = [fakeHarness(undefined, (unit) => {
      reads.push(unit.id);
    })];
    const first = await run(home, repo, {}, { harnesses });
    const second = await run(home, repo, {}, { harnesses });
    expect(reads.sort()).toEqual(["a", "empty"]);
    expect(first.problems).toHaveLength(1);
    expect(second.problems).toEqual(first.problems);
  });

  it("leaves alone what was never stored with `storedOnly`", async () => {
    const home = folder(), repo = folder();
    write(home, repo, ["a"]);
    await run(home, repo);
    write(home, repo, ["a", "b"]);
    writeFake(home, "a", fakeSession(repo, undefined, 4));
    const result = await run(home, repo, { storedOnly: true });
    expect(result.sessions).toMatchObject({ new: 0, updated: 1, skipped: 1 });
  });
});
