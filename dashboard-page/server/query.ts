/**
 * `data.query`: a CEL predicate, and perhaps a projection, over the metadata
 * of data items. What is answered means the same as in swamp, which uses the
 * same evaluator: a row on which the predicate fails (a missing tag) is passed
 * over, a row on which the projection fails is null.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { RequestError } from "./errors.ts";
import { compile, type Expression, within } from "./expression.ts";
import type { DataItem, DataReader } from "./reader.ts";

/** Results when the request sets no limit. */
export const DEFAULT_LIMIT = 1000;
/** Most results of one query. */
export const MAX_LIMIT = 10_000;

/** Largest answer, in characters of contents or of projected values. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** What a value costs besides its characters. */
const VALUE_COST = 8;
/** A query that takes longer is stopped: others wait behind it. */
const MAX_MS = 10_000;
/** How long a query goes on before other work gets a turn, in milliseconds. */
const TURN_MS = 50;

/** A query as asked. */
export interface Query {
  /** Which items. */
  predicate: string;
  /** What of them; all metadata and the content where absent. */
  select?: string;
  /** At most this many, up to {@link MAX_LIMIT}. */
  limit?: number;
}

/** Projected rows; the first one that is not null decides the shape. */
export type Projected =
  | { shape: "map"; columns: string[]; rows: Record<string, unknown>[] }
  | { shape: "list"; rows: unknown[] }
  | { shape: "scalar"; values: unknown[] };

/** The answer. */
export interface QueryResult {
  /** As asked. */
  predicate: string;
  /** As asked. */
  select?: string;
  /** Whole records; empty where there is a projection. */
  results: Row[];
  /** The projection. */
  projected?: Projected;
  /** How many there are here. */
  total: number;
  /** The limit was reached: there may be more. */
  limited: boolean;
}

/** A record as predicates see it. */
export interface Row extends DataItem {
  isLatest: true;
  namespace: "";
  /** `namespace` is a reserved word in CEL. */
  ns: "";
  dataType: string;
  ownerType: string;
  ownerRef: string;
  streaming: false;
  workflowRunId: "";
  workflowName: "";
  jobName: "";
  stepName: "";
  source: "";
  attributes: unknown;
  content: unknown;
}

const FIELDS: ReadonlySet<string> = new Set([
  "id",
  "name",
  "version",
  "isLatest",
  "createdAt",
  "attributes",
  "tags",
  "modelName",
  "modelType",
  "specName",
  "dataType",
  "contentType",
  "lifetime",
  "ownerType",
  "streaming",
  "size",
  "content",
  "ownerRef",
  "workflowRunId",
  "workflowName",
  "jobName",
  "stepName",
  "source",
  "ns",
]);

/** Names of CEL that parse as identifiers. */
const TYPES: ReadonlySet<string> = new Set([
  "int",
  "uint",
  "double",
  "string",
  "bool",
  "bytes",
  "type",
  "list",
  "map",
  "duration",
  "timestamp",
]);

/** The rows of items, kept as long as the items are the same. */
const rowsOf = new WeakMap<readonly DataItem[], Row[]>();

function rows(items: readonly DataItem[]): Row[] {
  let known = rowsOf.get(items);
  if (!known) {
    known = items.map((item) => ({
      ...item,
      isLatest: true,
      namespace: "",
      ns: "",
      dataType: item.tags.type ?? "resource",
      ownerType: "model-method",
      ownerRef: item.modelId,
      streaming: false,
      workflowRunId: "",
      workflowName: "",
      jobName: "",
      stepName: "",
      source: "",
      attributes: {},
      content: "",
    }));
    rowsOf.set(items, known);
  }
  return known;
}

/** The row with its content: parsed, as both `attributes` and `content`. */
async function withContent(
  row: Row,
  item: DataItem,
  reader: DataReader,
): Promise<{ row: Row; bytes: number }> {
  const text = await reader.content(item);
  if (text === undefined) return { row: { ...row }, bytes: 0 };
  let attributes: unknown = {};
  try {
    attributes = JSON.parse(text);
  } catch {
    return { row: { ...row, content: text }, bytes: text.length };
  }
  return {
    row: { ...row, attributes, content: attributes },
    bytes: text.length,
  };
}

