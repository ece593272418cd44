/**
 * Which store an import writes to, and what a repository needs so that swamp
 * itself does the writing: the extension as a source, and a definition.
 *
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import { findModelId } from "../store/definition.ts";
import { readSmall } from "../store/files.ts";
import { layoutOf, MODEL_NAME, MODEL_TYPE } from "../store/layout.ts";
import { CliError } from "./errors.ts";
import { findSwamp, noSwampMessage, realPath } from "./find-program.ts";
import type { Io } from "./io.ts";
import { PACKAGE_ROOT, SHIM } from "./package-root.ts";
import { runSwamp, swampError } from "./swamp-process.ts";

/** What `--store` takes. */
export const STORE_CHOICES = ["auto", "swamp", "embedded"] as const;

/** One of {@link STORE_CHOICES}. */
export type StoreChoice = typeof STORE_CHOICES[number];

/** Where an import writes to. */
export type Host = { kind: "embedded" } | { kind: "swamp"; program: string };

/**
 * The host to import through. `auto` is swamp where its CLI is found and the
 * folder is a swamp repo, or is to become one; else embedded. Throws CliError
 * where the choice cannot be followed.
 */
export function chooseHost(
  choice: StoreChoice,
  io: Pick<Io, "env" | "cwd" | "platform">,
  repo: string,
  init: boolean,
): Host {
  if (choice === "embedded") return { kind: "embedded" };
  const found = findSwamp({
    env: io.env,
    cwd: io.cwd,
    platform: io.platform,
    self: [SHIM],
  });
  const isRepo = existsSync(layoutOf(repo).marker);
  if ("path" in found) {
    if (isRepo || init) return { kind: "swamp", program: found.path };
    if (choice === "auto") return { kind: "embedded" };
    throw new CliError(
      "SWAMP_NOT_READY",
      `${repo} is not a swamp repository (it has no .swamp.yaml). Go to one, name one with --repo-dir, or add --init to have swamp make one here.`,
    );
  }
  // A SWAMP_BIN that names nothing is a mistake, not the absence of swamp.
  if (choice === "swamp" || found.problem === "bad-bin") {
    throw new CliError(
      "NO_SWAMP",
      noSwampMessage(
        found,
        "--store swamp",
        "Without it leave --store away: the import then writes by itself, in the same layout.",
      ),
    );
  }
  return { kind: "embedded" };
}

/** Whether a repository has all that swamp needs to run an import. */
export function isReady(repo: string): boolean {
  const layout = layoutOf(repo);
  return existsSync(layout.marker) && knowsExtension(repo) &&
    findModelId(layout) !== undefined;
}

/** How to make a repository ready. */
export interface PrepareOptions {
  /** swamp. */
  program: string;
  /** The repository's folder. */
  repo: string;
  /** Do what is needed without asking. */
  yes: boolean;
  /** Told what was done. */
  note(text: string): Promise<void>;
}

/**
 * Makes what is missing, through swamp's own commands: the repository, this
 * package as an extension source, the definition. Throws CliError where swamp
 * fails, or where nobody said yes to the source.
 */
export async function prepare(io: Io, options: PrepareOptions): Promise<void> {
  const { program, repo, note } = options;
  const swamp = async (what: string, args: readonly string[]) => {
    const ended = await runSwamp(io, { program, repo, args });
    if (ended.code !== 0) throw swampError(what, ended);
    await note(`${what}: done.`);
  };
  const layout = layoutOf(repo);
  // Asked before anything is changed.
  const unknown = !knowsExtension(repo) && !(await listsExtension(io, options));
  if (unknown) {
    if (!existsSync(join(PACKAGE_ROOT, "manifest.yaml"))) {
      throw new CliError(
        "SWAMP_NOT_READY",
        `${PACKAGE_ROOT} holds only the built program, not the extension that swamp loads. Use a checkout of the project, or --store embedded.`,
      );
    }
    await allow(io, options);
  }
  if (!existsSync(layout.marker)) {
    await swamp(`Making ${repo} a swamp repository`, [
      "repo",
      "init",
      repo,
      "--tool",
      "none",
    ]);
  }
  if (unknown) {
    await swamp(`Adding ${PACKAGE_ROOT} as an extension source of ${repo}`, [
      "extension",
      "source",
      "add",
      PACKAGE_ROOT,
      "--repo-dir",
      repo,
    ]);
  }
  if (findModelId(layout) === undefined) {
    await swamp(`Creating the model ${MODEL_NAME} (${MODEL_TYPE})`, [
      "model",
      "create",
      MODEL_TYPE,
      MODEL_NAME,
      "--repo-dir",
      repo,
    ]);
  }
}

const SOURCES = ".swamp-sources.yaml";
/** Most bytes of that file. */
const MAX_SOURCES = 1024 * 1024;

/** Whether the repository loads this package, or the extension was pulled. */
function knowsExtension(repo: string): boolean {
  const pulled = join(
    layoutOf(repo).swamp,
    "pulled-extensions",
    ...MODEL_TYPE.split("/"),
  );
  if (statSync(pulled, { throwIfNoEntry: false })?.isDirectory()) return true;
  let listed: unknown;
  try {
    const text = readSmall(join(repo, SOURCES), MAX_SOURCES);
    listed = (parseYaml(text) as { sources?: unknown } | null)?.sources;
  } catch {
    return false;
  }
  const root = realPath(PACKAGE_ROOT);
  return Array.isArray(listed) && listed.some((source: unknown) => {
    const path = (source as { path?: unknown } | null)?.path;
    return typeof path === "string" &&
      realPath(isAbsolute(path) ? path : resolve(repo, path)) === root;
  });
}

/** The same, asking swamp, which also reads patterns and variables in paths. */
async function listsExtension(
  io: Io,
  { program, repo }: PrepareOptions,
): Promise<boolean> {
  if (!existsSync(join(repo, SOURCES))) return false;
  let text = "";
  const { code } = await runSwamp(io, {
    program,
    repo,
    args: ["extension", "source", "list", "--json", "--repo-dir", repo],
    line: (line) => text += line,
  });
  if (code !== 0) return false;
  const root = realPath(PACKAGE_ROOT);
  try {
    const { sources } = JSON.parse(text) as {
      sources: { expandedPaths?: string[] }[];
    };
    return sources.some((source) =>
      source.expandedPaths?.some((path) => realPath(path) === root)
    );
  } catch {
    return false;
  }
}

/** Asks a person whether swamp may load this package. */
async function allow(
  io: Io,
  { repo, yes, note }: PrepareOptions,
): Promise<void> {
  if (yes) return;
  const what =
    `swamp loads the import from ${PACKAGE_ROOT}, which is no extension source of ${repo} yet.`;
  if (!io.stdinIsTTY || !io.stderr.isTTY) {
    throw new CliError(
      "SWAMP_NOT_READY",
      `${what} Add it with \`swamp extension source add ${PACKAGE_ROOT}\`, or give --yes to have that done now; --store embedded imports without swamp.`,
    );
  }
  await note(what);
  await io.stderr.write("Add it now? [Y/n] ");
  const answer = await firstLine(io.stdin);
  if (!/^\s*(?:y(?:es)?)?\s*$/i.test(answer ?? "no")) {
    throw new CliError(
      "SWAMP_NOT_READY",
      "Nothing was changed. --store embedded imports without swamp.",
    );
  }
}

async function firstLine(
  input: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
    if (text.length > 1000) break;
  }
  return undefined;
}
