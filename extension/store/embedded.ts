/**
 * The embedded store: swamp's layout on disk without swamp, for a machine that
 * has none. A repository opened later with the real swamp shows the same items.
 *
 * Nothing is flushed to the device (swamp does not either): a killed process
 * leaves a whole store, a power cut may lose the last seconds.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Detail,
  detailName,
  detailTags,
  type Rollup,
  rollupName,
  rollupToTags,
  SCHEMA_VERSION,
  type Summary,
  summaryName,
  summaryToTags,
  type Tags,
  tagsToSummary,
} from "../../schema/mod.ts";
import {
  type Datastore,
  datastoreOf,
  findModelId,
  hasMarker,
  makeDefinition,
  makeMarker,
  type Vars,
} from "./definition.ts";
import {
  ensureFolder,
  isTempName,
  lstatOf,
  statOf,
  StoreError,
} from "./files.ts";
import {
  type Row,
  rowHas,
  type RowHead,
  rowHead,
  rowItem,
} from "./index-file.ts";
import {
  namesIn,
  readContent,
  readItem,
  sha256,
  sweepItem,
  writeItem,
} from "./items.ts";
import { checkName, expiresAt, type Layout, layoutOf } from "./layout.ts";
import { Lock } from "./lock.ts";
import { ItemRows } from "./rows.ts";
import type {
  Store,
  StoredItem,
  StoredSession,
  StoreReader,
  WriteOptions,
} from "./port.ts";

/** How to open the embedded store. */
export interface EmbeddedOptions {
  /** The repository's folder. */
  repo: string;
  /** Only read: nothing is made, no lock is taken, swamp's catalog is no bar. */
  readOnly?: boolean;
  /** Make a repository where there is none. */
  init?: boolean;
  /** Write even where swamp itself looks after the data. */
  force?: boolean;
  /** The environment, which may name another datastore. */
  env?: Vars;
}

/** What pruning removed. */
export interface Pruned {
  /** Superseded versions. */
  versions: number;
  /** Items whose lifetime is over, versions included. */
  items: number;
}

