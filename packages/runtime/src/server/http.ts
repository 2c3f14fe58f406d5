import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { GantryError } from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Records } from "../log/port.ts";
import { CLEAR_OLD_COOKIE, Credentials, OLD_COOKIE, type StoredPageCredential } from "./access/credentials.ts";
import { Guard } from "./access/guard.ts";
import { App, type AppOptions } from "./app.ts";
import { discardRest } from "./body.ts";
import { describeError } from "./errors.ts";
import { sendError } from "./send.ts";

export type ServerOptions = Omit<AppOptions, "credentials" | "bodyLimit"> & {
  token: string;
  pageCredentials: Records<StoredPageCredential>;
  config: Config["server"];
  /** Closed first when the server closes: it ends every stream. */
  hub: { close(): void };
};

export type GantryServer = {
  /** Resolves when requests are answered. Loopback unless another host is given. Throws `unavailable`. */
  listen(port: number, host?: string): Promise<{ port: number; url: string }>;
  /** Refuses new requests, ends streams, lets running requests end, and resolves when the port is free. */
  close(): Promise<void>;
};

/** How long running requests get when the server closes. */
const GRACE_MS = 2000;

export function createServer(options: ServerOptions): GantryServer {
  const hosts = [...options.config.hosts];
  const { token, pageCredentials: pages } = options;
  const credentials = new Credentials({ token, pages, sessionOf: (given) => options.access.sessionOf(given) });
  const bodyLimit = Math.floor(options.config.bodyMb * 1024 * 1024);
  const app = new App({ ...options, credentials, bodyLimit });
  let guard = new Guard({ hosts, origins: options.config.origins });
  let stopping = false;
  let running = 0;

  // Node would refuse a request without a Host header itself; the guard's error is clearer.
  const server = createHttpServer({ requireHostHeader: false }, (incoming, outgoing) => {
    const started = performance.now();
    running++;
    outgoing.on("close", () => {
      running--;
      discardRest(incoming);
      options.report(logLine(incoming, outgoing, performance.now() - started));
      if (stopping) closeWhenQuiet();
    });
    try {
      const origin = guard.check(incoming);
      if (incoming.headers.cookie?.includes(`${OLD_COOKIE}=`)) outgoing.setHeader("set-cookie", CLEAR_OLD_COOKIE);
      if (origin !== undefined && welcome(origin, incoming, outgoing)) return;
      if (stopping)
        throw new GantryError("unavailable", "The daemon is stopping.", { remedy: "Try again in a moment." });
      requirePath(incoming);
    } catch (error) {
      sendError(outgoing, describeError(error));
      return;
    }
    void app.respond(incoming, outgoing);
  });
  server.on("clientError", refuse);

  return {
    listen: async (port, host = "127.0.0.1") => {
      if (host !== "0.0.0.0" && host !== "::") hosts.push(inUrl(host));
      guard = new Guard({ hosts, origins: options.config.origins });
      await bind(server, port, host);
      const bound = (server.address() as AddressInfo).port;
      return { port: bound, url: `http://${inUrl(host)}:${bound}` };
    },
    close: async () => {
      stopping = true;
      options.hub.close();
      if (!server.listening) return;
      const closed = new Promise((done) => server.close(done));
      closeWhenQuiet();
      const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(impatience);
    },
  };

  /** Browsers hold connections open on which nothing was ever asked. */
  function closeWhenQuiet(): void {
    if (running === 0) server.closeAllConnections();
  }
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectListen = (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      const message = inUse
        ? `Port ${port} on ${host} is already in use.`
        : `Cannot listen on ${host}:${port}: ${error.message}`;
      const remedy = inUse ? "Choose another with --port, or leave it out to get a free one." : undefined;
      reject(new GantryError("unavailable", message, { remedy }));
    };
    server.once("error", rejectListen);
    server.listen(port, host, () => {
      server.off("error", rejectListen);
      resolve();
    });
  });
}

/** Lets the browser hand our answers to a site that the configuration names. True when that was all it asked for. */
function welcome(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader("vary", "origin");
  if (incoming.method !== "OPTIONS") return false;
  outgoing.writeHead(204, {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, last-event-id",
    "access-control-max-age": "600",
  });
  outgoing.end();
  return true;
}

/** Proxies' absolute targets would let the path name a host that the guard has not seen. */
function requirePath(incoming: IncomingMessage): void {
  if (!incoming.url?.startsWith("/")) throw new GantryError("bad_request", "The request's target must be a path.");
}

/** What is not HTTP, or has headers beyond measure. In the middle of a connection there is no place for an answer. */
function refuse(_: Error, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(new GantryError("bad_request", "This is not a request that can be read.").toJSON());
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}

function logLine(incoming: IncomingMessage, outgoing: ServerResponse, ms: number): string {
  const path = (incoming.url ?? "").split("?")[0]?.slice(0, 200);
  return `${incoming.method} ${path} ${outgoing.statusCode} ${ms.toFixed(1)}ms`;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
