import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { makeExample } from "./examples.ts";
import { findSecrets, redact, redactAndCut } from "./redact.ts";
import { PASSES } from "./rules.ts";
import { marker, markersOf } from "./spans.ts";

const token = "ghp_" + "a1B2c3D4e5".repeat(4).slice(0, 36);

/** Pieces that passes react to; joined at random they make hostile texts. */
const pieces = [
  token,
  "password=",
  "password: ",
  "--token ",
  "hunter2!",
  "Sup3r-S3cret",
  "https://me:",
  "@host/",
  "curl -u a:",
  "echo ",
  " | swamp vault put p K",
  "-----BEGIN RSA " + "PRIVATE KEY-----\n",
  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
  "\n-----END RSA " + "PRIVATE KEY-----",
  "[REDACTED:",
  "[REDACTED:password]",
  "[REDACTED]",
  "]",
  "$TOKEN",
  "${{ x }}",
  "$(",
  ")",
  '"',
  "'",
  "\\",
  "`",
  "\n",
  " ",
  ";",
  "|",
  "&",
  "=",
  ":",
  "<<EOF\n",
  "EOF\n",
  "Authorization: Bearer ",
  "Cookie: sid=",
  "密码：",
  "😀",
  "\ud800",
  "mysql -p",
  "kind: Secret\ndata:\n  a: ",
  "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiI0MiJ9.",
  "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5",
];

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((p) =>
    p.join("")
  ),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(
    fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 12 })),
    { maxLength: 20 },
  ).map((p) => p.join("")),
);

const examples = fc.constantFrom(
  ...PASSES.flatMap((p) => p.rules.flatMap((r) => r.examples.hit)),
).map(makeExample);

describe("findSecrets", () => {
  it("never throws, and gives spans in order, in range, apart", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        let last = 0;
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("never meets a marker", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markers = markersOf(text);
        for (const { start, end } of findSecrets(text)) {
          for (const [from, to] of markers) {
            expect(end <= from || start >= to).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("finds a secret whatever stands on the lines around it", () => {
    const around = fc.string({
      unit: fc.constantFrom(..."abc .,-/=\n"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const text = `${before}\nGH_TOKEN=${token} gh api user\n${after}`;
        expect(redact(text).text).not.toContain(token);
      }),
      { numRuns: 300 },
    );
  });
});

describe("redact", () => {
  it("is idempotent on hostile texts", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = redact(text).text;
        expect(redact(once)).toEqual({ text: once, spans: [] });
      }),
      { numRuns: 1500 },
    );
  });

  it("is idempotent on every example, alone and joined", () => {
    fc.assert(
      fc.property(examples, examples, (a, b) => {
        const once = redact(`${a.text}\n${b.text}`).text;
        expect(redact(once).text).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves what is no secret as it was", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { text: out, spans } = redact(text);
        let expected = "";
        let at = 0;
        for (const s of spans) {
          expected += text.slice(at, s.start) + marker(s.rule);
          at = s.end;
        }
        expect(out).toBe(expected + text.slice(at));
      }),
      { numRuns: 300 },
    );
  });

  it("gives a text without secrets back itself", () => {
    const text = "git commit -m 'fix: password prompt'";
    expect(redact(text)).toEqual({ text, spans: [] });
  });

  it("joins secrets that overlap under the more specific rule", () => {
    const { text, spans } = redact(`export API_TOKEN="${token}"`);
    expect(text).toBe('export API_TOKEN="[REDACTED:github-token]"');
    expect(spans).toHaveLength(1);
  });

  it("hides a key whose end was cut off", () => {
    const key = "-----BEGIN EC " + "PRIVATE KEY-----\n" + "Ab1+".repeat(32);
    expect(redact(`cat > k <<EOF\n${key}`).text).toBe(
      "cat > k <<EOF\n[REDACTED:private-key]",
    );
  });
});

describe("redactAndCut", () => {
  it("stores a beginning of the whole redacted text", () => {
    // So a cut never reveals more than redaction of the whole.
    fc.assert(
      fc.property(
        fc.oneof(hostile, examples.map((e) => e.text)),
        fc.nat({ max: 400 }),
        (text, limit) => {
          const whole = redact(text);
          const cut = redactAndCut(text, limit);
          expect(whole.text.startsWith(cut.text)).toBe(true);
          expect(cut.text.length).toBeLessThanOrEqual(limit);
          expect(cut.truncated).toBe(cut.text.length < whole.text.length);
          expect(cut.redactions).toBe(whole.spans.length);
        },
      ),
      { numRuns: 800 },
    );
  });

  it("reveals no part of a secret at any limit", () => {
    const { text, secrets } = makeExample(
      "curl -u me:«s3cr3t-P4ss» -H 'X-Api-Key: «+32h»' https://x",
    );
    for (let limit = 0; limit <= text.length; limit++) {
      const stored = redactAndCut(text, limit).text;
      for (const secret of secrets) {
        expect(stored).not.toContain(secret.slice(0, 4));
      }
    }
  });

  it("never ends inside a marker", () => {
    const text = `GH_TOKEN=${token} x`;
    for (let limit = 0; limit < 50; limit++) {
      expect(redactAndCut(text, limit).text).toMatch(
        /^(?:G?H?_?T?O?K?E?N?=?|GH_TOKEN=\[REDACTED:github-token\](?: x?)?)$/,
      );
    }
  });

  it("never ends inside a surrogate pair", () => {
    expect(redactAndCut("ab😀cd", 3).text).toBe("ab");
    expect(redactAndCut("ab😀cd", 4).text).toBe("ab😀");
  });

  it("reads no more of a huge text than it can keep", () => {
    const huge = `echo ${"word ".repeat(80_000)}; GH_TOKEN=${token}`;
    const cut = redactAndCut(huge, 2048);
    expect(cut.text).toBe(huge.slice(0, 2048));
    expect(cut.truncated).toBe(true);
    const key = "-----BEGIN RSA " + "PRIVATE KEY-----\n" +
      "Ab1+".repeat(90_000);
    expect(redactAndCut(key, 2048).text).not.toContain("Ab1+");
  });

  it("keeps a text that fits, and says that it was not cut", () => {
    const kept = redactAndCut("ls -la", 6);
    expect(kept).toMatchObject({
      text: "ls -la",
      truncated: false,
      redactions: 0,
    });
  });

  it("maps ranges of the text as given to the text as stored", () => {
    const text = `GH_TOKEN=${token} gh api user`;
    const cut = redactAndCut(text, 2048);
    const at = text.indexOf("gh api");
    const range = cut.range(at, at + 6);
    expect(range && cut.text.slice(...range)).toBe("gh api");
    const inside = cut.range(20, 25);
    expect(inside && cut.text.slice(...inside)).toBe("[REDACTED:github-token]");
  });

  it("maps a range that the cut took away to nothing, and shortens one across it", () => {
    const cut = redactAndCut("echo hello; aws s3 rm x", 15);
    expect(cut.range(16, 20)).toBeUndefined();
    expect(cut.range(12, 23)).toEqual([12, 15]);
  });

  it("maps any range into the stored text", () => {
    fc.assert(
      fc.property(
        hostile,
        fc.nat(300),
        fc.nat(300),
        fc.nat(200),
        (text, a, b, limit) => {
          const cut = redactAndCut(text, limit);
          const start = Math.min(a, b, text.length);
          const end = Math.min(Math.max(a, b), text.length);
          const range = cut.range(start, end);
          if (range) {
            expect(range[0]).toBeLessThan(range[1]);
            expect(range[1]).toBeLessThanOrEqual(cut.text.length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
