/**
 * Built sessions -> the detail record. Whatever an adapter built, the record
 * fits the schema: ids safe and unique, times valid, texts clean and bounded.
 *
 * @module
 */
import {
  type Call,
  type Detail,
  hash53,
  isoTime,
  type Label,
  safeId,
  SCHEMA_VERSION,
  type SessionDetail,
  TEXT_LIMIT,
  type Tokens,
  type Turn,
} from "../../schema/mod.ts";
import type { SessionDigest } from "../digest/mod.ts";
import { findFindings } from "../findings/mod.ts";
import type { BuiltCall, BuiltSession, BuiltTurn } from "../session/model.ts";
import { line, plain } from "./text.ts";

/** Last moment that the contract's time can name. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A moment within the contract's range; `otherwise` where it is none. */
export function moment(at: number | undefined, otherwise: number): number {
  if (at === undefined || !Number.isFinite(at)) return otherwise;
  return Math.min(Math.max(Math.trunc(at), 0), LAST);
}

/** The minute written last, as time and as text: most times are in it. */
let minute = NaN, minuteText = "";

const two = (n: number) => n < 10 ? `0${n}` : `${n}`;

/** As `isoTime`, of a {@link moment}. */
function timeText(at: number): string {
  const rest = at % 60_000, ms = rest % 1000;
  if (at - rest !== minute) {
    minute = at - rest;
    minuteText = isoTime(minute).slice(0, 17);
  }
  return `${minuteText}${two((rest - ms) / 1000)}.${ms < 100 ? "0" : ""}${
    two(ms)
  }Z`;
}

/** A whole number from 0. */
export function whole(n: number): number {
  return Number.isFinite(n)
    ? Math.min(Math.max(Math.round(n), 0), Number.MAX_SAFE_INTEGER)
    : 0;
}

/** Tokens with whole numbers. */
export function wholeTokens(tokens: Tokens): Tokens {
  return {
    input: whole(tokens.input),
    output: whole(tokens.output),
    cacheRead: whole(tokens.cacheRead),
    cacheWrite: whole(tokens.cacheWrite),
    ...(tokens.outputIsLowerBound ? { outputIsLowerBound: true as const } : {}),
  };
}

/** Names of models, each once, in order of first use. */
export function modelNames(
  sessions: readonly Pick<BuiltSession, "models">[],
): string[] {
  const names = new Set<string>();
  for (const s of sessions) {
    for (const model of s.models) {
      const name = line(model, 200);
      if (name && names.size < 50) names.add(name);
    }
  }
  return [...names];
}

/** A word that is safe in tags: letters, digits, `_`, `.`, `-`. */
export function word(text: string, limit: number, otherwise: string): string {
  const clean = /^[\w.-]*$/.test(text) ? text : text.replace(/[^\w.-]+/g, "-");
  return clean.slice(0, limit) || otherwise;
}

/** A field with its value, or none. */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

/** Gives each of a set of raw ids one id of its own. */
class Ids {
  #taken = new Set<string>();

  take(id: string, join: string): string {
    let free = id;
    for (let n = 2; this.#taken.has(free); n++) {
      const tail = `${join}${n}`;
      free = id.slice(0, 200 - tail.length) + tail;
    }
    this.#taken.add(free);
    return free;
  }
}

/** An id of a call: printable, on one line, bounded, still its own. */
function callId(raw: string): string {
  if (/^[\w.-]{1,180}$/.test(raw)) return raw;
  const clean = plain(raw).replace(/[\n\t\ufffd]+/g, "_");
  if (clean === raw && raw.length <= 180 && raw !== "") return raw;
  return `${clean.slice(0, 160)}~${hash53(raw).toString(36)}`;
}

const LABEL_NAMES: readonly Label[] = ["swamp", "bypass", "neutral"];

