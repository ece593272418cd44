/**
 * Reads a family: every thread's files, then who started whom.
 *
 * @module
 */
import { SessionBuilder } from "../../session/builder.ts";
import type { BuiltSession } from "../../session/model.ts";
import {
  asArray,
  asObject,
  type JsonObject,
  parseRecords,
  readLines,
  type Records,
} from "../lines.ts";
import type {
  Problem,
  ReadContext,
  SourceFile,
  Unit,
  UnitResult,
} from "../types.ts";
import { plainBytes, ZstdDamagedError } from "../zstd.ts";
import { isSingle, readSingle } from "./head.ts";
import { type Cut, History, ordinalCut, StartFinder } from "./history.ts";
import { shortRecord } from "./peek.ts";
import { Rollout } from "./rollout.ts";
import type { Family, Thread } from "./scan.ts";

/** What came of reading a file's records. */
interface FileResult {
  bytes: number;
  records: number;
  badLines: number;
  tornTail: boolean;
}

type RecordHandler = (record: JsonObject, line: number) => void;

/** The records of a single-object file, as if it had lines. */
function* singleRecords(path: string): Generator<JsonObject> {
  const value = asObject(readSingle(path));
  const session = asObject(value?.["session"]);
  if (session) yield session;
  for (const item of asArray(value?.["items"])) {
    const record = asObject(item);
    if (record) yield record;
  }
}

/**
 * Hands over each record of a file. What cannot be read becomes a problem;
 * throws only the signal's reason.
 */
async function readRecords(
  file: SourceFile,
  context: ReadContext,
  onRecord: RecordHandler,
  problems: Problem[],
  headIsEnough: (call: string) => boolean = () => false,
): Promise<FileResult> {
  const result: FileResult = {
    bytes: 0,
    records: 0,
    badLines: 0,
    tornTail: false,
  };
  const bad: number[] = [];
  let last = 0;
  try {
    if (isSingle(file.path)) {
      for (const record of singleRecords(file.path)) onRecord(record, ++last);
      context.progress?.(file.size);
      return { ...result, bytes: file.size, records: last };
    }
    const lines = await readLines(file.path, (bytes, number) => {
      last = number;
      const short = shortRecord(bytes, headIsEnough);
      const records: Records | undefined = short
        ? [short]
        : parseRecords(bytes);
      if (!records || records.torn) bad.push(number);
      for (const record of records ?? []) onRecord(record, number);
      result.records += records?.length ?? 0;
    }, {
      transform: plainBytes,
      ...(context.signal ? { signal: context.signal } : {}),
      ...(context.progress
        ? { progress: (bytes: number) => context.progress?.(bytes) }
        : {}),
    });
    result.bytes = lines.bytes;
    // A last line without its end may still be being written.
    if (lines.tail && bad[bad.length - 1] === last) {
      bad.pop();
      result.tornTail = true;
    }
    if (lines.tooLong[0] !== undefined) {
      problems.push({
        file: file.path,
        line: lines.tooLong[0],
        code: "LINE_TOO_LONG",
        message:
          `${lines.tooLong.length} line(s) above 128 MB were passed over`,
      });
      result.badLines += lines.tooLong.length;
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    const damaged = error instanceof ZstdDamagedError;
    if (damaged) result.badLines++;
    problems.push({
      file: file.path,
      code: damaged ? "DAMAGED_LINES" : "UNREADABLE",
      message: damaged
        ? "the compressed file is damaged: what came before the damage was kept; restore the file to get the rest"
        : "the file could not be read: check that it is there and its permissions",
    });
    result.bytes = file.size;
  }
  result.badLines += bad.length;
  if (bad[0] !== undefined) {
    problems.push({
      file: file.path,
      line: bad[0],
      code: "DAMAGED_LINES",
      message:
        `${bad.length} line(s) could not be read and were passed over; the rest was kept`,
    });
  }
  return result;
}

/** Reads families one at a time. */
class FamilyReader {
  readonly problems: Problem[] = [];
  readonly rollouts = new Map<string, Rollout>();
  #context: ReadContext;
  #family: Family;
  #histories = new Map<string, History>();
  /** Threads in the family that another's history was copied from. */
  #copied: Set<string>;

  constructor(family: Family, context: ReadContext) {
    this.#family = family;
    this.#context = context;
    this.#copied = new Set(
      family.threads.flatMap((t) => t.head.fork ?? []),
    );
  }

  async read(): Promise<void> {
    for (const source of this.#family.sources) {
      const history = new History();
      for (const file of source.files) {
        await readRecords(file, this.#quiet(), (r) => history.add(r), []);
      }
      this.#histories.set(source.id, history);
    }
    for (const thread of this.#inOrder()) await this.#thread(thread);
  }

  /** The same context without progress: these bytes are another unit's. */
  #quiet(): ReadContext {
    const { analyst, signal } = this.#context;
    return signal ? { analyst, signal } : { analyst };
  }

  /** Sources of copied histories before their forks. */
  #inOrder(): Thread[] {
    const byId = new Map(this.#family.threads.map((t) => [t.id, t]));
    const done = new Set<string>();
    const order: Thread[] = [];
    for (const thread of this.#family.threads) {
      const chain: Thread[] = [];
      let next: Thread | undefined = thread;
      while (next && !done.has(next.id)) {
        done.add(next.id);
        chain.push(next);
        const fork: string | undefined = next.head.fork;
        next = fork === undefined ? undefined : byId.get(fork);
      }
      order.push(...chain.reverse());
    }
    return order;
  }

  async #cutOf(thread: Thread): Promise<Cut | undefined> {
    const { head } = thread;
    if (head.ordinal !== undefined) return ordinalCut(head.ordinal);
    // Its history is in the other file: nothing was copied.
    if (head.fork === undefined || head.base !== undefined) return undefined;
    const history = this.#histories.get(head.fork);
    if (history) return history.cut();
    const [file] = thread.files;
    if (head.at === undefined || !file) return undefined;
    const finder = new StartFinder(head.at);
    await readRecords(
      file,
      this.#quiet(),
      (record, line) => finder.add(record, line),
      [],
    );
    return finder.cut();
  }

  async #thread(thread: Thread): Promise<void> {
    const cut = await this.#cutOf(thread);
    const rollout = new Rollout(thread, this.#context, {
      ...(cut ? { cut } : {}),
      record: this.#copied.has(thread.id),
    });
    const session = rollout.session;
    let records = 0;
    for (const [i, file] of thread.files.entries()) {
      if (i > 0) rollout.nextFile();
      const result = await readRecords(
        file,
        this.#context,
        (record, line) => rollout.record(record, line),
        this.problems,
        (call) => rollout.ledger.headIsEnough(call),
      );
      records += result.records;
      session.records += result.records;
      session.bytes += result.bytes;
      session.badLines += result.badLines;
      session.tornTail = result.tornTail;
      session.files++;
    }
    if (rollout.history) this.#histories.set(thread.id, rollout.history);
    // Gone or unreadable since it was found: not a session that is empty.
    if (records === 0) return;
    this.rollouts.set(thread.id, rollout);
  }
}

