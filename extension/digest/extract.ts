/**
 * A session and its texts -> the digest that `extract` prints: what another
 * agent needs to go on, or to remember. Printed, never stored.
 *
 * @module
 */
import type { Detail, Substance } from "../../schema/mod.ts";
import { isoTime } from "../../schema/mod.ts";
import type { BuiltCall, BuiltSession, TextEntry } from "../session/model.ts";
import type { PrivateText } from "../session/private-text.ts";
import { digestSession } from "./mod.ts";

/** Longest text of a digest's field, in UTF-16 units; longer ones are cut in the middle. */
export const DIGEST_TEXT = 4000;
/** Most recaps and compactions given. */
export const MAX_SUMMARIES = 50;
/** Most failing commands and most errors given; the totals are given beside them. */
export const MAX_FAILING = 50;
/** Last assistant texts given as the final state. */
export const FINAL_TEXTS = 3;
/** Tokens a part of the full transcript aims at, at four characters a token. */
export const SEGMENT_TOKENS = 20_000;

/** A failed call. */
export interface DigestError {
  /** The tool. */
  tool: string;
  /** The command or telling argument, redacted. */
  text: string;
  /** Exit code, where known. */
  exitCode?: number;
  /** When. */
  at: string;
}

/** One line of the de-noised transcript. */
export interface TranscriptEntry {
  /** When. */
  at: string;
  /** Who: a person, the assistant, or a call. */
  role: "human" | "assistant" | "call" | "recap" | "compaction";
  /** Redacted text; of a call its tool, argument and how it ended. */
  text: string;
}

/** A part of the transcript. */
export interface Segment {
  /** Which part, from 1. */
  number: number;
  /** Of how many. */
  of: number;
  /** Its size, at four characters a token. */
  tokens: number;
  /** Its lines. */
  entries: TranscriptEntry[];
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
  /** The model with most output. */
  model?: string;
  /** First moment. */
  startedAt: string;
  /** Last moment. */
  endedAt: string;
  /** From start to end, in minutes, one decimal. */
  durationMin: number;
  /** Activity, not worth; with the calls and files that made it. */
  substance: Substance;
  /** Local files. */
  files: Detail["files"];
  /** Shell commands: how many, and those that failed. */
  commands: { total: number; failed: number; failing: DigestError[] };
  /** Failed calls of other tools. */
  errors: DigestError[];
  /** Tools, most used first. */
  tools: Detail["tools"];
  /** Test runs. */
  tests: { command: string; passed: boolean | null }[];
  /** What was asked first, and where it ended. */
  keyTurns: { goal?: string; finalState: string[] };
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
  /** Adds the transcript: all of it in parts of `SEGMENT_TOKENS`, or part `number` of `of`. */
  full?: { number: number; of?: number };
}

/** A text cut in the middle, so that both its ends are kept. */
export function shorten(text: string, limit: number = DIGEST_TEXT): string {
  const clean = text.trim();
  if (clean.length <= limit) return clean;
  const half = Math.floor((limit - 24) / 2);
  return `${clean.slice(0, half).trimEnd()}\n[… ${
    clean.length - 2 * half
  } characters …]\n${clean.slice(-half).trimStart()}`;
}

const asError = (call: BuiltCall): DigestError => ({
  tool: call.tool,
  text: shorten(call.facts.text, 400),
  ...(call.exitCode === undefined ? {} : { exitCode: call.exitCode }),
  at: isoTime(call.startedAt),
});

