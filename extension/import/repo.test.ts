import { describe, expect, it } from "vitest";
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

  it("gives paths a base in the words of the session", () => {
    const place = { name: "app", root: "/real/app", cwd: "/real/app/src" };
    expect(pathBase(place, "/link/app/src")).toEqual({
      cwd: "/link/app/src",
      roots: ["/link/app", "/real/app"],
    });
    expect(pathBase({ name: "" }, undefined)).toEqual({ roots: [] });
  });
});
