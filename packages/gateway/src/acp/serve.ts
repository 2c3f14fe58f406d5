import type { IncomingMessage } from "node:http";
import { type Duplex, Readable, Writable } from "node:stream";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import {
  type AgentConnector,
  agentProtocolRouter,
  ndJsonStream,
} from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { type WebSocket, WebSocketServer } from "ws";
import type { AcpOptions } from "./wire/options.ts";
import { createV1 } from "./wire/v1.ts";
import { createV2 } from "./wire/v2.ts";

/** The largest message of an editor. A prompt with images fits; the daemon has its own limit for a request. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** An ACP agent for one connection, of the protocol version that the client asks for. */
export function createAcpAgent(options: AcpOptions): AgentConnector {
  return {
    connect: (stream, more) => {
      const ended = new AbortController();
      const { client, recover, report } = options;
      const api = { client, report, signal: ended.signal, ...(recover ? { recover: joinCalls(recover) } : {}) };
      const router = agentProtocolRouter().withV1(createV1(api, options)).withV2(createV2(api, options));
      const connection = router.connect(stream, more);
      void connection.closed.then(() => ended.abort());
      return connection;
    },
  };
}

/** Calls that overlap share one run: all sessions notice the end of the daemon at once. */
function joinCalls(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Serves one client on a pair of streams. Resolves when the client has closed its side. */
export async function serveStdio(input: Readable, output: Writable, options: AcpOptions): Promise<void> {
  const stream = ndJsonStream(
    Writable.toWeb(output) as WritableStream<Uint8Array>,
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
    { maxMessageBytes: MAX_MESSAGE_BYTES },
  );
  await (createAcpAgent(options).connect(stream) as { closed: Promise<void> }).closed;
}

/**
 * Serves one client on a connection that asked for a WebSocket. The caller has checked the request. `signal` closes it with a
 * message that the server stops.
 */
export function serveSocket(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: AcpOptions & { signal: AbortSignal },
): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const server = new AcpServer({ agent: createAcpAgent(options) });
  const close = () => void server.close();
  sockets.handleUpgrade(incoming, socket, head, (accepted: WebSocket) => {
    server.prepareWebSocketUpgrade().accept(accepted);
    options.signal.addEventListener("abort", close, { once: true });
    accepted.once("close", () => {
      options.signal.removeEventListener("abort", close);
      close();
    });
  });
}
