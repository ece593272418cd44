/**
 * Sessions out of nothing, the same ones every time, for the browser tests,
 * the benchmarks and the screenshots. Every record satisfies the contract and
 * a session's detail adds up to its summary.
 */
import {
  detailName,
  type Flag,
  FLAGS,
  isoTime,
  type Mode,
  SUMMARY_KIND,
  summaryName,
  type Tier,
} from "../../schema/constants.ts";
import type { Rollup } from "../../schema/rollup.ts";
import type { Summary } from "../../schema/summary.ts";
import { detailTags, rollupToTags, summaryToTags } from "../../schema/tags.ts";
import { type DemoDetail, demoDetail } from "./demo-detail.ts";
import { type Chance, chance } from "./demo-chance.ts";
import type { StoredItem } from "./demo-server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The moment at which the demo is looked at: 14 October 2026, 15:40 UTC. */
export const DEMO_NOW = Date.UTC(2026, 9, 14, 15, 40);

/** The model that holds the demo's sessions. */
export const DEMO_MODEL = "agent-sessions";

const REPOS = [
  ["platform-infra", 34],
  ["billing-api", 18],
  ["terraform-modules", 12],
  ["mobile-app", 10],
  ["edge-gateway", 8],
  ["ml-pipelines", 7],
  ["docs-site", 6],
  ["swamp-models", 5],
] as const;
const BRANCHES = [
  "main",
  "main",
  "main",
  "fix/checkout-latency",
  "feat/eks-1.33-upgrade",
  "chore/rotate-node-groups",
  "feat/invoice-retry",
  "exp/tokenizer-swap",
  "feat/vpc-ipv6",
  "release/7.42",
  "fix/broken-anchors",
  "refactor/ledger-writes",
  "",
] as const;
const HARNESSES = [
  ["claude", "2.1.119", ["claude-opus-4-7", "claude-sonnet-4-6"]],
  ["claude", "2.1.108", ["claude-sonnet-4-6", "claude-haiku-4-5"]],
  ["claude", "2.1.37", ["claude-opus-4-7"]],
  ["codex", "0.141.0", ["gpt-5.3-codex", "gpt-5.5"]],
  ["opencode", "1.4.2", ["claude-sonnet-4-6"]],
] as const;

/** What to make. */
export interface DemoOptions {
  /** How many sessions. */
  sessions: number;
  /** Over how many days before `DEMO_NOW`; 90 by default. */
  days?: number;
  /** Another run of chance. */
  seed?: number;
  /** Adds one session of 1,100 calls and 30 subagents, the newest. */
  big?: boolean;
  /** Adds sessions whose every text is hostile. */
  hostile?: boolean;
  /** How many of the sessions a newer importer wrote. */
  newer?: number;
  /** Whether there are rollups; true by default. */
  rollups?: boolean;
}

/** Made data. */
export interface DemoData {
  /** Newest first. */
  summaries: readonly Summary[];
  /** The detail of one of them. */
  detail(id: string): DemoDetail;
  /** As a store would hold them, in the order in which they were written. */
  items: readonly StoredItem[];
}

const hex = (random: Chance, n: number) =>
  Array.from({ length: n }, () => random.int(0, 15).toString(16)).join("");
