import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { ApiError, errorTable } from "@gantry/protocol";
import { expect } from "vitest";
import { apiHandlers, type Services } from "../../assembly/handlers.ts";
import { Config } from "../../config.ts";
import { Hub } from "../../hub/hub.ts";
import type { Records } from "../../log/port.ts";
import { agentAccess } from "../../spawns/handlers.ts";
import { Tickets } from "../access/tickets.ts";
import { App, type AppOptions } from "../app.ts";
import { createServer } from "../http.ts";
import { FakeServerLog, fakeServices } from "./services.fake.ts";
import { FakeSessionService } from "./session-service.fake.ts";

export const TOKEN = "test-token-that-is-long-enough-0123456789";

/** Records in memory, in the order of their ids. */
export function memoryRecords<Value>(): Records<Value> {
  const values = new Map<string, Value>();
  return {
    get: (id) => values.get(id),
    put: (id, value) => void values.set(id, value),
    delete: (id) => void values.delete(id),
    list: () => [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value),
  };
}

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown };
export type Ask = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  setHost?: boolean;
};

/** The real server on loopback over fake services and a log in memory. */
export async function startServer(overrides: Partial<AppOptions & Services> = {}, hubOptions = {}) {
  const service = new FakeSessionService();
  const log = new FakeServerLog();
  const hub = new Hub(log, hubOptions);
  const tickets = new Tickets();
  const lines: string[] = [];
  const shutdowns: string[] = [];
  let listening: number | undefined;
  const report = (line: string) => lines.push(line);
  const fakes = fakeServices({ service, log, hub, report, daemonPort: () => listening });
  const services = { ...fakes, ...overrides };
  const options: Omit<AppOptions, "startedAt"> = {
    handlers: apiHandlers(services),
    access: agentAccess(services.spawns),
    hub,
    tickets,
    token: TOKEN,
    pageCredentials: memoryRecords(),
    config: Config.parse({}).server,
    version: "1.2.3",
    running: () => service.countRunning(),
    tasks: () => service.countTasks(),
    onShutdown: (agents) => shutdowns.push(agents),
    onRevoke: () => {
      services.terminals.revokeTickets();
      services.previews.revokePasses();
    },
    report,
    ...overrides,
  };
  const { hosts, origins } = options.config;
  const server = createServer({ version: options.version, hosts, origins, report: options.report });
  server.attach(new App({ ...options, startedAt: server.startedAt }));
  const { port, url } = await server.listen(0);
  listening = port;
  const authorization = `Bearer ${TOKEN}`;
  return {
    ...{ service, log, hub, tickets, lines, shutdowns, server, port, url, authorization },
    ...{ previews: fakes.previews, spawns: fakes.spawns },
    /** Sends the owner token unless headers override it. */
    ask: (path: string, how: Ask = {}) => ask(port, path, { ...how, headers: { authorization, ...how.headers } }),
    askBare: (path: string, how: Ask = {}) => ask(port, path, how),
    raw: (text: string) => rawRequest(port, text),
  };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** The code of a well-formed error response that was sent before the service was called. */
export function refusalOf(server: TestServer, answer: Answer): string {
  const parsed = ApiError.safeParse(answer.json);
  expect(parsed.success, answer.text).toBe(true);
  const code = parsed.data?.error.code ?? "internal";
  expect(answer.status).toBe(errorTable[code]);
  expect(server.service.calls).toEqual([]);
  expect(answer.text).not.toContain(TOKEN);
  return code;
}

export const json = (value: unknown): Ask => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

function ask(port: number, path: string, how: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = how;
    const sent = request({ port, host: "127.0.0.1", path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parseJson(text) });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends raw bytes, for requests that no client would send. */
function rawRequest(port: number, text: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
      const [head, body] = received.split("\r\n\r\n");
      const length = Number(head?.match(/content-length: (\d+)/i)?.[1] ?? Number.NaN);
      if (body !== undefined && body.length >= length) socket.end();
    });
    socket.on("close", () =>
      resolve({ status: Number(received.split(" ")[1]), body: received.split("\r\n\r\n")[1] ?? "" }),
    );
    socket.on("error", reject);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
