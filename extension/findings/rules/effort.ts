/**
 * Effort that brought nothing: retries, polling, waiting, too much output.
 *
 * @module
 */
import type { Call } from "../../../schema/mod.ts";
import type { FindingRule, Hit } from "../rule.ts";
import {
  asksPerson,
  grouped,
  idsOf,
  isCommand,
  lastBefore,
  lasted,
  mayChange,
  type Placed,
  plural,
  ran,
  span,
  type Timeline,
  times,
} from "../timeline.ts";

/** The same failing command so often is a retry without a change. */
const RETRIES = 3;
/** The same question with a pause so often is a poll. */
const POLLS = 4;
/** So many looks at one background task are polling. */
const LOOKS = 8;
/** A loop that sleeps counts from this long on, in milliseconds. */
const LOOP_MS = 60_000;
/** Polling for this long makes it medium. */
const LONG_POLL_MS = 10 * 60_000;
/** Sleeping so long in all is worth a word. */
const SLEPT_MS = 5 * 60_000;
/** A quick call that stood so long was waiting for a person. */
const STOOD_MS = 20 * 60_000;
/** Tokens of one result from which it is huge. */
const HUGE_TOKENS = 25_000;
/** Tokens of all huge results from which that is medium. */
const HUGE_TOTAL = 100_000;
/** So many compactions of one session are many. */
const COMPACTIONS = 3;

