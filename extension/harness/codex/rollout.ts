/**
 * The records of one thread, in the order of its files, to a built session.
 *
 * @module
 */
import { printable, SessionBuilder } from "../../session/builder.ts";
import type { BuiltSession, TextEntry } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  timeOf,
} from "../lines.ts";
import type { ReadContext } from "../types.ts";
import type { Dialect } from "./calls.ts";
import { boundedId, headOfMeta } from "./head.ts";
import { type Cut, History } from "./history.ts";
import { CALL_ITEMS, Ledger, RESULT_ITEMS } from "./ledger.ts";
import {
  agentPath,
  contentText,
  describe,
  humanText,
  QUIET_EVENTS,
  QUIET_ITEMS,
  QUIET_RECORDS,
  Twins,
} from "./vocabulary.ts";
import type { Thread } from "./scan.ts";
import { TokenCounter, Turns } from "./tokens.ts";

/** Ways of writing a compaction; each file's first way that occurs counts. */
const COMPACTIONS = ["compacted", "context_compacted", "ContextCompaction"];

/** Builds one thread. */
export class Rollout {
  /** The calls and what they started. */
  readonly ledger: Ledger;
  /** What a fork of this thread may have copied; set where one needs it. */
  readonly history: History | undefined;
  /** The path that the thread was given by the one that spawned it. */
  path: string | undefined;

  #builder: SessionBuilder;
  #thread: Thread;
  #texts: ReadContext["texts"];
  #cut: Cut | undefined;
  #counter: TokenCounter;
  #met = false;
  #born = NaN;
  #now: number;
  #timed = false;
  #line = 0;
  #model: string | undefined;
  #dialect: Dialect | undefined;
  #envelope = true;
  #turns: Turns;
  #people = new Twins();
  #replies = new Twins();
  /** Replies are written as events or completed items; then items are twins. */
  #told = false;
  #compactions = new Map<string, number[]>();

  /** `cut`: where copied history ends, if the thread begins with any. */
  constructor(
    thread: Thread,
    context: ReadContext,
    options: { cut?: Cut; record?: boolean } = {},
  ) {
    const { head } = thread;
    this.#thread = thread;
    this.#cut = options.cut;
    this.#texts = context.texts;
    const subagent = head.parent !== undefined || head.subagent === true;
    this.#builder = new SessionBuilder(
      "codex",
      thread.id,
      subagent ? "subagent" : "main",
      context.analyst,
    );
    this.ledger = new Ledger(this.#builder);
    this.#turns = new Turns(this.#builder, subagent);
    this.#counter = new TokenCounter(thread.forkOf !== undefined);
    this.#now = head.at ?? Math.floor(thread.files[0]?.mtimeMs ?? 0);
    if (options.record) this.history = new History();
    const session = this.#builder.session;
    if (head.auxiliary !== undefined) {
      session.auxiliary = printable(head.auxiliary, 60);
    }
    if (thread.forkOf !== undefined) session.forkOf = thread.forkOf;
  }

  /** The session as built so far. */
  get session(): BuiltSession {
    return this.#builder.session;
  }

  /** A further file of the same thread: what came after its cut was undone. */
  nextFile(): void {
    this.#turns.close();
    this.#counter = new TokenCounter(true);
    this.#builder.mark(this.#now, "rollback");
  }

  /** Takes the next record of the thread's file. */
  record(record: JsonObject, line: number): void {
    this.#line = line;
    this.history?.add(record);
    const type = asString(record["type"]);
    const payload = asObject(record["payload"]);
    const time = timeOf(record["timestamp"]);
    if (type === "session_meta" && payload) {
      this.#meta(payload, time);
      return;
    }
    if (this.#cut && !this.#cut.own(record, line)) {
      this.#inherited(type, payload);
      return;
    }
    this.#cut = undefined;
    this.#timed = !Number.isNaN(time);
    if (this.#timed) {
      this.#now = time;
      this.#builder.seen(time);
    }
    if (type === undefined && !this.#met && !payload) {
      this.#bareMeta(record);
    } else if (payload) {
      this.#envelope = true;
      this.#enveloped(type ?? "", payload);
    } else {
      this.#envelope = false;
      this.item(record);
    }
  }

