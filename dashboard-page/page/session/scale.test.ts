import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agent,
  call,
  detail,
  second,
  session,
  turn,
  ZERO,
} from "./detail.test-support.ts";
import { filterCounts } from "./filter.ts";
import { idleGaps, pressedTimes } from "./gaps.ts";
import { callAt, chosenPaths, lanePaths, lanesOf } from "./lanes.ts";
import { buildModel } from "./model.ts";
import { numberBefore, seek, SOUGHT } from "./navigate.ts";
import { LOG_GRID, logWidth, slowFrom, timeAxis, wallBar } from "./scale.ts";

describe("log bars", () => {
  it("run from 30 ms to 30 min and never leave their track", () => {
    expect([0, 30, 1_800_000, 1e12].map(logWidth)).toEqual([0, 0, 100, 100]);
    expect(LOG_GRID.map((l) => Math.round(l.at))).toEqual([32, 53, 69, 90]);
  });

  it("are longer for longer calls", () => {
    fc.assert(fc.property(fc.nat(1e7), fc.nat(1e7), (a, b) => {
      if (a < b) expect(logWidth(a)).toBeLessThanOrEqual(logWidth(b));
    }));
  });
});

describe("the slowest tenth", () => {
  const lengths = (list: number[]) =>
    buildModel(detail(session("s", [
      turn(
        1,
        0,
        99,
        list.map((s, i) => call(`c${i}`, i, { endedAt: second(i + s) })),
      ),
    ])));

  it("begins at the length that nine tenths stay below", () => {
    expect(slowFrom(lengths([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toBe(10_000);
  });

  it("is empty where all calls take as long, or there are too few to say", () => {
    expect(slowFrom(lengths(Array(20).fill(3)))).toBe(Infinity);
    expect(slowFrom(lengths([1, 90]))).toBe(Infinity);
  });
});

describe("the clock of a turn", () => {
  const [t] = buildModel(detail(session("s", [turn(1, 0, 100, [])]))).turns;

  it("places a call where it ran", () => {
    expect(wallBar(t!, ZERO + 25_000, ZERO + 75_000)).toEqual({
      left: 25,
      width: 50,
      over: false,
    });
  });

  it("cuts what runs past the end, and says so", () => {
    expect(wallBar(t!, ZERO + 50_000, ZERO + 900_000)).toEqual({
      left: 50,
      width: 50,
      over: true,
    });
  });

  it("keeps a call without an end at its start", () => {
    expect(wallBar(t!, ZERO + 10_000, undefined).width).toBe(0);
  });
});

const gappy = buildModel(detail(
  session("s", [
    turn(1, 0, 100, [call("a", 0), call("b", 50, { label: "bypass" })]),
    turn(2, 2260, 2300, [call("c", 2260, { state: "failed" })]),
    turn(3, 2500, 2600, [
      call("d", 2500, { label: "bypass", state: "background" }),
    ]),
  ]),
  [agent("x", { session: "s", call: "a" }, [call("x1", 1)])],
));

describe("idle gaps", () => {
  it("are times between turns of five minutes and more", () => {
    expect(idleGaps(gappy)).toEqual([{
      from: ZERO + 100_000,
      to: ZERO + 2_260_000,
      ms: 2_160_000,
      before: 1,
    }]);
  });

  it("are none while a background subagent works on", () => {
    const model = buildModel(detail(
      session("s", [
        turn(1, 0, 10, [call("a", 0)]),
        turn(2, 2000, 2010, [call("b", 2000)]),
      ]),
      [agent("x", { session: "s", call: "a" }, [
        call("x1", 1),
        call("x2", 1900),
      ])],
    ));
    expect(idleGaps(model)).toEqual([]);
  });
});

describe("the session's axis", () => {
  const axis = timeAxis(gappy.start, gappy.end, idleGaps(gappy));

  it("presses a gap of 36 minutes into a twentieth of the width", () => {
    const gap = axis.segments.find((s) => s.pressed !== undefined)!;
    expect(gap.x1 - gap.x0).toBeCloseTo(0.052);
    expect(axis.x(gappy.start)).toBe(0);
    expect(axis.x(gappy.end)).toBe(1);
  });

  it("leaves three fifths for the work however many gaps there are", () => {
    const turns = Array.from(
      { length: 60 },
      (_, i) => turn(i + 1, i * 1000, i * 1000 + 10, []),
    );
    const model = buildModel(detail(session("s", turns)));
    const gaps = idleGaps(model);
    expect(gaps.length).toBe(59);
    const idle = timeAxis(model.start, model.end, gaps).segments
      .reduce((sum, s) => sum + (s.pressed === undefined ? 0 : s.x1 - s.x0), 0);
    expect(idle).toBeCloseTo(0.4);
  });

  it("presses a call that outlasts all else, so that the rest has room", () => {
    const night = (hours: number) =>
      pressedTimes(buildModel(detail(session("s", [
        turn(1, 0, 600, [call("a", 0), call("b", 300)]),
        turn(2, 601, 1200 + hours * 3600, [
          call("waits", 700, { endedAt: second(700 + hours * 3600) }),
          call("last", 900 + hours * 3600),
        ]),
      ]))));
    expect(night(9)).toEqual([{
      from: ZERO + 700_000,
      to: ZERO + (700 + 9 * 3600) * 1000,
      ms: 9 * 3_600_000,
      still: true,
    }]);
    expect(night(0.4)).toEqual([]);
  });

  it("goes from time to place and back, in order", () => {
    fc.assert(fc.property(
      fc.integer({ min: gappy.start, max: gappy.end }),
      fc.integer({ min: gappy.start, max: gappy.end }),
      (a, b) => {
        if (a <= b) expect(axis.x(a)).toBeLessThanOrEqual(axis.x(b));
        expect(Math.abs(axis.time(axis.x(a)) - a)).toBeLessThanOrEqual(1);
      },
    ));
  });
});

describe("lanes", () => {
  const axis = timeAxis(gappy.start, gappy.end, idleGaps(gappy));

  it("are one for the main agent and one for each subagent, indented", () => {
    expect(lanesOf(gappy).map((l) => [l.name, l.depth, l.calls])).toEqual([
      ["main", 0, 4],
      ["helper", 1, 1],
    ]);
  });

  it("paint each call once, in its label's path, failures below", () => {
    const [main, helper] = lanePaths(gappy, axis, 1000);
    expect(main!.paints.bypass.match(/M/g)?.length).toBe(2);
    expect(main!.paints.neutral.match(/M/g)?.length).toBe(1); // c; a is its subagent's lane
    expect(main!.bad.match(/M/g)?.length).toBe(1);
    expect(helper!.paints.neutral.match(/M/g)?.length).toBe(1);
    expect(main!.paints.bypass).toContain("v2h"); // the background call is a thin line
  });

  it("find the call under the pointer, the one that matters first", () => {
    const x = axis.x(ZERO + 50_000) * 1000;
    expect(callAt(gappy, axis, 1000, 0, x)?.call.id).toBe("b");
    expect(callAt(gappy, axis, 1000, 0, 999)?.call.id).toBe(undefined);
    expect(chosenPaths(gappy, axis, 1000, new Set(["b", "gone"])).length).toBe(
      1,
    );
  });
});

describe("keys", () => {
  it("e and b walk to the next failure and bypass, into subagents, both ways", () => {
    const to = (from: number, step: 1 | -1, what: "failure" | "bypass") =>
      seek(gappy, from, step, SOUGHT[what])?.call.id;
    // a x1 b c d
    expect(to(0, 1, "bypass")).toBe("b");
    expect(to(3, 1, "bypass")).toBe("d");
    expect(to(5, 1, "bypass")).toBe(undefined);
    expect(to(5, -1, "bypass")).toBe("b");
    expect(to(0, -1, "bypass")).toBe("d"); // from nowhere, back from the end
    expect(to(0, 1, "failure")).toBe("c");
    expect(numberBefore(gappy, 1)).toBe(3);
  });
});

it("filters count what they would show within the time range", () => {
  expect(filterCounts(gappy, undefined)).toEqual({
    all: 5,
    failed: 1,
    bypass: 2,
    mutating: 0,
    swamp: 0,
  });
  expect(filterCounts(gappy, [ZERO, ZERO + 60_000]).bypass).toBe(1);
});
