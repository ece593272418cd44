/**
 * What the model's methods do: each wires one piece of the importer to swamp's
 * method context. What they say goes through swamp's logger, which swamp keeps
 * in the run's log; the one text that must not be kept is printed instead.
 *
 * @module
 */
import { homedir } from "node:os";
import process from "node:process";
import { hash53, safeId, type Summary } from "../../schema/mod.ts";
import { checkRules } from "../classify/mod.ts";
import { rollupOf } from "../digest/mod.ts";
import { synthesisPrompt } from "../digest/prompts/templates.ts";
import { HARNESSES } from "../harness/registry.ts";
import type { HarnessEnv } from "../harness/types.ts";
import {
  begun,
  byBeginning,
  driftOf,
  extractSource,
  type HarnessSurvey,
  HeadFile,
  IMPORTED_BY,
  type ImportOptions,
  type ImportProblem,
  importSessions,
  type KnownRepo,
  knownRepo,
  line,
  parseWhen,
  RULES_VERSION,
  scanHome,
  Selector,
  surveyHome,
  tooMuch,
} from "../import/mod.ts";
import { LIFETIMES } from "../store/layout.ts";
import {
  type DataHandle,
  type HostContext,
  SwampStore,
} from "../store/swamp.ts";
import type {
  DoctorArguments,
  ExtractArguments,
  ImportArguments,
  RelabelArguments,
} from "./arguments.ts";

/** What every method gives back to swamp. */
export interface MethodResult {
  /** Items written. */
  dataHandles: DataHandle[];
}

/** How often progress is told, in milliseconds. */
const TELL_MS = 500;
/** Names and ids listed in a line of the log. */
const SHOWN = 12;

function envOf(home: string | undefined): HarnessEnv {
  return home === undefined
    ? { home: homedir(), vars: process.env }
    : { home, vars: {} };
}

function when(
  text: string | undefined,
  name: "since" | "until",
): { since?: number; until?: number } {
  if (text === undefined) return {};
  const at = parseWhen(text, Date.now());
  if (at !== undefined) return { [name]: at };
  throw new Error(
    `${name}: ${line(text, 60)} is no time; give 7d, 24h or 2026-10-31`,
  );
}

/** The log is kept and may be shared, so it does not say whose home it was. */
function withoutHome(path: string, home: string): string {
  return path.startsWith(home) ? `~${path.slice(home.length)}` : path;
}

/** The repository's own rules, then those of the definition. */
function knowledgeOf(context: HostContext): KnownRepo {
  const own = knownRepo(context.repoDir);
  const given = context.globalArgs.rules;
  if (!Array.isArray(given) || given.length === 0) return own;
  const source = `definition ${context.definition.name}`;
  const { rules, found } = checkRules(given, source);
  const { knowledge } = own;
  return {
    knowledge: { ...knowledge, rules: [...knowledge.rules, ...rules] },
    hash: hash53(JSON.stringify([own.hash, rules])).toString(36),
    problems: [
      ...own.problems ?? [],
      ...found.map(({ path, message }): ImportProblem => ({
        file: source,
        code: "BAD_RULE",
        message: `rules ${path.join(".")} ${message}; this rule is not used`,
      })),
    ],
  };
}

/** Imports, tells how far it is, and what came of it. */
async function importInto(
  store: SwampStore,
  context: HostContext,
  options: Omit<ImportOptions, "repo">,
  env: HarnessEnv,
): Promise<void> {
  const { logger, signal } = context;
  let told = -Infinity;
  const result = await importSessions(
    { ...options, repo: context.repoDir },
    {
      store,
      harnesses: HARNESSES,
      env,
      knowledge: knowledgeOf(context),
      signal,
      progress: ({ done, total, bytes, totalBytes }) => {
        const now = performance.now();
        if (now - told < TELL_MS && done < total) return;
        told = now;
        logger.info(
          "progress: {done} of {total} sessions, {bytes} of {totalBytes} bytes",
          { done, total, bytes, totalBytes },
        );
      },
    },
  );
  const problems = result.problems.map((p) => ({
    ...p,
    file: withoutHome(p.file, env.home),
  }));
  logger.info("import result: {result}", {
    result: JSON.stringify({ left: 0, ...result, problems, by: IMPORTED_BY }),
  });
  // swamp then calls the run cancelled, not done.
  signal.throwIfAborted();
}