const uuid = (random: Chance) =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${
    hex(random, 12)
  }`;

const tierOf = (score: number): Tier =>
  score < 4
    ? "trivial"
    : score < 20
    ? "light"
    : score < 80
    ? "moderate"
    : score < 400
    ? "substantive"
    : "heavy";

interface Size {
  calls: number;
  agents: number;
  agentCalls: number;
}

function sizeOf(random: Chance): Size {
  const roll = random.next();
  const calls = roll < 0.25
    ? random.int(0, 3)
    : roll < 0.55
    ? random.int(3, 20)
    : roll < 0.85
    ? random.int(20, 120)
    : random.int(120, 320);
  if (calls < 15 || random.next() > 0.3) {
    return { calls, agents: 0, agentCalls: 0 };
  }
  const agents = random.int(1, 4);
  return {
    calls,
    agents,
    agentCalls: Math.floor(calls * (0.15 + random.next() * 0.3)),
  };
}

function summaryOf(random: Chance, start: number, size: Size): Summary {
  const { calls, agents, agentCalls } = size;
  const [repo] = random.weighted(REPOS);
  const [harness, version, models] = random.pick(HARNESSES);
  const infra = repo === "platform-infra" || repo === "terraform-modules" ||
    repo === "swamp-models";
  const swamp = random.next() < (infra ? 0.7 : 0.25)
    ? Math.floor(calls * random.next() * 0.45)
    : 0;
  const bypass = random.next() < (infra ? 0.5 : 0.25)
    ? Math.min(calls - swamp, Math.ceil(calls * random.next() * 0.12))
    : 0;
  const mutating = random.next() < 0.35
    ? random.int(0, Math.min(bypass, 5))
    : 0;
  const failed = random.next() < 0.4
    ? Math.min(calls, random.int(1, 2 + Math.floor(calls / 12)))
    : 0;
  const rejected = calls - failed > 3 && random.next() < 0.06
    ? random.int(1, 2)
    : 0;
  const turns = calls ? Math.max(1, Math.round(calls / random.int(3, 12))) : 1;
  const active = Math.max(
    4_000,
    Math.floor(calls * random.int(4_000, 26_000)),
  );
  const duration = Math.floor(active * (1 + random.next() ** 3 * 8));
  const written = Math.floor(calls * random.next() * 0.12);
  const read = Math.floor(calls * random.next() * 0.2);
  const ranTests = calls > 10 && random.next() < 0.4;
  const idle = duration > 120 * 60_000 && calls < 10;
  const endedCleanly = random.next() > 0.1;
  const score = calls + 3 * written + read + (ranTests ? 5 : 0) -
    (endedCleanly ? 0 : 2);
  const flags = new Set<Flag>();
  if (random.next() < 0.05) flags.add("interrupted");
  if (idle) flags.add("idle");
  if (turns > 15 && random.next() < 0.5) flags.add("compacted");
  if (ranTests) flags.add("ranTests");
  if (ranTests && random.next() < 0.2) flags.add("testsFailed");
  const badLines = random.next() < 0.02 ? random.int(1, 3) : 0;
  const unknownRecords = random.next() < 0.04 ? random.int(1, 20) : 0;
  if (badLines) flags.add("damaged");
  if (unknownRecords) flags.add("drift");
  if (random.next() < 0.05) flags.add("sourceGone");
  const partial = harness === "claude" && random.next() < 0.1;
  const output = calls * random.int(200, 700) + 400;
  const id = uuid(random);
  const branch = random.pick(BRANCHES);
  const model = random.pick(models);
  const mode: Mode = random.next() < 0.82
    ? "interactive"
    : random.next() < 0.9
    ? "headless"
    : "unknown";
  return {
    schemaVersion: 1,
    id,
    repo: { name: repo, remote: `https://git.example/acme/${repo}` },
    ...(branch ? { branch } : {}),
    harness: { name: harness, version, entry: "cli" },
    mode,
    model,
    models: [...new Set([model, ...(agents ? [models[0]] : [])])],
    startedAt: isoTime(start),
    endedAt: isoTime(start + duration),
    durationMs: duration,
    activeMs: active,
    turns,
    calls,
    failedCalls: failed,
    rejectedCalls: rejected,
    labels: { swamp, bypass, neutral: calls - swamp - bypass, mutating },
    ...(swamp + bypass
      ? {
        categories: [
          ...(swamp ? [{ name: "swamp", calls: swamp }] : []),
          ...(bypass ? [{ name: "k8s", calls: bypass }] : []),
        ],
      }
      : {}),
    tokens: {
      input: calls * random.int(20, 900),
      output,
      cacheRead: calls * random.int(20_000, 90_000),
      cacheWrite: calls * random.int(800, 4_000),
      ...(partial ? { outputIsLowerBound: true as const } : {}),
    },
    subagents: { count: agents, calls: agentCalls },
    findings: {
      high: mutating > 2 ? 1 : 0,
      medium: bypass > 4 ? random.int(0, 2) : 0,
      low: failed > 3 ? random.int(0, 2) : 0,
    },
    substance: {
      score,
      tier: tierOf(score),
      signals: {
        messageCount: turns * 2,
        toolCallCount: calls,
        filesWritten: written,
        filesRead: read,
        errorCount: failed,
        ranTests,
        endedCleanly,
        idle,
      },
    },
    flags: (Object.keys(FLAGS) as Flag[]).filter((f) => flags.has(f)),
    detail: { name: detailName(id), bytes: 900 + calls * 410 },
    source: {
      fingerprint: hex(random, 16),
      files: 1 + agents,
      badLines,
      unknownRecords,
      importer: "0.1.0",
      ruleset: "1",
    },
  };
}

