import type { StreamModel } from "@gantry/models";
import type { FrameWriter } from "./writer.ts";

/** The back-pressure signals of a writer. */
export type Flow = Pick<FrameWriter, "full" | "waitForRoom">;

/**
 * Applies back-pressure to model streams: while the writer is full, nothing more is read from the provider. An abort
 * ends the wait, because the caller that aborted waits for the end of the stream.
 */
export function paceStream(stream: StreamModel, flow: Flow | undefined): StreamModel {
  if (!flow) return stream;
  return async function* (model, request) {
    for await (const event of stream(model, request)) {
      yield event;
      if (flow.full && !request.signal.aborted) await Promise.race([flow.waitForRoom(), abortOf(request.signal)]);
    }
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
