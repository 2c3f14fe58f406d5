import { closeSync, constants, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@gantry/models/backoff";

/**
 * `written` bytes of the frame are in the pipe. closed: no reader; the agent closed its stdin or has ended.
 * stuck: the pipe has a reader that read nothing before the deadline. failed: a system call failed.
 */
export type WriteResult =
  | { ok: true }
  | { ok: false; reason: "closed" | "stuck" | "failed" | "stopped"; written: number; message: string };

export type FifoOptions = {
  path: string;
  /** How long the agent may go without taking a byte. */
  stuckMs?: number;
  /** The last writer may have died in the middle of a line: end it before the first frame. */
  unfinished?: boolean;
};

const LF = Buffer.from("\n");
/** A write of up to this size into a pipe is atomic: PIPE_BUF of the system, or what POSIX guarantees. */
const ATOMIC_BYTES = process.platform === "linux" ? 4096 : 512;

/** Can a crash leave only a part of this frame in the pipe? It has a newline at its end and perhaps one before it. */
export function canBeCut(frame: string): boolean {
  return Buffer.byteLength(frame) + 2 * LF.length > ATOMIC_BYTES;
}

/**
 * Writes frames into an agent's stdin, whole and in order, without ever blocking. The pipe is opened for each frame and
 * closed after it: the agent holds its own end open, so nothing is lost, and a reader that has gone is seen at once.
 * A frame that went in only partly is ended with a newline before the next one.
 */
export class FifoWriter {
  readonly #path: string;
  readonly #stuckMs: number;
  #unfinished: boolean;
  #stopped = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ path, stuckMs = 30_000, unfinished = false }: FifoOptions) {
    this.#path = path;
    this.#stuckMs = stuckMs;
    this.#unfinished = unfinished;
  }

  /** `bytes` end with their newline. Resolves when all of them are in the pipe, or it is known that they will not be. */
  writeFrame(bytes: string | Uint8Array): Promise<WriteResult> {
    const frame = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const result = this.#last.then(() => this.#write(frame));
    this.#last = result;
    return result;
  }

  /** Frames that are not in the pipe yet end with reason `stopped`. */
  stop(): void {
    this.#stopped = true;
  }

  async #write(frame: Uint8Array): Promise<WriteResult> {
    let pipe: number;
    try {
      pipe = openForWriting(this.#path);
    } catch (error) {
      return refusal(error as NodeJS.ErrnoException, 0);
    }
    const ending = this.#unfinished ? LF.length : 0;
    const bytes = ending ? Buffer.concat([LF, frame]) : frame;
    const progress = { written: 0 };
    try {
      const reason = await this.#pour(pipe, bytes, progress);
      if (!reason) return { ok: true };
      const message = reason === "stuck" ? `it took no input for ${this.#stuckMs} ms` : "the writer was stopped";
      return { ok: false, reason, written: Math.max(0, progress.written - ending), message };
    } catch (error) {
      return refusal(error as NodeJS.ErrnoException, Math.max(0, progress.written - ending));
    } finally {
      if (progress.written > 0) this.#unfinished = bytes[progress.written - 1] !== LF[0];
      closeSync(pipe);
    }
  }

  async #pour(
    pipe: number,
    bytes: Uint8Array,
    progress: { written: number },
  ): Promise<"stuck" | "stopped" | undefined> {
    let waited = 0;
    let attempt = 0;
    while (progress.written < bytes.length) {
      if (this.#stopped) return "stopped";
      const count = writeSome(pipe, bytes, progress.written);
      progress.written += count;
      if (count > 0) {
        waited = 0;
        attempt = 0;
        continue;
      }
      if (waited >= this.#stuckMs) return "stuck";
      const delayMs = backoffMs(++attempt, { firstMs: 1, maxMs: 100 });
      await sleep(delayMs);
      waited += delayMs;
    }
    return undefined;
  }
}

/** Whether any process holds the FIFO open for reading. */
export function hasReader(path: string): boolean {
  try {
    closeSync(openForWriting(path));
    return true;
  } catch {
    return false;
  }
}

function openForWriting(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
}

/** 0 when the pipe is full. Linux refuses a write of up to 4 KB that does not fit whole, so the pipe may have room left. */
function writeSome(pipe: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(pipe, bytes, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}

function refusal(error: NodeJS.ErrnoException, written: number): WriteResult {
  const gone = error.code === "ENXIO" || error.code === "EPIPE" || error.code === "ENOENT";
  return { ok: false, reason: gone ? "closed" : "failed", written, message: error.message };
}
