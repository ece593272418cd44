import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket as NodeSocket } from "ws";
import {
  anySessions,
  getDetail,
  getSummary,
  listDays,
  listSessions,
} from "../../dashboard-page/client/queries.ts";
import {
  connect,
  type Connection,
} from "../../dashboard-page/client/socket.ts";
import type { Request } from "../../dashboard-page/client/request.ts";
import type { Row } from "../../dashboard-page/client/rows.ts";
import { fixtureHome, Repo, type Running, until } from "./support.ts";

const SESSIONS = 9;

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

function open(url: string, token?: string): Connection {
  return connect({
    url,
    ...(token === undefined ? {} : { token }),
    open: (address, protocols) =>
      new NodeSocket(address, protocols, {
        origin: address.replace(/^ws/, "http").replace(/\/$/, ""),
      }) as unknown as WebSocket,
  });
}

async function list(request: Request): Promise<Row[]> {
  const rows: Row[] = [];
  await listSessions(
    request,
    Date.now(),
    (page) => rows.push(...page.rows),
    new AbortController().signal,
  );
  return rows;
}

// A server that checks tokens asks its maker's service who may run it, so what
// a viewer without access sees is tested over a stand-in, with the page.
describe("the page over swamp serve", () => {
  const repo = new Repo();
  const running: Running[] = [];
  const connections: Connection[] = [];
  let port = 0;

  const opened = (url: string, token?: string): Connection => {
    const connection = open(url, token);
    connections.push(connection);
    return connection;
  };

  beforeAll(async () => {
    await repo.setUp();
    await repo.import(fixtureHome());
    port = await freePort();
    const server = repo.start("serve", "--port", String(port), "--dashboard");
    running.push(server);
    await until(() => server.said().includes("Startup complete"));
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    for (const server of running) server.kill("SIGTERM");
    await Promise.all(running.map((r) => r.ended));
  });

  const answers = async ({ request }: Connection) => {
    expect(await anySessions(request)).toBe(true);
    const rows = await list(request);
    expect(rows).toHaveLength(SESSIONS);
    expect((await listDays(request)).length).toBeGreaterThan(3);
    const id = rows[0]!.id;
    expect(await getSummary(request, id)).toMatchObject({ id });
    const detail = await getDetail(request, id);
    expect(detail.ok && detail.value.session.id).toBe(id);
  };

  test("answers every query of the page", async () => {
    await answers(opened(`ws://127.0.0.1:${port}/`));
  });

  test("answers them through our own dashboard too", async () => {
    const dashboard = repo.startCli([
      "dashboard",
      "--server",
      `http://127.0.0.1:${port}`,
      "--port",
      "0",
      "--no-open",
      "--json",
    ]);
    running.push(dashboard);
    await until(() => dashboard.out().includes("\n"));
    const { url } = JSON.parse(dashboard.out()) as { url: string };
    const { host, hash } = new URL(url);
    await answers(opened(`ws://${host}/`, /token=([^&]+)/.exec(hash)?.[1]));
  });
});
