import { type IncomingMessage, request, STATUS_CODES } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { requestOptionsFor } from "./connect.ts";
import { headersForTarget, ownCookie } from "./response/headers.ts";
import type { Target } from "./target.ts";

/** Forwards a WebSocket upgrade to the target, then all bytes in both directions until one side ends. */
export function forwardSocket(
  target: Target,
  own: string,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const headers = { ...headersForTarget(incoming.headers, own, target), connection: "Upgrade", upgrade: "websocket" };
  const sent = request({
    ...requestOptionsFor(target),
    agent: false,
    method: incoming.method,
    path: incoming.url,
    headers,
  });
  socket.on("error", () => sent.destroy()).on("close", () => sent.destroy());
  sent.on("upgrade", (answer, upstream, rest) => {
    socket.write(headOf(101, answer.rawHeaders.flatMap(adaptCookies)));
    if (rest.length > 0) socket.write(rest);
    if (head.length > 0) upstream.write(head);
    const ignoreEnd = () => {};
    pipeline(upstream, socket, ignoreEnd);
    pipeline(socket, upstream, ignoreEnd);
  });
  sent.on("response", (answer) => refuseSocket(socket, answer.statusCode ?? 502));
  sent.on("error", () => refuseSocket(socket, 502));
  sent.end();
}

/** Refuses a WebSocket upgrade and closes the connection. */
export function refuseSocket(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.end(headOf(status, ["Connection", "close", "Content-Length", "0"]));
}

/** Applies the rules for cookies of a preview to name-value pairs of raw headers. */
function adaptCookies(text: string, index: number, rawHeaders: readonly string[]): string[] {
  if (index % 2 === 1) return [];
  const value = rawHeaders[index + 1] ?? "";
  const values = text.toLowerCase() === "set-cookie" ? ownCookie(value) : [value];
  return values.flatMap((one) => [text, one]);
}

function headOf(status: number, rawHeaders: readonly string[]): string {
  const lines = rawHeaders.flatMap((text, i) => (i % 2 === 0 ? [`${text}: ${rawHeaders[i + 1] ?? ""}`] : []));
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n")}\r\n\r\n`;
}
