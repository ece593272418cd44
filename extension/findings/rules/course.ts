/**
 * How the work went: tests, people who stopped it, subagents.
 *
 * @module
 */
import type { Call } from "../../../schema/mod.ts";
import type { FindingRule, Hit } from "../rule.ts";
import {
  asksPerson,
  idsOf,
  isCommand,
  lastBefore,
  type Placed,
  plural,
  ran,
  type Timeline,
  times,
} from "../timeline.ts";

/** Edits of source files after the last test run that are worth a word. */
const UNTESTED_EDITS = 5;
/** Calls that a person rejected from which a rule or permission is worth it. */
const REJECTIONS = 3;
/** Interruptions from which the work is not going where it should. */
const INTERRUPTIONS = 3;

/** Files whose change tests could tell of. */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kt|kts|scala|cs|fs|swift|c|cc|cpp|h|hpp|m|mm|php|ex|exs|erl|clj|dart|lua|zig|hs|ml|r|jl|pl|sql)(?=$|[\s:,])/im;

/** Scripts that look at the whole work, tests among it as a rule. */
const CHECKS =
  /(?:^|[\s:])(?:check|ci|verify|validate|tests?|specs?|pre-?commit)(?=[\s:;&|-]|$)/im;

/** Whether a call may have run tests by a name of its project's own. */
function mayTest(call: Call): boolean {
  return call.category === "neutral.test" ||
    (call.category === "neutral.build" && isCommand(call) &&
      CHECKS.test(call.text));
}

const known = (line: Timeline) =>
  line.detail.tests.filter((t) => t.passed !== null).at(-1);
const lastFailed = (line: Timeline) => {
  const last = known(line);
  return last?.passed === false ? last : undefined;
};

const edit = { tool: "Edit", text: "src/a.ts", category: "neutral.edit" };
const test = { text: "npm test", category: "neutral.test" };

