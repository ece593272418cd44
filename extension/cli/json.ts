/**
 * JSON for stdout, which may be a terminal.
 *
 * @module
 */

/**
 * What JSON allows as it is and a terminal acts on: DEL and the controls of
 * C1, line separators, and what turns the direction of writing. In JSON they
 * stand in strings only.
 */
const ACTIVE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON text that means the same and holds none of those characters. */
export function safeJson(text: string): string {
  return text.replace(
    ACTIVE,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as JSON for stdout; indented by `indent` blanks. */
export function toJson(value: unknown, indent = 0): string {
  return safeJson(JSON.stringify(value, null, indent));
}