/**
 * Answers a query. Throws {@link RequestError} where it cannot be parsed,
 * names an unknown field, or would answer with too much.
 */
export async function runQuery(
  reader: DataReader,
  query: Query,
): Promise<QueryResult> {
  const predicate = compile(query.predicate, "predicate");
  const unknown = [...predicate.names].filter((name) =>
    !FIELDS.has(name) && !TYPES.has(name)
  );
  if (unknown.length > 0) {
    throw new RequestError(
      "data_query_failed",
      `Unknown field "${unknown[0]}" in query predicate`,
    );
  }
  const select = query.select === undefined
    ? undefined
    : compile(query.select, "select");
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const reads = (compiled: Expression | undefined) =>
    compiled !== undefined &&
    (compiled.names.has("attributes") || compiled.names.has("content"));
  const readFirst = reads(predicate);
  const readAfter = !readFirst && (select === undefined || reads(select));

  const items = await reader.items();
  const all = rows(items);
  const found: Row[] = [];
  const values: unknown[] = [];
  const began = performance.now();
  let turn = began, total = 0;
  let left = MAX_ANSWER;
  const spend = (cost: number) => {
    left -= cost;
    if (left >= 0) return;
    throw new RequestError(
      "data_query_failed",
      "the answer is larger than 64 MB: select less",
    );
  };
  // Tags are short and few; contents and lists are what work can grow with.
  const bound = <T>(heavy: boolean, work: () => T): T =>
    heavy ? within(began + MAX_MS - performance.now(), work) : work();
  for (let i = 0; i < all.length && total < limit; i++) {
    const item = items[i], plain = all[i];
    if (!item || !plain) continue;
    const now = performance.now();
    if (now - began > MAX_MS) {
      throw new RequestError(
        "data_query_failed",
        `the query took longer than ${MAX_MS / 1000} s`,
      );
    }
    if (now - turn > TURN_MS) {
      await nextTurn();
      turn = performance.now();
    }
    const first = readFirst
      ? await withContent(plain, item, reader)
      : { row: plain, bytes: 0 };
    const heavy = readFirst || predicate.loops;
    if (!bound(heavy, () => matches(predicate, first.row))) continue;
    const full = readAfter ? await withContent(plain, item, reader) : first;
    total++;
    if (select) {
      const value = bound(
        reads(select) || select.loops,
        () => project(select, full.row),
      );
      values.push(plainValue(value, spend));
    } else {
      spend(full.bytes);
      found.push(full.row);
    }
  }
  return {
    predicate: query.predicate,
    ...(query.select === undefined ? {} : { select: query.select }),
    results: found,
    ...(select ? { projected: shape(values) } : {}),
    total,
    limited: total >= limit,
  };
}

function matches(predicate: Expression, row: Row): boolean {
  try {
    return predicate.run(row) === true;
  } catch {
    return false;
  }
}

function project(select: Expression, row: Row): unknown {
  try {
    return select.run(row);
  } catch {
    return null;
  }
}

/**
 * CEL's whole numbers are BigInt, which JSON has not. Every value is paid for:
 * a few lists that hold one another can stand for any number of values.
 */
function plainValue(value: unknown, spend: (cost: number) => void): unknown {
  spend(VALUE_COST + (typeof value === "string" ? value.length : 0));
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((v) => plainValue(v, spend));
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? null : value.toISOString();
  }
  if (value instanceof Map) {
    return plainValue(Object.fromEntries(value as Map<string, unknown>), spend);
  }
  const out: Record<string, unknown> = {};
  for (const key in value) {
    spend(key.length);
    out[key] = plainValue((value as Record<string, unknown>)[key], spend);
  }
  return out;
}

function shape(values: unknown[]): Projected {
  const first = values.find((value) => value !== null && value !== undefined);
  if (Array.isArray(first)) return { shape: "list", rows: values };
  if (typeof first === "object" && first !== null) {
    return {
      shape: "map",
      columns: Object.keys(first),
      rows: values.map((value) => (value ?? {}) as Record<string, unknown>),
    };
  }
  return { shape: "scalar", values };
}
