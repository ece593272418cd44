import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import {
  cleanRemote,
  cwdInRepo,
  pathBase,
  remoteName,
  repoPlace,
  TREE_SHAPES,
} from "./repo.ts";

const secret = ["hunter", "2"].join("");

describe("a remote", () => {
  it.each([
    [
      `https://me:${secret}@git.example/team/app.git`,
      "https://git.example/team/app.git",
      "app",
    ],
    [
      `https://${secret}@git.example/app?token=${secret}#x`,
      "https://git.example/app",
      "app",
    ],
    ["git@git.example:team/app.git", "git.example:team/app.git", "app"],
    [
      "ssh://git@git.example:22/team/app/",
      "ssh://git.example:22/team/app/",
      "app",
    ],
    [`https://a@b:${secret}@git.example/app`, "https://git.example/app", "app"],
    ["/home/jane/repos/app.git", "~/repos/app.git", "app"],
  ])("%s is stored without credentials", (url, clean, name) => {
    expect(cleanRemote(url)).toBe(clean);
    expect(remoteName(clean)).toBe(name);
    expect(clean).not.toContain(secret);
  });
});

describe("the repository of a session", () => {
  it.each(TREE_SHAPES.flatMap((shape) => shape.examples))(
    "in $path is $repo",
    ({ path, repo, root }) => {
      expect(repoPlace(path, undefined, false)).toMatchObject({
        name: repo,
        root,
      });
    },
  );

  it.each([
    ["/home/jane/code/app", undefined, "app", undefined],
    ["C:\\Users\\jane\\app", undefined, "app", undefined],
    ["/home/jane", undefined, "~", undefined],
    ["/", undefined, "", undefined],
    [undefined, "https://git.example/team/app", "app", undefined],
    ["/home/jane/app/src", "https://git.example/team/app", "app", "src"],
    ["/home/jane/clone/src", "https://git.example/team/app", "app", undefined],
    [undefined, undefined, "", undefined],
  ])("cwd %s, remote %s: %s", (cwd, remote, name, below) => {
    const place = repoPlace(cwd, remote, false);
    expect(place.name).toBe(name);
    expect(cwdInRepo(place)).toBe(below);
  });

  describe("of a folder that is gone", () => {
    const made: string[] = [];
    afterEach(() => {
      for (const dir of made.splice(0)) {
        rmSync(dir, { recursive: true, force: true });
      }
    });
    /** A repository at a new folder, or below it. */
    function repository(below = "", remote?: string): string {
      const dir = realpathSync(mkdtempSync(join(tmpdir(), "repo-")));
      made.push(dir);
      const root = join(dir, below);
      mkdirSync(join(root, ".git"), { recursive: true });
      if (remote) {
        writeFileSync(
          join(root, ".git/config"),
          `[remote "origin"]\n\turl = ${remote}\n`,
        );
      }
      return root;
    }

    it("is the one around it", () => {
      const root = repository("app", "https://git.example/team/app.git");
      const place = repoPlace(join(root, "gone/deep"), undefined);
      expect(place).toMatchObject({
        name: "app",
        remote: "https://git.example/team/app.git",
        root,
      });
      expect(cwdInRepo(place)).toBe("gone/deep");
    });

    it("is not one that the session's own remote or path contradicts", () => {
      const remote = "https://git.example/team/app.git";
      const all = [repository(), repository("", "https://git.example/all")];
      for (const root of all) {
        expect(repoPlace(join(root, "app/src"), remote)).toMatchObject({
          name: "app",
          root: join(root, "app"),
        });
        expect(repoPlace(join(root, "app/.worktrees/x"), undefined).name)
          .toBe("app");
      }
    });

    it("is not one of a home's dotfiles, nor one above homes", () => {
      const { HOME } = process.env;
      const root = repository("homes/jane");
      try {
        for (const home of [root, join(root, "deeper/home")]) {
          process.env.HOME = home;
          expect(repoPlace(join(root, "code/app"), undefined)).toMatchObject({
            name: "app",
            root: join(root, "code/app"),
          });
        }
      } finally {
        if (HOME === undefined) delete process.env.HOME;
        else process.env.HOME = HOME;
      }
    });
  });

  it("gives paths a base in the words of the session", () => {
    const place = { name: "app", root: "/real/app", cwd: "/real/app/src" };
    expect(pathBase(place, "/link/app/src")).toEqual({
      cwd: "/link/app/src",
      roots: ["/link/app", "/real/app"],
    });
    expect(pathBase({ name: "" }, undefined)).toEqual({ roots: [] });
  });
});
