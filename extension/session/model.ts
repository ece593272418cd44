/**
 * A session as built from normalised events, before it becomes records.
 * Times are epoch milliseconds.
 *
 * @module
 */
import type {
  Call,
  CallState,
  MarkKind,
  Mode,
  Tokens,
  Trigger,
} from "../../schema/mod.ts";
import type { PrivateText } from "./private-text.ts";

/** What the one telling argument of a call is. */
export type InputKind =
  | "shell"
  | "path"
  | "pattern"
  | "url"
  | "agent"
  | "query"
  | "patch"
  | "other";

/** What an adapter hands over of a call's arguments. */
export interface CallInput {
  /** What `text` is. */
  kind: InputKind;
  /** The command, or the one telling argument; never contents, never a prompt. */
  text?: PrivateText;
  /** Which shell reads a command; `posix` unless said. */
  dialect?: "posix" | "powershell" | "cmd";
  /** The MCP server, for calls to one. */
  server?: string;
  /** Local files that the call writes, by its own arguments (file tools, patches). */
  writes?: PrivateText[];
  /** Local files that the call reads, by its own arguments. */
  reads?: PrivateText[];
  /** Folders or files that the call looks through, by its own arguments. */
  searches?: PrivateText[];
}

/** What redaction, classification and digest know of one call. */
export interface CallFacts extends
  Pick<
    Call,
    | "text"
    | "truncated"
    | "redactions"
    | "label"
    | "category"
    | "rule"
    | "mutating"
    | "why"
    | "wraps"
    | "low"
  > {
  /** Redacted local files written. */
  writes?: string[];
  /** Redacted local files read. */
  reads?: string[];
  /** Set where the call runs tests: the runner's name. */
  test?: string;
  /** The call's exit code is the runner's own, or a 0 says that it passed. */
  testExit?: "all" | "zero";
  /** Its output was filtered: that no failure is seen proves nothing. */
  testFiltered?: true;
}

/** Redacts, labels and digests calls as they are built; given by the importer. */
export interface CallAnalyst {
  /** Told the first working directory of each session, before its calls. */
  place?(cwd: string): void;
  /** The facts of a call, from its arguments. Never throws. */
  call(tool: string, input: CallInput): CallFacts;
  /** Whether a test run passed by its output's own summary line; null: unknown. */
  testOutcome(runner: string, output: PrivateText): boolean | null;
}

/** A call as built. */
export interface BuiltCall {
  /** The harness's id. */
  id: string;
  /** The tool's name, printable. */
  tool: string;
  /** When it was asked for. */
  startedAt: number;
  /** When its result came, or its background work ended. */
  endedAt?: number;
  /** How it ended. */
  state: CallState;
  /** Exit code, where recorded. */
  exitCode?: number;
  /** The child session it started. */
  subagent?: string;
  /** Test runs only: passed, failed or unknown. */
  passed?: boolean | null;
  /** Its text is a shell command. */
  shell?: true;
  /** Tokens that its result brought into the context, where the counts tell. */
  brought?: number;
  /** Redacted text, label and so on. */
  facts: CallFacts;
  /** Its turn. */
  turn: BuiltTurn;
}

/** A turn as built. */
export interface BuiltTurn {
  /** From 1; given by `finish`. */
  number: number;
  /** The harness's own key of the turn, if any. */
  key?: string;
  /** When it began. */
  startedAt: number;
  /** Its last activity. */
  endedAt: number;
  /** What began it. */
  trigger: Trigger;
  /** Human prompts in it. */
  prompts: number;
  /** Tokens; given by `finish`. */
  tokens: Tokens;
  /** Tokens in the context at its last reply; given by `finish`. */
  context?: number;
  /** Its calls. */
  calls: BuiltCall[];
}

/** How a subagent was linked to its parent. */
export type LinkEvidence =
  | "sidecar"
  | "result"
  | "progress"
  | "notification"
  | "prompt"
  | "event"
  | "path"
  | "workflow"
  | "directory"
  | "record";

/** What a session is for. */
export type SessionKind = "main" | "subagent";

/** A session or subagent as built. */
export interface BuiltSession {
  /** The harness's id. */
  id: string;
  /** Which harness. */
  harness: string;
  /** Main session or subagent. */
  kind: SessionKind;
  /** The harness's own work, in its word: guardian, review, compact, memory, warmup. */
  auxiliary?: string;
  /** Made because the real parent's file is gone. */
  placeholder?: boolean;
  /** Who started it. */
  parent?: { session: string; call?: string; evidence: LinkEvidence };
  /** Kind of subagent. */
  agentType?: string;
  /** Harness versions, in order of appearance. */
  versions: string[];
  /** How it was started, in the harness's word. */
  entry?: string;
  /** Whether a person sat at it. */
  mode: Mode;
  /** Working directories, in order of appearance. */
  cwds: string[];
  /** Branches, in order of appearance; none of "" and "HEAD". */
  branches: string[];
  /** Git remote, where recorded. */
  remote?: string;
  /** Models, in order of first use. */
  models: string[];
  /** Output tokens by model. */
  outputByModel: Map<string, number>;
  /** First moment. */
  startedAt: number;
  /** Last moment. */
  endedAt: number;
  /** Turns in order. */
  turns: BuiltTurn[];
  /** All calls by id. */
  calls: Map<string, BuiltCall>;
  /** What happened to the session. */
  marks: { at: number; kind: MarkKind }[];
  /** Its own tokens. */
  tokens: Tokens;
  /** The session whose history it begins with. */
  forkOf?: string;
  /** Human and assistant messages. */
  messages: number;
  /** Whether an assistant turn came after the last user turn or interruption. */
  endedCleanly: boolean;
  /** Results without a call. */
  orphanResults: number;
  /** Records with a uuid already seen in the same file. */
  duplicates: number;
  /** Records read, of whatever type. */
  records: number;
  /** Lines that could not be read. */
  badLines: number;
  /** The last line is still being written. */
  tornTail: boolean;
  /** Unknown record types and how often. */
  unknown: Map<string, number>;
  /** Bytes read. */
  bytes: number;
  /** Files read. */
  files: number;
}

/** A piece of text of a session, for `extract` only. */
export interface TextEntry {
  /** When. */
  at: number;
  /** Whose. */
  role: "human" | "assistant" | "recap" | "compaction";
  /** The text. */
  text: PrivateText;
}

/** Receives texts as they are read; absent while importing. */
export type TextSink = (session: string, entry: TextEntry) => void;
