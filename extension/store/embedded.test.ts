import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import {
  type Detail,
  detailName,
  type Summary,
  SUMMARY_KIND,
  summaryName,
} from "../../schema/mod.ts";
import * as arbitrary from "../../test/arbitraries.ts";
import { EmbeddedStore } from "./embedded.ts";
import { StoreError } from "./files.ts";
import { layoutOf } from "./layout.ts";
import { STALE_MS } from "./lock.ts";
import { metadataText, parseMetadata } from "./metadata.ts";
import type { StoredItem } from "./port.ts";
import { readerOf } from "./reader.ts";

let repo = "";
beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), "store-"));
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

const KEEP = { lifetime: "90d" };
const [example] = fc.sample(arbitrary.summary, { numRuns: 1, seed: 1 });
const [exampleDetail] = fc.sample(arbitrary.detail, { numRuns: 1, seed: 1 });

function session(id: string, change: Partial<Summary> = {}): [Summary, Detail] {
  const summary = { ...example!, id, ...change };
  summary.endedAt = new Date(
    Date.parse(summary.startedAt) + summary.durationMs % 1e9,
  ).toISOString();
  summary.durationMs = Date.parse(summary.endedAt) -
    Date.parse(summary.startedAt);
  return [summary, exampleDetail!];
}

const open = (
  options: Partial<Parameters<typeof EmbeddedStore.open>[0]> = {},
) => EmbeddedStore.open({ repo, init: true, ...options });

async function put(...ids: string[]): Promise<EmbeddedStore> {
  const store = await open();
  for (const id of ids) await store.put(...session(id), KEEP);
  await store.close();
  return store;
}

const model = () => {
  const { type } = layoutOf(repo);
  return join(type, readdirSync(type)[0]!);
};

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return "none";
}

