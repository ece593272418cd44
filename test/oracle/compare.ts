/**
 * Compares what an adapter builds with an oracle made independently of it,
 * session by session and call by call.
 *
 * @module
 */
import type { BuiltSession } from "../../extension/session/model.ts";
import {
  type OracleCall,
  type OracleSession,
  type OracleTokens,
  toOracle,
} from "./oracle.ts";

/** One disagreement. */
export interface Mismatch {
  /** `session.end`, `turn.tokens.output`, `call.state`, `call.missing`, ... */
  field: string;
  /** File, session, turn or call. */
  where: string;
  /** What the oracle says. */
  oracle: unknown;
  /** What was built. */
  got: unknown;
  /** In a fixture of contradictory or placeholder content: not counted. */
  soft: boolean;
}

/** What a comparison found. */
export interface Report {
  /** Oracle sessions compared. */
  sessions: number;
  /** Calls compared. */
  calls: number;
  /** Disagreements that count. */
  mismatches: Mismatch[];
  /** Disagreements in soft fixtures. */
  soft: Mismatch[];
}

const at = (value: unknown): number | null =>
  typeof value === "string" && value !== "" ? Date.parse(value) : null;

const sameTime = (a: unknown, b: unknown): boolean => {
  const x = at(a), y = at(b);
  return x === y || (x !== null && y !== null && Math.abs(x - y) <= 1);
};

const sorted = (list: unknown): string =>
  JSON.stringify(Array.isArray(list) ? [...list].sort() : []);

function same(field: string, oracle: unknown, got: unknown): boolean {
  const name = field.slice(field.lastIndexOf(".") + 1);
  if (name === "start" || name === "end") return sameTime(oracle, got);
  if (name === "models") return sorted(oracle) === sorted(got);
  if (name === "command") {
    return String(oracle ?? "").trim() === String(got ?? "").trim();
  }
  return oracle === got;
}

const SESSION_FIELDS = [
  "parentCallId",
  "kind",
  "harnessVersion",
  "models",
  "cwd",
  "gitBranch",
  "mode",
  "start",
  "end",
  "outputIsLowerBound",
  "orphanResults",
  "interruptions",
  "compactions",
  "recaps",
  "badLines",
  "tornTail",
  "forkOf",
] as const;
const TOKEN_FIELDS = ["input", "output", "cacheRead", "cacheWrite"] as const;

class Comparer {
  readonly report: Report = {
    sessions: 0,
    calls: 0,
    mismatches: [],
    soft: [],
  };
  #soft = false;
  #absent: ReadonlySet<string> | undefined;

