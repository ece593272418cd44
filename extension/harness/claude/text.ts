/**
 * What the texts of user records are: prompts, echoes of commands, notices of
 * background tasks, interruptions.
 *
 * @module
 */
import type { TextEntry, TextSink } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import { asArray, asObject, asString, timeOf } from "../lines.ts";
import { hashId } from "./ids.ts";

/** What a user text is. */
export type UserText =
  | "prompt"
  | "command"
  | "notice"
  | "interruption"
  | "echo";

/** Prefixes of texts that no person typed as a prompt. */
const ECHOES: readonly string[] = [
  "<command-name>",
  "<local-command-",
  "<bash-input>",
  "<bash-stdout>",
  "<bash-stderr>",
  "<system-reminder>",
  "Caveat: The messages below",
];

/** How a user text is to be read, by how it begins. */
export function userText(text: string): UserText {
  const start = text.slice(0, 200).trimStart();
  // A command that prompts the model names its message first; one that the
  // harness carries out itself names the command first.
  if (start.startsWith("<command-message>")) return "command";
  if (start.startsWith("<task-notification>")) return "notice";
  if (start.startsWith("[Request interrupted")) return "interruption";
  return ECHOES.some((prefix) => start.startsWith(prefix)) ? "echo" : "prompt";
}

/** The text of a block of text; undefined for other blocks. */
function blockText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const block = asObject(value);
  return block && (block.type === "text" || block.type === undefined)
    ? asString(block.text)
    : undefined;
}

/** The texts of a message's content: a string, or blocks of which some are text. */
export function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  const texts: string[] = [];
  for (const block of asArray(content)) {
    const text = blockText(block);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** The first text of a content, "" where there is none. */
export function firstText(content: unknown): string {
  if (typeof content === "string") return content;
  for (const block of asArray(content)) {
    const text = blockText(block);
    if (text !== undefined) return text;
  }
  return "";
}

/** How a background task stands. */
export type TaskEnd = "ok" | "failed" | "interrupted";

/** Notice of a background task. */
export interface TaskNotice {
  /** The task. */
  task?: string;
  /** The call that started it, in newer versions. */
  call?: string;
  /** Its end; absent where it goes on or this is one of its events. */
  end?: TaskEnd;
  /** Exit code of a command. */
  exitCode?: number;
}

/** The end that a status stands for; undefined for those that are no end. */
export function taskEnd(status: unknown): TaskEnd | undefined {
  switch (status) {
    case "completed":
      return "ok";
    case "failed":
    case "error":
      return "failed";
    case "killed":
    case "stopped":
    case "cancelled":
      return "interrupted";
    default:
      return undefined;
  }
}

/** The text between `<name>` and `</name>`, the first one; bounded. */
export function tag(text: string, name: string): string | undefined {
  const open = text.indexOf(`<${name}>`);
  if (open < 0) return undefined;
  const from = open + name.length + 2;
  const to = text.indexOf(`</${name}>`, from);
  return to < 0 || to - from > 4096 ? undefined : text.slice(from, to).trim();
}

const EXIT = /\bexit code (-?\d{1,10})\b/;

/** All notices in a text. What an agent answered (`<result>`) is not looked at. */
export function taskNotices(text: string): TaskNotice[] {
  const notices: TaskNotice[] = [];
  const open = "<task-notification>", close = "</task-notification>";
  let at = text.indexOf(open);
  while (at >= 0 && notices.length < 100) {
    const end = text.indexOf(close, at);
    const whole = text.slice(at, end < 0 ? undefined : end);
    const cut = whole.indexOf("<result>");
    const part = cut < 0 ? whole : whole.slice(0, cut);
    const task = tag(part, "task-id"), call = tag(part, "tool-use-id");
    const outcome = taskEnd(tag(part, "status"));
    const code = EXIT.exec(tag(part, "summary") ?? "")?.[1];
    notices.push({
      ...(task ? { task } : {}),
      ...(call ? { call } : {}),
      ...(outcome ? { end: outcome } : {}),
      ...(code === undefined ? {} : { exitCode: Number(code) }),
    });
    at = end < 0 ? -1 : text.indexOf(open, end);
  }
  return notices;
}

const EARLIEST = Date.UTC(2000, 0), LATEST = Date.UTC(2200, 0);

/** A record's time; NaN where it has none that can be true. */
export function recordTime(value: unknown): number {
  const at = timeOf(value);
  return at >= EARLIEST && at < LATEST ? at : NaN;
}

// The texts of a session, handed to whoever asked for them and to nobody else.

/** What editors and the harness put in front of what a person typed. */
const CONTEXT =
  /^\s{0,99}<(ide_opened_file|ide_selection|ide_diagnostics|system-reminder)>[^]{0,200000}?<\/\1>/;

function withoutContext(text: string): string {
  let rest = text;
  for (let n = 0; n < 20; n++) {
    const found = CONTEXT.exec(rest);
    if (!found) break;
    rest = rest.slice(found[0].length);
  }
  return rest.trim();
}

/** A command of the harness as it was typed: `/name arguments`. */
function asTyped(text: string): string {
  const name = tag(text, "command-name");
  if (name === undefined) return text;
  // However long: it is what was asked for.
  const args = /<command-args>([^]*)<\/command-args>/.exec(text)?.[1] ?? "";
  return `${name.startsWith("/") ? "" : "/"}${name} ${args.trim()}`.trim();
}

/** Tells the texts of one session; silent without a sink. */
export class Voice {
  #session: string;
  #sink: TextSink | undefined;
  #message = "";
  #said = new Set<number>();

  /** Speaks for a session. */
  constructor(session: string, sink: TextSink | undefined) {
    this.#session = session;
    this.#sink = sink;
  }

  /** A text as it is. */
  say(role: TextEntry["role"], at: number, text: string): void {
    if (text === "") return;
    this.#sink?.(this.#session, { at, role, text: new PrivateText(text) });
  }

  /** What a person said, without what the harness put in the same record. */
  human(texts: readonly string[], at: number): void {
    if (!this.#sink) return;
    for (const text of texts) {
      const kind = userText(text);
      if (kind === "command") this.say("human", at, asTyped(text));
      else if (kind === "prompt") this.say("human", at, withoutContext(text));
    }
  }

  /** What the model said; records of one message may repeat it. */
  reply(message: string, text: string | undefined, at: number): void {
    if (!this.#sink || !text) return;
    if (message !== this.#message) {
      this.#message = message;
      this.#said.clear();
    }
    const hash = hashId(text);
    if (this.#said.has(hash)) return;
    this.#said.add(hash);
    this.say("assistant", at, text);
  }
}
