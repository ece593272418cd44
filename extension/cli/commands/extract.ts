/**
 * `extract`: what a session amounted to, straight from its files.
 *
 * @module
 */
import { safeId } from "../../../schema/mod.ts";
import {
  extractDigest,
  type ExtractedDigest,
  FINAL_TEXTS,
} from "../../digest/extract.ts";
import { synthesisPrompt, TEMPLATES } from "../../digest/prompts/templates.ts";
import { knownRepo, plain, storedPath } from "../../import/mod.ts";
import { redact } from "../../redact/mod.ts";
import type { TextEntry } from "../../session/model.ts";
import { type AnyCommand, command } from "../command.ts";
import { digestLines } from "../digest-text.ts";
import { EXIT, UsageError } from "../errors.ts";
import { localTime } from "../format.ts";
import { byPrefix } from "../ids.ts";
import { LineWriter } from "../lines-out.ts";
import { flag, value } from "../options.ts";
import { harnessEnv, repoDir } from "../place.ts";
import { knownHeads } from "../scan.ts";
import { begun, scanHome, SourceReader } from "../sources.ts";
import { cleanLines } from "../terminal.ts";
import { oneOf } from "../values.ts";

const PROMPTS = TEMPLATES.map((template) => template.name);

/** See the module. */
export const extract: AnyCommand = command({
  name: "extract",
  summary: "print what a session amounted to, for another agent or for you",
  about:
    `Reads one session's files and prints a digest: what was asked first, the files
written and read, tests run, commands that failed, recaps, and where it ended.
Nothing is stored, no model is called. It holds the person's first message and
the agent's last ones, with secrets replaced.

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
    const { sources } = await scanHome(
      env,
      [],
      knownHeads(repo, env.home),
      io.interrupted,
    );
    const source = byPrefix(
      sources,
      ({ unit }) => safeId(unit.id),
      ({ unit, harness }) => `${localTime(begun(unit))}  ${harness.name}`,
      id,
      "`swamp-sessions list` shows what was found on this machine.",
    );
    const keeper = new TextKeeper(values.full || values.segment !== undefined);
    const reader = new SourceReader(knownRepo(repo).knowledge, io.interrupted);
    const session = await reader.read(source, {
      texts: (owner, entry) => keeper.take(owner, entry),
    });
    if (!session) {
      throw new UsageError(
        `${id} holds no session that could be read; \`swamp-sessions doctor\` says why.`,
      );
    }
    const { root, subagents, place } = session;
    const open = values["no-redact"];
    const path = (text: string) =>
      open ? text : storedPath(text, { roots: [] });
    const cwd = root.cwds[0];
    const digest = extractDigest({
      root,
      subagents,
      texts: keeper.of(root.id),
      filePath: path(source.unit.files[0]?.path ?? ""),
      project: place.name,
      ...(cwd === undefined ? {} : { cwd: path(cwd) }),
      clean: (text) => open ? text.reveal() : redact(plain(text.reveal())).text,
      ...(keeper.full ? { full: values.segment ?? { number: 1 } } : {}),
    });
    const out = new LineWriter(io.stdout);
    for (const line of rendered(digest, values, io.stdout.isTTY)) {
      await out.line(line);
    }
    await out.flush();
    return EXIT.ok;
  },
});

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
      ? [JSON.stringify({ prompt: text })]
      : [terminal ? cleanLines(text) : text];
  }
  if (values.pretty && !values.json) return digestLines(digest);
  return [JSON.stringify(digest, null, terminal && !values.json ? 2 : 0)];
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

/** Keeps of a session's texts what a digest needs; all of them if `full`. */
class TextKeeper {
  private readonly kept = new Map<string, TextEntry[]>();

  constructor(readonly full: boolean) {}

  take(owner: string, entry: TextEntry): void {
    let texts = this.kept.get(owner);
    if (!texts) this.kept.set(owner, texts = []);
    if (!this.full) {
      const same = texts.filter((text) => text.role === entry.role);
      if (entry.role === "human" && same.length > 0) return;
      const [oldest] = same;
      if (entry.role === "assistant" && oldest && same.length >= FINAL_TEXTS) {
        texts.splice(texts.indexOf(oldest), 1);
      }
    }
    texts.push(entry);
  }

  of(session: string): TextEntry[] {
    return this.kept.get(session) ?? [];
  }
}
