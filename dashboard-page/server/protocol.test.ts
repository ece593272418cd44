import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { clientMessage, RequestError } from "./errors.ts";
import { dataHandler, MAX_ACTIVE, serveSocket } from "./protocol.ts";
import { Outbox } from "./outbox.ts";
import type { DataReader } from "./reader.ts";

/** A socket that keeps what is sent on it. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent: Record<string, unknown>[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  terminate(): void {
    this.readyState = 3;
    this.bufferedAmount = 0;
    this.emit("close");
  }
  ask(id: string, type = "data.query"): void {
    this.emit("message", Buffer.from(JSON.stringify({ type, id })), false);
  }
}

describe("a socket", () => {
  const serve = () => {
    const socket = new FakeSocket();
    const release: (() => void)[] = [];
    serveSocket(
      socket as unknown as WebSocket,
      () => new Promise((resolve) => release.push(() => resolve(null))),
      new Outbox(),
    );
    const started = async (count: number) => {
      while (release.length < count) {
        await new Promise((go) => setImmediate(go));
      }
    };
    return { socket, release, started };
  };

  test(`takes ${MAX_ACTIVE} requests at once and refuses one more`, async () => {
    const { socket, release, started } = serve();
    for (let i = 0; i <= MAX_ACTIVE; i++) socket.ask(`r${i}`);
    expect(socket.sent).toMatchObject([
      { id: `r${MAX_ACTIVE}`, error: { code: "too_many_requests" } },
    ]);
    await started(1);
    expect(release.length).toBe(1);
    release[0]?.();
    await started(2);
    socket.ask("again");
    expect(socket.sent.slice(1)).toMatchObject([{ id: "r0", payload: {} }]);
  });

  test("that does not read is ended when it leaves no room for others", async () => {
    const outbox = new Outbox(100, 0);
    const [hog, other] = [new FakeSocket(), new FakeSocket()];
    for (const socket of [hog, other]) {
      serveSocket(
        socket as unknown as WebSocket,
        () => Promise.resolve("data"),
        outbox,
      );
    }
    other.bufferedAmount = 40;
    hog.bufferedAmount = 61;
    const answered = new Promise<void>((done) => {
      other.send = () => done();
    });
    other.ask("q");
    hog.ask("q");
    await answered;
    expect([hog.readyState, other.readyState]).toEqual([3, 1]);
    expect(hog.sent).toEqual([]);
  });

  test("refuses a second request under an id that is under way", () => {
    const { socket } = serve();
    socket.ask("same");
    socket.ask("same");
    expect(socket.sent).toMatchObject([
      { id: "same", error: { code: "duplicate_id" } },
    ]);
  });

  test("says nothing to cancel: what it asks for is nearly done", () => {
    const { socket } = serve();
    socket.ask("x", "cancel");
    expect(socket.sent).toEqual([]);
  });
});

describe("error messages", () => {
  test.each([
    "cannot read /home/me/repo/.swamp/data/x",
    "ENOENT: open 'C:\\Users\\me\\x'",
    "see .swamp/data",
    "at ~/secret",
    "\\\\host\\share",
  ])("a message with a path is replaced: %s", (text) => {
    expect(clientMessage(new RequestError("not_found", text))).toBe(
      "An internal error occurred",
    );
  });

  test("what was not meant for the client is replaced", () => {
    expect(clientMessage(new Error("EACCES"))).toBe(
      "An internal error occurred",
    );
  });

  test("long messages are cut", () => {
    expect(
      clientMessage(new RequestError("not_found", "x".repeat(999))).length,
    ).toBe(203);
  });

  test("a store that breaks is an error reply, and no path gets out", async () => {
    const broken: DataReader = {
      items: () => Promise.reject(new Error("EIO: /home/me/.swamp/data")),
      content: () => Promise.resolve(undefined),
    };
    const answer = dataHandler(broken)({
      type: "data.query",
      id: "1",
      payload: { predicate: "true" },
    });
    await expect(answer).rejects.toMatchObject({
      code: "data_query_failed",
      message: "An internal error occurred",
    });
  });
});
