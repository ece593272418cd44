import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAMILIES, importFamily } from "../golden.ts";

const golden = (family: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../fixtures/golden/${family}.json`, import.meta.url),
      "utf8",
    ),
  );

describe("an authored family gives its golden result", () => {
  it.each(FAMILIES)("%s", async (family) => {
    expect(await importFamily(family)).toEqual(golden(family));
  });
});
