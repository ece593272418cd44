/**
 * Imports agent sessions into a store.
 *
 * @module
 */
export { Analyst } from "./analyst.ts";
export { importSessions } from "./import.ts";
export { knownRepo, RULES_FILE } from "./knowledge.ts";
export {
  makeRecords,
  type RecordInput,
  type SessionRecords,
} from "./records.ts";
export {
  cwdInRepo,
  pathBase,
  RepoFinder,
  type RepoPlace,
  repoPlace,
} from "./repo.ts";
export { type Facts, type Selection, Selector } from "./select.ts";
export { parseWhen } from "./text.ts";
export {
  begun,
  byBeginning,
  type ExtractOptions,
  extractSource,
  type FoundSources,
  newestFirst,
  type ReadSession,
  scanFor,
  scanHome,
  type Source,
  SourceReader,
} from "./sources.ts";
export { driftOf, MOST_DRIFT, tooMuch } from "./survey.ts";
export {
  type Counts,
  type HarnessSurvey,
  type ProblemGroup,
  type RootSurvey,
  type SurveyContext,
  surveyHome,
  unitBytes,
} from "./survey.ts";
export { line, type PathBase, plain, shownPath, storedPath } from "./text.ts";
export type {
  ImportDeps,
  ImportOptions,
  ImportProblem,
  ImportResult,
  KnownRepo,
  Progress,
  SessionCounts,
} from "./types.ts";
export { HeadFile } from "./heads.ts";
export { IMPORTED_BY, IMPORTER_VERSION, RULES_VERSION } from "./version.ts";