/** `import`. */
export async function runImport(
  args: ImportArguments,
  context: HostContext,
): Promise<MethodResult> {
  const { since, until, home, harness, exclude, mode, minSubstance, ...rest } =
    args;
  const { after, ...options } = rest;
  const store = new SwampStore(context);
  await importInto(store, context, {
    ...options,
    ...when(since, "since"),
    ...when(until, "until"),
    ...(harness.length ? { harness } : {}),
    ...(exclude.length ? { exclude } : {}),
    ...(mode ? { mode } : {}),
    ...(minSubstance ? { minSubstance } : {}),
    ...(after === undefined ? {} : { after }),
  }, envOf(home));
  return { dataHandles: store.handles };
}

/** `relabel`. */
export async function runRelabel(
  args: RelabelArguments,
  context: HostContext,
): Promise<MethodResult> {
  const store = new SwampStore(context);
  await importInto(store, context, {
    all: true,
    storedOnly: true,
    lifetime: args.lifetime,
    limit: args.limit,
    ...(args.after === undefined ? {} : { after: args.after }),
  }, envOf(args.home));
  const kept = [...(await store.sessions()).values()].filter(({ summary }) =>
    summary.flags.includes("sourceGone") &&
    summary.source.ruleset !== RULES_VERSION
  );
  if (kept.length > 0) {
    context.logger.warn(
      "{count} sessions keep labels of older rules, because their source files are gone: {ids}",
      { count: kept.length, ids: listed(kept.map(({ id }) => id)) },
    );
  }
  return { dataHandles: store.handles };
}

/** `rollup`. */
export async function runRollup(context: HostContext): Promise<MethodResult> {
  const store = new SwampStore(context);
  const days = new Map<string, Summary[]>();
  for (const { day, summary } of (await store.sessions()).values()) {
    const list = days.get(day);
    if (list) list.push(summary);
    else days.set(day, [summary]);
  }
  try {
    for (const [day, summaries] of days) {
      context.signal.throwIfAborted();
      await store.putRollup(rollupOf(day, summaries), {
        lifetime: LIFETIMES.rollup,
      });
    }
  } finally {
    await store.close();
  }
  context.logger.info("{written} of {days} days written", {
    written: store.handles.length,
    days: days.size,
  });
  return { dataHandles: store.handles };
}

/** `prune`. */
export async function runPrune(context: HostContext): Promise<MethodResult> {
  const pruned = await new SwampStore(context).prune(Date.now());
  context.logger.info(
    "removed: {versions} superseded versions, {sessions} sessions and {items} other items past their lifetime",
    { ...pruned },
  );
  return { dataHandles: [] };
}

/** `doctor`. */
export async function runDoctor(
  args: DoctorArguments,
  context: HostContext,
): Promise<MethodResult> {
  const env = envOf(args.home);
  const selector = new Selector(context.repoDir, {
    all: true,
    ...when(args.since, "since"),
    ...when(args.until, "until"),
  });
  const surveys = await surveyHome(env, {
    // Only read: this method stores nothing.
    heads: HeadFile.in(context.repoDir, env.home),
    signal: context.signal,
    only: args.harness,
    takes: (unit) => selector.mayTake(unit),
    progress: () => {},
  });
  for (const survey of surveys) {
    for (const text of surveyLines(survey, env.home)) {
      context.logger.info("{text}", { text });
    }
  }
  const drift = driftOf(surveys);
  const reasons = tooMuch(drift, {
    unknown: args.maxUnknown,
    damaged: args.maxDamaged,
  });
  if (reasons.length > 0) throw new Error(reasons.join("; "));
  context.logger.info(
    "{sessions} sessions read; {unknown} % of records unknown, {damaged} % of lines damaged",
    {
      sessions: drift.sessions,
      unknown: drift.unknown.toFixed(1),
      damaged: drift.damaged.toFixed(1),
    },
  );
  return { dataHandles: [] };
}

