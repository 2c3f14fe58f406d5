import type { JournalRow, JournalState } from "../../../log/port.ts";
import { canBeCut, FifoWriter, type WriteResult } from "../../../process/fifo.ts";

export type StdinOwner = {
  /** Stores the state of a journal row. May throw; the row is then tried again. */
  setState(id: string, state: JournalState): void;
  /** Queues a harmless question whose answer acknowledges `key`; `false` if the agent has none. */
  ping(key: string): boolean;
  /** The agent no longer reads its stdin. `unsent`: no byte of the frame was written. */
  onClosed(message: string, unsent: boolean): void;
  onError(error: unknown): void;
};

const RETRY_MS = 500;

/**
 * Writes journalled frames into the agent's FIFO, in order, at-least-once. A frame whose write was cut off by a crash may
 * have arrived: the agent is pinged, and nothing else is written until it is known.
 */
export class StdinQueue {
  readonly #fifo: FifoWriter;
  readonly #owner: StdinOwner;
  readonly #queue: JournalRow[] = [];
  /** Rows that wait for a promise before they are written, by id. */
  readonly #held = new Map<string, Promise<void>>();
  #unconfirmed: { row: JournalRow; ping: string } | undefined;
  #pumping = false;
  #stopped = false;

  /** `unwritten`: the rows that an earlier daemon did not write, or whose write was cut off. Add them separately. */
  constructor(path: string, unwritten: readonly JournalRow[], owner: StdinOwner) {
    // A blank line after a frame that was written whole makes some agents exit.
    const unfinished = unwritten.some(({ state, frame }) => state === "writing" && canBeCut(frame));
    this.#fifo = new FifoWriter({ path, unfinished });
    this.#owner = owner;
  }

  /** Rows are in the journal already. `held`: pending rows are written after it resolves. */
  add(rows: readonly JournalRow[], held?: Promise<void>): void {
    this.#queue.push(...rows);
    // A row whose write had started was released before.
    if (held) for (const { id, state } of rows) if (state === "pending") this.#held.set(id, held);
    void this.#pump();
  }

  /** The agent acknowledged these frames. */
  acknowledge(keys: readonly string[]): void {
    const unconfirmed = this.#unconfirmed;
    if (!unconfirmed) return;
    const arrived = unconfirmed.row.key !== undefined && keys.includes(unconfirmed.row.key);
    if (!arrived && !keys.includes(unconfirmed.ping)) return;
    this.#unconfirmed = undefined;
    if (!arrived) this.#queue.unshift({ ...unconfirmed.row, state: "pending" });
    void this.#pump();
  }

  stop(): void {
    this.#stopped = true;
    this.#fifo.stop();
  }

  async #pump(): Promise<void> {
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    try {
      while (this.#queue.length > 0 && !this.#unconfirmed && !this.#stopped) await this.#writeNext();
    } catch (error) {
      this.#owner.onError(error);
      setTimeout(() => this.#pump(), RETRY_MS).unref();
    } finally {
      this.#pumping = false;
    }
  }

  async #writeNext(): Promise<void> {
    const row = this.#queue[0];
    if (!row) return;
    const held = this.#held.get(row.id);
    if (held) {
      await held;
      this.#held.delete(row.id);
      return;
    }
    if (row.state === "writing" && row.repeat === "ask" && this.#confirm(row)) return;
    this.#owner.setState(row.id, "writing");
    this.#queue.shift();
    const result = await this.#fifo.writeFrame(`${row.frame}\n`);
    if (result.ok) return this.#owner.setState(row.id, "written");
    if (result.reason === "stopped") return;
    this.#owner.onClosed(describe(result), result.reason === "closed" && result.written === 0);
    this.#owner.setState(row.id, "dropped");
  }

  /** Pings the agent: if the ping is answered and the frame is not acknowledged, the frame never arrived. */
  #confirm(row: JournalRow): boolean {
    const ping = `ping-${row.id}`;
    if (!this.#owner.ping(ping)) return false;
    this.#queue.shift();
    // The ping was queued last and must be written first.
    const at = this.#queue.findIndex((entry) => entry.key === ping);
    const [frame] = at >= 0 ? this.#queue.splice(at, 1) : [];
    if (!frame) return false;
    this.#unconfirmed = { row, ping };
    this.#owner.setState(frame.id, "writing");
    void this.#fifo
      .writeFrame(`${frame.frame}\n`)
      .then((result) => {
        if (result.ok) this.#owner.setState(frame.id, "written");
        else this.#owner.onClosed(describe(result), false);
      })
      .catch(this.#owner.onError);
    return true;
  }
}

/** Why a frame was not written, for a message to the user. */
function describe({ reason, message }: Extract<WriteResult, { ok: false }>): string {
  return reason === "closed" ? "it closed its standard input" : message;
}
