/**
 * `explain`: how a command is labelled, and why.
 *
 * @module
 */
import { type AnyCommand, command, type Context } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../errors.ts";
import { explainCommand, explainLines } from "../explain.ts";
import { knownRepo, RULES_FILE } from "../../import/mod.ts";
import { toJson } from "../json.ts";
import { LineWriter } from "../lines-out.ts";
import { flag } from "../options.ts";
import { repoDir } from "../place.ts";
import { linesOf } from "../stdin-lines.ts";
import { clean } from "../terminal.ts";
import type { RepoKnowledge } from "../../classify/types.ts";

/** See the module. */
export const explain: AnyCommand = command({
  name: "explain",
  summary: "say how a command is labelled, and why",
  about:
    `Says whether a shell command uses swamp, goes around it (a bypass) or does
neither, by which rule, and shows it as it would be stored: without secrets.
Nothing is run. Put the command in quotes.

With --stdin it reads one JSON string a line and writes one verdict a line, in
the same order. A line that is no JSON string gets {"error": …}.

Rules of this repo come from its ${RULES_FILE}.`,
  argument: { name: "command", help: "the command, in quotes", rest: true },
  options: {
    stdin: flag("read JSON strings, one a line, and write a verdict for each"),
  },
  examples: [
    ['explain "aws s3 rm s3://logs/x"', "a bypass that changes something"],
    ["explain \"swamp data query 'true'\" --json", "the verdict as JSON"],
    ["explain --stdin < commands.jsonl", "many, one verdict a line"],
  ],
  async run(context, values, text) {
    if (values.stdin && text !== undefined) {
      throw new UsageError("Give a command or --stdin, not both.");
    }
    const { knowledge, problems = [] } = knownRepo(
      repoDir(context.io, values),
    );
    for (const { file, line, message } of problems) {
      await context.note(
        `${context.err.yellow("problem:")} ${
          clean(`${file}:${line}: ${message}`)
        }`,
      );
    }
    if (values.stdin) return await many(context, knowledge);
    if (text === undefined) {
      throw new UsageError(
        "Give a command in quotes, or --stdin to read them from there.",
      );
    }
    const explained = explainCommand(text, knowledge);
    if (values.json) {
      await context.print(toJson(explained.explanation));
    } else {
      await context.print(explainLines(explained, context.out).join("\n"));
    }
    return EXIT.ok;
  },
});

async function many(
  { io, note }: Context,
  knowledge: RepoKnowledge,
): Promise<ExitCode> {
  if (io.stdinIsTTY) {
    await note(
      'Type JSON strings, one a line ("swamp model list"); Ctrl-D ends.',
    );
  }
  const out = new LineWriter(io.stdout);
  let bad = 0, number = 0;
  for await (const line of linesOf(io.stdin)) {
    number++;
    let text: unknown;
    try {
      text = line === undefined ? undefined : JSON.parse(line);
    } catch {
      // Told below, like any other line that is no string.
    }
    if (typeof text === "string") {
      await out.line(
        toJson(explainCommand(text, knowledge).explanation),
      );
    } else {
      bad++;
      await out.line(toJson({
        error: line === undefined
          ? `line ${number} is too long`
          : `line ${number} is no JSON string`,
      }));
    }
    // A person who types waits for each answer.
    if (io.stdinIsTTY) await out.flush();
  }
  await out.flush();
  if (bad === 0) return EXIT.ok;
  await note(
    `${bad} of ${number} lines were no JSON strings; each got an object with "error".`,
  );
  return EXIT.failed;
}