  bad(field: string, where: string, oracle: unknown, got: unknown): void {
    (this.#soft ? this.report.soft : this.report.mismatches)
      .push({ field, where, oracle, got, soft: this.#soft });
  }

  field(
    field: string,
    where: string,
    oracle: unknown,
    got: unknown,
    alternatives: readonly unknown[] = [],
  ): void {
    if (same(field, oracle, got)) return;
    if (alternatives.some((alt) => same(field, alt, got))) return;
    this.bad(field, where, oracle, got);
  }

  tokens(field: string, where: string, o: OracleTokens, p: OracleTokens): void {
    for (const t of TOKEN_FIELDS) {
      this.field(`${field}.${t}`, where, o[t], p[t]);
    }
  }

  session(
    o: OracleSession,
    p: OracleSession | undefined,
    parent: string | null,
  ): void {
    this.#soft = o.soft !== undefined && o.soft !== false;
    const where = `${o.file ?? ""} ${o.sessionId}`;
    this.report.sessions++;
    this.#absent = p?.absent;
    if (!p) {
      const empty = o.turns.length === 0 && o.calls.length === 0 &&
        TOKEN_FIELDS.every((t) => o.tokens[t] === 0);
      // Hiding an empty session or the harness's own agents is fine.
      if (!o.hidden && !empty) {
        this.bad("session.missing", where, "found", null);
      }
      this.#soft = false;
      return;
    }
    this.field("session.parentSessionId", where, parent, p.parentSessionId);
    for (const f of SESSION_FIELDS) {
      if (p.absent?.has(f)) continue;
      const optional = f === "forkOf" || f === "tornTail";
      if (optional && !o[f] && !p[f]) continue;
      this.field(`session.${f}`, where, o[f] ?? null, p[f] ?? null, [
        ...(f === "harnessVersion" ? o.harnessVersions ?? [] : []),
        ...(f === "gitBranch" ? o.gitBranches ?? [] : []),
        ...(f === "start" && o.startAlt ? [o.startAlt] : []),
      ]);
    }
    this.tokens("session.tokens", where, o.tokens, p.tokens);
    this.turns(o, p, where);
    this.calls(o, p, where);
    this.#soft = false;
  }

  turns(o: OracleSession, p: OracleSession, where: string): void {
    let pairs = o.turns.map((t, i) => [t, p.turns[i]] as const);
    if (o.turns.length !== p.turns.length) {
      // Align by start; withdrawn prompts may be counted or not.
      const left = [...p.turns];
      pairs = o.turns.map((t) => {
        const i = left.findIndex((x) =>
          sameTime(t.start, x.start) ||
          (t.startAlt !== undefined && sameTime(t.startAlt, x.start))
        );
        return [t, i < 0 ? undefined : left.splice(i, 1)[0]] as const;
      });
      const missing = pairs.filter(([, x]) => !x).map(([t]) => t);
      if (left.length > 0 || missing.some((t) => !t.abandoned)) {
        const counts = [o.turns.length, p.turns.length];
        this.bad("session.turnCount", where, counts[0], counts[1]);
      }
      for (const t of missing) {
        if (!t.abandoned) {
          this.bad("turn.missing", `${where} ${t.n}`, t.start, null);
        }
      }
      for (const x of left) this.bad("turn.extra", where, null, x.start);
    }
    for (const [a, b] of pairs) {
      if (!b) continue;
      const w = `${where} turn ${a.n}`;
      this.field("turn.start", w, a.start, b.start, [a.startAlt ?? a.start]);
      this.field("turn.end", w, a.end, b.end, [a.endAlt ?? a.end]);
      this.field("turn.calls", w, a.calls, b.calls);
      this.tokens("turn.tokens", w, a.tokens, b.tokens);
    }
  }

  calls(o: OracleSession, p: OracleSession, where: string): void {
    const left = new Map(p.calls.map((c) => [c.id ?? "", c]));
    const known = new Set(o.calls.map((c) => c.id));
    const sameTurns = p.turns.length === o.turns.length;
    for (const a of o.calls) {
      let b = a.id === null ? undefined : left.get(a.id);
      if (!b && (a.extra || a.id === null)) {
        // No id of its own in the file: by start.
        b = [...left.values()].find((c) =>
          !known.has(c.id) && sameTime(a.start, c.start)
        );
      }
      const w = `${where} call ${a.id}`;
      if (!b) {
        this.bad("call.missing", w, `${a.tool} ${a.state}`, null);
        continue;
      }
      left.delete(b.id ?? "");
      this.report.calls++;
      this.call(a, b, w, sameTurns);
    }
    for (const c of left.values()) {
      this.bad("call.extra", where, null, `${c.id} ${c.tool}`);
    }
  }

  call(a: OracleCall, b: OracleCall, w: string, sameTurns: boolean): void {
    if (!a.extra) {
      this.field(
        "call.tool",
        w,
        a.tool,
        b.tool,
        a.namespace
          ? ["", ".", "__", "/"].map((join) => a.namespace + join + a.tool)
          : [],
      );
    }
    if (sameTurns) this.field("call.turn", w, a.turn, b.turn);
    this.field("call.start", w, a.start, b.start);
    this.field("call.end", w, a.end, b.end);
    this.field("call.state", w, a.state, b.state, a.altStates);
    this.field("call.exitCode", w, a.exitCode, b.exitCode, [
      ...(a.altExit ?? []),
      ...(a.altStates || a.commandKind ? [null] : []),
    ]);
    // How a script's commands are rendered is our choice.
    if (a.commandKind !== "exec-js" && !this.#absent?.has("command")) {
      this.field("call.command", w, a.command, b.command);
    }
  }
}

/** Compares sessions of one home, session by session and call by call. */
export function compare(
  oracle: readonly OracleSession[],
  built: readonly BuiltSession[],
): Report {
  return compareViews(
    oracle,
    built.filter((s) => !s.placeholder).map(toOracle),
  );
}

/** The same for sessions that are already under the oracle's names. */
export function compareViews(
  oracle: readonly OracleSession[],
  views: readonly OracleSession[],
): Report {
  const comparer = new Comparer();
  const left = new Set(views);
  const take = (match: (p: OracleSession) => boolean) => {
    for (const p of left) {
      if (match(p)) {
        left.delete(p);
        return p;
      }
    }
    return undefined;
  };
  const pairs = oracle.map((o) => ({
    o,
    p: take((p) => p.sessionId === o.sessionId),
  }));
  // Embedded subagents have no id of their own: by parent and call, or start.
  for (const pair of pairs) {
    const o = pair.o;
    if (pair.p || o.kind !== "subagent") continue;
    pair.p = take((p) =>
      p.parentSessionId === o.parentSessionId &&
      (o.parentCallId
        ? p.parentCallId === o.parentCallId
        : sameTime(p.start, o.start))
    );
  }
  const renamed = new Map(
    pairs.map(({ o, p }) => [o.sessionId, p?.sessionId ?? o.sessionId]),
  );
  for (const { o, p } of pairs) {
    const parent = o.parentSessionId;
    comparer.session(
      o,
      p,
      parent === null ? null : renamed.get(parent) ?? parent,
    );
  }
  for (const p of left) {
    comparer.bad(
      "session.extra",
      p.sessionId,
      null,
      `${p.kind}, ${p.calls.length} calls`,
    );
  }
  return comparer.report;
}

/** Mismatches as lines for a test's message, the first `limit` of them. */
export function describeMismatches(
  list: readonly Mismatch[],
  limit = 40,
): string {
  const show = (value: unknown) =>
    (JSON.stringify(value) ?? "undefined").slice(0, 160);
  return list.slice(0, limit).map((m) =>
    `${m.field}: ${m.where}\n    oracle: ${show(m.oracle)}\n    got:    ${
      show(m.got)
    }`
  ).join("\n") +
    (list.length > limit ? `\n… and ${list.length - limit} more` : "");
}
