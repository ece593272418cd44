import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionDetail } from "../../../schema/mod.ts";
import {
  agent,
  call,
  detail,
  endless,
  session,
  turn,
} from "./detail.test-support.ts";
import { buildModel, lengthOf, type SessionModel } from "./model.ts";

const ids = (model: SessionModel) => model.calls.map((n) => n.call.id);

describe("reading order", () => {
  it("puts a subagent's calls behind the call that started it, at any depth", () => {
    const model = buildModel(detail(
      session("s", [
        turn(1, 0, 50, [
          call("a", 0),
          call("b", 1, { subagent: "x" }),
          call("c", 40),
        ]),
      ]),
      [
        agent("y", { session: "x", call: "x2" }, [call("y1", 5)]),
        agent("x", { session: "s", call: "b" }, [call("x1", 2), call("x2", 4)]),
      ],
    ));
    expect(ids(model)).toEqual(["a", "b", "x1", "x2", "y1", "c"]);
    expect(model.calls.map((n) => n.depth)).toEqual([0, 0, 1, 1, 2, 0]);
    expect(model.calls.map((n) => n.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(model.agents.map((a) => a.session.id)).toEqual(["x", "y"]);
    expect(model.agents.map((a) => a.lane)).toEqual([1, 2]);
  });

  it("gives two subagents of one call rows of their own, one deeper", () => {
    const model = buildModel(detail(
      session("s", [turn(1, 0, 9, [call("a", 0)])]),
      [
        agent("x", { session: "s", call: "a" }, [call("x1", 1)]),
        agent("y", { session: "s", call: "a" }, [call("y1", 2)]),
      ],
    ));
    expect(model.calls[0]!.agents.length).toBe(2);
    expect(model.calls.map((n) => n.depth)).toEqual([0, 2, 2]);
  });

  it("keeps a resumed subagent's turns together", () => {
    const resumed = session("x", [
      turn(1, 1, 2, [call("x1", 1)]),
      turn(2, 8, 9, [call("x2", 8)]),
    ], { parent: { session: "s", call: "a" } });
    const model = buildModel(
      detail(session("s", [turn(1, 0, 9, [call("a", 0)])]), [resumed]),
    );
    expect(ids(model)).toEqual(["a", "x1", "x2"]);
    expect(model.agents[0]!.own.calls).toBe(2);
  });
});

describe("broken links", () => {
  it("shows a subagent without a known call in the turn it began in", () => {
    const model = buildModel(detail(
      session("s", [
        turn(1, 0, 10, [call("a", 0)]),
        turn(2, 20, 40, [call("b", 20), call("c", 35)]),
      ]),
      [agent("x", { session: "s" }, [call("x1", 25)])],
    ));
    expect(ids(model)).toEqual(["a", "b", "x1", "c"]);
    expect(model.agents[0]!.starter).toBe(undefined);
    expect(model.agents[0]!.turn).toBe(1);
  });

  it("follows the call's own word where the subagent names no parent", () => {
    const orphan = agent("x", undefined, [call("x1", 1)]);
    const model = buildModel(detail(
      session("s", [turn(1, 0, 9, [call("a", 0, { subagent: "x" })])]),
      [orphan],
    ));
    expect(model.agents[0]!.starter?.call.id).toBe("a");
  });

  it("shows subagents whose parents form a ring", () => {
    const model = buildModel(detail(
      session("s", [turn(1, 0, 9, [call("a", 0)])]),
      [
        agent("x", { session: "y", call: "y1" }, [call("x1", 1)]),
        agent("y", { session: "x", call: "x1" }, [call("y1", 2)]),
      ],
    ));
    expect(new Set(ids(model))).toEqual(new Set(["a", "x1", "y1"]));
  });

  it("makes a turn to hang subagents in where the session has none", () => {
    const model = buildModel(
      detail(session("s", []), [agent("x", { session: "s" }, [call("x1", 1)])]),
    );
    expect(model.turns.length).toBe(1);
    expect(ids(model)).toEqual(["x1"]);
  });

  it("is not bound by the stack: 20,000 subagents, each inside the last", () => {
    const chain = Array.from(
      { length: 20_000 },
      (_, i) =>
        agent(`x${i}`, {
          session: i ? `x${i - 1}` : "s",
          call: i ? `c${i - 1}` : "a",
        }, [
          call(`c${i}`, i),
        ]),
    );
    const model = buildModel(
      detail(session("s", [turn(1, 0, 9, [call("a", 0)])]), chain),
    );
    expect(model.total.calls).toBe(20_001);
    expect(model.turns[0]!.under.calls).toBe(20_001);
  });
});

describe("tallies", () => {
  it("separate a turn's own calls from those inside its subagents", () => {
    const model = buildModel(detail(
      session("s", [
        turn(1, 0, 50, [
          call("a", 0, { state: "failed", label: "bypass", mutating: true }),
          call("b", 1),
        ]),
      ]),
      [
        agent("x", { session: "s", call: "b" }, [
          call("x1", 2, { state: "failed" }),
          call("x2", 3, { state: "rejected", label: "bypass" }),
          call("x3", 4, { label: "swamp", mutating: true }),
        ]),
      ],
    ));
    expect(model.turns[0]!.own).toEqual({
      calls: 2,
      swamp: 0,
      bypass: 1,
      mutating: 1,
      neutral: 1,
      failed: 1,
      rejected: 0,
    });
    expect(model.turns[0]!.under).toEqual({
      calls: 5,
      swamp: 1,
      bypass: 2,
      mutating: 1,
      neutral: 2,
      failed: 2,
      rejected: 1,
    });
    expect(model.total).toEqual(model.turns[0]!.under);
  });

  it("leave a call without an end without a length", () => {
    const model = buildModel(
      detail(session("s", [turn(1, 0, 9, [endless("a", 0), call("b", 1)])])),
    );
    expect(model.calls.map(lengthOf)).toEqual([undefined, 1000]);
  });
});

describe("any record", () => {
  const forest = fc.array(
    fc.record({
      parent: fc.integer({ min: -1, max: 12 }),
      call: fc.integer({ min: 0, max: 3 }),
      calls: fc.integer({ min: 0, max: 3 }),
      named: fc.boolean(),
    }),
    { maxLength: 12 },
  );

  it("every call is there exactly once, numbered without a hole", () => {
    fc.assert(fc.property(forest, (agents) => {
      const name = (i: number) => (i < 0 || i >= agents.length ? "s" : `x${i}`);
      const subagents: SessionDetail[] = agents.map((a, i) =>
        agent(
          name(i),
          {
            session: a.parent > 10 ? "gone" : name(a.parent),
            ...(a.named ? { call: `${name(a.parent)}-${a.call}` } : {}),
          },
          Array.from({ length: a.calls }, (_, k) =>
            call(`${name(i)}-${k}`, i + k)),
        )
      );
      const model = buildModel(
        detail(
          session("s", [
            turn(1, 0, 5, [call("s-0", 0), call("s-1", 1)]),
            turn(2, 6, 9, [call("s-2", 6)]),
          ]),
          subagents,
        ),
      );
      const all = agents.reduce((n, a) => n + a.calls, 3);
      expect(model.calls.length).toBe(all);
      expect(new Set(ids(model)).size).toBe(all);
      expect(model.calls.map((n) => n.number)).toEqual(
        Array.from({ length: all }, (_, i) => i + 1),
      );
      expect(model.agents.length).toBe(agents.length);
      expect(model.total.calls).toBe(all);
      expect(model.turns.reduce((n, t) => n + t.under.calls, 0)).toBe(all);
    }));
  });
});
