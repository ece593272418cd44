/**
 * What waits to be sent, on all sockets together. A socket that is not read
 * keeps its answers in memory, so answers are made one after the other, each
 * once there is room, and who leaves no room for others is let go.
 *
 * @module
 */
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import type { WebSocket } from "ws";

/** Unsent bytes on all sockets above which no answer is made. */
const MAX_UNSENT = 64 * 1024 * 1024;
/** How long one waits for room, and how often one looks, in milliseconds. */
const PATIENCE_MS = 2000, LOOK_MS = 20;

/** See the module. */
export class Outbox {
  #sockets = new Set<WebSocket>();
  #lanes = new Map<string, Promise<unknown>>();
  #max: number;
  #patience: number;

  /** The bounds are for tests. */
  constructor(max: number = MAX_UNSENT, patience: number = PATIENCE_MS) {
    this.#max = max;
    this.#patience = patience;
  }

  /** Counts a socket until it closes. */
  add(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  /** Whether more waits than there is room for. */
  get isFull(): boolean {
    let unsent = 0;
    for (const socket of this.#sockets) unsent += socket.bufferedAmount;
    return unsent > this.#max;
  }

  /** Resolves once there is room; sockets that are not read are ended for it. */
  async room(): Promise<void> {
    const until = performance.now() + this.#patience;
    while (this.isFull) {
      if (performance.now() >= until) this.#dropFullest();
      else await setTimeout(LOOK_MS);
    }
  }

  #dropFullest(): void {
    let fullest: WebSocket | undefined;
    for (const socket of this.#sockets) {
      if (socket.bufferedAmount > (fullest?.bufferedAmount ?? 0)) {
        fullest = socket;
      }
    }
    if (!fullest) return;
    this.#sockets.delete(fullest);
    fullest.terminate();
  }

  /** Runs work of a lane one after the other, each once there is room. */
  inLane(lane: string, work: () => Promise<void>): Promise<void> {
    const run = async () => {
      // What was made before is handed to its socket by then.
      await nextTurn();
      await this.room();
      await work();
    };
    const before = this.#lanes.get(lane);
    const ended = before ? before.then(run, run) : run();
    this.#lanes.set(lane, ended);
    return ended;
  }
}
