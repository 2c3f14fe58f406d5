import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@gantry/models/backoff";
import { DEFAULT_LINE_LIMIT, type Line, LineSplitter } from "../framing/lines.ts";

export type TailOptions = {
  path: string;
  /** The byte to start at: the start of a line. */
  offset: number;
  lineLimit?: number;
  /**
   * Receives whole lines, at most `MAX_LINES`, and the offset after them. If it throws, it must have changed nothing: the same
   * lines are delivered again after a pause, before any others.
   */
  onLines: (lines: Line[], endOffset: number) => void;
  /**
   * The file became shorter than what was read, or disappeared: another program changed it. The tail continues at `to`.
   * If it throws, it must have changed nothing and is called again.
   */
  onCut?: (from: number, to: number) => void;
  /** Called for each error. The tail continues; `stop` ends it. */
  onError: (error: unknown) => void;
  /** Bounds of the polling interval while nothing calls `poke`. */
  pollMs?: { min: number; max: number };
  /** Bounds of the pause after `onLines` threw. */
  retryMs?: { min: number; max: number };
};

const SMALL_READ = 64 * 1024;
/** For a line that is longer than a small read. */
const LARGE_READ = 1024 * 1024;

/** Lines that are delivered in one turn of the event loop. Bounds how long one agent delays the others. */
export const MAX_LINES = 128;
/** The same while another agent prints a few lines now and then. */
export const FAIR_LINES = 32;
/** Lines that take longer than others are delivered in smaller parts: processor time of one part. */
const PART_MS = { most: 5, fair: 1.25 };
/** Each delivery is a commit, so a part is not smaller than this. */
export const LEAST_LINES = 8;
/** How long after its last lines such an agent counts. */
const QUIET_AGENT_MS = 1000;

/** Bytes that are remembered from the beginning of the file and from before the position. */
const PROOF = 64;

/** Shared by all tails: a read is split and copied before the next one. */
const buffer = Buffer.allocUnsafeSlow(PROOF + LARGE_READ);

/** When tails last had a few lines and no more to read. */
const quietReads = new Map<Tail, number>();

