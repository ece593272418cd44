/**
 * The records of one session or subagent, in file order, -> its builder.
 *
 * @module
 */
import type {
  BuiltCall,
  BuiltSession,
  CallAnalyst,
  TextSink,
} from "../../session/model.ts";
import {
  printable,
  SessionBuilder,
  type TokenCounts,
} from "../../session/builder.ts";
import { PrivateText } from "../../session/private-text.ts";
import {
  asArray,
  asObject,
  asString,
  isUniqueId,
  type JsonObject,
} from "../lines.ts";
import type { Skimmer } from "../skim.ts";
import { Background } from "./background.ts";
import { boundedId, hashId, type HashSet, isGlobalId } from "./ids.ts";
import { callInput, isAgentTool } from "./input.ts";
import type { Links } from "./links.ts";
import {
  pollResult,
  resultState,
  type SlimResult,
  slimResult,
  taskOf,
} from "./result.ts";
import { taskNotices, textsOf, userText, Voice } from "./text.ts";
import { beyond, isLowerBound, tokensOf } from "./records.ts";

/** So many calls of one id may be open at once. */
const MOST_OPEN = 50;

/** What the threads of one unit share. */
export interface Shared {
  /** Redacts, labels and digests calls. */
  analyst: CallAnalyst;
  /** Receives texts, for `extract` only. */
  texts?: TextSink;
  /** Parses records without their bulk. */
  skimmer: Skimmer;
  /** The records of the line being read, with their bulk. */
  whole?: () => JsonObject[];
  /** Which call started which subagent. */
  links: Links;
  /** Message ids already counted, by whichever thread read them first. */
  messages: HashSet;
  /** What of a message, by its id's hash, counts in the session this was forked from. */
  counted?: (message: number) => TokenCounts | undefined;
}

/** Builds one session or subagent from its records. */
export class Thread {
  /** What is built. */
  readonly builder: SessionBuilder;
  /** Hash of the first human text, to find the call that gave it. */
  firstPrompt: number | undefined;
  /** The first human text is the harness's own warm-up. */
  warmup = false;
  #shared: Shared;
  #background: Background;
  #voice: Voice;
  #own = new Set<string>();
  #polls = new Map<string, string>();
  /** Calls by the id that their blocks name, and the responses they stand in. */
  #named = new Map<string, { messages: Set<string>; calls: BuiltCall[] }>();
  #cut = new Set<BuiltCall>();
  /** Results whose call was not read (yet). */
  #early = new Map<string, { result: SlimResult; at: number; times: number }>();
  #clock = NaN;
  /** Messages that count elsewhere: what does, or all. */
  #foreign = new Map<string, TokenCounts | "all">();
  #nameless = 0;
  /** Calls without an id, whose results have none either. */
  #unnamed: string[] = [];

  /** Starts a session or subagent. */
  constructor(id: string, kind: BuiltSession["kind"], shared: Shared) {
    this.builder = new SessionBuilder("claude", id, kind, shared.analyst);
    this.#shared = shared;
    this.#background = new Background(this.builder);
    this.#voice = new Voice(id, shared.texts);
  }

  /** Takes a record of a known kind; `at` is its time or NaN. */
  take(type: string, record: JsonObject, at: number): void {
    this.note(record, at);
    const when = Number.isNaN(at) ? this.#clock : at;
    // Records before the first time of the file get the session's start at the end.
    const time = Number.isNaN(when) ? 0 : when;
    switch (type) {
      case "assistant":
        this.#assistant(record, time);
        break;
      case "user":
        this.#user(record, time);
        break;
      case "attachment":
        this.#attachment(record, time);
        break;
      case "system":
        this.#system(record, time);
        break;
      case "queue-operation":
        this.#notices(asString(record.content), time, false);
        break;
      case "progress":
        this.#progress(record);
        break;
    }
  }

