import { describe, expect, it } from "vitest";
import fc from "fast-check";
import {
  patchesInside,
  patchFiles,
  shellPatch,
  withoutPatchContents,
} from "./patch.ts";

const PATCH = [
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "@@",
  "-old words",
  "+new words",
  "*** Add File: docs/b.md",
  "+*** Add File: not/this.md",
  "*** Update File: src/c.ts",
  "*** Move to: src/d.ts",
  "@@",
  " kept",
  "*** Delete File: src/e.ts",
  "*** End Patch",
].join("\n");

describe("patches", () => {
  it("every file is one line and one path, and contents are never among them", () => {
    expect(patchFiles(PATCH)).toEqual({
      text:
        "Update src/a.ts\nAdd docs/b.md\nMove src/c.ts to src/d.ts\nDelete src/e.ts",
      paths: ["src/a.ts", "docs/b.md", "src/c.ts", "src/d.ts", "src/e.ts"],
    });
  });

  it("CRLF patches read the same", () => {
    expect(patchFiles(PATCH.replaceAll("\n", "\r\n")))
      .toEqual(patchFiles(PATCH));
  });

  it.each([
    `apply_patch <<'EOF'\n${PATCH}\nEOF`,
    `apply_patch << "PATCH"\n${PATCH}\nPATCH\n`,
    `applypatch <<EOF\n${PATCH}\nEOF`,
    `apply_patch '${PATCH}'`,
    `apply_patch "${PATCH}\n"`,
  ])("a shell command that only applies a patch is a patch: %#", (command) => {
    expect(shellPatch(command)).toEqual(patchFiles(PATCH));
  });

  it("files of patches inside a longer command are told, not those of a text", () => {
    const two = PATCH.replaceAll("src/", "lib/");
    expect(
      patchesInside(
        `git pull\napply_patch <<'EOF'\n${PATCH}\nEOF\ncd web && apply_patch <<'EOF'\n${two}\nEOF\nnpm test`,
      ),
    ).toEqual([
      ...patchFiles(PATCH)!.paths,
      ...patchFiles(two)!.paths.map((path) => `web/${path}`),
    ]);
    expect(patchesInside(`cat > x.patch <<'EOF'\n${PATCH}\nEOF\nls`)).toEqual(
      [],
    );
  });

  it("a folder changed to first is part of the paths", () => {
    const command = `cd sub/dir && apply_patch <<'EOF'\n${PATCH}\nEOF`;
    expect(shellPatch(command)?.paths[0]).toBe("sub/dir/src/a.ts");
  });

  it.each([
    `git status && apply_patch <<'EOF'\n${PATCH}\nEOF`,
    `apply_patch <<'EOF'\n${PATCH}\nEOF\ngit commit -am x`,
    "echo apply_patch",
    PATCH,
  ])("a command that does more stays a command: %#", (command) => {
    expect(shellPatch(command)).toBeUndefined();
  });

  it("a command keeps its words and loses the patch's contents", () => {
    const command = `apply_patch <<'EOF'\n${PATCH}\nEOF\ngit commit -am x`;
    const kept = withoutPatchContents(command);
    expect(kept).not.toContain("words");
    expect(kept).toContain("*** Update File: src/a.ts");
    expect(kept).toContain("git commit -am x");
  });

  it("no more files are kept than a patch of people would have", () => {
    const many = Array.from({ length: 5000 }, (_, i) => `*** Add File: ${i}`);
    expect(patchFiles(many.join("\n"))?.paths.length).toBe(2000);
  });

  it("any text is read without an error, and no path is longer than allowed", () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => {
      const command =
        `apply_patch <<'E'\n*** Begin Patch\n*** Add File: ${text}`;
      for (const path of shellPatch(command)?.paths ?? []) {
        expect(path.length).toBeLessThanOrEqual(1024);
      }
      withoutPatchContents(text + command);
    }));
  });
});
