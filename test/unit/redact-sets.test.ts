// Scores against the development sets and real commands, where they are at hand.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { redact } from "../../extension/redact/mod.ts";

const SHARED = fileURLToPath(new URL("../../../shared", import.meta.url));
const GENERATOR = join(SHARED, "data/gen-secrets-1.mjs");
const DEV = join(SHARED, "data/eval/dev/secrets.mjs");
const HOMES = join(SHARED, "corpus/homes");

interface CaseSet {
  hidden: { text: string; secrets: string[] }[];
  kept: string[];
}

interface Case {
  cmd?: string;
  text?: string;
  secrets?: string[];
}

const textOf = (c: Case) => c.cmd ?? c.text ?? "";

function toSet(positive: Case[], lookalike: Case[]): CaseSet {
  return {
    hidden: positive.map((c) => ({
      text: textOf(c),
      secrets: c.secrets ?? [],
    })),
    kept: lookalike.map(textOf),
  };
}

function generated(): CaseSet {
  const dir = mkdtempSync(join(tmpdir(), "secrets-"));
  try {
    execFileSync(process.execPath, [GENERATOR, dir]);
    const read = (name: string) =>
      JSON.parse(readFileSync(join(dir, name), "utf8")) as Case[];
    return toSet(
      read("secrets-positive.json"),
      read("secrets-lookalike.json"),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function development(): CaseSet {
  // It prints only where it is started by its real name.
  const out = execFileSync(process.execPath, [realpathSync(DEV)], {
    encoding: "utf8",
  });
  const { positive, lookalike } = JSON.parse(out) as {
    positive: Case[];
    lookalike: Case[];
  };
  return toSet(positive, lookalike);
}

/** A secret leaks whole, or by its beginning or end. */
function leaks(text: string, secret: string): boolean {
  return text.includes(secret) ||
    secret.length > 12 && text.includes(secret.slice(0, 12)) ||
    secret.length > 9 && text.includes(secret.slice(-9));
}

function score({ hidden, kept }: CaseSet) {
  let secrets = 0;
  let found = 0;
  for (const { text, secrets: all } of hidden) {
    const redacted = redact(text).text;
    secrets += all.length;
    found += all.filter((s) => !leaks(redacted, s)).length;
  }
  const changed = kept.filter((text) => redact(text).text !== text);
  return {
    recall: found / secrets,
    falsePositives: changed.length / kept.length,
  };
}

/** Shell commands of calls anywhere in a record. */
function commandsIn(value: unknown, out: Commands): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) commandsIn(item, out);
    return;
  }
  const record = value as Record<string, unknown>;
  const add = (input: unknown) => {
    if (typeof input !== "object" || input === null) return;
    const { command, cmd } = input as Record<string, unknown>;
    for (const c of [command, cmd]) {
      if (typeof c === "string") out.add(c);
      else if (Array.isArray(c)) out.add(c.join(" "));
    }
  };
  if (record["type"] === "tool_use") add(record["input"]);
  if (record["type"] === "function_call") {
    try {
      add(JSON.parse(String(record["arguments"])));
    } catch {
      // Damaged on purpose in some files.
    }
  }
  for (const key in record) commandsIn(record[key], out);
}

type Commands = Set<string>;

function* linesOf(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { recursive: true })) {
    const path = join(dir, String(entry));
    if (!path.endsWith(".jsonl")) continue;
    yield* readFileSync(path, "utf8").split("\n");
  }
}

describe("the development sets", () => {
  it.skipIf(!existsSync(GENERATOR))(
    "of generated commands: recall >= 98 %, false positives <= 1 %",
    () => {
      const { recall, falsePositives } = score(generated());
      expect(recall).toBeGreaterThanOrEqual(0.98);
      expect(falsePositives).toBeLessThanOrEqual(0.01);
    },
  );

  it.skipIf(!existsSync(DEV))(
    "of evaluation: recall >= 98 %, false positives <= 1 %",
    () => {
      const { recall, falsePositives } = score(development());
      expect(recall).toBeGreaterThanOrEqual(0.98);
      expect(falsePositives).toBeLessThanOrEqual(0.01);
    },
  );
});

describe("real sessions", () => {
  it.skipIf(!existsSync(HOMES))(
    "hold no secret, so that no command of theirs is changed",
    () => {
      const commands: Commands = new Set();
      for (const line of linesOf(HOMES)) {
        if (!line.includes("tool_use") && !line.includes("function_call")) {
          continue;
        }
        try {
          commandsIn(JSON.parse(line), commands);
        } catch {
          // Torn lines are the adapters' matter.
        }
      }
      expect(commands.size).toBeGreaterThan(500);
      const changed = [...commands].filter((c) => redact(c).spans.length > 0);
      expect(changed).toEqual([]);
    },
  );
});
