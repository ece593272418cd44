/**
 * Sessions straight from the harness files, read one at a time.
 *
 * @module
 */
import { safeId, type Summary } from "../../schema/mod.ts";
import type { RepoKnowledge } from "../classify/types.ts";
import {
  extractDigest,
  type ExtractedDigest,
  FINAL_TEXTS,
  isBareCommand,
  LAST_REQUESTS,
} from "../digest/extract.ts";
import { HARNESSES } from "../harness/registry.ts";
import type {
  Harness,
  HarnessEnv,
  HeadCache,
  Problem,
  ReadContext,
  SourceFile,
  Unit,
} from "../harness/types.ts";
import { redact } from "../redact/mod.ts";
import type { BuiltSession, TextEntry } from "../session/model.ts";
import { Analyst } from "./analyst.ts";
import { makeRecords } from "./records.ts";
import { pathBase, RepoFinder, type RepoPlace } from "./repo.ts";
import { plain, storedPath } from "./text.ts";

/** A session that scanning found. */
export interface Source {
  /** Who reads it. */
  harness: Harness;
  /** What was found. */
  unit: Unit;
}

/** What scanning a home found. */
export interface FoundSources {
  /** The sessions, the one begun last first. */
  sources: Source[];
  /** Files refused, and why. */
  problems: Problem[];
}

const FORGETFUL: HeadCache = { get: () => undefined, put: () => {} };

/** Reads from a cache, and keeps what is new for itself: nothing is written. */
class ReadHeads implements HeadCache {
  private readonly own = new Map<string, unknown>();
  constructor(private readonly known: HeadCache) {}
  get(file: SourceFile): unknown {
    return this.own.get(file.path) ?? this.known.get(file);
  }
  put(file: SourceFile, head: unknown): void {
    this.own.set(file.path, head);
  }
}

/**
 * Sessions whose id begins with `id`: files of others are not opened where
 * their names rule them out. Every session where no name tells of one; only
 * then is it worth loading `heads`.
 */
export async function scanFor(
  id: string,
  env: HarnessEnv,
  heads: HeadCache,
  signal: AbortSignal,
): Promise<FoundSources> {
  const found = await scanHome(env, [], FORGETFUL, signal, id);
  return found.sources.some(({ unit }) => safeId(unit.id).startsWith(id))
    ? found
    : scanHome(env, [], heads, signal);
}

/** Every session of a home; `only` names harnesses, `id` is a scan's hint. */
export async function scanHome(
  env: HarnessEnv,
  only: readonly string[],
  heads: HeadCache,
  signal: AbortSignal,
  id?: string,
): Promise<FoundSources> {
  const sources: Source[] = [], problems: Problem[] = [];
  for (const harness of HARNESSES) {
    if (only.length > 0 && !only.includes(harness.name)) continue;
    const scan = await harness.scan(env, {
      heads,
      signal,
      ...(id === undefined ? {} : { only: id }),
    });
    for (const unit of scan.units) sources.push({ harness, unit });
    problems.push(...scan.problems);
  }
  sources.sort((a, b) => begun(b.unit) - begun(a.unit));
  return { sources, problems };
}

/** So many of the newest files are looked at first, then so many times more. */
const WAVE = 64, MORE = 4;

/**
 * Sessions of a home, the one begun last first, each as soon as no file that
 * was not looked at can hold a later one. `since` leaves out what was not
 * written to since then (epoch milliseconds). Returns how many files were found
 * and which were refused.
 */
export async function* newestFirst(
  env: HarnessEnv,
  only: readonly string[],
  known: HeadCache,
  signal: AbortSignal,
  since = -Infinity,
): AsyncGenerator<Source, { files: number; problems: Problem[] }> {
  const heads = new ReadHeads(known);
  const given = new Set<string>();
  for (let newest = WAVE;; newest *= MORE) {
    const sources: Source[] = [], problems: Problem[] = [];
    let whole = -Infinity, files = 0;
    for (const harness of HARNESSES) {
      if (only.length > 0 && !only.includes(harness.name)) continue;
      const scan = await harness.scan(env, { heads, signal, newest });
      for (const unit of scan.units) sources.push({ harness, unit });
      problems.push(...scan.problems);
      for (const root of scan.roots) files += root.files;
      whole = Math.max(whole, scan.since ?? -Infinity);
    }
    sources.sort((a, b) => begun(b.unit) - begun(a.unit));
    for (const source of sources) {
      const key = `${source.harness.name} ${source.unit.id}`;
      if (begun(source.unit) < whole || given.has(key)) continue;
      given.add(key);
      yield source;
    }
    const more = sources.some(({ harness, unit }) =>
      !given.has(`${harness.name} ${unit.id}`) &&
      unit.files.some((file) => file.mtimeMs >= since)
    );
    if (whole <= since && !more) return { files, problems };
  }
}

