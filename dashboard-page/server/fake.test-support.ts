/**
 * A store of data items in memory, for the server's tests.
 *
 * @module
 */
import type { DataItem, DataReader } from "./reader.ts";

const contents = new WeakMap<DataItem, string>();

/** An item with these tags and this content. */
export function fakeItem(
  name: string,
  tags: Record<string, string>,
  content = "{}",
): DataItem {
  const item: DataItem = {
    id: `id-of-${name}`,
    name,
    version: 1,
    createdAt: "2026-10-05T09:12:33.120Z",
    tags,
    modelName: "sessions",
    modelId: "0d2c1f9e-0000-4000-8000-000000000000",
    modelType: "@agent-observation/sessions",
    specName: name.split("-")[0] ?? "",
    contentType: "application/json",
    lifetime: "90d",
    size: content.length,
  };
  contents.set(item, content);
  return item;
}

/** Gives the items it holds and counts what is read. */
export class FakeReader implements DataReader {
  /** Contents read so far. */
  reads = 0;
  /** Holds these items. */
  constructor(public all: readonly DataItem[]) {}
  /** All of them. */
  items(): Promise<readonly DataItem[]> {
    return Promise.resolve(this.all);
  }
  /** What `fakeItem` was given. */
  content(item: DataItem): Promise<string | undefined> {
    this.reads++;
    return Promise.resolve(contents.get(item));
  }
}
