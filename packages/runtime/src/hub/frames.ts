import type { LiveFrame, Snapshot } from "@gantry/protocol";

/**
 * Server-sent events as bytes on the wire. JSON has no raw line breaks, so one `data:` line always holds a whole value.
 */
export function encodeFrame(event: string, data: unknown): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A durable event as text: `id` is what a client resumes from, `json` the stored envelope. */
export function eventFrame(id: number, json: string): string {
  return `event: event\nid: ${id}\ndata: ${json}\n\n`;
}

/** A range of a session's log that cannot be had any more, both ends included. */
export function gapFrame(session: string, from: number, to: number): string {
  return `event: gap\ndata: ${JSON.stringify({ type: "gap", session, from, to })}\n\n`;
}

export function liveFrame(frame: LiveFrame | Snapshot): Buffer {
  return encodeFrame(frame.type, frame);
}

/** A line that clients ignore; it keeps the connection alive and shows a dead one. */
export function comment(text = ""): Buffer {
  return Buffer.from(`: ${text}\n\n`);
}
