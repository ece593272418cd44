/**
 * The detail of a session: all turns and calls, subagents included.
 *
 * @module
 */
import { z } from "npm:zod@4";
import {
  CALL_STATES,
  type CallState,
  countSchema,
  idSchema,
  type Label,
  LABELS,
  MARK_KINDS,
  type MarkKind,
  SCHEMA_VERSION,
  SEVERITIES,
  type Severity,
  TEXT_LIMIT,
  textSchema,
  timeSchema,
  type Tokens,
  tokensSchema,
  type Trigger,
  TRIGGERS,
} from "./common.ts";

/** One tool call. */
export interface Call {
  /** The harness's id of the call; unique within the item. */
  id: string;
  /** The tool's name, as the harness writes it, made printable. */
  tool: string;
  /** When it was asked for. */
  startedAt: string;
  /** When its result came; for a background call its real end. */
  endedAt?: string;
  /** True for state ok, false for failed; else absent. */
  ok?: boolean;
  /** How it ended. */
  state: CallState;
  /** The command's exit code, where the record holds one. */
  exitCode?: number;
  /** Redacted: the command, or the one telling argument; "" where there is none. */
  text: string;
  /** Set when `text` was cut at the limit. */
  truncated?: true;
  /** How many parts of the text were redacted. */
  redactions?: number;
  /** swamp, bypass or neutral. */
  label: Label;
  /** What kind of thing it did. */
  category: string;
  /** The rule that decided. */
  rule: string;
  /** Whether it changed something outside. */
  mutating?: boolean;
  /** The part of `text` that decided, as UTF-16 offsets [start, end). */
  why?: [number, number];
  /** The model type in this repository that wraps what a bypass did. */
  wraps?: string;
  /** Set when the label is of low confidence. */
  low?: true;
  /** The child session that the call started. */
  subagent?: string;
  /** Root spans of swamp runs, where known. */
  spans?: string[];
}

/** What one prompt, command or notification set off. */
export interface Turn {
  /** From 1. */
  number: number;
  /** When it began. */
  startedAt: string;
  /** Its last activity. */
  endedAt: string;
  /** What began it. */
  trigger: Trigger;
  /** Tokens spent in it. */
  tokens: Tokens;
  /** Tokens in the context at its last reply, where the record tells. */
  context?: number;
  /** Its calls, in the order they were asked for. */
  calls: Call[];
}

/** Something that happened to the session itself. */
export interface Mark {
  /** When. */
  at: string;
  /** What. */
  kind: MarkKind;
}

/** A session or a subagent; all have the same shape. */
export interface SessionDetail {
  /** The session's id; for a subagent the agent's. */
  id: string;
  /** Who started a subagent: the session, and the call in it where known. */
  parent?: { session: string; call?: string };
  /** The kind of subagent, in the harness's word. */
  agentType?: string;
  /** Set for an agent of the harness's own, which no call started. */
  auxiliary?: true;
  /** Models, in order of first use. */
  models: string[];
  /** First moment recorded. */
  startedAt: string;
  /** Last moment recorded. */
  endedAt: string;
  /** Its own tokens, without its subagents'. */
  tokens: Tokens;
  /** Its turns, in time order. */
  turns: Turn[];
  /** What happened to the session itself. */
  marks: Mark[];
}

/** Something to tune, with its evidence. */
export interface Finding {
  /** Unique within the item. */
  id: string;
  /** The rule that found it. */
  rule: string;
  /** How much it matters. */
  severity: Severity;
  /** One sentence for people. */
  text: string;
  /** The calls behind it. */
  calls: string[];
}

/** Everything about one session. */
export interface Detail {
  /** Always 1. */
  schemaVersion: 1;
  /** The session. */
  session: SessionDetail;
  /** Its subagents at any depth, linked by `parent`. */
  subagents: SessionDetail[];
  /** What to tune. */
  findings: Finding[];
  /** Local files, redacted, each once; read excludes written. */
  files: { written: string[]; read: string[] };
  /** Test runs: the call, and whether they passed where known. */
  tests: { call: string; passed: boolean | null }[];
  /** Tools used, subagents' included, most used first. */
  tools: { name: string; count: number }[];
}

