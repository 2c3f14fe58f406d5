import type { Server } from "node:http";
import type { Socket } from "node:net";

const SETTLE_SECONDS = 0.01;

/** What a server receives before its application is attached: connections without a request yet, and waiting requests. */
export class EarlyRequests {
  readonly #unread = new Set<Socket>();
  #waiting: (() => void)[] | undefined = [];
  #received = 0;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      if (this.#waiting) this.#unread.add(socket.once("close", () => this.#unread.delete(socket)));
    });
    server.on("request", ({ socket }) => {
      this.#received += 1;
      this.#unread.delete(socket);
    });
  }

  /** Calls `respond` at once, or when the application is attached. */
  hold(respond: () => void): void {
    if (this.#waiting) this.#waiting.push(respond);
    else respond();
  }

  /** Calls everything that waits, in order. */
  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const respond of waiting) respond();
  }

  /**
   * Resolves when no connection is open whose request has not been read, at most 10 ms later. `isExpected`: also waits that
   * long for the first request.
   */
  async settle(isExpected = false): Promise<void> {
    const end = process.uptime() + SETTLE_SECONDS;
    const isQuiet = () => this.#unread.size === 0 && (!isExpected || this.#received > 0);
    do await new Promise((resolve) => setImmediate(resolve));
    while (!isQuiet() && process.uptime() < end);
  }
}
