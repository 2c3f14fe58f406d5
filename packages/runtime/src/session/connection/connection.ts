import { existsSync, type FSWatcher, watch } from "node:fs";
import type { Line } from "../../framing/lines.ts";
import type { JournalRow, JournalState } from "../../log/port.ts";
import { type Exit, killed, readExit } from "../../process/exit.ts";
import { FifoWriter } from "../../process/fifo.ts";
import { isAlive } from "../../process/identity.ts";
import type { SpoolPaths } from "../../process/spool.ts";
import { reap, type StopTarget, stop } from "../../process/stop.ts";
import { Tail } from "../../process/tail.ts";

/** What a link tells its owner. `onOut` and `onErr` may throw; then the same lines come again. */
export type LinkOwner = {
  onOut(lines: Line[], end: number): void;
  onErr(lines: Line[], end: number): void;
  /** The process has ended and everything that it printed has been handed over. */
  onEnd(exit: Exit): void;
  /** The agent does not take its input any more. */
  onDeaf(message: string): void;
  mark(id: string, state: JournalState): void;
  /** Asks the agent something harmless whose answer gives the key back; `false` when it has no such question. */
  ping(key: string): boolean;
  onError(error: unknown): void;
};

export type LinkOptions = {
  target: StopTarget;
  paths: SpoolPaths;
  offset: number;
  errOffset: number;
  lineLimit: number;
  /** Frames that an earlier daemon left: not written, or begun and in doubt. */
  left: readonly JournalRow[];
  /** Those wait for this. */
  held?: Promise<void>;
  owner: LinkOwner;
};

const EXIT_POLL_MS = 250;
const DEAF_MS = 2000;

/**
 * The wires to one agent process: tails of its output, the writer to its stdin, the watch for its end. It knows nothing
 * of what is said. A process that another daemon started is linked in the same way.
 */
export class Link {
  readonly target: StopTarget;
  readonly #options: LinkOptions;
  readonly #out: Tail;
  readonly #err: Tail;
  readonly #fifo: FifoWriter;
  readonly #queue: JournalRow[];
  /** Rows that are not to be written before something has happened, by id. */
  readonly #held = new Map<string, Promise<void>>();
  /** Begun before a crash: the agent has it, or not. Nothing else is written before that is known. */
  #doubt: { row: JournalRow; ping: string } | undefined;
  #pumping = false;
  #ended = false;
  #detached = false;
  #timer: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;

  constructor(options: LinkOptions) {
    const { paths, owner, lineLimit } = options;
    this.#options = options;
    this.target = options.target;
    const onError = (error: unknown) => owner.onError(error);
    this.#out = new Tail({ path: paths.out, offset: options.offset, lineLimit, onLines: owner.onOut, onError });
    this.#err = new Tail({ path: paths.err, offset: options.errOffset, lineLimit, onLines: owner.onErr, onError });
    this.#fifo = new FifoWriter({ path: paths.in, unfinished: options.left.some((row) => row.state === "writing") });
    this.#queue = [...options.left];
    this.#hold(options.left, options.held);
  }

  start(): void {
    this.#out.start();
    this.#err.start();
    this.#watchExit();
    this.#pump();
  }

  /** Rows that are in the journal as pending; written when `held` resolves, in their order among the others. */
  write(rows: readonly JournalRow[], held?: Promise<void>): void {
    this.#queue.push(...rows);
    this.#hold(rows, held);
    this.#pump();
  }

  /** The agent showed that it has these. */
  acked(keys: readonly string[]): void {
    const doubt = this.#doubt;
    if (!doubt) return;
    const arrived = doubt.row.key !== undefined && keys.includes(doubt.row.key);
    if (!arrived && !keys.includes(doubt.ping)) return;
    this.#doubt = undefined;
    if (!arrived) this.#queue.unshift({ ...doubt.row, state: "pending" });
    this.#pump();
  }

