import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  foldHome,
  globMatcher,
  inside,
  isAbsolutePath,
  lastPart,
  normalPath,
  resolvePath,
} from "./paths.ts";
import {
  line,
  parseWhen,
  plain,
  shownPath,
  shownText,
  storedPath,
} from "./text.ts";

/** A token as a vendor shapes it, made here so that no scanner finds it. */
const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0", "k1L2m3N4o5P6q7R8"].join("");

describe("texts fit to store", () => {
  it("keep their length, their line feeds and their tabs", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const clean = plain(text);
      expect(clean.length).toBe(text.length);
      expect(plain(clean)).toBe(clean);
    }));
    expect(plain("a\r\n\tb\u001b[1mc\ud800\u202ed")).toBe(
      "a \n\tb\ufffd[1mc\ufffd\ufffdd",
    );
    expect(plain("😀 é")).toBe("😀 é");
  });

  it("name a Windows folder's files by either slash, in either case", () => {
    const base = { cwd: "C:/Users/jane/app", roots: ["C:/Users/jane/app"] };
    expect(shownText("C:\\Users\\jane\\app\\src\\a.ts", base)).toBe(
      "src\\a.ts",
    );
    expect(shownText("x c:/users/jane/App/b.ts", base)).toBe("x b.ts");
    expect(shownText("C:/Users/jane/app2/b.ts", base)).toBe("~/app2/b.ts");
    expect(shownPath("c:\\Users\\Jane\\app\\b.ts", base)).toBe("b.ts");
    expect(globMatcher("src\\gen")("src/gen/a.ts")).toBe(true);
    expect(globMatcher("src\\gen")("lib/src/gen/a.ts")).toBe(false);
  });

  it("are one line where a line is asked for, redacted before they are cut", () => {
    expect(line("  a\n\u0007b\t c ", 40)).toBe("a b c");
    expect(line(`x ${token}`, 20)).not.toContain("ghp");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(line(text, 10).length).toBeLessThanOrEqual(10);
    }));
  });
});

describe("paths of any platform", () => {
  it.each([
    ["/a//b/./c/../d/", "/a/b/d"],
    ["/../..", "/"],
    ["a/../../b", "../b"],
    ["C:\\Users\\me\\app\\", "C:/Users/me/app"],
    ["\\\\server\\share\\x", "/server/share/x"],
    ["", "."],
  ])("%s is %s", (path, normal) => {
    expect(normalPath(path)).toBe(normal);
  });

  it("stay as they are once they are normal", () => {
    const part = fc.constantFrom("a", ".", "..", "", "C:", "~", "\\");
    const path = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join("/")),
    );
    fc.assert(fc.property(path, (path) => {
      expect(normalPath(normalPath(path))).toBe(normalPath(path));
    }));
  });

  it("are inside a root or not, part by part", () => {
    expect(inside("/a/b", "/a/b/c")).toBe("c");
    expect(inside("/a/b", "/a/b")).toBe("");
    expect(inside("/a/b", "/a/bc")).toBeUndefined();
    expect(inside("/", "/a")).toBe("a");
    expect(inside("C:/App", "c:/app/Src")).toBe("Src");
    expect(inside("/App", "/app/x")).toBeUndefined();
  });

  it.each([
    ["/Users/jane/app", "~/app"],
    ["/home/jane", "~"],
    ["/root/x", "~/x"],
    ["C:/Users/jane/x", "~/x"],
    ["/mnt/c/Users/jane/x", "~/x"],
    ["/home", "/home"],
    ["/Users/Shared/x", "/Users/Shared/x"],
    ["/srv/home/jane", "/srv/home/jane"],
  ])("%s is shown as %s", (path, shown) => {
    expect(foldHome(path)).toBe(shown);
  });

  it("resolve against a folder of their own kind", () => {
    expect(resolvePath("C:\\app", "src\\a.ts")).toBe("C:/app/src/a.ts");
    expect(resolvePath("/app", "/etc/x")).toBe("/etc/x");
    expect(isAbsolutePath("~/x")).toBe(false);
    expect(lastPart("/a/b/")).toBe("b");
    expect(lastPart("C:\\")).toBe("");
  });

  it("are stored relative to the repository, else to the home, redacted", () => {
    const base = { cwd: "/home/jane/app/src", roots: ["/home/jane/app"] };
    expect(shownPath("/home/jane/app/src/a.ts", base)).toBe("src/a.ts");
    expect(shownPath("../b.ts", base)).toBe("b.ts");
    expect(shownPath("/home/jane/app", base)).toBe(".");
    expect(shownPath("/home/jane/other/c.ts", base)).toBe("~/other/c.ts");
    expect(shownPath("d.ts", { roots: [] })).toBe("d.ts");
    expect(storedPath(`/tmp/${token}/x`, base)).not.toContain("ghp");
  });
});

describe("a text that names paths", () => {
  const base = { roots: ["/home/jane/app"] };
  it.each([
    [
      "Update /home/jane/app/src/a.ts\nAdd /home/jane/b.ts",
      "Update src/a.ts\nAdd ~/b.ts",
    ],
    ["/Users/john/x/**/*_test.go", "~/x/**/*_test.go"],
    ['in "/Users/john" and C:\\Users\\john\\y', 'in "~" and ~\\y'],
    ["https://x.example/home/page", "https://x.example/home/page"],
    ["/srv/Users/john", "/srv/Users/john"],
  ])("%s becomes %s", (text, shown) => {
    expect(shownText(text, base)).toBe(shown);
  });
});

describe("globs", () => {
  it.each([
    ["scratch-*", "/srv/scratch-1/deep", true],
    ["scratch-*", "/srv/my-scratch-1", false],
    ["/srv/**/secret", "/srv/a/b/secret/x", true],
    ["/srv/*/secret", "/srv/a/b/secret", false],
    ["{one,two}", "/x/two", true],
    ["a?c", "/abc", true],
    ["**", "/anything", true],
    ["C:/code/**", "C:\\code\\x", true],
    ["a.c", "/abc", false],
    ["(x", "/(x", true],
  ])("%s on %s: %s", (glob, path, matches) => {
    expect(globMatcher(glob)(path)).toBe(matches);
  });

  it("that are meant to hang do not", () => {
    const matcher = globMatcher("/" + "**/a*b*c*/".repeat(30) + "x");
    expect(matcher("/" + "abc/".repeat(200))).toBe(false);
    expect(globMatcher("{".repeat(300))("/{")).toBe(false);
    expect(globMatcher("{a,b}".repeat(60))("/x")).toBe(false);
  });
});

describe("points in time", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  it.each([
    ["7d", now - 7 * 86_400_000],
    ["24h", now - 86_400_000],
    ["30m", now - 1_800_000],
    ["2w", now - 14 * 86_400_000],
    ["6mo", now - 180 * 86_400_000],
    ["2y", now - 730 * 86_400_000],
    ["2026-10-05T09:00:00Z", Date.parse("2026-10-05T09:00:00Z")],
    ["2026-10-05T09:00+02:00", Date.parse("2026-10-05T07:00:00Z")],
    ["2026-10-05", new Date(2026, 9, 5).getTime()],
    ["yesterday", undefined],
    ["2026-13-05", undefined],
    ["", undefined],
    ["7", undefined],
  ])("%s", (text, at) => {
    expect(parseWhen(text, now)).toBe(at);
  });
});
