import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foldNames, HeadFile } from "./heads.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "heads-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HOME = "/home/jane";
const file = { path: "/home/jane/.x/a.jsonl", size: 10, mtimeMs: 5.5 };
const open = () => new HeadFile(join(root, "own/heads.txt"), root, HOME);
const text = () => readFileSync(join(root, "own/heads.txt"), "utf8");

describe("the heads of files", () => {
  it("come back for the same size and time only", () => {
    const heads = open();
    heads.put(file, { id: "one", at: 7, list: ["/home/jane/app"] });
    heads.save();
    expect(open().get(file)).toEqual({
      id: "one",
      at: 7,
      list: ["/home/jane/app"],
    });
    expect(open().get({ ...file, size: 11 })).toBeUndefined();
    expect(open().get({ ...file, mtimeMs: 9 })).toBeUndefined();
    expect(open().get({ ...file, path: "/other" })).toBeUndefined();
  });

  it("are written without paths of files and names of people", () => {
    const heads = open();
    heads.put(file, { cwd: "/home/jane/app", other: "/Users/john-roe/app" });
    heads.save();
    expect(text()).not.toContain("jane");
    expect(text()).not.toContain("john-roe");
    expect(open().get(file)).toEqual({
      cwd: "/home/jane/app",
      other: foldNames("/Users/john-roe/app"),
    });
  });

  it("with a secret in a folder's name are not kept", () => {
    const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0", "k1L2m3N4o5P6q7R8"];
    const heads = open();
    heads.put(file, { cwd: `/srv/${token.join("")}/x` });
    heads.save();
    expect(existsSync(join(root, "own/heads.txt"))).toBe(false);
  });

  it("are not written again where nothing changed", () => {
    const heads = open();
    heads.put(file, { id: "one" });
    heads.save();
    const before = statSync(join(root, "own/heads.txt"));
    const again = open();
    again.put(file, { id: "one" });
    again.save();
    expect(statSync(join(root, "own/heads.txt")).ino).toBe(before.ino);
  });

  it("that are damaged are forgotten", () => {
    const heads = open();
    heads.put(file, { id: "one" });
    heads.save();
    for (const damage of ["", "x\ny z", text().slice(0, -8), "\u0000"]) {
      writeFileSync(join(root, "own/heads.txt"), damage);
      expect(open().get(file)).toBeUndefined();
    }
  });

  it("compare another's folder whether folded or not", () => {
    const folded = foldNames("/home/john/app");
    expect(folded).not.toContain("john");
    expect(foldNames(folded)).toBe(folded);
    expect(foldNames("C:\\Users\\john\\x")).not.toContain("john");
    expect(foldNames("/srv/app")).toBe("/srv/app");
  });
});
