import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import {
  cleanUp,
  fakeHarness,
  fakeSession,
  folder,
  run,
  tree,
  writeFake,
} from "./import-support.ts";

afterEach(cleanUp);

async function ids(repo: string): Promise<string[]> {
  const store = await EmbeddedStore.open({ repo, readOnly: true });
  return [...(await store.sessions()).keys()].sort();
}

/** A git repository with a linked working tree, made without git. */
function gitRepo(): { main: string; linked: string } {
  const main = folder("main-"), linked = folder("linked-");
  const own = join(main, ".git/worktrees/feature");
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(main, ".git/config"),
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:secret@git.example/team/app.git\n',
  );
  writeFileSync(join(own, "gitdir"), `${join(linked, ".git")}\n`);
  writeFileSync(join(own, "commondir"), "../..\n");
  writeFileSync(join(linked, ".git"), `gitdir: ${own}\n`);
  return { main, linked };
}

describe("which sessions are meant", () => {
  it("takes those in the repository, its subfolders and its working trees, whatever the path that leads there", async () => {
    const home = folder();
    const { main, linked } = gitRepo();
    mkdirSync(join(main, "sub"));
    const link = join(folder(), "link");
    symlinkSync(main, link);
    writeFake(home, "root", fakeSession(main));
    writeFake(home, "sub", fakeSession(join(main, "sub")));
    writeFake(home, "tree", fakeSession(join(linked, "deep/er")));
    writeFake(home, "link", fakeSession(join(link, "sub")));
    writeFake(home, "beside", fakeSession(`${main}-other`));
    writeFake(home, "above", fakeSession(join(main, "..")));
    const result = await run(home, main, { all: false });
    expect(await ids(main)).toEqual(["link", "root", "sub", "tree"]);
    expect(result.sessions).toMatchObject({ found: 6, new: 4, skipped: 2 });
  });

  it("takes the main tree's sessions when the repository is a linked tree", async () => {
    const home = folder();
    const { main, linked } = gitRepo();
    writeFake(home, "root", fakeSession(main));
    writeFake(home, "tree", fakeSession(linked));
    await run(home, linked, { all: false });
    expect(await ids(linked)).toEqual(["root", "tree"]);
  });

  it("names a session of a linked tree after the main repository, with the remote without its password", async () => {
    const home = folder();
    const { main, linked } = gitRepo();
    mkdirSync(join(linked, "src"));
    writeFake(home, "tree", fakeSession(join(linked, "src")));
    await run(home, main, { all: false });
    const store = await EmbeddedStore.open({ repo: main, readOnly: true });
    const { summary } = (await store.sessions()).get("tree")!;
    expect(summary.repo).toEqual({
      name: main.split("/").at(-1),
      remote: "https://git.example/team/app.git",
    });
    expect(summary.cwd).toBe("src");
  });

  it("takes those in folders that are gone, and names them after the repository they lay in", async () => {
    const home = folder(), { main, linked } = gitRepo();
    const own = join(main, ".git/worktrees/below");
    mkdirSync(own);
    writeFileSync(join(own, "gitdir"), join(main, "trees/below/.git"));
    const link = join(folder(), "link"), name = main.split("/").at(-1);
    symlinkSync(main, link);
    const gone: [id: string, cwd: string, below: string][] = [
      ["sub", join(main, "gone/dir"), "gone/dir"],
      ["link", join(link, "gone"), "gone"],
      ["in-linked", join(linked, "gone"), "gone"],
      ["shape", join(main, ".claude/worktrees/blue-fox/src"), "src"],
      ["noted", join(main, "trees/below/src"), "src"],
    ];
    for (const [id, cwd] of gone) writeFake(home, id, fakeSession(cwd));
    await run(home, main, { all: false });
    const store = await EmbeddedStore.open({ repo: main, readOnly: true });
    const stored = [...(await store.sessions()).values()].map(({ summary }) => [
      summary.id,
      summary.repo.name,
      summary.cwd,
    ]);
    expect(stored.sort()).toEqual(
      gone.map(([id, _, below]) => [id, name, below]).sort(),
    );
  });

  it("bounds by time: activity since, begun until", async () => {
    const home = folder(), repo = folder();
    const at = (text: string) => Date.parse(text);
    writeFake(home, "old", fakeSession(repo, at("2026-10-01T00:00:00Z")));
    writeFake(home, "new", fakeSession(repo, at("2026-10-20T00:00:00Z")));
    await run(home, repo, { since: at("2026-10-10T00:00:00Z") });
    expect(await ids(repo)).toEqual(["new"]);
    const other = folder();
    await run(home, other, { until: at("2026-10-10T00:00:00Z") });
    expect(await ids(other)).toEqual(["old"]);
  });

  it("does not even read what was not written to since", async () => {
    const home = folder(), repo = folder();
    const file = writeFake(home, "old", fakeSession(repo));
    const time = new Date("2026-10-05T12:00:00Z");
    utimesSync(file, time, time);
    const counts = { heads: 0, reads: 0 };
    await run(home, repo, { since: Date.parse("2026-10-10T00:00:00Z") }, {
      harnesses: [fakeHarness(counts)],
    });
    expect(counts.reads).toBe(0);
  });

  it("bounds by substance and mode, and reads what it left out only once", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "small", fakeSession(repo, undefined, 3));
    writeFake(home, "large", fakeSession(repo, undefined, 40));
    const counts = { heads: 0, reads: 0 };
    const deps = { harnesses: [fakeHarness(counts)] };
    const first = await run(home, repo, { minSubstance: "moderate" }, deps);
    expect(first.sessions).toMatchObject({ new: 1, skipped: 1 });
    expect(await ids(repo)).toEqual(["large"]);
    const before = tree(repo);
    await run(home, repo, { minSubstance: "moderate" }, deps);
    expect(counts.reads).toBe(2);
    expect(tree(repo)).toEqual(before);
    // Wider bounds take it in after all.
    await run(home, repo, {}, deps);
    expect(await ids(repo)).toEqual(["large", "small"]);
    const none = folder();
    await run(home, none, { mode: "headless" }, deps);
    expect(await ids(none)).toEqual([]);
  });

  it("bounds by harness", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession(repo));
    const result = await run(home, repo, { harness: ["other"] });
    expect(result.sessions.found).toBe(0);
  });

  it("leaves out working directories by glob", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession("/srv/client/secret/app"));
    writeFake(home, "two", fakeSession("/srv/open/app"));
    writeFake(home, "three", fakeSession("/srv/open/scratch-1"));
    await run(home, repo, { exclude: ["/srv/client/**", "scratch-*"] });
    expect(await ids(repo)).toEqual(["two"]);
  });

  it("writes no working directory's owner and no prompt-like text beside the data", async () => {
    const home = folder(), repo = folder();
    writeFake(home, "one", fakeSession("/home/jane-doe/app"));
    await run(home, repo);
    const own = join(repo, ".swamp/agent-sessions");
    const text = readdirSync(own).map((n) => readFileSync(join(own, n), "utf8"))
      .join("");
    expect(text).not.toContain("jane-doe");
    expect(text).not.toContain(home);
  });
});
