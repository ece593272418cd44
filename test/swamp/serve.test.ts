import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  anySessions,
  getDetail,
  getSummary,
  listDays,
} from "../../dashboard-page/client/queries.ts";
import type { Connection } from "../../dashboard-page/client/socket.ts";
import { freePort, list, open } from "./page.ts";
import { fixtureHome, Repo, type Running, SESSIONS, until } from "./support.ts";

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
