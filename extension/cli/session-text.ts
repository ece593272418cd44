/**
 * A stored session as text for people.
 *
 * @module
 */
import type {
  Call,
  CallState,
  Detail,
  SessionDetail,
  Summary,
} from "../../schema/mod.ts";
import { paintLabel } from "./explain.ts";
import {
  count,
  duration,
  localClock,
  localTime,
  plural,
  short,
} from "./format.ts";
import { clean, type Colors, fit, pad, width } from "./terminal.ts";

/** States in a person's words, all of one width at most. */
const STATES: Readonly<Record<CallState, string>> = {
  ok: "ok",
  failed: "failed",
  rejected: "rejected",
  interrupted: "broken off",
  notRun: "not run",
  pending: "no end",
  background: "background",
};
const STATE_WIDTH = 11, TOOL_WIDTH = 14;
/** A call with less room for its text takes two lines, the text below. */
const TEXT_ROOM = 20;
/** Subagents deeper than this are not indented further. */
const MAX_INDENT = 6;

/** Colours a call's state. */
function paintState(state: CallState, text: string, colors: Colors): string {
  switch (state) {
    case "ok":
      return colors.green(text);
    case "failed":
      return colors.red(text);
    case "rejected":
    case "interrupted":
    case "notRun":
      return colors.magenta(text);
    default:
      return colors.cyan(text);
  }
}

/** Lines of a whole session, in at most `room` columns. */
export function* sessionLines(
  summary: Summary,
  detail: Detail,
  room: number,
  colors: Colors,
): Generator<string> {
  yield* headerLines(summary, room, colors);
  if (detail.findings.length > 0) {
    yield "";
    yield colors.bold("Findings");
    for (const finding of detail.findings) {
      const words = [
        ...clean(finding.text).split(" "),
        `(${clean(finding.rule)})`,
      ];
      let front = `  ${pad(finding.severity, 6)}  `;
      for (const line of flowed(words, room - width(front), " ")) {
        yield front + line;
        front = " ".repeat(width(front));
      }
    }
  }
  const tree = new Tree(detail, room, colors);
  yield* tree.turns(detail.session, 0);
  const rest = tree.unseen();
  if (rest.length > 0) {
    yield "";
    yield colors.bold("Subagents that no call is known for");
    for (const agent of rest) yield* tree.agent(agent, 1);
  }
}

/** Parts one after the other, on as many lines as they need. */
function* flowed(
  parts: readonly string[],
  room: number,
  between: string,
): Generator<string> {
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : line + between + part;
    if (line !== "" && width(longer) > room) {
      yield line;
      line = part;
    } else line = longer;
  }
  if (line !== "") yield line;
}

function* headerLines(
  s: Summary,
  room: number,
  colors: Colors,
): Generator<string> {
  const parts = function* (...texts: (string | undefined)[]) {
    const said = texts.filter(Boolean).map((t) => clean(t ?? ""));
    for (const line of flowed(said, room - 2, " · ")) yield `  ${line}`;
  };
  yield colors.bold(`Session ${clean(s.id)}`);
  yield* parts(
    s.repo.name,
    s.cwd,
    s.branch,
    `${s.harness.name} ${s.harness.version ?? ""}`.trim(),
    s.mode === "unknown" ? undefined : s.mode,
    s.model,
  );
  yield* parts(
    localTime(s.startedAt),
    `${duration(s.durationMs)} long, ${duration(s.activeMs)} active`,
    plural(s.turns, "turn"),
    plural(s.calls, "call") +
      (s.subagents.count > 0
        ? ` (${count(s.subagents.calls)} by ${
          plural(s.subagents.count, "subagent")
        })`
        : ""),
    s.failedCalls > 0 ? `${count(s.failedCalls)} failed` : undefined,
    s.rejectedCalls > 0 ? `${count(s.rejectedCalls)} rejected` : undefined,
  );
  const { swamp, bypass, neutral, mutating } = s.labels;
  yield `  ${
    [
      paintLabel("swamp", `swamp ${count(swamp)}`, colors),
      paintLabel("bypass", `bypass ${count(bypass)}`, colors) +
      (mutating > 0 ? ` (${count(mutating)} changed something)` : ""),
      paintLabel("neutral", `neutral ${count(neutral)}`, colors),
    ].join(" · ")
  }`;
  const t = s.tokens;
  yield* parts(
    `tokens ${short(t.input)} in, ${t.outputIsLowerBound ? "at least " : ""}${
      short(t.output)
    } out, ${short(t.cacheRead)} from cache`,
    `substance ${s.substance.score}, ${s.substance.tier}`,
    s.flags.length > 0 ? s.flags.join(", ") : undefined,
  );
}

