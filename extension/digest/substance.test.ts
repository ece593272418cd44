import { describe, expect, it } from "vitest";
import { sessionOf } from "../../test/build.ts";
import { digestSession, substanceOf, tierOf } from "./mod.ts";

describe("tiers", () => {
  it.each([
    [-2, "trivial"],
    [2, "trivial"],
    [3, "light"],
    [24, "light"],
    [25, "moderate"],
    [99, "moderate"],
    [100, "substantive"],
    [400, "substantive"],
    [401, "heavy"],
  ])("a score of %s is %s", (score, tier) => {
    expect(tierOf(score as number)).toBe(tier);
  });
});

describe("substance", () => {
  it("is calls + 3 x written + read + 5 for tests - 2 for an unclean end", () => {
    const signals = {
      messageCount: 9,
      toolCallCount: 10,
      filesWritten: 2,
      filesRead: 4,
      errorCount: 3,
      ranTests: true,
      endedCleanly: false,
      idle: false,
    };
    expect(substanceOf(signals).score).toBe(10 + 6 + 4 + 5 - 2);
  });

  it("of a two-message hello is trivial", () => {
    const { substance } = digestSession(sessionOf([]), []);
    expect([substance.score, substance.tier]).toEqual([0, "trivial"]);
  });

  it("counts each file once, and none that was only tried", () => {
    const root = sessionOf([
      { id: "1", tool: "Edit", writes: ["a.ts"] },
      { id: "2", tool: "Edit", writes: ["a.ts"] },
      { id: "3", tool: "Write", writes: ["no.ts"], state: "rejected" },
      { id: "4", tool: "Read", reads: ["a.ts"] },
      { id: "5", tool: "Read", reads: ["b.ts"] },
    ]);
    const child = sessionOf(
      [{ id: "6", tool: "Write", writes: ["c.ts"] }],
      undefined,
      "child",
    );
    const { files, substance } = digestSession(root, [child]);
    expect(files).toEqual({ written: ["a.ts", "c.ts"], read: ["b.ts"] });
    expect(substance.signals).toMatchObject({
      toolCallCount: 6,
      filesWritten: 2,
      filesRead: 1,
    });
  });

  it("calls a long session with few calls idle", () => {
    const root = sessionOf([{ id: "1" }]);
    root.endedAt = root.startedAt + 121 * 60_000;
    expect(digestSession(root, []).substance.signals.idle).toBe(true);
    root.endedAt = root.startedAt + 119 * 60_000;
    expect(digestSession(root, []).substance.signals.idle).toBe(false);
  });
});
