/**
 * The texts of a session, handed to whoever asked for them and to nobody else.
 *
 * @module
 */
import type { TextEntry, TextSink } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import { hashId } from "./hashes.ts";
import { tag, userText } from "./text.ts";

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
