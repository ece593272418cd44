import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fakeIo } from "../../extension/cli/fake-io.test-support.ts";
import { main } from "../../extension/cli/program.ts";
import { everyByte } from "../canary.ts";

const GENERATOR = fileURLToPath(
  new URL("../../../shared/bench/gen-corpus.mjs", import.meta.url),
);
const root = mkdtempSync(join(tmpdir(), "planted-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What the generator plants in commands, each with the secret as its group. */
const PLANTED = [
  /(AKIA[A-Z0-9]{16})/g,
  /(ghp_[A-Za-z0-9]{36})/g,
  /(sk-ant-api03-[A-Za-z0-9]{40})/g,
  /(xoxb-\d{8,}-[A-Za-z0-9]{24})/g,
  /AWS_SECRET_ACCESS_KEY=([A-Za-z0-9]{40})/g,
  /postgres:\/\/app:([A-Za-z0-9]{12})@/g,
  /mysql -u root -p([A-Za-z0-9]{10}) /g,
];

describe("a generated home with planted secrets", () => {
  it.skipIf(!existsSync(GENERATOR))(
    "leaves none of them in any byte written or said",
    async () => {
      const home = join(root, "home"), repo = join(root, "repo");
      execFileSync(process.execPath, [GENERATOR, home, "30", "8", "10", "4"]);
      const secrets = new Set<string>();
      for (const [, bytes] of everyByte(home)) {
        const text = bytes.toString();
        for (const planted of PLANTED) {
          for (const [, secret] of text.matchAll(planted)) secrets.add(secret!);
        }
      }
      expect(secrets.size).toBeGreaterThan(20);
      const out: [string, Buffer][] = [];
      for (
        const line of [
          ["import", "--all", "--init", "--repo-dir", repo],
          ["list", "--json", "--limit", "0"],
          ["doctor", "--json"],
        ]
      ) {
        const io = fakeIo({ cwd: root, home });
        await main(line, io);
        out.push([line.join(" "), Buffer.from(io.out() + io.err())]);
      }
      const leaks: string[] = [];
      let stored = 0;
      for (const [place, bytes] of [...out, ...everyByte(repo)]) {
        const text = bytes.toString();
        if (text.includes("[REDACTED:")) stored++;
        for (const secret of secrets) {
          if (text.includes(secret)) leaks.push(`${secret} in ${place}`);
        }
      }
      expect(stored).toBeGreaterThan(5);
      expect(leaks).toEqual([]);
    },
    300_000,
  );
});
