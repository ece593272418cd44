import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { classify } from "../../extension/classify/mod.ts";

interface Labelled {
  id?: string;
  cmd: string;
  label: string;
  category?: string | null;
  rule?: string;
  mutating?: boolean | null;
  ambiguous?: boolean;
  accept?: string[];
}

function load(path: string): Labelled[] {
  const url = new URL(path, import.meta.url);
  return existsSync(url) ? JSON.parse(readFileSync(url, "utf8")) : [];
}

function score(cases: Labelled[]): {
  label: number;
  category: number;
  mutating: number;
  misses: string[];
} {
  let right = 0, bypasses = 0, categories = 0, told = 0, changes = 0;
  const misses: string[] = [];
  for (const c of cases) {
    const v = classify({ tool: "Bash", kind: "shell", text: c.cmd });
    if ((c.accept ?? [c.label]).includes(v.label)) right++;
    else misses.push(`${c.label} ${v.label} ${c.cmd.slice(0, 120)}`);
    if (c.ambiguous || c.label !== "bypass" || v.label !== "bypass") continue;
    bypasses++;
    if (v.category === (c.category ?? c.rule)) categories++;
    if (typeof c.mutating !== "boolean") continue;
    told++;
    if (v.mutating === c.mutating) changes++;
  }
  return {
    label: right / cases.length,
    category: bypasses ? categories / bypasses : 1,
    mutating: told ? changes / told : 1,
    misses,
  };
}

const SETS = [
  ["150 real commands", "../data/real-commands.json"],
  ["more cases written for the rules", "../data/label-cases.json"],
  ["the shared development set", "../../../shared/data/labels-dev-1.json"],
  ["the shared real set", "../../../shared/data/eval/dev/real.json"],
  ["the shared authored set", "../../../shared/data/eval/dev/authored.json"],
] as const;

describe("labelled commands (shared sets are skipped where ../shared is absent)", () => {
  for (const [name, path] of SETS) {
    const cases = load(path);
    it.skipIf(cases.length === 0)(
      `${name}: labels >= 98 %, category and mutating >= 95 %`,
      () => {
        const { label, category, mutating, misses } = score(cases);
        expect(label, misses.join("\n")).toBeGreaterThanOrEqual(0.98);
        expect(category).toBeGreaterThanOrEqual(0.95);
        expect(mutating).toBeGreaterThanOrEqual(0.95);
      },
    );
  }

  it("our own real set holds 150 commands", () => {
    expect(load("../data/real-commands.json")).toHaveLength(150);
  });
});