/** A stored session whose summary is made from its row when asked for. */
class IndexedSession implements StoredSession {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly day: string;
  #row: Row;
  constructor(head: RowHead, row: Row) {
    this.id = head.name.slice(summaryName("").length);
    this.version = head.version;
    this.fingerprint = head.fingerprint;
    this.day = head.day;
    this.#row = row;
  }
  get summary(): Summary {
    const summary = tagsToSummary(rowItem(this.#row)?.tags ?? {});
    if (summary && !("newer" in summary)) return summary;
    throw new StoreError(
      "BAD_NAME",
      `The tags of ${
        summaryName(this.id)
      } are no summary's. Import again with --force.`,
    );
  }
}

/** The embedded store of one repository. */
export class EmbeddedStore implements Store, StoreReader {
  /** See {@link Store}. */
  readonly kind = "embedded" as const;
  /** Where things are. */
  readonly layout: Layout;
  #options: EmbeddedOptions;
  #datastore: Datastore;
  #rows: ItemRows;
  #lock: Lock | undefined;
  #newer: Set<string> | undefined;
  #listed:
    | { seen: string; kind: string | undefined; items: StoredItem[] }
    | undefined;

  private constructor(options: EmbeddedOptions) {
    this.#options = options;
    const here = layoutOf(resolve(options.repo));
    const found = this.#datastore = datastoreOf(here, options.env ?? {});
    this.layout = options.readOnly && found.kind === "folder"
      ? layoutOf(here.repo, found.path)
      : here;
    this.#rows = new ItemRows(this.layout);
  }

  /** Opens the store. Throws {@link StoreError}; writes nothing yet. */
  static open(options: EmbeddedOptions): Promise<EmbeddedStore> {
    return new Promise((done) => {
      const store = new EmbeddedStore(options);
      store.#check();
      store.#rows.modelId = findModelId(store.layout);
      done(store);
    });
  }

  #check(): void {
    const { repo, catalog } = this.layout;
    if (!statOf(repo)?.isDirectory()) {
      throw new StoreError("NO_SUCH_FOLDER", `${repo} is not a folder.`);
    }
    if (!hasMarker(this.layout)) {
      if (this.#options.init) return;
      throw new StoreError(
        "NOT_A_REPO",
        `${repo} is not a swamp repository (it has no .swamp.yaml). Go to one, name one with --repo-dir, or add --init to make one here.`,
      );
    }
    const datastore = this.#datastore;
    if (this.#options.readOnly) {
      if (datastore.kind !== "other" || statOf(this.layout.type)) return;
      throw new StoreError(
        "OTHER_DATASTORE",
        `This repository keeps its data in a datastore of type ${datastore.type}, which only swamp reads. Use \`swamp data query\`, or \`swamp serve\` and \`swamp-sessions dashboard --server\`.`,
      );
    }
    if (this.#options.force) return;
    const owned = statOf(catalog)
      ? "swamp has a catalog of this repository's data and would not see files written behind its back"
      : datastore.kind !== "here"
      ? "this repository keeps its data in another datastore, which only swamp writes to"
      : undefined;
    if (owned) {
      throw new StoreError(
        "SWAMP_OWNS_DATA",
        `Not written: ${owned}. Install the swamp CLI (or set SWAMP_BIN), so that the import runs inside swamp; --force writes all the same, and swamp sees the items once ${catalog} is removed.`,
      );
    }
  }

  /** See {@link Store}. */
  sessions(): Promise<Map<string, StoredSession>> {
    const found = new Map<string, StoredSession>();
    const newer = new Set<string>();
    for (const row of this.#rows.all(summaryName("")).values()) {
      const head = rowHead(row);
      if (!head) continue;
      if (head.schema === String(SCHEMA_VERSION)) {
        const session = new IndexedSession(head, row);
        found.set(session.id, session);
      } else if (Number(head.schema) > SCHEMA_VERSION) {
        newer.add(head.name.slice(summaryName("").length));
      }
    }
    this.#newer = newer;
    return Promise.resolve(found);
  }

  /** See {@link Store}; as of the last `sessions`. */
  async newer(): Promise<ReadonlySet<string>> {
    if (!this.#newer) await this.sessions();
    return this.#newer!;
  }

  /** See {@link Store}. */
  needsMending(): boolean {
    return !hasMarker(this.layout) || this.#rows.modelId === undefined ||
      this.#rows.isBroken();
  }

  /** See {@link Store}. */
  begin(): Promise<boolean> {
    return new Promise((done) => {
      if (this.#lock) return done(false);
      if (this.#options.readOnly) {
        throw new StoreError("LOCKED", "This store was opened for reading.");
      }
      ensureFolder(this.layout.own, this.layout.repo);
      const rows = this.#rows;
      const lock = Lock.take(rows.lock);
      try {
        makeMarker(this.layout);
        rows.modelId = findModelId(this.layout) ?? makeDefinition(this.layout);
        ensureFolder(rows.folder!, this.layout.repo);
      } catch (error) {
        lock.release();
        throw error;
      }
      this.#lock = lock;
      const changed = lock.takenOver || rows.isOutdated();
      for (const name of namesIn(this.layout.own)) {
        if (isTempName(name)) {
          rmSync(join(this.layout.own, name), {
            recursive: true,
            force: true,
          });
        }
      }
      rows.locked = true;
      rows.settle();
      if (lock.takenOver) this.#sweep();
      done(changed);
    });
  }

  /** Removes what a killed run left in the items' folders. */
  #sweep(): number {
    let versions = 0;
    const folder = this.#rows.folder!;
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (!lstatOf(path)?.isDirectory()) continue;
      versions += sweepItem(path);
      this.#rows.note(name);
    }
    return versions;
  }

  async #writing(): Promise<string> {
    if (!this.#lock) await this.begin();
    this.#lock!.check();
    return this.#rows.folder!;
  }

  #write(
    name: string,
    content: string,
    tags: Tags,
    options: WriteOptions,
  ): StoredItem {
    return writeItem(this.#rows.folder!, {
      name,
      content,
      tags,
      lifetime: options.lifetime,
      modelId: this.#rows.modelId!,
    });
  }

  #settle(...items: StoredItem[]): number {
    let bytes = 0;
    for (const item of items) {
      if (item.version > 1) sweepItem(join(this.#rows.folder!, item.name));
      this.#rows.note(item.name, item);
      bytes += item.size;
    }
    return bytes;
  }

  /** See {@link Store}. `summary.detail` is filled in here. */
  async put(
    summary: Summary,
    detail: Detail,
    options: WriteOptions,
  ): Promise<number> {
    const name = detailName(summary.id);
    checkName(name);
    await this.#writing();
    const first = this.#write(
      name,
      JSON.stringify(detail),
      detailTags(summary.id, summary.startedAt),
      options,
    );
    const whole = { ...summary, detail: { name, bytes: first.size } };
    const second = this.#write(
      summaryName(summary.id),
      JSON.stringify(whole),
      summaryToTags(whole),
      options,
    );
    return this.#settle(first, second);
  }

