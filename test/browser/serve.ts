/**
 * Serves the built page and the dashboard's protocol over data in memory, on a
 * free port, under the strict policy that the page is made for.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { type Request } from "../../dashboard-page/client/request.ts";
import { type DemoData } from "./demo-data.ts";
import { demoRequest, type Manner } from "./demo-server.ts";

/** Where the built page lies. */
export const PAGE_DIR: string = fileURLToPath(
  new URL("../../dist/page/", import.meta.url),
);

/** No inline script or style, nothing from elsewhere. */
export const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** A server that is up. */
export interface Served {
  /** Its address, ending in a slash. */
  url: string;
  /** Changes what it answers from now on. */
  answer(data: Pick<DemoData, "items">, manner?: Manner): void;
  /** Breaks every connection; the page should come back. */
  breakSockets(): void;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts a server; needs the page to be built. */
export async function serve(
  data: Pick<DemoData, "items">,
  manner: Manner = {},
): Promise<Served> {
  let request: Request = demoRequest(data.items, manner);
  const http = createServer(async (asked, answer) => {
    const path = new URL(asked.url ?? "/", "http://x").pathname;
    if (path === "/auth/info") {
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({ mode: "none" }));
      return;
    }
    const name = path === "/" ? "index.html" : normalize(path).slice(1);
    try {
      const body = await readFile(join(PAGE_DIR, name));
      answer.setHeader(
        "content-type",
        TYPES[extname(name)] ?? "application/octet-stream",
      );
      answer.setHeader("content-security-policy", STRICT_POLICY);
      answer.end(body);
    } catch {
      answer.statusCode = 404;
      answer.end();
    }
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on("connection", (socket) => {
    socket.on("message", async (raw) => {
      const { id, type, payload } = JSON.parse(String(raw));
      const reply = await request(type, payload).then(
        (data) => ({ type, id, payload: { data } }),
        (error: { code?: string; message?: string }) => ({
          type: "error",
          id,
          error: { code: error.code ?? "error", message: error.message ?? "" },
        }),
      );
      socket.send(JSON.stringify(reply));
    });
  });
  await new Promise<void>((up) => http.listen(0, "127.0.0.1", up));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    answer: (next, how = {}) => {
      request = demoRequest(next.items, how);
    },
    breakSockets: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((down) => http.close(down));
    },
  };
}
