/**
 * The embedded store: swamp's layout on disk without swamp, for a machine that
 * has none. A repository opened later with the real swamp shows the same items.
 *
 * Nothing is flushed to the device (swamp does not either): a killed process
 * leaves a whole store, a power cut may lose the last seconds.
 *
 * @module
 */
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
  findModelId,
  hasMarker,
  hasOtherDatastore,
  makeDefinition,
  makeMarker,
} from "./definition.ts";
import { StoreError } from "./errors.ts";
import { ensureFolder, isTempName, lstatOf, statOf } from "./files.ts";
import { rmSync } from "node:fs";
import {
  readHeader,
  readRows,
  type RowHead,
  rowHead,
  rowItem,
  rowOf,
  writeIndex,
} from "./index-file.ts";
import {
  namesIn,
  readContent,
  readItem,
  sha256,
  sweepItem,
  writeItem,
} from "./items.ts";
import { checkName, type Layout, layoutOf } from "./layout.ts";
import { expiresAt } from "./lifetime.ts";
import { Lock } from "./lock.ts";
import type {
  Store,
  StoredItem,
  StoredSession,
  StoreReader,
  WriteOptions,
} from "./port.ts";

/** The coarsest clock of a file system that is met (FAT's is 2 s). */
const TICK_MS = 2500;

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
  #row: string;
  constructor(head: RowHead, row: string) {
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
  #modelId: string | undefined;
  #lock: Lock | undefined;
  /** All rows, where the index file could not be used as it is. */
  #base: Map<string, string> | undefined;
  /** Rows that this run wrote (or removed: undefined). */
  #changed = new Map<string, string | undefined>();
  /** What was there when the rows were last looked at. */
  #seen = "";
  #listed:
    | { seen: string; kind: string | undefined; items: StoredItem[] }
    | undefined;

  private constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.layout = layoutOf(resolve(options.repo));
  }

  /** Opens the store. Throws {@link StoreError}; writes nothing yet. */
  static open(options: EmbeddedOptions): Promise<EmbeddedStore> {
    return new Promise((done) => {
      const store = new EmbeddedStore(options);
      store.#check();
      store.#modelId = findModelId(store.layout);
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
    if (this.#options.readOnly || this.#options.force) return;
    const owned = statOf(catalog)
      ? "swamp has a catalog of this repository's data and would not see files written behind its back"
      : hasOtherDatastore(this.layout)
      ? "this repository keeps its data in another datastore, which only swamp writes to"
      : undefined;
    if (owned) {
      throw new StoreError(
        "SWAMP_OWNS_DATA",
        `Not written: ${owned}. Install the swamp CLI (or set SWAMP_BIN), so that the import runs inside swamp; --force writes all the same, and swamp sees the items once ${catalog} is removed.`,
      );
    }
  }

  get #model(): string | undefined {
    return this.#modelId && join(this.layout.type, this.#modelId);
  }
  get #index(): string {
    return join(this.layout.own, "index.ndjson");
  }
  get #lockFile(): string {
    return join(this.layout.own, "lock");
  }

  #times(): { folder: number; catalog: number } {
    const time = (path: string | undefined) =>
      Math.floor((path && statOf(path)?.mtimeMs) || 0);
    return {
      folder: time(this.#model),
      catalog: Math.max(
        time(this.layout.catalog),
        time(`${this.layout.catalog}-wal`),
      ),
    };
  }

  /** Whether the index file says what is on disk. */
  #isClean(): boolean {
    if (!this.#lock && statOf(this.#lockFile)) return false;
    const header = readHeader(this.#index);
    const { folder, catalog } = this.#times();
    if (
      header?.model !== this.#modelId || header?.folder !== folder ||
      header.catalog !== catalog
    ) return false;
    // What is made within one tick of the file system's clock leaves the
    // folder's time as it was; then only counting tells.
    const written = statOf(this.#index)?.mtimeMs ?? 0;
    return folder < written - TICK_MS ||
      namesIn(this.#model!).length === header.names;
  }

  /** Changes whenever the rows may have changed. */
  #signature(): string {
    const { folder, catalog } = this.#times();
    const index = statOf(this.#index);
    return [this.#modelId, folder, catalog, index?.mtimeMs, index?.ino].join();
  }

  /** Brings the rows in memory in line with the disk; only stats what is known. */
  #refresh(): Map<string, string> {
    const known = this.#base ?? new Map<string, string>();
    if (!this.#base) {
      try {
        for (const [name, row] of readRows(this.#index)) known.set(name, row);
      } catch {
        // A torn index may hold half a row: nothing of it is trusted.
        known.clear();
      }
    }
    const rows = new Map<string, string>();
    const model = this.#model;
    for (const name of model ? namesIn(model) : []) {
      const path = join(model!, name);
      const stat = lstatOf(path);
      if (!stat?.isDirectory() || isTempName(name)) continue;
      const folder = Math.floor(stat.mtimeMs);
      const old = known.get(name);
      if (old && rowHead(old)?.folder === folder) {
        rows.set(name, old);
        continue;
      }
      const item = readItem(path);
      if (item?.name === name) rows.set(name, rowOf(item, folder));
    }
    return this.#base = rows;
  }

  /** Rows whose name begins with `prefix`. */
  #rows(prefix: string): Map<string, string> {
    const rows = new Map<string, string>();
    const take = (all: Iterable<[string, string]>) => {
      for (const [name, row] of all) {
        if (name.startsWith(prefix)) rows.set(name, row);
      }
    };
    this.#seen = this.#signature();
    if (!this.#lock && this.#isClean()) this.#base = undefined;
    else if (!this.#lock) this.#refresh();
    if (!this.#base) {
      try {
        take(readRows(this.#index));
      } catch {
        rows.clear();
        this.#refresh();
      }
    }
    if (this.#base) take(this.#base);
    for (const [name, row] of this.#changed) {
      if (!name.startsWith(prefix)) continue;
      if (row === undefined) rows.delete(name);
      else rows.set(name, row);
    }
    return rows;
  }

  /** See {@link Store}. */
  sessions(): Promise<Map<string, StoredSession>> {
    const found = new Map<string, StoredSession>();
    for (const row of this.#rows(summaryName("")).values()) {
      const head = rowHead(row);
      if (head?.schema !== String(SCHEMA_VERSION)) continue;
      const session = new IndexedSession(head, row);
      found.set(session.id, session);
    }
    return Promise.resolve(found);
  }

  /** See {@link Store}. */
  newer(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const row of this.#rows(summaryName("")).values()) {
      const head = rowHead(row);
      if (head && Number(head.schema) > SCHEMA_VERSION) {
        found.add(head.name.slice(summaryName("").length));
      }
    }
    return Promise.resolve(found);
  }

  /** See {@link Store}. */
  needsMending(): boolean {
    return !hasMarker(this.layout) || this.#modelId === undefined ||
      this.#base !== undefined || !this.#isClean();
  }

  /** See {@link Store}. */
  begin(): Promise<boolean> {
    return new Promise((done) => {
      if (this.#lock) return done(false);
      if (this.#options.readOnly) {
        throw new StoreError("LOCKED", "This store was opened for reading.");
      }
      ensureFolder(this.layout.own, this.layout.repo);
      const lock = Lock.take(this.#lockFile);
      try {
        makeMarker(this.layout);
        this.#modelId = findModelId(this.layout) ??
          makeDefinition(this.layout);
        ensureFolder(this.#model!, this.layout.repo);
      } catch (error) {
        lock.release();
        throw error;
      }
      this.#lock = lock;
      const changed = lock.takenOver || this.#seen !== this.#signature();
      for (const name of namesIn(this.layout.own)) {
        if (isTempName(name)) {
          rmSync(join(this.layout.own, name), { force: true });
        }
      }
      this.#base = undefined;
      if (lock.takenOver || !this.#isClean()) this.#refresh();
      if (lock.takenOver) this.#sweep();
      done(changed);
    });
  }

  /** Removes what a killed run left in the items' folders. */
  #sweep(): number {
    let versions = 0;
    const model = this.#model!;
    for (const name of namesIn(model)) {
      const path = join(model, name);
      if (!lstatOf(path)?.isDirectory()) continue;
      versions += sweepItem(path);
      this.#note(name);
    }
    return versions;
  }

  /** Puts an item's row as it is on disk now. */
  #note(name: string, item?: StoredItem): void {
    const path = join(this.#model!, name);
    const stat = lstatOf(path);
    const found = stat ? item ?? readItem(path) : undefined;
    this.#changed.set(
      name,
      found && rowOf(found, Math.floor(stat!.mtimeMs)),
    );
  }

  async #writing(): Promise<string> {
    if (!this.#lock) await this.begin();
    this.#lock!.check();
    return this.#model!;
  }

  #write(
    name: string,
    content: string,
    tags: Tags,
    options: WriteOptions,
  ): StoredItem {
    return writeItem(this.#model!, {
      name,
      content,
      tags,
      lifetime: options.lifetime,
      modelId: this.#modelId!,
    });
  }

  #settle(...items: StoredItem[]): number {
    let bytes = 0;
    for (const item of items) {
      if (item.version > 1) sweepItem(join(this.#model!, item.name));
      this.#note(item.name, item);
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
    const model = await this.#writing();
    const pruned: Pruned = { versions: this.#sweep(), items: 0 };
    for (const [name, row] of this.#rows("")) {
      const item = rowItem(row);
      const end = item && expiresAt(item);
      if (end === undefined || end > now) continue;
      rmSync(join(model, name), { recursive: true, force: true });
      this.#changed.set(name, undefined);
      pruned.items++;
    }
    return pruned;
  }

  /** See {@link Store}. */
  async detail(id: string): Promise<unknown> {
    const text = await this.read(detailName(id));
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** See {@link Store}. Writes the index; the lock stays where that fails. */
  close(): Promise<void> {
    return new Promise((done) => {
      const lock = this.#lock;
      if (!lock) return done();
      this.#lock = undefined;
      try {
        lock.check();
      } catch {
        // Another run owns the index now.
        lock.release();
        return done();
      }
      if (this.#base || this.#changed.size > 0) this.#writeIndex();
      lock.release();
      this.#base = undefined;
      this.#changed.clear();
      done();
    });
  }

  #writeIndex(): void {
    const changed = this.#changed;
    const base: Iterable<[string, string]> = this.#base ??
      readRows(this.#index);
    const rows = function* (): Generator<string> {
      for (const [name, row] of base) if (!changed.has(name)) yield row;
      for (const row of changed.values()) if (row !== undefined) yield row;
    };
    writeIndex(
      this.#index,
      {
        model: this.#modelId!,
        names: namesIn(this.#model!).length,
        ...this.#times(),
      },
      rows(),
    );
  }

  /** See {@link StoreReader}. */
  list(kind?: string): Promise<StoredItem[]> {
    // A definition made since this store was opened.
    this.#modelId ??= findModelId(this.layout);
    const seen = this.#signature();
    const last = this.#listed;
    if (last?.seen === seen && last.kind === kind && this.#isClean()) {
      return Promise.resolve(last.items);
    }
    const items: StoredItem[] = [];
    for (const row of this.#rows("").values()) {
      if (kind !== undefined && !row.includes(JSON.stringify(kind))) continue;
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
    const model = this.#model;
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
