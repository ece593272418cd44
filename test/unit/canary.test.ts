import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import { everyByte, MARK, Planter } from "../canary.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = mkdtempSync(join(tmpdir(), "canary-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SHARED = here("../../../shared/");

/** Runs every command that reads or writes, and gives every byte that came out. */
async function everything(
  home: string,
  repo: string,
): Promise<[string, Buffer][]> {
  const temp = join(root, "temp");
  for (const dir of [repo, temp]) mkdirSync(dir, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temp;
  const said: [string, Buffer][] = [];
  try {
    for (
      const line of [
        ["import", "--all", "--init"],
        ["import", "--all", "--force", "--json"],
        ["list", "--json", "--limit", "0"],
        ["list", "--stored"],
        ["doctor", "--json"],
        ["doctor"],
      ]
    ) {
      const io = fakeIo({ cwd: repo, home });
      await main(line, io);
      said.push([`${line.join(" ")} (stdout)`, Buffer.from(io.out())]);
      said.push([`${line.join(" ")} (stderr)`, Buffer.from(io.err())]);
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return [...said, ...everyByte(repo), ...everyByte(temp)];
}

function leaks(planter: Planter, bytes: [string, Buffer][]): string[] {
  const found = new Set<string>();
  for (const [place, content] of bytes) {
    for (
      const [, n] of content.toString("latin1").matchAll(
        new RegExp(`${MARK}(\\d+)q`, "g"),
      )
    ) found.add(`${planter.places[Number(n) - 1]} -> ${place}`);
  }
  return [...found].sort();
}

const stored = (bytes: [string, Buffer][]) =>
  bytes.filter(([path]) => /detail-.*raw$/.test(path)).length;

describe("no text of a session reaches anything written", () => {
  it("from the authored fixtures, whatever position it stands in", async () => {
    const home = join(root, "fixtures"), planter = new Planter();
    const homes = here("../../fixtures/homes/");
    for (const family of readdirSync(homes)) {
      planter.home(join(homes, family, "home"), home);
    }
    const bytes = await everything(home, join(root, "r1"));
    expect(stored(bytes)).toBeGreaterThan(8);
    expect(planter.places.length).toBeGreaterThan(150);
    expect(leaks(planter, bytes)).toEqual([]);
  });

  it("while a command's own text does, so that this test can see", async () => {
    const home = join(root, "telling"), planter = new Planter();
    const from = here("../../fixtures/homes/claude-release/home");
    planter.home(from, home);
    for (const [path, content] of everyByte(home)) {
      writeFileSync(
        path,
        content.toString().replaceAll("kubectl -n", `kubectl ${MARK}1q -n`),
      );
    }
    const bytes = await everything(home, join(root, "r2"));
    expect(leaks(planter, bytes).length).toBeGreaterThan(0);
  });

  it.skipIf(!existsSync(SHARED))(
    "from real files of every version and record type",
    async () => {
      const home = join(root, "corpus"), planter = new Planter();
      const homes = join(SHARED, "corpus/homes");
      for (const name of readdirSync(homes)) {
        planter.home(join(homes, name), home);
      }
      const families = join(SHARED, "families");
      for (const name of readdirSync(families)) {
        const family = join(families, name, "home");
        if (existsSync(family)) planter.home(family, home);
      }
      const bytes = await everything(home, join(root, "r3"));
      expect(stored(bytes)).toBeGreaterThan(50);
      expect(planter.places.length).toBeGreaterThan(20_000);
      expect(leaks(planter, bytes)).toEqual([]);
    },
    300_000,
  );
});
