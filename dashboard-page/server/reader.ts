/**
 * What the local server reads from: the metadata of data items, and the
 * content of one.
 *
 * @module
 */

/** Metadata of one version of a data item, in swamp's field names. */
export interface DataItem {
  /** UUID of this write. */
  id: string;
  /** The item's name, `summary-…`. */
  name: string;
  /** Its version, from 1. */
  version: number;
  /** When it was written, ISO 8601. */
  createdAt: string;
  /** Its tags. */
  tags: Readonly<Record<string, string>>;
  /** Name of the model that owns it. */
  modelName: string;
  /** UUID of that model. */
  modelId: string;
  /** Type of that model. */
  modelType: string;
  /** The resource's spec: summary, detail or rollup. */
  specName: string;
  /** `application/json`. */
  contentType: string;
  /** How long it is kept. */
  lifetime: string;
  /** Size of its content in bytes. */
  size: number;
  /** SHA-256 of its content in hex, where known. */
  checksum?: string;
}

/** A store, as the server needs it. */
export interface DataReader {
  /**
   * The latest version of every item, oldest first, from metadata only. Gives
   * the very same array while nothing changed, so that what is derived from it
   * can be kept.
   */
  items(): Promise<readonly DataItem[]>;
  /** The content of an item as stored; undefined where it is gone. */
  content(item: DataItem): Promise<string | undefined>;
}
