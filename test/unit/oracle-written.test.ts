import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HARNESSES } from "../../extension/harness/registry.ts";
import { noHeads } from "../oracle/claude-home.ts";
import { rawAnalyst } from "../oracle/oracle.ts";

const HOMES = fileURLToPath(new URL("../../fixtures/homes/", import.meta.url));

type Json = Record<string, unknown>;

/** Every object's keys in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Json).reverse().map(([k, v]) => [k, reordered(v)]),
  );
}

/** JSON with blanks at every place where they may stand. */
function spread(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(spread).join(" , ")} ]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Json)
    .map(([k, v]) => `${JSON.stringify(k)} : ${spread(v)}`);
  return `{ ${entries.join(" ,\t")} }`;
}

const escaped = (text: string) =>
  text.replace(
    /[^\x20-\x7e]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A record with so much in it that is not looked at that it is skimmed. */
const bulky = (record: Json) => ({
  bulk: 'é"\\\n}{'.repeat(500),
  ...record,
  thinkingMetadata: { level: ["x".repeat(3000)] },
});

const WAYS: Record<string, (record: Json) => string> = {
  "with a blank after colons and commas": (r) =>
    JSON.stringify(r, null, 1).replace(/\n */g, " "),
  "with blanks wherever they may stand": spread,
  "with its keys in another order": (r) => JSON.stringify(reordered(r)),
  "with everything but ASCII escaped": (r) => escaped(JSON.stringify(r)),
  "with a lot besides that is not looked at": (r) => JSON.stringify(bulky(r)),
  "with a lot besides and its keys in another order": (r) =>
    JSON.stringify(reordered(bulky(r))),
  "with a lot besides and blanks": (r) => spread(bulky(r)),
};

function copy(from: string, to: string, write: (record: Json) => string) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const path = join(from, entry.name), target = join(to, entry.name);
    if (entry.isDirectory()) {
      copy(path, target, write);
      continue;
    }
    const text = readFileSync(path, "utf8");
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      entry.name.endsWith(".jsonl")
        ? text.split("\n").map((line) =>
          line === "" ? "" : write(JSON.parse(line) as Json)
        ).join("\n")
        : text,
    );
  }
}

/** All that was built, but for how many bytes it was read from. */
async function built(fixture: string, write?: (record: Json) => string) {
  let home = join(HOMES, fixture, "home");
  const made = write ? mkdtempSync(join(tmpdir(), "written-")) : undefined;
  try {
    if (made && write) {
      copy(home, made, write);
      home = made;
    }
    const all: unknown[] = [];
    for (const harness of HARNESSES) {
      const scan = await harness.scan({ home, vars: {} }, { heads: noHeads });
      const units = [...scan.units].sort((a, b) => a.id < b.id ? -1 : 1);
      for (const unit of units) {
        const read = await harness.read(unit, { analyst: rawAnalyst });
        for (const session of [read.session, ...read.subagents]) {
          if (!session) continue;
          all.push({
            ...session,
            bytes: 0,
            calls: [...session.calls.values()].map((c) => ({
              ...c,
              turn: c.turn.number,
            })),
          });
        }
        expect(read.problems).toEqual([]);
      }
    }
    return all;
  } finally {
    if (made) rmSync(made, { recursive: true });
  }
}

describe("how a record is written in JSON changes nothing", () => {
  const ways = Object.keys(WAYS);
  it.each(readdirSync(HOMES))("in %s", async (fixture) => {
    const plain = await built(fixture);
    expect(plain.length).toBeGreaterThan(0);
    for (const way of ways) {
      expect([way, await built(fixture, WAYS[way])]).toEqual([way, plain]);
    }
  });
});
