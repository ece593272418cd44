/**
 * The swamp model of agent sessions: what a coding agent did, imported from
 * the harnesses' own local session files.
 *
 * @module
 */
import { z } from "npm:zod@4";
import { rollupSchema, SCHEMA_VERSION } from "../../schema/mod.ts";
import { LIFETIMES } from "../store/layout.ts";
import type { HostContext } from "../store/swamp.ts";
import {
  doctorArguments,
  extractArguments,
  globalArguments,
  importArguments,
  relabelArguments,
} from "./arguments.ts";
import {
  type MethodResult,
  runDoctor,
  runExtract,
  runImport,
  runPrune,
  runRelabel,
  runRollup,
} from "./methods.ts";

/** One kind of item that the model stores. */
export interface Resource {
  /** For people. */
  description: string;
  /** What an item holds. */
  schema: z.ZodType;
  /** How long items are kept, in swamp's notation. */
  lifetime: string;
  /** Versions kept. */
  garbageCollection: number;
}

/** One method of the model. */
export interface Method {
  /** For people. */
  description: string;
  /** Set where it writes nothing. */
  kind?: "read";
  /** Its arguments. */
  arguments: z.ZodType;
  /** Runs it, with arguments that were checked. */
  execute(args: unknown, context: HostContext): Promise<MethodResult>;
}

/** A model as swamp loads it. */
export interface Model {
  /** The model type. */
  type: string;
  /** CalVer. */
  version: string;
  /** Arguments of the definition. */
  globalArguments: z.ZodType;
  /** What it stores. */
  resources: Record<string, Resource>;
  /** What it does. */
  methods: Record<string, Method>;
}

/** A method whose arguments are checked by its own schema. */
function method<T>(
  description: string,
  schema: z.ZodType<T>,
  run: (args: T, context: HostContext) => Promise<MethodResult>,
  kind?: "read",
): Method {
  return {
    description,
    ...(kind ? { kind } : {}),
    arguments: schema,
    execute: (args, context) => run(schema.parse(args), context),
  };
}

const nothing = z.object({});

const thing = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());

// swamp checks every write against its spec's schema and looks through that
// for secrets; over thousands of items the full schemas, which the records fit
// by the way they are made, would cost a good part of the import. So these are
// outlines; `swamp-sessions schema` prints the full ones.

const summaryOutline = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  id: z.string(),
  repo: thing,
  harness: thing,
  startedAt: z.string(),
  endedAt: z.string(),
  turns: z.number(),
  calls: z.number(),
  labels: thing,
  tokens: thing,
  findings: thing,
  substance: thing,
  flags: list,
  source: thing,
});

const detailOutline = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  session: thing,
  subagents: list,
  findings: list,
  files: thing,
  tests: list,
  tools: list,
});

/** The model. */
export const model: Model = {
  // swamp reads these two from the text, before it runs any of it.
  type: "@agent-observation/sessions",
  version: "2026.11.30.1",
  globalArguments,
  resources: {
    summary: {
      description: "One row of the list; its tags hold every field",
      schema: summaryOutline,
      lifetime: LIFETIMES.summary,
      garbageCollection: 1,
    },
    detail: {
      description: "All turns and calls of a session, subagents included",
      schema: detailOutline,
      lifetime: LIFETIMES.detail,
      garbageCollection: 1,
    },
    rollup: {
      description: "One day's figures, for trends",
      schema: rollupSchema,
      lifetime: LIFETIMES.rollup,
      garbageCollection: 1,
    },
  },
  methods: {
    import: method(
      "Imports new and grown sessions; unchanged ones are not written",
      importArguments,
      runImport,
    ),
    prune: method(
      "Removes superseded versions, and sessions past their lifetime",
      nothing,
      (_, context) => runPrune(context),
    ),
    relabel: method(
      "Reads stored sessions again whose rules changed; those whose source files are gone keep their labels",
      relabelArguments,
      runRelabel,
    ),
    rollup: method(
      "Recomputes every day's figures from the stored sessions",
      nothing,
      (_, context) => runRollup(context),
    ),
    doctor: method(
      "Tells where sessions are looked for and how well they can be read; stores nothing",
      doctorArguments,
      runDoctor,
      "read",
    ),
    extract: method(
      "Prints what one session amounted to, from its files; stores nothing",
      extractArguments,
      runExtract,
      "read",
    ),
  },
};
