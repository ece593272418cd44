/**
 * The texts of a session, handed to whoever asked for them and to nobody else.
 *
 * @module
 */
import type { TextEntry, TextSink } from "../../session/model.ts";
import { PrivateText } from "../../session/private-text.ts";
import { hashId } from "./hashes.ts";
import { userText } from "./text.ts";

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
      if (kind === "prompt" || kind === "command") this.say("human", at, text);
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
