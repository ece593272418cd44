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
import { batchLine } from "./hand-over.ts";
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

  test("what Windows' script hosts run, or nothing does, is passed over", () => {
    const dir = folder("hosts", { "swamp.js": "//", swamp: "#!/bin/sh\n" });
    const real = folder("batch", { "swamp.bat": "@echo off" });
    for (const PATHEXT of [".JS;;.BAT", ".JS", "", undefined]) {
      const env = { PATH: [dir, real].join(delimiter), PATHEXT };
      expect(findSwamp({ env, cwd: root, platform: "win32", self }))
        .toEqual({ path: join(real, "swamp.bat") });
    }
  });

  test("an entry of PATH may stand in quotes on Windows", () => {
    const real = folder("in quotes", { "swamp.exe": "MZ" });
    expect(find([`"${real}"`])).toEqual({ path: join(real, "swamp.exe") });
    expect(find([`"${real}"`], "linux")).toEqual({ problem: "none" });
  });

  test("SWAMP_BIN may leave the ending away on Windows", () => {
    const real = folder("named", { "swamp.exe": "MZ" });
    const env = { SWAMP_BIN: join(real, "swamp") };
    expect(findSwamp({ env, cwd: root, platform: "win32", self }))
      .toEqual({ path: join(real, "swamp.exe") });
    expect(findSwamp({ env, cwd: root, platform: "linux", self }))
      .toEqual({ problem: "bad-bin", named: join(real, "swamp") });
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

describe("a batch file's command line", () => {
  /** What cmd.exe makes of a line, and whether something in it would act. */
  const read = (line: string): [text: string, acts: boolean] => {
    let text = "", quoted = false, acts = false;
    for (let i = 0; i < line.length; i++) {
      const c = line[i] ?? "";
      if (c === "^" && !quoted) text += line[++i] ?? "";
      else {
        if (c === '"') quoted = !quoted;
        else if (!quoted && "&|<>%".includes(c)) acts = true;
        text += c;
      }
    }
    return [text, acts];
  };

  test.each([
    ["plain"],
    ["two words"],
    ['{"a":"x&calc.exe"}'],
    ['"&calc&"'],
    ['a\\" | more'],
    ["%PATH% ^& !x! <in >out"],
    ["ends in \\"],
  ])("%j is one argument, and no command, however often it is read", (arg) => {
    const first = read(batchLine("C:\\a b\\swamp.cmd", [arg]));
    expect(first[1]).toBe(false);
    expect(first[0].startsWith('"C:\\a b\\swamp.cmd" ')).toBe(true);
    const second = read(first[0].slice('"C:\\a b\\swamp.cmd" '.length));
    expect(second[1]).toBe(false);
    // As a program takes it apart: backslashes count before a quote only.
    const inner = second[0].slice(1, -1).replace(
      /(\\+)("|$)/g,
      (_, slashes: string, quote: string) =>
        slashes.slice(0, slashes.length >> 1) + quote,
    );
    expect(inner).toBe(arg);
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
