/**
 * The swamp model of agent sessions. Thin: it only wires the importer to
 * swamp's method context.
 *
 * @module
 */
import { homedir } from "node:os";
import process from "node:process";
import { z } from "npm:zod@4";
import {
  detailSchema,
  MODES,
  rollupName,
  rollupSchema,
  summaryName,
  summarySchema,
  TIERS,
} from "../../schema/mod.ts";
import { rollupOf } from "../digest/mod.ts";
import { HARNESSES } from "../harness/registry.ts";
import {
  type ImportOptions,
  importSessions,
  parseWhen,
} from "../import/mod.ts";
import { LIFETIMES, MODEL_TYPE, MODEL_VERSION } from "../store/layout.ts";
import {
  type DataHandle,
  type HostContext,
  SwampStore,
} from "../store/swamp.ts";

/** What every method gives back to swamp. */
export interface MethodResult {
  /** The items written. */
  dataHandles: DataHandle[];
}

/** One method of the model. */
export interface Method {
  /** For people. */
  description: string;
  /** Set where it writes nothing. */
  kind?: "read";
  /** Its arguments. */
  arguments: z.ZodType;
  /** Runs it. */
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
  resources: Record<
    string,
    {
      description: string;
      schema: z.ZodType;
      lifetime: string;
      garbageCollection: number;
    }
  >;
  /** What it does. */
  methods: Record<string, Method>;
}

const importArguments = z.object({
  all: z.boolean().default(false).describe(
    "every repository's sessions, not only this one's",
  ),
  harness: z.array(z.string()).default([]).describe("only these harnesses"),
  since: z.string().optional().describe("7d, 24h or a date"),
  until: z.string().optional().describe("7d, 24h or a date"),
  mode: z.enum(MODES).optional().describe("only this mode"),
  minSubstance: z.enum(TIERS).optional().describe("this tier and above"),
  exclude: z.array(z.string()).default([]).describe(
    "globs over working directories and repositories' names",
  ),
  lifetime: z.string().default(LIFETIMES.summary).describe(
    "how long sessions are kept",
  ),
  limit: z.int().min(1).max(100_000).default(1000).describe(
    "at most so many sessions are written in this run",
  ),
  dryRun: z.boolean().default(false).describe("plan and count only"),
  force: z.boolean().default(false).describe("read every session again"),
  home: z.string().optional().describe(
    "the home folder whose sessions are read; the user's own by default",
  ),
});

type ImportArguments = z.infer<typeof importArguments>;

function when(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const at = parseWhen(text, Date.now());
  if (at === undefined) {
    throw new Error(`${name}: ${text} is no time; use 7d, 24h or 2026-10-31`);
  }
  return at;
}

function optionsOf(args: ImportArguments, repo: string): ImportOptions {
  const since = when(args.since, "since"), until = when(args.until, "until");
  return {
    repo,
    all: args.all,
    ...(args.harness.length ? { harness: args.harness } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(args.mode ? { mode: args.mode } : {}),
    ...(args.minSubstance ? { minSubstance: args.minSubstance } : {}),
    ...(args.exclude.length ? { exclude: args.exclude } : {}),
    lifetime: args.lifetime,
    limit: args.limit,
    dryRun: args.dryRun,
    force: args.force,
  };
}

async function runImport(
  args: unknown,
  context: HostContext,
): Promise<MethodResult> {
  const given = importArguments.parse(args);
  const store = new SwampStore(context);
  let said = 0;
  const result = await importSessions(optionsOf(given, context.repoDir), {
    store,
    harnesses: HARNESSES,
    env: {
      home: given.home ?? homedir(),
      vars: given.home === undefined ? process.env : {},
    },
    signal: context.signal,
    progress: (p) => {
      const now = performance.now();
      if (now - said < 1000) return;
      said = now;
      context.logger.info("progress {progress}", {
        progress: JSON.stringify(p),
      });
    },
  });
  context.logger.info("import result {result}", {
    result: JSON.stringify({ left: 0, ...result }),
  });
  return { dataHandles: store.handles };
}

async function rollup(
  _args: unknown,
  context: HostContext,
): Promise<MethodResult> {
  const store = new SwampStore(context);
  const summaries = [...(await store.sessions()).values()].map((s) =>
    s.summary
  );
  for (const day of new Set(summaries.map((s) => s.startedAt.slice(0, 10)))) {
    await store.putRollup(rollupOf(day, summaries), {
      lifetime: LIFETIMES.rollup,
    });
  }
  return { dataHandles: store.handles };
}

async function prune(
  _args: unknown,
  context: HostContext,
): Promise<MethodResult> {
  const store = new SwampStore(context);
  const sessions = [...(await store.sessions()).values()];
  let removed = 0;
  for (const s of sessions) {
    context.signal.throwIfAborted();
    for (const name of [summaryName(s.id), s.summary.detail.name]) {
      removed += await store.prune(name);
    }
  }
  for (const day of new Set(sessions.map((s) => s.day))) {
    removed += await store.prune(rollupName(day));
  }
  context.logger.info("removed {removed} superseded versions", { removed });
  return { dataHandles: [] };
}

/** The model. */
export const model: Model = {
  type: MODEL_TYPE,
  version: MODEL_VERSION,
  globalArguments: z.object({}),
  resources: {
    summary: {
      description: "One row of the list; its tags hold every field",
      schema: summarySchema,
      lifetime: LIFETIMES.summary,
      garbageCollection: 1,
    },
    detail: {
      description: "All turns and calls of a session, subagents included",
      schema: detailSchema,
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
    import: {
      description:
        "Imports new and grown sessions; unchanged ones are not written",
      arguments: importArguments,
      execute: runImport,
    },
    prune: {
      description: "Removes superseded versions",
      arguments: z.object({}),
      execute: prune,
    },
    rollup: {
      description: "Recomputes every day's rollup from the stored summaries",
      arguments: z.object({}),
      execute: rollup,
    },
  },
};
