/**
 * The dashboard's WebSocket protocol, for the stand-alone shell: requests
 * `{type, id, payload}`, answers `{type, id, payload: {data}}` or
 * `{type: "error", id, error: {code, message}}`.
 *
 * @module
 */
import { asObject, type Request, RequestError } from "./request.ts";

/** Whether the socket is open. */
export type SocketState = "connecting" | "open" | "closed";

/** A connection that opens itself again. */
export interface Connection {
  /** Asks the server. */
  request: Request;
  /** Calls back on every change of state, and at once; returns how to stop. */
  onState(listener: (state: SocketState) => void): () => void;
  /** Closes for good. */
  close(): void;
}

/** How to connect. */
export interface ConnectionOptions {
  /** ws: or wss: address. */
  url: string;
  /** The bearer token, where the server wants one. */
  token?: string;
  /** Gives up on an answer after this many milliseconds. */
  timeoutMs?: number;
  /** Makes the socket; for tests. */
  open?: (url: string, protocols: string[]) => WebSocket;
}

interface Waiting {
  frame: string;
  sent: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

/** The server takes at most 100 requests at once on a socket. */
const MOST_AT_ONCE = 90;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/**
 * Opens a connection. Requests made before it is open, or while it opens
 * again, wait; those already sent when it broke are sent again, because all
 * the page asks for only reads.
 */
export function connect(options: ConnectionOptions): Connection {
  const { url, token, timeoutMs = 30_000 } = options;
  const open = options.open ?? ((u, p) => new WebSocket(u, p));
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<(state: SocketState) => void>();
  let state: SocketState = "connecting";
  let socket: WebSocket | undefined;
  let retryMs = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let done = false;
  let next = 0;

  const become = (to: SocketState) => {
    state = to;
    for (const listener of listeners) listener(to);
  };
  const flush = () => {
    if (state !== "open") return;
    let inFlight = 0;
    for (const w of waiting.values()) if (w.sent) inFlight++;
    for (const w of waiting.values()) {
      if (inFlight >= MOST_AT_ONCE) return;
      if (w.sent) continue;
      w.sent = true;
      inFlight++;
      socket?.send(w.frame);
    }
  };
  const settle = (id: string): Waiting | undefined => {
    const w = waiting.get(id);
    if (!w) return undefined;
    clearTimeout(w.timer);
    waiting.delete(id);
    return w;
  };
  const receive = (text: unknown) => {
    let message: Record<string, unknown> | undefined;
    try {
      message = asObject(JSON.parse(String(text)));
    } catch {
      return; // No answer of ours: its request runs into its timeout.
    }
    const w = message && settle(String(message.id));
    if (!message || !w) return;
    if (message.type === "error") {
      const error = asObject(message.error);
      w.reject(
        new RequestError(
          typeof error?.code === "string" ? error.code : "error",
          typeof error?.message === "string"
            ? error.message
            : "the server gave no reason",
        ),
      );
    } else {
      const payload = asObject(message.payload);
      w.resolve(payload && "data" in payload ? payload.data : payload);
    }
    flush();
  };
  const start = () => {
    become("connecting");
    const s = open(url, token ? [`bearer.${token}`] : []);
    socket = s;
    s.onopen = () => {
      retryMs = FIRST_RETRY_MS;
      become("open");
      flush();
    };
    s.onmessage = (event) => receive(event.data);
    s.onclose = () => {
      if (socket !== s) return;
      for (const w of waiting.values()) w.sent = false;
      become("closed");
      if (done) return;
      retry = setTimeout(start, retryMs);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    };
  };
  start();

  return {
    request(type, payload) {
      return new Promise((resolve, reject) => {
        if (done) {
          reject(new RequestError("disconnected", "the connection is closed"));
          return;
        }
        const id = `as-${++next}`;
        const timer = setTimeout(() => {
          settle(id)?.reject(
            new RequestError(
              "timeout",
              state === "open"
                ? `${type}: no answer within ${Math.round(timeoutMs / 1000)} s`
                : `${type}: no connection to the server`,
            ),
          );
          flush();
        }, timeoutMs);
        waiting.set(id, {
          frame: JSON.stringify({ type, id, payload }),
          sent: false,
          resolve,
          reject,
          timer,
        });
        flush();
      });
    },
    onState(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
    close() {
      done = true;
      clearTimeout(retry);
      for (const id of [...waiting.keys()]) {
        settle(id)?.reject(
          new RequestError("disconnected", "the connection was closed"),
        );
      }
      socket?.close();
    },
  };
}

/** Where the dashboard keeps its token, so that a reload still gets in. */
export const TOKEN_KEY = "swamp-dashboard-token";

/**
 * Takes the token out of a URL fragment (`#token=…`): the token, and the
 * fragment without it. A fragment is never sent to a server nor logged by one.
 */
export function takeToken(
  fragment: string,
): { token: string | undefined; rest: string } {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const token = params.get("token") ?? undefined;
  params.delete("token");
  return { token, rest: params.toString() };
}
