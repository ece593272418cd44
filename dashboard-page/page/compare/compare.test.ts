import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agent,
  call,
  detail,
  session,
  summary,
  turn,
} from "../session/detail.test-support.ts";
import { buildModel, type CallNode } from "../session/model.ts";
import { align, ALIGN_LIMIT, blocks, signature, strands } from "./align.ts";
import { change, figures, filePairs, isBetter, toolPairs } from "./figures.ts";

const nodes = (texts: readonly string[]): CallNode[] =>
  buildModel(detail(session("s", [
    turn(
      1,
      0,
      9,
      texts.map((text, i) =>
        call(`c${i}`, i, {
          text,
          ...(text.startsWith("aws")
            ? { label: "bypass" as const, category: "cloud" }
            : text.startsWith("swamp")
            ? { label: "swamp" as const, category: "swamp" }
            : {}),
        })
      ),
    ),
  ]))).calls;

const side = (a: string, b: string) =>
  align(nodes([...a]), nodes([...b])).rows.map((r) =>
    r.kind === "same"
      ? r.a.call.text
      : `${r.a?.call.text ?? "-"}/${r.b?.call.text ?? "-"}`
  ).join(" ");

describe("alignment", () => {
  it.each([
    ["abc", "abc", "a b c"],
    ["abc", "axc", "a b/x c"],
    ["abcd", "ad", "a b/- c/- d"],
    ["ad", "abcd", "a -/b -/c d"],
    ["ab", "xy", "a/x b/y"],
    ["", "x", "-/x"],
    ["abcab", "cab", "a/- b/- c a b"],
  ])("of %s and %s", (a, b, rows) => {
    expect(side(a, b)).toBe(rows);
  });

  it("takes calls as alike by tool and text, white space aside", () => {
    const [a, b, c] = buildModel(detail(session("s", [turn(1, 0, 9, [
      call("1", 0, { text: "ls  -l\n" }),
      call("2", 1, { text: "ls -l" }),
      call("3", 2, { text: "ls -l", tool: "Read" }),
    ])]))).calls;
    expect(signature(a!)).toBe(signature(b!));
    expect(signature(a!)).not.toBe(signature(c!));
  });

  it("loses no call and keeps both orders", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(fc.property(text, text, (a, b) => {
      const { rows, alike } = align(nodes(a), nodes(b));
      expect(rows.flatMap((r) => r.a?.call.text ?? [])).toEqual(a);
      expect(rows.flatMap((r) => r.b?.call.text ?? [])).toEqual(b);
      expect(rows.filter((r) => r.kind === "same").length).toBe(alike);
    }));
  });

  it("says how much lies beyond its limit", () => {
    const long = nodes(
      Array.from({ length: ALIGN_LIMIT + 5 }, (_, i) => `x${i}`),
    );
    expect(align(long, nodes(["x0"])).uncompared).toBe(5);
  });
});

