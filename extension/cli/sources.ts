/**
 * Sessions straight from the harness files, read one at a time.
 *
 * @module
 */
import { safeId, type Summary } from "../../schema/mod.ts";
import type { RepoKnowledge } from "../classify/types.ts";
import { HARNESSES } from "../harness/registry.ts";
import type {
  Harness,
  HarnessEnv,
  HeadCache,
  Problem,
  ReadContext,
  Unit,
} from "../harness/types.ts";
import {
  Analyst,
  makeRecords,
  pathBase,
  RepoFinder,
  type RepoPlace,
} from "../import/mod.ts";
import type { BuiltSession } from "../session/model.ts";

/** A session that scanning found. */
export interface Source {
  /** Who reads it. */
  harness: Harness;
  /** What was found. */
  unit: Unit;
}

/** Every session of a home, the one begun last first. */
export async function scanHome(
  env: HarnessEnv,
  only: readonly string[],
  heads: HeadCache,
  signal: AbortSignal,
): Promise<{ sources: Source[]; problems: Problem[] }> {
  const sources: Source[] = [], problems: Problem[] = [];
  for (const harness of HARNESSES) {
    if (only.length > 0 && !only.includes(harness.name)) continue;
    const scan = await harness.scan(env, { heads, signal });
    for (const unit of scan.units) sources.push({ harness, unit });
    problems.push(...scan.problems);
  }
  sources.sort((a, b) => begun(b.unit) - begun(a.unit));
  return { sources, problems };
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
    const before = this.finder.find(unit.cwd, undefined);
    const { session: root, subagents } = await harness.read(unit, {
      analyst: this.analyst.at(pathBase(before, unit.cwd)),
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