/** When a unit began, as far as scanning tells, epoch milliseconds. */
export function begun(unit: Unit): number {
  return unit.startedAt ??
    Math.max(0, ...unit.files.map((file) => file.mtimeMs));
}

/** A session that was read. */
export interface ReadSession {
  /** The root session. */
  root: BuiltSession;
  /** Its subagents. */
  subagents: BuiltSession[];
  /** Where it worked. */
  place: RepoPlace;
  /** The row that an import would store. */
  summary(): Summary;
}

/** Reads sessions with the same redaction and labels as an import. */
export class SourceReader {
  private readonly finder = new RepoFinder();
  private readonly analyst: Analyst;

  /** `repo` is what is known of the repository for labels. */
  constructor(repo: RepoKnowledge, private readonly signal: AbortSignal) {
    this.analyst = new Analyst(repo);
  }

  /** Reads a unit; undefined where it holds no session. */
  async read(
    { harness, unit }: Source,
    more: Pick<ReadContext, "texts" | "progress"> = {},
  ): Promise<ReadSession | undefined> {
    const base = (cwd: string | undefined) =>
      pathBase(this.finder.find(cwd, undefined), cwd);
    const { session: root, subagents } = await harness.read(unit, {
      analyst: this.analyst.at(base(unit.cwd), base),
      signal: this.signal,
      ...more,
    });
    if (!root) return undefined;
    const place = this.finder.find(root.cwds[0] ?? unit.cwd, root.remote);
    return {
      root,
      subagents,
      place,
      summary: () =>
        makeRecords({
          id: safeId(unit.id),
          root,
          subagents,
          place,
          fingerprint: "unstored",
          at: begun(unit),
        }).summary,
    };
  }
}

/** The one whose id equals the text, else all whose ids begin with it. */
export function byBeginning<T>(
  candidates: Iterable<T>,
  idOf: (candidate: T) => string,
  text: string,
): T[] {
  const found: T[] = [];
  for (const candidate of candidates) {
    const id = idOf(candidate);
    if (id === text) return [candidate];
    if (id.startsWith(text)) found.push(candidate);
  }
  return found;
}

/** How to extract. */
export interface ExtractOptions {
  /** What is known of the repository for labels. */
  knowledge: RepoKnowledge;
  /** Stops it. */
  signal: AbortSignal;
  /** Add this part of the transcript. */
  segment?: { number: number; of?: number };
  /** Leave secrets and paths as they are. */
  open?: boolean;
}

/**
 * The digest of a session, read from its files; undefined where they hold
 * none. It holds texts of the session: to be printed, never stored.
 */
export async function extractSource(
  source: Source,
  { knowledge, signal, segment, open = false }: ExtractOptions,
): Promise<ExtractedDigest | undefined> {
  const keeper = new TextKeeper(segment !== undefined);
  const read = await new SourceReader(knowledge, signal).read(source, {
    texts: (owner, entry) => keeper.take(owner, entry),
  });
  if (!read) return undefined;
  const { root, subagents, place } = read;
  const path = (text: string) => open ? text : storedPath(text, { roots: [] });
  const cwd = root.cwds[0];
  return extractDigest({
    root,
    subagents,
    texts: keeper.of(root.id),
    filePath: path(source.unit.files[0]?.path ?? ""),
    project: place.name,
    ...(cwd === undefined ? {} : { cwd: path(cwd) }),
    clean: (text) => open ? text.reveal() : redact(plain(text.reveal())).text,
    ...(segment ? { full: segment } : {}),
  });
}

/** Keeps of a session's texts what a digest needs; all of them if `full`. */
class TextKeeper {
  private readonly kept = new Map<string, TextEntry[]>();

  constructor(private readonly full: boolean) {}

  take(owner: string, entry: TextEntry): void {
    let texts = this.kept.get(owner);
    if (!texts) this.kept.set(owner, texts = []);
    if (!this.full) {
      const same = texts.filter((text) => text.role === entry.role);
      if (entry.role === "human") {
        // The goal stays, and of what was asked after it the last.
        const asks = same.filter((t) => !isBareCommand(t.text.reveal()));
        if (asks.length > 0 && isBareCommand(entry.text.reveal())) return;
        const [, next] = asks;
        if (next && asks.length > LAST_REQUESTS) {
          texts.splice(texts.indexOf(next), 1);
        }
      }
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
