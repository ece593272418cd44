import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundled } from "../bundled.ts";
import { EmbeddedStore } from "../../extension/store/embedded.ts";
import { layoutOf } from "../../extension/store/layout.ts";
import { checkStore } from "./import-check.ts";
import {
  cleanUp,
  fakeSession,
  folder,
  run,
  writeFake,
} from "./import-support.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
let child = "";

beforeAll(async () => {
  const made = folder();
  child = join(made, "child.mjs");
  const entry = join(made, "child.ts");
  const support = join(ROOT, "test/unit/import-support.ts");
  writeFileSync(
    entry,
    `import { run } from ${JSON.stringify(support)};
const [home, repo] = process.argv.slice(2);
run(home, repo).then(
  (result) => console.log(JSON.stringify(result.sessions)),
  (error) => { console.error(error.code); process.exit(75); },
);`,
  );
  await bundled(entry, child);
});
afterAll(cleanUp);

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** Runs the child; `when` says when to kill it. */
function importing(
  home: string,
  repo: string,
  when?: () => boolean,
): Promise<Ended> {
  return new Promise((done) => {
    const process = spawn("node", [child, home, repo]);
    const ended: Ended = { code: null, out: "", error: "" };
    process.stdout.on("data", (data) => ended.out += data);
    process.stderr.on("data", (data) => ended.error += data);
    const watch = setInterval(() => {
      if (when?.()) process.kill("SIGKILL");
    }, 1);
    process.on("close", (code) => {
      clearInterval(watch);
      done({ ...ended, code });
    });
  });
}

function itemsIn(repo: string): number {
  const { type } = layoutOf(repo);
  if (!existsSync(type)) return 0;
  const [model] = readdirSync(type);
  return model ? readdirSync(join(type, model)).length : 0;
}

describe("an import", () => {
  it("killed at any moment leaves whole items, and the next one finishes", async () => {
    const home = folder(), repo = folder();
    for (let i = 0; i < 150; i++) writeFake(home, `s${i}`, fakeSession(repo));
    let killed = 0;
    for (const at of [1, 40, 120, 200]) {
      const { code } = await importing(home, repo, () => itemsIn(repo) >= at);
      if (code !== null) continue;
      killed++;
      // Every item that can be listed is whole, and no summary is without its detail.
      const store = await EmbeddedStore.open({ repo, readOnly: true });
      for (const [id, session] of await store.sessions()) {
        expect(session.summary.id).toBe(id);
        expect(await store.detail(id)).toMatchObject({ session: { id } });
      }
    }
    expect(killed).toBeGreaterThan(0);
    const last = await importing(home, repo);
    expect(last.code).toBe(0);
    expect(JSON.parse(last.out)).toMatchObject({ found: 150, failed: 0 });
    expect(checkStore(repo)).toEqual([]);
    const rollup = await (await EmbeddedStore.open({ repo, readOnly: true }))
      .read("rollup-2026-10-05");
    expect(JSON.parse(rollup!)).toMatchObject({ sessions: 150 });
  });

  it("and another at once do not meet: one does the work, one says LOCKED", async () => {
    const home = folder(), repo = folder();
    for (let i = 0; i < 150; i++) writeFake(home, `s${i}`, fakeSession(repo));
    await run(home, repo, { limit: 1 });
    const both = await Promise.all([
      importing(home, repo),
      importing(home, repo),
    ]);
    const done = both.filter((e) => e.code === 0);
    const locked = both.filter((e) => e.code === 75);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length + locked.length).toBe(2);
    for (const e of locked) expect(e.error.trim()).toBe("LOCKED");
    expect(checkStore(repo)).toEqual([]);
    expect((await run(home, repo)).sessions.unchanged).toBe(150);
  });
});