function* surveyLines(s: HarnessSurvey, home: string): Generator<string> {
  yield `${s.title}: ${s.sessions} sessions in ${s.files} files, ${s.bytes} bytes; ${s.calls} calls; ${s.live} live`;
  for (const root of s.roots) {
    const found = root.exists ? `${root.files} files` : "not there";
    yield `  looked in ${line(withoutHome(root.path, home), 400)}: ${found}`;
  }
  if (s.sessions > 0) yield `  versions: ${counted(s.versions)}`;
  const { count, linked, parentGone } = s.subagents;
  if (count > 0) {
    yield `  subagents: ${count}, ${linked} linked to the call that started them, ${parentGone} whose parent is gone`;
  }
  const more: [string, Readonly<Record<string, number>>][] = [
    ["unknown records", s.unknownRecords],
    ["tools that may write files", s.writeLikeTools],
    ["other tools", s.otherTools],
  ];
  for (const [what, counts] of more) {
    if (Object.keys(counts).length > 0) yield `  ${what}: ${counted(counts)}`;
  }
  if (s.damagedLines > 0) {
    yield `  damaged lines: ${s.damagedLines} in ${s.sessionsWithDamage} sessions`;
  }
  const codes = new Map<string, number>();
  for (const { code } of s.problems) {
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  if (codes.size > 0) {
    yield `  problems: ${counted(Object.fromEntries(codes))}`;
  }
}

function counted(counts: Readonly<Record<string, number>>): string {
  return listed(
    Object.entries(counts).map(([name, n]) => `${line(name, 80)} ${n}`),
  );
}

function listed(items: readonly string[]): string {
  const more = items.length - SHOWN;
  return items.slice(0, SHOWN).join(", ") +
    (more > 0 ? `, and ${more} more` : "");
}

/** `extract`. */
export async function runExtract(
  args: ExtractArguments,
  context: HostContext,
): Promise<MethodResult> {
  const { signal } = context;
  const env = envOf(args.home);
  const { sources } = await scanHome(
    env,
    [],
    HeadFile.in(context.repoDir, env.home),
    signal,
  );
  const [source, ...others] = byBeginning(
    sources,
    ({ unit }) => safeId(unit.id),
    args.id,
  );
  if (!source) {
    throw new Error(
      `no session's id begins with ${
        line(args.id, 80)
      }; method doctor tells where sessions are looked for`,
    );
  }
  if (others.length > 0) {
    const all = [source, ...others];
    throw new Error(
      `${line(args.id, 80)} is the beginning of ${all.length} sessions' ids: ${
        listed(
          all.map((s) =>
            `${safeId(s.unit.id)} (${new Date(begun(s.unit)).toISOString()})`
          ),
        )
      }`,
    );
  }
  const [, number, of] = /^(\d+)(?:\/(\d+))?$/.exec(args.segment ?? "") ?? [];
  const segment = number
    ? { number: Number(number), ...(of ? { of: Number(of) } : {}) }
    : args.full
    ? { number: 1 }
    : undefined;
  const digest = await extractSource(source, {
    knowledge: knowledgeOf(context).knowledge,
    signal,
    ...(segment ? { segment } : {}),
  });
  if (!digest) throw new Error("its files hold no session that could be read");
  // Not through the logger: swamp keeps that, and this holds what people wrote.
  console.log(
    args.prompt ? synthesisPrompt(args.prompt, digest) : JSON.stringify(digest),
  );
  return { dataHandles: [] };
}