  /** Resolves when all that the process has printed until now was handed over. */
  heardAll(): Promise<void> {
    return this.#out.drain();
  }

  /** Lets go of the process without ending it. */
  detach(): void {
    this.#detached = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#out.stop();
    this.#err.stop();
    this.#fifo.stop();
  }

  /**
   * Ends the process; nothing more of what it says is heard. With `parted`, its answer to a last frame that was written,
   * that is waited for first, at most for `graceMs`.
   */
  async stop(graceMs: number, parted?: Promise<void>): Promise<void> {
    if (!parted) this.detach();
    await stop(this.target, { graceMs, killMs: graceMs, ...(parted ? { protocolStop: () => parted } : {}) });
    this.detach();
  }

  async #pump(): Promise<void> {
    if (this.#pumping || this.#detached || this.#ended) return;
    this.#pumping = true;
    try {
      while (this.#queue.length > 0 && !this.#doubt && !this.#detached && !this.#ended) await this.#next();
    } catch (error) {
      this.#options.owner.onError(error);
      setTimeout(() => this.#pump(), 500).unref();
    } finally {
      this.#pumping = false;
    }
  }

  async #next(): Promise<void> {
    const row = this.#queue[0];
    if (!row) return;
    if (this.#held.has(row.id)) return this.#wait(row.id);
    if (row.state === "writing" && row.repeat === "ask" && this.#ask(row)) return;
    const { owner } = this.#options;
    owner.mark(row.id, "writing");
    this.#queue.shift();
    const result = await this.#fifo.writeFrame(`${row.frame}\n`);
    if (result.ok) return owner.mark(row.id, "written");
    if (result.reason === "stopped") return;
    owner.mark(row.id, "dropped");
    this.#deaf(result.message);
  }

  #hold(rows: readonly JournalRow[], held: Promise<void> | undefined): void {
    // One whose write was begun was let through before.
    if (held) for (const { id, state } of rows) if (state === "pending") this.#held.set(id, held);
  }

  async #wait(row: string): Promise<void> {
    await this.#held.get(row);
    this.#held.delete(row);
  }

  #ask(row: JournalRow): boolean {
    const ping = `ping-${row.id}`;
    if (!this.#options.owner.ping(ping)) return false;
    this.#queue.shift();
    // The ping was queued behind what waits; it must go first.
    const at = this.#queue.findIndex((entry) => entry.key === ping);
    const [frame] = at >= 0 ? this.#queue.splice(at, 1) : [];
    if (!frame) return false;
    this.#doubt = { row, ping };
    const { owner } = this.#options;
    owner.mark(frame.id, "writing");
    void this.#fifo.writeFrame(`${frame.frame}\n`).then((result) => {
      if (result.ok) owner.mark(frame.id, "written");
      else this.#deaf(result.message);
    });
    return true;
  }

  /** A process that takes no input is mostly about to end, and its end says more. */
  #deaf(message: string): void {
    const tell = () => this.#ended || this.#detached || this.#options.owner.onDeaf(message);
    setTimeout(tell, DEAF_MS).unref();
  }

  #watchExit(): void {
    const { paths } = this.#options;
    const look = () => {
      if (this.#ended || this.#detached) return;
      if (existsSync(paths.exit) || !isAlive(this.target)) void this.#end();
      else this.#timer = setTimeout(look, EXIT_POLL_MS).unref();
    };
    try {
      this.#watcher = watch(paths.dir, { persistent: false }, (_, name) => {
        if (name !== "exit") return;
        clearTimeout(this.#timer);
        look();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // The poll alone sees it a little later.
    }
    look();
  }

  async #end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#fifo.stop();
    await this.#out.finish();
    await this.#err.finish();
    if (this.#detached) return;
    this.#detached = true;
    this.#options.owner.onEnd(readExit(this.#options.paths.dir) ?? killed);
    await reap(this.target).catch(this.#options.owner.onError);
  }
}
