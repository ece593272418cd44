import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { knownRepo, RULES_FILE } from "./knowledge.ts";

let repo = "", file = "";
beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "knowledge-"));
  file = join(repo, RULES_FILE);
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

const RULE = "rules:\n  - {id: a, programs: [b], label: neutral}\n";
const said = () => knownRepo(repo).problems?.map((p) => p.message);

describe("a repository's own rules", () => {
  it("are none where there is no file, which is nothing to tell", () => {
    expect(knownRepo(repo)).toMatchObject({
      knowledge: { rules: [] },
      problems: [],
    });
  });

  it("that are too long are told, and none of them is used", () => {
    writeFileSync(file, RULE + "#".repeat(256 * 1024 - RULE.length));
    expect(knownRepo(repo).knowledge.rules?.map((r) => r.id)).toEqual(["a"]);
    writeFileSync(file, RULE + "#".repeat(256 * 1024));
    expect(knownRepo(repo).knowledge.rules).toEqual([]);
    expect(said()).toEqual([expect.stringContaining("longer than 256 KB")]);
  });

  it.skipIf(process.platform === "win32")(
    "in what is no file are told, and not waited for",
    () => {
      // The device first: without the check it reads as empty.
      symlinkSync("/dev/null", file);
      expect(said()).toEqual([expect.stringContaining("no regular file")]);
      rmSync(file);
      execFileSync("mkfifo", [file]);
      expect(said()).toEqual([expect.stringContaining("no regular file")]);
    },
  );
});
