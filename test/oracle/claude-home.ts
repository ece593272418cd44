/**
 * Small Claude Code homes for tests, made record by record.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { claude } from "../../extension/harness/claude/mod.ts";
import type {
  HeadCache,
  Problem,
  ReadContext,
  Unit,
} from "../../extension/harness/types.ts";
import type { BuiltCall, BuiltSession } from "../../extension/session/model.ts";
import { rawAnalyst } from "./oracle.ts";

type Json = Record<string, unknown>;

/** A UUID that says what it is for. */
export function uuid(n: number, prefix = 0): string {
  return `${prefix.toString(16).padStart(8, "0")}-0000-4000-8000-${
    n.toString(16).padStart(12, "0")
  }`;
}

/** The first session's id in most tests. */
export const SID = "aaaaaaaa-0000-4000-8000-000000000001";

/** Start of every tape. */
export const START: number = Date.UTC(2026, 4, 1, 10);

let tapes = 0;

/** A transcript being written; every record is one second later. */
export class Tape {
  readonly records: Json[] = [];
  now: number;
  #envelope: Json;
  #prefix: number;
  #n = 0;
  #parent: string | null = null;

  constructor(envelope: Json = {}, start = START) {
    this.now = start;
    this.#prefix = ++tapes;
    this.#envelope = {
      isSidechain: false,
      userType: "external",
      cwd: "/home/dev/app",
      sessionId: SID,
      version: "2.1.100",
      gitBranch: "main",
      ...envelope,
    };
  }

  /** A record of the tree. */
  add(type: string, fields: Json = {}): Json {
    const id = uuid(++this.#n, this.#prefix);
    const record = {
      parentUuid: this.#parent,
      ...this.#envelope,
      type,
      uuid: id,
      timestamp: new Date(this.now += 1000).toISOString(),
      ...fields,
    };
    this.#parent = id;
    this.records.push(record);
    return record;
  }

  /** A record that stands alone. */
  flat(type: string, fields: Json = {}): Json {
    const record = { type, sessionId: this.#envelope.sessionId, ...fields };
    this.records.push(record);
    return record;
  }

  /** What a person (or the harness in the user's role) says. */
  user(content: unknown, fields: Json = {}): Json {
    return this.add("user", { message: { role: "user", content }, ...fields });
  }

  /** One record of an API response. */
  assistant(
    content: unknown,
    message: Json = {},
    fields: Json = {},
  ): Json {
    return this.add("assistant", {
      message: {
        id: `msg_${uuid(this.#n, this.#prefix)}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-4-6",
        content,
        usage: usage(1, 2, 3, 4),
        ...message,
      },
      ...fields,
    });
  }

  /** A call; returns its id. */
  call(name: string, input: unknown, message: Json = {}): string {
    const id = `toolu_${uuid(this.#n + 1, this.#prefix)}`;
    this.assistant([{ type: "tool_use", id, name, input }], message);
    return id;
  }

  /** A call's result. */
  result(
    id: string,
    content: unknown,
    fields: Json = {},
    block: Json = {},
  ): Json {
    return this.user(
      [{ type: "tool_result", tool_use_id: id, content, ...block }],
      fields,
    );
  }

  /** The file's text. */
  text(): string {
    return this.records.map((record) => JSON.stringify(record) + "\n").join("");
  }
}

/** Usage as an API response has it. */
export function usage(
  input: number,
  output: number,
  cacheRead = 0,
  cacheWrite = 0,
): Json {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

/** What an adapter found in a home. */
export interface HomeResult {
  units: Unit[];
  sessions: BuiltSession[];
  subagents: BuiltSession[];
  problems: Problem[];
  roots: { path: string; exists: boolean; files: number }[];
}

/** No cache at all. */
export const noHeads: HeadCache = { get: () => undefined, put: () => {} };

/** A home directory; remove it when done. */
export class Home {
  readonly dir: string = mkdtempSync(join(tmpdir(), "claude-home-"));

  /** Absolute path below the first project. */
  path(name: string): string {
    return join(this.dir, ".claude/projects/-home-dev-app", name);
  }

  /** Writes a file below the first project, or anywhere by a path from `~/`. */
  write(name: string, content: Tape | string | Uint8Array): this {
    const path = name.startsWith("~/")
      ? join(this.dir, name.slice(2))
      : this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content instanceof Tape ? content.text() : content);
    return this;
  }

  /** Scans and reads everything. */
  async read(
    vars: Record<string, string> = {},
    context: Partial<ReadContext> = {},
    heads: HeadCache = noHeads,
  ): Promise<HomeResult> {
    const scan = await claude.scan({ home: this.dir, vars }, { heads });
    const result: HomeResult = {
      units: scan.units,
      sessions: [],
      subagents: [],
      problems: [...scan.problems],
      roots: scan.roots,
    };
    for (const unit of scan.units) {
      const read = await claude.read(unit, { analyst: rawAnalyst, ...context });
      if (read.session) result.sessions.push(read.session);
      result.subagents.push(...read.subagents);
      result.problems.push(...read.problems);
    }
    return result;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Reads a home that is removed afterwards. */
export async function withHome<T>(
  fill: (home: Home) => void,
  check: (result: HomeResult, home: Home) => T | Promise<T>,
): Promise<T> {
  const home = new Home();
  try {
    fill(home);
    return await check(await home.read(), home);
  } finally {
    home.remove();
  }
}

/** The only session of a tape. */
export async function build(tape: Tape): Promise<BuiltSession> {
  return await withHome(
    (home) => home.write(`${SID}.jsonl`, tape),
    ({ sessions }) => {
      const [session] = sessions;
      if (!session || sessions.length !== 1) {
        throw new Error("one session expected");
      }
      return session;
    },
  );
}

/** A call by its tool's name, the first one. */
export function callOf(session: BuiltSession, tool: string): BuiltCall {
  for (const call of session.calls.values()) {
    if (call.tool === tool) return call;
  }
  throw new Error(`no call of ${tool}`);
}

/** A session as plain data: no boxed text, no back references. */
export function plain(session: BuiltSession): unknown {
  return {
    ...session,
    outputByModel: [...session.outputByModel],
    unknown: [...session.unknown],
    calls: [...session.calls.keys()],
    turns: session.turns.map((turn) => ({
      ...turn,
      calls: turn.calls.map((call) => ({ ...call, turn: call.turn.number })),
    })),
  };
}
