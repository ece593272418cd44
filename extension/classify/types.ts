/**
 * What classification takes and gives.
 *
 * @module
 */
import type { Label, Severity } from "../../schema/mod.ts";
import type { InputKind } from "../session/model.ts";
import type { ShellParse } from "../shell/types.ts";

/** A part of the command that a rule matched. Offsets as in the text given. */
export interface Part {
  /** Start. */
  start: number;
  /** End. */
  end: number;
  /** The rule. */
  rule: string;
}

/** What a call did, and why we say so. */
export interface Verdict {
  /** swamp, bypass or neutral. */
  label: Label;
  /** The kind of thing: `cloud.aws`, `k8s.kubectl`, `neutral.vcs`, ... */
  category: string;
  /** Id of the rule that decided. */
  rule: string;
  /** True for what changes something outside, false for what only reads it, undefined where neither is known or apt. */
  mutating?: boolean;
  /** How much a bypass matters: high changes something, medium reads secrets or swamp's own data, low only reads. */
  severity?: Severity;
  /** Low confidence: could not be parsed, variable program, opaque wrapper. */
  low: boolean;
  /** Tags of debatable cases: `credcheck`, `troubleshooting`, `opaque`, ... */
  tags: string[];
  /** The model type in this repository that wraps it. */
  wraps?: string;
  /** The deciding part first, then every other part a rule matched. */
  parts: Part[];
}

/** A call to classify. */
export interface ClassifyInput {
  /** The tool's name. */
  tool: string;
  /** What `text` is. */
  kind: InputKind;
  /** The command or the telling argument, as written (not redacted). */
  text: string;
  /** The shell that reads it. */
  dialect?: "posix" | "powershell" | "cmd";
  /** The MCP server, for calls to one. */
  server?: string;
  /** The command already parsed, so that it is parsed once. */
  shell?: ShellParse;
  /** Local files written by the call's own arguments. */
  writes?: string[];
  /** Local files read by the call's own arguments. */
  reads?: string[];
  /** Folders or files that the call looks through; no part of `text`. */
  searches?: string[];
}

/** What is known of the repository: rules of its own and its model types. */
export interface RepoKnowledge {
  /** Model types defined or installed here: `@swamp/aws/ec2`. */
  modelTypes: string[];
  /** Rules of the repository, already checked. */
  rules: RepoRule[];
}

/** A rule that a repository adds. */
export interface RepoRule {
  /** Its id; shown as `repo.<id>`. */
  id: string;
  /** The file it came from, relative to the repository. */
  source: string;
  /** Programs it is about. */
  programs: string[];
  /** What its calls are. */
  label: Label;
  /** Its category. */
  category: string;
  /** First words (after the program) that only read. */
  read?: string[];
  /** First words that are neutral. */
  neutral?: string[];
  /** True: all but `read` and `neutral` changes something. */
  mutating?: boolean;
}