describe("the layout on disk", () => {
  it("is swamp's: versions, metadata, latest, definition and marker", async () => {
    await put("one");
    const definition = parseYaml(
      readFileSync(
        join(repo, "models/@agent-observation/sessions/sessions.yaml"),
        "utf8",
      ),
    );
    expect(definition).toMatchObject({
      type: "@agent-observation/sessions",
      name: "sessions",
      version: 1,
      tags: {},
      globalArguments: {},
      methods: {},
    });
    expect(definition.typeVersion).toMatch(/^\d{4}\.\d\d\.\d\d\.\d+$/);
    const marker = parseYaml(readFileSync(join(repo, ".swamp.yaml"), "utf8"));
    expect(Object.keys(marker).sort()).toEqual([
      "gitignoreManaged",
      "initializedAt",
      "repoId",
      "swampVersion",
      "tools",
    ]);
    const item = join(
      repo,
      ".swamp/data/@agent-observation/sessions",
      definition.id,
      "summary-one",
    );
    expect(readdirSync(item).sort()).toEqual(["1", "latest"]);
    expect(readdirSync(join(item, "1")).sort()).toEqual([
      "metadata.yaml",
      "raw",
    ]);
    expect(readFileSync(join(item, "latest"), "utf8")).toBe("1");
  });

  it("keeps the id of a definition that is there already", async () => {
    const folder = join(repo, "models/@agent-observation/sessions");
    mkdirSync(folder, { recursive: true });
    const id = "0b0e7a5c-4f7e-4a52-9d0b-0d4a7bb6d7aa";
    writeFileSync(join(folder, "other.yaml"), `id: ${id}\nname: sessions\n`);
    await put("one");
    expect(readdirSync(layoutOf(repo).type)).toEqual([id]);
    expect(readdirSync(folder)).toEqual(["other.yaml"]);
  });

  it("says what to do where there is no repository", async () => {
    expect(await codeOf(open({ init: false }))).toBe("NOT_A_REPO");
    expect(await codeOf(open({ repo: join(repo, "nowhere") }))).toBe(
      "NO_SUCH_FOLDER",
    );
    expect(readdirSync(repo)).toEqual([]);
  });

  it("refuses where swamp looks after the data, unless forced", async () => {
    await put("one");
    writeFileSync(layoutOf(repo).catalog, "");
    expect(await codeOf(open())).toBe("SWAMP_OWNS_DATA");
    // Reading is no harm.
    expect((await (await open({ readOnly: true })).sessions()).size).toBe(1);
    const store = await open({ force: true });
    await store.put(...session("two"), KEEP);
    await store.close();
    rmSync(layoutOf(repo).catalog);
    appendFileSync(join(repo, ".swamp.yaml"), "datastore:\n  type: s3\n");
    expect(await codeOf(open())).toBe("SWAMP_OWNS_DATA");
  });

  it("follows no link out of the repository when it writes", async () => {
    const outside = mkdtempSync(join(tmpdir(), "outside-"));
    try {
      mkdirSync(join(repo, ".swamp"));
      symlinkSync(outside, join(repo, ".swamp/data"));
      const store = await open();
      expect(await codeOf(store.put(...session("one"), KEEP))).toBe("OUTSIDE");
      rmSync(join(repo, ".swamp/data"));
      await put("one");
      symlinkSync(outside, join(model(), "detail-two"));
      const again = await open();
      expect(await codeOf(again.put(...session("two"), KEEP))).toBe("OUTSIDE");
      await again.close();
      expect(readdirSync(outside)).toEqual([]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it("takes no name that leads elsewhere", async () => {
    const store = await put("one");
    for (const id of ["../up", "a/b", "..", "a\u0000b", "x".repeat(300)]) {
      expect(await codeOf(store.put(...session(id), KEEP))).toBe("BAD_NAME");
      expect(await store.read(`detail-${id}`)).toBeUndefined();
      expect(await store.item(`detail-${id}`)).toBeUndefined();
    }
    await store.close();
  });
});

describe("writing and listing", () => {
  it("reads back from tags what was put, with the detail's size filled in", async () => {
    const store = await put("one");
    const [summary, detail] = session("one");
    const stored = (await store.sessions()).get("one")!;
    const text = JSON.stringify(detail);
    expect(stored.summary).toEqual({
      ...summary,
      detail: {
        name: detailName("one"),
        bytes: new TextEncoder().encode(text).length,
      },
    });
    expect(await store.read(detailName("one"))).toBe(text);
    expect(await store.detail("one")).toEqual(detail);
    expect(await store.detail("two")).toBeUndefined();
  });

  it("lists without reading any content", async () => {
    await put("one", "two");
    const before = await (await open({ readOnly: true })).list();
    for (const name of readdirSync(model())) {
      const raw = join(model(), name, "1/raw");
      // A folder cannot be read, not even by root.
      rmSync(raw);
      mkdirSync(raw);
    }
    const store = await open({ readOnly: true });
    expect(await store.list()).toEqual(before);
    expect((await store.list(SUMMARY_KIND)).map((i) => i.name)).toEqual([
      "summary-one",
      "summary-two",
    ]);
    expect((await store.sessions()).size).toBe(2);
    // Nor when the index has to be made again.
    rmSync(join(layoutOf(repo).own, "index.ndjson"));
    expect(await (await open({ readOnly: true })).list()).toEqual(before);
  });

  it("gives the local server the same array until something changes", async () => {
    await put("one");
    const store = await open({ readOnly: true });
    const reader = readerOf(store);
    const items = await reader.items();
    expect(items.map((i) => [i.name, i.specName, i.modelName])).toEqual([
      ["detail-one", "detail", "sessions"],
      ["summary-one", "summary", "sessions"],
    ]);
    expect(await reader.items()).toBe(items);
    await put("two");
    const more = await reader.items();
    expect(more.length).toBe(4);
    expect(await reader.content(items[0]!)).toBe(
      await store.read("detail-one"),
    );
  });

  it("leaves an equal rollup alone", async () => {
    const [rollup] = fc.sample(arbitrary.rollup, { numRuns: 1, seed: 1 });
    const store = await open();
    expect(await store.putRollup(rollup!, { lifetime: "2y" })).toBeGreaterThan(
      0,
    );
    expect(await store.putRollup(rollup!, { lifetime: "2y" })).toBe(0);
    await store.close();
  });

  it("keeps one version, numbered on", async () => {
    await put("one");
    await put("one");
    const store = await open();
    await store.putSummary(session("one")[0], KEEP);
    await store.close();
    expect(readdirSync(join(model(), "summary-one")).sort()).toEqual([
      "3",
      "latest",
    ]);
    expect(readdirSync(join(model(), "detail-one")).sort()).toEqual([
      "2",
      "latest",
    ]);
    expect((await store.sessions()).get("one")!.version).toBe(3);
  });

  it("prunes what is over its lifetime", async () => {
    const store = await open();
    await store.put(...session("short"), { lifetime: "1d" });
    await store.put(...session("long"), { lifetime: "infinite" });
    const pruned = await store.prune(Date.now() + 2 * 86_400_000);
    await store.close();
    expect(pruned).toEqual({ versions: 0, items: 2 });
    expect(readdirSync(model()).sort()).toEqual([
      "detail-long",
      "summary-long",
    ]);
    expect([...(await (await open()).sessions()).keys()]).toEqual(["long"]);
  });
});

describe("the index", () => {
  const index = () => join(layoutOf(repo).own, "index.ndjson");

  it.each([
    ["missing", () => rmSync(index())],
    ["empty", () => writeFileSync(index(), "")],
    ["torn", () => {
      const text = readFileSync(index());
      writeFileSync(index(), text.subarray(0, text.length - 40));
    }],
    ["of one row too few", () => {
      const lines = readFileSync(index(), "utf8").split("\n");
      writeFileSync(index(), [lines[0], ...lines.slice(2)].join("\n"));
    }],
    ["garbage", () => writeFileSync(index(), "\u0000\u0001{]".repeat(1000))],
    ["of a newer format", () => {
      const text = readFileSync(index(), "utf8");
      writeFileSync(index(), text.replace('"format":1', '"format":9'));
    }],
  ])("is made again from the metadata when it is %s", async (_, spoil) => {
    const before = await (await put("one", "two")).list();
    spoil();
    const reader = await open({ readOnly: true });
    expect(await reader.list()).toEqual(before);
    expect(reader.needsMending()).toBe(true);
    const store = await open();
    await store.begin();
    await store.close();
    expect((await open()).needsMending()).toBe(false);
    expect(await (await open()).list()).toEqual(before);
  });

  it("shows what another program wrote into the layout", async () => {
    await put("one");
    const from = join(model(), "summary-one"),
      to = join(model(), "summary-two");
    mkdirSync(join(to, "7"), { recursive: true });
    writeFileSync(
      join(to, "7/metadata.yaml"),
      // As another YAML writer puts it.
      readFileSync(join(from, "1/metadata.yaml"), "utf8")
        .replace('name: "summary-one"', "name: 'summary-two'")
        .replace("version: 1", "version: 7")
        .replace(/"one"/g, "one"),
    );
    writeFileSync(join(to, "7/raw"), "{}");
    writeFileSync(join(to, "latest"), "7");
    const sessions = await (await open({ readOnly: true })).sessions();
    expect(sessions.get("two")?.version).toBe(7);
  });

  it("leaves sessions of a newer schema out, and names them", async () => {
    await put("one", "two");
    const path = join(model(), "summary-two/1/metadata.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('schema: "1"', 'schema: "2"'));
    rmSync(index());
    const store = await open({ readOnly: true });
    expect([...(await store.sessions()).keys()]).toEqual(["one"]);
    expect([...(await store.newer())]).toEqual(["two"]);
  });
});

describe("the lock", () => {
  const lock = () => join(layoutOf(repo).own, "lock");

  it("keeps a second import out, and is gone afterwards", async () => {
    const first = await open();
    await first.put(...session("one"), KEEP);
    expect(await codeOf((await open()).begin())).toBe("LOCKED");
    // Reading goes on meanwhile, and sees what is there.
    expect((await (await open({ readOnly: true })).sessions()).size).toBe(1);
    await first.close();
    expect(existsSync(lock())).toBe(false);
    const second = await open();
    await second.begin();
    await second.close();
  });

  it("of a dead process is taken over, and what it left is mended", async () => {
    await put("one");
    // As a killed run leaves it: a lock, half a version, one too many, one
    // that `latest` does not name yet.
    writeFileSync(
      lock(),
      JSON.stringify({ token: "t", pid: 2 ** 22 + 1, host: "another host" }),
    );
    const past = new Date(Date.now() - STALE_MS - 1000);
    utimesSync(lock(), past, past);
    const item = join(model(), "summary-one");
    const temp = join(item, ".01234567-89ab-4def-8123-456789abcdef.tmp");
    mkdirSync(temp);
    writeFileSync(join(temp, "raw"), "half");
    mkdirSync(join(item, "2"));
    for (const file of ["raw", "metadata.yaml"]) {
      writeFileSync(
        join(item, "2", file),
        readFileSync(join(item, "1", file), "utf8").replace(
          "\nversion: 1",
          "\nversion: 2",
        ),
      );
    }
    // A first version without its `latest`, and an item with nothing yet.
    rmSync(join(model(), "detail-one/latest"));
    mkdirSync(join(model(), "detail-two"));
    const store = await open();
    expect(store.needsMending()).toBe(true);
    expect(await store.begin()).toBe(true);
    await store.close();
    expect(readdirSync(item).sort()).toEqual(["2", "latest"]);
    expect(readdirSync(model()).sort()).toEqual(["detail-one", "summary-one"]);
    expect(readdirSync(join(model(), "detail-one")).sort()).toEqual([
      "1",
      "latest",
    ]);
    expect((await (await open()).sessions()).get("one")?.version).toBe(2);
    expect((await open()).needsMending()).toBe(false);
  });

  it("of this very host's living process is never stale before its time", async () => {
    await put("one");
    writeFileSync(
      lock(),
      JSON.stringify({ token: "t", pid: process.pid, host: "any" }),
    );
    expect(await codeOf((await open()).begin())).toBe("LOCKED");
  });

  it("and what lies beside it may be folders that somebody made", async () => {
    await put("one");
    const { own } = layoutOf(repo);
    mkdirSync(join(own, ".01234567-89ab-4def-8123-456789abcdef.tmp", "in"), {
      recursive: true,
    });
    mkdirSync(join(lock(), "in"), { recursive: true });
    const past = new Date(Date.now() - STALE_MS - 1000);
    utimesSync(lock(), past, past);
    rmSync(join(own, "index.ndjson"));
    mkdirSync(join(own, "index.ndjson", "in"), { recursive: true });
    await put("two");
    expect(readdirSync(own)).toEqual(["index.ndjson"]);
    expect((await (await open()).sessions()).size).toBe(2);
  });

  it("that was taken over stops its first owner from writing", async () => {
    const first = await open();
    await first.put(...session("one"), KEEP);
    writeFileSync(
      lock(),
      JSON.stringify({ token: "thief", pid: process.pid, host: "h" }),
    );
    expect(await codeOf(first.put(...session("two"), KEEP))).toBe("LOCK_LOST");
    await first.close();
    expect(existsSync(lock())).toBe(true);
  });
});

describe("metadata.yaml", () => {
  it("means the same to a YAML parser, whatever the tags hold", () => {
    const tags = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" })
        .filter((key) => key !== "__proto__"),
      fc.string({ unit: "binary" }).filter((s) => !/[\ud800-\udfff]/.test(s)),
    );
    fc.assert(fc.property(tags, (tags) => {
      const item: StoredItem = {
        id: "0b0e7a5c-4f7e-4a52-9d0b-0d4a7bb6d7aa",
        name: summaryName("one"),
        version: 3,
        contentType: "application/json",
        lifetime: "90d",
        garbageCollection: 1,
        streaming: false,
        tags,
        ownerDefinition: { ownerType: "model-method", ownerRef: "m" },
        createdAt: "2026-10-05T09:12:33.120Z",
        size: 12,
        checksum: "00",
      };
      const text = metadataText(item);
      expect(parseYaml(text)).toEqual(item);
      expect(parseMetadata(text)).toEqual(item);
    }));
  });

  it("that is none gives nothing", () => {
    fc.assert(fc.property(fc.string(), (text) => {
      expect(parseMetadata(text)).toBeUndefined();
    }));
    expect(parseMetadata("version: 0\nname: x\n")).toBeUndefined();
  });
});
