import { createServer as createHttpServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GantryError } from "@gantry/protocol";
import { CLEAR_OLD_COOKIE, OLD_COOKIE } from "./access/credentials.ts";
import { EarlyRequests } from "./access/early-requests.ts";
import { Guard } from "./access/guard.ts";
import { discardRest } from "./body.ts";
import { describeError } from "./errors.ts";
import { describeHealth } from "./handlers/daemon.ts";
import { sendError, sendJson } from "./send.ts";

export type ServerOptions = {
  version: string;
  /** Additional names and origins from the configuration. */
  hosts?: readonly string[];
  origins?: readonly string[];
  /** Writes a line to the daemon's log. The line has no query, body or secret. */
  report(line: string): void;
};

/** What answers the requests that have passed the guard. */
export type Application = {
  /** Never rejects: a failure becomes the response. */
  respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Answers a request for a WebSocket. Never rejects. */
  upgrade(request: UpgradeRequest): Promise<void>;
  /** Ends every stream. Called first when the server closes. */
  endStreams(): void;
};

/** A request for a WebSocket that has passed the guard. Nothing was read from the socket but `head`. */
export type UpgradeRequest = {
  incoming: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  /** For a refusal. */
  outgoing: ServerResponse;
  /** The address under which the daemon reaches itself. */
  url: string;
};

export type GantryServer = {
  /** As `process.uptime()`. */
  startedAt: number;
  /**
   * Resolves when the port is bound. Loopback unless another host is given. Throws `unavailable`. Until `attach`, the server
   * answers `GET /v1/health`; every other request that passes the guard waits.
   */
  listen(port: number, host?: string): Promise<{ port: number; url: string }>;
  /** Lets requests be read and health checks be answered before more code is loaded. See `EarlyRequests`. */
  settle(isExpected?: boolean): Promise<void>;
  /** Hands over the waiting requests, in order, and all later ones. */
  attach(application: Application): void;
  /** Refuses new requests, ends streams, lets running requests end, and resolves when the port is free. */
  close(): Promise<void>;
};

/** How long running requests get when the server closes. */
const GRACE_MS = 2000;

/**
 * The HTTP server. It needs little code, so it answers health checks while the rest of the daemon is still being loaded: the
 * caller listens only when nothing is left that a user's file could make fail.
 */
export function createServer({ version, hosts = [], origins = [], report }: ServerOptions): GantryServer {
  // Monotonic like `performance`, which would load node:perf_hooks before the first response.
  const startedAt = process.uptime();
  let guard = new Guard({ hosts, origins });
  let application: Application | undefined;
  let stopping = false;
  let running = 0;

  // Node would refuse a request without a Host header itself; the guard's error is clearer. A request for any other
  // protocol or path is answered as one without the header.
  const settings = { requireHostHeader: false, shouldUpgradeCallback: isSocketRequest };
  const server = createHttpServer(settings, (incoming, outgoing) => {
    const started = process.uptime();
    running++;
    outgoing.on("close", () => {
      running--;
      discardRest(incoming);
      report(logLine(incoming, outgoing, (process.uptime() - started) * 1000));
      if (stopping) closeWhenQuiet();
    });
    if (isAnswered(guard, stopping, incoming, outgoing)) return;
    if (!application && isHealthCheck(incoming))
      return sendJson(outgoing, 200, JSON.stringify(describeHealth(version, startedAt)));
    early.hold(() => void application?.respond(incoming, outgoing));
  });
  server.on("clientError", refuse);
  server.on("upgrade", (incoming, socket, head) => {
    const outgoing = responseOn(incoming, socket as Socket, report);
    if (isAnswered(guard, stopping, incoming, outgoing)) return;
    early.hold(() => void application?.upgrade({ incoming, socket, head, outgoing, url: ownUrl(server) }));
  });
  const early = new EarlyRequests(server);

  return {
    startedAt,
    listen: async (port, host = "127.0.0.1") => {
      const own = host === "0.0.0.0" || host === "::" ? [] : [inUrl(host)];
      guard = new Guard({ hosts: [...hosts, ...own], origins });
      await bind(server, port, host);
      const bound = (server.address() as AddressInfo).port;
      return { port: bound, url: `http://${inUrl(host)}:${bound}` };
    },
    settle: (isExpected) => early.settle(isExpected),
    attach: (attached) => {
      application = attached;
      early.release();
    },
    close: async () => {
      stopping = true;
      application?.endStreams();
      if (server.listening) await freePort(server, application !== undefined, closeWhenQuiet);
    },
  };

  /** Browsers hold connections open on which nothing was ever asked. */
  function closeWhenQuiet(): void {
    if (running === 0) server.closeAllConnections();
  }
}

/** Lets running requests end. `hasApplication`: without one, requests that wait will never be answered. */
async function freePort(server: Server, hasApplication: boolean, closeWhenQuiet: () => void): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  if (!hasApplication) server.closeAllConnections();
  closeWhenQuiet();
  const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(impatience);
}

/** Whether the guard has refused the request, or it was a preflight; in both cases the response was sent. */
function isAnswered(guard: Guard, stopping: boolean, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  try {
    const origin = guard.check(incoming);
    if (incoming.headers.cookie?.includes(`${OLD_COOKIE}=`)) outgoing.setHeader("set-cookie", CLEAR_OLD_COOKIE);
    if (origin !== undefined && welcome(origin, incoming, outgoing)) return true;
    if (stopping) throw new GantryError("unavailable", "The daemon is stopping.", { remedy: "Try again in a moment." });
    requirePath(incoming);
    return false;
  } catch (error) {
    sendError(outgoing, describeError(error));
    return true;
  }
}

/** The path of the WebSocket for editors. */
const ACP_PATH = "/acp";

function isSocketRequest({ method, url = "", headers }: IncomingMessage): boolean {
  return method === "GET" && url.split("?")[0] === ACP_PATH && headers.upgrade?.toLowerCase() === "websocket";
}

/** A response on a connection that Node has detached from the server. The connection ends with it. */
function responseOn(incoming: IncomingMessage, socket: Socket, report: (line: string) => void): ServerResponse {
  const started = process.uptime();
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once("finish", () => socket.end());
  socket.on("error", () => socket.destroy());
  socket.once("close", () => {
    // A response that was not used belongs to a connection that became a WebSocket.
    if (!outgoing.headersSent) outgoing.statusCode = 101;
    report(logLine(incoming, outgoing, (process.uptime() - started) * 1000));
  });
  return outgoing;
}

function ownUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  const isAny = address === "0.0.0.0" || address === "::";
  return `http://${isAny ? "127.0.0.1" : inUrl(address)}:${port}`;
}

function isHealthCheck({ method, url }: IncomingMessage): boolean {
  return method === "GET" && url === "/v1/health";
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
