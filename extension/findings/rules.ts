/**
 * The finding rules: data, each with what it says and the fix it suggests.
 *
 * @module
 */
import type { Call, Severity } from "../../schema/mod.ts";
import type { Placed, Timeline } from "./timeline.ts";

/** One hit of a rule. */
export interface Hit {
  /** One sentence: what happened, and what to do. */
  text: string;
  /** Ids of the calls behind it, in time order. */
  calls: string[];
  /** Where it differs from the rule's own. */
  severity?: Severity;
}

/** A rule that finds something to tune. */
export interface FindingRule {
  /** Stable id. */
  id: string;
  /** Its usual severity. */
  severity: Severity;
  /** What it looks for, for the documentation. */
  about: string;
  /** Looks for it. Pure. */
  find(line: Timeline): Hit[];
}

/** Same failing command this often in a row is a retry without a change. */
export const RETRIES = 3;
/** The same outside command this often is worth a model. */
export const REPEATS = 4;
/** Calls that a person rejected from which a rule or permission is worth it. */
export const REJECTIONS = 3;

const ids = (calls: readonly Placed[]) => calls.map((p) => p.call.id);
const times = (n: number) => (n === 1 ? "once" : `${n} times`);
const one = (hit: Hit | undefined): Hit[] => (hit ? [hit] : []);
const bypasses = (line: Timeline) =>
  line.calls.filter((p) => p.call.label === "bypass");

function grouped(
  calls: readonly Placed[],
  key: (call: Call) => string | undefined,
): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const placed of calls) {
    const name = key(placed.call);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(placed);
    else groups.set(name, [placed]);
  }
  return groups;
}

/** All rules, in the order of the documentation. */
export const FINDING_RULES: readonly FindingRule[] = [
  {
    id: "bypass.wrapped",
    severity: "high",
    about: "a bypass did what a model type of this repository already wraps",
    find: (line) =>
      [...grouped(bypasses(line), (c) => c.wraps)].map(([type, calls]) => ({
        text: `Went around ${type} ${
          times(calls.length)
        }: that model type is here and wraps this; call its methods instead.`,
        calls: ids(calls),
        severity: calls.some((p) => p.call.mutating) ? "high" : "medium",
      })),
  },
  {
    id: "bypass.mutating",
    severity: "medium",
    about: "bypasses that changed something and that nothing here wraps",
    find: (line) =>
      [
        ...grouped(
          bypasses(line).filter((p) =>
            p.call.mutating && !p.call.wraps &&
            !p.call.category.startsWith("swamp")
          ),
          (c) => c.category,
        ),
      ].map(([category, calls]) => ({
        text: `Changed something around swamp (${category}) ${
          times(calls.length)
        }: a model type would make it repeatable and leave data behind.`,
        calls: ids(calls),
      })),
  },
  {
    id: "bypass.repeated",
    severity: "low",
    about: "the same outside command again and again",
    find: (line) =>
      [
        ...grouped(
          bypasses(line).filter((p) => !p.call.wraps),
          (c) => c.text === "" ? undefined : `${c.tool}\n${c.text}`,
        ).values(),
      ].filter((calls) => calls.length >= REPEATS).map((calls) => ({
        text: `Ran the same outside command ${
          times(calls.length)
        }: a model or a workflow would run it once and keep its data.`,
        calls: ids(calls),
      })),
  },
  {
    id: "swamp.failed-then-bypassed",
    severity: "high",
    about: "a swamp call failed and the next step went around swamp",
    find: (line) => {
      const calls: Placed[] = [];
      for (let i = 0; i < line.calls.length; i++) {
        const failed = line.calls[i]!;
        if (failed.call.label !== "swamp" || failed.call.state !== "failed") {
          continue;
        }
        const next = line.calls.slice(i + 1, i + 6).find((p) =>
          p.session === failed.session && p.call.label !== "neutral"
        );
        if (next?.call.label === "bypass") calls.push(failed, next);
      }
      return one(
        calls.length
          ? {
            text: `A swamp call failed and was then bypassed ${
              times(calls.length / 2)
            }: fix the model or its inputs, so that the detour is not needed.`,
            calls: [...new Set(ids(calls))],
          }
          : undefined,
      );
    },
  },
  {
    id: "swamp.data-direct",
    severity: "medium",
    about: "data under .swamp/ was read or edited directly",
    find: (line) => {
      const calls = line.calls.filter((p) =>
        p.call.label === "bypass" && /^swampdata\./.test(p.call.rule)
      );
      const wrote = calls.some((p) => p.call.mutating);
      return one(
        calls.length
          ? {
            text: `Touched .swamp/ directly ${times(calls.length)}: ${
              wrote
                ? "edits there are lost or break versions; write through model methods."
                : "query it with `swamp data query` instead."
            }`,
            calls: ids(calls),
            severity: wrote ? "high" : "medium",
          }
          : undefined,
      );
    },
  },
  {
    id: "secret.command-line",
    severity: "high",
    about: "a secret stood on a command line",
    find: (line) => {
      const calls = line.calls.filter((p) => (p.call.redactions ?? 0) > 0);
      return one(
        calls.length
          ? {
            text: `A secret stood on a command line in ${calls.length} ${
              calls.length === 1 ? "call" : "calls"
            }: it was redacted here, but history and process lists had it; read it from a vault.`,
            calls: ids(calls),
          }
          : undefined,
      );
    },
  },
  {
    id: "retry.unchanged",
    severity: "medium",
    about: "the same failing command was run again without a change",
    find: (line) => {
      const hits: Hit[] = [];
      const bySession = grouped(line.calls, () => "");
      for (const session of new Set(line.calls.map((p) => p.session))) {
        let run: Placed[] = [];
        const flush = () => {
          if (run.length >= RETRIES) {
            hits.push({
              text:
                `The same call failed ${run.length} times in a row unchanged: read its error once, or make it a check that explains itself.`,
              calls: ids(run),
            });
          }
          run = [];
        };
        for (const p of bySession.get("") ?? []) {
          if (p.session !== session) continue;
          const last = run[run.length - 1]?.call;
          const same = last && last.tool === p.call.tool &&
            last.text === p.call.text && p.call.text !== "";
          if (p.call.state !== "failed" || (last && !same)) flush();
          if (p.call.state === "failed") run.push(p);
        }
        flush();
      }
      return hits;
    },
  },
  {
    id: "tests.last-failed",
    severity: "medium",
    about: "the last test run with a known result failed",
    find: (line) => {
      const last = line.detail.tests.filter((t) => t.passed !== null).at(-1);
      return one(
        last && last.passed === false
          ? {
            text:
              "The last test run whose result is known failed: the work may not be done.",
            calls: [last.call],
          }
          : undefined,
      );
    },
  },
  {
    id: "rejected.repeatedly",
    severity: "low",
    about: "a person rejected calls again and again",
    find: (line) => {
      const calls = line.calls.filter((p) => p.call.state === "rejected");
      return one(
        calls.length >= REJECTIONS
          ? {
            text:
              `A person rejected ${calls.length} calls: say in the project's instructions what is not wanted.`,
            calls: ids(calls),
          }
          : undefined,
      );
    },
  },
];
