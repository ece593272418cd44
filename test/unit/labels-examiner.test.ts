import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { classify } from "../../extension/classify/mod.ts";

interface Labelled {
  cmd: string;
  label: string;
  category?: string;
  mutating?: boolean;
}

const cases: Labelled[] = JSON.parse(
  readFileSync(
    new URL("../data/labels-second-set.json", import.meta.url),
    "utf8",
  ),
);

describe("a second set of labelled commands", () => {
  it.each(cases)("$label $category: $cmd", (wanted) => {
    const { cmd, label, category, mutating } = wanted;
    const verdict = classify({ tool: "Bash", kind: "shell", text: cmd });
    expect(verdict.label).toBe(label);
    if (label !== "bypass") return;
    expect(verdict.category).toBe(category);
    expect(verdict.mutating).toBe(mutating);
  });
});
