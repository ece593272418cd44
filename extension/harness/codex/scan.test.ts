import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CodexHome,
  count,
  lines,
  meta,
  type Rec,
  turn,
  zstdFrame,
} from "../../../test/codex.ts";
import { plainAnalyst } from "../../../test/build.ts";
import type { SourceFile } from "../types.ts";
import { codex } from "./mod.ts";

let home: CodexHome;
beforeEach(() => {
  home = new CodexHome();
});
afterEach(() => home.remove());

const session = (id: string, output = 10): Rec[] => [
  meta(0, id),
  ...turn(1, `${id}-t`, "Go"),
  count(2, [100, 0, output]),
];
const packed = (records: Rec[]) =>
  zstdFrame(new TextEncoder().encode(lines(records)));
const outputs = async () =>
  [...(await home.read()).sessions].map(([id, s]) => [id, s.tokens.output]);

describe("where sessions are looked for", () => {
  it("dated, flat, archived and compressed files are all found", async () => {
    home.rollout("a", session("a"));
    home.put("sessions/rollout-b.jsonl", session("b"));
    home.put("archived_sessions/rollout-c.jsonl", session("c"));
    home.put("sessions/2026/10/05/rollout-d.jsonl.zst", packed(session("d")));
    home.put("sessions/rollout-e.jsonl.zst.tmp", "half");
    home.put("history.jsonl", '{"session_id":"x","text":"a prompt"}\n');
    const read = await home.read();
    expect([...read.sessions.keys()].sort()).toEqual(["a", "b", "c", "d"]);
    expect(read.problems).toEqual([]);
    expect(read.scan.roots.map((r) => [r.exists, r.files]))
      .toEqual([[true, 3], [true, 1]]);
  });

  it("CODEX_HOME moves the folder, and is not fallen back from", async () => {
    home.rollout("a", session("a"));
    const moved = join(home.path, "moved");
    expect((await home.read({ CODEX_HOME: moved })).sessions.size).toBe(0);
    mkdirSync(moved);
    symlinkSync(join(home.path, ".codex/sessions"), join(moved, "sessions"));
    expect((await home.read({ CODEX_HOME: moved })).sessions.size).toBe(1);
  });

  it("a home without Codex is empty and no error", async () => {
    const { scan } = await home.read();
    expect([scan.units, scan.problems]).toEqual([[], []]);
    expect(scan.roots.every((r) => !r.exists)).toBe(true);
  });

  it("folders that lead back to themselves do not matter", async () => {
    home.rollout("a", session("a"));
    const folder = join(home.path, ".codex/sessions");
    symlinkSync(folder, join(folder, "loop"));
    expect((await home.read()).scan.roots[0]?.files).toBe(1);
  });
});

describe("one session in several files counts once", () => {
  it("plain wins over compressed, also where it is shorter", async () => {
    home.rollout("a", session("a", 1));
    home.put(
      "sessions/2026/10/05/rollout-2026-10-05T09-00-00-a.jsonl.zst",
      packed([...session("a", 2), ...turn(9, "more")]),
    );
    expect(await outputs()).toEqual([["a", 1]]);
  });

  it("the live file wins over its archived copy", async () => {
    home.put(
      "archived_sessions/rollout-2026-10-05T09-00-00-a.jsonl",
      [...session("a", 2), ...turn(9, "more")],
    );
    home.rollout("a", session("a", 1));
    expect(await outputs()).toEqual([["a", 1]]);
  });

  it("of copies under other names the longer counts", async () => {
    home.put("sessions/rollout-copy.jsonl", session("a", 1));
    home.put("sessions/rollout-other.jsonl", [
      ...session("a", 2),
      ...turn(9, "more"),
    ]);
    expect(await outputs()).toEqual([["a", 2]]);
  });
});

