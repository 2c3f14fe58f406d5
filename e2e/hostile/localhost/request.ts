import { connect } from "node:net";
import type { Outcome } from "../attack.ts";
import { type Call, effect, HELD, type LocalServer } from "./local-server.ts";

export type Headers = Record<string, string | undefined>;
/** `status` is 0 if the server closed the connection without an answer, or sent none in time. */
export type Answer = { status: number; headers: string; body: string };

const PATIENCE_MS = 10_000;
const MOST_BYTES = 8_000_000;

/** Sends these bytes unchanged, which HTTP clients would not do, and reads until the server closes the connection. */
export function sendRaw(url: string, text: string | Buffer, patienceMs = PATIENCE_MS): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const [head = "", ...body] = received.split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({ status, headers: head.toLowerCase(), body: body.join("\r\n\r\n") });
    };
    const timer = setTimeout(finish, patienceMs);
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      received += chunk;
      if (received.length > MOST_BYTES) finish();
    });
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(text);
  });
}

/** A whole HTTP request with exactly these headers. A header whose value is `undefined` is left out. */
export function writeRequest(url: string, call: Call, headers: Headers = {}): string {
  const content = call.body === undefined ? "" : JSON.stringify(call.body);
  const json = content === "" ? {} : { "content-type": "application/json" };
  const length = content === "" ? {} : { "content-length": String(Buffer.byteLength(content)) };
  const all: Headers = { host: new URL(url).host, connection: "close", ...json, ...length, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[`${call.method} ${call.path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${content}`;
}

export function sendCall(server: LocalServer, call: Call, headers: Headers = {}): Promise<Answer> {
  return sendRaw(server.url, writeRequest(server.url, call, headers));
}

/** The attack succeeds if the server reveals its secret to this caller, or changes something for it. */
export async function tryCalls(server: LocalServer, headers: Headers): Promise<Outcome> {
  const read = await sendCall(server, server.reading, headers);
  if (read.body.includes(server.secret)) return effect(`read private data (${read.status})`);
  const before = await server.countChanges();
  const changed = await sendCall(server, server.changing, headers);
  return (await server.countChanges()) > before ? effect(`changed the server's state (${changed.status})`) : HELD;
}