/** Extracts the digest. Pure: the same input gives the same digest. */
export function extractDigest(input: ExtractInput): ExtractedDigest {
  const { root, subagents, texts, clean } = input;
  const digest = digestSession(root, subagents);
  const calls = [root, ...subagents].flatMap((s) => [...s.calls.values()])
    .sort((a, b) => a.startedAt - b.startedAt);
  const failed = calls.filter((c) => c.state === "failed");
  const shells = calls.filter((c) => c.shell);
  const failedShells = failed.filter((c) => c.shell);
  const human = texts.find((t) => t.role === "human");
  const final = texts.filter((t) => t.role === "assistant").slice(-FINAL_TEXTS);
  const model = [...root.outputByModel].sort(([, a], [, b]) => b - a)[0]?.[0] ??
    root.models[0];
  return {
    digestVersion: 1,
    agent: root.harness,
    sessionId: root.id,
    filePath: input.filePath,
    project: input.project,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    ...(model === undefined ? {} : { model }),
    startedAt: isoTime(root.startedAt),
    endedAt: isoTime(root.endedAt),
    durationMin: Math.round((root.endedAt - root.startedAt) / 6000) / 10,
    substance: digest.substance,
    files: digest.files,
    commands: {
      total: shells.length,
      failed: failedShells.length,
      failing: failedShells.slice(-MAX_FAILING).map(asError),
    },
    errors: failed.filter((c) => !c.shell).slice(-MAX_FAILING).map(asError),
    tools: digest.tools,
    tests: digest.tests.map(({ call, passed }) => ({
      command: shorten(call.facts.text, 400),
      passed,
    })),
    keyTurns: {
      ...(human ? { goal: shorten(clean(human.text)) } : {}),
      finalState: final.map((t) => shorten(clean(t.text))),
    },
    summaries: summaries(input),
    ...(input.full ? { transcript: segment(input, calls) } : {}),
  };
}

function summaries(
  { root, texts, clean }: ExtractInput,
): ExtractedDigest["summaries"] {
  const written = texts.filter((t) =>
    t.role === "recap" || t.role === "compaction"
  ).map((t) => ({
    subtype: t.role as string,
    text: shorten(clean(t.text)),
    at: t.at,
  }));
  const told = written.filter((t) => t.subtype === "compaction").length;
  // A compaction whose summary the harness did not keep still gets a line.
  const silent = root.marks.filter((m) => m.kind === "compaction").slice(told)
    .map((m) => ({
      subtype: "compaction",
      text: `The context was compacted here; the session had made ${
        [...root.calls.values()].filter((c) => c.startedAt <= m.at).length
      } calls. Its summary was not recorded.`,
      at: m.at,
    }));
  return [...written, ...silent].sort((a, b) => a.at - b.at)
    .slice(-MAX_SUMMARIES)
    .map(({ subtype, text, at }) => ({
      subtype,
      text,
      timestamp: isoTime(at),
    }));
}

function segment(
  { texts, clean, full }: ExtractInput,
  calls: readonly BuiltCall[],
): Segment {
  const lines = [
    ...texts.map((t) => ({
      at: t.at,
      role: t.role as TranscriptEntry["role"],
      text: clean(t.text).trim(),
    })),
    ...calls.map((c) => ({
      at: c.startedAt,
      role: "call" as const,
      text: `${c.tool} ${shorten(c.facts.text, 400)} -> ${c.state}${
        c.exitCode ? ` (exit ${c.exitCode})` : ""
      }`,
    })),
  ].filter((l) => l.text !== "").sort((a, b) => a.at - b.at)
    .map((l) => ({ ...l, at: isoTime(l.at) }));
  const size = (l: TranscriptEntry) => Math.ceil(l.text.length / 4);
  const total = lines.reduce((sum, l) => sum + size(l), 0);
  const of = Math.max(1, full?.of ?? Math.ceil(total / SEGMENT_TOKENS));
  const number = Math.min(Math.max(1, full?.number ?? 1), of);
  const share = total / of;
  let before = 0;
  const entries = lines.filter((l) => {
    const part = share === 0 ? 1 : Math.min(of, 1 + Math.floor(before / share));
    before += size(l);
    return part === number;
  });
  return {
    number,
    of,
    tokens: entries.reduce((sum, l) => sum + size(l), 0),
    entries,
  };
}
