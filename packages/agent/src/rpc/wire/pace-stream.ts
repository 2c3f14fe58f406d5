import type { StreamModel } from "@gantry/models";
import type { FrameWriter } from "./writer.ts";

/** What tells whether there is room for more. */
export type Flow = Pick<FrameWriter, "full" | "room">;

/**
 * The same streams, from which nothing is taken while there is no room: what is not read stays with the provider. An
 * abort comes through, since whoever aborted waits for the end.
 */
export function paceStream(stream: StreamModel, flow: Flow | undefined): StreamModel {
  if (!flow) return stream;
  return async function* (model, request) {
    for await (const event of stream(model, request)) {
      yield event;
      if (flow.full && !request.signal.aborted) await Promise.race([flow.room(), abortOf(request.signal)]);
    }
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
