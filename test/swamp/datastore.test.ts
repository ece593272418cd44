import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { detailSchema } from "../../schema/mod.ts";
import {
  fixtureHome,
  folder,
  grow,
  notOne,
  Repo,
  SESSIONS,
} from "./support.ts";

/**
 * A datastore that swamp syncs, as its S3 datastore is one: runs work on a
 * local cache, which is pulled before and pushed after. Objects lie in a
 * folder here.
 */
const EXTENSION = `
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "npm:zod@4";

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export const datastore = {
  type: "@stand-in/remote",
  name: "Stand-in",
  description: "Objects in a folder, worked on in a cache",
  configSchema: z.object({ remote: z.string(), cache: z.string() }),
  createProvider({ remote, cache }) {
    const objects = join(remote, "objects");
    return {
      resolveDatastorePath: () => remote,
      resolveCachePath: () => cache,
      createVerifier: () => ({
        verify: async () => ({
          healthy: true,
          message: "there",
          latencyMs: 0,
          datastoreType: "@stand-in/remote",
        }),
      }),
      createLock(_path, { lockKey = "lock", maxWaitMs = 60000 } = {}) {
        const path = join(remote, "lock-" + lockKey.replace(/\\W+/g, "-"));
        const lock = {
          async acquire() {
            const end = Date.now() + maxWaitMs;
            for (;;) {
              try {
                return mkdirSync(path);
              } catch (error) {
                if (error.code !== "EEXIST" || Date.now() > end) throw error;
                await sleep(50);
              }
            }
          },
          release: async () => rmSync(path, { recursive: true, force: true }),
          async withLock(run) {
            await lock.acquire();
            try {
              return await run();
            } finally {
              await lock.release();
            }
          },
          inspect: async () => null,
          forceRelease: async () => false,
        };
        return lock;
      },
      createSyncService: () => ({
        async pullChanged() {
          if (!existsSync(objects)) return 0;
          cpSync(objects, cache, { recursive: true });
          return 1;
        },
        async pushChanged() {
          rmSync(objects, { recursive: true, force: true });
          if (existsSync(cache)) cpSync(cache, objects, { recursive: true });
          return 1;
        },
        markDirty: async () => {},
      }),
    };
  },
};
`;

const MANIFEST = `manifestVersion: 1
name: "@stand-in/remote"
version: "2026.01.01.1"
description: Objects in a folder
paths:
  base: manifest
datastores:
  - remote.ts
`;

describe("with a datastore that swamp syncs", () => {
  test("everything goes through its cache, is pushed, and is there for another machine", async () => {
    const repo = new Repo();
    const extension = folder("extension");
    writeFileSync(join(extension, "manifest.yaml"), MANIFEST);
    writeFileSync(join(extension, "remote.ts"), EXTENSION);
    const remote = folder("remote");
    const cache = join(folder("cache"), "c");
    mkdirSync(cache);
    await repo.setUp();
    await repo.swamp("extension", "source", "add", extension);
    repo.env = {
      SWAMP_DATASTORE: `@stand-in/remote:${JSON.stringify({ remote, cache })}`,
    };
    const home = fixtureHome();
    expect((await repo.import(home)).sessions.new).toBe(SESSIONS);
    expect((await repo.import(home)).sessions.unchanged).toBe(SESSIONS);
    grow(home);
    expect((await repo.import(home)).sessions.updated).toBe(1);

    // Nothing beside swamp's back, and none of our caches among the objects.
    expect(repo.versions()).toEqual({});
    const objects = join(remote, "objects");
    const pushed = repo.versions(join(objects, "data"));
    expect(Object.keys(pushed).length).toBeGreaterThan(2 * SESSIONS);
    expect(notOne(pushed)).toEqual([]);
    expect(existsSync(join(objects, "agent-sessions"))).toBe(false);

    // Another machine has neither cache nor catalog.
    rmSync(cache, { recursive: true });
    rmSync(join(repo.dir, ".swamp", "data"), { recursive: true, force: true });
    rmSync(join(repo.dir, ".swamp", "agent-sessions"), { recursive: true });
    const again = await repo.import(home);
    expect(again.sessions).toMatchObject({ unchanged: SESSIONS, new: 0 });
    expect(await repo.items("summary")).toHaveLength(SESSIONS);
    const [detail] = await repo.items("detail");
    detailSchema.parse(await repo.get(detail!.name));

    // What reads without swamp cannot, and says so.
    const listed = await repo.startCli(["list", "--stored"]).ended;
    expect(listed.code).toBe(1);
    expect(listed.err).toContain("@stand-in/remote");
  });
});
