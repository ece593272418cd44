/**
 * The summary of a session: one small item each, all that a list needs.
 *
 * @module
 */
import { z } from "npm:zod@4";
import {
  countSchema,
  type Flag,
  FLAGS,
  idSchema,
  type Mode,
  MODES,
  SCHEMA_VERSION,
  textSchema,
  type Tier,
  TIERS,
  timeSchema,
  type Tokens,
  tokensSchema,
} from "./common.ts";

/** What the substance score was made of. */
export interface SubstanceSignals {
  /** Human and assistant messages. */
  messageCount: number;
  /** Tool calls, subagents' included. */
  toolCallCount: number;
  /** Local files written, each once. */
  filesWritten: number;
  /** Local files read and not written, each once. */
  filesRead: number;
  /** Calls that failed. */
  errorCount: number;
  /** Whether a test runner ran. */
  ranTests: boolean;
  /** Whether an assistant turn came after the last user turn. */
  endedCleanly: boolean;
  /** Over 120 minutes long with under 10 calls. */
  idle: boolean;
}

/** How much was done. It measures activity, not worth. */
export interface Substance {
  /** calls + 3 x files written + files read + 5 if tests ran - 2 if not ended cleanly. */
  score: number;
  /** The score's band. */
  tier: Tier;
  /** The score's parts. */
  signals: SubstanceSignals;
}

/** Where a summary came from. */
export interface Source {
  /** Changes whenever a file of the session, or what reads it, changes. */
  fingerprint: string;
  /** Files read, subagents' included. */
  files: number;
  /** Lines that could not be read. */
  badLines: number;
  /** Records of a type that the importer does not know. */
  unknownRecords: number;
  /** Version of the importer. */
  importer: string;
  /** Version of the label and redaction rules. */
  ruleset: string;
}

/** One row of the list. */
export interface Summary {
  /** Always 1. */
  schemaVersion: 1;
  /** The session's id. */
  id: string;
  /** The repository worked in. */
  repo: { name: string; remote?: string };
  /** First branch seen. */
  branch?: string;
  /** Working directory, relative to the repository's root; absent at the root. */
  cwd?: string;
  /** The agent program. */
  harness: { name: string; version?: string; entry?: string };
  /** Whether a person sat at it. */
  mode: Mode;
  /** The model with most output. */
  model?: string;
  /** All models, in order of first use; subagents' included. */
  models: string[];
  /** First moment recorded. */
  startedAt: string;
  /** Last moment recorded. */
  endedAt: string;
  /** From start to end. */
  durationMs: number;
  /** Time inside turns. */
  activeMs: number;
  /** Turns of the session itself. */
  turns: number;
  /** Tool calls, subagents' included. */
  calls: number;
  /** Calls in state failed, subagents' included. */
  failedCalls: number;
  /** Calls in state rejected, subagents' included. */
  rejectedCalls: number;
  /** Calls by label, subagents' included; `mutating` counts bypasses that changed something. */
  labels: { swamp: number; bypass: number; neutral: number; mutating: number };
  /** Swamp and bypass calls by category, most first; absent where there are none. */
  categories?: { name: string; calls: number }[];
  /** Tokens, subagents' included, nothing twice. */
  tokens: Tokens;
  /** Subagents at any depth, and their calls; not those of the harness's own. */
  subagents: { count: number; calls: number };
  /** Findings by severity. */
  findings: { high: number; medium: number; low: number };
  /** How much was done. */
  substance: Substance;
  /** Facts to filter on, in the order of `FLAGS`. */
  flags: Flag[];
  /** The session whose history this one begins with. */
  forkOf?: string;
  /** The item that holds everything else. */
  detail: { name: string; bytes: number };
  /** Where it came from. */
  source: Source;
}

const signalsSchema: z.ZodType<SubstanceSignals> = z.strictObject({
  messageCount: countSchema.describe("human and assistant messages"),
  toolCallCount: countSchema.describe("tool calls, subagents' included"),
  filesWritten: countSchema.describe("local files written, each once"),
  filesRead: countSchema.describe("local files read and not written"),
  errorCount: countSchema.describe("calls that failed"),
  ranTests: z.boolean().describe("whether a test runner ran"),
  endedCleanly: z.boolean().describe(
    "whether an assistant turn came after the last user turn",
  ),
  idle: z.boolean().describe("over 120 minutes long with under 10 calls"),
}).describe("what the score was made of");

