/** The page's side of a running server. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { WebSocket as NodeSocket } from "ws";
import { listSessions } from "../../dashboard-page/client/queries.ts";
import type { Request } from "../../dashboard-page/client/request.ts";
import type { Row } from "../../dashboard-page/client/rows.ts";
import {
  connect,
  type Connection,
} from "../../dashboard-page/client/socket.ts";

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

/** Connects as the page does. */
export function open(url: string, token?: string): Connection {
  return connect({
    url,
    ...(token === undefined ? {} : { token }),
    open(address, protocols) {
      const socket = new NodeSocket(address, protocols, {
        origin: address.replace(/^ws/, "http").replace(/\/$/, ""),
      });
      // As in a browser, a refused connection is only closed.
      socket.on("error", () => {});
      return socket as unknown as WebSocket;
    },
  });
}

/** Every row of the list. */
export async function list(request: Request): Promise<Row[]> {
  const rows: Row[] = [];
  await listSessions(
    request,
    Date.now(),
    (page) => rows.push(...page.rows),
    new AbortController().signal,
  );
  return rows;
}
