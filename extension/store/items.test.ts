import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import { summaryName } from "../../schema/mod.ts";
import * as arbitrary from "../../test/arbitraries.ts";
import { EmbeddedStore } from "./embedded.ts";
import { StoreError } from "./files.ts";
import {
  latestVersion,
  readContent,
  readItem,
  sweepItem,
  writeItem,
} from "./items.ts";
import { layoutOf } from "./layout.ts";
import { STALE_MS } from "./lock.ts";

let root = "", model = "", outside = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "items-"));
  model = join(root, "model");
  outside = join(root, "outside");
  mkdirSync(model);
  mkdirSync(outside);
  writeFileSync(join(outside, "keep"), "kept");
  writeFileSync(join(outside, "raw"), '"foreign"');
});
afterEach(() => {
  expect(readdirSync(outside).sort()).toEqual(["keep", "raw"]);
  expect(readFileSync(join(outside, "keep"), "utf8")).toBe("kept");
  rmSync(root, { recursive: true, force: true });
});

const name = summaryName("one");
const write = () =>
  writeItem(model, {
    name,
    content: '{"a":1}',
    tags: {},
    lifetime: "90d",
    modelId: "m",
  });
const item = () => join(model, name);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return "none";
}

/** What somebody may have put where a file or a folder of ours belongs. */
const STRANGE: [string, (path: string) => void][] = [
  ["a file", (path) => writeFileSync(path, "x")],
  ["a folder", (path) => mkdirSync(join(path, "in"), { recursive: true })],
  ...(process.platform === "win32" ? [] : [
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a dangling link", (path) => symlinkSync(join(root, "gone"), path)],
    ["a link to a file", (path) => symlinkSync(join(outside, "keep"), path)],
    ["a link to a folder", (path) => symlinkSync(outside, path)],
  ] as [string, (path: string) => void][]),
];

describe("where an item's file must be, what stands there gives way", () => {
  it.each(STRANGE)("%s called latest", (_, put) => {
    write();
    rmSync(join(item(), "latest"));
    put(join(item(), "latest"));
    expect(latestVersion(item())).toBe(1);
    expect(write().version).toBe(2);
    sweepItem(item());
    expect(readdirSync(item()).sort()).toEqual(["2", "latest"]);
    expect(readFileSync(join(item(), "latest"), "utf8")).toBe("2");
    expect(lstatSync(join(item(), "latest")).isFile()).toBe(true);
  });

  it.each(STRANGE)("%s called latest, met by mending", (_, put) => {
    write();
    rmSync(join(item(), "latest"));
    put(join(item(), "latest"));
    sweepItem(item());
    expect(readFileSync(join(item(), "latest"), "utf8")).toBe("1");
  });

  it.each(STRANGE.filter(([what]) => what !== "a folder"))(
    "%s called as the next version",
    (_, put) => {
      write();
      put(join(item(), "2"));
      expect(latestVersion(item())).toBe(1);
      expect(write().version).toBe(2);
      sweepItem(item());
      expect(readdirSync(item()).sort()).toEqual(["2", "latest"]);
      expect(readContent(item())).toBe('{"a":1}');
    },
  );

  it.each(STRANGE.filter(([what]) => what !== "a folder"))(
    "%s called as a version beside the latest, met by mending",
    (_, put) => {
      write();
      put(join(item(), "7"));
      expect(sweepItem(item())).toBe(0);
      expect(readdirSync(item()).sort()).toEqual(["1", "latest"]);
    },
  );

  it("an item with nothing but a folder called latest goes", () => {
    mkdirSync(join(item(), "latest", "in"), { recursive: true });
    sweepItem(item());
    expect(existsSync(item())).toBe(false);
  });
});

