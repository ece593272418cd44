import { join } from "node:path";
import { expect, test } from "vitest";
import { PACKAGE, Repo } from "./support.ts";

test("the manifest earns every point that can be earned offline", async () => {
  const repo = await new Repo().setUp();
  const text = await repo.swamp(
    "extension",
    "quality",
    join(PACKAGE, "manifest.yaml"),
    "--json",
  );
  const { factors } = JSON.parse(text) as {
    factors: { id: string; status: string }[];
  };
  expect(
    factors.filter(({ status }) =>
      status !== "earned" && status !== "provisional"
    ),
  ).toEqual([]);
});