describe("subagents", () => {
  const model = (
    starts: readonly string[],
    agents: readonly [id: string, from: string, type: string, calls: string][],
  ) =>
    buildModel(detail(
      session("s", [
        turn(1, 0, 9, starts.map((id, i) => call(id, i, { text: id }))),
      ]),
      agents.map(([id, from, agentType, calls]) =>
        agent(
          id,
          from.includes("/")
            ? { session: from.split("/")[0]!, call: from.split("/")[1]! }
            : { session: "s", call: from },
          [...calls].map((text, i) => call(`${id}-${text}`, i, { text })),
          { agentType },
        )
      ),
    ));
  const told = (a: ReturnType<typeof model>, b: ReturnType<typeof model>) =>
    strands(a, b).slice(1).map((s) =>
      `${s.a?.session.id ?? "-"}/${s.b?.session.id ?? "-"} ${s.alignment.alike}`
    );

  it("stand beside those that like calls started, else beside the next of their type", () => {
    const a = model(["one", "two", "three"], [
      ["a1", "one", "Explore", "xy"],
      ["a2", "two", "Explore", "xz"],
      ["a3", "three", "Review", "r"],
    ]);
    const b = model(["two", "other"], [
      ["b1", "two", "Explore", "xz"],
      ["b2", "other", "Explore", "xyq"],
    ]);
    expect(told(a, b)).toEqual(["a1/b2 2", "a2/b1 2", "a3/- 0"]);
  });

  it("of a subagent are compared beneath it, those of one side alone too", () => {
    const a = model(["go"], [
      ["a1", "go", "Explore", "xy"],
      ["a2", "a1/a1-x", "Reader", "pq"],
    ]);
    const b = model(["go"], [
      ["b1", "go", "Explore", "x"],
      ["b2", "b1/b1-x", "Reader", "pq"],
      ["b3", "b2/b2-q", "Writer", "w"],
    ]);
    expect(told(a, b)).toEqual(["a1/b1 1", "a2/b2 2", "-/b3 0"]);
  });

  it("lose no call of either side", () => {
    const shape = fc.array(
      fc.tuple(fc.constantFrom("E", "R"), fc.constantFrom("", "x", "xy")),
      { maxLength: 5 },
    );
    fc.assert(fc.property(shape, shape, (a, b) => {
      const of = (agents: typeof a) =>
        model(
          ["go"],
          agents.map(([type, calls], i) => [`${i}`, "go", type, calls]),
        );
      const [left, right] = [of(a), of(b)];
      const rows = strands(left, right).flatMap((s) => s.alignment.rows);
      const numbers = (nodes: readonly (CallNode | undefined)[]) =>
        nodes.flatMap((n) => n?.number ?? []).sort((x, y) => x - y);
      expect(numbers(rows.map((r) => r.a))).toEqual(
        left.calls.map((n) => n.number),
      );
      expect(numbers(rows.map((r) => r.b))).toEqual(
        right.calls.map((n) => n.number),
      );
    }));
  });
});

describe("where they part", () => {
  it("has a sentence at each parting that says who goes where", () => {
    const list = blocks(align(
      nodes(["plan", "aws eks describe", "end"]),
      nodes(["plan", "swamp data query", "end"]),
    ));
    expect(list.map((b) => b.kind)).toEqual(["alike", "part", "alike"]);
    expect(list[1]).toMatchObject({
      after: 1,
      words: "A goes around swamp by cloud, B stays with swamp",
    });
  });

  it("names a side that makes no call, and one that does both", () => {
    const words = (a: string[], b: string[]) =>
      blocks(align(nodes(a), nodes(b))).flatMap((x) =>
        x.kind === "part" ? x.words : []
      );
    expect(words(["x"], [])).toEqual([
      "A does neither: shell, B makes no call",
    ]);
    expect(words(["aws x", "swamp y"], ["z"])[0]).toContain(
      "A uses swamp, and goes around it by cloud",
    );
  });
});

describe("figures", () => {
  const a = summary({
    labels: { swamp: 20, bypass: 23, neutral: 1, mutating: 5 },
    calls: 139,
  });
  const b = summary({
    labels: { swamp: 31, bypass: 6, neutral: 1, mutating: 1 },
    calls: 88,
  });

  it("change is bold only in the better direction", () => {
    const better = figures(a, b).filter(isBetter).map((f) => f.name);
    expect(better).toEqual(["Swamp", "Bypass", "Mutating"]);
    expect(figures(b, a).some(isBetter)).toBe(false);
  });

  it.each([
    [100, 65, "−35 %"],
    [20, 31, "+55 %"],
    [2, 0, "−100 %"],
    [0, 3, "new"],
    [0, 0, "0 %"],
    [1000, 1001, "+0 %"],
  ])("from %d to %d is %s", (x, y, text) => {
    expect(change(x, y)).toBe(text);
  });

  it("tools of both, most used first; files in both and in one", () => {
    const model = (tools: [string, number][]) =>
      buildModel(detail(session("s", []), [], {
        tools: tools.map(([name, count]) => ({ name, count })),
      }));
    expect(
      toolPairs(
        model([["Read", 2], ["Bash", 9]]),
        model([["Bash", 1], ["Web", 4]]),
      ),
    ).toEqual([
      { name: "Bash", a: 9, b: 1 },
      { name: "Web", a: 0, b: 4 },
      { name: "Read", a: 2, b: 0 },
    ]);
    expect(filePairs(["x", "y"], ["y", "z"])).toEqual({
      both: ["y"],
      onlyA: ["x"],
      onlyB: ["z"],
    });
  });
});
