/** A session's detail that adds up to its summary. */
import {
  type CallState,
  isoTime,
  type Label,
  type Tokens,
  type Trigger,
} from "../../schema/constants.ts";
import type {
  Call,
  Detail,
  Finding,
  SessionDetail,
  Turn,
} from "../../schema/detail.ts";
import type { Summary } from "../../schema/summary.ts";
import type { Chance } from "./demo-chance.ts";

/** What `demoDetail` makes. */
export type DemoDetail = Detail;

interface Sample {
  tool: string;
  text: string;
  category: string;
  rule: string;
  /** The deciding part. */
  hit?: string;
  wraps?: string;
}

const sample = (
  tool: string,
  category: string,
  rule: string,
  text: string,
  hit?: string,
  wraps?: string,
): Sample => ({
  tool,
  category,
  rule,
  text,
  ...(hit ? { hit } : {}),
  ...(wraps ? { wraps } : {}),
});

const NEUTRAL: readonly Sample[] = [
  sample("Read", "read", "tool.read", "src/pool/upstream.ts"),
  sample("Read", "read", "tool.read", "helm/checkout/values.prod.yaml"),
  sample("Grep", "search", "tool.search", "node_group|nodeGroup"),
  sample("Glob", "search", "tool.search", "models/**/*.yaml"),
  sample("Edit", "write", "tool.write", "src/pool/keepalive.ts"),
  sample("Write", "write", "tool.write", "docs/runbooks/node-rotation.md"),
  sample("TodoWrite", "plan", "tool.plan", ""),
  sample("Bash", "vcs", "git", "git status --short && git diff --stat"),
  sample("Bash", "test", "test.go", "go test ./... -run TestDrain -count=1"),
  sample("Bash", "test", "test.node", "npm test -- --reporter=dot"),
  sample("Bash", "shell", "shell.list", "ls -la models/acme | head -40"),
  sample(
    "Bash",
    "shell",
    "shell.multi",
    "for f in models/acme/*.yaml; do\n  yq '.type' \"$f\"\ndone | sort | uniq -c",
  ),
  sample("WebFetch", "web", "tool.web", "https://docs.example/eks/upgrade"),
];
const SWAMP: readonly Sample[] = [
  sample("Bash", "swamp", "swamp.cli", "swamp model list", "swamp"),
  sample(
    "Bash",
    "swamp",
    "swamp.cli",
    "swamp workflow list --json | jq '.[].name'",
    "swamp",
  ),
  sample(
    "Bash",
    "swamp",
    "swamp.cli",
    "swamp model method run checkout-prod describe --json | jq '.attributes.nodeGroups[]'",
    "swamp",
  ),
  sample(
    "Bash",
    "swamp",
    "swamp.cli",
    "swamp data query 'modelName == \"checkout-prod\"' --select name,tags",
    "swamp",
  ),
];
const READING: readonly Sample[] = [
  sample(
    "Bash",
    "aws",
    "aws.eks",
    "cd infra && AWS_PROFILE=prod aws eks describe-nodegroup --cluster-name checkout-prod --nodegroup-name ng-blue",
    "aws eks describe-nodegroup",
    "acme/eks-cluster",
  ),
  sample(
    "Bash",
    "k8s",
    "k8s.kubectl",
    "kubectl -n checkout get pods -o wide | grep -v Running",
    "kubectl -n checkout get",
  ),
  sample(
    "Bash",
    "http",
    "http.curl",
    "curl -s -H 'Authorization: Bearer [REDACTED:bearer]' https://api.example/v1/zones",
    "curl",
  ),
  sample(
    "Grep",
    "swamp-data",
    "swamp.data-by-hand",
    ".swamp/data/acme/eks-cluster",
    ".swamp/data/",
  ),
];
const MUTATING: readonly Sample[] = [
  sample(
    "Bash",
    "k8s",
    "k8s.kubectl",
    "kubectl -n checkout scale deploy/checkout-api --replicas=14",
    "kubectl -n checkout scale",
    "acme/eks-cluster",
  ),
  sample(
    "Bash",
    "aws",
    "aws.elasticache",
    "aws elasticache modify-replication-group --replication-group-id checkout-cache --auth-token [REDACTED:token] --apply-immediately",
    "aws elasticache modify-replication-group",
    "acme/elasticache",
  ),
  sample(
    "Bash",
    "terraform",
    "tf.apply",
    "terraform -chdir=envs/prod apply -auto-approve",
    "terraform -chdir=envs/prod apply",
  ),
];

interface Plan {
  label: Label;
  mutating: boolean;
  state: CallState;
}

