/**
 * The local server: the built page, and the data for it over swamp's own
 * request protocol, on the loopback address and for this person only.
 *
 * @module
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { bridgeSocket, type Upstream } from "./bridge.ts";
import { Outbox } from "./outbox.ts";
import { dataHandler, MAX_MESSAGE, serveSocket } from "./protocol.ts";
import type { DataReader } from "./reader.ts";
import {
  acceptedProtocol,
  hostAllowed,
  newToken,
  originAllowed,
  securityHeaders,
} from "./security.ts";
import { StaticFiles } from "./static.ts";

export type { DataItem, DataReader } from "./reader.ts";
export { type Upstream, upstreamUrl } from "./bridge.ts";

/** What to serve. */
export interface ServerOptions {
  /** Folder of the built page. */
  pageDir: string;
  /** Port; 0 takes a free one. */
  port: number;
  /** Where the data comes from: a store here, or a running `swamp serve`. */
  source: { reader: DataReader } | { upstream: Upstream };
  /** The token; a new one where absent. For tests. */
  token?: string;
}

/** A server that listens. */
export interface RunningServer {
  /** Address with the token in its fragment, which browsers send to nobody. */
  url: string;
  /** The port it got. */
  port: number;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/** Sockets at once: a person has a few tabs. */
const MAX_SOCKETS = 64;
/** Connections at once, those sockets among them; more are closed at once. */
const MAX_CONNECTIONS = 256;
/** In milliseconds; files are small and near, and requests have no body. */
const TIMEOUTS = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  // How often node looks whether one is over.
  connectionsCheckingInterval: 1000,
};

/**
 * Starts the server. Rejects with node's own error where the port cannot be
 * had (`EADDRINUSE`, `EACCES`).
 */
export async function startServer(
  options: ServerOptions,
): Promise<RunningServer> {
  const token = options.token ?? newToken();
  const files = new StaticFiles(options.pageDir);
  let port = options.port;

  const server = createServer(
    TIMEOUTS,
    (request, response) => {
      for (const [name, value] of Object.entries(securityHeaders(port))) {
        response.setHeader(name, value);
      }
      const end = (status: number, text: string) => {
        response.writeHead(status, {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": "no-store",
        });
        response.end(`${text}\n`);
      };
      if (!allowed(request, port)) {
        return end(403, "This server answers its own page only.");
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.setHeader("allow", "GET, HEAD");
        return end(405, "Only GET and HEAD.");
      }
      const path = urlPath(request.url);
      if (path === undefined) return end(400, "Not a path.");
      if (path === "/auth/info") {
        response.writeHead(200, {
          "content-type": "application/json; charset=utf-8",
          "cache-control": "no-store",
        });
        return response.end(JSON.stringify({ mode: "token" }));
      }
      files.find(path).then((file) => {
        if (file) files.send(file, path, response);
        else if (path === "/index.html") {
          end(503, "The page is not built: run `npm run build`.");
        } else end(404, "Not found.");
      }).catch(() => end(500, "An internal error occurred."));
    },
  );

  server.maxConnections = MAX_CONNECTIONS;

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: (_offered, request) =>
      acceptedProtocol(request, token) ?? false,
  });
  const handle = "reader" in options.source
    ? dataHandler(options.source.reader)
    : undefined;
  const outbox = new Outbox();
  sockets.on("connection", (socket) => {
    if (handle) serveSocket(socket, handle, outbox);
    else if ("upstream" in options.source) {
      bridgeSocket(socket, options.source.upstream, outbox);
    }
  });
  server.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    if (!allowed(request, port)) return refuse(stream, "403 Forbidden");
    if (urlPath(request.url) !== "/index.html") {
      return refuse(stream, "404 Not Found");
    }
    if (!acceptedProtocol(request, token)) {
      return refuse(stream, "401 Unauthorized");
    }
    if (sockets.clients.size >= MAX_SOCKETS) {
      return refuse(stream, "503 Service Unavailable");
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      sockets.emit("connection", socket, request);
    });
  });
  server.on("clientError", (_error, stream) => stream.destroy());

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}/#token=${token}`,
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const allowed = (request: IncomingMessage, port: number) =>
  hostAllowed(request.headers.host, port) &&
  originAllowed(request.headers.origin, port);

/** The decoded path of a request line; undefined where it is none. */
function urlPath(target: string | undefined): string | undefined {
  const path = (target ?? "/").split("?", 1)[0] ?? "/";
  if (!path.startsWith("/")) return undefined;
  try {
    const decoded = decodeURIComponent(path);
    return decoded === "/" ? "/index.html" : decoded;
  } catch {
    return undefined;
  }
}

function refuse(stream: Duplex, status: string): void {
  stream.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
