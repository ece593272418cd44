import { describe, expect, it } from "vitest";
import { badgesOf } from "./badges.ts";
import {
  agent,
  call,
  detail,
  endless,
  NO_TOKENS,
  second,
  session,
  summary,
  turn,
} from "./detail.test-support.ts";
import { code, fileName, toJson, toMarkdown, words } from "./export.ts";
import { headFigures } from "./figures.ts";
import { buildModel } from "./model.ts";
import { fileLines, testLines, toolLines } from "./panes.ts";
import { contextWindow, tokensByAgent, tokensByTurn } from "./tokens.ts";
import { reason } from "./why.ts";

const model = buildModel(detail(
  session("s", [
    turn(1, 0, 60, [
      call("a", 0, { text: "cat `x` | *y*", redactions: 2 }),
      call("b", 1, { tool: "Edit", text: "src/a.ts", truncated: true }),
      call("c", 2, {
        label: "bypass",
        mutating: true,
        category: "k8s",
        rule: "k8s.kubectl",
        state: "failed",
        exitCode: 1,
        wraps: "@acme/eks",
      }),
      endless("d", 3, { low: true }),
    ], { tokens: { ...NO_TOKENS, output: 900 }, context: 150_000 }),
    turn(2, 100, 130, [], { context: 20_000 }),
  ], {
    marks: [
      { at: second(90), kind: "compaction" },
      { at: second(95), kind: "recap" },
    ],
  }),
  [
    agent("x", { session: "s" }, [
      call("x1", 5, { tool: "Read", text: "src/a.ts" }),
    ], {
      tokens: { ...NO_TOKENS, output: 5 },
    }),
  ],
  {
    findings: [{
      id: "f1",
      rule: "mutating-around-model",
      severity: "high",
      text: "Changed <b>production</b> by hand.",
      calls: ["c", "gone"],
    }],
    files: { written: ["src/a.ts"], read: ["README.md"] },
    tests: [{ call: "a", passed: null }, { call: "gone", passed: true }],
    tools: [{ name: "Bash", count: 3 }, { name: "Edit", count: 1 }],
  },
));

describe("badges", () => {
  const ids = (badges: ReturnType<typeof badgesOf>) => badges.map((b) => b.id);

  it("say what the summary knows at once", () => {
    expect(ids(badgesOf(
      summary({
        flags: [
          "live",
          "damaged",
          "drift",
          "interrupted",
          "compacted",
          "sourceGone",
          "truncated",
        ],
        tokens: { ...NO_TOKENS, outputIsLowerBound: true },
        source: { ...summary().source, badLines: 2, unknownRecords: 14 },
      }),
      undefined,
    ))).toEqual([
      "live",
      "damaged",
      "unknown",
      "tokens",
      "cut",
      "interrupted",
      "compacted",
      "gone",
    ]);
  });

  it("count what only the detail knows", () => {
    const badges = badgesOf(summary(), model);
    expect(badges.map((b) => [b.id, b.count])).toEqual([
      ["redacted", 2],
      ["cut", 1],
      ["low", 1],
      ["pending", 1],
      ["unlinked", 1],
      ["compacted", undefined],
    ]);
    expect(badges.every((b) => b.tip.length > 20)).toBe(true);
  });

  it("are none for a record that tells all", () => {
    const clean = buildModel(
      detail(session("s", [turn(1, 0, 9, [call("a", 0)])])),
    );
    expect(badgesOf(summary(), clean)).toEqual([]);
  });
});

describe("the harness's own agents", () => {
  const own = agent("w", undefined, [call("w1", 9)], { auxiliary: true });
  const shown = buildModel(
    detail(session("s", [turn(1, 0, 9, [call("a", 0)])]), [own]),
  );

  it("are shown, but neither counted as subagents nor missed at a call", () => {
    expect(shown.agents.map((a) => a.session.id)).toEqual(["w"]);
    expect(headFigures(undefined, shown)?.agents).toEqual({
      count: 0,
      calls: 0,
    });
    expect(headFigures(undefined, shown)?.tally.calls).toBe(2);
    expect(badgesOf(summary(), shown)).toEqual([]);
  });
});

