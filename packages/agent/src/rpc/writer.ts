import type { Writable } from "node:stream";

/** With so much waiting for a reader, whoever can wait with making more should. */
const FULL = 8 * 1024 * 1024;

/**
 * The way out for frames: one JSON object per line, in the order of `send`. While the reader does not keep up, lines
 * wait here and the stream gets no more than it asked for; `send` never blocks and never throws, so that it is for those
 * who make frames to look at `full`. When the reader is gone everything further is dropped.
 */
export interface FrameWriter {
  send(frame: Record<string, unknown>): void;
  readonly full: boolean;
  /** Resolves when it is not full (any more), or nobody reads. */
  room(): Promise<void>;
  /** Resolves when everything that was sent is out of this process, or cannot get out any more. */
  flushed(): Promise<void>;
  /** Bytes that were handed to the stream. */
  readonly bytes: number;
}

export function createFrameWriter(stream: Writable, full = FULL): FrameWriter {
  const waiting: string[] = [];
  const watchers: (() => void)[] = [];
  const makers: (() => void)[] = [];
  let characters = 0;
  let blocked = false;
  let gone = false;
  let unwritten = 0;
  let bytes = 0;

  const settle = () => {
    if (characters < full) for (const wake of makers.splice(0)) wake();
    if (!gone && (unwritten > 0 || waiting.length > 0)) return;
    for (const wake of watchers.splice(0)) wake();
  };
  const lose = () => {
    gone = true;
    waiting.length = 0;
    characters = 0;
    settle();
  };
  const write = (line: string) => {
    unwritten += 1;
    bytes += Buffer.byteLength(line);
    const goesOn = stream.write(line, () => {
      unwritten -= 1;
      settle();
    });
    if (!goesOn) blocked = true;
  };
  stream.on("drain", () => {
    blocked = false;
    while (!blocked && waiting.length > 0) {
      const line = waiting.shift() as string;
      characters -= line.length;
      write(line);
    }
    settle();
  });
  stream.on("error", lose);
  stream.on("close", lose);

  return {
    send(frame) {
      if (gone) return;
      const line = `${JSON.stringify(frame)}\n`;
      if (!blocked) return write(line);
      waiting.push(line);
      characters += line.length;
    },
    get full() {
      return characters >= full;
    },
    room: () =>
      new Promise((resolve) => {
        makers.push(resolve);
        settle();
      }),
    flushed: () =>
      new Promise((resolve) => {
        watchers.push(resolve);
        settle();
      }),
    get bytes() {
      return bytes;
    },
  };
}
