import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { rollupOf } from "../../extension/digest/mod.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import { type Rollup, rollupName } from "../../schema/mod.ts";
import {
  cleanUp,
  fakeSession,
  folder,
  run,
  writeFake,
} from "./import-support.ts";

afterEach(cleanUp);

const DAYS = ["2026-10-05", "2026-10-06", "2026-10-07"];
const IDS = ["one", "two", "three", "four"];

type Step =
  | { do: "write"; id: string; day: string; calls: number }
  | { do: "remove"; id: string }
  | { do: "prune" }
  | { do: "import" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      id: fc.constantFrom(...IDS),
      day: fc.constantFrom(...DAYS),
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("remove" as const),
      id: fc.constantFrom(...IDS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "prune" as const }) },
  { weight: 3, arbitrary: fc.constant({ do: "import" as const }) },
);

async function rollupsOf(store: EmbeddedStore): Promise<Map<string, Rollup>> {
  const found = new Map<string, Rollup>();
  for (const day of DAYS) {
    const text = await store.read(rollupName(day));
    if (text !== undefined) found.set(day, JSON.parse(text) as Rollup);
  }
  return found;
}

describe("the rollups", () => {
  it("after any run are what the days' sessions add up to, and outlive them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 9 }),
        async (steps) => {
          const home = folder(), repo = folder();
          const open = () => EmbeddedStore.open({ repo, init: true });
          for (const s of [...steps, { do: "import" as const }]) {
            if (s.do === "write") {
              const at = Date.parse(`${s.day}T09:00:00.000Z`);
              writeFake(home, s.id, fakeSession(home, at, s.calls));
            } else if (s.do === "remove") {
              rmSync(`${home}/.fake/${s.id}.jsonl`, { force: true });
            } else if (s.do === "prune") {
              const store = await open();
              const before = await rollupsOf(store);
              // Beyond the sessions' lifetime, within that of the rollups.
              await store.prune(Date.now() + 100 * 86_400_000);
              await store.close();
              const after = await open();
              expect((await after.sessions()).size).toBe(0);
              expect(await rollupsOf(after)).toEqual(before);
              await after.close();
            } else {
              const { sessions } = await run(home, repo);
              expect(sessions.failed).toBe(0);
              const store = await open();
              const rollups = await rollupsOf(store);
              const all = [...(await store.sessions()).values()]
                .map(({ summary }) => summary);
              for (
                const day of new Set(all.map((x) => x.startedAt.slice(0, 10)))
              ) {
                expect(rollups.get(day), day).toEqual(rollupOf(day, all));
              }
              await store.close();
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("of a day that a session left is without it", async () => {
    const home = folder(), repo = folder();
    const write = (day: string) =>
      writeFake(
        home,
        "one",
        fakeSession(home, Date.parse(`${day}T09:00:00.000Z`), 2),
      );
    write("2026-10-05");
    await run(home, repo);
    write("2026-10-06");
    await run(home, repo);
    const store = await EmbeddedStore.open({ repo });
    const rollups = await rollupsOf(store);
    expect([...rollups].map(([day, r]) => [day, r.sessions, r.calls])).toEqual([
      ["2026-10-05", 0, 0],
      ["2026-10-06", 1, 2],
    ]);
    await store.close();
  });
});
