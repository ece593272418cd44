/**
 * What a finding rule is: data with examples that are its tests and its
 * documentation.
 *
 * @module
 */
import type { Call, MarkKind, Severity } from "../../schema/mod.ts";
import type { Timeline } from "./timeline.ts";

/** One hit of a rule. */
export interface Hit {
  /** What happened, without a full stop; `code` in backticks. */
  what: string;
  /** Ids of the calls behind it, in time order. */
  calls: string[];
  /** Where it differs from the rule's own. */
  severity?: Severity;
  /** Where it differs from the rule's own. */
  fix?: string;
}

/** A call of an example: only what differs from a neutral call that went well. */
export interface ExampleCall extends Partial<Call> {
  /** So often in a row. */
  times?: number;
  /** Seconds from its start to its end; 1 unless said. */
  lasts?: number;
  /** Seconds from the end of the one before; 1 unless said. */
  after?: number;
  /** Tokens that its result brought into the context. */
  brings?: number;
  /** It ran tests, with this result. */
  passed?: boolean | null;
}

/** A session that a rule finds something in, or nothing. */
export interface Example {
  /** What it shows, in a few words. */
  shows: string;
  /** The session's calls, one after the other. */
  calls: readonly ExampleCall[];
  /** Calls of a subagent that the last call of the session started. */
  subagent?: readonly ExampleCall[];
  /** Marks of the session. */
  marks?: readonly MarkKind[];
  /** Files it wrote. */
  written?: readonly string[];
}

/** A rule that finds something to tune. */
export interface FindingRule {
  /** Stable, short id. */
  id: string;
  /**
   * Rules of one topic tell of a call once: the first rule that does takes it.
   */
  topic?: string;
  /** Its usual severity. */
  severity: Severity;
  /** What it looks for, and from what number on. */
  about: string;
  /** What to do about it, without a full stop. */
  fix: string;
  /** Sessions in which it finds exactly one thing, and nothing. */
  examples: { hit: readonly Example[]; miss: readonly Example[] };
  /** Looks for it. Pure. */
  find(line: Timeline): Hit[];
}
