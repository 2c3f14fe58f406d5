import { existsSync, type FSWatcher, watch } from "node:fs";
import type { Line } from "../../framing/lines.ts";
import type { JournalRow } from "../../log/port.ts";
import { writeDescendants } from "../../process/descendants/descendants.ts";
import { type Exit, killed, readExit } from "../../process/exit.ts";
import { descendantsOf, type Identity, isAlive } from "../../process/identity.ts";
import type { SpoolPaths } from "../../process/spool.ts";
import { reap, type StopTarget, stop } from "../../process/stop.ts";
import { Tail } from "../../process/tail.ts";
import { type StdinOwner, StdinQueue } from "./writing/stdin-queue.ts";

/** `onStdout` and `onStderr` may throw, with nothing changed: the same lines are delivered again. */
export type ConnectionOwner = Omit<StdinOwner, "onClosed"> & {
  onStdout(lines: Line[], end: number): void;
  onStderr(lines: Line[], end: number): void;
  /** Another program cut the file of its output. May throw, with nothing changed: it is called again. */
  onCut(from: number, to: number): void;
  /** The process ended and all of its output was delivered. */
  onExit(exit: Exit): void;
  /** `unsent`: no byte of the frame was written. */
  onStdinClosed(message: string, unsent: boolean): void;
};

export type ConnectionOptions = {
  target: StopTarget;
  paths: SpoolPaths;
  offset: number;
  errOffset: number;
  lineLimit: number;
  /** Frames that an earlier daemon did not write, or whose write was cut off. */
  unwritten: readonly JournalRow[];
  /** Unwritten frames wait for this. */
  held?: Promise<void>;
  owner: ConnectionOwner;
};

const EXIT_POLL_MS = 250;
/** The descendants are listed less often than the exit is checked: it takes one read for each thread of the agent. */
const POLLS_PER_LOOK = { active: 2, idle: 8 };
const MAX_DESCENDANTS = 1000;
/** A process that closes its stdin is usually about to exit, and its exit has the better reason. */
const STDIN_GRACE_MS = 2000;

/**
 * The connection to one agent process: tails of its output, the queue to its stdin, the watch for its exit. It does not
 * interpret frames. A process that another daemon started is connected in the same way.
 */
export class AgentConnection {
  readonly target: StopTarget;
  readonly #options: ConnectionOptions;
  readonly #stdout: Tail;
  readonly #stderr: Tail;
  readonly #stdin: StdinQueue;
  /** Resolves when the exit was delivered. */
  #ending: Promise<void> | undefined;
  #detached = false;
  #timer: NodeJS.Timeout | undefined;
  /** A process that was just started has no descendants, so the first check does not look. */
  #polls = 1;
  /** The agent printed something since its descendants were listed. */
  #isActive = true;
  /** The process was running when this connection first looked. */
  #sawAlive = false;
  #descendants: Identity[] = [];
  #watcher: FSWatcher | undefined;

