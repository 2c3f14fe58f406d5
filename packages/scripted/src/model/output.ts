import type { ServerResponse } from "node:http";
import type { ReplyOutput } from "./wire/format.ts";

/** A reply's way to the client: an event stream from the first frame on, or one JSON body. */
export function openReply(response: ServerResponse, id: (prefix: string) => string): ReplyOutput {
  let streaming = false;
  return {
    id,
    frame(data, event) {
      if (response.destroyed) return;
      if (!streaming) {
        streaming = true;
        const requestId = id("req");
        response.writeHead(200, {
          "content-type": "text/event-stream",
          "cache-control": "no-cache",
          "request-id": requestId,
          "x-request-id": requestId,
        });
      }
      const text = typeof data === "string" ? data : JSON.stringify(data);
      response.write(`${event ? `event: ${event}\n` : ""}data: ${text}\n\n`);
    },
    line(data) {
      if (response.destroyed) return;
      if (!response.headersSent)
        response.writeHead(200, { "content-type": "application/json", "request-id": id("req") });
      response.write(`${JSON.stringify(data)}\n`);
    },
    bytes(data) {
      if (response.destroyed) return;
      if (!response.headersSent) {
        response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream", "request-id": id("req") });
      }
      response.write(data);
    },
    body(data) {
      if (response.destroyed) return;
      response.writeHead(200, { "content-type": "application/json", "request-id": id("req") });
      response.end(JSON.stringify(data));
    },
  };
}
