import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";

export const DOCUMENT = `<!doctype html>
<!-- <head> is below -->
<html lang="en">
  <head data-app><title>Shop – ünïcode</title></head>
  <body><header>Shop</header><button id="buy">Buy</button></body>
</html>`;

type Seen = Pick<IncomingMessage, "method" | "url" | "headers">;

export type DevServer = {
  port: number;
  url: string;
  /** Every received request, in order. */
  seen: Seen[];
  stop(): Promise<void>;
};

/** A dev server on loopback with the usual features: compression, redirects, cookies, policies, events, web sockets. */
export async function startDevServer(port = 0, more: Record<string, RequestListener> = {}): Promise<DevServer> {
  const seen: Seen[] = [];
  const remember = ({ method, url, headers }: IncomingMessage) => seen.push({ method, url, headers });
  const server = createServer((request, response) => {
    remember(request);
    const path = request.url?.split("?")[0] ?? "/";
    const route = more[path] ?? ROUTES[path] ?? ((_, answer) => answer.writeHead(404).end("nothing here"));
    route(request, response);
  });
  server.on("upgrade", (request, socket) => {
    remember(request);
    echo(request, socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://localhost:${bound}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const html = (response: ServerResponse, body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", etag: '"1"', ...headers }).end(body);

const ROUTES: Record<string, RequestListener> = {
  "/": (_, response) => html(response, DOCUMENT, { "content-length": String(Buffer.byteLength(DOCUMENT)) }),
  "/gzip": (_, response) => html(response, gzipSync(DOCUMENT), { "content-encoding": "gzip" }),
  "/br": (_, response) => html(response, brotliCompressSync(DOCUMENT), { "content-encoding": "br" }),
  "/zstd": (_, response) => html(response, zstdCompressSync(DOCUMENT), { "content-encoding": "zstd" }),
  "/odd": (_, response) => html(response, "odd bytes", { "content-encoding": "rot13" }),
  "/broken": (_, response) => html(response, "this is no gzip", { "content-encoding": "gzip" }),
  "/away": (_, response) => response.writeHead(302, { location: "https://example.org/login" }).end(),
  "/moved": ({ headers }, response) => response.writeHead(302, { location: `http://${headers.host}/a?b=1#c` }).end(),
  "/moved-by-address": ({ headers }, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${headers.host?.split(":")[1]}/a` }).end(),
  "/moved-here": (_, response) => response.writeHead(302, { location: "next" }).end(),
  "/cookies": (_, response) =>
    html(response, DOCUMENT, {
      "set-cookie": ["sid=1; HttpOnly; Domain=localhost; SameSite=Lax", "gantry_session=stolen; Path=/", "secure=1"],
    }),
  "/framed": (_, response) =>
    html(response, DOCUMENT, {
      "x-frame-options": "DENY",
      "content-security-policy": ["default-src 'self'; frame-ancestors 'none'", "script-src 'nonce-abc'"],
    }),
  "/status-99": (_, response) => {
    response.socket?.end("HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nhi");
  },
  "/breaks-off": (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    response.write("half", () => response.destroy());
  },
  "/upload": (request, response) => {
    const hash = createHash("sha256");
    request.on("data", (chunk) => hash.update(chunk)).on("end", () => response.end(hash.digest("hex")));
  },
  "/events": (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
  },
};

/** A WebSocket server that echoes short text frames. */
function echo(request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy()).on("end", () => socket.end());
  if (request.url === "/no-socket") {
    socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nSet-Cookie: gantry_session=stolen; Path=/\r\nSet-Cookie: sid=1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on("data", (frame: Buffer) => {
    const opcode = (frame[0] ?? 0) & 15;
    if (opcode === 8) return socket.end(Buffer.from([0x88, 0]));
    const length = (frame[1] ?? 0) & 127;
    const [mask, masked] = [frame.subarray(2, 6), frame.subarray(6, 6 + length)];
    const text = masked.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
    socket.write(Buffer.concat([Buffer.from([0x81, length]), text]));
  });
}