describe("a session's head", () => {
  it("is read whole, however long its first line is", async () => {
    const base_instructions = { text: "x".repeat(300_000) };
    home.rollout("a", [
      meta(0, "a", { base_instructions, cwd: "/far" }),
      ...turn(1, "t"),
    ]);
    const { scan } = await home.read();
    expect(scan.units.map((u) => [u.id, u.cwd])).toEqual([["a", "/far"]]);
  });

  it("is found after a torn line and its full retry", async () => {
    const good = lines(session("a"));
    home.put("sessions/rollout-x.jsonl", good.slice(0, 50) + "\n" + good);
    const read = await home.read();
    expect([...read.sessions.keys()]).toEqual(["a"]);
    expect(read.sessions.get("a")?.badLines).toBe(1);
    expect(read.problems.map((p) => [p.code, p.line]))
      .toEqual([["DAMAGED_LINES", 1]]);
  });

  it("is made from the file's name where its line is gone", async () => {
    const id = "0199a213-81c0-7800-8aa1-bbab2a035a53";
    home.rollout(id, turn(1, "t", "Go"));
    expect([...(await home.read()).sessions.keys()]).toEqual([id]);
  });

  it("is remembered by size and time, and holds no text", async () => {
    const file = home.rollout("a", [
      meta(0, "a", { base_instructions: { text: "marker" } }),
      ...turn(1, "t", "marker"),
    ]);
    home.put("sessions/rollout-empty.jsonl", "");
    const heads = new Map<string, unknown>();
    const key = (f: SourceFile) => `${f.path} ${f.size} ${f.mtimeMs}`;
    let reads = 0;
    const cache = {
      get: (f: SourceFile) => heads.get(key(f)),
      put: (f: SourceFile, head: unknown) => {
        reads++;
        heads.set(key(f), JSON.parse(JSON.stringify(head)));
      },
    };
    const scan = () =>
      codex.scan({ home: home.path, vars: {} }, { heads: cache });
    const first = await scan();
    expect(reads).toBe(2);
    expect(JSON.stringify([...heads])).not.toContain("marker");
    expect(await scan()).toEqual(first);
    expect(reads).toBe(2);
    utimesSync(file, 1, 1);
    await scan();
    expect(reads).toBe(3);
  });
});

describe("what is not a session is refused, and all others are read", () => {
  it.each([
    ["EMPTY", ""],
    ["EMPTY", "\n\n"],
    ["BINARY", Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 1, 2])],
    ["NO_SESSION", '{"type":"user","sessionId":"x"}\n'],
    ["NO_SESSION", '{"timestamp":"2026-10-05T09:00:00Z","ty'],
    ["NO_SESSION", "[1]\n{}\n"],
    ["STREAM_CAPTURE", '{"type":"thread.started","thread_id":"x"}\n'],
    ["STREAM_CAPTURE", '{"id":"0","msg":{"type":"task_started"}}\n'],
    ["UNREADABLE", zstdFrame(new Uint8Array(5000).fill(65)).subarray(0, 900)],
  ])("%s %#", async (code, content) => {
    const file = home.put("sessions/rollout-bad.jsonl", content);
    home.rollout("a", session("a"));
    const read = await home.read();
    expect(read.problems.map((p) => [p.code, p.file])).toEqual([[code, file]]);
    expect([...read.sessions.keys()]).toEqual(["a"]);
  });

  it("a single object that holds no session is refused", async () => {
    home.put("sessions/rollout-x.json", '{"items":[]}');
    home.put("sessions/rollout-y.json", "{");
    home.put("sessions/settings.json", "{}");
    const { problems } = await home.read();
    expect(problems.map((p) => p.code)).toEqual(["NO_SESSION", "NO_SESSION"]);
  });

  it("messages hold nothing of the file", async () => {
    home.put("sessions/rollout-bad.jsonl", "marker\n");
    const { problems } = await home.read();
    expect(problems.map((p) => p.message).join()).not.toContain("marker");
  });
});

