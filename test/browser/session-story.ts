/**
 * Sessions whose every part a test knows.
 */
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
} from "../../dashboard-page/page/session/detail.test-support.ts";
import { buildModel } from "../../dashboard-page/page/session/model.ts";
import { detailName, summaryName } from "../../schema/constants.ts";
import type { Call, Detail } from "../../schema/detail.ts";
import type { Summary } from "../../schema/summary.ts";
import { detailTags, summaryToTags } from "../../schema/tags.ts";
import { DEMO_MODEL } from "./demo-data.ts";
import type { StoredItem } from "./demo-server.ts";

const bypass = (
  id: string,
  at: number,
  text: string,
  more: Partial<Call> = {},
) =>
  call(id, at, {
    text,
    label: "bypass",
    category: "k8s",
    rule: "k8s.kubectl",
    mutating: false,
    why: [0, Math.min(text.length, 12)],
    ...more,
  });

/**
 * Twelve calls and more: a quiet turn, one with a failed bypass, one with a
 * subagent in a subagent after 35 idle minutes.
 */
export const STORY: Detail = detail(
  session("story", [
    turn(
      1,
      0,
      60,
      Array.from({ length: 14 }, (_, i) =>
        call(`quiet-${i}`, i * 3, {
          tool: "Read",
          text: `src/file-${i}.ts`,
          category: "read",
          rule: "tool.read",
        })),
      { tokens: { ...NO_TOKENS, output: 1200 }, context: 32_000 },
    ),
    turn(2, 100, 160, [
      bypass("looks", 100, "kubectl get pods -n shop"),
      bypass("breaks", 105, "kubectl scale deploy/shop --replicas=9", {
        state: "failed",
        exitCode: 1,
        mutating: true,
        wraps: "@acme/eks-cluster",
      }),
      call("secret", 110, {
        text:
          `curl -H "Authorization: [REDACTED:http.auth]" https://api.example.com`,
        redactions: 1,
        truncated: true,
      }),
      endless("lost", 120, { low: true }),
    ], { context: 60_000 }),
    turn(3, 2260, 2400, [
      call("asks", 2260, {
        tool: "Task",
        text: "Explore",
        category: "agent",
        rule: "tool.agent",
        endedAt: second(2390),
      }),
      call("says", 2395, {
        text: "swamp data query 'true'",
        label: "swamp",
        category: "swamp",
        rule: "swamp.cli",
        why: [0, 5],
      }),
    ]),
    turn(4, 2500, 2520, [
      call("last", 2500, { tool: "Edit", text: "src/file-1.ts" }),
    ]),
  ], {
    models: ["claude-opus-4-7"],
    marks: [{ at: second(170), kind: "compaction" }],
  }),
  [
    agent("outer", { session: "story", call: "asks" }, [
      bypass("o1", 2262, "kubectl logs deploy/shop"),
      call("o2", 2270, {
        tool: "Task",
        text: "log-reader",
        endedAt: second(2300),
      }),
      call("o3", 2310),
    ], { agentType: "Explore" }),
    agent("inner", { session: "outer", call: "o2" }, [
      call("i1", 2272, { state: "failed", exitCode: 2 }),
      call("i2", 2280),
    ], { agentType: "log-reader" }),
  ],
  {
    findings: [
      {
        id: "f1",
        rule: "mutating-around-model",
        severity: "high",
        text: "Changed production by hand where this repo has a model for it.",
        calls: ["breaks", "o1"],
      },
      {
        id: "f2",
        rule: "retry-without-change",
        severity: "low",
        text:
          "The same command failed twice; `swamp data query` was not tried.",
        calls: ["i1"],
      },
    ],
    files: { written: ["src/file-1.ts"], read: ["src/file-2.ts"] },
    tests: [{ call: "i1", passed: false }],
    tools: [{ name: "Read", count: 14 }, { name: "Bash", count: 9 }],
  },
);

/** The same story told better: swamp instead of kubectl, no subagents. */
export const BETTER: Detail = detail(
  session("better", [
    STORY.session.turns[0]!,
    turn(2, 100, 130, [
      call("b1", 100, {
        text: "swamp model method run shop scale",
        label: "swamp",
        category: "swamp",
        rule: "swamp.cli",
      }),
    ]),
  ]),
  [],
  {
    files: { written: ["src/file-1.ts", "src/only-b.ts"], read: [] },
    tools: [{ name: "Read", count: 14 }, { name: "Bash", count: 1 }],
  },
);

/** A session's summary, from its own detail. */
export function summaryOf(of: Detail, more: Partial<Summary> = {}): Summary {
  const model = buildModel(of);
  const { calls, failed, rejected, ...labels } = model.total;
  const of3 = (severity: string) =>
    of.findings.filter((f) => f.severity === severity).length;
  return summary({
    id: of.session.id,
    repo: { name: "shop" },
    branch: "fix/checkout",
    models: of.session.models,
    startedAt: of.session.startedAt,
    endedAt: of.session.endedAt,
    durationMs: model.end - model.start,
    activeMs: model.turns.reduce((ms, t) => ms + t.end - t.start, 0),
    turns: model.turns.length,
    calls,
    failedCalls: failed,
    rejectedCalls: rejected,
    labels,
    subagents: {
      count: of.subagents.length,
      calls: model.calls.filter((n) => n.lane > 0).length,
    },
    findings: { high: of3("high"), medium: of3("medium"), low: of3("low") },
    detail: { name: detailName(of.session.id), bytes: 1 },
    ...more,
  });
}

/** A session as the store holds it; `content` may fail to be there. */
export function stored(
  of: Detail,
  more: Partial<Summary> = {},
  content: () => unknown = () => of,
): StoredItem[] {
  const s = summaryOf(of, more);
  const base = { modelName: DEMO_MODEL, createdAt: s.startedAt };
  return [
    {
      ...base,
      name: summaryName(s.id),
      tags: summaryToTags(s),
      content: () => s,
    },
    {
      ...base,
      name: detailName(s.id),
      tags: detailTags(s.id, s.startedAt),
      content,
    },
  ];
}

/** 1,100 calls and 30 subagents, failures all over. */
export function bigStory(): Detail {
  const calls = (name: string, from: number, n: number) =>
    Array.from(
      { length: n },
      (_, i) =>
        i % 23 === 7
          ? bypass(`${name}-${i}`, from + i, "kubectl get pods", {
            state: "failed",
          })
          : call(`${name}-${i}`, from + i),
    );
  const turns = Array.from(
    { length: 20 },
    (_, t) => turn(t + 1, t * 100, t * 100 + 90, calls(`t${t}`, t * 100, 25)),
  );
  const agents = Array.from({ length: 30 }, (_, a) =>
    agent(
      `agent${a}`,
      { session: "big", call: `t${a % 20}-${3 + Math.floor(a / 20)}` },
      calls(`a${a}`, (a % 20) * 100 + 5, 20),
    ));
  return detail(session("big", turns), agents);
}
