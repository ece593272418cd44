/**
 * A unit's files -> its session and subagents.
 *
 * @module
 */
import type { BuiltSession } from "../../session/model.ts";
import { printable, SessionBuilder } from "../../session/builder.ts";
import { asObject, asString, decode, readSource } from "../lines.ts";
import type {
  Problem,
  ReadContext,
  SourceFile,
  Unit,
  UnitResult,
} from "../types.ts";
import { HashSet } from "./ids.ts";
import {
  type Copied,
  copiedFrom,
  copiedFromGone,
  type Relative,
} from "./lineage.ts";
import { type Child, Links, type Sidecar } from "./links.ts";
import { skimmer } from "./records.ts";
import { type Shared, Thread } from "./thread.ts";
import { Transcript } from "./transcript.ts";

/** A subagent's file. */
export interface ChildFile {
  /** The agent's id: the file's name without `agent-`. */
  agent: string;
  /** Its transcript. */
  file: SourceFile;
  /** Its sidecar. */
  meta?: SourceFile;
  /** The workflow run whose folder it lies in. */
  workflow?: string;
  /** It lies beside its parent, which its records name. */
  flat: boolean;
}

/** What scanning found out for reading. */
export interface UnitState {
  /** The session's own file; absent where it is gone. */
  root?: SourceFile;
  /** The session it says it was forked from. */
  forkedFrom?: string;
  /** Subagent files, in a fixed order. */
  children: ChildFile[];
  /** Sessions that may hold the same history. */
  relatives: Relative[];
}

const SKIMMER = skimmer();

/** Longest sidecar that is read. */
const META_LIMIT = 256 * 1024;

/** The harness's own agents, by the label in their id: no call starts them. */
const AUXILIARY: readonly [prefix: string, word: string][] = [
  ["acompact-", "compact"],
  ["aprompt_suggestion-", "suggestion"],
  ["aside_question-", "side question"],
];

function readSidecar(file: SourceFile | undefined): Sidecar | undefined {
  if (!file || file.size > META_LIMIT) return undefined;
  try {
    const meta = asObject(JSON.parse(decode(readSource(file.path))));
    if (!meta) return undefined;
    const toolUseId = asString(meta.toolUseId);
    const parentAgentId = asString(meta.parentAgentId);
    const agentType = asString(meta.agentType);
    return {
      ...(toolUseId ? { toolUseId } : {}),
      ...(parentAgentId ? { parentAgentId } : {}),
      ...(agentType ? { agentType: printable(agentType, 120) } : {}),
    };
  } catch {
    // Missing or damaged: weaker evidence links the subagent.
    return undefined;
  }
}

function unreadable(file: string, error: unknown): Problem {
  const code = error instanceof Error && "code" in error
    ? String(error.code)
    : "";
  return {
    file,
    code: "UNREADABLE",
    message: code === "ENOENT"
      ? "the file vanished while it was to be read; import again"
      : `the file could not be opened${
        code ? ` (${code})` : ""
      }; check its permissions and import again`,
  };
}

/** Stands in for a session whose own file is gone. */
function placeholder(
  id: string,
  children: readonly BuiltSession[],
  shared: Shared,
): BuiltSession {
  const builder = new SessionBuilder("claude", id, "main", shared.analyst);
  const { session } = builder;
  session.placeholder = true;
  for (const child of children) {
    builder.seen(child.startedAt);
    builder.seen(child.endedAt);
    for (const cwd of child.cwds) builder.note("cwds", cwd);
    for (const version of child.versions) builder.note("versions", version);
    for (const branch of child.branches) builder.note("branches", branch);
  }
  const first = children[0];
  if (first) {
    session.mode = first.mode;
    if (first.entry !== undefined) session.entry = first.entry;
  }
  return builder.finish();
}

