import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import {
  type AgentRow,
  ApiError,
  errorTable,
  type Identity,
  type LimitRow,
  type ModelRow,
  noUsage,
  type Schedule,
  type SearchHit,
  type UsageRow,
} from "@gantry/protocol";
import { expect } from "vitest";
import type { CheckpointService } from "../checkpoints/port.ts";
import { Config } from "../config.ts";
import { Files } from "../files/files.ts";
import { Hub } from "../hub/hub.ts";
import { MemoryLog } from "../hub/memory-log.fake.ts";
import type { IdentityService } from "../identities/port.ts";
import { landingServiceFake } from "../landing/testing/landing-service.fake.ts";
import { fakeLanes } from "../lanes/testing/lane-service.fake.ts";
import { launchServiceFake } from "../launches/testing/launch-service.fake.ts";
import type { LimitService } from "../limits/port.ts";
import type { Records } from "../log/port.ts";
import type { ModelService } from "../models/models.ts";
import { Previews } from "../preview/previews.ts";
import type { ScheduleService } from "../schedules/port.ts";
import { Terminals } from "../terminals/terminals.ts";
import type { TransferService } from "../transfer/port.ts";
import { createServer, type ServerOptions } from "./http.ts";
import type { KitService, ServerLog } from "./ports.ts";
import { FakeSessionService } from "./session-service.fake.ts";
import { FakeSpawnService } from "./spawn-service.fake.ts";
import { Tickets } from "./tickets.ts";

export const TOKEN = "test-token-that-is-long-enough-0123456789";

class FakeServerLog extends MemoryLog implements ServerLog {
  search(q: string): SearchHit[] {
    return [
      { session: "ses_a", title: "A", seq: 1, at: "2026-01-01T00:00:00.000Z", type: "notice", snippet: `[${q}]` },
    ];
  }

  usage(by: readonly string[]) {
    const row: UsageRow = { turns: 1, usage: noUsage, cost: { usd: 0, agent: 0, list: 0 } };
    return { rows: [{ ...row, agent: by.join(" ") }], total: row };
  }
}

export const agentRow: AgentRow = {
  id: "scripted",
  name: "Scripted",
  state: "ready",
  auth: { state: "ok", how: "needs none" },
  channel: "lines",
  modes: ["ask"],
  steer: "queue",
  resume: "none",
  fork: false,
  models: { source: "live", items: [] },
  problems: [],
  offers: [],
};

const kit: KitService = {
  servers: () => ({ servers: [], problems: [] }),
  putServer: (name) => ({ name, enabled: true }),
  deleteServer: () => {},
  skills: () => ({ skills: [], problems: [] }),
  putSkill: (name, path) => ({ name, path, description: "", linked: true }),
  deleteSkill: () => {},
};

const identity: Identity = {
  name: "lead",
  agent: "scripted",
  role: "lead",
  mode: "ask",
  folder: "/identities/lead",
  persona: "",
  memory: [],
};

const identities = (service: FakeSessionService): IdentityService => ({
  list: () => ({ identities: [identity], broken: [] }),
  get: () => identity,
  put: () => identity,
  delete: async () => ({}),
  send: async () => ({ message: "msg_1", disposition: "started", session: service.get("ses_a") }),
});

