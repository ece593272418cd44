/**
 * Detours around swamp.
 *
 * @module
 */
import type { Call } from "../../../schema/mod.ts";
import type { FindingRule, Hit } from "../rule.ts";
import {
  grouped,
  idsOf,
  type Placed,
  plural,
  ran,
  type Timeline,
  times,
} from "../timeline.ts";

/** The same outside command so often is worth a workflow. */
const REPEATS = 4;
/** So many changes of one kind make a finding medium. */
const CHANGES = 3;
/** So many reads of one kind are worth a word. */
const READS = 5;
/** How many calls after a failed one are looked at. */
const NEAR = 6;

/** Categories that have a rule of their own, or none: no model would do. */
const OWN: RegExp = /^(?:swamp|secret\.)/;

function allDetours(line: Timeline): Placed[] {
  return line.calls.filter(({ call }) => call.label === "bypass" && ran(call));
}

function detours(line: Timeline): Placed[] {
  return allDetours(line).filter(({ call }) => !line.told(call));
}

const changes = (calls: readonly Placed[]) =>
  calls.filter(({ call }) => call.mutating).length;

const bypass: Partial<Call> = {
  text: "aws s3 ls s3://logs",
  label: "bypass",
  category: "cloud.aws",
  rule: "cloud.aws",
  mutating: false,
};
const remove: Partial<Call> = {
  ...bypass,
  text: "aws s3 rm s3://logs/old",
  mutating: true,
};
const query: Partial<Call> = {
  tool: "Bash",
  label: "swamp",
  category: "swamp.cli",
  rule: "swamp.cli",
  text: "swamp data query 'modelName == \"buckets\"' --json",
};

