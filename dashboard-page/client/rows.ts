/**
 * A row of the list: what its tags hold, parsed once, flat. The tags are
 * projected as a bare list, so that a row stays under 300 bytes on the wire.
 *
 * @module
 */
import {
  type Flag,
  FLAGS,
  type Mode,
  MODES,
  SCHEMA_VERSION,
  type Tier,
  TIERS,
} from "../../schema/constants.ts";

/** One session in the list. Times in epoch milliseconds, spans in milliseconds. */
export interface Row {
  id: string;
  start: number;
  end: number;
  duration: number;
  active: number;
  repo: string;
  branch: string;
  harness: string;
  mode: Mode;
  model: string;
  turns: number;
  calls: number;
  failed: number;
  rejected: number;
  swamp: number;
  /** Mutating ones included. */
  bypass: number;
  mutating: number;
  neutral: number;
  /** Input, output, cache read and cache write together. */
  tokens: number;
  output: number;
  /** Whether the real figure is higher. */
  tokensPartial: boolean;
  agents: number;
  high: number;
  medium: number;
  low: number;
  score: number;
  tier: Tier;
  flags: readonly Flag[];
  /** What the free-text search looks at, in lower case. */
  search: string;
}

/** A row that this page cannot read because a newer importer wrote it. */
export interface NewerRow {
  /** The session's id. */
  id: string;
  /** The schema version it was written with. */
  newer: string;
}

/** The tags a row needs, in the order in which they are projected. */
export const ROW_TAGS = [
  "schema",
  "sid",
  "started",
  "duration",
  "active",
  "repo",
  "branch",
  "harness",
  "mode",
  "model",
  "turns",
  "calls",
  "failed",
  "rejected",
  "swamp",
  "bypass",
  "mutating",
  "tokens",
  "subagents",
  "findings",
  "substance",
  "flags",
] as const;

const NO_FLAGS: readonly Flag[] = [];
const text = (value: unknown): string => typeof value === "string" ? value : "";
const whole = (value: unknown): number => {
  const n = Number(value);
  return Number.isSafeInteger(n) && n > 0 ? n : 0;
};
const modeOf = (value: unknown): Mode =>
  MODES.includes(value as Mode) ? value as Mode : "unknown";
const tierOf = (value: unknown): Tier =>
  TIERS.includes(value as Tier) ? value as Tier : "trivial";
const flagsOf = (value: string): readonly Flag[] =>
  value
    ? value.split(",").filter((f): f is Flag => Object.hasOwn(FLAGS, f))
    : NO_FLAGS;

/** The row that projected tags hold; `undefined` where they hold none. */
export function readRow(
  values: readonly unknown[],
): Row | NewerRow | undefined {
  const [
    schema,
    sid,
    started,
    duration,
    active,
    repo,
    branch,
    harness,
    mode,
    model,
    turns,
    calls,
    failed,
    rejected,
    swamp,
    bypass,
    mutating,
    tokens,
    subagents,
    findings,
    substance,
    flags,
  ] = values;
  const id = text(sid);
  if (!id) return undefined;
  if (schema !== String(SCHEMA_VERSION)) {
    return { id, newer: text(schema) || "unknown" };
  }
  const start = Date.parse(text(started));
  if (Number.isNaN(start)) return undefined;
  const spent = text(tokens);
  const [input, output, cacheRead, cacheWrite] = spent.replace("+", "")
    .split("/", 4);
  const [high, medium, low] = text(findings).split("/", 3);
  const [score, tier] = text(substance).split("/", 2);
  const all = whole(calls);
  const ours = whole(swamp);
  const around = whole(bypass);
  const repoName = text(repo) || "unknown";
  const harnessName = text(harness) || "unknown";
  return {
    id,
    start,
    end: start + whole(duration),
    duration: whole(duration),
    active: whole(active),
    repo: repoName,
    branch: text(branch),
    harness: harnessName,
    mode: modeOf(mode),
    model: text(model),
    turns: whole(turns),
    calls: all,
    failed: whole(failed),
    rejected: whole(rejected),
    swamp: ours,
    bypass: around,
    mutating: whole(mutating),
    neutral: Math.max(0, all - ours - around),
    tokens: whole(input) + whole(output) + whole(cacheRead) +
      whole(cacheWrite),
    output: whole(output),
    tokensPartial: spent.endsWith("+"),
    agents: whole(text(subagents).split("/", 1)[0]),
    high: whole(high),
    medium: whole(medium),
    low: whole(low),
    score: Number(score) || 0,
    tier: tierOf(tier),
    flags: flagsOf(text(flags)),
    search: `${repoName}\n${text(branch)}\n${id}\n${
      text(model)
    }\n${harnessName}`
      .toLowerCase(),
  };
}
