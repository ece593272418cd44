/**
 * A session and its texts -> the digest that `extract` prints: what another
 * agent needs to go on, or to remember. Printed, never stored.
 *
 * @module
 */
import type { Detail, Substance } from "../../schema/mod.ts";
import { isoTime } from "../../schema/mod.ts";
import type { BuiltCall, BuiltSession, TextEntry } from "../session/model.ts";
import { PrivateText } from "../session/private-text.ts";
import { digestSession } from "./mod.ts";
import { explainSubstance, type SubstancePart } from "./substance.ts";
import {
  oneLine,
  type Segment,
  segment,
  type SegmentWish,
  shorten,
} from "./transcript.ts";

/** Longest text of a digest's field, in UTF-16 units; longer ones are cut in the middle. */
const DIGEST_TEXT = 4000;
/** Longest later request, likewise. */
const REQUEST_TEXT = 2000;
/** Longest recap or compaction, likewise. */
const SUMMARY_TEXT = 2000;
/** Longest command, cut at its end. */
const COMMAND_TEXT = 400;
/** Most recaps and compactions given, the last ones. */
export const MAX_SUMMARIES = 50;
/** Most calls of a list given, the last ones; totals beside them. */
const MAX_CALLS = 20;
/** Most branches given, the last ones. */
const MAX_BRANCHES = 5;
/** Most test runs given, the last ones. */
const MAX_TESTS = 20;
/** Last requests given, after the goal. */
export const LAST_REQUESTS = 3;
/** Last assistant texts given as the final state. */
export const FINAL_TEXTS = 3;

/** A call that failed, was rejected or went around swamp. */
export interface DigestCall {
  /** The tool. */
  tool: string;
  /** The command or telling argument, redacted. */
  text: string;
  /** Exit code, where known. */
  exitCode?: number;
  /** When. */
  at: string;
  /** How often it came so in a row, where more than once. */
  times?: number;
  /** Bypasses only: set where it changed something. */
  mutating?: true;
}

/** Test runs of one command in a row with one result. */
export interface DigestTest {
  /** The command, redacted. */
  command: string;
  /** Whether they passed; null where that is not known. */
  passed: boolean | null;
  /** When the last of them began. */
  at: string;
  /** How often in a row, where more than once. */
  times?: number;
}

/** What `extract` prints. */
export interface ExtractedDigest {
  /** Version of this shape. */
  digestVersion: 1;
  /** Harness name. */
  agent: string;
  /** The session's id. */
  sessionId: string;
  /** Its own file. */
  filePath: string;
  /** Name of the repository. */
  project: string;
  /** First working directory. */
  cwd?: string;
  /** Branches, in order of appearance, where recorded; at most five. */
  branches?: string[];
  /** The model with most output. */
  model?: string;
  /** First moment. */
  startedAt: string;
  /** Last moment. */
  endedAt: string;
  /** From start to end, in minutes, one decimal. */
  durationMin: number;
  /** Activity, not worth. */
  substance: Substance;
  /** What the score is made of, with the calls and files behind it. */
  substanceParts: SubstancePart[];
  /** Local files. */
  files: Detail["files"];
  /** Shell commands: how many, and those that failed. */
  commands: { total: number; failed: number; failing: DigestCall[] };
  /** Failed calls of other tools. */
  errors: DigestCall[];
  /** Calls that a person said no to, the last ones. */
  rejected: DigestCall[];
  /** Calls that used swamp, and those that went around it: how many, and the last ones. */
  swamp: { calls: number; bypasses: number; last: DigestCall[] };
  /** Tools, most used first. */
  tools: Detail["tools"];
  /** Subagents at any depth, and their calls. */
  subagents: { count: number; calls: number };
  /** Test runs. */
  tests: DigestTest[];
  /** What was asked first, the last things asked after it, and where it ended. */
  keyTurns: { goal?: string; lastRequests: string[]; finalState: string[] };
  /** Recaps and compactions the harness wrote, in time order. */
  summaries: { subtype: string; text: string; timestamp: string }[];
  /** The de-noised transcript, with `--full`. */
  transcript?: Segment;
}

/** What to extract from, and how. */
export interface ExtractInput {
  /** The root session. */
  root: BuiltSession;
  /** Its subagents. */
  subagents: readonly BuiltSession[];
  /** Texts of the root session, in file order. */
  texts: readonly TextEntry[];
  /** Its own file, as it may be shown. */
  filePath: string;
  /** Name of the repository. */
  project: string;
  /** First working directory, as it may be shown. */
  cwd?: string;
  /** Makes a private text fit to print: redaction, or none where asked for. */
  clean(text: PrivateText): string;
  /** Adds a part of the transcript. */
  full?: SegmentWish;
}

/** Whether a person's text is only the name of a command: `/init`. */
export function isBareCommand(text: string): boolean {
  return /^\/[\w:.-]{1,100}$/.test(text.trim());
}