function plansOf(s: Summary, random: Chance): Plan[] {
  const plans: Plan[] = [];
  const add = (n: number, label: Label, mutating: boolean) => {
    for (let i = 0; i < n; i++) plans.push({ label, mutating, state: "ok" });
  };
  add(s.labels.swamp, "swamp", false);
  add(s.labels.bypass - s.labels.mutating, "bypass", false);
  add(s.labels.mutating, "bypass", true);
  add(s.labels.neutral, "neutral", false);
  for (let i = plans.length - 1; i > 0; i--) {
    const j = random.int(0, i);
    [plans[i], plans[j]] = [plans[j] as Plan, plans[i] as Plan];
  }
  const mark = (n: number, state: CallState) => {
    while (n > 0) {
      const plan = random.pick(plans);
      if (plan.state !== "ok") continue;
      plan.state = state;
      n--;
    }
  };
  mark(s.failedCalls, "failed");
  mark(s.rejectedCalls, "rejected");
  const left = plans.filter((p) => p.state === "ok").length;
  if (left > 20) mark(random.int(0, 2), "background");
  return plans;
}

/** Splits `total` into `n` parts of at least `least`. */
function split(
  total: number,
  n: number,
  least: number,
  random: Chance,
): number[] {
  const parts = Array.from({ length: n }, () => least);
  for (let left = total - n * least; left > 0; left--) {
    const i = random.int(0, n - 1);
    parts[i] = (parts[i] ?? 0) + 1;
  }
  return parts;
}

const share = (of: Tokens, part: number): Tokens => ({
  input: Math.floor(of.input * part),
  output: Math.floor(of.output * part),
  cacheRead: Math.floor(of.cacheRead * part),
  cacheWrite: Math.floor(of.cacheWrite * part),
  ...(of.outputIsLowerBound ? { outputIsLowerBound: true } : {}),
});

const TRIGGERS: readonly Trigger[] = [
  "prompt",
  "prompt",
  "prompt",
  "command",
  "notification",
];
const AGENTS = ["Explore", "general-purpose", "log-reader", "test-runner"];

