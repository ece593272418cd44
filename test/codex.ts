/**
 * Rollouts for tests: records built here, written into a home of their own.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codex } from "../extension/harness/codex/mod.ts";
import type { Problem, Scan } from "../extension/harness/types.ts";
import type {
  BuiltCall,
  BuiltSession,
  TextEntry,
} from "../extension/session/model.ts";
import { plainAnalyst } from "./build.ts";

/** A record, or any other JSON object. */
export type Rec = Record<string, unknown>;

const START = Date.UTC(2026, 9, 5, 9, 0, 0);

/** The moment so many seconds after 2026-10-05T09:00:00Z, epoch milliseconds. */
export const ms = (seconds: number): number => START + seconds * 1000;
/** The same as ISO. */
export const iso = (seconds: number): string =>
  new Date(ms(seconds)).toISOString();

/** A record in its envelope. */
export const rec = (at: number, type: string, payload: Rec): Rec => ({
  timestamp: iso(at),
  type,
  payload,
});
/** An event. */
export const event = (at: number, type: string, more: Rec = {}): Rec =>
  rec(at, "event_msg", { type, ...more });
/** An item of the model's conversation. */
export const item = (at: number, type: string, more: Rec = {}): Rec =>
  rec(at, "response_item", { type, ...more });
/** A session's own description. */
export const meta = (at: number, id: string, more: Rec = {}): Rec =>
  rec(at, "session_meta", {
    id,
    timestamp: iso(at),
    cwd: "/repo",
    originator: "codex_cli_rs",
    cli_version: "0.140.0",
    source: "cli",
    ...more,
  });
/** A turn begins: its task, its context and, if given, its prompt. */
export const turn = (
  at: number,
  id: string,
  prompt?: string,
  model = "gpt-a",
): Rec[] => [
  event(at, "task_started", { turn_id: id, started_at: ms(at) / 1000 }),
  rec(at, "turn_context", { turn_id: id, cwd: "/repo", model }),
  ...(prompt === undefined
    ? []
    : [event(at, "user_message", { message: prompt })]),
];
/** A turn ends. */
export const done = (at: number, id: string): Rec =>
  event(at, "task_complete", { turn_id: id });
/** A count of tokens: totals, then the last response's where it differs. */
export const count = (
  at: number,
  [input, cached, output]: [number, number, number],
  last?: [number, number, number],
): Rec => {
  const usage = (n: [number, number, number]) => ({
    input_tokens: n[0],
    cached_input_tokens: n[1],
    output_tokens: n[2],
    total_tokens: n[0] + n[2],
  });
  return event(at, "token_count", {
    info: {
      total_token_usage: usage([input, cached, output]),
      last_token_usage: usage(last ?? [input, cached, output]),
    },
  });
};
/** A call by name and arguments. */
export const call = (
  at: number,
  id: string,
  name: string,
  args: unknown,
  more: Rec = {},
): Rec =>
  item(at, "function_call", {
    name,
    arguments: JSON.stringify(args),
    call_id: id,
    ...more,
  });
/** A call with plain text. */
export const custom = (at: number, id: string, name: string, input: string) =>
  item(at, "custom_tool_call", { name, input, call_id: id });
/** A result of either. */
export const result = (at: number, id: string, output: unknown): Rec =>
  item(at, "function_call_output", { call_id: id, output });
/** The header of a command's output. */
export const exited = (code: number, body = ""): string =>
  `Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${body}`;
/** The header of a command that runs on. */
export const running = (process: number): string =>
  `Chunk ID: 1a2b3c\nWall time: 1.0 seconds\nProcess running with session ID ${process}\nOutput:\n`;

/** Records as lines. */
export const lines = (records: Rec[]): string =>
  records.map((r) => JSON.stringify(r) + "\n").join("");

/** A Zstandard frame of uncompressed blocks: enough to test framing and streaming. */
export function zstdFrame(content: Uint8Array, block = 1000): Uint8Array {
  const bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
  for (let at = 0; at < content.length || at === 0; at += block) {
    const part = content.subarray(at, at + block);
    const last = at + block >= content.length ? 1 : 0;
    const header = part.length * 8 + last;
    bytes.push(header & 255, (header >> 8) & 255, header >> 16, ...part);
  }
  return Uint8Array.from(bytes);
}

/** What reading a home gave. */
export interface Read {
  /** All sessions but placeholders, by id. */
  sessions: Map<string, BuiltSession>;
  /** Ids of placeholders. */
  placeholders: string[];
  /** Everything that was refused or damaged. */
  problems: Problem[];
  /** The scan. */
  scan: Scan;
  /** Texts handed out, by session. */
  texts: { session: string; role: TextEntry["role"]; text: string }[];
}

/** A home directory for one test. */
export class CodexHome {
  /** Its path. */
  readonly path: string = mkdtempSync(join(tmpdir(), "codex-"));

  /** Writes a file under `.codex`; records become lines. */
  put(name: string, content: Rec[] | string | Uint8Array): string {
    const path = join(this.path, ".codex", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Array.isArray(content) ? lines(content) : content);
    return path;
  }

  /** Writes a rollout under `sessions`, named after its thread. */
  rollout(id: string, records: Rec[], day = "2026/10/05"): string {
    return this.put(
      `sessions/${day}/rollout-2026-10-05T09-00-00-${id}.jsonl`,
      records,
    );
  }

  /** Reads everything in it. */
  async read(vars: Record<string, string> = {}): Promise<Read> {
    const scan = await codex.scan({ home: this.path, vars }, {
      heads: { get: () => undefined, put: () => {} },
    });
    const out: Read = {
      sessions: new Map(),
      placeholders: [],
      problems: [...scan.problems],
      scan,
      texts: [],
    };
    for (const unit of scan.units) {
      const read = await codex.read(unit, {
        analyst: plainAnalyst,
        texts: (session, { role, text }) =>
          out.texts.push({ session, role, text: text.reveal() }),
      });
      for (const s of [read.session, ...read.subagents]) {
        if (s?.placeholder) out.placeholders.push(s.id);
        else if (s) out.sessions.set(s.id, s);
      }
      out.problems.push(...read.problems);
    }
    return out;
  }

  /** Deletes it. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Reads one rollout made of these records. */
export async function readOne(
  records: Rec[],
  id = "one",
): Promise<{ session: BuiltSession; read: Read }> {
  const home = new CodexHome();
  try {
    home.rollout(id, records);
    const read = await home.read();
    const session = read.sessions.get(id);
    if (!session) throw new Error(`no session ${id} was read`);
    return { session, read };
  } finally {
    home.remove();
  }
}

/** A session's call; throws where there is none. */
export function callOf(session: BuiltSession, id: string): BuiltCall {
  const found = session.calls.get(id);
  if (!found) throw new Error(`no call ${id}`);
  return found;
}
