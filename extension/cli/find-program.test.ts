import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findSwamp } from "./find-program.ts";
import { isOurs } from "./ours.ts";

const root = mkdtempSync(join(tmpdir(), "find-swamp-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(name: string, files: Record<string, string>): string {
  const dir = join(root, name);
  mkdirSync(dir, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(dir, file), text);
    chmodSync(join(dir, file), 0o755);
  }
  return dir;
}

const bin = folder("pkg", { "swamp.js": "shim" });
const self = [join(bin, "swamp.js")];
const find = (folders: string[], platform = "win32") =>
  findSwamp({
    env: { PATH: folders.join(delimiter), PATHEXT: ".EXE;.CMD" },
    cwd: root,
    platform,
    self,
  });

describe("the real swamp", () => {
  test("npm's wrappers of this package are passed over on Windows", () => {
    const wrapped = folder("npm", {
      "swamp.cmd": '@ECHO off\r\n"%_prog%" "%dp0%\\..\\pkg\\swamp.js" %*\r\n',
      "swamp": '#!/bin/sh\nexec node "$basedir/../pkg/swamp.js" "$@"\n',
    });
    const real = folder("real", { "swamp.exe": "MZ" });
    expect(find([wrapped, real])).toEqual({ path: join(real, "swamp.exe") });
    const posix = folder("posix", { swamp: "#!/bin/sh\n" });
    expect(find([wrapped, posix], "linux")).toEqual({
      path: join(posix, "swamp"),
    });
  });

  test("another program's wrapper is not ours", () => {
    const theirs = folder("theirs", {
      "swamp.cmd": '"%dp0%\\..\\elsewhere\\swamp.js" %*',
    });
    expect(find([theirs])).toEqual({ path: join(theirs, "swamp.cmd") });
  });

  test("nothing is run from the working directory by an empty PATH entry", () => {
    folder(".", { swamp: "#!/bin/sh\n" });
    expect(find(["", "."], "linux")).toEqual({ problem: "none" });
  });

  test("a file that may not be run is passed over", () => {
    const dir = folder("plain", { swamp: "text" });
    chmodSync(join(dir, "swamp"), 0o644);
    expect(find([dir], "linux")).toEqual({ problem: "none" });
  });
});

describe("ours is exactly one sub-command", () => {
  test.each([
    [["extension", "import", "sessions"], true],
    [["extension", "import", "sessions", "--help"], true],
    [["extension", "import", "Sessions"], false],
    [["extension", "import"], false],
    [["import", "sessions"], false],
    [[], false],
  ])("%j: %s", (args, ours) => expect(isOurs(args)).toBe(ours));
});