/** Reads one root session with its subagents. Throws only when stopped. */
export async function readUnit(
  unit: Unit,
  context: ReadContext,
): Promise<UnitResult> {
  const state = unit.state as UnitState;
  const problems: Problem[] = [];
  const shared: Shared = {
    analyst: context.analyst,
    ...(context.texts ? { texts: context.texts } : {}),
    skimmer: SKIMMER,
    links: new Links(),
    messages: new HashSet(),
  };
  const uuids = new HashSet();
  const lines = {
    ...(context.signal ? { signal: context.signal } : {}),
    ...(context.progress
      ? { progress: (bytes: number) => context.progress?.(bytes) }
      : {}),
  };
  const read = async (
    file: SourceFile,
    thread: Thread,
    own: Shared,
    copied?: Copied,
  ): Promise<Transcript | undefined> => {
    const transcript = new Transcript(file.path, thread, own, uuids, copied);
    try {
      await transcript.read(lines);
    } catch (error) {
      context.signal?.throwIfAborted();
      problems.push(unreadable(file.path, error));
      return undefined;
    }
    problems.push(...transcript.problems);
    return transcript;
  };

  const children: Child[] = [];
  let root: Thread | undefined;
  const copied = await copiesOf(unit.id, state, context);
  if (state.root) {
    const own = sharedWith(shared, copied);
    const thread = new Thread(unit.id, "main", own);
    const transcript = await read(state.root, thread, own, copied);
    // It was there a moment ago: better nothing now than a session without it.
    if (!transcript) return { subagents: [], problems };
    if (transcript.conversation > 0) {
      root = thread;
      if (copied) thread.builder.session.forkOf = copied.from;
      for (const { thread: sidechain } of transcript.embedded) {
        children.push({
          session: finishAgent(sidechain),
          fallback: "record",
          ...(sidechain.firstPrompt === undefined
            ? {}
            : { prompt: sidechain.firstPrompt }),
        });
      }
    } else {
      problems.push({
        file: state.root.path,
        code: "NO_SESSION",
        message: "no session record was found in it; nothing was imported",
      });
    }
  }
  for (const file of state.children) {
    const there = await copied?.agent(file.agent, context.signal);
    const own = sharedWith(shared, there);
    const thread = new Thread(file.agent, "subagent", own);
    const transcript = await read(file.file, thread, own, there);
    if (!transcript || transcript.conversation === 0) continue;
    if (root && there?.lastLine && thread.builder.session.turns.length === 0) {
      // All of it is its origin's; that it was read is known all the same.
      const { files, bytes } = thread.builder.session;
      root.builder.session.files += files;
      root.builder.session.bytes += bytes;
      continue;
    }
    const session = finishAgent(thread, file.agent);
    const sidecar = readSidecar(file.meta);
    if (sidecar?.agentType) session.agentType = sidecar.agentType;
    children.push({
      session,
      agent: file.agent,
      fallback: file.flat ? "record" : "directory",
      ...(sidecar ? { sidecar } : {}),
      ...(file.workflow === undefined ? {} : { workflow: file.workflow }),
      // One that the harness labelled begins with a copy of another's prompt.
      ...(thread.firstPrompt === undefined || labelOf(file.agent) !== undefined
        ? {}
        : { prompt: thread.firstPrompt }),
    });
  }
  const subagents = children.map((child) => child.session).sort((a, b) =>
    a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)
  );
  if (!root && subagents.length === 0) return { subagents: [], problems };
  const session = root?.finish() ?? placeholder(unit.id, subagents, shared);
  shared.links.link(session, children);
  for (const child of subagents) {
    // Whatever it is called: a call started it.
    if (child.parent?.call !== undefined) delete child.auxiliary;
  }
  return { session, subagents, problems };
}

const labelOf = (agent: string): string | undefined =>
  AUXILIARY.find(([prefix]) => agent.startsWith(prefix))?.[1];

function finishAgent(thread: Thread, agent = ""): BuiltSession {
  const session = thread.finish();
  const word = thread.warmup ? "warmup" : labelOf(agent);
  if (word !== undefined) session.auxiliary = word;
  return session;
}

/** What the threads of a file share of which a part counts elsewhere. */
const sharedWith = (shared: Shared, copied: Copied | undefined): Shared =>
  copied ? { ...shared, counted: copied.counted } : shared;

async function copiesOf(
  id: string,
  state: UnitState,
  { signal, fork, known }: ReadContext,
): Promise<Copied | undefined> {
  if (!state.root) return undefined;
  const { forkedFrom, relatives } = state;
  const self: Relative = {
    id,
    file: state.root,
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
  };
  try {
    const copied = relatives.length === 0
      ? undefined
      : await copiedFrom(self, relatives, signal);
    if (copied) return copied;
  } catch {
    signal?.throwIfAborted();
    // The file itself cannot be read, which reading it will report.
    return undefined;
  }
  const isThere = (one: string) => relatives.some(({ id }) => id === one);
  return copiedFromGone(
    forkedFrom !== undefined && forkedFrom !== id && !isThere(forkedFrom) &&
      (known?.(forkedFrom) || fork?.of === forkedFrom)
      ? forkedFrom
      : undefined,
    fork && !isThere(fork.of) ? fork : undefined,
  );
}