describe("damage", () => {
  it("a compressed file with a break gives what came before it", async () => {
    const file = packed([...session("a"), ...turn(9, "t9", "x".repeat(4000))]);
    home.put("sessions/rollout-a.jsonl.zst", file.subarray(0, -600));
    const read = await home.read();
    expect(read.sessions.get("a")?.tokens.output).toBe(10);
    expect(read.problems.map((p) => p.code)).toEqual(["DAMAGED_LINES"]);
  });

  it("compressed bytes under a plain name are read all the same", async () => {
    home.put("sessions/rollout-a.jsonl", packed(session("a")));
    expect(await outputs()).toEqual([["a", 10]]);
  });

  it("a torn last line is live, not damaged", async () => {
    const text = lines([...session("a"), ...turn(9, "t9", "Go on")]);
    home.put("sessions/rollout-a.jsonl", text.slice(0, -20));
    const read = await home.read();
    const a = read.sessions.get("a");
    expect([a?.tornTail, a?.badLines, read.problems]).toEqual([true, 0, []]);
  });

  it("of a whole record and a torn one on one line the whole one is read, and one line counted", async () => {
    home.put(
      "sessions/rollout-a.jsonl",
      lines(session("a")).replaceAll("\n", '{"type":"event\n'),
    );
    const read = await home.read();
    const a = read.sessions.get("a");
    expect([a?.turns.length, a?.tokens.output, a?.badLines])
      .toEqual([1, 10, session("a").length]);
  });

  it("CRLF, a BOM, NULs, glued records and odd separators change nothing", async () => {
    const records = [...session("a"), ...turn(9, "t9", "a\u2028b")];
    const [one = "", two = "", ...rest] = lines(records).trimEnd().split("\n");
    home.put(
      "sessions/rollout-a.jsonl",
      `\ufeff${one}\r\n\0\0\0\n${two}${rest.join("\r\n")}\r\n`,
    );
    const read = await home.read();
    const a = read.sessions.get("a");
    expect([a?.turns.length, a?.tokens.output, a?.badLines, read.problems])
      .toEqual([2, 10, 0, []]);
  });
});

describe("a read", () => {
  it("tells how many bytes were read, each once, and stops when told", async () => {
    home.rollout("a", session("a"));
    const [unit] = (await home.read()).scan.units;
    if (!unit) throw new Error("no unit");
    const analyst = {
      call: () => ({
        text: "",
        label: "neutral" as const,
        category: "x",
        rule: "x",
      }),
      testOutcome: () => null,
    };
    let told = 0;
    const read = await codex.read(unit, {
      analyst,
      progress: (bytes) => told += bytes,
    });
    expect(told).toBe(unit.files[0]?.size);
    expect(read.session?.bytes).toBe(told);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(codex.read(unit, { analyst, signal })).rejects.toThrow("stop");
  });

  it("of a file that is gone is a problem, not an error", async () => {
    home.rollout("a", session("a"));
    const [unit] = (await home.read()).scan.units;
    if (!unit) throw new Error("no unit");
    home.remove();
    const read = await codex.read(unit, { analyst: plainAnalyst });
    expect(read.problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
    expect([read.session, read.subagents]).toEqual([undefined, []]);
  });

  it("of a family whose root is gone meanwhile gives nothing, so that it is tried again", async () => {
    const path = home.rollout("a", session("a"));
    home.rollout("kid", [
      meta(20, "kid", {
        parent_thread_id: "a",
        source: { subagent: "review" },
      }),
      ...turn(21, "k1"),
    ]);
    const [unit] = (await home.read()).scan.units;
    if (!unit) throw new Error("no unit");
    rmSync(path);
    const read = await codex.read(unit, { analyst: plainAnalyst });
    expect([read.session, read.subagents]).toEqual([undefined, []]);
    expect(read.problems.map((p) => p.code)).toEqual(["UNREADABLE"]);
    const { placeholders, sessions } = await home.read();
    expect([placeholders, [...sessions.keys()]]).toEqual([["a"], ["kid"]]);
  });
});