const schedule: Schedule = {
  id: "sch_1",
  session: "ses_a",
  text: "hi",
  every: 60,
  enabled: true,
  runs: 0,
  misses: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

const schedules: ScheduleService = {
  list: () => [schedule],
  get: () => schedule,
  add: () => ({ schedule, created: true }),
  change: () => schedule,
  delete: () => {},
  run: async () => schedule,
};
const transfer: TransferService = {
  list: async () => ({ conversations: [], complete: true, problems: [] }),
  importConversation: async () => ({ session: new FakeSessionService().add("ses_a"), created: true }),
  importFile: async () => ({ session: new FakeSessionService().add("ses_a"), created: true }),
  export: (session) => ({ name: `${session}.jsonl`, type: "application/x-ndjson", pieces: pieces() }),
};

async function* pieces() {
  yield "{}\n";
}

const checkpoints: CheckpointService = {
  turns: async () => ({ turns: [] }),
  diff: async (_, turn) => ({
    ...{ turn, root: "/", before: "a", after: "b", live: false, files: [], patch: "", cut: false, left: [] },
    total: { files: 0, additions: 0, deletions: 0 },
  }),
  revert: async (_, turn, { to = "before" }) => ({ turn, to, done: false, files: [] }),
  undo: async () => ({ to: "after", done: true, files: [], undo: "job_2" }),
  fork: async (id) => new FakeSessionService().add(`${id}_fork`),
};

const limit: LimitRow = {
  id: "lim_a",
  provider: "anthropic",
  state: "open",
  since: "2026-01-01T00:00:00.000Z",
  autoResume: true,
  sessions: ["ses_a"],
  source: "failure",
};
const modelRow: ModelRow = {
  selector: "mine/one",
  provider: "mine",
  id: "one",
  name: "One",
  canonical: "one",
  api: "openai-completions",
  contextWindow: 1000,
  maxTokens: 100,
  input: ["text"],
  levels: ["off"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  available: true,
};
const models: ModelService = {
  list: async () => ({
    models: [modelRow],
    canonical: [{ id: "one", selectors: ["mine/one"], chosen: "mine/one", available: true }],
    providers: [{ id: "mine", models: 1, ready: true, disabled: false }],
    problems: [{ file: "models.yml", line: 1, column: 1, path: "x", message: "Unknown key." }],
  }),
  resolve: async (query) => ({ query, model: modelRow, why: ["It is there."], problems: [] }),
};
const limits: LimitService = {
  list: () => [limit],
  resume: () => ({ limits: [limit], tried: "ses_a" }),
  patch: (id, change) => ({ ...limit, id, ...change }),
  resumeSession: () => {},
};

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

const noSettings = { path: "/config.yml", values: {}, defaults: {}, problems: [], settings: [] };

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown };
export type Ask = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  setHost?: boolean;
};

/** The real server on loopback over a fake service and a log in memory. */
export async function startServer(overrides: Partial<ServerOptions> = {}, hubOptions = {}) {
  const service = new FakeSessionService();
  const log = new FakeServerLog();
  const hub = new Hub(log, hubOptions);
  const tickets = new Tickets();
  const lines: string[] = [];
  const shutdowns: string[] = [];
  const terminals = new Terminals({
    env: { PATH: process.env.PATH ?? "" },
    id: () => "trm_1",
    now: () => new Date().toISOString(),
    session: (id) => service.get(id),
    folder: (cwd) => cwd,
    offers: async () => ({ offers: [], env: {} }),
    onOffered: () => {},
    remember: () => {},
  });
  let previewsMade = 0;
  const previews = new Previews({
    id: () => `prv_${++previewsMade}`,
    now: () => new Date().toISOString(),
    requireSession: (id) => service.get(id),
    daemonPort: () => listening,
    log: (line) => lines.push(line),
  });
  let listening: number | undefined;
  const options: ServerOptions = {
    service,
    log,
    hub,
    tickets,
    catalogue: {
      list: async () => [agentRow],
      stream: async (_, onRow) => {
        onRow(agentRow);
        onRow({ ...agentRow, id: "other" });
      },
      row: async () => agentRow,
      offers: async () => ({ offers: [] }),
      conversations: async () => ({ conversations: [], complete: true }),
    },
    kit,
    checkpoints,
    identities: identities(service),
    files: new Files({ home: tmpdir(), used: () => [] }),
    profiles: {
      list: () => [],
      put: (id, text) => ({ id, text, path: `/agents/${id}.yml`, problems: [] }),
      delete: () => {},
    },
    settings: { list: () => noSettings, change: () => ({ settings: noSettings, applied: [] }) },
    schedules,
    transfer,
    lanes: fakeLanes,
    spawns: new FakeSpawnService(service),
    launches: launchServiceFake,
    landing: landingServiceFake,
    demo: { start: (id) => service.create({ id, agent: "scripted" }, "demo") },
    terminals,
    previews,
    limits,
    models,
    token: TOKEN,
    pageCredentials: memoryRecords(),
    config: Config.parse({}).server,
    version: "1.2.3",
    onShutdown: (agents) => shutdowns.push(agents),
    report: (line) => lines.push(line),
    ...overrides,
  };
  const server = createServer(options);
  const { port, url } = await server.listen(0);
  listening = port;
  return {
    service,
    log,
    hub,
    tickets,
    lines,
    shutdowns,
    server,
    previews,
    port,
    url,
    authorization: `Bearer ${TOKEN}`,
    /** With the token unless headers say otherwise. */
    ask: (path: string, how: Ask = {}) =>
      ask(port, path, { ...how, headers: { authorization: `Bearer ${TOKEN}`, ...how.headers } }),
    askBare: (path: string, how: Ask = {}) => ask(port, path, how),
    raw: (text: string) => rawRequest(port, text),
  };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;

/** The code of an answer that has the right shape and status and came before the service had heard of anything. */
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
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bytes as they are, for what no client would send. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
