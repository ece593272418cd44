import { describe, expect, it } from "vitest";
import {
  anySessions,
  getDetail,
  getSummary,
  listDays,
  type ListPage,
  listSessions,
  ROW_CAP,
} from "../../dashboard-page/client/queries.ts";
import {
  describeError,
  isUnauthorized,
  type Request,
  RequestError,
} from "../../dashboard-page/client/request.ts";
import {
  connect,
  type SocketState,
  takeToken,
} from "../../dashboard-page/client/socket.ts";
import { DEMO_NOW, demoData } from "../browser/demo-data.ts";
import { demoRequest } from "../browser/demo-server.ts";

async function listAll(request: Request, now = DEMO_NOW): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  await listSessions(
    request,
    now,
    (page) => pages.push(page),
    new AbortController().signal,
  );
  return pages;
}

describe("whether there is anything", () => {
  const items = demoData({ sessions: 3 }).items;
  it("is one query of one row", async () => {
    const asked: Record<string, unknown>[] = [];
    const request = demoRequest(items, {
      onRequest: (_, payload) => asked.push(payload),
    });
    expect(await anySessions(request)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.limit).toBe(1);
    expect(await anySessions(demoRequest([]))).toBe(false);
  });

  it("is no without access, and an error when the server fails", async () => {
    const denied = demoRequest(items, {
      error: { code: "unauthorized", message: "denied" },
    });
    expect(await anySessions(denied)).toBe(false);
    const broken = demoRequest(items, {
      error: { code: "internal", message: "boom" },
    });
    await expect(anySessions(broken)).rejects.toThrow("boom");
  });
});

describe("the list", () => {
  it("of no more than the cap is two queries at once, this month's first", async () => {
    const data = demoData({ sessions: 200 });
    const predicates: string[] = [];
    const request = demoRequest(data.items, {
      onRequest: (_, p) => predicates.push(String(p.predicate)),
    });
    const pages = await listAll(request);
    expect(predicates).toHaveLength(2);
    expect(pages.map((p) => p.next)).toEqual(["2026-09", undefined]);
    expect(
      pages[0]?.rows.every((r) => r.start >= Date.UTC(2026, 9)),
    ).toBe(true);
    expect(pages.flatMap((p) => p.rows)).toHaveLength(200);
  });
});

describe("the list beyond the server's cap", () => {
  it("comes by month, newest first, each session, in few queries", async () => {
    const data = demoData({ sessions: 24_000 });
    const predicates: string[] = [];
    const request = demoRequest(data.items, {
      onRequest: (_, p) => predicates.push(String(p.predicate)),
    });
    const pages = await listAll(request);
    const ids = new Set(pages.flatMap((p) => p.rows).map((r) => r.id));
    expect(ids.size).toBe(24_000);
    const newest = Math.max(...(pages[0]?.rows ?? []).map((r) => r.start));
    expect(newest).toBe(Date.parse(data.summaries[0]?.startedAt ?? ""));
    expect(pages[0]?.next).toBe("2026-09");
    expect(pages.at(-1)?.next).toBe(undefined);
    expect(predicates.length).toBeLessThan(12);
  });

  it("splits a month that is above the cap by days", async () => {
    const data = demoData({ sessions: ROW_CAP + 2_000, days: 13 });
    const pages = await listAll(demoRequest(data.items));
    const ids = new Set(pages.flatMap((p) => p.rows).map((r) => r.id));
    expect(ids.size).toBe(ROW_CAP + 2_000);
  });

  it("stops when it is no longer wanted", async () => {
    const abort = new AbortController();
    let pages = 0;
    await listSessions(
      demoRequest(demoData({ sessions: ROW_CAP + 500 }).items),
      DEMO_NOW,
      () => {
        pages++;
        abort.abort();
      },
      abort.signal,
    );
    expect(pages).toBe(1);
  });
});

describe("one session", () => {
  const data = demoData({ sessions: 5 });
  const id = data.summaries[0]?.id ?? "";

  it("is read whatever the host leaves around the answer", async () => {
    const bare = demoRequest(data.items);
    const wrapped: Request = async (type, payload) => ({
      data: await bare(type, payload),
    });
    for (const request of [bare, wrapped]) {
      expect(await getDetail(request, id)).toMatchObject({ ok: true });
      expect(await getSummary(request, id)).toMatchObject({ id });
    }
  });

  it("is found in a second model", async () => {
    const items = data.items.map((item) =>
      item.name.includes(id) ? { ...item, modelName: "other" } : item
    );
    const request = demoRequest(items);
    const other = data.summaries[1]?.id ?? "";
    expect(await getDetail(request, other)).toMatchObject({ ok: true });
    expect(await getDetail(request, id)).toMatchObject({ ok: true });
  });

  it("that is not there is an error with a code; of a newer schema or broken it is told apart", async () => {
    const request = demoRequest(data.items);
    await expect(getDetail(request, "nope")).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await getSummary(request, "nope")).toBe(undefined);
    const newer = demoData({ sessions: 2, newer: 2 });
    expect(
      await getDetail(
        demoRequest(newer.items),
        newer.summaries[0]?.id ?? "",
      ),
    ).toMatchObject({ ok: false, reason: "newer", version: 2 });
    const torn: Request = async (type, payload) =>
      type === "data.get"
        ? { content: '{"schemaVersion":1,' }
        : await request(type, payload);
    expect(await getDetail(torn, id)).toMatchObject({
      ok: false,
      reason: "invalid",
    });
  });

  it("cannot smuggle a predicate in by its id", async () => {
    const seen: string[] = [];
    const request = demoRequest(data.items, {
      onRequest: (_, p) => seen.push(String(p.predicate)),
    });
    expect(await getSummary(request, '" || true || "')).toBe(undefined);
    expect(seen[0]).toContain('\\" || true');
  });
});

