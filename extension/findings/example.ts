/**
 * Examples of rules as the records that rules look at.
 *
 * @module
 */
import type { Call, SessionDetail, Tokens } from "../../schema/mod.ts";
import type { Example, ExampleCall } from "./rule.ts";
import type { FindingInput } from "./timeline.ts";

/** When examples begin, epoch milliseconds. */
const START = Date.UTC(2026, 9, 5, 9);

/** An example, ready for the rules. */
export interface ExampleInput {
  /** The records. */
  detail: FindingInput;
  /** See `Timeline.brought`. */
  brought: Map<string, number>;
}

const none = (): Tokens => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
});
const iso = (ms: number): string => new Date(ms).toISOString();

/** Makes an example's records. */
export function exampleInput(example: Example): ExampleInput {
  const brought = new Map<string, number>();
  const tests: FindingInput["tests"] = [];
  let at = START;
  const session = (
    id: string,
    specs: readonly ExampleCall[],
  ): SessionDetail => {
    const startedAt = iso(at);
    const calls = specs.flatMap((spec) =>
      Array.from({ length: spec.times ?? 1 }, () => spec)
    ).map((spec, i): Call => {
      const { times: _, lasts = 1, after = 1, brings, passed, ...more } = spec;
      const begun = at + after * 1000;
      at = begun + lasts * 1000;
      const call: Call = {
        id: `${id}${i + 1}`,
        tool: "Bash",
        startedAt: iso(begun),
        endedAt: iso(at),
        state: "ok",
        text: "ls",
        label: "neutral",
        category: "neutral.read",
        rule: "neutral.read",
        ...more,
      };
      if (brings !== undefined) brought.set(call.id, brings);
      if (passed !== undefined) tests.push({ call: call.id, passed });
      return call;
    });
    const endedAt = iso(at);
    return {
      id,
      models: [],
      startedAt,
      endedAt,
      tokens: none(),
      turns: [{
        number: 1,
        startedAt,
        endedAt,
        trigger: "prompt",
        tokens: none(),
        calls,
      }],
      marks: [],
    };
  };
  const root = session("c", example.calls);
  root.marks = (example.marks ?? []).map((kind) => ({ at: iso(at), kind }));
  const last = root.turns[0]?.calls.at(-1);
  const subagents = (example.subagent ? [example.subagent] : []).map(
    (specs): SessionDetail => ({
      ...session("s", specs),
      parent: {
        session: root.id,
        ...(last ? { call: last.id } : {}),
      },
    }),
  );
  if (last && subagents[0]) last.subagent = subagents[0].id;
  return {
    detail: {
      session: root,
      subagents,
      tests,
      files: { written: [...example.written ?? []], read: [] },
    },
    brought,
  };
}
