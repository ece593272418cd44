/**
 * The rows of the items in a model's folder: from the index where it can be
 * trusted, else from the folders, with what this run changed on top.
 *
 * @module
 */
import { join } from "node:path";
import { isTempName, lstatOf, statOf } from "./files.ts";
import {
  readHeader,
  readRows,
  type Row,
  rowHead,
  rowOf,
  writeIndex,
} from "./index-file.ts";
import { namesIn, readItem } from "./items.ts";
import type { Layout } from "./layout.ts";
import type { StoredItem } from "./port.ts";

/** The coarsest clock of a file system that is met (FAT's is 2 s). */
const TICK_MS = 2500;

/** The rows of one model's items. */
export class ItemRows {
  /** The model's id; undefined until there is a definition. */
  modelId: string | undefined;
  /** This run holds the lock: nobody else changes anything. */
  locked = false;
  #layout: Layout;
  /** All rows, where the index file could not be used as it is. */
  #base: Map<string, Row> | undefined;
  /** Rows that this run wrote (or removed: undefined). */
  #changed = new Map<string, Row | undefined>();
  #seen = "";

  /** Nothing is read yet. */
  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Folder of the model's items. */
  get folder(): string | undefined {
    return this.modelId && join(this.#layout.type, this.modelId);
  }
  /** The index file. */
  get index(): string {
    return join(this.#layout.own, "index.ndjson");
  }
  /** The lock file. */
  get lock(): string {
    return join(this.#layout.own, "lock");
  }

  #times(): { folder: number; catalog: number } {
    const time = (path: string | undefined) =>
      Math.floor((path && statOf(path)?.mtimeMs) || 0);
    const { catalog } = this.#layout;
    return {
      folder: time(this.folder),
      catalog: Math.max(time(catalog), time(`${catalog}-wal`)),
    };
  }

  /** Whether the index file says what is on disk. */
  isClean(): boolean {
    if (!this.locked && lstatOf(this.lock)) return false;
    const header = readHeader(this.index);
    const { folder, catalog } = this.#times();
    if (
      header?.model !== this.modelId || header?.folder !== folder ||
      header.catalog !== catalog
    ) return false;
    // What is made within one tick of the file system's clock leaves the
    // folder's time as it was; then only counting tells.
    const written = statOf(this.index)?.mtimeMs ?? 0;
    return folder < written - TICK_MS ||
      namesIn(this.folder!).length === header.names;
  }

  /** Whether the index file has to be made again. */
  isBroken(): boolean {
    return this.#base !== undefined || !this.isClean();
  }

  /** Changes whenever the rows may have changed. */
  signature(): string {
    const { folder, catalog } = this.#times();
    const index = statOf(this.index);
    return [this.modelId, folder, catalog, index?.mtimeMs, index?.ino].join();
  }

  /** Whether something may have changed since the rows were last looked at. */
  isOutdated(): boolean {
    return this.#seen !== this.signature();
  }

  /** Brings the rows in memory in line with the disk; only stats what is known. */
  refresh(): Map<string, Row> {
    const known = this.#base ?? new Map<string, Row>();
    if (!this.#base) {
      try {
        for (const [name, row] of readRows(this.index)) known.set(name, row);
      } catch {
        // A torn index may hold half a row: nothing of it is trusted.
        known.clear();
      }
    }
    const rows = new Map<string, Row>();
    const { folder } = this;
    for (const name of folder ? namesIn(folder) : []) {
      const path = join(folder!, name);
      const stat = lstatOf(path);
      if (!stat?.isDirectory() || isTempName(name)) continue;
      const time = Math.floor(stat.mtimeMs);
      const old = known.get(name);
      if (old && rowHead(old)?.folder === time) {
        rows.set(name, old);
        continue;
      }
      const item = readItem(path);
      if (item?.name === name) rows.set(name, rowOf(item, time));
    }
    return this.#base = rows;
  }

  /** Called once the lock is held: from here on the disk changes only by us. */
  settle(): void {
    this.#base = undefined;
    if (!this.isClean()) this.refresh();
  }

  /** Rows of the items whose name begins with `prefix`, by name. */
  all(prefix: string): Map<string, Row> {
    const rows = new Map<string, Row>();
    const take = (all: Iterable<[string, Row]>) => {
      for (const [name, row] of all) {
        if (name.startsWith(prefix)) rows.set(name, row);
      }
    };
    if (!this.locked) {
      this.#seen = this.signature();
      if (this.isClean()) this.#base = undefined;
      else this.refresh();
    }
    if (!this.#base) {
      try {
        take(readRows(this.index));
      } catch {
        rows.clear();
        this.refresh();
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

  /** Puts an item's row as it is on disk now. */
  note(name: string, item?: StoredItem): void {
    const path = join(this.folder!, name);
    const stat = lstatOf(path);
    const found = stat ? item ?? readItem(path) : undefined;
    this.#changed.set(name, found && rowOf(found, Math.floor(stat!.mtimeMs)));
  }

  /** Writes the index where it is not as it should be. */
  save(): void {
    const changed = this.#changed;
    if (this.#base || changed.size > 0) {
      const base: Iterable<[string, Row]> = this.#base ??
        readRows(this.index);
      const rows = function* (): Generator<Row> {
        for (const [name, row] of base) if (!changed.has(name)) yield row;
        for (const row of changed.values()) if (row !== undefined) yield row;
      };
      writeIndex(
        this.index,
        {
          model: this.modelId!,
          names: namesIn(this.folder!).length,
          ...this.#times(),
        },
        rows(),
      );
    }
    this.#base = undefined;
    changed.clear();
  }
}
