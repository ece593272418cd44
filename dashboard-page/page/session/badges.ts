/**
 * What a record does not tell, said openly: each badge with what is missing
 * and why.
 *
 * @module
 */
import type { Summary } from "../../../schema/mod.ts";
import { plural } from "../base/format.ts";
import type { SessionModel } from "./model.ts";

/** A badge of the header. */
export interface Badge {
  id: string;
  /** A figure, shown strong; absent where there is none. */
  count?: number;
  text: string;
  /** What is missing, and why. */
  tip: string;
}

/** The summary's figures are known at once, the rest once the detail is there. */
export function badgesOf(
  summary: Summary | undefined,
  model: SessionModel | undefined,
): Badge[] {
  const badges: Badge[] = [];
  const counted = (
    id: string,
    count: number,
    one: string,
    many: string,
    tip: string,
  ) => {
    if (count > 0) {
      badges.push({ id, count, text: count === 1 ? one : many, tip });
    }
  };
  const flags = new Set(summary?.flags);
  if (summary) {
    const { source } = summary;
    if (flags.has("live")) {
      badges.push({
        id: "live",
        text: "live",
        tip:
          "The session was still being written when it was imported. Import again to see what came after.",
      });
    }
    counted(
      "damaged",
      source.badLines,
      "damaged line",
      "damaged lines",
      `${
        plural(source.badLines, "line")
      } of the source could not be read and were skipped. Calls in them are missing here.`,
    );
    counted(
      "unknown",
      source.unknownRecords,
      "unknown record",
      "unknown records",
      "Records of types that this importer does not know were skipped and counted. A newer importer may read them.",
    );
    if (summary.tokens.outputIsLowerBound) {
      badges.push({
        id: "tokens",
        text: "tokens partial",
        tip:
          "The harness wrote placeholders for some replies: output tokens are a lower bound.",
      });
    }
  }
  if (model) {
    const calls = model.calls.map((n) => n.call);
    const how = (test: (call: typeof calls[number]) => boolean) =>
      calls.reduce((n, call) => n + (test(call) ? 1 : 0), 0);
    counted(
      "redacted",
      calls.reduce((n, c) => n + (c.redactions ?? 0), 0),
      "redacted",
      "redacted",
      "Secrets were replaced before anything was stored. Each marker names the rule that found it.",
    );
    counted(
      "cut",
      how((c) => c.truncated === true),
      "command cut at 2 KB",
      "commands cut at 2 KB",
      "Longer than 2 KB: the rest was never stored. Redaction ran first.",
    );
    counted(
      "low",
      how((c) => c.low === true),
      "low confidence",
      "low confidence",
      "What these calls run cannot be read with certainty. Their labels carry a “?”.",
    );
    counted(
      "pending",
      how((c) => c.state === "pending"),
      "call without a result",
      "calls without a result",
      "No result of these calls is recorded: how they ended, and how long they took, is not known.",
    );
    counted(
      "unlinked",
      model.agents.filter((a) => !a.starter && !a.session.auxiliary).length,
      "subagent without its call",
      "subagents without their call",
      "Nothing recorded says which call started them. They stand where they began.",
    );
  } else if (flags.has("truncated")) {
    badges.push({
      id: "cut",
      text: "commands cut at 2 KB",
      tip: "Longer than 2 KB: the rest was never stored. Redaction ran first.",
    });
  }
  if (flags.has("interrupted")) {
    badges.push({
      id: "interrupted",
      text: "interrupted",
      tip: "A person or a shutdown broke off a turn.",
    });
  }
  const compactions =
    model?.detail.session.marks.filter((m) => m.kind === "compaction").length ??
      0;
  if (compactions > 0 || flags.has("compacted")) {
    badges.push({
      id: "compacted",
      text: compactions > 1
        ? `compacted ${compactions} times`
        : compactions
        ? "compacted once"
        : "compacted",
      tip:
        "The harness replaced the context by a recap. What the agent knew before is only known in short after it.",
    });
  }
  if (flags.has("sourceGone")) {
    badges.push({
      id: "gone",
      text: "source gone",
      tip:
        "The harness has deleted its file of this session. What was imported stays; it cannot be imported again.",
    });
  }
  if (flags.has("parentGone")) {
    badges.push({
      id: "parent",
      text: "parent gone",
      tip:
        "The file of the session that started these subagents no longer exists. Only the subagents are shown.",
    });
  }
  if (flags.has("fork") || summary?.forkOf) {
    badges.push({
      id: "fork",
      text: "fork",
      tip: `It begins with the history of another session${
        summary?.forkOf ? ` (${summary.forkOf})` : ""
      }. What was copied is counted there, not here.`,
    });
  }
  if (flags.has("auxiliary")) {
    badges.push({
      id: "auxiliary",
      text: "harness’s own",
      tip: "The harness’s own work (guardian, review, compact), not a task.",
    });
  }
  return badges;
}
