import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { fakeItem, FakeReader } from "./fake.test-support.ts";
import { type RunningServer, startServer } from "./mod.ts";

const root = mkdtempSync(join(tmpdir(), "sessions-server-"));
const pageDir = join(root, "page");
const token = "t".repeat(43);
let server: RunningServer;

beforeAll(async () => {
  mkdirSync(join(pageDir, "assets"), { recursive: true });
  writeFileSync(join(pageDir, "index.html"), "<!doctype html>page");
  writeFileSync(join(pageDir, "assets", "a-1234.js"), "export {};");
  writeFileSync(join(root, "secret.txt"), "outside");
  server = await startServer({
    pageDir,
    port: 0,
    token,
    source: {
      reader: new FakeReader([
        fakeItem("detail-a", { kind: "d" }, '{"n":7}'),
      ]),
    },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

function get(
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({
      host: "127.0.0.1",
      port: server.port,
      path,
      method,
      headers,
    }, (res) => {
      let body = "";
      res.setEncoding("utf8");
      res.on("data", (chunk: string) => body += chunk);
      res.on(
        "end",
        () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body }),
      );
    });
    req.on("error", reject);
    req.end();
  });
}

/** Opens a socket; resolves to it, or to the HTTP status that refused it. */
function open(
  protocols: string[],
  headers: Record<string, string> = {},
  path = "/",
): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(
      `ws://127.0.0.1:${server.port}${path}`,
      protocols,
      { headers },
    );
    socket.once("open", () => resolve(socket));
    socket.once("unexpected-response", (_req, res) => {
      resolve(res.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("error", () => {});
  });
}

async function openOk(): Promise<WebSocket> {
  const socket = await open([`bearer.${token}`]);
  if (typeof socket === "number") throw new Error(`refused: ${socket}`);
  return socket;
}

const next = (socket: WebSocket) =>
  new Promise<Record<string, unknown>>((resolve) =>
    socket.once(
      "message",
      (data) => resolve(JSON.parse(data.toString()) as Record<string, unknown>),
    )
  );

describe("files", () => {
  test("the page comes with a policy that lets nothing in from outside", async () => {
    const page = await get("/");
    expect([page.status, page.body]).toEqual([200, "<!doctype html>page"]);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    expect(page.headers["cache-control"]).toBe("no-cache");
  });

  test("hashed assets may be kept for ever, with their type", async () => {
    const asset = await get("/assets/a-1234.js");
    expect(asset.headers["content-type"]).toMatch(/^text\/javascript/);
    expect(asset.headers["cache-control"]).toContain("immutable");
  });

  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/assets/../../secret.txt",
    "//secret.txt",
    "/secret.txt%00.js",
    "/%",
    "/nothing.js",
  ])("%s leads nowhere", async (path) => {
    const answer = await get(path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).not.toContain("outside");
  });

  test("only GET and HEAD are answered", async () => {
    expect((await get("/", {}, "POST")).status).toBe(405);
    const head = await get("/", {}, "HEAD");
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("auth/info says that a token is needed", async () => {
    expect((await get("/auth/info")).body).toBe('{"mode":"token"}');
  });
});

describe("who gets in", () => {
  test("the address carries the token where browsers send it to nobody", () => {
    expect(server.url).toBe(
      `http://127.0.0.1:${server.port}/#token=${token}`,
    );
  });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil:80"])(
    "a request for the host %s is refused",
    async (host) => {
      expect((await get("/", { host })).status).toBe(403);
      expect(await open([`bearer.${token}`], { host })).toBe(403);
    },
  );

  test("localhost is as good as 127.0.0.1", async () => {
    const host = `localhost:${server.port}`;
    expect((await get("/", { host })).status).toBe(200);
  });

  test.each(["http://evil.example", "null", "https://localhost"])(
    "a socket from the origin %s is refused",
    async (origin) => {
      expect(await open([`bearer.${token}`], { origin })).toBe(403);
      expect((await get("/auth/info", { origin })).status).toBe(403);
    },
  );

  test.each([
    ["no token", []],
    ["a wrong token", ["bearer.wrong"]],
    ["an empty token", ["bearer."]],
    ["a token without its prefix", [token]],
  ])("%s is refused", async (_what, protocols) => {
    expect(await open(protocols)).toBe(401);
  });

  test("the right token gets in and is named as the protocol", async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    const socket = await open(
      ["bearer.wrong", `bearer.${token}`],
      { origin },
      "/?compress=gzip",
    );
    expect(socket).toBeInstanceOf(WebSocket);
    expect((socket as WebSocket).protocol).toBe(`bearer.${token}`);
    (socket as WebSocket).close();
  });

  test("a socket on any other path is refused", async () => {
    expect(await open([`bearer.${token}`], {}, "/other")).toBe(404);
  });
});

