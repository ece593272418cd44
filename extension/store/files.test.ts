import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { openFile, readSmall } from "./files.ts";
import { readContent, readItem } from "./items.ts";

const root = mkdtempSync(join(tmpdir(), "files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe("a small file", () => {
  it("is read up to its limit and no further", () => {
    const path = join(root, "plain");
    writeFileSync(path, "äb");
    expect(readSmall(path, 3)).toBe("äb");
    expect(codeOf(() => readSmall(path, 2))).toBe("TOO_LONG");
    expect(codeOf(() => readSmall(join(root, "gone"), 2))).toBe("ENOENT");
  });

  it.skipIf(process.platform === "win32")(
    "is never a folder, a device or a FIFO, which would be waited for",
    () => {
      const item = join(root, "item"), version = join(item, "1");
      mkdirSync(version, { recursive: true });
      // The device first: without the check it reads as empty.
      symlinkSync("/dev/null", join(root, "device"));
      symlinkSync("/dev/null", join(version, "raw"));
      for (const path of [root, join(root, "device")]) {
        expect(codeOf(() => openFile(path))).toBe("NO_FILE");
        expect(codeOf(() => readSmall(path, 9))).toBe("NO_FILE");
      }
      expect(readContent(item)).toBeUndefined();
      for (const name of ["raw", "metadata.yaml"]) {
        rmSync(join(version, name), { force: true });
        execFileSync("mkfifo", [join(version, name)]);
        expect(codeOf(() => readSmall(join(version, name), 9))).toBe("NO_FILE");
      }
      expect([readContent(item), readItem(item)]).toEqual([
        undefined,
        undefined,
      ]);
    },
  );
});