/** Links each subagent to the thread, and where known the call, that started it. */
function link(family: Family, rollouts: Map<string, Rollout>): void {
  for (const thread of family.threads) {
    const { parent } = thread.head;
    const rollout = rollouts.get(thread.id);
    if (!rollout || parent === undefined || thread.id === family.root) continue;
    const starter = rollouts.get(parent);
    const start = starter?.ledger.startOf(thread.id, rollout.path);
    rollout.session.parent = start
      ? { session: parent, call: start.call, evidence: start.evidence }
      : { session: parent, evidence: "record" };
    if (!start) continue;
    const call = starter?.session.calls.get(start.call);
    if (call) call.subagent ??= thread.id;
  }
}

/** A session in the place of a root whose file is gone. */
function placeholder(
  id: string,
  children: BuiltSession[],
  context: ReadContext,
): BuiltSession {
  const session = new SessionBuilder("codex", id, "main", context.analyst)
    .finish();
  session.placeholder = true;
  const times = children.flatMap((c) => [c.startedAt, c.endedAt])
    .filter((t) => t > 0);
  if (times.length > 0) {
    session.startedAt = Math.min(...times);
    session.endedAt = Math.max(...times);
  }
  const [first] = children;
  session.cwds.push(...(first?.cwds.slice(0, 1) ?? []));
  session.branches.push(...(first?.branches.slice(0, 1) ?? []));
  session.versions.push(...(first?.versions.slice(0, 1) ?? []));
  if (first?.remote !== undefined) session.remote = first.remote;
  return session;
}

/** Reads one root session with its subagents. */
export async function read(
  unit: Unit,
  context: ReadContext,
): Promise<UnitResult> {
  const family = unit.state as Family;
  const reader = new FamilyReader(family, context);
  await reader.read();
  const { problems } = reader;
  // The root was there a moment ago: better nothing now than a family without.
  if (
    !reader.rollouts.has(family.root) &&
    family.threads.some((thread) => thread.id === family.root)
  ) return { subagents: [], problems };
  link(family, reader.rollouts);
  const sessions = family.threads.flatMap((t) =>
    reader.rollouts.get(t.id)?.finish() ?? []
  );
  const root = sessions.find((s) => s.id === family.root);
  const subagents = sessions.filter((s) => s !== root);
  if (sessions.length === 0) return { subagents, problems };
  return {
    session: root ?? placeholder(family.root, subagents, context),
    subagents,
    problems,
  };
}
