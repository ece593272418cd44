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

/** Few texts stand in many rows: each is read once. Bounded, for they come from outside. */
function once<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      if (known.size < 5_000) known.set(text, value);
    }
    return value;
  };
}
const flagsOf = once((value): readonly Flag[] =>
  value
    ? value.split(",").filter((f): f is Flag => Object.hasOwn(FLAGS, f))
    : NO_FLAGS
);
/** The figures of `1/2/3`, and whether `+` ends it; a part that is no figure is 0. */
const figuresOf = (value: string): number[] =>
  value.replace("+", "").split("/", 4).map(whole);
const findingsOf = once(figuresOf);

const searched = new WeakMap<Row, string>();
/** What the free-text search looks at, in lower case; made when somebody searches. */
export function searchText(row: Row): string {
  let found = searched.get(row);
  if (found === undefined) {
    found = [row.repo, row.branch, row.id, row.model, row.harness].join("\n")
      .toLowerCase();
    searched.set(row, found);
  }
  return found;
}

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
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = figuresOf(
    spent,
  );
  const [high = 0, medium = 0, low = 0] = findingsOf(text(findings));
  const [score, tier] = text(substance).split("/", 2);
  const all = whole(calls);
  const ours = whole(swamp);
  const around = whole(bypass);
  const lasted = whole(duration);
  return {
    id,
    start,
    end: start + lasted,
    duration: lasted,
    active: whole(active),
    repo: text(repo) || "unknown",
    branch: text(branch),
    harness: text(harness) || "unknown",
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
    tokens: input + output + cacheRead + cacheWrite,
    output,
    tokensPartial: spent.endsWith("+"),
    agents: whole(text(subagents).split("/", 1)[0]),
    high,
    medium,
    low,
    score: Number(score) || 0,
    tier: tierOf(tier),
    flags: flagsOf(text(flags)),
  };
}
