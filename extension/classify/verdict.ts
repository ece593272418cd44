/**
 * Hits of a line -> one verdict.
 *
 * @module
 */
import type { Severity } from "../../schema/mod.ts";
import type { Command } from "../shell/types.ts";
import type { Judged } from "./rule.ts";
import { categoryOf, type Hit } from "./shell.ts";
import type { Part, RepoKnowledge, Verdict } from "./types.ts";

/** How much a hit weighs: what decides is the heaviest, then the first. */
function weight(hit: Hit): number {
  if (hit.label === "bypass") {
    if (hit.mutating !== false) return 60;
    return severityOf(hit) === "medium" ? 50 : 40;
  }
  if (hit.label === "swamp") return 30;
  return NEUTRAL[categoryOf(hit)] ?? 8;
}

/** Of neutral commands the one that tells most about the call. */
const NEUTRAL: Readonly<Record<string, number>> = {
  "neutral.test": 20,
  "neutral.build": 18,
  "neutral.vcs": 16,
  "neutral.edit": 14,
  "neutral.read": 12,
  "neutral.other": 4,
};

function severityOf(hit: Hit): Severity {
  return hit.severity ??
    (hit.mutating ? "high" : hit.rule.sensitive ? "medium" : "low");
}

/** The verdict on a line. `complete` is false where it was not read whole. */
export function conclude(
  hits: readonly Hit[],
  commands: readonly Command[],
  length: number,
  complete: boolean,
  repo: RepoKnowledge | undefined,
): Verdict {
  let best: Hit | undefined;
  let most = -1;
  for (const hit of hits) {
    const own = weight(hit);
    if (own > most) {
      best = hit;
      most = own;
    }
  }
  if (!best) {
    return {
      label: "neutral",
      category: "neutral.other",
      rule: "neutral.other",
      low: !complete,
      tags: [],
      parts: [],
    };
  }
  const tags: string[] = [];
  for (const hit of hits) {
    if (!hit.tags) continue;
    for (const tag of hit.tags) if (!tags.includes(tag)) tags.push(tag);
  }
  const category = categoryOf(best);
  const neutral = best.label === "neutral";
  const verdict: Verdict = {
    label: best.label,
    // A neutral verdict of a rule about clouds is no cloud call.
    category: neutral && !category.startsWith("neutral.")
      ? neutralCategory(category)
      : category,
    rule: best.rule.id,
    low: best.low === true || !complete,
    tags,
    parts: partsOf(best, hits, length),
  };
  if (best.label === "bypass") {
    if (best.mutating !== undefined) verdict.mutating = best.mutating;
    verdict.severity = severityOf(best);
    const program = commands[best.at]?.program ?? "";
    const type = repo && wrapperOf(best, repo.modelTypes, program);
    if (type) verdict.wraps = type;
  }
  return verdict;
}

function neutralCategory(category: string): string {
  if (category.startsWith("saas.gh")) return "neutral.vcs";
  return /^(?:registry|k8s|iac)\./.test(category)
    ? "neutral.build"
    : "neutral.other";
}

/** Most parts kept; a line of a thousand commands needs no thousand marks. */
const PART_LIMIT = 50;

function partsOf(best: Hit, hits: readonly Hit[], length: number): Part[] {
  const parts: Part[] = [];
  const add = (hit: Hit) => {
    const start = Math.max(0, Math.min(hit.start, length));
    const end = Math.max(start, Math.min(hit.end, length));
    const rule = hit.rule.id;
    if (
      end === start || parts.length >= PART_LIMIT ||
      parts.some((p) => p.start === start && p.end === end && p.rule === rule)
    ) return;
    parts.push({ start, end, rule });
  };
  add(best);
  for (const hit of hits) if (hit.label !== "neutral") add(hit);
  return parts;
}

// Which model type of a repository wraps what a bypass did.

const PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  "cloud.aws": ["aws", "amazon"],
  "cloud.gcp": ["gcp", "google", "gcloud"],
  "cloud.azure": ["azure", "az"],
  "k8s.kubectl": ["kubernetes", "k8s", "kubectl", "openshift"],
  "k8s.helm": ["helm", "argocd", "flux"],
  "saas.gh": ["github", "gitlab"],
};

/** Words of a service that a type may write differently. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  s3api: ["s3", "bucket"],
  s3: ["s3", "bucket"],
  ec2: ["ec2", "instance", "vpc"],
  ecs: ["ecs", "fargate"],
  elbv2: ["elb", "alb", "nlb", "loadbalancer"],
  logs: ["cloudwatch", "logs"],
  route53: ["route53", "dns"],
  pods: ["pod", "pods"],
};

const split = new Map<string, Set<string>>();

function typeParts(type: string): Set<string> {
  const known = split.get(type);
  if (known) return known;
  const parts = new Set(
    type.toLowerCase().split(/[^a-z0-9]+/).filter((part) => part !== ""),
  );
  if (split.size > 5000) split.clear();
  split.set(type, parts);
  return parts;
}

/**
 * The model type that wraps what a command did.
 *
 * @returns The type, or undefined where none in the repository does.
 */
export function wrapperOf(
  hit: Judged,
  modelTypes: readonly string[],
  program: string,
): string | undefined {
  const names = providersOf(hit, program);
  if (names.length === 0) return undefined;
  const service = hit.service?.toLowerCase();
  let general: string | undefined;
  for (const type of modelTypes) {
    const parts = typeParts(type);
    if (!names.some((name) => parts.has(name))) continue;
    if (service) {
      const words = SERVICES[service] ?? [service];
      if (words.some((word) => parts.has(word))) return type;
      // `@acme/aws` is about all of it, `@acme/aws/s3` is not about EC2.
      const rest = [...parts].filter((part) => names.includes(part));
      if (parts.size - rest.length <= 1) general ??= type;
    } else general ??= type;
  }
  return general;
}

function providersOf(hit: Judged, program: string): string[] {
  const category = categoryOf(hit);
  if (hit.hints && hit.hints.length > 0) return [...hit.hints];
  const known = PROVIDERS[category];
  if (known) return [...known];
  const own = hit.rule.wraps ?? [];
  // A rule about many programs: the program says which.
  const named = own.filter((name) =>
    program === name || program.startsWith(name) ||
    name.startsWith(program) && program.length > 2
  );
  const alias = ALIASES[program];
  if (alias) return [...alias];
  if (named.length > 0) return named;
  return own.length <= 3 ? [...own] : [program];
}

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  doctl: ["digitalocean"],
  hcloud: ["hetzner", "hcloud"],
  oci: ["oracle", "oci"],
  scw: ["scaleway"],
  "linode-cli": ["linode"],
  psql: ["postgres", "postgresql"],
  pg_dump: ["postgres", "postgresql"],
  mysql: ["mysql", "mariadb"],
  "redis-cli": ["redis"],
  mongosh: ["mongodb", "mongo"],
  op: ["1password", "onepassword", "op"],
  bw: ["bitwarden"],
  vault: ["vault", "hashicorp"],
  wrangler: ["cloudflare", "wrangler"],
  fly: ["fly", "flyio"],
  flyctl: ["fly", "flyio"],
  docker: ["docker", "registry", "ecr"],
  npm: ["npm", "registry"],
  ssh: ["ssh"],
  terraform: ["terraform"],
  tofu: ["terraform", "opentofu"],
};
