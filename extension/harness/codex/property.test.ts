import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { BuiltSession } from "../../session/model.ts";
import {
  call,
  CodexHome,
  count,
  custom,
  done,
  event,
  exited,
  iso,
  item,
  lines,
  meta,
  type Rec,
  rec,
  result,
  running,
  turn,
  zstdFrame,
} from "../../../test/codex.ts";

const spawned = {
  forked_from_id: "root",
  source: { subagent: { thread_spawn: { parent_thread_id: "root" } } },
};

/** A family with something of everything. */
const ROOT: Rec[] = [
  meta(0, "root", { git: { branch: "main" } }),
  ...turn(1, "t1", "Go"),
  item(1, "reasoning", { summary: [], encrypted_content: "x" }),
  call(2, "a", "exec_command", { cmd: "npm test" }),
  result(3, "a", running(7)),
  call(4, "b", "write_stdin", { session_id: 7 }),
  result(5, "b", exited(1)),
  count(6, [100, 20, 10]),
  call(6, "s", "spawn_agent", { agent_type: "explorer", message: "x" }),
  result(7, "s", '{"agent_id":"kid"}'),
  custom(8, "p", "apply_patch", "*** Begin Patch\n*** Add File: a\n+x"),
  result(9, "p", "Exit code: 0\nWall time: 0\nOutput:\n"),
  event(9, "agent_message", { message: "Done." }),
  done(10, "t1"),
  ...turn(40, "t2", "More"),
  rec(41, "compacted", { message: "short" }),
  custom(41, "e", "exec", 'await tools.exec_command({cmd:"ls"})'),
  result(42, "e", [{ type: "input_text", text: "Script completed\n" }]),
  count(43, [300, 20, 40]),
  event(44, "turn_aborted", { turn_id: "t2", reason: "interrupted" }),
];
const KID: Rec[] = [
  meta(20, "kid", spawned),
  ...ROOT.slice(0, 9).map((r): Rec => ({ ...r, timestamp: iso(20) })),
  ...turn(20, "k1"),
  call(21, "k", "shell", { command: ["ls", "-la"] }),
  result(22, "k", '{"output":"","metadata":{"exit_code":0}}'),
  count(23, [130, 20, 13]),
  done(24, "k1"),
];
const OLD: Rec[] = [
  { id: "old", timestamp: iso(0), instructions: "" },
  {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "x" }],
  },
  { type: "local_shell_call", call_id: "l", action: { command: ["ls"] } },
  { type: "function_call_output", call_id: "l", output: "error: no" },
];

/** A session as plain data, without what depends on files' names. */
const plain = (s: BuiltSession) =>
  JSON.parse(JSON.stringify({
    ...s,
    turns: s.turns.map((t) => ({ ...t, calls: t.calls.map((c) => c.id) })),
    calls: [...s.calls.values()].map((c) => ({ ...c, turn: c.turn.number })),
    outputByModel: [...s.outputByModel],
    unknown: [...s.unknown],
  })) as unknown;

const inHome = async <T>(work: (home: CodexHome) => Promise<T>): Promise<T> => {
  const home = new CodexHome();
  try {
    return await work(home);
  } finally {
    home.remove();
  }
};

/** Every number in a session is finite, and none is below zero. */
function checkNumbers(s: BuiltSession): void {
  const counts = [s.tokens, ...s.turns.map((t) => t.tokens)].flatMap((t) =>
    Object.values(t)
  );
  for (const n of counts) {
    expect(Number.isSafeInteger(n) && n >= 0).toBe(true);
  }
  const times = [
    s.startedAt,
    s.endedAt,
    ...s.turns.flatMap((t) => [t.startedAt, t.endedAt]),
    ...[...s.calls.values()].flatMap((c) => [c.startedAt, c.endedAt ?? 0]),
    ...s.marks.map((m) => m.at),
  ];
  // Any of them can be written as a time with a year of four digits.
  for (const t of times) expect(new Date(t).toISOString().length).toBe(24);
  for (const c of s.calls.values()) {
    if (c.exitCode !== undefined) {
      expect(Number.isSafeInteger(c.exitCode)).toBe(true);
    }
  }
}

type Change = { file: number; at: number; kind: number; value: unknown };

/** Puts a value somewhere inside a record. */
function disturb(record: Rec, at: number, value: unknown): Rec {
  const copy = JSON.parse(JSON.stringify(record)) as Rec;
  let holder: Rec = copy;
  for (let n = at;; n = Math.floor(n / 3)) {
    const keys = Object.keys(holder);
    const key = keys[n % keys.length];
    if (key === undefined) return copy;
    const inner = holder[key];
    if (
      n % 2 === 0 && typeof inner === "object" && inner !== null &&
      Object.keys(inner).length > 0
    ) {
      holder = inner as Rec;
      continue;
    }
    holder[key] = value;
    return copy;
  }
}

