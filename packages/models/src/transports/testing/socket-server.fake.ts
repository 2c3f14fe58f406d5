import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { asArray, asObject, type Json, parseJson } from "../json.ts";

/** One `response.create` that the server received. `connection`: the number of the connection, from 1. */
export type Created = {
  body: Json;
  input: Json[];
  connection: number;
  socket: WebSocket;
  send(...events: Json[]): void;
};

export type FakeSocketServer = {
  url: string;
  created: Created[];
  /** Headers of each accepted upgrade. */
  upgrades: IncomingHttpHeaders[];
  /** Bodies of the requests that came by HTTP. */
  posts: Json[];
  /** Number of connections that are open now, also without an answer to the upgrade. */
  open(): number;
  /** How a request is answered. The default answers with the text of `answerOf`. */
  answer: (request: Created) => void;
  /** The status for upgrades; 101 accepts them. `undefined`: no answer at all. */
  upgradeStatus: number | undefined;
  close(): Promise<void>;
};

/**
 * A fake of a server with OpenAI's Responses API in its WebSocket mode: each `response.create` is answered with the
 * events of an HTTP stream, one per message, and only the last response of a connection can be continued.
 */
export async function startSocketServer(): Promise<FakeSocketServer> {
  const created: Created[] = [];
  const upgrades: IncomingHttpHeaders[] = [];
  const posts: Json[] = [];
  const streams = new Set<Duplex>();
  const http = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => {
      text += piece;
    });
    request.on("end", () => {
      posts.push(asObject(parseJson(text)));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        eventsOf("resp_http", "over HTTP")
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(""),
      );
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  const server: FakeSocketServer = {
    url: "",
    created,
    upgrades,
    posts,
    open: () => streams.size,
    answer: answerRequest,
    upgradeStatus: 101,
    async close() {
      for (const stream of streams) stream.destroy();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  http.on("upgrade", (request, stream, head) => {
    streams.add(stream.on("error", () => {}).on("close", () => streams.delete(stream)));
    const status = server.upgradeStatus;
    if (status === undefined) return void stream.resume().on("end", () => stream.destroy());
    if (status !== 101) return void stream.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const connection = upgrades.push(request.headers);
      socket.on("message", (data) => {
        const body = asObject(parseJson(String(data)));
        const send = (...events: Json[]) => {
          for (const event of events) socket.send(JSON.stringify(event));
        };
        const one = { body, input: asArray(body.input) as Json[], connection, socket, send };
        created.push(one);
        server.answer(one);
      });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

let count = 0;

export function answerRequest(request: Created): void {
  request.send(...eventsOf(`resp_${++count}`, answerOf(request.connection, count)));
}

export function answerOf(connection: number, at: number): string {
  return `Answer ${at} on connection ${connection}.`;
}

/** The events of a response with reasoning, a text in two pieces and, if given, a call of `write`. */
export function eventsOf(id: string, text: string, call?: { id: string; arguments: Json }): Json[] {
  const half = Math.ceil(text.length / 2);
  const reasoning = { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: "c2VjcmV0" };
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const message = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content: [part] };
  const called = call && {
    ...{ type: "function_call", id: `fc_${id}`, call_id: call.id, name: "write", status: "completed" },
    arguments: JSON.stringify(call.arguments),
  };
  const output = [reasoning, message, ...(called ? [called] : [])];
  return [
    { type: "response.created", response: { id, status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item: reasoning },
    { type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } },
    { type: "response.output_text.delta", output_index: 1, delta: text.slice(0, half) },
    { type: "response.output_text.delta", output_index: 1, delta: text.slice(half) },
    { type: "response.output_item.done", output_index: 1, item: message },
    ...(called
      ? [
          { type: "response.output_item.added", output_index: 2, item: { ...called, arguments: "" } },
          { type: "response.output_item.done", output_index: 2, item: called },
        ]
      : []),
    {
      type: "response.completed",
      response: { id, status: "completed", output, usage: { input_tokens: 10, output_tokens: 5 } },
    },
  ];
}
