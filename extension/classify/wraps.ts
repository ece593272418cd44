/**
 * Which model type of a repository wraps what a bypass did.
 *
 * @module
 */
import { categoryOf } from "./shell.ts";
import type { Judged } from "./rule.ts";

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

function partsOf(type: string): Set<string> {
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
    const parts = partsOf(type);
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