const change: fc.Arbitrary<Change> = fc.record({
  file: fc.nat(2),
  at: fc.nat(10_000),
  kind: fc.nat(4),
  value: fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(-1, 1.5, 1e308, "", "1e400", null, [], {}, iso(5), "t1"),
    fc.constantFrom("+275760-01-01T00:00:00Z", "-000001-01-01T00:00:00Z"),
  ),
});

/** One file's text with one thing wrong. */
function changed(records: Rec[], { at, kind, value }: Change): string {
  const text = lines(records);
  const n = at % records.length;
  switch (kind) {
    case 0:
      return text.slice(0, at % text.length);
    case 1: {
      const cut = at % text.length;
      return text.slice(0, cut) + text.slice(cut + 1 + at % 40);
    }
    case 2:
      return lines([...records.slice(0, n), ...records.slice(n + 1)]);
    case 3:
      return lines([
        ...records.slice(0, n),
        records[n] ?? {},
        ...records.slice(n),
      ]);
    default:
      return lines(records.map((r, i) => i === n ? disturb(r, at, value) : r));
  }
}

describe("reading is total", () => {
  it("whatever is wrong with a file, nothing is thrown and every number is one", async () => {
    await inHome(async (home) => {
      const names = ["root", "kid", "old"];
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { minLength: 1, maxLength: 3 }),
          async (changes) => {
            [ROOT, KID, OLD].forEach((records, i) => {
              const mine = changes.find((c) => c.file === i);
              const name = `sessions/rollout-${names[i]}.jsonl`;
              home.put(name, mine ? changed(records, mine) : records);
            });
            const read = await home.read();
            for (const s of read.sessions.values()) checkNumbers(s);
          },
        ),
        { numRuns: 150 },
      );
    });
  });

  it("the oldest shape, too", async () => {
    const single = JSON.stringify({
      session: { id: "single", timestamp: iso(0) },
      items: OLD.slice(1),
    });
    await inHome(async (home) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.string(), async (at, text) => {
          const cut = at % single.length;
          home.put(
            "sessions/rollout-single.json",
            single.slice(0, cut) + text + single.slice(cut + text.length),
          );
          for (const s of (await home.read()).sessions.values()) {
            checkNumbers(s);
          }
        }),
        { numRuns: 60 },
      );
    });
  });

  it("compressed files, too", async () => {
    const packed = zstdFrame(new TextEncoder().encode(lines(ROOT)), 700);
    await inHome(async (home) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat(255), async (at, value) => {
          const bytes = packed.slice();
          // The window size is tested where memory is.
          bytes[6 + at % (bytes.length - 6)] = value;
          home.put("sessions/rollout-root.jsonl.zst", bytes);
          for (const s of (await home.read()).sessions.values()) {
            checkNumbers(s);
          }
        }),
        { numRuns: 60 },
      );
    });
  });
});

describe("the result depends on the records alone", () => {
  const all = async (home: CodexHome) => {
    const { sessions, scan } = await home.read();
    return {
      units: scan.units.map((u) => u.id).sort(),
      sessions: [...sessions.values()].map(plain)
        .sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1),
    };
  };

  it("not on the order or the places of files", async () => {
    const orphan = [meta(3, "orphan", {
      parent_thread_id: "gone",
      source: { subagent: "review" },
    })];
    const expected = await inHome((home) => {
      home.rollout("root", ROOT);
      home.rollout("kid", KID);
      home.rollout("orphan", orphan);
      return all(home);
    });
    const folder = fc.constantFrom(
      ...["sessions/a/", "sessions/b/c/", "sessions/", "archived_sessions/"],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(folder, folder, folder),
        fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
        (folders, order) =>
          inHome(async (home) => {
            [ROOT, KID, orphan].forEach((records, i) =>
              home.put(`${folders[i]}${order[i]}.jsonl`, records)
            );
            expect(await all(home)).toEqual(expected);
          }),
      ),
      { numRuns: 25 },
    );
  });

  it("not on how often a file was read while it grew", async () => {
    const whole = await inHome((home) => {
      home.put("sessions/rollout-root.jsonl", ROOT);
      home.put("sessions/rollout-kid.jsonl", KID);
      return all(home);
    });
    const text = lines(ROOT);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(text.length), { maxLength: 6 }),
        (steps) =>
          inHome(async (home) => {
            home.put("sessions/rollout-kid.jsonl", KID);
            let turns = 0;
            for (const step of [...steps].sort((a, b) => a - b)) {
              home.put("sessions/rollout-root.jsonl", text.slice(0, step));
              const { sessions, problems } = await home.read();
              expect(problems.filter((p) => p.code === "DAMAGED_LINES"))
                .toEqual([]);
              // What was read before stays: a session only grows.
              const now = sessions.get("root")?.turns.length ?? 0;
              expect(now).toBeGreaterThanOrEqual(turns);
              turns = now;
            }
            home.put("sessions/rollout-root.jsonl", text);
            expect(await all(home)).toEqual(whole);
          }),
      ),
      { numRuns: 25 },
    );
  });
});