/** Texts that break a careless page. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`,
  "a".repeat(1_000_000),
  "\u202Egnp.exe\u202C and \u2067مرحبا بالعالم\u2069",
  "nul\u0000 bell\u0007 escape\u001b[31m red \u009b2J",
  "👩‍👩‍👧‍👦 🏳️‍🌈 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
  "'; drop table sessions; -- ${7*7} {{7*7}} `$(reboot)`",
];

function hostile(base: Summary, text: string, i: number): Summary {
  return {
    ...base,
    // As far as the contract lets text go.
    repo: { name: text.slice(0, 200) },
    branch: text.slice(0, 400),
    model: text.slice(0, 200),
    models: [text.slice(0, 200)],
    harness: { name: text.slice(0, 40), version: text.slice(0, 80) },
    startedAt: isoTime(DEMO_NOW - (i + 1) * 60_000),
    endedAt: isoTime(DEMO_NOW - (i + 1) * 60_000 + base.durationMs),
    substance: { ...base.substance, tier: "moderate" },
  };
}

function rollupsOf(summaries: readonly Summary[]): Rollup[] {
  const byDay = new Map<string, Rollup>();
  for (const s of summaries) {
    const day = s.startedAt.slice(0, 10);
    const r = byDay.get(day) ?? {
      schemaVersion: 1,
      day,
      sessions: 0,
      calls: 0,
      swamp: 0,
      bypass: 0,
      neutral: 0,
      mutating: 0,
      failed: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      harnesses: [],
      repos: [],
      categories: [],
    };
    r.sessions++;
    r.calls += s.calls;
    r.swamp += s.labels.swamp;
    r.bypass += s.labels.bypass;
    r.neutral += s.labels.neutral;
    r.mutating += s.labels.mutating;
    r.failed += s.failedCalls;
    r.tokens.input += s.tokens.input;
    r.tokens.output += s.tokens.output;
    r.tokens.cacheRead += s.tokens.cacheRead;
    r.tokens.cacheWrite += s.tokens.cacheWrite;
    byDay.set(day, r);
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Makes the data. The same options give the same data. */
export function demoData(options: DemoOptions): DemoData {
  const { sessions, days = 90, seed = 1, newer = 0 } = options;
  const random = chance(seed);
  const summaries: Summary[] = [];
  for (let i = 0; i < sessions; i++) {
    // Working days are busier, and work grows towards now.
    let start: number;
    do {
      start = DEMO_NOW - Math.floor(random.next() ** 1.3 * days * DAY) - 60_000;
    } while (
      [0, 6].includes(new Date(start).getUTCDay()) && random.next() < 0.8
    );
    summaries.push(summaryOf(random, start, sizeOf(random)));
  }
  if (options.big) {
    const big = summaryOf(random, DEMO_NOW - 3 * HOUR, {
      calls: 1_100,
      agents: 30,
      agentCalls: 640,
    });
    summaries.push({
      ...big,
      repo: { name: "platform-infra" },
      branch: "feat/eks-1.33-upgrade",
      turns: 40,
      labels: { swamp: 212, bypass: 74, neutral: 814, mutating: 9 },
      failedCalls: 46,
      rejectedCalls: 3,
      findings: { high: 1, medium: 2, low: 2 },
    });
  }
  if (options.hostile) {
    HOSTILE_TEXTS.forEach((text, i) => {
      const base = summaryOf(random, DEMO_NOW - HOUR, {
        calls: 12,
        agents: 1,
        agentCalls: 4,
      });
      summaries.push(hostile(base, text, i));
    });
  }
  summaries.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  const first = summaries[0];
  if (first && !options.hostile) {
    summaries[0] = {
      ...first,
      flags: [...new Set([...first.flags, "live" as const])],
    };
  }
  const index = new Map(summaries.map((s, i) => [s.id, i]));
  const detail = (id: string): DemoDetail => {
    const at = index.get(id);
    const summary = at === undefined ? undefined : summaries[at];
    if (at === undefined || !summary) throw new Error(`no session ${id}`);
    return demoDetail(
      summary,
      chance(seed * 7_919 + at),
      options.hostile ? HOSTILE_TEXTS : [],
    );
  };

  const items: StoredItem[] = [];
  const oldestFirst = [...summaries].reverse();
  oldestFirst.forEach((s, i) => {
    const tags = summaryToTags(s);
    const isNewer = i < newer;
    items.push({
      name: summaryName(s.id),
      modelName: DEMO_MODEL,
      createdAt: s.endedAt,
      tags: isNewer ? { ...tags, schema: "2" } : tags,
      content: () => s,
    });
    items.push({
      name: detailName(s.id),
      modelName: DEMO_MODEL,
      createdAt: s.endedAt,
      tags: detailTags(s.id, s.startedAt),
      content: () =>
        isNewer ? { ...detail(s.id), schemaVersion: 2 } : detail(s.id),
    });
  });
  if (options.rollups ?? true) {
    for (const r of rollupsOf(summaries)) {
      items.push({
        name: `rollup-${r.day}`,
        modelName: DEMO_MODEL,
        createdAt:
          [`${r.day}T23:59:59.000Z`, isoTime(DEMO_NOW - 120_000)].sort()[0] ??
            "",
        tags: rollupToTags(r),
        content: () => r,
      });
    }
  }
  return { summaries, detail, items };
}

/** The tag by which the list is asked for, for tests that count. */
export const DEMO_KIND = SUMMARY_KIND;