  /** What any record tells of its session: time, version, folder, branch, entry. */
  note(record: JsonObject, at: number): void {
    if (!Number.isNaN(at)) {
      this.#clock = at;
      this.builder.seen(at);
    }
    const { builder } = this, { session } = builder;
    builder.note("versions", record.version);
    builder.note("cwds", record.cwd);
    if (record.gitBranch !== "HEAD") builder.note("branches", record.gitBranch);
    if (session.entry === undefined) {
      const entry = asString(record.entrypoint);
      if (entry) {
        session.entry = printable(entry, 60);
        session.mode = modeOf(entry);
      }
    }
  }

  #assistant(record: JsonObject, at: number): void {
    const message = asObject(record.message) ?? {};
    const model = asString(message.model);
    const synthetic = model === "<synthetic>";
    const failed = record.isApiErrorMessage === true;
    // The harness's own placeholder ("No response requested.") is no activity.
    if (synthetic && !failed) return;
    const builder = this.builder, session = builder.session;
    builder.ensureTurn(at);
    builder.extendTurn(at);
    const real = model && !synthetic ? model.slice(0, 200) : undefined;
    if (real) builder.model(real);
    const id = asString(message.id) ?? asString(record.uuid) ??
      `record-${++this.#nameless}`;
    const first = !this.#own.has(id);
    if (first) this.#own.add(id);
    if (!synthetic) {
      const usage = asObject(message.usage);
      const tokens = usage && this.#mine(id, first, tokensOf(usage));
      if (tokens) builder.usage(id, at, real, tokens);
      if (usage && isLowerBound(record.version)) {
        session.tokens.outputIsLowerBound = true;
      }
    }
    if (!failed) {
      if (first) session.messages++;
      session.endedCleanly = true;
    }
    if (typeof message.content === "string") {
      this.#voice.reply(id, message.content, at);
      return;
    }
    asArray(message.content).forEach((value, i) => {
      const block = asObject(value);
      if (block?.type === "tool_use") this.#call(block, at, id, i);
      else if (block?.type === "text") {
        this.#voice.reply(id, asString(block.text), at);
      }
    });
  }

  /**
   * An API response seen in two files counts in the one read first; of one that
   * was begun in a fork's origin, what came after the fork counts here.
   */
  #mine(
    id: string,
    first: boolean,
    tokens: TokenCounts,
  ): TokenCounts | undefined {
    if (!isGlobalId(id)) return tokens;
    if (first) {
      const hash = hashId(id);
      const counted = this.#shared.counted?.(hash);
      if (counted) this.#foreign.set(id, counted);
      else if (!this.#shared.messages.add(hash)) this.#foreign.set(id, "all");
    }
    const counted = this.#foreign.get(id);
    if (counted === undefined) return tokens;
    return counted === "all" || tokens.output <= counted.output
      ? undefined
      : beyond(tokens, counted);
  }

  #call(block: JsonObject, at: number, message: string, index: number): void {
    const name = asString(block.id) ?? "";
    const named = name === "" ? undefined : this.#named.get(name);
    // A repeat in one response is the same call. Gateways number the calls of
    // each response anew: in another response it is another.
    if (named && (named.messages.has(message) || isUniqueId(name))) return;
    const id = boundedId(
      name === ""
        ? `${message}#${index}`
        : named
        ? `${name}#${named.calls.length + 1}`
        : name,
    );
    const builder = this.builder;
    if (builder.session.calls.has(id)) return;
    if (name === "") this.#unnamed.push(id);
    const tool = asString(block.name) ?? "unknown";
    const call = builder.call(id, tool, at, callInput(tool, block.input));
    if (named) {
      named.messages.add(message);
      named.calls.push(call);
    } else if (name !== "") {
      this.#named.set(name, { messages: new Set([message]), calls: [call] });
    }
    const input = asObject(block.input);
    if (isAgentTool(tool)) {
      this.#shared.links.agentCall(
        builder.session,
        call,
        asString(input?.prompt),
        asString(input?.subagent_type),
      );
    }
    this.#shared.links.call(builder.session, call);
    const task = taskOf(tool, input);
    if (task) this.#polls.set(id, task);
    const early = this.#early.get(name || id);
    if (early) {
      this.#early.delete(name || id);
      builder.session.orphanResults -= early.times;
      this.#result(call, early.result.block, early.result.record, early.at);
    }
  }

  #user(record: JsonObject, at: number): void {
    const content = asObject(record.message)?.content;
    let results = false;
    if (Array.isArray(content)) {
      for (const value of content) {
        const block = asObject(value);
        if (block?.type !== "tool_result") continue;
        results = true;
        this.#resultBlock(block, record, at);
      }
    }
    const texts = textsOf(content);
    if (
      asString(record.interruptedMessageId) ||
      record.interruptedByShutdown === true ||
      texts.some((text) => userText(text) === "interruption")
    ) this.#interrupted(at);
    if (record.isCompactSummary === true) {
      this.#voice.say("compaction", at, texts.join("\n"));
      return;
    }
    if (asObject(record.origin)?.kind === "task-notification") {
      const told = texts.some((text) => userText(text) === "notice");
      this.#notices(texts.join("\n"), at, told);
      return;
    }
    for (const text of texts) {
      if (userText(text) === "notice") this.#notices(text, at, true);
    }
    if (record.isMeta === true || record.isVisibleInTranscriptOnly === true) {
      return;
    }
    // What a person says along with a result steers the turn, it opens none.
    if (results) this.#voice.human(texts, at);
    else this.#prompt(content, texts, at);
  }

  /** A prompt opens a turn; echoes, notices and interruptions do not. */
  #prompt(content: unknown, texts: string[], at: number): void {
    const kinds = texts.map(userText);
    const image = asArray(content).some((value) => {
      const type = asObject(value)?.type;
      return type === "image" || type === "document";
    });
    const command = kinds[0] === "command";
    if (!command && !image && !kinds.includes("prompt")) return;
    const builder = this.builder, session = builder.session;
    const turn = builder.startTurn(
      at,
      command
        ? "command"
        : session.kind === "subagent" && session.turns.length === 0
        ? "subagent"
        : "prompt",
    );
    turn.prompts++;
    session.messages++;
    session.endedCleanly = false;
    if (this.firstPrompt === undefined) {
      const text = texts[0] ?? "";
      this.firstPrompt = hashId(text);
      this.warmup = text.trim() === "Warmup";
    }
    this.#voice.human(texts, at);
  }

  #resultBlock(block: JsonObject, record: JsonObject, at: number): void {
    const named = asString(block.tool_use_id);
    const id = named || this.#unnamed.shift() || "";
    const call = named
      ? this.#callOf(named)
      : this.builder.session.calls.get(id);
    this.builder.extendTurn(at);
    if (call) this.#result(call, block, record, at);
    else if (named) {
      // Its call may stand further down, or nowhere.
      this.builder.session.orphanResults++;
      const early = this.#early.get(id);
      if (early) early.times++;
      else if (this.#early.size < 1000) {
        this.#early.set(id, {
          result: slimResult(block, record),
          at,
          times: 1,
        });
      }
    }
  }

  /** The last call of an id that is open, else the last. */
  #callOf(name: string): BuiltCall | undefined {
    const calls = this.#named.get(name)?.calls ?? [];
    return calls.slice(-MOST_OPEN).findLast((c) => c.state === "pending") ??
      calls.at(-1);
  }

  #result(
    call: BuiltCall,
    block: JsonObject,
    record: JsonObject,
    at: number,
  ): void {
    if (call.state !== "pending") return;
    const { state, exitCode, task, agent, workflow } = resultState(
      call.tool,
      block,
      record,
    );
    const { links } = this.#shared;
    if (agent) links.evidence(agent, this.builder.session, call, "result");
    for (const name of workflow ?? []) {
      links.workflow(name, this.builder.session, call);
    }
    if (state === "background") {
      this.#background.started(call, task);
      return;
    }
    this.builder.end(
      call,
      at,
      state,
      exitCode,
      call.facts.test === undefined
        ? undefined
        : this.#output(asString(block.tool_use_id)),
    );
    const polled = this.#polls.get(call.id);
    const poll = polled === undefined
      ? undefined
      : pollResult(call.tool, polled, block, record);
    if (poll) this.#background.ended(poll.task, undefined, { at, ...poll });
  }

  /** What the program printed, where the record being read holds it. */
  #output(callId: string | undefined): PrivateText | undefined {
    if (callId === undefined) return undefined;
    for (const record of this.#shared.whole?.() ?? []) {
      for (const value of asArray(asObject(record.message)?.content)) {
        const block = asObject(value);
        if (block?.tool_use_id === callId) {
          return new PrivateText(textsOf(block.content).join("\n"));
        }
      }
    }
    return undefined;
  }

  #interrupted(at: number): void {
    this.builder.mark(at, "interruption");
    this.builder.extendTurn(at);
    for (const call of this.builder.turn?.calls ?? []) {
      if (call.state === "pending") this.#cut.add(call);
    }
  }

  #notices(text: string | undefined, at: number, delivered: boolean): void {
    if (text === undefined) return;
    if (delivered) this.builder.extendTurn(at);
    for (const notice of taskNotices(text)) {
      if (notice.task && notice.call) {
        this.#shared.links.byId(notice.task, notice.call, "notification");
      }
      if (!notice.end) continue;
      const call = notice.call && this.#callOf(notice.call)?.id;
      this.#background.ended(notice.task, call || notice.call, {
        at,
        end: notice.end,
        ...(notice.exitCode === undefined ? {} : { exitCode: notice.exitCode }),
      });
    }
  }

  #attachment(record: JsonObject, at: number): void {
    const attachment = asObject(record.attachment);
    if (attachment?.type !== "queued_command") return;
    const texts = textsOf(attachment.prompt);
    const delivered = attachment.commandMode === "task-notification";
    if (
      delivered ||
      asObject(attachment.origin)?.kind === "task-notification" ||
      texts.some((text) => userText(text) === "notice")
    ) this.#notices(texts.join("\n"), at, delivered);
    else if (attachment.isMeta !== true && record.isMeta !== true) {
      this.#prompt(attachment.prompt, texts, at);
    }
  }

  #system(record: JsonObject, at: number): void {
    if (record.subtype === "compact_boundary") {
      this.builder.mark(at, "compaction");
    } else if (record.subtype === "away_summary") {
      this.builder.mark(at, "recap");
      const text = asString(record.content) ?? "";
      this.#voice.say(
        "recap",
        at,
        text.replace("(disable recaps in /config)", "").trim(),
      );
    }
  }

  #progress(record: JsonObject): void {
    const data = asObject(record.data);
    if (data?.type !== "agent_progress") return;
    const agent = asString(data.agentId);
    const call = asString(record.parentToolUseID);
    if (agent && call) this.#shared.links.byId(agent, call, "progress");
  }

  /** Ends the thread: what is still open was cut off, or is pending. */
  finish(): BuiltSession {
    const { builder } = this;
    for (const call of this.#cut) {
      if (call.state === "pending") builder.end(call, undefined, "interrupted");
    }
    const session = builder.finish();
    for (const turn of session.turns) {
      if (turn.startedAt === 0) turn.startedAt = session.startedAt;
      if (turn.endedAt === 0) turn.endedAt = turn.startedAt;
      for (const call of turn.calls) {
        if (call.startedAt === 0) call.startedAt = session.startedAt;
        if (call.endedAt === 0) call.endedAt = call.startedAt;
      }
    }
    for (const mark of session.marks) {
      if (mark.at === 0) mark.at = session.startedAt;
    }
    return session;
  }
}

function modeOf(entry: string): BuiltSession["mode"] {
  if (entry.startsWith("sdk")) return "headless";
  if (entry === "cli" || entry.startsWith("claude-")) return "interactive";
  return "unknown";
}
