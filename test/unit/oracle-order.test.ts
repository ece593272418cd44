/**
 * What is stored depends on the files alone: not on their order, places or
 * times, nor on how many imports it took.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import { MIXED, type MixedFile, put } from "../oracle/mixed-home.ts";
import { tempHome } from "../oracle/oracle.ts";
import { importHome } from "../oracle/stored.ts";

/** Every stored item as it lies there, but for the fingerprint of its source. */
async function contents(repo: string): Promise<Record<string, string>> {
  const store = await EmbeddedStore.open({ repo, readOnly: true });
  const all: Record<string, string> = {};
  for (const { name } of await store.list()) {
    all[name] = (await store.read(name) ?? "").replace(
      /"fingerprint":"[^"]*"/,
      '"fingerprint":""',
    );
  }
  await store.close();
  return all;
}

/** A new home and a new repository, gone afterwards. */
async function inPlace<T>(
  work: (home: string, repo: string) => Promise<T>,
): Promise<T> {
  const root = tempHome();
  const home = join(root, "home"), repo = join(root, "repo");
  try {
    for (const folder of [home, repo]) mkdirSync(folder);
    return await work(home, repo);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

let once: Record<string, string>;

beforeAll(async () => {
  once = await inPlace(async (home, repo) => {
    for (const file of MIXED) put(home, file);
    const result = await importHome(home, repo);
    expect(result.problems).toEqual([]);
    return await contents(repo);
  });
});

const order = fc.shuffledSubarray([...MIXED], { minLength: MIXED.length });
const folder = fc.nat(2);
/** Seconds since 1970, after the last moment of every session. */
const mtime = fc.integer({ min: 1_800_000_000, max: 1_800_100_000 });

describe("what is stored is the same", () => {
  it("and holds what the home holds", () => {
    const names = Object.keys(once);
    expect(names.filter((n) => n.startsWith("summary-")).length).toBe(5);
    const text = Object.values(once).join("\n");
    for (const id of ["a1", "a2", "a3", "kid", "orphan"]) {
      expect(text).toContain(`{"id":"${id}"`);
    }
    expect(text).toContain('"forkOf"');
  });

  it("in whatever order, folders and with whatever times files are found", async () => {
    await fc.assert(
      fc.asyncProperty(
        order,
        fc.array(fc.tuple(folder, mtime), {
          minLength: MIXED.length,
          maxLength: MIXED.length,
        }),
        (files, places) =>
          inPlace(async (home, repo) => {
            files.forEach((file, i) => {
              const [folder = 0, mtime = 0] = places[i] ?? [];
              put(home, file, { folder, mtime });
            });
            await importHome(home, repo);
            expect(await contents(repo)).toEqual(once);
          }),
      ),
      { numRuns: 12 },
    );
  });

  it("however an import is split by a limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }),
        fc.boolean(),
        (limits, carryOn) =>
          inPlace(async (home, repo) => {
            for (const file of MIXED) put(home, file);
            let left = 1, after: string | undefined;
            for (let i = 0; left > 0; i++) {
              const result = await importHome(home, repo, {
                limit: limits[i % limits.length] ?? 1,
                ...(carryOn && after !== undefined ? { after } : {}),
              });
              left = result.left ?? 0;
              after = result.next;
            }
            expect(await contents(repo)).toEqual(once);
          }),
      ),
      { numRuns: 8 },
    );
  });

  it("when files come one after the other, children and forks before their origins", async () => {
    await fc.assert(
      fc.asyncProperty(
        order,
        fc.nat(MIXED.length),
        (files, half) =>
          inPlace(async (home, repo) => {
            for (const part of [files.slice(0, half), files.slice(half)]) {
              for (const file of part) put(home, file);
              await importHome(home, repo);
            }
            expect(await contents(repo)).toEqual(once);
          }),
      ),
      { numRuns: 12 },
    );
  });

  it("when files grow byte by byte between imports", async () => {
    const step = fc.tuple(
      fc.constantFrom(...MIXED),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        (steps) =>
          inPlace(async (home, repo) => {
            const sizes = new Map<MixedFile, number>();
            for (const [file, share] of steps) {
              const whole = Buffer.byteLength(file.text);
              const bytes = Math.max(
                sizes.get(file) ?? 0,
                Math.floor(share * whole),
              );
              sizes.set(file, bytes);
              put(home, file, { bytes });
              await importHome(home, repo);
            }
            for (const file of MIXED) put(home, file);
            await importHome(home, repo);
            expect(await contents(repo)).toEqual(once);
          }),
      ),
      { numRuns: 12 },
    );
  });
});
