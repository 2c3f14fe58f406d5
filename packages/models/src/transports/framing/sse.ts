import { createParser } from "eventsource-parser";
import type { RawFrame } from "../transport.ts";

/** Server-sent events. `push` returns the events that are complete so far; `flush` returns the last one at end of stream. */
export class SseDecoder {
  #frames: RawFrame[] = [];
  #parser = createParser({ onEvent: ({ event = "", data }) => this.#frames.push({ event, data }) });

  push(text: string): RawFrame[] {
    this.#parser.feed(text);
    return this.#frames.splice(0);
  }

  /** Some servers omit the empty line after the last event. The first LF may complete a CR LF that the stream cut. */
  flush(): RawFrame[] {
    return this.push("\n\n\n");
  }
}