/** Rules on how the work went. */
export const COURSE_RULES: readonly FindingRule[] = [
  {
    id: "tests.last-failed",
    severity: "medium",
    about:
      "the last test run with a known result failed; low where one with an unknown result came after it",
    fix: "the work may not be done: run them again before building on it",
    examples: {
      hit: [{
        shows: "a failing run at the end",
        calls: [
          { ...test, passed: true },
          { ...test, passed: false, state: "failed" },
        ],
      }],
      miss: [{
        shows: "a run that passed after it",
        calls: [
          { ...test, passed: false, state: "failed" },
          { ...test, passed: true },
        ],
      }],
    },
    find: (line) => {
      const last = lastFailed(line);
      if (!last) return [];
      const later = line.detail.tests.at(-1) !== last;
      return [{
        what: later
          ? "The last test run whose result is known failed"
          : "The last test run failed",
        calls: [last.call],
        ...(later ? { severity: "low" as const } : {}),
      }];
    },
  },
  {
    id: "tests.not-run",
    severity: "low",
    about:
      `${UNTESTED_EDITS} edits or more of source files, and no test run after them`,
    fix: "let the agent run the tests it touches before it ends",
    examples: {
      hit: [{
        shows: "edits and no test",
        calls: [{ ...edit, times: UNTESTED_EDITS }],
      }],
      miss: [
        {
          shows: "a test after the last edit",
          calls: [{ ...edit, times: UNTESTED_EDITS }, {
            ...test,
            passed: null,
          }],
        },
        {
          shows: "a check of the project's own",
          calls: [
            { ...edit, times: UNTESTED_EDITS },
            { text: "pnpm run check", category: "neutral.build" },
          ],
        },
        {
          shows: "documents only",
          calls: [{ ...edit, text: "README.md", times: UNTESTED_EDITS }],
        },
      ],
    },
    find: (line) => {
      // One that failed last says it better.
      if (lastFailed(line)) return [];
      const tested = new Set(line.detail.tests.map((t) => t.call));
      const edits = line.calls.filter(({ call }) =>
        call.category === "neutral.edit" && call.state === "ok" &&
        SOURCE.test(call.text)
      );
      const last = line.calls.findLast(({ call }) =>
        (tested.has(call.id) || mayTest(call)) && ran(call)
      );
      const untested = edits.filter(({ call }) =>
        !last || call.startedAt > last.call.startedAt
      );
      return untested.length < UNTESTED_EDITS ? [] : [{
        what: `${plural(untested.length, "edit")} of source files and no test${
          last ? " after them" : " in the whole session"
        }`,
        calls: idsOf(untested.slice(-UNTESTED_EDITS)),
      }];
    },
  },
  {
    id: "rejected.repeatedly",
    severity: "low",
    about:
      `a person rejected ${REJECTIONS} calls or more; answers to questions and plans are not counted`,
    fix: "say in the project's instructions what is not wanted",
    examples: {
      hit: [{
        shows: "three rejected commands",
        calls: [{ text: "git push", state: "rejected", times: REJECTIONS }],
      }],
      miss: [{
        shows: "plans that were talked over",
        calls: [{
          tool: "ExitPlanMode",
          text: "",
          state: "rejected",
          times: REJECTIONS,
        }],
      }],
    },
    find: (line) => {
      const calls = line.calls.filter(({ call }) =>
        call.state === "rejected" && !asksPerson(call)
      );
      return calls.length < REJECTIONS ? [] : [{
        what: `A person rejected ${plural(calls.length, "call")}`,
        calls: idsOf(calls),
      }];
    },
  },
  {
    id: "interrupted.repeatedly",
    severity: "low",
    about: `the session was interrupted ${INTERRUPTIONS} times or more`,
    fix:
      "ask for a plan first, or for smaller steps, so that it need not be stopped",
    examples: {
      hit: [{
        shows: "three interruptions",
        calls: [{}],
        marks: Array.from(
          { length: INTERRUPTIONS },
          () => "interruption" as const,
        ),
      }],
      miss: [{ shows: "one", calls: [{}], marks: ["interruption"] }],
    },
    find: (line) => {
      const marks = line.detail.session.marks
        .filter((m) => m.kind === "interruption");
      if (marks.length < INTERRUPTIONS) return [];
      const own = line.sessions[0]?.calls ?? [];
      const before = marks.flatMap(({ at }) => lastBefore(own, at) ?? []);
      return [{
        what: `The session was interrupted ${marks.length} times`,
        calls: [...new Set(idsOf(before))],
      }];
    },
  },
  {
    id: "subagent.failed-unseen",
    severity: "medium",
    about:
      "a subagent's call counts as done, yet the subagent was cut off in a call, or none of its calls worked, and the session went on",
    fix:
      "look at what it returned; give it the permissions and inputs it needs, or check its result before going on",
    examples: {
      hit: [
        {
          shows: "a subagent cut off in the middle of a call",
          calls: [{ tool: "Task", text: "Explore", category: "neutral.agent" }],
          subagent: [{}, { state: "interrupted" }],
        },
        {
          shows: "one that was allowed nothing",
          calls: [{ tool: "Task", text: "Explore", category: "neutral.agent" }],
          subagent: [{ state: "failed" }, { state: "rejected" }],
        },
      ],
      miss: [
        {
          shows: "one whose call failed: that was seen",
          calls: [{ tool: "Task", text: "Explore", state: "failed" }],
          subagent: [{ state: "failed" }, { state: "interrupted" }],
        },
        {
          shows: "one that got over a failure",
          calls: [{ tool: "Task", text: "Explore", category: "neutral.agent" }],
          subagent: [{ state: "failed" }, {}],
        },
      ],
    },
    find: (line) => {
      const byId = new Map<string, Placed>();
      for (const placed of line.calls) byId.set(placed.call.id, placed);
      return line.sessions.flatMap(({ session, calls }): Hit[] => {
        const { parent } = session;
        const start = parent?.call === undefined
          ? undefined
          : byId.get(parent.call);
        const last = calls.at(-1);
        if (start?.call.state !== "ok" || !last) return [];
        const cut = last.call.state === "interrupted" ||
          last.call.state === "pending";
        const none = calls.length > 1 &&
          calls.every(({ call }) =>
            call.state === "failed" || call.state === "rejected" ||
            call.state === "notRun"
          );
        if (!cut && !none) return [];
        return [{
          what: cut
            ? "A subagent was cut off in a call, and its own call counts as done"
            : `None of a subagent's ${calls.length} calls worked, and its own call counts as done`,
          calls: [start.call.id, last.call.id],
        }];
      });
    },
  },
];

// Secrets where they should not be.

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
