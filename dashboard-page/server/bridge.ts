/**
 * The page over a running `swamp serve`: requests of the page's socket are
 * passed on to it, answers passed back.
 *
 * @module
 */
import { WebSocket } from "ws";
import { type ErrorCode, RequestError } from "./errors.ts";
import type { Outbox } from "./outbox.ts";
import { errorReply, MAX_ACTIVE, parseRequest } from "./protocol.ts";

/** Where requests go. */
export interface Upstream {
  /** `ws:` or `wss:` address of the server. */
  url: string;
  /** Its token, where it asks for one. */
  token?: string;
}

/**
 * Only these are passed on. The token may allow more, running workflows for
 * one; the page must not be a way to that.
 */
const PASSED: ReadonlySet<string> = new Set([
  "data.query",
  "data.get",
  "cancel",
]);

/** Largest answer that is passed back: an honest 10,000 rows are 10 MB. */
const MAX_ANSWER = 256 * 1024 * 1024;
const CONNECT_MS = 10_000;

/**
 * The WebSocket address for what a person gives: `http://host:port`,
 * `https://…`, `ws://…` or `host:port`. Throws TypeError where it is none.
 */
export function upstreamUrl(given: string): string {
  const url = new URL(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
  if (url.protocol === "http:") url.protocol = "ws:";
  else if (url.protocol === "https:") url.protocol = "wss:";
  if (url.protocol !== "ws:" && url.protocol !== "wss:") {
    throw new TypeError(`not an http or ws address: ${url.protocol}`);
  }
  url.hash = "";
  return url.href;
}

/**
 * Passes a socket's requests on until it closes. The way to the server is
 * opened for the first request, and again for one that comes after it broke:
 * so the page works on when the server was started again, and every failure
 * is an error reply that says what to do.
 */
export function bridgeSocket(
  socket: WebSocket,
  upstream: Upstream,
  outbox: Outbox,
): void {
  outbox.add(socket);
  const pending = new Set<string>();
  let server: WebSocket | undefined;
  let waiting: string[] = [];
  const reply = (text: string) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  const lost = (message: string) => {
    server = undefined;
    waiting = [];
    for (const id of pending) {
      reply(errorReply(new RequestError("upstream_failed", message), id));
    }
    pending.clear();
  };
  const connect = (): WebSocket => {
    const opened = new WebSocket(
      upstream.url,
      upstream.token ? [`bearer.${upstream.token}`] : [],
      {
        maxPayload: MAX_ANSWER,
        handshakeTimeout: CONNECT_MS,
        perMessageDeflate: false,
      },
    );
    let reason = GONE;
    opened.on("open", () => {
      for (const text of waiting) opened.send(text);
      waiting = [];
    });
    opened.on("message", (data, isBinary) => {
      const text = isBinary ? "" : data.toString();
      const id = answerId(text);
      // Only answers to what was asked; a page gets no news it did not ask for.
      if (id === undefined || !pending.delete(id)) return;
      reply(text);
      if (!outbox.isFull) return;
      opened.pause();
      void outbox.room().then(() => opened.resume());
    });
    opened.on("unexpected-response", (_request, response) => {
      reason = response.statusCode === 401 || response.statusCode === 403
        ? "the swamp server refused the token: give --token or SWAMP_TOKEN"
        : `the swamp server answered ${response.statusCode}`;
      opened.terminate();
    });
    // Always followed by close.
    opened.on("error", () => {});
    opened.on("close", () => {
      if (server === opened) lost(reason);
    });
    return opened;
  };
  const pass = (text: string) => {
    const { id, type } = parseRequest(text);
    const refuse = (code: ErrorCode, message: string) => {
      throw new RequestError(code, message, id);
    };
    if (!PASSED.has(type)) {
      refuse("invalid_request", "only data.query and data.get are passed on");
    }
    if (type === "cancel") {
      if (server?.readyState === WebSocket.OPEN) server.send(text);
      return;
    }
    if (pending.has(id)) {
      refuse("duplicate_id", "a request with this id is already under way");
    }
    if (pending.size >= MAX_ACTIVE) {
      refuse(
        "too_many_requests",
        `at most ${MAX_ACTIVE} requests at once: wait for answers`,
      );
    }
    pending.add(id);
    server ??= connect();
    if (server.readyState === WebSocket.OPEN) server.send(text);
    else waiting.push(text);
  };
  socket.on("error", () => socket.terminate());
  socket.on("close", () => server?.terminate());
  socket.on("message", (data, isBinary) => {
    try {
      if (isBinary) {
        throw new RequestError("invalid_request", "text is expected");
      }
      pass(data.toString());
    } catch (error) {
      const id = error instanceof RequestError ? error.id : undefined;
      reply(errorReply(error, id ?? "unknown"));
    }
  });
}

const GONE = "the swamp server cannot be reached: is `swamp serve` running?";

/** The id in an answer, where it can be read. */
function answerId(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "id" in value
      ? String(value.id)
      : undefined;
  } catch {
    return undefined;
  }
}