  /** See {@link Store}. */
  async putSummary(summary: Summary, options: WriteOptions): Promise<number> {
    await this.#writing();
    return this.#settle(
      this.#write(
        summaryName(summary.id),
        JSON.stringify(summary),
        summaryToTags(summary),
        options,
      ),
    );
  }

  /** See {@link Store}. */
  async putRollup(rollup: Rollup, options: WriteOptions): Promise<number> {
    const model = await this.#writing();
    const name = rollupName(rollup.day);
    const content = JSON.stringify(rollup);
    if (readItem(join(model, name))?.checksum === sha256(content)) return 0;
    return this.#settle(
      this.#write(name, content, rollupToTags(rollup), options),
    );
  }

  /** Removes superseded versions, and items whose lifetime is over at `now`. */
  async prune(now: number = Date.now()): Promise<Pruned> {
    await this.#writing();
    const pruned: Pruned = { versions: this.#sweep(), items: 0 };
    for (const [name, row] of this.#rows.all("")) {
      const item = rowItem(row);
      const end = item && expiresAt(item);
      if (end === undefined || end > now) continue;
      // An index may say anything: only an item's own folder is removed.
      const folder = this.#folder(name);
      if (folder) rmSync(folder, { recursive: true, force: true });
      this.#rows.note(name);
      pruned.items++;
    }
    return pruned;
  }

  /** See {@link Store}. */
  async detail(id: string): Promise<unknown> {
    const text = await this.read(detailName(id));
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** See {@link Store}. */
  abandon(): Promise<void> {
    this.#lock?.abandon();
    this.#lock = undefined;
    this.#rows.locked = false;
    return Promise.resolve();
  }

  /** See {@link Store}. Writes the index; the lock stays where that fails. */
  close(): Promise<void> {
    return new Promise((done) => {
      const lock = this.#lock;
      if (!lock) return done();
      this.#lock = undefined;
      this.#rows.locked = false;
      try {
        lock.check();
      } catch {
        // Another run owns the index now.
        lock.release();
        return done();
      }
      try {
        this.#rows.save();
      } catch (error) {
        lock.abandon();
        throw error;
      }
      lock.release();
      done();
    });
  }

  /** See {@link StoreReader}. */
  list(kind?: string): Promise<StoredItem[]> {
    // A definition made since this store was opened.
    this.#rows.modelId ??= findModelId(this.layout);
    const seen = this.#rows.signature();
    const last = this.#listed;
    if (last?.seen === seen && last.kind === kind && this.#rows.isClean()) {
      return Promise.resolve(last.items);
    }
    const items: StoredItem[] = [];
    for (const row of this.#rows.all("").values()) {
      if (kind !== undefined && !rowHas(row, JSON.stringify(kind))) continue;
      const item = rowItem(row);
      if (item && (kind === undefined || item.tags.kind === kind)) {
        items.push(item);
      }
    }
    items.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#listed = { seen, kind, items };
    return Promise.resolve(items);
  }

  #folder(name: string): string | undefined {
    try {
      checkName(name);
    } catch {
      return undefined;
    }
    const model = this.#rows.folder;
    const folder = model && join(model, name);
    return folder && lstatOf(folder)?.isDirectory() ? folder : undefined;
  }

  /** See {@link StoreReader}. */
  item(name: string, version?: number): Promise<StoredItem | undefined> {
    const folder = this.#folder(name);
    return Promise.resolve(folder ? readItem(folder, version) : undefined);
  }

  /** See {@link StoreReader}. */
  read(name: string, version?: number): Promise<string | undefined> {
    const folder = this.#folder(name);
    return Promise.resolve(folder ? readContent(folder, version) : undefined);
  }
}
