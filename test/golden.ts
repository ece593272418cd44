/**
 * What importing an authored family must give.
 *
 * @module
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HARNESSES } from "../extension/harness/registry.ts";
import { importSessions } from "../extension/import/mod.ts";
import { EmbeddedStore } from "../extension/store/embedded.ts";
import type { Detail, Summary } from "../schema/mod.ts";

/** Where the authored homes are. */
export const HOMES: string = fileURLToPath(
  new URL("../fixtures/homes/", import.meta.url),
);

/** Names of the authored families. */
export const FAMILIES: string[] = readdirSync(HOMES).sort();

/** The stored records of one session. */
export interface Golden {
  /** Without what depends on the files' times and on versions. */
  summary: Omit<Summary, "source"> & {
    source: { files: number; badLines: number; unknownRecords: number };
  };
  /** The whole detail. */
  detail: Detail;
}

/** Imports a family into a new repository and reads back what is stored. */
export async function importFamily(family: string): Promise<Golden[]> {
  const repo = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    const open = () => EmbeddedStore.open({ repo, init: true });
    await importSessions({ repo, all: true }, {
      store: await open(),
      harnesses: HARNESSES,
      env: { home: join(HOMES, family, "home"), vars: {} },
    });
    const store = await open();
    const golden: Golden[] = [];
    for (const { id, summary } of (await store.sessions()).values()) {
      const { files, badLines, unknownRecords } = summary.source;
      golden.push({
        summary: { ...summary, source: { files, badLines, unknownRecords } },
        detail: await store.detail(id) as Detail,
      });
    }
    await store.close();
    return golden.sort((a, b) =>
      a.summary.startedAt < b.summary.startedAt ? -1 : 1
    );
  } finally {
    rmSync(repo, { recursive: true, force: true });
  }
}