describe("nothing is read by way of a link", () => {
  it.skipIf(process.platform === "win32")("of a version or a file", () => {
    write();
    rmSync(join(item(), "1", "raw"));
    symlinkSync(join(outside, "raw"), join(item(), "1", "raw"));
    expect(readContent(item())).toBeUndefined();
    symlinkSync(outside, join(item(), "2"));
    expect(readContent(item(), 2)).toBeUndefined();
    expect(readItem(item(), 2)).toBeUndefined();
    writeFileSync(join(item(), "latest"), "2");
    expect(latestVersion(item())).toBe(1);
  });
});

describe("elsewhere it is told", () => {
  it.each(STRANGE.filter(([what]) => what !== "a folder"))(
    "%s called as the item",
    (_, put) => {
      put(item());
      expect(codeOf(write)).toBe("OUTSIDE");
    },
  );

  it("a version so high that none can follow", () => {
    mkdirSync(join(item(), "999999999"), { recursive: true });
    expect(codeOf(write)).toBe("BAD_NAME");
  });

  it.each(STRANGE.filter(([what]) => what !== "a folder"))(
    "%s in place of a folder of ours, or of the repository's marker",
    async (_, put) => {
      const { own, swamp, marker } = layoutOf(root);
      const open = () => EmbeddedStore.open({ repo: root, init: true });
      const code = async () => {
        const store = await open();
        try {
          await store.begin();
        } catch (error) {
          if (error instanceof StoreError) return error.code;
          throw error;
        }
        await store.close();
        return "none";
      };
      mkdirSync(swamp);
      put(own);
      // A link inside the repository may stand: it is somebody's own choice.
      if (!lstatSync(own).isSymbolicLink() || !existsSync(own)) {
        expect(await code()).toMatch(/^(?:OUTSIDE|NO_SUCH_FOLDER)$/);
      }
      rmSync(own);
      put(marker);
      const file = existsSync(marker) && statSync(marker).isFile();
      expect(await code()).toBe(file ? "none" : "NO_FILE");
    },
  );
});

describe("the lock and the index", () => {
  it.each(STRANGE)("%s in their place, left long ago, gives way", async (
    _,
    put,
  ) => {
    const { own } = layoutOf(root);
    const [summary] = fc.sample(arbitrary.summary, { numRuns: 1, seed: 1 });
    const [detail] = fc.sample(arbitrary.detail, { numRuns: 1, seed: 1 });
    mkdirSync(own, { recursive: true });
    const lock = join(own, "lock");
    put(lock);
    const past = new Date(Date.now() - STALE_MS - 1000);
    lutimesSync(lock, past, past);
    put(join(own, "index.ndjson"));
    const store = await EmbeddedStore.open({ repo: root, init: true });
    await store.put({ ...summary!, id: "one" }, detail!, { lifetime: "90d" });
    await store.close();
    expect(readdirSync(own)).toEqual(["index.ndjson"]);
    expect(lstatSync(join(own, "index.ndjson")).isFile()).toBe(true);
    const again = await EmbeddedStore.open({ repo: root });
    expect((await again.sessions()).size).toBe(1);
  });

  it("an index that names other folders makes none be removed", async () => {
    const [summary] = fc.sample(arbitrary.summary, { numRuns: 1, seed: 1 });
    const [detail] = fc.sample(arbitrary.detail, { numRuns: 1, seed: 1 });
    const open = () => EmbeddedStore.open({ repo: root, init: true });
    const first = await open();
    await first.put({ ...summary!, id: "one" }, detail!, { lifetime: "90d" });
    await first.close();
    const index = join(layoutOf(root).own, "index.ndjson");
    const text = readFileSync(index, "utf8").replaceAll(
      /\["summary-one"/g,
      '[".."',
    );
    expect(text).toContain('[".."');
    writeFileSync(index, text);
    const store = await open();
    await store.prune(Date.now() + 1e12);
    await store.close();
    expect(existsSync(layoutOf(root).type)).toBe(true);
    expect(readdirSync(layoutOf(root).type)).toHaveLength(1);
  });
});