describe("figures", () => {
  it("come from the summary, and without one from the detail", () => {
    expect(headFigures(undefined, undefined)).toBe(undefined);
    expect(headFigures(summary({ calls: 7 }), model)?.tally.calls).toBe(7);
    const own = headFigures(undefined, model)!;
    expect([own.tally.calls, own.turns, own.agents, own.activeMs]).toEqual([
      5,
      2,
      { count: 1, calls: 1 },
      90_000,
    ]);
  });
});

describe("why", () => {
  it("names verdict, rule, severity and what wraps it", () => {
    const why = reason(model.byId.get("c")!.call);
    expect(why.verdict).toBe("Went around swamp, and changed something");
    expect(why.wraps).toBe("@acme/eks");
    expect(why.facts.map((f) => f.name)).toEqual([
      "Label",
      "Category",
      "Rule",
      "Severity",
      "Confidence",
    ]);
  });

  it("does not claim that a bypass only read where that is not known", () => {
    const { mutating: _, ...unknown } = call("q", 0, { label: "bypass" });
    expect(reason(unknown).verdict).toBe("Went around swamp");
    expect(reason(call("q", 0, { label: "bypass", mutating: false })).verdict)
      .toBe("Went around swamp, read only");
    expect(
      reason(call("q", 0, { label: "bypass", rule: "secret.read" })).facts[3]!
        .value,
    )
      .toContain("medium");
  });
});

describe("parts", () => {
  it("lead from each file of a patch to the patch", () => {
    const patched = buildModel(detail(
      session("s", [turn(1, 0, 9, [
        call("p", 1, {
          tool: "apply_patch",
          text: "Update src/a.ts\nMove b.ts to lib/b.ts\nAdd to do.md",
        }),
      ])]),
      [],
      {
        files: { written: ["src/a.ts", "lib/b.ts", "to do.md", "c"], read: [] },
      },
    ));
    expect(fileLines(patched).written.map((f) => f.calls.length)).toEqual([
      1,
      1,
      1,
      0,
    ]);
  });

  it("lead from files, tests and tools to their calls", () => {
    expect(fileLines(model).written[0]!.calls.map((n) => n.call.id)).toEqual([
      "b",
      "x1",
    ]);
    expect(fileLines(model).read[0]!.calls).toEqual([]);
    expect(testLines(model).map((t) => [t.passed, t.node?.call.id])).toEqual([
      [null, "a"],
      [true, undefined],
    ]);
    expect(toolLines(model)[0]).toEqual({
      name: "Bash",
      count: 3,
      failed: 1,
      median: 1000,
      total: 2000,
    });
  });

  it("show how the context grew, and where it was compacted", () => {
    const rows = tokensByTurn(model);
    expect(rows.map((r) => [r.context, r.compacted])).toEqual([
      [150_000, true],
      [20_000, undefined],
    ]);
    expect(contextWindow(rows)).toBe(200_000);
    expect(contextWindow([{ name: "1", tokens: NO_TOKENS, context: 250_000 }]))
      .toBe(400_000);
    expect(tokensByAgent(model)[0]!.tokens.output).toBe(5);
  });
});

describe("export", () => {
  it("as JSON is the stored item", () => {
    expect(JSON.parse(toJson(model))).toEqual(model.detail);
  });

  it("as Markdown has every call, finding and file, and points findings at calls", () => {
    const text = toMarkdown(model, summary());
    for (let n = 1; n <= 5; n++) expect(text).toContain(`- #${n} · `);
    expect(text).toContain("mutating-around-model");
    expect(text).toContain(": #3)");
    expect(text).toContain("subagent helper: 1 call");
    expect(text).toContain("- `src/a.ts`");
  });

  it("lets no text become markup", () => {
    const text = toMarkdown(
      model,
      summary({ repo: { name: "<img src=x>" }, branch: "# [a](b)" }),
    );
    expect(text).not.toMatch(/(?<!\\)(?:<img|<b>|\[a)/);
    expect(code("a ``` b")).toBe("````a ``` b````");
    expect(code("`x`")).toBe("`` `x` ``");
    expect(words("*a* | _b_")).toBe("\\*a\\* \\| \\_b\\_");
  });

  it("has a file name that is one", () => {
    expect(fileName("../a b", "md")).toBe("agent-session-.._a_b.md");
  });
});