describe("the protocol", () => {
  test("data.query is answered under its id", async () => {
    const socket = await openOk();
    socket.send(JSON.stringify({
      type: "data.query",
      id: "q1",
      payload: { predicate: 'tags.kind == "d"', select: "name" },
    }));
    expect(await next(socket)).toEqual({
      type: "data.query",
      id: "q1",
      payload: {
        data: {
          predicate: 'tags.kind == "d"',
          select: "name",
          results: [],
          projected: { shape: "scalar", values: ["detail-a"] },
          total: 1,
          limited: false,
        },
      },
    });
    socket.close();
  });

  test("data.get gives the content as a JSON string", async () => {
    const socket = await openOk();
    socket.send(JSON.stringify({
      type: "data.get",
      id: "g1",
      payload: { modelIdOrName: "sessions", dataName: "detail-a" },
    }));
    expect(await next(socket)).toMatchObject({
      type: "data.get",
      id: "g1",
      payload: {
        data: { name: "detail-a", version: 1, content: '{"n":7}' },
      },
    });
    socket.close();
  });

  test.each([
    ["no JSON", "{", "unknown", "invalid_request"],
    ["no object", "[1]", "unknown", "invalid_request"],
    ["no id", '{"type":"data.get"}', "unknown", "invalid_request"],
    ["no type", '{"id":"x"}', "x", "invalid_request"],
    ["a strange type", '{"type":"run","id":"x"}', "x", "invalid_request"],
    [
      "a limit too high",
      '{"type":"data.query","id":"x","payload":{"predicate":"true","limit":10001}}',
      "x",
      "invalid_request",
    ],
    [
      "a predicate that is none",
      '{"type":"data.query","id":"x","payload":{"predicate":"=="}}',
      "x",
      "data_query_failed",
    ],
    [
      "an item that is missing",
      '{"type":"data.get","id":"x","payload":{"modelIdOrName":"sessions","dataName":"../../etc/passwd"}}',
      "x",
      "not_found",
    ],
  ])("%s gets an error reply", async (_what, text, id, code) => {
    const socket = await openOk();
    socket.send(text);
    expect(await next(socket)).toMatchObject({
      type: "error",
      id,
      error: { code },
    });
    socket.close();
  });

  test("a message above the limit closes the socket, not the server", async () => {
    const socket = await openOk();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.send("x".repeat(100_000));
    expect(await closed).toBe(1009);
    expect((await get("/")).status).toBe(200);
  });

  test("a flood of bad messages closes the socket, not the server", async () => {
    const socket = await openOk();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    for (let i = 0; i < 500; i++) socket.send("{");
    expect(await closed).toBe(1008);
    expect((await get("/")).status).toBe(200);
  });

  test("connections above the most are closed at once, later ones get in", async () => {
    let closed = 0;
    const raw = Array.from({ length: 300 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("close", () => closed++);
      return socket;
    });
    while (closed < 44) await new Promise((go) => setImmediate(go));
    for (const socket of raw) socket.destroy();
    while (closed < 300) await new Promise((go) => setImmediate(go));
    expect((await get("/")).status).toBe(200);
  });

  test("bytes that are no HTTP do not end the server", async () => {
    await new Promise<void>((resolve) => {
      const raw = connect(server.port, "127.0.0.1", () => {
        raw.write("\u0000\u0001 nonsense\r\n\r\n");
      });
      raw.on("error", () => {});
      raw.on("close", () => resolve());
    });
    expect((await get("/")).status).toBe(200);
  });
});
