/**
 * What a repository already holds, read without a lock.
 *
 * @module
 */
import { type Detail, readRecord, type Summary } from "../../schema/mod.ts";
import { EmbeddedStore } from "../store/embedded.ts";
import { StoreError } from "../store/files.ts";
import { CliError } from "./errors.ts";
import { byPrefix } from "./ids.ts";
import { localTime } from "./format.ts";

/**
 * Opens a repository's store to read, also where `env` or the repository names
 * a folder as its datastore. Throws CliError NOT_A_REPO or StoreError
 * OTHER_DATASTORE.
 */
export async function openStored(
  repo: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<EmbeddedStore> {
  try {
    return await EmbeddedStore.open({ repo, readOnly: true, env });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "NOT_A_REPO") {
      throw error;
    }
    throw new CliError(
      "NOT_A_REPO",
      `${repo} is not a swamp repository (it has no .swamp.yaml). Go to one, or name one with --repo-dir; \`swamp-sessions import --init\` makes one.`,
    );
  }
}

/** Summaries of a store, newest first, and how many a newer importer wrote. */
export async function storedSummaries(
  store: EmbeddedStore,
): Promise<{ summaries: Summary[]; newer: number }> {
  const sessions = await store.sessions();
  const summaries = [...sessions.values()].map((session) => session.summary)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  return { summaries, newer: (await store.newer()).size };
}

/** A stored session with its detail, as text and read. */
export interface StoredDetail {
  /** Its row. */
  summary: Summary;
  /** The item's content as stored. */
  text: string;
  /** The same, of the current schema version. */
  detail: Detail;
}

const HINT =
  "`swamp-sessions list --stored` shows what is stored here; `swamp-sessions import` brings in what is new.";

/**
 * The one stored session whose id begins with `prefix`. Throws CliError where
 * there is none, several, or its detail cannot be read.
 */
export async function storedDetail(
  store: EmbeddedStore,
  prefix: string,
): Promise<StoredDetail> {
  const sessions = await store.sessions();
  if (sessions.size === 0) {
    const newer = (await store.newer()).size;
    throw new CliError(
      "NOTHING_STORED",
      newer > 0
        ? `All ${newer} sessions here were written by a newer importer. Update this program.`
        : "No session is stored here yet. `swamp-sessions import` brings them in.",
    );
  }
  const found = byPrefix(
    [...sessions.values()].sort((a, b) =>
      a.summary.startedAt < b.summary.startedAt ? 1 : -1
    ),
    (session) => session.id,
    ({ summary }) =>
      `${
        localTime(summary.startedAt)
      }  ${summary.harness.name}  ${summary.repo.name}`,
    prefix,
    HINT,
  );
  const { summary } = found;
  const text = await store.read(summary.detail.name);
  const damaged = (why: string) =>
    new CliError(
      "DAMAGED_ITEM",
      `The stored detail of ${found.id} ${why}. \`swamp-sessions import --force\` writes it again while its source file exists.`,
    );
  if (text === undefined) throw damaged("is missing");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged("is damaged: it is no JSON");
  }
  const read = readRecord("detail", value);
  if (read.ok) return { summary, text, detail: read.value };
  if (read.reason === "newer") {
    throw new CliError(
      "NEWER_SCHEMA",
      `The stored detail of ${found.id} was ${read.message}.`,
    );
  }
  throw damaged(`is damaged: ${read.message}`);
}
