/**
 * Answers `data.query` and `data.get` from memory as the dashboard's server
 * does: CEL predicates and projections over metadata, oldest first, at most
 * 10,000 rows, a row whose projected tag is missing skipped.
 */
import { parse } from "@marcbachmann/cel-js";
import {
  type Request,
  RequestError,
} from "../../dashboard-page/client/request.ts";

/** An item of the store. */
export interface StoredItem {
  name: string;
  modelName: string;
  createdAt: string;
  tags: Record<string, string>;
  /** What its file would hold. */
  content(): unknown;
}

/** How the server misbehaves. */
export interface Manner {
  /** Answers every query with this error code. */
  error?: { code: string; message: string };
  /** Waits before each answer, in milliseconds. */
  delayMs?: number;
  /** Never answers. */
  silent?: boolean;
  /** Sees every request. */
  onRequest?(type: string, payload: Record<string, unknown>): void;
}

type Program = (context: Record<string, unknown>) => unknown;

const programs = new Map<string, Program>();
function compiled(text: string): Program {
  let program = programs.get(text);
  if (!program) programs.set(text, program = parse(text) as Program);
  return program;
}

function query(
  items: readonly StoredItem[],
  payload: Record<string, unknown>,
): unknown {
  const predicate = String(payload.predicate);
  const select = payload.select === undefined
    ? undefined
    : String(payload.select);
  if (predicate.length > 4096 || (select?.length ?? 0) > 4096) {
    throw new RequestError("invalid_request", "too long");
  }
  const limit = Math.min(Number(payload.limit ?? 1_000), 10_000);
  const matches = compiled(predicate);
  const project = select === undefined ? undefined : compiled(select);
  const rows: unknown[] = [];
  for (const item of items) {
    const context = {
      name: item.name,
      modelName: item.modelName,
      modelType: "@agent-observation/sessions",
      createdAt: item.createdAt,
      tags: item.tags,
    };
    try {
      if (matches(context) !== true) continue;
      const row = project ? project(context) : context;
      rows.push(row);
      if (rows.length >= limit) break;
    } catch {
      continue; // A missing tag skips the row.
    }
  }
  // As swamp answers: a scalar's values are not called rows.
  const projected = Array.isArray(rows[0])
    ? { shape: "list", rows }
    : typeof rows[0] === "object"
    ? { shape: "map", columns: Object.keys(rows[0] ?? {}), rows }
    : { shape: "scalar", values: rows };
  return {
    predicate,
    ...(select === undefined ? {} : { select }),
    results: project ? [] : rows,
    ...(project ? { projected } : {}),
    total: rows.length,
    limited: rows.length >= limit,
  };
}

function get(
  items: readonly StoredItem[],
  payload: Record<string, unknown>,
): unknown {
  const item = items.find((i) =>
    i.name === payload.dataName && i.modelName === payload.modelIdOrName
  );
  if (!item) throw new RequestError("not_found", "no such data");
  return {
    name: item.name,
    modelName: item.modelName,
    createdAt: item.createdAt,
    tags: item.tags,
    ...(payload.includeContent === true
      ? { content: JSON.stringify(item.content()) }
      : {}),
  };
}

/** The request function of a store in memory. */
export function demoRequest(
  items: readonly StoredItem[],
  manner: Manner = {},
): Request {
  return async (type, payload) => {
    const asked = payload as Record<string, unknown>;
    manner.onRequest?.(type, asked);
    if (manner.silent) await new Promise(() => {});
    if (manner.delayMs) {
      await new Promise((go) => setTimeout(go, manner.delayMs));
    }
    if (manner.error) {
      throw new RequestError(manner.error.code, manner.error.message);
    }
    if (type === "data.query") return query(items, asked);
    if (type === "data.get") return get(items, asked);
    throw new RequestError("unknown_request", `no request ${type}`);
  };
}
