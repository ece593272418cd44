import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { layoutOf } from "../../extension/store/layout.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
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
    const store = await EmbeddedStore.open({ repo, readOnly: true });
    const one = (await store.sessions()).get("one")!;
    expect(one.summary.calls).toBe(4);
    expect(one.version).toBe(2);
  });
});
