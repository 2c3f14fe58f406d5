import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../json.ts";
import type { Faults } from "./faults.ts";

/** The dialect's part of the wire faults. */
export interface FrameFaults {
  /** The same frame as another session would send it; `null` for frames that belong to no session. */
  foreign(frame: Json): Json | null;
  /** A frame of a type that does not exist. */
  unknown(): Json;
}

const GARBAGE: readonly Buffer[] = [
  Buffer.from("this line is no JSON\n"),
  Buffer.from("\n"),
  Buffer.from([0xff, 0xfe, 0x80, 0x41, 0xc3, 0x0a]),
  Buffer.from("progress 10%\rprogress 20%\r\n"),
  Buffer.from('{"type":"event","broken":\n'),
  Buffer.from("   \r\n"),
  Buffer.from('"a string"\n42\nnull\n[]\n'),
];

/** Writes frames as JSON lines and applies the active wire faults. */
export class FrameOutput {
  readonly #stream: Writable;
  readonly #faults: Faults;
  readonly #plain: boolean;
  #frameFaults: FrameFaults | null = null;
  #queue: Promise<void> = Promise.resolve();
  #count = 0;
  #held: string[] | undefined;

  constructor(stream: Writable, faults: Faults) {
    this.#stream = stream;
    this.#faults = faults;
    const disturbing = ["garbage", "unknown-frames", "foreign-session", "partial-line"] as const;
    this.#plain = !disturbing.some((name) => faults.has(name));
    stream.on("error", () => {});
  }

  use(frameFaults: FrameFaults): void {
    this.#frameFaults = frameFaults;
  }

  write(frame: Json): void {
    if (this.#held) this.#held.push(`${JSON.stringify(frame)}\n`);
    else if (this.#plain) this.#line(frame);
    else this.#queue = this.#queue.then(() => this.#writeWithFaults(frame));
  }

  /** Writes the output of `action` atomically, so that a reader sees all or nothing. Wire faults break this. */
  writeTogether(action: () => void): void {
    this.#held = this.#plain ? [] : undefined;
    action();
    this.#stream.write(this.#held?.join("") ?? "");
    this.#held = undefined;
  }

  /** Back-pressure: resolves when the reader can accept more. */
  async drain(): Promise<void> {
    await this.#queue;
    if (!this.#stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => this.#stream.once("drain", resolve));
  }

  /** Resolves when all output is flushed. */
  async flush(): Promise<void> {
    await this.#queue;
    await new Promise<void>((resolve) => this.#stream.write("", () => resolve()));
  }

  async #writeWithFaults(frame: Json): Promise<void> {
    const turn = this.#count++;
    if (this.#faults.has("garbage")) this.#stream.write(GARBAGE[turn % GARBAGE.length]);
    if (this.#faults.has("unknown-frames") && this.#frameFaults) this.#line(this.#frameFaults.unknown());
    if (this.#faults.has("partial-line")) await this.#inHalves(`${JSON.stringify(frame)}\n`);
    else this.#line(frame);
    const foreign = this.#faults.has("foreign-session") ? this.#frameFaults?.foreign(frame) : null;
    if (foreign) this.#line(foreign);
  }

  async #inHalves(line: string): Promise<void> {
    const bytes = Buffer.from(line);
    const half = Math.floor(bytes.length / 2);
    this.#stream.write(bytes.subarray(0, half));
    await sleep(this.#faults.number("partial-line", 20));
    this.#stream.write(bytes.subarray(half));
  }

  #line(frame: Json): void {
    this.#stream.write(`${JSON.stringify(frame)}\n`);
  }
}
