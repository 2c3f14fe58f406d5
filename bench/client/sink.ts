import { get } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { StreamTarget } from "./sse-reader.ts";

export type Sink = {
  /** Resolves at the first event. */
  flowing: Promise<void>;
  /** The number of events until now. */
  events(): number;
  close(): Promise<unknown>;
};

/** Reads a stream of events in another thread and discards it, so that it does not delay a measuring client. */
export function openSink(target: StreamTarget): Sink {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { target, counter } });
  const { promise: flowing, resolve, reject } = Promise.withResolvers<void>();
  worker.once("message", () => resolve());
  worker.once("error", reject);
  return { flowing, events: () => Atomics.load(counter, 0), close: () => worker.terminate() };
}

if (!isMainThread && workerData?.target) discard(workerData as { target: StreamTarget; counter: Int32Array });

function discard({ target, counter }: { target: StreamTarget; counter: Int32Array }): void {
  const headers = { accept: "text/event-stream", ...target.headers };
  get(target.url, { headers, agent: false }, (response) => {
    response.setEncoding("latin1").on("data", (chunk: string) => {
      const events = chunk.split("\ndata:").length - 1;
      if (events > 0 && Atomics.add(counter, 0, events) === 0) parentPort?.postMessage("flowing");
    });
    response.on("error", () => undefined);
  }).on("error", () => undefined);
}
