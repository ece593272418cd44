/**
 * Secrets where they should not be.
 *
 * @module
 */
import type { FindingRule } from "../rule.ts";
import { idsOf, plural, ran, times } from "../timeline.ts";

/** Rules on secrets. */
export const SECRET_RULES: readonly FindingRule[] = [
  {
    id: "secret.command-line",
    severity: "high",
    about:
      "a secret stood on a command line or in another argument; medium where it was on its way into a vault",
    fix:
      "read it from a vault: it was redacted here, but shell histories and process lists had it, and the session's own file has it",
    examples: {
      hit: [{
        shows: "a token in a header",
        calls: [{ text: "curl -H 'X-Key: [REDACTED:header]'", redactions: 1 }],
      }],
      miss: [{
        shows: "a variable in its place",
        calls: [{ text: 'curl -H "X-Key: $KEY"' }],
      }],
    },
    find: (line) => {
      const calls = line.calls.filter(({ call }) => (call.redactions ?? 0) > 0);
      if (calls.length === 0) return [];
      const stored = calls.every(({ call }) => call.label === "swamp");
      return [{
        what: `A secret stood in the arguments of ${
          plural(calls.length, "call")
        }`,
        calls: idsOf(calls),
        ...(stored
          ? {
            severity: "medium" as const,
            fix: "hand it to the vault on stdin or from a secret manager",
          }
          : {}),
      }];
    },
  },
  {
    id: "secret.shown",
    severity: "medium",
    about: "a call printed credentials, so that the model read them",
    fix:
      "refer to it by a vault, so that its value never enters the conversation; rotate it if it did",
    examples: {
      hit: [{
        shows: "a file of credentials printed",
        calls: [{
          text: "cat ~/.aws/credentials",
          label: "bypass",
          category: "secret.read",
          rule: "secret.read",
          mutating: false,
        }],
      }],
      miss: [{ shows: "its folder listed", calls: [{ text: "ls ~/.aws" }] }],
    },
    find: (line) => {
      const calls = line.calls.filter(({ call }) =>
        call.category === "secret.read" && call.mutating !== true &&
        ran(call) && call.state !== "failed"
      );
      return calls.length === 0 ? [] : [{
        what: `Credentials were read into the conversation ${
          times(calls.length)
        }`,
        calls: idsOf(calls),
      }];
    },
  },
];
