/**
 * The model as swamp runs it: one bundle with every package but zod in it, zod
 * being the host's own instance. `scripts/test-deno.mjs` bundles and runs this.
 *
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import * as zod from "npm:zod@4";
import { type HostModel, SwampHost } from "../swamp-host.ts";

const HOME = fileURLToPath(
  new URL("../../fixtures/homes/claude-release/home", import.meta.url),
);
const repo = mkdtempSync(join(tmpdir(), "bundled-"));
afterAll(() => rmSync(repo, { recursive: true, force: true }));

Object.assign(globalThis, { hostZod: zod });
const { model } = await import(
  pathToFileURL(process.env.MODEL_BUNDLE ?? "").href
) as { model: HostModel };

test("the bundled model's schemas are of the host's own zod", () => {
  const { schema } = model.resources.summary!;
  expect(schema instanceof zod.z.ZodType).toBe(true);
});

test("the bundled model imports once, and then finds nothing changed", async () => {
  const host = new SwampHost(model, { repoDir: repo });
  const args = { all: true, home: HOME };
  const first = await host.run("import", args);
  expect(first.error).toBe(undefined);
  expect(first.lines.at(-1)).toContain('"new":1');
  expect(host.names().map((name) => name.replace(/-.*/, ""))).toEqual([
    "detail",
    "rollup",
    "summary",
  ]);
  expect(host.misfits).toEqual([]);
  const second = await host.run("import", args);
  expect(second.lines.at(-1)).toContain('"unchanged":1');
});

test("the bundled model explains and extracts", async () => {
  const host = new SwampHost(model, { repoDir: repo });
  const doctor = await host.run("doctor", { home: HOME });
  expect(doctor.status).toBe("succeeded");
  const extract = await host.run("extract", { home: HOME, id: "nothing" });
  expect(extract.error).toContain("no session's id begins with nothing");
});
