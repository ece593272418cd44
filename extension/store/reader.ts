/**
 * The embedded store as the local server reads it.
 *
 * @module
 */
import type { EmbeddedStore } from "./embedded.ts";
import { MODEL_TYPE } from "./layout.ts";
import type { StoredItem } from "./port.ts";

/** Metadata of one data item, in swamp's field names. */
export interface ReaderItem extends StoredItem {
  /** Name of the model that owns it. */
  modelName: string;
  /** UUID of that model. */
  modelId: string;
  /** Type of that model. */
  modelType: string;
  /** The resource's spec: summary, detail or rollup. */
  specName: string;
}

/** The latest version of every item, and the content of one. */
export interface ItemReader {
  /** From metadata only, oldest first; the very same array while nothing changed. */
  items(): Promise<readonly ReaderItem[]>;
  /** The content of an item; undefined where it is gone. */
  content(
    item: { name: string; version: number },
  ): Promise<string | undefined>;
}

/** Reads the items of an embedded store. */
export function readerOf(store: EmbeddedStore): ItemReader {
  let from: readonly StoredItem[] | undefined;
  let items: ReaderItem[] = [];
  return {
    async items() {
      const all = await store.list();
      if (all === from) return items;
      from = all;
      items = all.map((item) => ({
        ...item,
        modelName: item.tags.modelName ?? "",
        modelId: item.ownerDefinition.ownerRef,
        modelType: MODEL_TYPE,
        specName: item.tags.specName ?? "",
      })).sort((a, b) =>
        a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0
      );
      return items;
    },
    // A version replaced since it was listed is answered by the one there is.
    content: async (item) =>
      await store.read(item.name, item.version) ?? await store.read(item.name),
  };
}