/** See {@link Call}. */
export const callSchema: z.ZodType<Call> = z.strictObject({
  id: textSchema(200).describe("the harness's id; unique within the item"),
  tool: textSchema(200).describe("the tool's name, made printable"),
  startedAt: timeSchema.describe("when it was asked for"),
  endedAt: timeSchema.optional().describe(
    "when its result came; for a background call its real end",
  ),
  ok: z.boolean().optional().describe("true for state ok, false for failed"),
  state: z.enum(CALL_STATES).describe("how it ended"),
  exitCode: z.int().optional().describe("the command's exit code, where known"),
  text: z.string().max(TEXT_LIMIT).describe(
    "redacted: the command, or the one telling argument; never file contents, never a prompt",
  ),
  truncated: z.literal(true).optional().describe("set when text was cut"),
  redactions: z.int().min(1).optional().describe(
    "how many parts of the text were redacted",
  ),
  label: z.enum(LABELS).describe("swamp, bypass or neutral"),
  category: textSchema(60).describe("what kind of thing it did"),
  rule: textSchema(80).describe("the rule that decided"),
  mutating: z.boolean().optional().describe(
    "whether it changed something outside",
  ),
  why: z.tuple([z.int().min(0), z.int().min(0)]).optional().describe(
    "the part of text that decided, as UTF-16 offsets [start, end)",
  ),
  wraps: textSchema(120).optional().describe(
    "the model type in this repository that wraps what a bypass did",
  ),
  low: z.literal(true).optional().describe("set when confidence is low"),
  subagent: idSchema.optional().describe("the child session it started"),
  spans: z.array(textSchema(120)).max(20).optional().describe(
    "root spans of swamp runs, where known",
  ),
}).describe("one tool call");

const turnSchema: z.ZodType<Turn> = z.strictObject({
  number: z.int().min(1).describe("from 1"),
  startedAt: timeSchema.describe("when it began"),
  endedAt: timeSchema.describe("its last activity"),
  trigger: z.enum(TRIGGERS).describe("what began it"),
  tokens: tokensSchema,
  context: countSchema.optional().describe(
    "tokens in the context at its last reply, where the record tells",
  ),
  calls: z.array(callSchema).describe("its calls, in the order asked for"),
}).describe("what one prompt, command or notification set off");

/** See {@link SessionDetail}. */
export const sessionDetailSchema: z.ZodType<SessionDetail> = z.strictObject({
  id: idSchema.describe("the session's id; for a subagent the agent's"),
  parent: z.strictObject({
    session: idSchema.describe("the session or subagent that started it"),
    call: textSchema(200).optional().describe("the call that started it"),
  }).optional().describe("who started a subagent"),
  agentType: textSchema(120).optional().describe("the kind of subagent"),
  auxiliary: z.literal(true).optional().describe(
    "set for an agent of the harness's own, which no call started: its tokens count, it is not counted as a subagent",
  ),
  models: z.array(textSchema(200)).max(50).describe(
    "models, in order of first use",
  ),
  startedAt: timeSchema.describe("first moment recorded"),
  endedAt: timeSchema.describe("last moment recorded"),
  tokens: tokensSchema,
  turns: z.array(turnSchema).describe("its turns, in time order"),
  marks: z.array(
    z.strictObject({
      at: timeSchema.describe("when"),
      kind: z.enum(MARK_KINDS).describe("what"),
    }),
  ).describe("what happened to the session itself; never its text"),
}).describe("a session or a subagent; all have the same shape");

/** See {@link Finding}. */
export const findingSchema: z.ZodType<Finding> = z.strictObject({
  id: textSchema(80).describe("unique within the item"),
  rule: textSchema(80).describe("the rule that found it"),
  severity: z.enum(SEVERITIES).describe("how much it matters"),
  text: textSchema(600).describe("one sentence for people"),
  calls: z.array(textSchema(200)).describe("the calls behind it"),
}).describe("something to tune, with its evidence");

/** See {@link Detail}. */
export const detailSchema: z.ZodType<Detail> = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION).describe("always 1"),
  session: sessionDetailSchema.describe("the session"),
  subagents: z.array(sessionDetailSchema).describe(
    "its subagents at any depth, linked by parent",
  ),
  findings: z.array(findingSchema).describe("what to tune"),
  files: z.strictObject({
    written: z.array(textSchema(1024)).describe("local files written"),
    read: z.array(textSchema(1024)).describe(
      "local files read and not written",
    ),
  }).describe("local files, redacted, each once"),
  tests: z.array(
    z.strictObject({
      call: textSchema(200).describe("the call that ran them"),
      passed: z.boolean().nullable().describe("null where unknown"),
    }),
  ).describe("test runs"),
  tools: z.array(
    z.strictObject({
      name: textSchema(200).describe("the tool's name"),
      count: countSchema.describe("its calls"),
    }),
  ).describe("tools used, most used first"),
}).describe(
  "Agent session detail, version 1: all turns and calls, subagents included. It never holds a prompt or a reply.",
);
