import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HARNESSES } from "../../extension/harness/registry.ts";
import type { Unit } from "../../extension/harness/types.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Every `.claude` or `.codex` holder below a folder, not too deep. */
function homes(folder: string, depth = 3): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const names = readdirSync(folder);
  if (names.includes(".claude") || names.includes(".codex")) return [folder];
  return depth === 0
    ? []
    : names.flatMap((name) => homes(join(folder, name), depth - 1));
}

const files = ({ id, files, needs, cwd, startedAt }: Unit) => ({
  id,
  files: files.map((f) => f.path),
  needs: needs.map((f) => f.path),
  cwd,
  startedAt,
});

const AREAS = ["fixtures/homes", "../shared/corpus/homes", "../shared/families"]
  .map((area) => [area, homes(join(ROOT, area))] as const);

// The shared ones are skipped where they are not beside this repository.
describe.each(AREAS)("a scan for one session of %s", (_area, all) => {
  it.skipIf(all.length === 0)(
    "finds it whole, with the same files as a scan of everything",
    async () => {
      for (const home of all) {
        for (const harness of HARNESSES) {
          const look = (only?: string) =>
            harness.scan({ home, vars: {} }, {
              heads: { get: () => undefined, put: () => {} },
              ...(only === undefined ? {} : { only }),
            });
          const { units } = await look();
          for (const unit of units) {
            const found = (await look(unit.id)).units
              .filter(({ id }) => id === unit.id);
            // Where names tell nothing it may find none, never a part.
            if (found.length === 0) {
              expect(unit.files[0]?.path).not.toContain(unit.id);
            } else expect(found.map(files), home).toEqual([files(unit)]);
          }
        }
      }
    },
  );
});

describe("a scan for one session", () => {
  it("opens no file whose name rules it out", async () => {
    for (const home of homes(join(ROOT, "fixtures/homes"))) {
      for (const harness of HARNESSES) {
        const asked: string[] = [];
        const { units } = await harness.scan({ home, vars: {} }, {
          heads: {
            get: ({ path }) => void asked.push(path),
            put: () => {},
          },
          only: "00000000-0000-4000-8000-no-such",
        });
        expect([units, asked], home).toEqual([[], []]);
      }
    }
  });
});
