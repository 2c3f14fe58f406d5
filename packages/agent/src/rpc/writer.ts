import type { Writable } from "node:stream";

/**
 * The way out for frames: one JSON object per line, in the order of `send`. While the reader does not keep up, lines
 * wait here and the stream gets no more than it asked for; `send` never blocks and never throws. When the reader is gone
 * everything further is dropped.
 */
export interface FrameWriter {
  send(frame: Record<string, unknown>): void;
  /** Resolves when everything that was sent is out of this process, or cannot get out any more. */
  flushed(): Promise<void>;
  /** Bytes that were handed to the stream. */
  readonly bytes: number;
}

export function createFrameWriter(stream: Writable): FrameWriter {
  const waiting: string[] = [];
  const watchers: (() => void)[] = [];
  let blocked = false;
  let gone = false;
  let unwritten = 0;
  let bytes = 0;

  const settle = () => {
    if (!gone && (unwritten > 0 || waiting.length > 0)) return;
    for (const wake of watchers.splice(0)) wake();
  };
  const lose = () => {
    gone = true;
    waiting.length = 0;
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
    while (!blocked && waiting.length > 0) write(waiting.shift() as string);
    settle();
  });
  stream.on("error", lose);
  stream.on("close", lose);

  return {
    send(frame) {
      if (gone) return;
      const line = `${JSON.stringify(frame)}\n`;
      if (blocked) waiting.push(line);
      else write(line);
    },
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
