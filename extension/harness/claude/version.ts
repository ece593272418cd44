/**
 * Versions of Claude Code whose files cannot be taken at their word.
 *
 * @module
 */

/** First version that writes the final output count of every message. */
const EXACT_OUTPUT: readonly [number, number, number] = [2, 1, 59];

let last = "", lastAnswer = false;

/** Whether this version wrote placeholders for output tokens. Unknown: no. */
export function isLowerBound(version: unknown): boolean {
  if (typeof version !== "string") return false;
  if (version === last) return lastAnswer;
  const parts = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version);
  last = version.slice(0, 40);
  lastAnswer = false;
  if (!parts) return false;
  for (let i = 0; i < 3; i++) {
    const have = Number(parts[i + 1]), want = EXACT_OUTPUT[i] ?? 0;
    if (have !== want) return lastAnswer = have < want;
  }
  return false;
}
