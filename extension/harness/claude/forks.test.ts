import { utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BuiltSession } from "../../session/model.ts";
import { rawAnalyst } from "../../../test/oracle/oracle.ts";
import { claude } from "./mod.ts";
import {
  noHeads,
  SID,
  Tape,
  usage,
  uuid,
  withHome,
} from "../../../test/oracle/claude-home.ts";

const FORK = uuid(2, 0xff), THIRD = uuid(3, 0xff);

/** A session, and a copy of its first records under another id. */
function pair(shared = 6) {
  const origin = new Tape();
  for (let i = 0; i < 5; i++) {
    origin.user(`prompt ${i}`);
    origin.call("Bash", { command: `echo ${i}` }, { usage: usage(0, 10) });
  }
  const fork = copy(origin, FORK, shared);
  return { origin, fork };
}

function copy(from: Tape, id: string, shared: number): Tape {
  const fork = new Tape({ sessionId: id }, from.now + 60_000);
  fork.records.push(
    { type: "mode", mode: "normal", sessionId: id },
    ...from.records.slice(0, shared).map((r) => ({ ...r, sessionId: id })),
  );
  return fork;
}

describe("forks", () => {
  it("what was copied counts in the origin alone", async () => {
    const { origin, fork } = pair();
    fork.user("another way");
    fork.call("Bash", { command: "own" }, { usage: usage(0, 7) });
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ units, sessions }) => {
        const byId = new Map(sessions.map((s) => [s.id, s]));
        expect(byId.get(SID)).toMatchObject({
          turns: { length: 5 },
          tokens: { output: 50 },
        });
        expect(byId.get(SID)?.forkOf).toBeUndefined();
        const own = byId.get(FORK);
        expect(own).toMatchObject({
          forkOf: SID,
          turns: { length: 1 },
          tokens: { output: 7 },
        });
        expect(own?.startedAt).toBe(origin.now + 61_000);
        // Each must be planned again when the other changes.
        expect(units.map((u) => u.needs.length)).toEqual([1, 1]);
      },
    );
  });

  it("is found behind the fork's own hook records", async () => {
    const { origin, fork } = pair();
    const hook = () =>
      fork.add("attachment", { attachment: { type: "hook_success" } });
    const hooks = Array.from({ length: 10 }, hook);
    fork.records.splice(-hooks.length);
    fork.records.unshift(...hooks);
    fork.user("on");
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        const own = sessions.find((s) => s.id === FORK);
        expect([own?.forkOf, own?.turns.length]).toEqual([SID, 1]);
      },
    );
  });

  it("the origin may have stopped where the fork began", async () => {
    const { origin } = pair();
    const fork = copy(origin, FORK, 10);
    fork.user("on");
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        expect(sessions.map((s) => [s.id, s.forkOf, s.turns.length]).sort())
          .toEqual([
            [SID, undefined, 5],
            [FORK, SID, 1],
          ].sort());
      },
    );
  });

  it("a record that says where it was forked from decides", async () => {
    const { origin, fork } = pair();
    // The fork goes on before the origin does.
    fork.now = origin.now - 2_000;
    fork.user("early");
    origin.now += 100_000;
    origin.user("late");
    fork.records.forEach((r, i) => {
      if (i > 0 && i <= 6) {
        r.forkedFrom = { sessionId: SID, messageUuid: r.uuid };
      }
    });
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        expect(sessions.find((s) => s.id === FORK)?.forkOf).toBe(SID);
        expect(sessions.find((s) => s.id === SID)?.turns.length).toBe(6);
      },
    );
  });

  it("a fork of a fork counts its own part and hangs below the nearer", async () => {
    const { origin, fork } = pair();
    fork.user("own of the fork");
    fork.assistant("x", { usage: usage(0, 3) });
    const third = copy(fork, THIRD, 9);
    third.records.splice(1, 1);
    third.user("own of the third");
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork).write(
          `${THIRD}.jsonl`,
          third,
        ),
      ({ sessions }) => {
        expect(sessions.map((s) => [s.id, s.forkOf, s.turns.length]).sort())
          .toEqual([
            [SID, undefined, 5],
            [FORK, SID, 1],
            [THIRD, FORK, 1],
          ].sort());
      },
    );
  });

  it("a hand-off that begins at a compaction is found by its time", async () => {
    const { origin } = pair();
    const boundary = origin.add("system", { subtype: "compact_boundary" });
    const prompt = origin.user("after it");
    const fork = new Tape(
      { sessionId: FORK, sessionKind: "bg" },
      origin.now + 60_000,
    );
    fork.records.push({ ...boundary, parentUuid: null, sessionId: FORK }, {
      ...prompt,
      sessionId: FORK,
    });
    fork.user("own");
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        const own = sessions.find((s) => s.id === FORK);
        expect([own?.forkOf, own?.turns.length, own?.marks.length]).toEqual([
          SID,
          1,
          0,
        ]);
      },
    );
  });

  /** The copied records get uuids of their own, as a fork by the SDK's do. */
  function renamed(fork: Tape, says: boolean): void {
    fork.records.slice(1).forEach((record, i) => {
      if (says) {
        record.forkedFrom = { sessionId: SID, messageUuid: record.uuid };
      }
      record.uuid = uuid(0xf0, i);
    });
  }

  it.each([["says which they are copies of", true], [
    "shares only the responses",
    false,
  ]])(
    "a fork with uuids of its own that %s counts its own part",
    async (_, says) => {
      const { origin, fork } = pair();
      renamed(fork, says);
      fork.add("content-replacement", { replacements: [] });
      fork.user("another way");
      fork.call("Bash", { command: "own" }, { usage: usage(0, 7) });
      await withHome(
        (home) =>
          home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
        ({ sessions }) => {
          const own = sessions.find((s) => s.id === FORK);
          expect(own).toMatchObject({
            forkOf: SID,
            turns: { length: 1 },
            tokens: { output: 7 },
          });
          expect(own?.calls.size).toBe(1);
          expect(own?.unknown.size).toBe(0);
          expect(sessions.find((s) => s.id === SID)?.tokens.output).toBe(50);
        },
      );
    },
  );

  it("of a response that ended after the fork only the rest counts in the fork", async () => {
    const { origin, fork: { records: copied } } = pair(10);
    const last = origin.records.at(-1)?.message as { id: string };
    const fork = new Tape({ sessionId: FORK }, origin.now + 60_000);
    fork.records.push(...copied);
    const ended = { id: last.id, usage: usage(3, 90, 5) };
    fork.call("Bash", { command: "own" }, ended);
    fork.user("on");
    const both = { [SID]: 50, [FORK]: 80 };
    for (const context of [{}, { fork: { of: SID, since: origin.now + 1 } }]) {
      await withHome(
        (home) => {
          if (!("fork" in context)) home.write(`${SID}.jsonl`, origin);
          home.write(`${FORK}.jsonl`, fork);
        },
        async (_, home) => {
          const { sessions } = await home.read({}, context);
          for (const { id, tokens } of sessions) {
            expect(tokens.output).toBe(both[id]);
          }
          expect(sessions.find((s) => s.id === FORK)).toMatchObject({
            tokens: { input: 3, cacheRead: 5 },
            calls: { size: 1 },
          });
        },
      );
    }
  });

  it("subagents that were copied along count in the origin, what they did since in the fork", async () => {
    const { origin, fork } = pair(10);
    fork.user("on");
    const agent = (goesOn = false, text = "look") => {
      const tape = new Tape({ isSidechain: true, agentId: "x" });
      tape.user(text);
      tape.assistant("found", { usage: usage(0, 20) });
      const copied = copy(tape, FORK, 2);
      if (goesOn) {
        copied.user("go on");
        copied.assistant("more", { usage: usage(0, 4) });
      }
      return { tape, copied };
    };
    const a = agent(), b = agent(true);
    // This one is the fork's own, and begins with the history of its session.
    const c = copy(origin, FORK, 10);
    c.user("fork");
    c.assistant("done", { usage: usage(0, 1) });
    const name = (id: string, agent: string) =>
      `${id}/subagents/agent-${agent}.jsonl`;
    const found = (s: BuiltSession) => [s.id, s.tokens.output];
    await withHome(
      (home) =>
        home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork)
          .write(name(SID, "a"), a.tape).write(name(FORK, "a"), a.copied)
          .write(name(SID, "b"), b.tape).write(name(FORK, "b"), b.copied)
          .write(name(FORK, "c"), c),
      async ({ subagents, units }, home) => {
        expect(subagents.map(found).sort()).toEqual([
          ["a", 20],
          ["b", 20],
          ["b", 4],
          ["c", 1],
        ]);
        expect(units.map((u) => u.needs.length)).toEqual([3, 3]);
        const env = { home: home.dir, vars: {} };
        const scan = await claude.scan(env, { heads: noHeads, only: FORK });
        const read = await claude.read(scan.units[0]!, { analyst: rawAnalyst });
        expect(read.subagents.map(found).sort()).toEqual([["b", 4], ["c", 1]]);
      },
    );
  });

  it.each([["name it", true], ["were left after it", false]])(
    "the origin of more forks than are compared is found where they %s",
    async (_, says) => {
      const origin = new Tape();
      origin.user("go");
      origin.assistant("done", { usage: usage(0, 100) });
      // By its id it is the last, and by its time, too, where they name it.
      const id = uuid(1, 0xffffffff);
      await withHome(
        (home) => {
          const write = (name: string, tape: Tape, at: number) => {
            home.write(`${name}.jsonl`, tape);
            utimesSync(home.path(`${name}.jsonl`), at, at);
          };
          write(id, origin, says ? 9000 : 1000);
          for (let i = 0; i < 60; i++) {
            const fork = copy(origin, uuid(i, 2), 2);
            fork.now += i;
            if (says) {
              for (const record of fork.records.slice(1)) {
                record.forkedFrom = { sessionId: id, messageUuid: record.uuid };
              }
            }
            fork.user("on");
            fork.assistant("more", { usage: usage(0, 1) });
            write(uuid(i, 2), fork, 2000 + i);
          }
        },
        ({ sessions, units }) => {
          expect(Math.max(...units.map((u) => u.needs.length))).toBe(40);
          expect(sessions.filter((s) => !s.forkOf).map((s) => s.id))
            .toEqual([id]);
          expect(sessions.reduce((n, s) => n + s.tokens.output, 0)).toBe(160);
        },
      );
    },
  );

  it("a fork that copied nothing keeps all of its own and names its origin", async () => {
    const { origin } = pair();
    const last = origin.records.at(-1)?.uuid;
    const fork = new Tape({ sessionId: FORK }, origin.now + 60_000);
    fork.user("on", { forkedFrom: { sessionId: SID, messageUuid: last } });
    await withHome(
      (home) => home.write(`${SID}.jsonl`, origin).write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        const own = sessions.find((s) => s.id === FORK);
        expect([own?.forkOf, own?.turns.length]).toEqual([SID, 1]);
      },
    );
  });

  it.each([
    ["says so, of an origin that is stored", true, {
      known: (id: string) => id === SID,
    }],
    ["is stored as a fork", false, {
      fork: { of: SID, since: Date.UTC(2026, 4, 1, 10, 1) },
    }],
  ])(
    "keeps only its own part without its origin's file where it %s",
    async (_, says, context) => {
      const { fork } = pair();
      renamed(fork, says);
      fork.user("on");
      fork.assistant("x", { usage: usage(0, 3) });
      await withHome(
        (home) => home.write(`${FORK}.jsonl`, fork),
        async (_, home) => {
          const [own] = (await home.read({}, context)).sessions;
          expect(own).toMatchObject({
            forkOf: SID,
            turns: { length: 1 },
            tokens: { output: 3 },
          });
        },
      );
    },
  );

  it("without its origin a fork counts in full", async () => {
    const { fork } = pair();
    fork.user("on");
    await withHome(
      (home) => home.write(`${FORK}.jsonl`, fork),
      ({ sessions }) => {
        expect(sessions[0]?.forkOf).toBeUndefined();
        expect(sessions[0]?.turns.length).toBe(4);
      },
    );
  });

  it("ids made by hand do not make sessions relatives", async () => {
    const tape = (id: string) => {
      const made = new Tape({ sessionId: id });
      made.user("go", { uuid: "u1" });
      return made;
    };
    await withHome(
      (home) =>
        home.write("one.jsonl", tape("one")).write("two.jsonl", tape("two")),
      ({ sessions }) => {
        expect(sessions.map((s) => [s.turns.length, s.forkOf])).toEqual([[
          1,
          undefined,
        ], [1, undefined]]);
      },
    );
  });
});