function listOf(calls: readonly BuiltCall[]): DigestCall[] {
  const list: DigestCall[] = [];
  for (const call of calls) {
    const text = oneLine(call.facts.text, COMMAND_TEXT);
    const last = list[list.length - 1];
    if (
      last && text !== "" && last.tool === call.tool && last.text === text &&
      last.exitCode === call.exitCode
    ) {
      last.times = (last.times ?? 1) + 1;
      last.at = isoTime(call.startedAt);
      continue;
    }
    list.push({
      tool: call.tool,
      text,
      ...(call.exitCode === undefined ? {} : { exitCode: call.exitCode }),
      at: isoTime(call.startedAt),
      ...(call.facts.mutating ? { mutating: true as const } : {}),
    });
  }
  return list.slice(-MAX_CALLS);
}

function testsOf(
  runs: readonly { call: BuiltCall; passed: boolean | null }[],
): DigestTest[] {
  const tests: DigestTest[] = [];
  for (const { call, passed } of runs) {
    const command = oneLine(call.facts.text, COMMAND_TEXT);
    const at = isoTime(call.startedAt);
    const last = tests[tests.length - 1];
    if (last?.command === command && last.passed === passed) {
      last.times = (last.times ?? 1) + 1;
      last.at = at;
    } else tests.push({ command, passed, at });
  }
  return tests.slice(-MAX_TESTS);
}

/** Extracts the digest. Pure: the same input gives the same digest. */
export function extractDigest(input: ExtractInput): ExtractedDigest {
  const { root, subagents, texts, clean } = input;
  const digest = digestSession(root, subagents);
  const asked = subagents.filter((s) => s.auxiliary === undefined);
  const { calls } = digest;
  const failed = calls.filter((c) => c.state === "failed");
  const said = texts.filter((t) => t.role === "human");
  const asks = said.filter((t) => !isBareCommand(t.text.reveal()));
  const human = asks[0] ?? said[0];
  const final = texts.filter((t) => t.role === "assistant").slice(-FINAL_TEXTS);
  const model = [...root.outputByModel].sort(([, a], [, b]) => b - a)[0]?.[0] ??
    root.models[0];
  const failedShells = failed.filter((c) => c.shell);
  const branches = root.branches.slice(-MAX_BRANCHES)
    .map((name) => oneLine(clean(new PrivateText(name)), COMMAND_TEXT));
  const around = calls.filter((c) => c.facts.label === "bypass");
  return {
    digestVersion: 1,
    agent: root.harness,
    sessionId: root.id,
    filePath: input.filePath,
    project: input.project,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    ...(branches.length > 0 ? { branches } : {}),
    ...(model === undefined ? {} : { model }),
    startedAt: isoTime(root.startedAt),
    endedAt: isoTime(root.endedAt),
    durationMin: Math.round((root.endedAt - root.startedAt) / 6000) / 10,
    substance: digest.substance,
    substanceParts: explainSubstance(digest),
    files: digest.files,
    commands: {
      total: calls.filter((c) => c.shell).length,
      failed: failedShells.length,
      failing: listOf(failedShells),
    },
    errors: listOf(failed.filter((c) => !c.shell)),
    rejected: listOf(calls.filter((c) => c.state === "rejected")),
    swamp: {
      calls: calls.filter((c) => c.facts.label === "swamp").length,
      bypasses: around.length,
      last: listOf(around),
    },
    tools: digest.tools,
    subagents: {
      count: asked.length,
      calls: asked.reduce((sum, s) => sum + s.calls.size, 0),
    },
    tests: testsOf(digest.tests),
    keyTurns: {
      ...(human ? { goal: shorten(clean(human.text), DIGEST_TEXT) } : {}),
      lastRequests: asks.slice(1).slice(-LAST_REQUESTS)
        .map((t) => shorten(clean(t.text), REQUEST_TEXT)),
      finalState: final.map((t) => shorten(clean(t.text), DIGEST_TEXT)),
    },
    summaries: summaries(input),
    ...(input.full
      ? { transcript: segment(texts, calls, clean, input.full) }
      : {}),
  };
}

function summaries(
  { root, texts, clean }: ExtractInput,
): ExtractedDigest["summaries"] {
  const written = texts.filter((t) =>
    t.role === "recap" || t.role === "compaction"
  );
  const told = written.filter((t) => t.role === "compaction")
    .map((t) => t.at).sort((a, b) => a - b);
  // A compaction whose summary the harness did not keep still gets a line; a
  // summary belongs to the last compaction before it.
  const marks = root.marks.filter((m) => m.kind === "compaction")
    .sort((a, b) => a.at - b.at);
  const silent = marks.filter((mark, i) =>
    !told.some((at) => at >= mark.at && at < (marks[i + 1]?.at ?? Infinity))
  ).map((m) => ({
    subtype: "compaction",
    text: () => {
      const before = [...root.calls.values()]
        .filter((c) => c.startedAt <= m.at).length;
      return `The context was compacted here, after ${before} ${
        before === 1 ? "call" : "calls"
      }. No summary was recorded.`;
    },
    at: m.at,
  }));
  return [
    ...written.map((t) => ({
      subtype: t.role as string,
      text: () => shorten(clean(t.text), SUMMARY_TEXT),
      at: t.at,
    })),
    ...silent,
  ].sort((a, b) => a.at - b.at).slice(-MAX_SUMMARIES)
    .map(({ subtype, text, at }) => ({
      subtype,
      text: text(),
      timestamp: isoTime(at),
    }));
}