/** Subagents in an order of our own, so that the order of files changes nothing. */
export function inOrder(subagents: readonly BuiltSession[]): BuiltSession[] {
  return [...subagents].sort((a, b) =>
    moment(a.startedAt, 0) - moment(b.startedAt, 0) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Makes the detail of one root session with its subagents. */
export class DetailMaker {
  /** Sessions by the ids that adapters know them by. */
  #sessions = new Map<string, { id: string; calls: Map<string, string> }>();
  #callIds = new Map<BuiltCall, string>();
  /** What results brought into the context, by the call's id. */
  #brought = new Map<string, number>();
  #root: BuiltSession;
  #subagents: readonly BuiltSession[];

  /** Ids are given out here, so that links can point anywhere. */
  constructor(
    root: BuiltSession,
    subagents: readonly BuiltSession[],
    rootId: string,
  ) {
    this.#root = root;
    this.#subagents = subagents;
    const sessionIds = new Ids(), callIds = new Ids();
    for (const s of [root, ...this.#subagents]) {
      const calls = new Map<string, string>();
      const id = sessionIds.take(s === root ? rootId : safeId(s.id), "-");
      if (!this.#sessions.has(s.id)) this.#sessions.set(s.id, { id, calls });
      this.#sessionIds.set(s, id);
      for (const turn of s.turns) {
        for (const call of turn.calls) {
          const given = callIds.take(callId(call.id), "~");
          this.#callIds.set(call, given);
          if (!calls.has(call.id)) calls.set(call.id, given);
        }
      }
    }
  }

  #sessionIds = new Map<BuiltSession, string>();

  /** The detail. `start` stands in where no moment is known. */
  make(digest: SessionDigest, start: number): Detail {
    const detail: Detail = {
      schemaVersion: SCHEMA_VERSION,
      session: this.#session(this.#root, start),
      subagents: this.#subagents.map((s) => this.#session(s, start)),
      findings: [],
      files: {
        written: paths(digest.files.written),
        read: paths(digest.files.read),
      },
      tests: digest.tests.flatMap(({ call, passed }) => {
        const id = this.#callIds.get(call);
        return id === undefined ? [] : [{ call: id, passed }];
      }),
      tools: tools(digest.tools),
    };
    detail.findings = findFindings(detail, this.#brought).map((finding) => ({
      ...finding,
      text: finding.text.slice(0, 600),
    }));
    return detail;
  }

  #session(s: BuiltSession, start: number): SessionDetail {
    const startedAt = moment(s.startedAt || undefined, start);
    const endedAt = Math.max(
      moment(s.endedAt || undefined, startedAt),
      startedAt,
    );
    const agentType = line(s.agentType ?? s.auxiliary ?? "", 120) || undefined;
    return {
      id: this.#sessionIds.get(s)!,
      ...optional("parent", this.#parent(s)),
      ...optional("agentType", agentType),
      ...optional(
        "auxiliary",
        s !== this.#root && s.auxiliary !== undefined ? true : undefined,
      ),
      models: modelNames([s]),
      startedAt: timeText(startedAt),
      endedAt: timeText(endedAt),
      tokens: wholeTokens(s.tokens),
      turns: s.turns.map((turn, i) => this.#turn(turn, i + 1, startedAt)),
      marks: s.marks.map((mark) => ({
        at: timeText(moment(mark.at, startedAt)),
        kind: mark.kind,
      })),
    };
  }

  #parent(s: BuiltSession): SessionDetail["parent"] {
    if (s === this.#root) return undefined;
    const parent = s.parent && this.#sessions.get(s.parent.session);
    const call = s.parent?.call === undefined
      ? undefined
      : parent?.calls.get(s.parent.call);
    return {
      session: parent?.id ??
        (s.parent
          ? safeId(s.parent.session)
          : this.#sessionIds.get(this.#root)!),
      ...optional("call", call),
    };
  }

  #turn(turn: BuiltTurn, number: number, start: number): Turn {
    const startedAt = moment(turn.startedAt, start);
    return {
      number,
      startedAt: timeText(startedAt),
      endedAt: timeText(Math.max(moment(turn.endedAt, startedAt), startedAt)),
      trigger: turn.trigger,
      tokens: wholeTokens(turn.tokens),
      ...optional("context", turn.context && whole(turn.context) || undefined),
      calls: turn.calls.map((call) => this.#call(call, startedAt)),
    };
  }

  #call(call: BuiltCall, start: number): Call {
    const { facts } = call;
    const startedAt = moment(call.startedAt, start);
    const text = plain(facts.text).slice(0, TEXT_LIMIT);
    const from = facts.why?.[0] ?? 0, to = facts.why?.[1] ?? 0;
    const child = call.subagent === undefined
      ? undefined
      : this.#sessions.get(call.subagent)?.id ?? safeId(call.subagent);
    const wraps = line(facts.wraps ?? "", 120) || undefined;
    const endedAt = call.endedAt === undefined ||
        !Number.isFinite(call.endedAt)
      ? undefined
      : timeText(Math.max(moment(call.endedAt, startedAt), startedAt));
    const { state } = call, redactions = whole(facts.redactions ?? 0);
    const id = this.#callIds.get(call)!;
    if (call.brought !== undefined) this.#brought.set(id, call.brought);
    // In the order in which they are stored; what is undefined is not. All have
    // one shape, which makes everything that goes over calls faster.
    return {
      id,
      tool: line(call.tool, 200) || "unknown",
      startedAt: timeText(startedAt),
      endedAt,
      ok: state === "ok" ? true : state === "failed" ? false : undefined,
      state,
      exitCode: Number.isSafeInteger(call.exitCode) ? call.exitCode : undefined,
      text,
      truncated: facts.truncated ? true : undefined,
      redactions: redactions > 0 ? redactions : undefined,
      label: LABEL_NAMES.includes(facts.label) ? facts.label : "neutral",
      category: word(facts.category, 60, "other"),
      rule: line(facts.rule, 80) || "none",
      mutating: facts.mutating || facts.label === "bypass"
        ? facts.mutating
        : undefined,
      why: Number.isInteger(from) && Number.isInteger(to) && from >= 0 &&
          from < to && to <= text.length
        ? [from, to]
        : undefined,
      wraps,
      low: facts.low ? true : undefined,
      subagent: child,
    };
  }
}

function paths(all: readonly string[]): string[] {
  return [...new Set(all.map((p) => plain(p).slice(0, 1024)))]
    .filter((p) => p !== "");
}

function tools(all: Detail["tools"]): Detail["tools"] {
  const counts = new Map<string, number>();
  for (const { name, count } of all) {
    const clean = line(name, 200) || "unknown";
    counts.set(clean, (counts.get(clean) ?? 0) + whole(count));
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}
