/**
 * What redaction takes and gives.
 *
 * @module
 */

/** A secret found. Offsets are UTF-16 units in the text as given. */
export interface SecretSpan {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The rule that found it; also what its marker says. */
  rule: string;
}

/** A redacted text. */
export interface Redacted {
  /** The text with each secret replaced by `[REDACTED:rule]`. */
  text: string;
  /** The secrets, in order, not overlapping. */
  spans: SecretSpan[];
}

/** A text redacted, then cut. */
export interface RedactedCut {
  /** At most the limit long; never ends inside a marker or a surrogate pair. */
  text: string;
  /** How many secrets were replaced. */
  redactions: number;
  /** The text was cut. */
  truncated: boolean;
  /**
   * Maps a range of the text as given to the text as stored; undefined where
   * nothing of it is left.
   */
  range(start: number, end: number): [number, number] | undefined;
}