/**
 * Follows a growing file line by line. One delivery is one turn of the event loop, so a flood from one agent leaves room
 * for the others. The file need not exist yet. The owner calls `poke` when the file may have grown; the tail only polls,
 * which does not keep the program running.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #poll: { min: number; max: number };
  readonly #retry: { min: number; max: number };
  #splitter: LineSplitter;
  /** The next byte to read; ahead of the splitter's offset by the unfinished line. */
  #position: number;
  #file: number | undefined;
  /** The first bytes of the file, if it was read from its start. */
  #head: Buffer = Buffer.alloc(0);
  /** The bytes before the position, to notice that another program changed the file. */
  #before: Buffer = Buffer.alloc(0);
  /** Processor time of this thread for one line, as an average that follows the last deliveries. */
  #lineMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #pause: number;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #drains: { size: number; resolve: () => void }[] = [];
  readonly #abort = new AbortController();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#poll = options.pollMs ?? { min: 250, max: 2000 };
    this.#retry = options.retryMs ?? { min: 250, max: 5000 };
    this.#pause = this.#poll.min;
    this.#position = options.offset;
    this.#splitter = new LineSplitter(options.lineLimit ?? DEFAULT_LINE_LIMIT, options.offset);
  }

  start(): void {
    this.poke();
    this.#schedule();
  }

  /** Called when the file may have grown. */
  poke(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) this.poke();
      else this.#resolveDrains(Number.POSITIVE_INFINITY);
    });
  }

  /**
   * Resolves when everything that was in the file at the call was delivered to `onLines`, or after `stop`. A file that
   * keeps growing does not delay it.
   */
  async drain(): Promise<void> {
    this.poke();
    if (!this.#running || this.#stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drains.push({ size: this.#size(), resolve });
    return promise;
  }

  /** The line that has begun and not ended. */
  get unfinishedLine(): { bytes: number; head: string } | undefined {
    return this.#splitter.rest() > 0 ? { bytes: this.#splitter.rest(), head: this.#splitter.head() } : undefined;
  }

  /** Reads a file that no longer grows to its end, its last line even without a line end, and stops. */
  async finish(): Promise<void> {
    this.poke();
    while (this.#running && !this.#stopped) await this.#running;
    const lines = this.#splitter.flush();
    if (lines.length > 0) await this.#deliver(lines, this.#splitter.offset);
    this.stop();
  }

  /** No call of `onLines` begins after this. */
  stop(): void {
    this.#stopped = true;
    this.#again = false;
    this.#abort.abort();
    quietReads.delete(this);
    this.#resolveDrains(Number.POSITIVE_INFINITY);
    clearTimeout(this.#timer);
    if (!this.#running) this.#close();
  }

  async #run(): Promise<void> {
    let size = SMALL_READ;
    while (!this.#stopped) {
      this.#again = false;
      const count = this.#read(size);
      if (count === 0) break;
      this.#pause = this.#poll.min;
      const lines = this.#splitter.push(buffer.subarray(this.#before.length, this.#before.length + count));
      this.#remember(count);
      const isFair = this.#mustBeFair(lines.length <= FAIR_LINES && count < size);
      for (let from = 0; from < lines.length && !this.#stopped; ) {
        if (from > 0) await nextTurn();
        const part = lines.slice(from, from + this.#partSize(isFair));
        from += part.length;
        await this.#deliver(part, from < lines.length ? part.at(-1)!.end : this.#splitter.offset);
      }
      this.#resolveDrains(this.#position);
      await nextTurn();
      size = lines.length === 0 && count === size ? LARGE_READ : SMALL_READ;
    }
    if (this.#stopped) this.#close();
  }

  /** Whether another agent waits for this one. Agents that all have a backlog gain nothing by taking turns more often. */
  #mustBeFair(isQuiet: boolean): boolean {
    const now = performance.now();
    if (isQuiet) quietReads.set(this, now);
    else quietReads.delete(this);
    for (const [tail, at] of quietReads) if (now - at > QUIET_AGENT_MS) quietReads.delete(tail);
    return !quietReads.has(this) && quietReads.size > 0;
  }

  /** How many lines are delivered at once. */
  #partSize(isFair: boolean): number {
    const most = isFair ? FAIR_LINES : MAX_LINES;
    const inTime = Math.floor((isFair ? PART_MS.fair : PART_MS.most) / this.#lineMs);
    return Math.min(most, Math.max(LEAST_LINES, inTime));
  }

  #resolveDrains(position: number): void {
    if (this.#drains.length === 0) return;
    for (const { size, resolve } of this.#drains) if (size <= position) resolve();
    this.#drains = this.#drains.filter(({ size }) => size > position);
  }

  #size(): number {
    try {
      return statSync(this.#options.path).size;
    } catch {
      return 0;
    }
  }

  async #deliver(lines: Line[], endOffset: number): Promise<void> {
    const { min: firstMs, max: maxMs } = this.#retry;
    for (let attempt = 1; !this.#stopped; attempt++) {
      try {
        const before = threadMs();
        this.#options.onLines(lines, endOffset);
        if (lines.length >= LEAST_LINES) this.#lineMs += ((threadMs() - before) / lines.length - this.#lineMs) / 4;
        return;
      } catch (error) {
        this.#options.onError(error);
      }
      const delayMs = backoffMs(attempt, { firstMs, maxMs });
      await sleep(delayMs, undefined, { signal: this.#abort.signal }).catch(() => undefined);
    }
  }

  #read(size: number): number {
    try {
      this.#file ??= openSync(this.#options.path, "r");
      const known = this.#before.length;
      const count = readSync(this.#file, buffer, 0, known + size, this.#position - known) - known;
      // A tail that has read nothing yet knows the file only by its size.
      const isShorter = count <= 0 && fstatSync(this.#file).size < this.#position;
      if (isShorter || count < 0 || !this.#before.equals(buffer.subarray(0, known))) {
        this.#checkCut(fstatSync(this.#file).size);
        return 0;
      }
      this.#position += count;
      return count;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") {
        if (this.#position > 0) this.#checkCut(0);
      } else this.#options.onError(error);
      return 0;
    }
  }

  /** Called after each read that is not empty, while the buffer holds it. */
  #remember(count: number): void {
    const end = this.#before.length + count;
    const start = this.#position - count;
    if (start < PROOF && start === this.#head.length)
      this.#head = Buffer.concat([this.#head, buffer.subarray(this.#before.length, end)]).subarray(0, PROOF);
    this.#before = Buffer.from(buffer.subarray(Math.max(0, end - PROOF), end));
  }

  /**
   * The file is shorter than what was read, or has other bytes before the position: it was truncated. Output is appended
   * at its new end. If the file begins differently, it was cut to nothing and all of it is new.
   */
  #checkCut(size: number): void {
    const from = this.#position;
    const to = this.#isRewritten(size) ? 0 : size;
    try {
      this.#options.onCut?.(from, to);
    } catch (error) {
      // The next read meets the same cut.
      this.#options.onError(error);
      return;
    }
    this.#position = to;
    this.#before = Buffer.alloc(0);
    if (to === 0) {
      this.#head = Buffer.alloc(0);
      this.#again = size > 0;
    }
    this.#splitter = new LineSplitter(this.#options.lineLimit ?? DEFAULT_LINE_LIMIT, to);
    this.#options.onError(new Error(`${this.#options.path} was cut from ${from} to ${to} bytes by another program`));
  }

  #isRewritten(size: number): boolean {
    if (this.#file === undefined || this.#head.length === 0) return false;
    const start = Buffer.alloc(Math.min(this.#head.length, size));
    const count = readSync(this.#file, start, 0, start.length, 0);
    return !this.#head.subarray(0, count).equals(start.subarray(0, count)) || count === 0;
  }

  /** Polls as well, because a watcher may miss a change. */
  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#pause = Math.min(this.#pause * 2, this.#poll.max);
      this.poke();
      this.#schedule();
    }, this.#pause);
    this.#timer.unref();
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Processor time of this thread. A machine that is busy with other programs does not change it. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
