/**
 * swamp's request protocol over a WebSocket, as far as the page needs it:
 * `{type, id, payload?}` is answered by `{type, id, payload: {data}}` or
 * `{type: "error", id, error: {code, message}}`.
 *
 * @module
 */
import type { WebSocket } from "ws";
import { clientMessage, RequestError } from "./errors.ts";
import { MAX_EXPRESSION } from "./expression.ts";
import type { Outbox } from "./outbox.ts";
import { MAX_LIMIT, type Query, runQuery } from "./query.ts";
import type { DataItem, DataReader } from "./reader.ts";

/** Largest message that is accepted, in bytes: two expressions and change. */
export const MAX_MESSAGE = 64 * 1024;
/** Requests under way at once on one socket. */
export const MAX_ACTIVE = 100;
/** Unsent bytes on a socket above which it may ask for nothing more. */
const MAX_UNSENT = 16 * 1024 * 1024;
/** Messages in a row that are no requests, after which a socket is closed. */
const MAX_BAD = 100;

/** A request, its outline checked. */
export interface Request {
  /** What is asked. */
  type: string;
  /** Chosen by the client, echoed in the answer. */
  id: string;
  /** The arguments. */
  payload: Record<string, unknown>;
}

/** Answers one request with its `data`; throws {@link RequestError}. */
export type Handler = (request: Request) => Promise<unknown>;

/** Reads a message; throws {@link RequestError} where it is no request. */
export function parseRequest(text: string): Request {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RequestError("invalid_request", "Invalid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RequestError("invalid_request", "a request is an object");
  }
  const { type, id, payload } = value as Record<string, unknown>;
  const bad = (message: string) =>
    new RequestError("invalid_request", message, requestId(id));
  if (typeof id !== "string" || id === "" || id.length > 256) {
    throw bad("id: a string of 1 to 256 characters is expected");
  }
  if (typeof type !== "string" || type === "") {
    throw bad("type: a string is expected");
  }
  if (
    payload !== undefined &&
    (typeof payload !== "object" || payload === null || Array.isArray(payload))
  ) throw bad("payload: an object is expected");
  return { type, id, payload: (payload ?? {}) as Record<string, unknown> };
}

const requestId = (id: unknown) =>
  typeof id === "string" && id.length <= 256 ? id : undefined;

/** Text of an error reply. */
export function errorReply(error: unknown, id: string): string {
  return JSON.stringify({
    type: "error",
    id,
    error: {
      code: error instanceof RequestError ? error.code : "internal_error",
      message: clientMessage(error),
    },
  });
}

/** Answers everything that a socket asks, until it closes. */
export function serveSocket(
  socket: WebSocket,
  handle: Handler,
  outbox: Outbox,
): void {
  const active = new Set<string>();
  let bad = 0;
  outbox.add(socket);
  const send = (text: string) => {
    if (socket.readyState === socket.OPEN) socket.send(text);
  };
  const answer = async (request: Request): Promise<void> => {
    if (socket.readyState !== socket.OPEN) return;
    try {
      const data = await handle(request);
      send(
        JSON.stringify({
          type: request.type,
          id: request.id,
          payload: { data },
        }),
      );
    } catch (error) {
      send(errorReply(error, request.id));
    } finally {
      active.delete(request.id);
    }
  };
  // A socket in error closes by itself; without a listener the process would.
  socket.on("error", () => socket.terminate());
  socket.on("message", (message, isBinary) => {
    let request: Request;
    try {
      if (isBinary) {
        throw new RequestError("invalid_request", "text is expected");
      }
      request = parseRequest(message.toString());
      // Nothing else that swamp knows has an answer to wait for.
      if (request.type === "cancel") return;
      if (active.has(request.id)) {
        throw new RequestError(
          "duplicate_id",
          "a request with this id is already under way",
          request.id,
        );
      }
      if (active.size >= MAX_ACTIVE || socket.bufferedAmount > MAX_UNSENT) {
        throw new RequestError(
          "too_many_requests",
          `at most ${MAX_ACTIVE} requests at once: wait for answers`,
          request.id,
        );
      }
    } catch (error) {
      const id = error instanceof RequestError ? error.id : undefined;
      if (socket.bufferedAmount > MAX_UNSENT || ++bad > MAX_BAD) {
        socket.close(1008, "too many bad requests");
        return;
      }
      send(errorReply(error, id ?? "unknown"));
      return;
    }
    bad = 0;
    active.add(request.id);
    void outbox.inLane(laneOf(request), () => answer(request));
  });
}

/** What answers wait for: reading one item never for a query of everything. */
function laneOf({ type, payload }: Request): string {
  if (type === "data.get") return "get";
  return payload.select === undefined ? "whole" : "select";
}

/** Answers `data.query` and `data.get` from a reader. */
export function dataHandler(reader: DataReader): Handler {
  return async ({ type, payload }) => {
    switch (type) {
      case "data.query":
        return await failingAs(
          "data_query_failed",
          () => runQuery(reader, asQuery(payload)),
        );
      case "data.get":
        return await failingAs(
          "data_get_failed",
          () => getItem(reader, payload),
        );
      default:
        throw new RequestError(
          "invalid_request",
          "this server answers data.query and data.get only",
        );
    }
  };
}

/** Gives unforeseen errors the code of the request; their text stays here. */
async function failingAs<T>(
  code: "data_query_failed" | "data_get_failed",
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError(code, "An internal error occurred");
  }
}

function asQuery(payload: Record<string, unknown>): Query {
  const { predicate, select, limit } = payload;
  if (
    typeof predicate !== "string" || predicate.length > MAX_EXPRESSION
  ) {
    throw new RequestError(
      "invalid_request",
      `payload.predicate: a string of at most ${MAX_EXPRESSION} characters is expected`,
    );
  }
  if (
    select !== undefined &&
    (typeof select !== "string" || select.length > MAX_EXPRESSION)
  ) {
    throw new RequestError(
      "invalid_request",
      `payload.select: a string of at most ${MAX_EXPRESSION} characters is expected`,
    );
  }
  if (
    limit !== undefined &&
    (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 ||
      limit > MAX_LIMIT)
  ) {
    throw new RequestError(
      "invalid_request",
      `payload.limit: a whole number from 1 to ${MAX_LIMIT} is expected`,
    );
  }
  return {
    predicate,
    ...(select === undefined ? {} : { select }),
    ...(limit === undefined ? {} : { limit }),
  };
}

async function getItem(
  reader: DataReader,
  payload: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { modelIdOrName, dataName, version, includeContent } = payload;
  for (const [key, value] of Object.entries({ modelIdOrName, dataName })) {
    if (typeof value !== "string" || value === "") {
      throw new RequestError(
        "invalid_request",
        `payload.${key}: a string is expected`,
      );
    }
  }
  const item = (await reader.items()).find((candidate: DataItem) =>
    candidate.name === dataName &&
    (candidate.modelName === modelIdOrName ||
      candidate.modelId === modelIdOrName) &&
    (version === undefined || candidate.version === version)
  );
  const content = item && includeContent !== false
    ? await reader.content(item)
    : undefined;
  if (!item || (content === undefined && includeContent !== false)) {
    throw new RequestError("not_found", "No such data item");
  }
  return {
    ...item,
    garbageCollection: 1,
    streaming: false,
    ownerDefinition: { ownerType: "model-method", ownerRef: item.modelId },
    ...(content === undefined ? {} : { content }),
  };
}
