import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type RunningServer, startServer, upstreamUrl } from "./mod.ts";

const token = "t".repeat(43);
let swamp: WebSocketServer, swampUrl: string;
const seen: string[] = [];

beforeAll(async () => {
  swamp = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) =>
      req.headers["sec-websocket-protocol"] === "bearer.up",
  });
  swamp.on("connection", (socket) =>
    socket.on("message", (data) => {
      seen.push(data.toString());
      const { type, id } = JSON.parse(data.toString()) as Record<
        string,
        string
      >;
      socket.send(JSON.stringify({ type, id, payload: { data: "theirs" } }));
    }));
  await new Promise((resolve) => swamp.once("listening", resolve));
  const address = swamp.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  swampUrl = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  for (const client of swamp.clients) client.terminate();
  swamp.close();
});

async function through(
  upstreamToken: string,
  url: string,
  run: (socket: WebSocket, server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({
    pageDir: "/nonexistent",
    port: 0,
    token,
    source: { upstream: { url: upstreamUrl(url), token: upstreamToken } },
  });
  try {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, [
      `bearer.${token}`,
    ]);
    await new Promise((resolve) => socket.once("open", resolve));
    await run(socket, server);
    socket.terminate();
  } finally {
    await server.close();
  }
}

const next = (socket: WebSocket) =>
  new Promise<unknown>((resolve) =>
    socket.once("message", (data) => resolve(JSON.parse(data.toString())))
  );

describe("over a running swamp serve", () => {
  test("requests are passed on, answers back", async () => {
    await through("up", swampUrl, async (socket) => {
      socket.send('{"type":"data.query","id":"1","payload":{}}');
      expect(await next(socket)).toEqual({
        type: "data.query",
        id: "1",
        payload: { data: "theirs" },
      });
    });
  });

  test("what would do more than read is not passed on", async () => {
    seen.length = 0;
    await through("up", swampUrl, async (socket) => {
      socket.send('{"type":"workflow.run","id":"2","payload":{}}');
      expect(await next(socket)).toMatchObject({
        type: "error",
        id: "2",
        error: { code: "invalid_request" },
      });
      expect(seen).toEqual([]);
    });
  });

  test("a token that is refused there is said, with what to do", async () => {
    await through("wrong", swampUrl, async (socket) => {
      socket.send('{"type":"data.get","id":"3","payload":{}}');
      expect(await next(socket)).toMatchObject({
        id: "3",
        error: {
          code: "upstream_failed",
          message: expect.stringMatching(/refused the token/),
        },
      });
    });
  });

  test("a server that is not there is said, with what to do", async () => {
    await through("up", "127.0.0.1:9", async (socket) => {
      for (const id of ["4", "5"]) {
        socket.send(JSON.stringify({ type: "data.get", id, payload: {} }));
        expect(await next(socket)).toMatchObject({
          id,
          error: {
            code: "upstream_failed",
            message: expect.stringMatching(/swamp serve/),
          },
        });
      }
    });
  });
});

describe("addresses", () => {
  test.each([
    ["http://host:9090", "ws://host:9090/"],
    ["https://host/x", "wss://host/x"],
    ["wss://host", "wss://host/"],
    ["127.0.0.1:9090", "ws://127.0.0.1:9090/"],
  ])("%s is %s", (given, url) => {
    expect(upstreamUrl(given)).toBe(url);
  });

  test.each(["ftp://host", "http://", "file:///etc/passwd"])(
    "%s is none",
    (given) => {
      expect(() => upstreamUrl(given)).toThrow(TypeError);
    },
  );
});