  constructor(options: ConnectionOptions) {
    const { paths, owner, lineLimit, offset, errOffset, unwritten } = options;
    this.#options = options;
    this.target = options.target;
    const onError = (error: unknown) => owner.onError(error);
    this.#stdout = new Tail({
      path: paths.out,
      offset,
      lineLimit,
      onLines: (lines, end) => {
        this.#isActive = true;
        owner.onStdout(lines, end);
      },
      onCut: owner.onCut,
      onError,
    });
    this.#stderr = new Tail({ path: paths.err, offset: errOffset, lineLimit, onLines: owner.onStderr, onError });
    this.#stdin = new StdinQueue(paths.in, unwritten, {
      ...owner,
      onClosed: (message, unsent) => this.#stdinClosed(message, unsent),
    });
  }

  start(): void {
    this.#stdout.start();
    this.#stderr.start();
    this.#watchExit();
    this.#stdin.add(this.#options.unwritten, this.#options.held);
  }

  /** Writes journalled rows, after `held` resolves, in order. */
  write(rows: readonly JournalRow[], held?: Promise<void>): void {
    if (rows.length > 0) this.#stdin.add(rows, held);
  }

  acknowledge(keys: readonly string[]): void {
    this.#stdin.acknowledge(keys);
  }

  /** Resolves when everything that the process had printed at the call was delivered; its exit too, if it had ended. */
  async drainOutput(): Promise<void> {
    await this.#stdout.drain();
    this.#checkExit();
    await this.#ending;
  }

  /** The line of stdout that has begun and not ended. */
  get unfinishedLine(): { bytes: number; head: string } | undefined {
    return this.#stdout.unfinishedLine;
  }

  /** Stops reading and writing; the process continues. */
  detach(): void {
    this.#detached = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#stdout.stop();
    this.#stderr.stop();
    this.#stdin.stop();
  }

  /** Ends the process. With `closed`, the agent's acknowledgement of a last frame, waits for it first, up to `graceMs`. */
  async stop(graceMs: number, closed?: Promise<void>): Promise<void> {
    if (!closed) this.detach();
    await stop(this.target, { graceMs, killMs: graceMs, ...(closed ? { protocolStop: () => closed } : {}) });
    this.detach();
  }

  #stdinClosed(message: string, unsent: boolean): void {
    const report = () => this.#ending || this.#detached || this.#options.owner.onStdinClosed(message, unsent);
    setTimeout(report, STDIN_GRACE_MS).unref();
  }

  /**
   * One watcher for all files of the process. Watchers of a file and of its folder would each report every write, in turn,
   * so that the system could not merge the reports of a burst.
   */
  #watchFolder(check: () => void): void {
    const report = (name: string | null) => {
      if (name === null || name === "out") this.#stdout.poke();
      if (name === null || name === "err") this.#stderr.poke();
      if (name === null || name === "exit") check();
    };
    try {
      this.#watcher = watch(this.#options.paths.dir, { persistent: false }, (_, name) => report(name));
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // The system has no watchers left: polls find output and exit a little later.
    }
  }

  #watchExit(): void {
    this.#sawAlive = isAlive(this.target);
    const check = () => {
      clearTimeout(this.#timer);
      if (this.#checkExit() || this.#detached) return;
      const { active, idle } = POLLS_PER_LOOK;
      if (this.#polls++ % (this.#isActive ? active : idle) === 0) this.#rememberDescendants();
      this.#timer = setTimeout(check, EXIT_POLL_MS).unref();
    };
    this.#watchFolder(check);
    check();
  }

  /** Starts to deliver the exit once the process has ended. `false`: it runs. */
  #checkExit(): boolean {
    if (this.#ending) return true;
    if (this.#detached || (!existsSync(this.#options.paths.exit) && isAlive(this.target))) return false;
    this.#ending = this.#deliverExit().catch(this.#options.owner.onError);
    return true;
  }

  /** Remembers the processes that the agent started: after its exit, some may be known by no other sign. */
  #rememberDescendants(): void {
    this.#isActive = false;
    const running = descendantsOf(this.target.pid);
    const ended = this.#descendants.filter((one) => !running.some(({ pid }) => pid === one.pid));
    const known = [...running, ...ended.filter(isAlive)].slice(0, MAX_DESCENDANTS);
    const before = new Set(this.#descendants.map(({ pid }) => pid));
    const isChanged = known.length !== before.size || known.some(({ pid }) => !before.has(pid));
    this.#descendants = known;
    if (!isChanged) return;
    try {
      writeDescendants(this.#options.paths.dir, known);
    } catch (error) {
      this.#options.owner.onError(error);
    }
  }

  async #deliverExit(): Promise<void> {
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#stdin.stop();
    await this.#stdout.finish();
    await this.#stderr.finish();
    if (this.#detached) return;
    this.#detached = true;
    this.#options.owner.onExit(readExit(this.#options.paths.dir) ?? killed);
    // The exit was just observed: no other process can have got the number of the group.
    const options = { groupIsOurs: this.#sawAlive, descendants: this.#descendants };
    void reap(this.target, options).catch(this.#options.owner.onError);
  }
}
