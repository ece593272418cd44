import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { readHead as readRollout } from "./codex/head.ts";
import { openSource, readLines, readSource } from "./lines.ts";

const root = mkdtempSync(join(tmpdir(), "source-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const codeOf = async (run: () => unknown): Promise<unknown> => {
  try {
    await run();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return "none";
};

describe("a file of a session", () => {
  it("is opened where it is one, by a link too", async () => {
    const path = join(root, "a.jsonl");
    writeFileSync(path, "{}\n");
    closeSync(openSource(path));
    expect(readSource(path).length).toBe(3);
    expect((await readLines(path, () => {})).lines).toBe(1);
    if (process.platform !== "win32") {
      symlinkSync(path, join(root, "link.jsonl"));
      expect(readSource(join(root, "link.jsonl")).length).toBe(3);
    }
    expect(await codeOf(() => openSource(join(root, "gone")))).toBe("ENOENT");
  });

  it.skipIf(process.platform === "win32")(
    "that has become a FIFO, a folder or a device is not waited for",
    async () => {
      const fifo = join(root, "fifo.jsonl");
      execFileSync("mkfifo", [fifo]);
      for (const path of [fifo, root, "/dev/zero"]) {
        expect(await codeOf(() => openSource(path))).toBe("NO_FILE");
        expect(await codeOf(() => readSource(path))).toBe("NO_FILE");
        expect(await codeOf(() => readLines(path, () => {}))).toBe("NO_FILE");
      }
      const head = readRollout({ path: fifo, size: 10, mtimeMs: 0 });
      expect(head.refused?.code).toBe("UNREADABLE");
    },
  );
});
