import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { admit } from "./admit.ts";
import { isUp } from "./connect.ts";
import { forward, type Passage, UP_PATH } from "./forward.ts";
import { ENTER_PATH } from "./passes.ts";
import { RESERVED } from "./response/inspector-files.ts";
import { forwardSocket, refuseSocket } from "./sockets.ts";

const MOST_CONNECTIONS = 512;
const TRIES = 10;
const NO_PASS =
  "This preview opens only from Gantry: the link was used before, has expired or belongs to another preview. Open the preview again in Gantry.";

/**
 * One preview's port. It listens on both loopback addresses where the machine has both, so that no other process can
 * answer for `localhost`. `close` ends all connections.
 */
export type Listener = {
  port: number;
  /** Connections that are open now. */
  connections(): number;
  /** Ends all connections. The port stays open. */
  endConnections(): void;
  close(): Promise<void>;
};

/** Opens a port for a preview. `onQuiet` is called when the last connection has ended. Throws Node's error. */
export async function openListener(shown: Omit<Passage, "agent">, onQuiet: () => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: true });
  const make = () => makeServer({ ...shown, agent }, sockets, onQuiet);
  for (let tries = 1; ; tries++) {
    const servers = [make(), make()] as const;
    const port = await listen(servers[0], 0, "127.0.0.1");
    try {
      await listen(servers[1], port, "::1");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE") {
        await closeServer(servers[0]);
        if (tries < TRIES) continue;
        throw error;
      }
      // This machine has no IPv6, so no other process can bind the port there.
    }
    const endConnections = () => {
      for (const socket of sockets) socket.destroy();
    };
    return {
      port,
      connections: () => sockets.size,
      endConnections,
      close: async () => {
        const both = Promise.all(servers.map(closeServer));
        endConnections();
        agent.destroy();
        await both;
      },
    };
  }
}

function makeServer(passage: Passage, sockets: Set<Socket>, onQuiet: () => void): Server {
  const server = createServer({ requireHostHeader: false });
  const port = () => (server.address() as AddressInfo | null)?.port ?? 0;
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) onQuiet();
    });
  });
  server.on("request", (incoming, outgoing) => answer(passage, port(), incoming, outgoing));
  server.on("upgrade", (incoming, socket, head) => {
    // Without a listener, an error of the connection would end the daemon.
    socket.on("error", () => {});
    const admission = admit(incoming, port());
    if ("refused" in admission) return refuseSocket(socket, 403);
    if (!passage.passes.recognises(incoming, port())) return refuseSocket(socket, 401);
    if (incoming.headers.upgrade?.toLowerCase() !== "websocket") return refuseSocket(socket, 400);
    forwardSocket(passage.target, admission.origin, incoming, socket, head);
  });
  return server;
}

function answer(passage: Passage, port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const admission = admit(incoming, port);
  if ("refused" in admission) return sendText(outgoing, 403, admission.refused);
  const path = incoming.url?.split("?")[0] ?? "/";
  if (path === ENTER_PATH) {
    const headers = incoming.method === "GET" ? passage.passes.enter(incoming.url ?? "", port) : undefined;
    return headers ? void outgoing.writeHead(303, headers).end() : sendText(outgoing, 401, NO_PASS);
  }
  if (!passage.passes.recognises(incoming, port)) return sendText(outgoing, 401, NO_PASS);
  if (path.startsWith(RESERVED)) void answerReserved(passage, path, outgoing);
  else forward(passage, admission.origin, incoming, outgoing);
}

async function answerReserved({ target, inspector }: Passage, path: string, outgoing: ServerResponse): Promise<void> {
  const script = inspector.find(path);
  if (script) {
    outgoing.writeHead(200, {
      "content-type": "text/javascript; charset=utf-8",
      "content-length": script.length,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    outgoing.end(script);
    return;
  }
  if (path !== UP_PATH) return sendText(outgoing, 404, "There is nothing here.");
  const up = await isUp(target);
  sendText(outgoing, up ? 200 : 503, up ? "up" : "down");
}

function sendText(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain", "cache-control": "no-store" });
  outgoing.end(`${text}\n`);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, ipv6Only: host === "::1" }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The error means that it was not open, which is fine.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