/** Draws turns, calls and the subagents below them. */
class Tree {
  private readonly byId: Map<string, SessionDetail>;
  private readonly shown = new Set<string>();

  constructor(
    private readonly detail: Detail,
    private readonly room: number,
    private readonly colors: Colors,
  ) {
    this.byId = new Map(detail.subagents.map((agent) => [agent.id, agent]));
  }

  /** Subagents that were not drawn below a call. */
  unseen(): SessionDetail[] {
    return this.detail.subagents.filter((agent) => !this.shown.has(agent.id));
  }

  *turns(session: SessionDetail, depth: number): Generator<string> {
    for (const turn of session.turns) {
      const calls = plural(turn.calls.length, "call");
      const ms = Date.parse(turn.endedAt) - Date.parse(turn.startedAt);
      const title = `Turn ${turn.number}`;
      const facts = [
        localClock(turn.startedAt),
        turn.trigger,
        duration(Math.max(0, ms)),
        calls,
      ].join(" · ");
      if (depth === 0) {
        yield "";
        yield `${this.colors.bold(title)}  ${this.colors.dim(facts)}`;
      } else if (session.turns.length > 1) {
        yield `${this.indent(depth)}${this.colors.dim(`${title} · ${facts}`)}`;
      }
      for (const call of turn.calls) yield* this.call(call, depth);
    }
  }

  *call(call: Call, depth: number): Generator<string> {
    yield* this.callLines(call, depth);
    const agent = call.subagent ? this.byId.get(call.subagent) : undefined;
    if (agent && !this.shown.has(agent.id)) yield* this.agent(agent, depth + 1);
  }

  *agent(agent: SessionDetail, depth: number): Generator<string> {
    // Marked before its own calls: a loop of links ends here.
    this.shown.add(agent.id);
    const calls = agent.turns.reduce((n, turn) => n + turn.calls.length, 0);
    const ms = Date.parse(agent.endedAt) - Date.parse(agent.startedAt);
    yield `${this.indent(depth)}${
      this.colors.cyan(
        `↳ ${clean(agent.agentType ?? "subagent")} ${
          clean(agent.id.slice(0, 12))
        }`,
      )
    } ${
      this.colors.dim(`${duration(Math.max(0, ms))} · ${plural(calls, "call")}`)
    }`;
    yield* this.turns(agent, depth);
  }

  private indent(depth: number): string {
    return "  ".repeat(1 + Math.min(depth, MAX_INDENT));
  }

  private *callLines(call: Call, depth: number): Generator<string> {
    const { colors } = this;
    const state = call.state === "failed" && call.exitCode
      ? `failed ${call.exitCode}`
      : STATES[call.state];
    const took = call.endedAt
      ? duration(
        Math.max(0, Date.parse(call.endedAt) - Date.parse(call.startedAt)),
      )
      : "";
    const front = [
      localClock(call.startedAt),
      pad(fit(state, STATE_WIDTH), STATE_WIDTH),
      pad(took, 7, true),
      pad(call.label, 7),
      pad(fit(clean(call.tool), TOOL_WIDTH), TOOL_WIDTH),
    ];
    const indent = this.indent(depth);
    const why = call.label === "bypass"
      ? `  ${call.rule}${call.mutating ? " (changes)" : ""}`
      : "";
    const fields = [
      indent + colors.dim(front[0] ?? ""),
      paintState(call.state, front[1] ?? "", colors),
      colors.dim(front[2] ?? ""),
      paintLabel(call.label, front[3] ?? "", colors),
    ];
    const leftAfter = (before: string) =>
      this.room - width(before) - width(why);
    const line = `${indent}${front.join(" ")} `;
    const below = `${indent}  ${clean(call.tool)} `;
    const narrow = leftAfter(line) < TEXT_ROOM;
    const left = narrow ? Math.max(12, leftAfter(below)) : leftAfter(line);
    const text = fit(clean(call.text), left);
    const what = why === "" ? text : text + colors.yellow(why);
    if (narrow) {
      yield fields.join(" ");
      yield (below + what).trimEnd();
    } else yield [...fields, front[4], what].join(" ").trimEnd();
  }
}