describe("days", () => {
  it("come from rollups, oldest first", async () => {
    const data = demoData({ sessions: 50 });
    const days = await listDays(demoRequest(data.items));
    expect(days.map((d) => d.day)).toEqual(
      [...days.map((d) => d.day)].sort(),
    );
    expect(days.reduce((n, d) => n + d.sessions, 0)).toBe(50);
    expect(await listDays(demoRequest([]))).toEqual([]);
    // When they were stored tells how fresh all of it is.
    const stored = data.items.filter((i) => i.name.startsWith("rollup-"));
    expect(days.map((d) => d.storedAt).sort()).toEqual(
      stored.map((i) => Date.parse(i.createdAt)).sort(),
    );
  });
});

describe("errors", () => {
  it("have a code whatever a host throws", () => {
    expect(describeError(new RequestError("timeout", "late")).code).toBe(
      "timeout",
    );
    expect(isUnauthorized(new Error("unauthorized: read data:*"))).toBe(true);
    expect(isUnauthorized({ code: "unauthorized", message: "" })).toBe(true);
    expect(isUnauthorized(new Error("boom"))).toBe(false);
    expect(describeError("x")).toEqual({ code: "error", message: "x" });
    expect(describeError(undefined).code).toBe("error");
  });
});

class FakeSocket {
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor(readonly url: string, readonly protocols: string[]) {}
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.onclose?.();
  }
}

function fakeConnection(token?: string) {
  const sockets: FakeSocket[] = [];
  const states: SocketState[] = [];
  const connection = connect({
    url: "ws://x/",
    ...(token ? { token } : {}),
    open: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  });
  connection.onState((s) => states.push(s));
  return { sockets, states, connection };
}

describe("the connection", () => {
  it("sends the token as a subprotocol, waits to be open, and answers by id", async () => {
    const { sockets, connection, states } = fakeConnection("secret");
    const [socket] = sockets;
    expect(socket?.protocols).toEqual(["bearer.secret"]);
    const a = connection.request("data.get", { n: 1 });
    const b = connection.request("data.get", { n: 2 });
    expect(socket?.sent).toEqual([]);
    socket?.onopen?.();
    const [first, second] = (socket?.sent ?? []).map((s) => JSON.parse(s));
    expect(first).toMatchObject({ type: "data.get", payload: { n: 1 } });
    const say = (message: unknown) =>
      socket?.onmessage?.({ data: JSON.stringify(message) });
    say({ type: "data.get", id: second.id, payload: { data: { got: 2 } } });
    say({
      type: "error",
      id: first.id,
      error: { code: "unauthorized", message: "no" },
    });
    socket?.onmessage?.({ data: "no json" });
    expect(await b).toEqual({ got: 2 });
    await expect(a).rejects.toMatchObject({ code: "unauthorized" });
    expect(states).toEqual(["connecting", "open"]);
    connection.close();
  });

  it("comes back when it breaks, and asks again what was open", async () => {
    const { sockets, connection } = fakeConnection();
    sockets[0]?.onopen?.();
    const answer = connection.request("data.query", {});
    sockets[0]?.onclose?.();
    await new Promise((go) => setTimeout(go, 400));
    expect(sockets).toHaveLength(2);
    sockets[1]?.onopen?.();
    const asked = JSON.parse(sockets[1]?.sent[0] ?? "{}");
    sockets[1]?.onmessage?.({
      data: JSON.stringify({ id: asked.id, payload: { data: 7 } }),
    });
    expect(await answer).toBe(7);
    connection.close();
  });

  it("never has more than 90 requests open at once", () => {
    const { sockets, connection } = fakeConnection();
    const asked = Array.from(
      { length: 150 },
      () => connection.request("x").catch(() => {}),
    );
    sockets[0]?.onopen?.();
    expect(sockets[0]?.sent.length).toBe(90);
    sockets[0]?.onmessage?.({
      data: JSON.stringify({
        id: JSON.parse(sockets[0].sent[0] ?? "{}").id,
        payload: {},
      }),
    });
    expect(sockets[0]?.sent.length).toBe(91);
    connection.close();
    return Promise.all(asked);
  });

  it("refuses when it is closed for good", async () => {
    const { connection } = fakeConnection();
    connection.close();
    await expect(connection.request("x")).rejects.toMatchObject({
      code: "disconnected",
    });
  });
});

describe("the token", () => {
  it("is taken out of the fragment, the rest stays", () => {
    expect(takeToken("#token=abc&view=session&id=1")).toEqual({
      token: "abc",
      rest: "view=session&id=1",
    });
    expect(takeToken("#q=1")).toEqual({ token: undefined, rest: "q=1" });
    expect(takeToken("")).toEqual({ token: undefined, rest: "" });
  });
});
