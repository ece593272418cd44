/**
 * Normalised events -> a built session. An adapter calls these methods in the
 * order of its records; the builder knows no provider's shapes.
 *
 * @module
 */
import type { CallState, MarkKind, Tokens, Trigger } from "../../schema/mod.ts";
import type {
  BuiltCall,
  BuiltSession,
  BuiltTurn,
  CallAnalyst,
  CallInput,
} from "./model.ts";
import type { PrivateText } from "./private-text.ts";

/** Token counts of one message. */
export type TokenCounts = Omit<Tokens, "outputIsLowerBound">;

interface UsageEntry {
  turn: BuiltTurn;
  model: string | undefined;
  tokens: TokenCounts;
}

const none = (): Tokens => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
});

const add = (to: Tokens, more: TokenCounts): void => {
  to.input += more.input;
  to.output += more.output;
  to.cacheRead += more.cacheRead;
  to.cacheWrite += more.cacheWrite;
};

/** What the model had before it when it wrote this response. */
const contextSize = (t: TokenCounts): number =>
  t.input + t.cacheRead + t.cacheWrite;

/** Most values kept of versions, folders and branches, and of models. */
const MOST_NOTED = 200, MOST_MODELS = 50;
/** A path or branch longer than this is not one. */
const LONGEST_NOTED = 4096;

/** A name that is safe to show and to store: printable, one line, bounded. */
export function printable(name: string, limit = 200): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, " ").trim();
  return clean.length > limit ? clean.slice(0, limit) : clean || "unknown";
}

/** Builds one session or subagent. */
export class SessionBuilder {
  /** What is built; adapters set its descriptive fields directly. */
  readonly session: BuiltSession;
  #analyst: CallAnalyst;
  #turn: BuiltTurn | undefined;
  #turns = new Map<string, BuiltTurn>();
  #usage = new Map<string, UsageEntry>();
  #added: UsageEntry[] = [];
  /** The last response, and the calls that ended since. */
  #response: { turn: BuiltTurn; size: number; output: number } | undefined;
  #ended = new Set<BuiltCall>();

  /** Starts a session with the harness's own id. */
  constructor(
    harness: string,
    id: string,
    kind: BuiltSession["kind"],
    analyst: CallAnalyst,
  ) {
    this.#analyst = analyst;
    this.session = {
      id,
      harness,
      kind,
      versions: [],
      mode: "unknown",
      cwds: [],
      branches: [],
      models: [],
      outputByModel: new Map(),
      startedAt: Infinity,
      endedAt: -Infinity,
      turns: [],
      calls: new Map(),
      marks: [],
      tokens: none(),
      messages: 0,
      endedCleanly: false,
      orphanResults: 0,
      duplicates: 0,
      records: 0,
      badLines: 0,
      tornTail: false,
      unknown: new Map(),
      bytes: 0,
      files: 0,
    };
  }

  /** The open turn. */
  get turn(): BuiltTurn | undefined {
    return this.#turn;
  }

  /** Widens the session's time span. Not-a-number is ignored. */
  seen(at: number): void {
    if (at < this.session.startedAt) this.session.startedAt = at;
    if (at > this.session.endedAt) this.session.endedAt = at;
  }

  /** Opens a turn; with a known key it goes on with that one. */
  startTurn(at: number, trigger: Trigger, key?: string): BuiltTurn {
    const known = key === undefined ? undefined : this.#turns.get(key);
    if (known) return this.#turn = known;
    const turn: BuiltTurn = {
      number: 0,
      ...(key === undefined ? {} : { key }),
      startedAt: at,
      endedAt: at,
      trigger,
      prompts: 0,
      tokens: none(),
      calls: [],
    };
    if (key !== undefined) this.#turns.set(key, turn);
    this.session.turns.push(turn);
    return this.#turn = turn;
  }

  /** Closes the open turn, so that later activity opens an implicit one. */
  closeTurn(): void {
    this.#turn = undefined;
  }

  /** Goes on with a turn that was closed. */
  resume(turn: BuiltTurn): void {
    this.#turn = turn;
  }

  /** The open turn, else a new one of unknown trigger (activity before any prompt). */
  ensureTurn(at: number): BuiltTurn {
    return this.#turn ?? this.startTurn(at, "unknown");
  }

  /** The turn's last activity is at least this late. */
  extendTurn(at: number, turn: BuiltTurn | undefined = this.#turn): void {
    if (turn && at > turn.endedAt) turn.endedAt = at;
  }

  /** Notes a harness version, working directory or branch, once each, in order. */
  note(field: "versions" | "cwds" | "branches", value: unknown): void {
    if (typeof value !== "string" || value === "") return;
    const list = this.session[field];
    if (list[list.length - 1] === value || list.length >= MOST_NOTED) return;
    if (value.length > LONGEST_NOTED || list.includes(value)) return;
    list.push(value);
    if (field === "cwds" && list.length === 1) this.#analyst.place?.(value);
  }

  /** Notes a model in order of first use. */
  model(model: string): void {
    const { models } = this.session;
    if (models.length < MOST_MODELS && !models.includes(model)) {
      models.push(model);
    }
  }

