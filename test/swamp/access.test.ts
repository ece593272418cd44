import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  anySessions,
  getDetail,
  listDays,
} from "../../dashboard-page/client/queries.ts";
import {
  describeError,
  type Request,
} from "../../dashboard-page/client/request.ts";
import type { Connection } from "../../dashboard-page/client/socket.ts";
import { MODEL_NAME } from "../../extension/store/layout.ts";
import { freePort, list, open } from "./page.ts";
import { fixtureHome, Repo, type Running, SESSIONS, until } from "./support.ts";

/**
 * Stands in for the service that swamp asks whose key it runs under, as a
 * server of one's own would answer. Nothing leaves the machine.
 */
const service = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({
    authenticated: true,
    id: "1",
    username: "operator",
    email: "operator@example.invalid",
    name: "Operator",
    organizations: [],
  }));
});

// A server that checks tokens, as one that several people use does.
describe("a viewer's access, over swamp serve with tokens", () => {
  const repo = new Repo();
  const running: Running[] = [];
  const connections: Connection[] = [];
  const tokens = new Map<string, string>();
  let port = 0;
  let known: string[] = [];

  const as = (who: string): Request => {
    const connection = open(`ws://127.0.0.1:${port}/`, tokens.get(who) ?? who);
    connections.push(connection);
    return connection.request;
  };

  /** A token for someone, from swamp's own model of tokens. */
  const mint = async (who: string) => {
    await repo.swamp("model", "create", "swamp/server-token", who);
    await repo.swamp(
      ...["model", "method", "run", who, "mint", "--skip-reports", "--input"],
      JSON.stringify({
        principalId: `user:${who}`,
        principalEmail: `${who}@example.invalid`,
        vaultName: "tokens",
      }),
    );
    const { value } = JSON.parse(
      await repo.swamp(
        ...["vault", "read-secret", "tokens", `server-token-${who}`, "--json"],
      ),
    ) as { value: string };
    tokens.set(who, `${who}.${value}`);
  };
  const grant = (who: string, effect: "--allow" | "--deny", on: string) =>
    repo.swamp(
      ...["access", "grant", "create", "--subject", `user:${who}`],
      ...[effect, "read", "--on", on],
    );

  beforeAll(async () => {
    await repo.setUp();
    await repo.import(fixtureHome());
    await repo.swamp("vault", "create", "local_encryption", "tokens");
    for (const who of ["stranger", "other", "lister", "reader"]) {
      await mint(who);
    }
    await grant("other", "--allow", "data:something-else");
    await grant("lister", "--allow", "data:*");
    await grant("lister", "--deny", `data:${MODEL_NAME}`);
    await grant("reader", "--allow", "data:*");
    known = [
      repo.dir,
      MODEL_NAME + "/",
      ...(await repo.items("summary")).map(({ name }) =>
        name.slice("summary-".length)
      ),
    ];
    await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
    const { port: servicePort } = service.address() as AddressInfo;
    repo.env = {
      SWAMP_CLUB_URL: `http://127.0.0.1:${servicePort}`,
      SWAMP_API_KEY: "stand-in",
    };
    port = await freePort();
    const server = repo.start(
      ...["serve", "--port", String(port), "--dashboard"],
      ...["--auth-mode", "token", "--admins", "user:operator"],
    );
    running.push(server);
    await Promise.race([
      until(() => server.said().includes("Startup complete")),
      server.ended.then(({ out, err }) => {
        throw new Error(`swamp serve: ${err}${out}`);
      }),
    ]);
    repo.env = {};
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    for (const server of running) server.kill("SIGTERM");
    await Promise.all(running.map((r) => r.ended));
    service.close();
  });

  /** What a request fails with; it must tell nothing of what is stored. */
  const refusal = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      (answer) => {
        throw new Error(`was answered: ${JSON.stringify(answer)}`);
      },
      describeError,
    );
    for (const text of known) expect(error.message).not.toContain(text);
    return error.code;
  };

  test.each(["stranger", "other"])(
    "for %s, who may not read, the page stays hidden and nothing leaks",
    async (who) => {
      const request = as(who);
      expect(await anySessions(request)).toBe(false);
      expect(await refusal(list(request))).toBe("unauthorized");
      expect(await refusal(listDays(request))).toBe("unauthorized");
      const id = known.at(-1)!;
      expect(await refusal(getDetail(request, id))).toBe("unauthorized");
      expect(
        await refusal(
          request("data.get", {
            modelIdOrName: MODEL_NAME,
            dataName: `detail-${id}`,
            includeContent: true,
          }),
        ),
      ).toBe("unauthorized");
    },
  );

  test("it stays hidden through our own dashboard too", async () => {
    const dashboard = repo.startCli([
      ...["dashboard", "--server", `http://127.0.0.1:${port}`],
      ...["--port", "0", "--no-open", "--json"],
    ], { SWAMP_TOKEN: tokens.get("stranger")! });
    running.push(dashboard);
    await until(() => dashboard.out().includes("\n"));
    const { url } = JSON.parse(dashboard.out()) as { url: string };
    const { host, hash } = new URL(url);
    const connection = open(
      `ws://${host}/`,
      /token=([^&]+)/.exec(hash)?.[1],
    );
    connections.push(connection);
    expect(await anySessions(connection.request)).toBe(false);
    expect(await refusal(list(connection.request))).toBe("unauthorized");
  });

  test("a token that is not known gets no connection", async () => {
    const connection = open(`ws://127.0.0.1:${port}/`, "stranger.wrong");
    connections.push(connection);
    const state = await new Promise((done) =>
      connection.onState((s) => s !== "connecting" && done(s))
    );
    expect(state).toBe("closed");
  });

  test("who may read everything but the sessions' model sees the list, and no detail", async () => {
    const request = as("lister");
    expect(await anySessions(request)).toBe(true);
    const [row] = await list(request);
    expect(await refusal(getDetail(request, row!.id))).toBe("unauthorized");
  });

  test("who may read sees everything", async () => {
    const request = as("reader");
    expect(await anySessions(request)).toBe(true);
    const rows = await list(request);
    expect(rows).toHaveLength(SESSIONS);
    const detail = await getDetail(request, rows[0]!.id);
    expect(detail.ok && detail.value.session.id).toBe(rows[0]!.id);
  });
});
