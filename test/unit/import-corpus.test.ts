import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { HARNESSES } from "../../extension/harness/registry.ts";
import { checkStore } from "./import-check.ts";
import { cleanUp, folder, run, tree } from "./import-support.ts";

const SHARED = fileURLToPath(new URL("../../../shared/", import.meta.url));

/** Every home under a folder of `../shared`, step by step where it grows. */
function homes(area: string): string[][] {
  const root = join(SHARED, area);
  if (!existsSync(root)) return [];
  return readdirSync(root).map((name) => join(root, name))
    .filter((path) => statSync(path).isDirectory())
    .map((path) => {
      if (area !== "families") return [path];
      const steps = readdirSync(path).filter((n) => n.startsWith("step"));
      return steps.length
        ? steps.sort().map((step) => join(path, step, "home"))
        : [join(path, "home")];
    });
}

afterEach(cleanUp);

// Skipped where the shared corpus is not beside this repository.
describe.each(["corpus/homes", "families"])("every home of %s", (area) => {
  const all = homes(area);
  it.skipIf(all.length === 0)(
    "is stored whole, valid, and unchanged the second time",
    async () => {
      for (const steps of all) {
        const repo = folder();
        for (const home of steps) {
          const deps = { harnesses: HARNESSES };
          const first = await run(home, repo, {}, deps);
          expect(first.sessions.failed, home).toBe(0);
          expect(
            first.problems.filter((p) => p.code === "INTERNAL"),
            home,
          ).toEqual([]);
          expect(checkStore(repo), home).toEqual([]);
          const before = tree(repo);
          const second = await run(home, repo, {}, deps);
          expect(second.sessions, home).toMatchObject({
            new: 0,
            updated: 0,
            failed: 0,
            unchanged: first.sessions.found - first.sessions.skipped,
          });
          expect(tree(repo), home).toEqual(before);
        }
      }
    },
  );
});
