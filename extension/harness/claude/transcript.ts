/**
 * One file -> its threads: the session or subagent it belongs to, and the
 * sidechains that old versions wrote into the session's own file.
 *
 * @module
 */
import {
  asString,
  type JsonObject,
  type LinesContext,
  parseRecords,
  readLines,
} from "../lines.ts";
import type { Problem } from "../types.ts";
import { hashId, HashSet, isGlobalId } from "./ids.ts";
import type { Copied } from "./lineage.ts";
import { FLAT_TYPES, TREE_TYPES } from "./records.ts";
import { recordTime } from "./text.ts";
import { type Shared, Thread } from "./thread.ts";

/** Most subagents taken out of one session's own file. */
const MOST_EMBEDDED = 2000;

/** Reads one file into threads. */
export class Transcript {
  /** The session or subagent that the file belongs to. */
  readonly main: Thread;
  /** Subagents whose records stand in the session's own file, by root uuid. */
  readonly embedded: { root: string; thread: Thread }[] = [];
  /** Records that belong to a conversation, copied ones included. */
  conversation = 0;
  /** What could not be read. */
  readonly problems: Problem[] = [];
  #file: string;
  #shared: Shared;
  #uuids: HashSet;
  #local = new HashSet();
  #copied: Copied | undefined;
  #sidechains: Map<string, Thread> | undefined;

  /**
   * `uuids` holds those of the unit's other files; `copied` says what belongs
   * to another session.
   */
  constructor(
    file: string,
    main: Thread,
    shared: Shared,
    uuids: HashSet,
    copied?: Copied,
  ) {
    this.#file = file;
    this.main = main;
    this.#shared = shared;
    this.#uuids = uuids;
    this.#copied = copied;
    if (main.builder.session.kind === "main") this.#sidechains = new Map();
  }

  /** Reads the file. Throws what the file system throws, and when stopped. */
  async read(context: LinesContext): Promise<void> {
    const session = this.main.builder.session;
    const skim = this.#shared.texts ? undefined : this.#shared.skimmer;
    const parse = skim ? (line: Uint8Array) => skim.parse(line) : parseRecords;
    let bad = 0, firstBad = 0, lastBad = 0, last = 0;
    let reading: Uint8Array = new Uint8Array(0);
    this.#shared.whole = () => parseRecords(reading) ?? [];
    const lines = await readLines(this.#file, (line, number) => {
      last = number;
      reading = line;
      const records = parse(line);
      if (records) {
        session.records += records.length;
        for (const record of records) this.#take(record, number);
      }
      if (!records || records.torn) {
        bad++;
        firstBad ||= number;
        lastBad = number;
      }
    }, context);
    if (lines.tail && lastBad === last && bad > 0) {
      // Still being written: the next reading will see it whole.
      session.tornTail = true;
      bad--;
      if (firstBad === lastBad) firstBad = 0;
    }
    delete this.#shared.whole;
    session.badLines = bad + lines.tooLong.length;
    session.bytes = lines.bytes;
    session.files = 1;
    if (bad > 0) {
      this.problems.push({
        file: this.#file,
        line: firstBad,
        code: "DAMAGED_LINES",
        message: `${bad} line${bad === 1 ? "" : "s"} could not be read and ${
          bad === 1 ? "was" : "were"
        } left out; everything else was read`,
      });
    }
    if (lines.tooLong.length > 0) {
      this.problems.push({
        file: this.#file,
        line: lines.tooLong[0] ?? 0,
        code: "LINE_TOO_LONG",
        message:
          `${lines.tooLong.length} line(s) longer than 128 MB were left out; everything else was read`,
      });
    }
  }

  #take(record: JsonObject, line: number): void {
    const uuid = asString(record.uuid);
    const session = this.main.builder.session;
    const at = recordTime(record.timestamp);
    if (uuid !== undefined) {
      const hash = hashId(uuid);
      if (this.#copied?.has(record, line, at)) {
        this.conversation++;
        return;
      }
      const seen = isGlobalId(uuid) ? this.#uuids : this.#local;
      if (!seen.add(hash)) {
        session.duplicates++;
        return;
      }
    } else if (this.#copied && line <= this.#copied.lastLine) return;
    const type = asString(record.type) ?? "";
    const thread = this.#threadOf(record, uuid, at);
    if (TREE_TYPES.has(type) || type === "queue-operation") {
      this.conversation++;
      thread.take(type, record, at);
      return;
    }
    thread.note(record, at);
    if (!FLAT_TYPES.has(type)) {
      this.main.builder.unknown(record.type);
      return;
    }
    if (type === "pr-link") {
      const url = asString(record.prUrl) ?? "";
      const remote = /^(https:\/\/[\w.-]{1,100}\/[\w./-]{1,200})\/pull\/\d+$/
        .exec(url)?.[1];
      if (remote) session.remote ??= remote;
    }
  }

  /** The thread of a record: sidechains hang together by their parents. */
  #threadOf(
    record: JsonObject,
    uuid: string | undefined,
    at: number,
  ): Thread {
    if (record.isSidechain !== true || !this.#sidechains) return this.main;
    // The session lasts as long as the subagents in its file.
    if (!Number.isNaN(at)) this.main.builder.seen(at);
    const parent = asString(record.parentUuid);
    let thread = parent === undefined
      ? undefined
      : this.#sidechains.get(parent);
    // A file full of roots is damaged: the rest goes with the last.
    if (!thread && this.embedded.length >= MOST_EMBEDDED) {
      thread = this.embedded[MOST_EMBEDDED - 1]?.thread;
    }
    if (!thread) {
      const root = uuid ?? String(this.embedded.length + 1);
      thread = new Thread(
        `${this.main.builder.session.id}#${root}`,
        "subagent",
        this.#shared,
      );
      this.embedded.push({ root, thread });
    }
    if (uuid !== undefined) this.#sidechains.set(uuid, thread);
    return thread;
  }
}
