import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { layoutOf } from "../store/layout.ts";
import { chooseHost, type StoreChoice } from "./swamp-host.ts";

const root = mkdtempSync(join(tmpdir(), "swamp-host-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bare = join(root, "bare"), owned = join(root, "owned");
for (const dir of [bare, owned]) mkdirSync(dir);
writeFileSync(layoutOf(owned).marker, "");
const swamp = join(root, "swamp");
writeFileSync(swamp, "#!/bin/sh\n");
chmodSync(swamp, 0o755);

const choose = (
  choice: StoreChoice,
  repo: string,
  env: Record<string, string>,
  init: boolean,
) => {
  try {
    const host = chooseHost(
      choice,
      { env, cwd: root, platform: "linux" },
      repo,
      init,
    );
    return host.kind === "swamp" ? host.program : host.kind;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

const there = { SWAMP_BIN: swamp }, none = { PATH: bare };

describe("the store that an import writes to", () => {
  test.each<
    [StoreChoice, string, string, Record<string, string>, boolean, string]
  >([
    ["embedded", "where swamp is", owned, there, false, "embedded"],
    ["auto", "where no swamp is", owned, none, false, "embedded"],
    ["auto", "in a swamp repo", owned, there, false, swamp],
    ["auto", "in a folder that is none", bare, there, false, "embedded"],
    ["auto", "in a folder that becomes one", bare, there, true, swamp],
    [
      "auto",
      "where SWAMP_BIN names nothing",
      owned,
      { SWAMP_BIN: join(root, "gone") },
      false,
      "NO_SWAMP",
    ],
    ["swamp", "in a swamp repo", owned, there, false, swamp],
    ["swamp", "in a folder", bare, there, false, "SWAMP_NOT_READY"],
    ["swamp", "in a folder that becomes a repo", bare, there, true, swamp],
    ["swamp", "where none is", owned, none, false, "NO_SWAMP"],
  ])("%s, %s", (choice, _where, repo, env, init, outcome) => {
    expect(choose(choice, repo, env, init)).toBe(outcome);
  });
});
