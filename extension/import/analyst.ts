/**
 * Redacts, labels and digests each call as it is read, so that nothing else
 * ever holds its text unredacted.
 *
 * @module
 */
import { TEXT_LIMIT } from "../../schema/mod.ts";
import { classify } from "../classify/mod.ts";
import type { RepoKnowledge } from "../classify/types.ts";
import { findTestRun, testOutcome } from "../digest/mod.ts";
import { redactAndCut, type RedactedCut } from "../redact/mod.ts";
import type { CallAnalyst, CallFacts, CallInput } from "../session/model.ts";
import { parseShell } from "../shell/mod.ts";
import type { ShellParse } from "../shell/types.ts";
import {
  type PathBase,
  plain,
  shownPath,
  shownText,
  storedPath,
} from "./text.ts";

/** Longest command that is looked at, in UTF-16 units; the rest is left out. */
const MAX_COMMAND = 64 * 1024;
/** What may be half a secret at the end of a command that was not read whole. */
const MARGIN = 1024;
/** Calls that are remembered, and the longest of them; agents repeat themselves. */
const REMEMBERED = 2000, REMEMBERED_LENGTH = 300;

/** An analyst that can be pointed at one session after the other. */
export class Analyst implements CallAnalyst {
  #base: PathBase = { roots: [] };
  #find: ((cwd: string) => PathBase) | undefined;
  #repo: RepoKnowledge | undefined;
  /** Commands, which come to the same in every session. */
  #known = new Map<string, CallFacts>();
  /** Paths, which do in one session: files are read and edited again and again. */
  #paths = new Map<string, CallFacts>();

  /** `repo` is what is known of the repository imported into. */
  constructor(repo?: RepoKnowledge) {
    this.#repo = repo;
  }

  /**
   * From here on, calls are of a session with these paths. What scanning
   * remembers of a folder may be without its owner's name; `find` gives the
   * paths of the folder that the session itself names first.
   */
  at(base: PathBase, find?: (cwd: string) => PathBase): this {
    this.#base = base;
    this.#find = find;
    this.#paths.clear();
    return this;
  }

  /** See {@link CallAnalyst}. */
  place(cwd: string): void {
    if (!this.#find) return;
    this.#base = this.#find(cwd);
    this.#paths.clear();
    this.#find = undefined;
  }

  /** See {@link CallAnalyst}. */
  call(tool: string, input: CallInput): CallFacts {
    try {
      return this.#call(tool, input);
    } catch {
      // A text that breaks a rule must not be stored, nor break the session.
      return {
        text: "",
        label: "neutral",
        category: "unknown",
        rule: "none",
        low: true,
        ...(input.text?.length ? { truncated: true as const } : {}),
      };
    }
  }

  /** See {@link CallAnalyst}. */
  testOutcome(runner: string, output: { reveal(): string }): boolean | null {
    try {
      return testOutcome(runner, output.reveal());
    } catch {
      return null;
    }
  }

  #call(tool: string, input: CallInput): CallFacts {
    const raw = input.text?.reveal() ?? "";
    const shell = input.kind === "shell";
    if (raw.length > REMEMBERED_LENGTH || (!shell && input.kind !== "path")) {
      return this.#facts(tool, input, raw);
    }
    // Only these depend on nothing but what is in the key.
    const access = shell ? plainShell(input) : pathAccess(input, raw);
    if (access === undefined) return this.#facts(tool, input, raw);
    const memory = shell ? this.#known : this.#paths;
    const key = `${access}\n${input.server ?? ""}\n${tool}\n${raw}`;
    const known = memory.get(key);
    if (known) return { ...known };
    const facts = this.#facts(tool, input, raw);
    if (memory.size >= REMEMBERED) memory.clear();
    memory.set(key, { ...facts });
    return facts;
  }

  #facts(tool: string, input: CallInput, raw: string): CallFacts {
    const whole = raw.length <= MAX_COMMAND;
    const text = whole ? raw : raw.slice(0, MAX_COMMAND);
    const shell = input.kind === "shell"
      ? parseShell(text, input.dialect)
      : undefined;
    const writes = input.writes?.map((p) => p.reveal());
    const reads = input.reads?.map((p) => p.reveal());
    const searches = input.searches?.map((p) => p.reveal());
    const verdict = classify({
      tool,
      kind: input.kind,
      text,
      ...(input.dialect ? { dialect: input.dialect } : {}),
      ...(input.server === undefined ? {} : { server: input.server }),
      ...(shell ? { shell } : {}),
      ...(writes ? { writes } : {}),
      ...(reads ? { reads } : {}),
      ...(searches ? { searches } : {}),
    }, this.#repo);
    const base = this.#base;
    const shown = shell || text === ""
      ? text
      : input.kind === "path"
      ? shownPath(text, base)
      : shownText(text, base);
    const stored = cutRedacted(shown, whole, shell);
    const part = shown === text ? verdict.parts[0] : undefined;
    const why = part && stored.range(part.start, part.end);
    const run = shell && findTestRun(shell, text);
    // All have one shape, which makes what reads them faster.
    return {
      text: stored.text,
      truncated: stored.truncated || !whole ? true : undefined,
      redactions: stored.redactions || undefined,
      label: verdict.label,
      category: verdict.category,
      rule: verdict.rule,
      mutating: verdict.mutating,
      why: why || undefined,
      wraps: verdict.wraps,
      low: verdict.low ? true : undefined,
      writes: writes?.length ? writes.map((p) => this.#path(p)) : undefined,
      reads: reads?.length ? reads.map((p) => this.#path(p)) : undefined,
      test: run ? run.runner : undefined,
      testExit: run ? run.exitTells : undefined,
      testFiltered: run && run.filtered ? true : undefined,
    };
  }

  #path(path: string): string {
    return storedPath(path.slice(0, 4096), this.#base);
  }
}

/** The dialect of a command that touches no file besides. */
function plainShell(input: CallInput): string | undefined {
  return input.writes || input.reads ? undefined : input.dialect ?? "";
}

/** What is done with the one file that a path names, where that is all. */
function pathAccess(input: CallInput, raw: string): string | undefined {
  const { reads, writes, searches } = input;
  if (searches) return undefined;
  const is = (files: CallInput["reads"]) =>
    !files || (files.length === 1 && files[0]?.reveal() === raw);
  return input.dialect === undefined && is(reads) && is(writes)
    ? `${reads ? "r" : ""}${writes ? "w" : ""}`
    : undefined;
}

/** Redacts and cuts; where the command was not read whole, its end goes too. */
function cutRedacted(
  text: string,
  whole: boolean,
  shell: ShellParse | undefined,
): RedactedCut {
  const clean = plain(text);
  const stored = redactAndCut(clean, TEXT_LIMIT, shell);
  return whole || stored.truncated ? stored : redactAndCut(
    clean,
    Math.max(0, stored.text.length - MARGIN),
    shell,
  );
}
