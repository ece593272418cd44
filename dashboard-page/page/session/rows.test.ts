import { describe, expect, it } from "vitest";
import {
  agent,
  call,
  detail,
  second,
  session,
  turn,
} from "./detail.test-support.ts";
import type { Wanted } from "./filter.ts";
import { buildModel, type SessionModel } from "./model.ts";
import { buildRows, type Folds } from "./rows.ts";

const ALL: Wanted = { filter: "all", range: undefined };
const folds = (more: Partial<Folds> = {}): Folds => ({
  turns: new Map(),
  closedAgents: new Set(),
  details: new Set(),
  ...more,
});

/** A word a row: its kind, and whose it is. */
const words = (model: SessionModel, f = folds(), wanted = ALL) =>
  buildRows(model, f, wanted).map((r) => {
    switch (r.kind) {
      case "turn":
        return `turn ${r.turn.turn.number}${r.open ? "" : " closed"}`;
      case "call":
        return `${r.node.call.id}${
          r.node.agents.length && !r.open ? " closed" : ""
        }`;
      case "agent":
        return `agent ${r.agent.session.id}${r.open ? "" : " closed"}`;
      case "detail":
        return `detail ${r.node.call.id}`;
      case "gap":
        return `idle ${r.ms / 60_000}`;
      case "mark":
        return r.mark;
    }
  });

const many = (from: number, count: number, name: string) =>
  Array.from({ length: count }, (_, i) => call(`${name}${i}`, from + i));

const big = buildModel(detail(
  session("s", [
    turn(1, 0, 60, many(0, 12, "a")),
    turn(2, 100, 160, [
      call("b", 100),
      call("f", 101, { state: "failed", exitCode: 1 }),
    ]),
    turn(3, 2260, 2300, [
      call("m", 2260, { label: "bypass", mutating: true }),
      call("t", 2265),
    ]),
  ], { marks: [{ at: second(170), kind: "compaction" }] }),
  [
    agent("x", { session: "s", call: "t" }, [
      call("x1", 2266, { label: "bypass" }),
      call("x2", 2267),
    ], { marks: [{ at: second(2266.5), kind: "compaction" }] }),
  ],
));

describe("what is open at first", () => {
  it("turns in which something failed or was changed, and no others", () => {
    expect(words(big)).toEqual([
      "turn 1 closed",
      "turn 2",
      "b",
      "f",
      "compaction",
      "idle 35",
      "turn 3",
      "m",
      "t",
      "x1",
      "compaction",
      "x2",
    ]);
  });

  it("all of a small session: closed receipts would hide all there is", () => {
    const small = buildModel(detail(session("s", [
      turn(1, 0, 5, [call("a", 0)]),
      turn(2, 6, 9, [call("b", 6)]),
    ])));
    expect(words(small)).toEqual(["turn 1", "a", "turn 2", "b"]);
  });
});

describe("folds", () => {
  it("close and open turns, subagents and details by hand", () => {
    const f = folds({
      turns: new Map([[1, false]]),
      closedAgents: new Set(["x"]),
      details: new Set(["m"]),
    });
    expect(words(big, f)).toEqual([
      "turn 1 closed",
      "turn 2 closed",
      "compaction",
      "idle 35",
      "turn 3",
      "m",
      "detail m",
      "t closed",
    ]);
  });

  it("give each of two subagents of a call its own row", () => {
    const model = buildModel(detail(
      session("s", [turn(1, 0, 9, [call("a", 0)])]),
      [
        agent("x", { session: "s", call: "a" }, [call("x1", 1)]),
        agent("y", { session: "s", call: "a" }, [call("y1", 2)]),
      ],
    ));
    expect(words(model, folds({ closedAgents: new Set(["y"]) }))).toEqual([
      "turn 1",
      "a closed",
      "agent x",
      "x1",
      "agent y closed",
    ]);
  });
});

describe("a filter", () => {
  it("keeps the turns and the agent calls that lead to what it finds", () => {
    expect(words(big, folds(), { filter: "bypass", range: undefined })).toEqual(
      [
        "turn 3",
        "m",
        "t",
        "x1",
      ],
    );
  });

  it("by time keeps what overlaps", () => {
    const range = [
      Date.parse(second(101.5)),
      Date.parse(second(2260.5)),
    ] as const;
    expect(words(big, folds(), { filter: "all", range })).toEqual([
      "turn 2",
      "f",
      "turn 3",
      "m",
    ]);
  });

  it("leaves turns closed that were closed by hand", () => {
    expect(
      words(big, folds({ turns: new Map([[2, false]]) }), {
        filter: "bypass",
        range: undefined,
      }),
    ).toEqual(["turn 3 closed"]);
  });
});

it("keys are unique and stay the same when something else opens", () => {
  const before = buildRows(big, folds(), ALL).map((r) => r.key);
  expect(new Set(before).size).toBe(before.length);
  const after = buildRows(big, folds({ turns: new Map([[0, true]]) }), ALL)
    .map((r) => r.key);
  expect(before.every((key) => after.includes(key))).toBe(true);
});
