/**
 * `extract`: what a session amounted to, straight from its files.
 *
 * @module
 */
import { basename } from "node:path";
import { safeId } from "../../../schema/mod.ts";
import type { ExtractedDigest } from "../../digest/extract.ts";
import { synthesisPrompt, TEMPLATES } from "../../digest/prompts/templates.ts";
import {
  begun,
  extractSource,
  knownRepo,
  scanFor,
  type Source,
} from "../../import/mod.ts";
import { type AnyCommand, command } from "../command.ts";
import { digestLines } from "../digest-text.ts";
import { CliError, EXIT, UsageError } from "../errors.ts";
import { localTime, plural } from "../format.ts";
import { byPrefix } from "../ids.ts";
import { toJson } from "../json.ts";
import { LineWriter } from "../lines-out.ts";
import { flag, value } from "../options.ts";
import { harnessEnv, repoDir } from "../place.ts";
import { knownHeads } from "../scan.ts";
import { clean, cleanLines } from "../terminal.ts";
import { oneOf } from "../values.ts";

const PROMPTS = TEMPLATES.map((template) => template.name);

/** See the module. */
export const extract: AnyCommand = command({
  name: "extract",
  summary: "print what a session amounted to, for another agent or for you",
  about:
    `Reads one session's files and prints a digest: what was asked first and
last, the files written and read, tests run, commands that failed, calls that
were rejected or went around swamp, recaps, and where it ended. Nothing is
stored, no model is called. It holds messages of the person and of the agent,
the first and the last ones, with secrets replaced.

--prompt wraps it in a text that is ready to be sent to a model: a handoff for
whoever goes on, or what is worth remembering. --full adds the transcript in
parts of about 20,000 tokens; --segment chooses the part.`,
  argument: { name: "id", help: "the session's id, or its beginning" },
  options: {
    prompt: value(
      "kind",
      `wrap it in a prompt: ${PROMPTS.join(" or ")}`,
      (text) => oneOf(text, PROMPTS, "prompt"),
    ),
    full: flag("add the transcript, or the part of it that --segment names"),
    segment: value("N/M", "part N, of M parts where M is given", segment),
    pretty: flag("for people to read, not JSON"),
    "no-redact": flag("leave secrets as they are; needs --yes"),
    yes: flag("confirms --no-redact"),
  },
  examples: [
    ["extract 5f1c --pretty", "read it"],
    ["extract 5f1c --prompt handoff | pbcopy", "hand the work over"],
    ["extract 5f1c --full --segment 2/5", "the second fifth of the transcript"],
  ],
  async run(context, values, id) {
    const { io } = context;
    if (id === undefined) {
      throw new UsageError(
        "Which session? Give its id, or the beginning of it; `swamp-sessions list` shows them.",
      );
    }
    if (values["no-redact"] && !values.yes) {
      throw new UsageError(
        "--no-redact prints secrets that stand in the session. Add --yes if that is what you want.",
      );
    }
    io.catchInterrupts();
    const repo = repoDir(io, values);
    const env = harnessEnv(io, values);
    const { sources, problems } = await scanFor(
      id,
      env,
      knownHeads(repo, env.home),
      io.interrupted,
    );
    const unread = problems.find(({ file }) => isNamedIn(id, file));
    if (
      unread && !sources.some(({ unit }) => safeId(unit.id).startsWith(id))
    ) {
      throw new CliError("UNREADABLE", `${unread.file}: ${unread.message}.`);
    }
    const source = byPrefix(
      sources,
      ({ unit }) => safeId(unit.id),
      ({ unit, harness }) => `${localTime(begun(unit))}  ${harness.name}`,
      id,
      subagentHint(sources, id) ??
        "`swamp-sessions list` shows what was found on this machine.",
    );
    const part = values.segment ?? (values.full ? { number: 1 } : undefined);
    const digest = await extractSource(source, {
      knowledge: knownRepo(repo).knowledge,
      signal: io.interrupted,
      open: values["no-redact"],
      ...(part ? { segment: part } : {}),
    });
    if (!digest) {
      throw new UsageError(
        `${id} holds no session that could be read; \`swamp-sessions doctor\` says why.`,
      );
    }
    const { transcript } = digest;
    if (part && transcript && part.number > transcript.of) {
      throw new CliError(
        "NO_SUCH_PART",
        `The transcript has ${
          plural(transcript.of, "part")
        }, so there is no part ${part.number}.`,
      );
    }
    const out = new LineWriter(io.stdout);
    for (const line of rendered(digest, values, io.stdout.isTTY)) {
      await out.line(line);
    }
    await out.flush();
    return EXIT.ok;
  },
});

/** Whether a file's name holds an id, or enough of one to tell. */
function isNamedIn(id: string, path: string): boolean {
  return id.length >= 6 && basename(path).includes(id);
}

/** What to say of an id that is a subagent's, as its file's name tells. */
function subagentHint(
  sources: readonly Source[],
  id: string,
): string | undefined {
  const parent = sources.find(({ unit }) =>
    unit.files.slice(1).some(({ path }) => isNamedIn(id, path))
  );
  return parent &&
    `It is a subagent's, and told with its session: extract ${
      clean(safeId(parent.unit.id))
    }.`;
}

function rendered(
  digest: ExtractedDigest,
  values: {
    prompt: (typeof PROMPTS)[number] | undefined;
    pretty: boolean;
    json: boolean;
  },
  terminal: boolean,
): Iterable<string> {
  if (values.prompt !== undefined) {
    const text = synthesisPrompt(values.prompt, digest);
    return values.json
      ? [toJson({ prompt: text })]
      : [terminal ? cleanLines(text) : text];
  }
  if (values.pretty && !values.json) return digestLines(digest);
  return [toJson(digest, terminal && !values.json ? 2 : 0)];
}

/** `2/5` or `2`. */
function segment(text: string): { number: number; of?: number } {
  const m = /^([1-9]\d{0,5})(?:\/([1-9]\d{0,5}))?$/.exec(text);
  const number = Number(m?.[1]), of = m?.[2] ? Number(m[2]) : undefined;
  if (!m || (of !== undefined && number > of)) {
    throw new UsageError(
      `${JSON.stringify(text)} is no part: give 2 or 2/5 (the second of five).`,
    );
  }
  return of === undefined ? { number } : { number, of };
}