const SLEEP =
  /(?:^|[;&|\n({]|\bdo|\bthen)\s{0,9}(?:start-)?sleep\s{1,9}(?:-\w{1,20}\s{1,9})?(\d{1,6}(?:\.\d{1,6})?)([smhd]?)(?=$|[\s;&|)])/gi;
const UNIT: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };
const LOOP = /(?:^|[;&|\n({])\s{0,9}(?:while|until|for)\s[^]{0,2000}?\bdo\b/;
const WATCH = /(?:^|[;&|\n(])\s{0,9}watch\s/;
/** Tools that look at a background task. */
const LOOK = /^(?:TaskOutput|BashOutput|AgentOutputTool)$/;
/** Calls of these are over at once unless someone has to allow them. */
const QUICK: ReadonlySet<string> = new Set([
  "neutral.read",
  "neutral.edit",
  "neutral.vcs",
]);

/** Milliseconds that a command says it sleeps, each sleep once. */
export function sleepsFor(text: string): number {
  let ms = 0;
  // Most commands do not even name it.
  if (!/sleep/i.test(text)) return ms;
  for (const [, n, unit] of text.matchAll(SLEEP)) {
    ms += Number(n) * 1000 * (UNIT[unit?.toLowerCase() ?? ""] ?? 1);
  }
  return ms;
}

function pollLoop(call: Call): boolean {
  return isCommand(call) && call.tool !== "Monitor" &&
    call.state !== "background" &&
    (WATCH.test(call.text) ||
      (sleepsFor(call.text) > 0 && LOOP.test(call.text))) &&
    lasted(call) >= LOOP_MS;
}

/** What a command asks after its pause; undefined where it has none. */
function question(call: Call): string | undefined {
  if (!isCommand(call) || !ran(call) || sleepsFor(call.text) === 0) {
    return undefined;
  }
  const rest = call.text.replace(SLEEP, "").replace(/\d{1,20}/g, "0")
    .replace(/[\s;&|()]{1,50}/g, " ").trim();
  return rest === "" ? undefined : rest;
}

function polls(line: Timeline): Hit[] {
  const hits: Hit[] = [];
  const tell = (calls: readonly Placed[], what: string) => {
    const ms = calls.reduce((sum, { call }) => sum + lasted(call), 0);
    hits.push({
      what: ms >= 60_000 ? `${what}, for ${span(ms)} in all` : what,
      calls: idsOf(calls),
      severity: ms >= LONG_POLL_MS ? "medium" : "low",
    });
  };
  const loops = line.calls.filter(({ call }) =>
    pollLoop(call) && !line.told(call)
  );
  if (loops.length > 0) {
    tell(loops, `Waited in a loop that sleeps ${times(loops.length)}`);
  }
  for (const { calls } of line.sessions) {
    const open = calls.filter((p) => !loops.includes(p));
    // Those that another rule tells of still show that it is a poll.
    const untold = (asked: readonly Placed[], least: number) => {
      const same = asked.length < least
        ? []
        : asked.filter(({ call }) => !line.told(call));
      return same.length > 1 ? same : undefined;
    };
    for (const asked of grouped(open, question).values()) {
      const same = untold(asked, POLLS);
      if (!same) continue;
      tell(same, `Asked the same with a pause before it ${times(same.length)}`);
    }
    const looks = grouped(
      open,
      (call) => LOOK.test(call.tool) && call.text ? call.text : undefined,
    );
    for (const looked of looks.values()) {
      const same = untold(looked, LOOKS);
      if (!same) continue;
      tell(same, `Looked at one background task ${times(same.length)}`);
    }
  }
  return hits;
}

function retries(line: Timeline): Hit[] {
  const hits: Hit[] = [];
  for (const { calls } of line.sessions) {
    let open = new Map<string, Placed[]>();
    const end = (run: readonly Placed[] | undefined) => {
      if (run === undefined || run.length < RETRIES) return;
      hits.push({
        what: `The same command failed ${
          times(run.length)
        } with nothing changed in between`,
        calls: idsOf(run),
      });
    };
    for (const placed of calls) {
      const { call } = placed;
      const key = isCommand(call) ? `${call.tool}\n${call.text}` : undefined;
      const run = key === undefined ? undefined : open.get(key);
      if (key !== undefined && call.state === "failed" && !line.told(call)) {
        // What failed otherwise changed nothing that this one waits for.
        if (run) run.push(placed);
        else open.set(key, [placed]);
        continue;
      }
      if (key !== undefined && call.state === "ok") {
        end(run);
        open.delete(key);
      }
      if (!mayChange(call)) continue;
      for (const other of open.values()) end(other);
      open = new Map();
    }
    for (const other of open.values()) end(other);
  }
  return hits;
}

const huge = (n: number) => `${Math.round(n / 1000)}k tokens`;

/** Rules on effort. */
export const EFFORT_RULES: readonly FindingRule[] = [
  {
    id: "poll.loop",
    topic: "detour",
    severity: "low",
    about: `polling: a loop that sleeps and took ${
      span(LOOP_MS)
    } or more, the same question with a pause before it ${POLLS} times or more, or ${LOOKS} looks at one background task; medium from ${
      span(LONG_POLL_MS)
    } on`,
    fix:
      "run it in the background and be told when it ends, or make the wait a step of a workflow",
    examples: {
      hit: [
        {
          shows: "a loop in the foreground",
          calls: [{
            text: "until curl -sf localhost:8080; do sleep 5; done",
            lasts: 90,
          }],
        },
        {
          shows: "the same question with a pause",
          calls: [{
            text: "sleep 20; gh run view 7",
            lasts: 21,
            times: POLLS,
          }],
        },
        {
          shows: "looks at a task that has not ended",
          calls: [{ tool: "BashOutput", text: "bash_1", times: LOOKS }],
        },
      ],
      miss: [
        { shows: "one pause", calls: [{ text: "sleep 5; ls", lasts: 5 }] },
        {
          shows: "a word in a text",
          calls: [{ text: 'git commit -m "do sleep 5"', lasts: 90, times: 5 }],
        },
      ],
    },
    find: polls,
  },
  {
    id: "retry.unchanged",
    topic: "detour",
    severity: "medium",
    about:
      `the same command failed ${RETRIES} times or more and nothing that could change its result ran in between`,
    fix:
      "read its error once and change something, or make it a check that explains itself",
    examples: {
      hit: [{
        shows: "a build repeated as it is, with looks in between",
        calls: [
          { text: "make", state: "failed", category: "neutral.build" },
          { tool: "Read", text: "Makefile" },
          {
            text: "make",
            state: "failed",
            category: "neutral.build",
            times: RETRIES - 1,
          },
        ],
      }],
      miss: [
        {
          shows: "an edit between the tries",
          calls: [
            { text: "make", state: "failed", times: RETRIES - 1 },
            { tool: "Edit", text: "a.c", category: "neutral.edit" },
            { text: "make", state: "failed" },
          ],
        },
        {
          shows: "patches of one file, whose contents are not kept",
          calls: [{
            tool: "apply_patch",
            text: "Update a.c",
            category: "neutral.edit",
            state: "failed",
            times: RETRIES,
          }],
        },
      ],
    },
    find: retries,
  },
  {
    id: "wait.idle",
    topic: "detour",
    severity: "low",
    about: `long waits inside a turn: commands that slept ${
      span(SLEPT_MS)
    } or more in all, or a quick call that stood for ${
      span(STOOD_MS)
    } or more because someone had to allow it`,
    fix:
      "wait for an event rather than a time, and allow what is safe in the agent program's permissions",
    examples: {
      hit: [
        {
          shows: "pauses of several minutes",
          calls: [
            { text: "sleep 180; ls", lasts: 180 },
            { text: "sleep 200; date", lasts: 200 },
          ],
        },
        {
          shows: "an edit that waited for a person",
          calls: [{
            tool: "Edit",
            text: "a.ts",
            category: "neutral.edit",
            lasts: 40 * 60,
          }],
        },
      ],
      miss: [{
        shows: "a long build",
        calls: [{ text: "make", category: "neutral.build", lasts: 3600 }],
      }],
    },
    find: (line) => {
      const hits: Hit[] = [];
      const slept = line.calls.filter(({ call }) =>
        isCommand(call) && sleepsFor(call.text) > 0 && lasted(call) > 0 &&
        !line.told(call)
      );
      const ms = slept.reduce(
        (sum, { call }) => sum + Math.min(lasted(call), sleepsFor(call.text)),
        0,
      );
      if (ms >= SLEPT_MS) {
        hits.push({
          what: `Slept ${span(ms)} in ${plural(slept.length, "command")}`,
          calls: idsOf(slept),
        });
      }
      const stood = line.calls.filter(({ call }) =>
        QUICK.has(call.category) && lasted(call) >= STOOD_MS &&
        call.state !== "background" && call.subagent === undefined &&
        !asksPerson(call) && sleepsFor(call.text) === 0 && !line.told(call)
      );
      if (stood.length > 0) {
        hits.push({
          what: `${plural(stood.length, "quick call")} stood for ${
            span(stood.reduce((sum, { call }) => sum + lasted(call), 0))
          } in all before ${stood.length === 1 ? "it was" : "they were"} done`,
          calls: idsOf(stood),
        });
      }
      return hits;
    },
  },
  {
    id: "output.huge",
    severity: "low",
    about: `results that brought ${
      huge(HUGE_TOKENS)
    } or more each into the context, by the counts of the model's own responses; medium from ${
      huge(HUGE_TOTAL)
    } in all`,
    fix:
      "ask for less (a query, a filter, a part of the file), or keep the output in a file",
    examples: {
      hit: [{
        shows: "a log read whole",
        calls: [{ text: "cat build.log", brings: 42_000 }],
      }],
      miss: [{
        shows: "its end",
        calls: [{ text: "tail -50 build.log", brings: 2_000 }],
      }],
    },
    find: (line) => {
      const size = ({ call }: Placed) => line.brought.get(call.id) ?? 0;
      const calls = line.calls.filter((placed) => size(placed) >= HUGE_TOKENS);
      if (calls.length === 0) return [];
      const total = calls.reduce((sum, placed) => sum + size(placed), 0);
      return [{
        what: `${plural(calls.length, "result")} brought ${
          huge(total)
        } into the context`,
        calls: idsOf(calls),
        severity: total >= HUGE_TOTAL ? "medium" : "low",
      }];
    },
  },
  {
    id: "context.compacted",
    severity: "low",
    about:
      `a session or a subagent whose context was compacted ${COMPACTIONS} times or more`,
    fix:
      "split the work into sessions or subagents: each compaction forgets details",
    examples: {
      hit: [{
        shows: "three compactions",
        calls: [{}],
        marks: Array.from({ length: COMPACTIONS }, () => "compaction" as const),
      }],
      miss: [{ shows: "one", calls: [{}], marks: ["compaction"] }],
    },
    find: (line) =>
      line.sessions.flatMap(({ session, calls }): Hit[] => {
        const marks = session.marks.filter((m) => m.kind === "compaction");
        if (marks.length < COMPACTIONS) return [];
        const before = marks.flatMap(({ at }) => lastBefore(calls, at) ?? []);
        return [{
          what: `${
            session.parent ? "A subagent's" : "The"
          } context was compacted ${times(marks.length)}`,
          calls: [...new Set(idsOf(before))],
        }];
      }),
  },
];