/** The detail of a summary; `texts`, where given, are what its calls say. */
export function demoDetail(
  s: Summary,
  random: Chance,
  texts: readonly string[] = [],
): Detail {
  const start = Date.parse(s.startedAt);
  const plans = plansOf(s, random);
  let made = 0;

  const callOf = (plan: Plan, at: number): Call => {
    const pool = plan.mutating
      ? MUTATING
      : plan.label === "bypass"
      ? READING
      : plan.label === "swamp"
      ? SWAMP
      : NEUTRAL;
    const from = random.pick(pool);
    const hostileText = texts.length ? texts[made % texts.length] : undefined;
    const text = (hostileText ?? from.text).slice(0, 2048);
    const at0 = from.hit && !hostileText ? text.indexOf(from.hit) : -1;
    const took = Math.floor(20 * 10 ** (random.next() * 3.4));
    const done = plan.state === "ok" || plan.state === "failed" ||
      plan.state === "background";
    const redactions = text.split("[REDACTED:").length - 1;
    return {
      id: `call_${++made}`,
      tool: hostileText ? hostileText.slice(0, 200) : from.tool,
      startedAt: isoTime(at),
      ...(done ? { endedAt: isoTime(at + took) } : {}),
      ...(plan.state === "ok" ? { ok: true } : {}),
      ...(plan.state === "failed" ? { ok: false } : {}),
      state: plan.state,
      ...(from.tool === "Bash" && done && plan.state !== "background"
        ? {
          exitCode: plan.state === "failed" ? random.pick([1, 1, 2, 127]) : 0,
        }
        : {}),
      text,
      ...(text.length === 2048 ? { truncated: true as const } : {}),
      ...(redactions ? { redactions } : {}),
      label: plan.label,
      category: from.category,
      rule: from.rule,
      ...(plan.mutating ? { mutating: true } : {}),
      ...(at0 >= 0 && from.hit
        ? { why: [at0, at0 + from.hit.length] as [number, number] }
        : {}),
      ...(from.wraps ? { wraps: from.wraps } : {}),
      ...(random.next() < 0.02 ? { low: true as const } : {}),
    };
  };

  const sessionOf = (
    id: string,
    count: number,
    turnCount: number,
    from: number,
    length: number,
    tokens: Tokens,
  ): SessionDetail => {
    const sizes = split(count, turnCount, 0, random);
    const turns: Turn[] = [];
    // Most turns follow at once; now and then a person was away for long.
    const work = length * (turnCount > 1 ? 0.7 : 1) / turnCount;
    const pauses = sizes.map(() => random.next() ** 6);
    const pause = length * 0.3 / (pauses.reduce((sum, p) => sum + p, 0) || 1);
    let t0 = from;
    sizes.forEach((size, i) => {
      const step = work / Math.max(1, size);
      const calls: Call[] = [];
      for (let k = 0; k < size; k++) {
        const plan = plans.pop();
        if (plan) calls.push(callOf(plan, Math.floor(t0 + step * k)));
      }
      const last = calls.at(-1);
      turns.push({
        number: i + 1,
        startedAt: isoTime(Math.floor(t0)),
        endedAt: last?.endedAt ?? isoTime(Math.floor(t0 + work)),
        trigger: i === 0 && id !== s.id ? "subagent" : random.pick(TRIGGERS),
        tokens: share(tokens, 1 / turnCount),
        calls,
      });
      t0 += work + pause * (pauses[i] ?? 0);
    });
    return {
      id,
      models: [...s.models],
      startedAt: isoTime(Math.floor(from)),
      endedAt: isoTime(Math.floor(from + length)),
      tokens,
      turns,
      marks: [],
    };
  };

  const { count: agents, calls: agentCalls } = s.subagents;
  const part = agents ? 0.6 : 1;
  const session = sessionOf(
    s.id,
    s.calls - agentCalls,
    s.turns,
    start,
    s.durationMs,
    share(s.tokens, part),
  );
  session.endedAt = s.endedAt;
  if (s.flags.includes("compacted")) {
    const turn = session.turns[Math.floor(session.turns.length / 2)];
    if (turn) session.marks.push({ at: turn.startedAt, kind: "compaction" });
  }

  const subagents: SessionDetail[] = [];
  const sizes = agents ? split(agentCalls, agents, 1, random) : [];
  sizes.forEach((size, i) => {
    // Every third is started by the one before it.
    const before = subagents[i - 1];
    const parent = i % 3 === 2 && before ? before : session;
    const own = parent.turns.flatMap((t) => t.calls);
    // Spread over the session: some start early, some late.
    const free = own.filter((c) => c.label === "neutral" && !c.subagent);
    const by = free[Math.floor(free.length * i / agents)];
    const id = `agent-${s.id.slice(0, 8)}-${i + 1}`;
    const from = by ? Date.parse(by.startedAt) + 40 : start + i * 1000;
    const length = size * 4_000;
    const child = sessionOf(
      id,
      size,
      1,
      from,
      length,
      share(s.tokens, 0.4 / agents),
    );
    child.parent = { session: parent.id, ...(by ? { call: by.id } : {}) };
    child.agentType = AGENTS[i % AGENTS.length] ?? "general-purpose";
    if (by) {
      by.subagent = id;
      by.tool = "Task";
      by.text = child.agentType;
      by.category = "agent";
      by.rule = "tool.agent";
      delete by.why;
      delete by.exitCode;
      delete by.truncated;
      if (by.endedAt) by.endedAt = isoTime(Math.floor(from + length));
    }
    subagents.push(child);
  });

  const all = [session, ...subagents].flatMap((x) => x.turns)
    .flatMap((t) => t.calls);
  const idsOf = (wanted: (c: Call) => boolean) =>
    all.filter(wanted).slice(0, 6).map((c) => c.id);
  const findings: Finding[] = [];
  const add = (
    n: number,
    severity: Finding["severity"],
    text: string,
    rule: string,
    calls: string[],
  ) => {
    for (let i = 0; i < n; i++) {
      findings.push({
        id: `f${findings.length + 1}`,
        rule,
        severity,
        text,
        calls,
      });
    }
  };
  add(
    s.findings.high,
    "high",
    "Changed production by hand where this repo has a model for it.",
    "mutating-around-model",
    idsOf((c) => c.mutating === true),
  );
  add(
    s.findings.medium,
    "medium",
    "The same read was done around swamp again and again.",
    "repeated-bypass",
    idsOf((c) => c.label === "bypass"),
  );
  add(
    s.findings.low,
    "low",
    "Calls failed and were tried again without a change.",
    "retry-without-change",
    idsOf((c) => c.state === "failed"),
  );

  const tools = new Map<string, number>();
  for (const c of all) tools.set(c.tool, (tools.get(c.tool) ?? 0) + 1);
  const signals = s.substance.signals;
  const files = (n: number, where: string) =>
    Array.from({ length: n }, (_, i) => `${where}/file-${i + 1}.ts`);
  return {
    schemaVersion: 1,
    session,
    subagents,
    findings,
    files: {
      written: files(signals.filesWritten, "src"),
      read: files(signals.filesRead, "docs"),
    },
    tests: all.filter((c) => c.category === "test").map((c) => ({
      call: c.id,
      passed: c.state === "ok" ? true : c.state === "failed" ? false : null,
    })),
    tools: [...tools].map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count),
  };
}