  /** What is kept of records that were copied from another thread. */
  #inherited(type: string | undefined, payload: JsonObject | undefined): void {
    if (type === "turn_context") {
      this.#model = asString(payload?.["model"]) ?? this.#model;
    } else if (payload?.["type"] === "token_count") {
      this.#counter.skip(payload["info"]);
    }
  }

  /** The first line of the oldest files: `{id, timestamp, instructions}`. */
  #bareMeta(record: JsonObject): void {
    this.#envelope = false;
    if (asString(record["id"]) === undefined) {
      this.#builder.unknown("record");
    } else this.#meta(record, timeOf(record["timestamp"]));
  }

  /** A session's own description; it may be repeated, and others' be copied. */
  #meta(meta: JsonObject, time: number): void {
    const head = headOfMeta(meta, this.#thread.id);
    if (head.id !== this.#thread.id) return;
    describe(this.#builder, meta, !this.#met);
    if (!this.#met) {
      this.#met = true;
      this.#born = head.at ?? time;
      this.path = agentPath(meta);
      if (!Number.isNaN(this.#born)) this.#now = this.#born;
    }
    if (!Number.isNaN(time)) this.#builder.seen(time);
    this.#place(meta["cwd"]);
  }

  #place(cwd: unknown): void {
    this.#builder.note("cwds", cwd);
    if (typeof cwd !== "string") return;
    // Codex runs commands in PowerShell on Windows.
    this.#dialect = /^(?:[A-Za-z]:\\|\\\\)/.test(cwd)
      ? "powershell"
      : undefined;
  }

  #enveloped(type: string, payload: JsonObject): void {
    switch (type) {
      case "response_item":
        this.item(payload);
        return;
      case "event_msg":
        this.#event(asString(payload["type"]) ?? "", payload);
        return;
      case "turn_context":
        this.#turnContext(payload);
        return;
      case "compacted": {
        this.#compacted("compacted");
        const message = asString(payload["message"]);
        if (message) this.#text("compaction", message);
        return;
      }
      case "inter_agent_communication_metadata":
        if (payload["trigger_turn"] === true) this.#turns.notified();
        this.#touch();
        return;
    }
    if (!QUIET_RECORDS.has(type)) this.#builder.unknown(type);
    this.#touch();
  }

  #turnContext(payload: JsonObject): void {
    const model = asString(payload["model"]);
    if (model) {
      this.#model = model;
      this.#builder.model(model);
    }
    this.#place(payload["cwd"]);
    if (this.#turns.task) this.#touch();
  }

  /** An item of the model's conversation. */
  item(item: JsonObject): void {
    const type = asString(item["type"]) ?? "";
    if (type === "message") return this.#message(item);
    if (CALL_ITEMS.has(type)) {
      this.#turns.active(() =>
        this.ledger.item(item, this.#now, this.#line, this.#dialect)
      );
    } else if (RESULT_ITEMS.has(type)) {
      this.ledger.result(item, this.#at);
    } else if (!QUIET_ITEMS.has(type)) {
      this.#builder.unknown(`response_item/${type || "unknown"}`);
    }
    this.#touch();
  }

  #message(item: JsonObject): void {
    if (item["role"] === "assistant") {
      this.#reply("item", contentText(item["content"]));
      return;
    }
    // Newer files write prompts as events; these also hold what no one wrote.
    if (item["role"] !== "user" || this.#envelope) {
      if (this.#turns.task) this.#touch();
      return;
    }
    const text = humanText(item);
    if (text !== undefined) this.#prompt("item", text);
  }

  #event(type: string, event: JsonObject): void {
    const id = boundedId(event["call_id"]) ?? "";
    switch (type) {
      case "token_count":
        this.#tokens(event["info"]);
        break;
      case "user_message":
        return this.#prompt("event", asString(event["message"]) ?? "");
      case "agent_message":
        return this.#reply("event", asString(event["message"]) ?? "");
      case "task_started":
      case "turn_started":
        return this.#taskStart(event);
      case "task_complete":
      case "turn_complete":
        return this.#taskEnd(event);
      case "turn_aborted":
        return this.#aborted(event);
      case "item_completed":
        this.#completed(asObject(event["item"]) ?? {});
        break;
      case "exec_command_end":
        this.ledger.commandEnd(event, id, this.#now);
        break;
      case "mcp_tool_call_end":
        this.ledger.mcpEnd(event, id);
        break;
      case "sub_agent_activity":
        this.#activity(event, event["event_id"]);
        break;
      case "collab_agent_spawn_end":
        this.#started(event["new_thread_id"], id);
        break;
      case "context_compacted":
        this.#compacted("context_compacted");
        break;
      case "thread_rolled_back":
        this.#builder.mark(this.#now, "rollback");
        break;
      default:
        if (!QUIET_EVENTS.has(type)) {
          this.#builder.unknown(`event_msg/${type || "unknown"}`);
        }
    }
    this.#touch();
  }

  /** An item that newer files write in place of several events. */
  #completed(item: JsonObject): void {
    const raw = asString(item["type"]) ?? "";
    const type = raw.charAt(0).toUpperCase() + raw.slice(1);
    const id = boundedId(item["id"]) ?? "";
    switch (type) {
      case "UserMessage":
        return this.#prompt("completed", contentText(item["content"]));
      case "AgentMessage":
        return this.#reply("completed", contentText(item["content"]));
      case "CommandExecution":
        return this.ledger.commandEnd(item, id, this.#now);
      case "McpToolCall":
        return this.ledger.mcpEnd(item, id);
      case "SubAgentActivity":
        return this.#activity(item, item["id"]);
      case "CollabAgentToolCall":
        if (!/^spawn/i.test(asString(item["tool"]) ?? "")) return;
        for (const thread of asArray(item["receiver_thread_ids"])) {
          this.#started(thread, id);
        }
        return;
      case "ContextCompaction":
        return this.#compacted("ContextCompaction");
    }
    if (!QUIET_ITEMS.has(type)) {
      this.#builder.unknown(`item/${type || "unknown"}`);
    }
  }

  #activity(event: JsonObject, call: unknown): void {
    if (event["kind"] === "started") {
      this.#started(event["agent_thread_id"], boundedId(call) ?? "");
    }
  }

  #started(thread: unknown, call: string): void {
    const id = boundedId(thread);
    if (id !== undefined && this.#builder.session.calls.has(call)) {
      this.ledger.started(id, call, "event");
    }
  }

  #taskStart(event: JsonObject): void {
    const key = boundedId(event["turn_id"]) ?? `line ${this.#line}`;
    this.#turns.start(this.#now, key);
    this.#touch();
  }

  #taskEnd(event: JsonObject): void {
    this.#turns.end(this.#at, boundedId(event["turn_id"]));
  }

  #aborted(event: JsonObject): void {
    if (event["reason"] !== "review_ended") {
      this.#builder.mark(this.#now, "interruption");
    }
    this.ledger.interrupt();
    if (this.#turns.task) this.#taskEnd(event);
    else this.#touch();
  }

  #prompt(source: string, text: string): void {
    if (this.#people.repeats(source, text)) return;
    this.#turns.prompt(this.#now);
    this.#builder.session.messages++;
    this.#builder.session.endedCleanly = false;
    this.#text("human", text);
    this.#touch();
  }

  #reply(source: string, text: string): void {
    const twin = source === "item" && this.#told;
    this.#told ||= source !== "item";
    if (!twin && !this.#replies.repeats(source, text)) {
      this.#turns.active(() => {
        this.#builder.ensureTurn(this.#now);
      });
      this.#builder.session.messages++;
      this.#text("assistant", text);
    }
    this.#builder.session.endedCleanly = true;
    this.#touch();
  }

  #tokens(info: unknown): void {
    const spent = this.#counter.add(info);
    if (!spent) return;
    this.#turns.active(() =>
      this.#builder.addTokens(this.#now, this.#model, spent)
    );
  }

  /** The record's own time. */
  get #at(): number | undefined {
    return this.#timed ? this.#now : undefined;
  }

  #touch(): void {
    this.#turns.touch(this.#at);
  }

  #compacted(way: string): void {
    const times = this.#compactions.get(way) ?? [];
    times.push(this.#now);
    this.#compactions.set(way, times);
  }

  #text(role: TextEntry["role"], text: string): void {
    if (text === "") return;
    this.#texts?.(this.#builder.session.id, {
      at: this.#now,
      role,
      text: new PrivateText(text),
    });
  }

  /** The session. Call once, after the last record. */
  finish(): BuiltSession {
    const way = COMPACTIONS.find((name) => this.#compactions.has(name));
    for (const at of this.#compactions.get(way ?? "") ?? []) {
      this.#builder.mark(at, "compaction");
    }
    this.#builder.session.marks.sort((a, b) => a.at - b.at);
    const session = this.#builder.finish();
    if (!Number.isNaN(this.#born)) {
      session.startedAt = this.#born;
      if (session.endedAt === 0) session.endedAt = this.#born;
    } else if (session.endedAt === 0) {
      session.startedAt = session.endedAt = asNumber(this.#now) ?? 0;
    }
    if (session.endedAt < session.startedAt) {
      session.endedAt = session.startedAt;
    }
    return session;
  }
}
