/**
 * Text that must never be stored: prompts, replies, thinking, tool outputs,
 * file contents, and commands before they are redacted.
 *
 * @module
 */

/** Thrown when private text is about to be serialised. */
export class PrivateTextError extends Error {
  /** Stable code of this error. */
  readonly code = "PRIVATE_TEXT";
  /** Makes the error; its message never holds the text. */
  constructor() {
    super("private text cannot be serialised; redact it first");
  }
}

/**
 * An opaque box around a text. Turning it into a string or JSON throws, and it
 * has no property that holds the text, so it cannot reach a store by accident.
 */
export class PrivateText {
  readonly #text: string;
  /** Boxes a text. */
  constructor(text: string) {
    this.#text = text;
  }
  /** Length in UTF-16 units. */
  get length(): number {
    return this.#text.length;
  }
  /** The text itself: for redaction, classification and `extract` only. */
  reveal(): string {
    return this.#text;
  }
  /** Always throws {@link PrivateTextError}. */
  toJSON(): never {
    throw new PrivateTextError();
  }
  /** Always throws {@link PrivateTextError}. */
  toString(): never {
    throw new PrivateTextError();
  }
  /** Always throws {@link PrivateTextError}. */
  [Symbol.toPrimitive](): never {
    throw new PrivateTextError();
  }
}