/** Rules on detours around swamp. */
export const BYPASS_RULES: readonly FindingRule[] = [
  {
    id: "swamp.failed-then-bypassed",
    topic: "detour",
    severity: "high",
    about:
      `a swamp call failed and one of the next ${NEAR} calls went around swamp, with no swamp call that worked in between; medium where the detour only read`,
    fix: "fix the model or its inputs, so that the detour is not needed",
    examples: {
      hit: [{
        shows: "a workflow failed and the cloud's own program did it",
        calls: [
          { ...query, text: "swamp workflow run clean", state: "failed" },
          {},
          remove,
        ],
      }],
      miss: [{
        shows: "the second try of swamp worked",
        calls: [{ ...query, state: "failed" }, query, bypass],
      }],
    },
    find: (line) => {
      const calls: Placed[] = [];
      let detours = 0;
      for (const { calls: own } of line.sessions) {
        own.forEach((failed, i) => {
          if (failed.call.label !== "swamp" || failed.call.state !== "failed") {
            return;
          }
          const next = own.slice(i + 1, i + 1 + NEAR).find(({ call }) =>
            call.label !== "neutral" && call.state !== "notRun" &&
            !(call.label === "swamp" && call.state === "failed")
          );
          if (next?.call.label !== "bypass" || !ran(next.call)) return;
          if (/^swampdata|^swampdef/.test(next.call.category)) return;
          if (!calls.includes(next)) detours++;
          calls.push(failed, next);
        });
      }
      return detours === 0 ? [] : [{
        what: `A swamp call failed and was then bypassed ${times(detours)}${
          typesOf(calls)
        }`,
        calls: [...new Set(idsOf(calls))],
        severity: changes(calls) > 0 ? "high" : "medium",
      }];
    },
  },
  {
    id: "swamp.data-direct",
    topic: "detour",
    severity: "medium",
    about:
      "files below `.swamp/` were read (medium) or edited (high) past swamp",
    fix:
      "query it with `swamp data query`, which knows versions and what is latest",
    examples: {
      hit: [{
        shows: "stored data read with another program",
        calls: [{
          ...bypass,
          text: "jq . .swamp/data/x/y/latest/raw",
          category: "swampdata.read",
          rule: "swampdata.read",
        }],
      }],
      miss: [{
        shows: "a look at what is there, as swamp's own guide says",
        calls: [{ text: "ls .swamp/data/" }],
      }],
    },
    find: (line) => {
      const calls = detours(line)
        .filter(({ call }) => call.category.startsWith("swampdata"));
      if (calls.length === 0) return [];
      const wrote = calls.some(({ call }) =>
        call.mutating || call.category === "swampdata.write"
      );
      return [{
        what: `${wrote ? "Edited" : "Read"} below \`.swamp/\` directly ${
          times(calls.length)
        }`,
        calls: idsOf(calls),
        ...(wrote
          ? {
            severity: "high" as const,
            fix:
              "write through model methods: an edit there breaks versions and checksums, and is lost",
          }
          : {}),
      }];
    },
  },
  {
    id: "swamp.handmade",
    topic: "detour",
    severity: "low",
    about: "definitions of models, workflows or vaults were written by hand",
    fix:
      "let `swamp model create` and its like write them: they give ids and check the inputs",
    examples: {
      hit: [{
        shows: "a new definition written as a file",
        calls: [{
          ...bypass,
          tool: "Write",
          text: "models/aws/ec2/web.yaml",
          category: "swampdef.handmade",
          rule: "swampdef.handmade",
        }],
      }],
      miss: [{
        shows: "one made by swamp",
        calls: [{ ...query, text: "swamp model create @aws/ec2 web" }],
      }],
    },
    find: (line) => {
      const calls = detours(line)
        .filter(({ call }) => call.category.startsWith("swampdef"));
      return calls.length === 0 ? [] : [{
        what: `Wrote ${plural(calls.length, "definition")} by hand`,
        calls: idsOf(calls),
      }];
    },
  },
  {
    id: "swamp.refetched",
    topic: "detour",
    severity: "medium",
    about:
      "something was fetched around swamp after swamp had told of the same in this session: a read that a model type here wraps, after a swamp call that worked and names what the type is about",
    fix: "read what is stored with `swamp data query`, or run the model again",
    examples: {
      hit: [{
        shows: "a list fetched again that a query had just given",
        calls: [query, {
          ...bypass,
          text: "aws s3api list-buckets",
          wraps: "@swamp/aws/buckets",
        }],
      }],
      miss: [{
        shows: "swamp told of something else",
        calls: [{ ...query, text: "swamp data query 'modelName == \"vms\"'" }],
      }],
    },
    find: (line) => {
      const known: { at: string; words: Set<string> }[] = [];
      for (const { call } of line.calls) {
        if (
          call.label === "swamp" && call.state === "ok" &&
          /\b(?:data|run|get|query)\b/.test(call.text)
        ) known.push({ at: call.startedAt, words: words(call.text) });
      }
      const found = grouped(
        detours(line).filter(({ call }) =>
          call.mutating === false && call.wraps !== undefined &&
          known.some((k) =>
            k.at < call.startedAt &&
            [...words(lastPart(call.wraps ?? ""))].some((w) => k.words.has(w))
          )
        ),
        (call) => call.wraps,
      );
      return [...found].map(([type, calls]): Hit => ({
        what: `Fetched ${
          times(calls.length)
        } around swamp what ${type} had already brought`,
        calls: idsOf(calls),
      }));
    },
  },
  {
    id: "bypass.wrapped",
    topic: "detour",
    severity: "high",
    about:
      "a bypass did what a model type of this repository wraps: one that changed something is high, one that only read is medium; low where it is not sure",
    fix: "call the methods of that model type instead",
    examples: {
      hit: [{
        shows: "an object removed by hand though a model type does that",
        calls: [{ ...remove, wraps: "@swamp/aws/s3" }],
      }],
      miss: [{
        shows: "a call that a person turned down",
        calls: [{ ...remove, wraps: "@swamp/aws/s3", state: "rejected" }],
      }],
    },
    find: (line) =>
      [...grouped(detours(line), (call) => call.wraps)].map(
        ([type, calls]): Hit => ({
          what: `Went around ${type}, which is here and wraps this, ${
            times(calls.length)
          }`,
          calls: idsOf(calls),
          severity: calls.every(({ call }) => call.low)
            ? "low"
            : changes(calls) > 0
            ? "high"
            : "medium",
        }),
      ),
  },
  {
    id: "bypass.repeated",
    topic: "detour",
    severity: "low",
    about:
      `the same outside command ${REPEATS} times or more, and no model type here wraps it`,
    fix:
      "make it a model, or a step of a workflow, that runs once and keeps its data",
    examples: {
      hit: [{
        shows: "the same list again and again",
        calls: [{ ...bypass, text: "aws s3 ls s3://logs", times: REPEATS }],
      }],
      miss: [{
        shows: "different questions",
        calls: [
          { ...bypass, text: "aws s3 ls s3://a" },
          { ...bypass, text: "aws s3 ls s3://b", times: REPEATS - 1 },
        ],
      }],
    },
    find: (line) =>
      [
        ...grouped(
          allDetours(line),
          (call) =>
            call.text === "" || call.truncated || call.wraps !== undefined ||
              OWN.test(call.category)
              ? undefined
              : `${call.tool}\n${call.text}`,
        ).values(),
      ].filter((calls) => calls.length >= REPEATS)
        .map((calls) => calls.filter(({ call }) => !line.told(call)))
        .filter((calls) => calls.length > 1)
        .map((calls): Hit => ({
          what: `Ran the same outside command ${times(calls.length)} (\`${
            calls[0]?.call.category
          }\`)`,
          calls: idsOf(calls),
          severity: changes(calls) > 0 ? "medium" : "low",
        })),
  },
  {
    id: "bypass.unwrapped",
    topic: "detour",
    severity: "low",
    about:
      `something outside was changed around swamp, or read ${READS} times or more, and no model type here wraps it; medium from ${CHANGES} changes of one kind on`,
    fix:
      "a candidate for a new model, which makes it repeatable and keeps its data",
    examples: {
      hit: [
        { shows: "one change", calls: [remove] },
        {
          shows: "many reads of one kind",
          calls: Array.from({ length: READS }, (_, i) => ({
            ...bypass,
            text: `aws ec2 describe-instances --page ${i}`,
          })),
        },
      ],
      miss: [{
        shows: "a read or two",
        calls: [bypass, { ...bypass, text: "aws s3 ls" }],
      }],
    },
    find: (line) =>
      [
        ...grouped(
          detours(line).filter(({ call }) =>
            call.wraps === undefined && !OWN.test(call.category) && !call.low
          ),
          (call) => call.category,
        ),
      ].flatMap(([category, calls]): Hit[] => {
        const changed = changes(calls);
        if (changed === 0 && calls.length < READS) return [];
        return [{
          what: changed === 0
            ? `Read by \`${category}\` ${
              times(calls.length)
            }, which nothing here wraps`
            : `Changed something by \`${category}\` ${times(changed)}${
              changed < calls.length
                ? ` and read ${times(calls.length - changed)}`
                : ""
            }, which nothing here wraps`,
          calls: idsOf(calls),
          severity: changed >= CHANGES ? "medium" : "low",
        }];
      }),
  },
];

/** `, though @a/b wraps this`; empty where nothing does. */
function typesOf(calls: readonly Placed[]): string {
  const types = new Set(calls.flatMap(({ call }) => call.wraps ?? []));
  return types.size === 0
    ? ""
    : `, though ${[...types].slice(0, 3).join(" and ")} wraps this`;
}

/** The last part of a type's name: what it is about. */
function lastPart(type: string): string {
  return type.slice(type.lastIndexOf("/") + 1);
}

/** Words of a text that may name a thing, in lower case and singular. */
function words(text: string): Set<string> {
  return new Set(
    text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2)
      .map((word) => word.replace(/s$/, "")),
  );
}