  /**
   * Usage of one API response. All records of a response share `key`; the one
   * with the greatest output counts, ties go to the last; the turn is that of
   * the first.
   */
  usage(
    key: string,
    at: number,
    model: string | undefined,
    tokens: TokenCounts,
  ): void {
    if (model !== undefined) this.model(model);
    const known = this.#usage.get(key);
    const size = contextSize(tokens);
    if (known === undefined) {
      const turn = this.ensureTurn(at);
      if (size > 0) turn.context = size;
      this.#usage.set(key, { turn, model, tokens });
      this.#responded(turn, tokens);
    } else if (tokens.output >= known.tokens.output) {
      known.tokens = tokens;
      if (this.#response?.size === size) this.#response.output = tokens.output;
      if (size > 0) known.turn.context = size;
      known.model = model ?? known.model;
    }
  }

  /** Adds a delta of a cumulative counter to the given (else the open) turn. */
  addTokens(
    at: number,
    model: string | undefined,
    tokens: TokenCounts,
    turn: BuiltTurn = this.ensureTurn(at),
  ): void {
    if (model !== undefined) this.model(model);
    const size = contextSize(tokens);
    if (size > 0) turn.context = size;
    this.#added.push({ turn, model, tokens });
    this.#responded(turn, tokens);
  }

  /**
   * What the context grew by since the last response of the same turn is what
   * the calls between them brought.
   */
  #responded(turn: BuiltTurn, tokens: TokenCounts): void {
    const size = contextSize(tokens);
    if (size === 0) return;
    const last = this.#response;
    const grown = last?.turn === turn ? size - last.size - last.output : 0;
    if (grown > 0) {
      for (const call of this.#ended) {
        call.brought = Math.round(grown / this.#ended.size);
      }
    }
    this.#ended.clear();
    this.#response = { turn, size, output: tokens.output };
  }

  /** A tool call in the open turn. A repeated id returns the first call. */
  call(id: string, tool: string, at: number, input: CallInput): BuiltCall {
    const known = this.session.calls.get(id);
    if (known) return known;
    const turn = this.ensureTurn(at);
    const name = printable(tool);
    const call: BuiltCall = {
      id,
      tool: name,
      startedAt: at,
      state: "pending",
      ...(input.kind === "shell" ? { shell: true as const } : {}),
      facts: this.#analyst.call(name, input),
      turn,
    };
    this.session.calls.set(id, call);
    turn.calls.push(call);
    return call;
  }

  /** A call's result. False where no such call is known. */
  result(
    id: string,
    at: number,
    state: CallState,
    exitCode?: number,
    output?: PrivateText,
  ): boolean {
    const call = this.session.calls.get(id);
    if (!call) {
      this.session.orphanResults++;
      return false;
    }
    this.end(call, at, state, exitCode, output);
    return true;
  }

  /** Ends a call, or changes how it ended. */
  end(
    call: BuiltCall,
    at: number | undefined,
    state: CallState,
    exitCode?: number,
    output?: PrivateText,
  ): void {
    call.state = state;
    if (state !== "pending") this.#ended.add(call);
    if (at === undefined) delete call.endedAt;
    else call.endedAt = at;
    if (exitCode === undefined) delete call.exitCode;
    else call.exitCode = exitCode;
    const runner = call.facts.test;
    if (runner === undefined) return;
    const { testExit: tells, testFiltered } = call.facts;
    if (
      exitCode !== undefined &&
      (tells === "all" || (tells === "zero" && exitCode === 0))
    ) call.passed = exitCode === 0;
    else if (output) {
      const told = this.#analyst.testOutcome(runner, output);
      call.passed = testFiltered && told ? null : told;
    } else call.passed ??= null;
  }

  /** Something that happened to the session itself. */
  mark(at: number, kind: MarkKind): void {
    this.session.marks.push({ at, kind });
    if (kind === "compaction") this.#response = undefined;
    // Until the assistant says or does something again.
    if (kind === "interruption") this.session.endedCleanly = false;
  }

  /** Counts a record type that the adapter does not know. */
  unknown(type: unknown): void {
    const name = printable(typeof type === "string" ? type : String(type), 80);
    const seen = this.session.unknown;
    if (seen.size < 200 || seen.has(name)) {
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }

  /** Numbers turns, sums tokens, and returns the session. Call once. */
  finish(): BuiltSession {
    const s = this.session;
    if (s.startedAt === Infinity) s.startedAt = s.endedAt = 0;
    s.turns.forEach((turn, i) => turn.number = i + 1);
    for (const entry of [...this.#usage.values(), ...this.#added]) {
      add(entry.turn.tokens, entry.tokens);
      add(s.tokens, entry.tokens);
      const { input, cacheRead, cacheWrite } = entry.tokens;
      // What a response read is what was in the context; the last one stands.
      if (input + cacheRead + cacheWrite > 0) {
        entry.turn.context = input + cacheRead + cacheWrite;
      }
      if (entry.model !== undefined) {
        s.outputByModel.set(
          entry.model,
          (s.outputByModel.get(entry.model) ?? 0) + entry.tokens.output,
        );
      }
    }
    return s;
  }
}
