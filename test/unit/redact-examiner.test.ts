import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeExample } from "../../extension/redact/examples.ts";
import { redact } from "../../extension/redact/mod.ts";

/** Texts with marks in the place of made-up values. */
const cases: { hit: string[]; miss: string[] } = JSON.parse(
  readFileSync(
    new URL("../data/redact-second-set.json", import.meta.url),
    "utf8",
  ),
);

/** Shortest part of a secret that must not stay. */
const PART = 6;

/** A part of the secret that is still in the text, beside the markers. */
function left(secret: string, text: string): string | undefined {
  const shown = text.replaceAll(/\[REDACTED:[^\]]{0,60}\]/g, "\n");
  for (let at = 0; at + PART <= secret.length; at++) {
    const part = secret.slice(at, at + PART);
    if (shown.includes(part)) return part;
  }
  return undefined;
}

describe("a second set of secrets and look-alikes", () => {
  it.each(cases.hit)("no part stays of the secrets in %s", (template) => {
    const { text, secrets } = makeExample(template);
    const redacted = redact(text).text;
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      expect(left(secret, redacted)).toBeUndefined();
    }
    expect(redact(redacted).text).toBe(redacted);
  });

  it.each(cases.miss)("untouched: %s", (template) => {
    const { text } = makeExample(template);
    expect(redact(text).text).toBe(text);
  });
});
