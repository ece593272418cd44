/**
 * Built sessions for tests, without a harness.
 *
 * @module
 */
import { SessionBuilder } from "../extension/session/builder.ts";
import type {
  BuiltSession,
  CallAnalyst,
  CallFacts,
  CallInput,
} from "../extension/session/model.ts";
import { PrivateText } from "../extension/session/private-text.ts";

/** Shows every text as it is and calls everything neutral. */
export const plainAnalyst: CallAnalyst = {
  call: (_tool, input: CallInput): CallFacts => ({
    text: input.text?.reveal() ?? "",
    label: "neutral",
    category: "other",
    rule: "neutral.other",
    ...(input.writes ? { writes: input.writes.map((w) => w.reveal()) } : {}),
    ...(input.reads ? { reads: input.reads.map((r) => r.reveal()) } : {}),
  }),
  testOutcome: () => null,
};

/** 2026-10-05T09:00:00.000Z. */
export const NINE: number = Date.parse("2026-10-05T09:00:00.000Z");

/** A session of one turn with calls a minute apart. */
export function sessionOf(
  calls: {
    id: string;
    tool?: string;
    text?: string;
    state?: "ok" | "failed" | "rejected";
    exitCode?: number;
    writes?: string[];
    reads?: string[];
    test?: string;
    output?: string;
  }[],
  analyst: CallAnalyst = plainAnalyst,
  id = "s1",
): BuiltSession {
  const builder = new SessionBuilder("claude", id, "main", analyst);
  builder.seen(NINE);
  builder.startTurn(NINE, "prompt");
  const box = (list?: string[]) => list?.map((t) => new PrivateText(t));
  calls.forEach((c, i) => {
    const at = NINE + (i + 1) * 60_000;
    const writes = box(c.writes), reads = box(c.reads);
    builder.call(c.id, c.tool ?? "Bash", at, {
      kind: c.tool && c.tool !== "Bash" ? "path" : "shell",
      text: new PrivateText(c.text ?? ""),
      ...(writes ? { writes } : {}),
      ...(reads ? { reads } : {}),
    });
    builder.result(
      c.id,
      at + 1000,
      c.state ?? "ok",
      c.exitCode,
      c.output === undefined ? undefined : new PrivateText(c.output),
    );
    builder.seen(at + 1000);
  });
  builder.session.endedCleanly = true;
  builder.session.messages = 2;
  return builder.finish();
}