/** See {@link Substance}. */
export const substanceSchema: z.ZodType<Substance> = z.strictObject({
  score: z.int().describe(
    "calls + 3 x files written + files read + 5 if tests ran - 2 if not ended cleanly",
  ),
  tier: z.enum(TIERS).describe("the score's band"),
  signals: signalsSchema,
}).describe("how much was done: activity, not worth");

/** See {@link Summary}. */
export const summarySchema: z.ZodType<Summary> = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION).describe("always 1"),
  id: idSchema.describe("the session's id"),
  repo: z.strictObject({
    name: textSchema(200).describe("the repository's name"),
    remote: textSchema(400).optional().describe(
      "its remote, without credentials",
    ),
  }).describe("the repository worked in"),
  branch: textSchema(400).optional().describe("first branch seen"),
  cwd: textSchema(1024).optional().describe(
    "working directory, relative to the repository's root; absent at the root",
  ),
  harness: z.strictObject({
    name: textSchema(40).describe("claude, codex, ..."),
    version: textSchema(80).optional().describe("first version seen"),
    entry: textSchema(80).optional().describe(
      "how it was started, in the harness's own word",
    ),
  }).describe("the agent program"),
  mode: z.enum(MODES).describe("whether a person sat at the session"),
  model: textSchema(200).optional().describe("the model with most output"),
  models: z.array(textSchema(200)).max(50).describe(
    "all models, in order of first use; subagents' included",
  ),
  startedAt: timeSchema.describe("first moment recorded"),
  endedAt: timeSchema.describe("last moment recorded"),
  durationMs: countSchema.describe("from start to end, in milliseconds"),
  activeMs: countSchema.describe("time inside turns, in milliseconds"),
  turns: countSchema.describe("turns of the session itself"),
  calls: countSchema.describe("tool calls, subagents' included"),
  failedCalls: countSchema.describe("calls that failed"),
  rejectedCalls: countSchema.describe("calls that a person rejected"),
  labels: z.strictObject({
    swamp: countSchema.describe("calls that used swamp"),
    bypass: countSchema.describe("calls that went around swamp"),
    neutral: countSchema.describe("calls that did neither"),
    mutating: countSchema.describe(
      "bypasses that changed something; counted in bypass too",
    ),
  }).describe("calls by label, subagents' included"),
  categories: z.array(
    z.strictObject({
      name: z.string().regex(/^[\w.-]{1,60}$/).describe("the category"),
      calls: countSchema.describe("its calls"),
    }),
  ).min(1).max(60).optional().describe(
    "swamp and bypass calls by category, most first",
  ),
  tokens: tokensSchema,
  subagents: z.strictObject({
    count: countSchema.describe(
      "subagents at any depth; not those of the harness's own",
    ),
    calls: countSchema.describe("their calls"),
  }).describe("subagents"),
  findings: z.strictObject({
    high: countSchema.describe("findings of high severity"),
    medium: countSchema.describe("findings of medium severity"),
    low: countSchema.describe("findings of low severity"),
  }).describe("findings by severity"),
  substance: substanceSchema,
  flags: z.array(z.enum(Object.keys(FLAGS) as [Flag, ...Flag[]])).describe(
    "facts to filter on",
  ),
  forkOf: idSchema.optional().describe(
    "the session whose history this one begins with",
  ),
  detail: z.strictObject({
    name: textSchema(255).describe("name of the detail item"),
    bytes: countSchema.describe("its size"),
  }).describe("the item that holds everything else"),
  source: z.strictObject({
    fingerprint: textSchema(80).describe(
      "changes whenever a file of the session, or what reads it, changes",
    ),
    files: countSchema.describe("files read, subagents' included"),
    badLines: countSchema.describe("lines that could not be read"),
    unknownRecords: countSchema.describe(
      "records of a type that the importer does not know",
    ),
    importer: textSchema(40).describe("version of the importer"),
    ruleset: textSchema(40).describe(
      "version of the label and redaction rules",
    ),
  }).describe("where it came from"),
}).describe(
  "Agent session summary, version 1: one row of the list. It never holds a prompt or a reply.",
);
