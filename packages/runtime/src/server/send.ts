import type { ServerResponse } from "node:http";
import type { ApiError } from "@gantry/protocol";

const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

/** Sends a whole answer. What the caller no longer waits for is dropped. */
export function send(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  outgoing.writeHead(status, { ...COMMON, ...headers, "content-length": bytes.byteLength });
  outgoing.end(bytes);
}

/** Sends text that is JSON already. */
export function sendJson(
  outgoing: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  send(outgoing, status, { "content-type": "application/json", "cache-control": "no-store", ...headers }, text);
}

export function sendError(outgoing: ServerResponse, answer: { status: number; body: ApiError }): void {
  sendJson(outgoing, answer.status, JSON.stringify(answer.body));
}
