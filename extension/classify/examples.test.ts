import { describe, expect, it } from "vitest";
import { classify, RULES } from "./mod.ts";

/** Every example of every rule: the rules are their own tests. */
const rows = RULES.flatMap((rule) =>
  (["write", "read", "neutral", "swamp"] as const).flatMap((kind) =>
    (rule.examples[kind] ?? []).map((text) => [rule.id, kind, text] as const)
  )
);

describe("examples of the rules", () => {
  it.each(rows)("%s, %s: %s", (id, kind, text) => {
    const verdict = classify({ tool: "Bash", kind: "shell", text });
    const rule = RULES.find((r) => r.id === id);
    const bypass = kind === "write" || kind === "read";
    expect(verdict.label).toBe(bypass ? "bypass" : kind);
    if (!bypass) return;
    expect(verdict.mutating).toBe(kind === "write");
    // Examples of swamp show what outweighs it; PowerShell's category is by module.
    if (id !== "swamp.cli" && !rule?.title.includes("category by")) {
      expect(verdict.category).toBe(rule?.category ?? id);
    }
    const part = verdict.parts[0];
    expect(part).toBeDefined();
    expect(part && part.end > part.start && part.end <= text.length).toBe(true);
  });

  it("ids are unique, and every rule that decides has examples", () => {
    expect(new Set(RULES.map((r) => r.id)).size).toBe(RULES.length);
    for (const rule of RULES) {
      expect(Object.values(rule.examples).flat().length, rule.id)
        .toBeGreaterThan(0);
    }
  });
});
