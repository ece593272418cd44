import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import * as arbitrary from "../../test/arbitraries.ts";
import { datastoreOf } from "./definition.ts";
import { EmbeddedStore } from "./embedded.ts";
import { layoutOf } from "./layout.ts";

let top = "", repo = "";
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "datastore-"));
  repo = join(top, "repo");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe("where a repository keeps its data", () => {
  const marked = (text: string) => {
    repo = top;
    writeFileSync(join(repo, ".swamp.yaml"), `repoId: x\n${text}`);
  };
  const found = (vars: Record<string, string> = {}) =>
    datastoreOf(layoutOf(repo), vars);

  it("is .swamp where nothing else is said", () => {
    marked("");
    expect(found()).toEqual({ kind: "here" });
    const own = join(repo, ".swamp");
    expect(found({ SWAMP_DATASTORE: `filesystem:${own}` }))
      .toEqual({ kind: "here" });
  });

  it("is a folder that the marker or the environment names, the environment first", () => {
    marked("datastore:\n  type: filesystem\n  path: ../shared\n");
    expect(found()).toEqual({ kind: "folder", path: join(repo, "../shared") });
    expect(found({ SWAMP_DATASTORE: "filesystem:/data/x" }))
      .toEqual({ kind: "folder", path: "/data/x" });
    expect(found({ SWAMP_DATASTORE: "" }).kind).toBe("folder");
  });

  it("may be named by variables, and divided among repositories", () => {
    marked(
      "datastore:\n  type: filesystem\n  path: $ROOT/${SUB}\n  namespace: team\n",
    );
    expect(found({ ROOT: "/data", SUB: "a" }))
      .toEqual({ kind: "folder", path: "/data/a/team" });
    expect(found({ ROOT: "/data" }).kind).toBe("other");
    marked("datastore:\n  type: filesystem\n  path: ~/d\n");
    expect(found({ HOME: "/home/dev" }))
      .toEqual({ kind: "folder", path: "/home/dev/d" });
  });

  it("is .swamp where the datastore takes no data", () => {
    marked(
      "datastore:\n  type: filesystem\n  path: /d\n  directories:\n    - outputs\n",
    );
    expect(found()).toEqual({ kind: "here" });
  });

  it("is only swamp's to read where it is of another type, or nothing sensible", () => {
    marked('datastore:\n  type: "@acme/store"\n');
    expect(found()).toEqual({ kind: "other", type: "@acme/store" });
    for (const text of ["datastore: s3\n", "datastore:\n  - 1\n"]) {
      marked(text);
      expect(found().kind).toBe("other");
    }
    expect(found({ SWAMP_DATASTORE: "nonsense" }))
      .toEqual({ kind: "other", type: "nonsense" });
  });
});

describe("a store whose data is in a folder elsewhere", () => {
  const [summary] = fc.sample(arbitrary.summary, { numRuns: 1, seed: 1 });
  const [detail] = fc.sample(arbitrary.detail, { numRuns: 1, seed: 1 });
  const elsewhere = () => join(top, "elsewhere");
  const env = () => ({ SWAMP_DATASTORE: `filesystem:${elsewhere()}` });

  beforeEach(async () => {
    const store = await EmbeddedStore.open({ repo: top, init: true });
    await store.put({ ...summary!, id: "a" }, detail!, { lifetime: "90d" });
    await store.close();
    repo = top;
    // As swamp moves it: everything but the definition.
    cpSync(join(repo, ".swamp", "data"), join(elsewhere(), "data"), {
      recursive: true,
    });
    rmSync(join(repo, ".swamp"), { recursive: true });
  });

  it("is read there", async () => {
    const store = await EmbeddedStore.open({
      repo,
      readOnly: true,
      env: env(),
    });
    expect([...(await store.sessions()).keys()]).toEqual(["a"]);
    expect(await store.detail("a")).toEqual(detail);
    const here = await EmbeddedStore.open({ repo, readOnly: true });
    expect((await here.sessions()).size).toBe(0);
  });

  it("is never written to", async () => {
    await expect(EmbeddedStore.open({ repo, env: env() })).rejects.toThrow(
      "another datastore",
    );
  });

  it("says so where only swamp can read it", async () => {
    const opened = EmbeddedStore.open({
      repo,
      readOnly: true,
      env: { SWAMP_DATASTORE: "@acme/store:{}" },
    });
    await expect(opened).rejects.toMatchObject({ code: "OTHER_DATASTORE" });
    await expect(opened).rejects.toThrow("@acme/store");
  });
});
