import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { layoutOf } from "../store/layout.ts";
import { chooseHost, type StoreChoice } from "./swamp-host.ts";

const root = mkdtempSync(join(tmpdir(), "swamp-host-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bare = join(root, "bare"), owned = join(root, "owned");
for (const dir of [bare, owned]) mkdirSync(dir);
const catalog = layoutOf(owned).catalog;
mkdirSync(dirname(catalog), { recursive: true });
writeFileSync(catalog, "");
const swamp = join(root, "swamp");
writeFileSync(swamp, "#!/bin/sh\n");
chmodSync(swamp, 0o755);

const choose = (choice: StoreChoice, repo: string, found: boolean) => {
  try {
    return chooseHost(
      choice,
      {
        env: found ? { SWAMP_BIN: swamp } : { PATH: bare },
        cwd: root,
        platform: "linux",
      },
      repo,
    );
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe("the store that an import writes to", () => {
  test.each<[StoreChoice, string, string, boolean, string]>([
    ["embedded", "where swamp is and owns the data", owned, true, "embedded"],
    ["auto", "where no swamp is", bare, false, "embedded"],
    ["auto", "where swamp is and has no catalog", bare, true, "embedded"],
    ["auto", "where swamp owns the data", owned, true, "SWAMP_NOT_SUPPORTED"],
    ["swamp", "where it is", bare, true, "SWAMP_NOT_SUPPORTED"],
    ["swamp", "where none is", bare, false, "NO_SWAMP"],
  ])("%s, %s", (choice, _where, repo, found, outcome) => {
    expect(choose(choice, repo, found)).toBe(outcome);
  });
});
