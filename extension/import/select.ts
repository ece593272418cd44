/**
 * Which sessions are meant.
 *
 * @module
 */
import { type Mode, type Tier, TIERS } from "../../schema/mod.ts";
import type { Unit } from "../harness/types.ts";
import { goneFolder, realFolder, repoRoots } from "./git.ts";
import { globMatcher, inside, normalPath } from "./paths.ts";
import { foldNames } from "./heads.ts";

/** Bounds on what is imported. */
export interface Selection {
  /** Every repository's sessions, not only this one's. */
  all?: boolean;
  /** Only these harnesses. */
  harness?: readonly string[];
  /** Only sessions active since, epoch milliseconds. */
  since?: number;
  /** Only sessions begun before, epoch milliseconds. */
  until?: number;
  /** Only this mode. */
  mode?: Mode;
  /** Only from this tier up. */
  minSubstance?: Tier;
  /** Globs over working directories and repositories' names: not these. */
  exclude?: readonly string[];
}

/** What decides on a session once it was read. */
export interface Facts {
  /** Whether a person sat at it. */
  mode: Mode;
  /** Its tier of substance. */
  tier: Tier;
  /** First moment, epoch milliseconds. */
  startedAt: number;
  /** Last moment, epoch milliseconds. */
  endedAt: number;
  /** Its repository's name. */
  repo: string;
}

/** Tells which sessions are meant. */
export class Selector {
  #selection: Selection;
  #roots: string[] | undefined;
  #excludes: ((path: string) => boolean)[];
  #here = new Map<string, boolean>();

  /** `repo` is the folder whose sessions are meant unless all are. */
  constructor(repo: string, selection: Selection) {
    this.#selection = selection;
    this.#roots = selection.all
      ? undefined
      : [...new Set(repoRoots(repo).map(normalPath))];
    this.#excludes = (selection.exclude ?? []).map(globMatcher);
  }

  #inRepo(cwd: string): boolean {
    const roots = this.#roots;
    if (!roots) return true;
    let here = this.#here.get(cwd);
    if (here === undefined) {
      const path = normalPath(cwd);
      const real = realFolder(cwd) ?? goneFolder(cwd)?.path;
      here = roots.some((root) =>
        inside(root, path) !== undefined ||
        (real !== undefined &&
          inside(root, normalPath(real)) !== undefined) ||
        inside(foldNames(root), foldNames(path)) !== undefined
      );
      this.#here.set(cwd, here);
    }
    return here;
  }

  /** Whether a unit may be meant, by what scanning told of it. */
  mayTake(unit: Unit): boolean {
    const { since, until, all } = this.#selection;
    if (unit.cwd === undefined ? !all : !this.#inRepo(unit.cwd)) return false;
    if (unit.cwd !== undefined && this.#excludes.some((x) => x(unit.cwd!))) {
      return false;
    }
    // Nothing was written to it since: it was not active since.
    if (since !== undefined && unit.files.every((f) => f.mtimeMs < since)) {
      return false;
    }
    return until === undefined || unit.startedAt === undefined ||
      unit.startedAt < until;
  }

  /** Whether a session is meant, by what reading told of it. */
  takes(facts: Facts): boolean {
    const { since, until, mode, minSubstance } = this.#selection;
    return (since === undefined || facts.endedAt >= since) &&
      (until === undefined || facts.startedAt < until) &&
      (mode === undefined || facts.mode === mode) &&
      (minSubstance === undefined ||
        TIERS.indexOf(facts.tier) >= TIERS.indexOf(minSubstance)) &&
      !this.#excludes.some((x) => x(facts.repo));
  }
}
