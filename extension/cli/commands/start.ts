/**
 * `start`: a look at the product with one command, in a folder of its own.
 *
 * @module
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HarnessEnv } from "../../harness/types.ts";
import { newestFirst } from "../../import/mod.ts";
import { readerOf } from "../../store/reader.ts";
import { type AnyCommand, command } from "../command.ts";
import { CliError, EXIT } from "../errors.ts";
import { count, plural } from "../format.ts";
import { runImport } from "../import-run.ts";
import { flag, value } from "../options.ts";
import { FIXTURE_HOMES } from "../package-root.ts";
import { harnessEnv, isFolder } from "../place.ts";
import { knownHeads } from "../scan.ts";
import { servePage } from "../serve.ts";
import { openStored } from "../stored.ts";
import { clean } from "../terminal.ts";
import { whole } from "../values.ts";

/** Folder below the working directory that holds the demo's repos. */
const DEMO = ".swamp-demo";

/** See the module. */
export const start: AnyCommand = command({
  name: "start",
  summary: "try it: import what is on this machine and open the page",
  about:
    `Imports every session found under your home into a repo of its own (the folder
${DEMO} below this one; delete it when you like) and opens the page. Where
there are no sessions, or with --examples, it takes made-up ones instead.
Your own repos are not touched.`,
  options: {
    examples: flag("made-up sessions instead of your own"),
    port: value(
      "number",
      "port to listen on; 0 takes a free one",
      whole(0, 65535),
    ),
    "no-open": flag("do not open the browser"),
  },
  examples: [
    ["start", "your own sessions, or made-up ones where there are none"],
    ["start --examples", "made-up ones"],
  ],
  async run(context, values) {
    const { io } = context;
    // With --json stdout is the address alone.
    const say = values.json ? context.note : context.print;
    const own = harnessEnv(io, values);
    const folder = join(io.cwd, DEMO);
    const examples = values.examples ||
      !await hasSessions(own, join(folder, "own"), io.interrupted);
    const repo = join(folder, examples ? "examples" : "own");
    mkdirSync(repo, { recursive: true });
    if (examples) {
      await say(
        values.examples
          ? "These are made-up sessions, as asked for."
          : `No sessions were found under ${
            clean(own.home)
          }: these are made-up ones.`,
      );
    } else {
      await say(
        `Importing the sessions found under ${clean(own.home)} into ${
          clean(repo)
        }; your repos are not touched.`,
      );
    }
    for (const env of examples ? exampleHomes() : [own]) {
      const result = await runImport(context, {
        repo,
        env,
        init: true,
        all: true,
      });
      if (result.interrupted) return EXIT.failed;
      if (!examples && result.problems.length > 0) {
        await say(
          `${
            plural(result.problems.length, "file")
          } could not be read whole; \`swamp-sessions doctor\` says which and why.`,
        );
      }
    }
    const store = await openStored(repo);
    const { size } = await store.sessions();
    await say(
      size === 1 ? "1 session is shown." : `${count(size)} sessions are shown.`,
    );
    return await servePage(context, {
      port: values.port,
      json: values.json,
      open: !values["no-open"],
      source: { reader: readerOf(store) },
    });
  },
});

/** Whether scanning finds any session. */
async function hasSessions(
  env: HarnessEnv,
  repo: string,
  signal: AbortSignal,
): Promise<boolean> {
  const heads = knownHeads(repo, env.home);
  const first = await newestFirst(env, [], heads, signal).next();
  return first.done !== true;
}

/** The homes of the made-up sessions. */
function exampleHomes(): HarnessEnv[] {
  const homes = isFolder(FIXTURE_HOMES)
    ? readdirSync(FIXTURE_HOMES).sort()
      .map((family) => join(FIXTURE_HOMES, family, "home")).filter(isFolder)
    : [];
  if (homes.length > 0) return homes.map((home) => ({ home, vars: {} }));
  throw new CliError(
    "NO_SUCH_FOLDER",
    `The made-up sessions are missing (${FIXTURE_HOMES}). Install the package again.`,
  );
}
