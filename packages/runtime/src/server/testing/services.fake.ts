import { tmpdir } from "node:os";
import {
  type AgentRow,
  type FolderTrust,
  type Identity,
  type LimitRow,
  type ModelRow,
  noUsage,
  type ProjectDetails,
  type Schedule,
  type SearchHit,
  type UsageRow,
} from "@gantry/protocol";
import type { Services } from "../../assembly/handlers.ts";
import type { CheckpointService } from "../../checkpoints/port.ts";
import { Files } from "../../files/files.ts";
import type { Hub } from "../../hub/hub.ts";
import { MemoryLog } from "../../hub/memory-log.fake.ts";
import type { IdentityService } from "../../identities/handlers.ts";
import type { KitService } from "../../kit/handlers.ts";
import { landingServiceFake } from "../../landing/testing/landing-service.fake.ts";
import { fakeLanes } from "../../lanes/testing/lane-service.fake.ts";
import { launchServiceFake } from "../../launches/testing/launch-service.fake.ts";
import type { LimitService } from "../../limits/port.ts";
import type { MetricSources } from "../../metrics/collect.ts";
import { Counters } from "../../metrics/counters.ts";
import type { ModelService } from "../../models/models.ts";
import type { ProviderService } from "../../models/providers.ts";
import { Previews } from "../../preview/previews.ts";
import type { ProjectService } from "../../projects/handlers.ts";
import type { PushService } from "../../push/handlers.ts";
import type { ScheduleService } from "../../schedules/handlers.ts";
import { Terminals } from "../../terminals/terminals.ts";
import type { TransferService } from "../../transfer/port.ts";
import type { TrustService } from "../../trust/handlers.ts";
import type { UsageLog } from "../../usage/handlers.ts";
import type { AgentCatalogue } from "../handlers/agents.ts";
import type { ServerLog } from "../handlers/search.ts";
import { sendJson } from "../send.ts";
import { fakeReview } from "./review.fake.ts";
import { FakeSessionService } from "./session-service.fake.ts";
import { FakeSpawnService } from "./spawn-service.fake.ts";

export class FakeServerLog extends MemoryLog implements ServerLog, UsageLog {
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
const providers: ProviderService = {
  providers: async () => ({ providers: [], known: [{ name: "mine", models: 1 }] }),
  addProvider: async ({ name }) => ({ provider: name, added: true, models: 1, ready: true }),
  testProvider: async () => ({ ok: true, model: "mine/one", ms: 1 }),
  removeProvider: async () => ({ removed: true, keys: 0 }),
};
const project: ProjectDetails = {
  ...{ id: "prj_a", root: "/work", name: "work", color: "blue", pinned: false, pins: [], repository: true },
  ...{ folders: ["/work"], sessions: 1, defaults: {}, withheld: [] },
};
const projects: ProjectService = {
  list: () => [project],
  get: async () => project,
  add: async () => project,
  change: async () => project,
  remove: () => ({ removed: true }),
};
const limits: LimitService = {
  list: () => [limit],
  resume: () => ({ limits: [limit], tried: "ses_a" }),
  patch: (id, change) => ({ ...limit, id, ...change }),
  resumeSession: () => {},
};

const folderTrust: FolderTrust = {
  path: "/work",
  state: "untrusted",
  target: "/work",
  items: [],
  digest: "none",
  dismissed: false,
};
const fakeTrust: TrustService = {
  look: async () => folderTrust,
  list: () => [],
  put: async () => folderTrust,
  revoke: (path) => ({ path, revoked: true }),
};

const subscription = { id: "psb_1", name: "Phone", host: "push.example", createdAt: "2026-01-01T00:00:00.000Z" };
const pushState = { enabled: false, contact: "mailto:me@example.org", subscriptions: [subscription] };
const fakePush: PushService = {
  get: () => pushState,
  switch: (enabled) => ({ ...pushState, enabled }),
  subscribe: async () => subscription,
  revoke: () => {},
  test: async () => subscription,
  answer: ({ decision }) => ({ id: "inp_1", session: "ses_a", decision }),
};

const noDefaults = { mode: "ask" as const, sources: {}, choices: [], user: {}, project: {}, withheld: [] };
const noSettings = { path: "/config.yml", values: {}, defaults: {}, problems: [], settings: [] };

const catalogue: AgentCatalogue = {
  list: async () => [agentRow],
  stream: async (_, onRow) => {
    onRow(agentRow);
    onRow({ ...agentRow, id: "other" });
  },
  row: async () => agentRow,
  offers: async () => ({ offers: [] }),
  conversations: async () => ({ conversations: [], complete: true }),
};

type Parts = {
  service: FakeSessionService;
  log: FakeServerLog;
  hub: Hub;
  report: (line: string) => void;
  daemonPort: () => number | undefined;
};

/** Services that return plausible values. Terminals and previews are real. */
export function fakeServices({ service, log, hub, report, daemonPort }: Parts) {
  return {
    textHelper: { explain: async () => ({ why: "There is no model." }) },
    commands: async () => ({ commands: [], styles: [], untrusted: false }),
    ...{ service, log, hub, catalogue, kit, checkpoints, schedules, transfer, limits, models, providers, projects },
    identities: identities(service),
    savedPrompts: {
      get: (name: string) => ({ name, text: "hi", updatedAt: "2026-01-01T00:00:00.000Z" }),
      put: () => {},
      delete: () => {},
      list: () => [],
    },
    files: new Files({ home: tmpdir(), used: () => [] }),
    profiles: {
      list: () => [],
      available: () => ({ copied: "2026-11-17", agents: [] }),
      put: (id: string, text: string) => ({ id, text, path: `/agents/${id}.yml`, problems: [] }),
      delete: () => {},
    },
    defaults: { get: async () => noDefaults, set: async () => noDefaults },
    settings: { list: () => noSettings, change: () => ({ settings: noSettings, applied: [] }) },
    lanes: fakeLanes,
    trust: fakeTrust,
    spawns: new FakeSpawnService(service),
    coordinator: { respond: async ({ outgoing, body }) => sendJson(outgoing, 200, JSON.stringify(body)) },
    launches: launchServiceFake,
    landing: landingServiceFake,
    review: { open: async () => fakeReview },
    metrics: noMetrics,
    push: { open: async () => fakePush },
    timeTravel: {
      at: async (id: string, seq: number) => ({
        ...service.get(id),
        moment: { seq, at: "2026-01-01T00:00:00.000Z", type: "notice", end: seq },
      }),
    },
    demo: { start: (id?: string) => service.create({ id, agent: "scripted" }, "demo") },
    terminals: openTerminals(service),
    previews: openPreviews(service, report, daemonPort),
    taskOutputs: { read: () => ({ text: "ready\n", cut: false, source: "file" as const }) },
  } satisfies Services;
}

function openTerminals(service: FakeSessionService): Terminals {
  return new Terminals({
    env: { PATH: process.env.PATH ?? "" },
    id: () => "trm_1",
    now: () => new Date().toISOString(),
    session: (id) => service.get(id),
    folder: (cwd) => cwd,
    offers: async () => ({ offers: [], env: {} }),
    onOffered: () => {},
    remember: () => {},
  });
}

function openPreviews(
  service: FakeSessionService,
  log: (line: string) => void,
  daemonPort: () => number | undefined,
): Previews {
  let count = 0;
  return new Previews({
    id: () => `prv_${++count}`,
    now: () => new Date().toISOString(),
    requireSession: (id) => service.get(id),
    daemonPort,
    log,
  });
}

const noMetrics: MetricSources = {
  version: "0.0.0-test",
  home: tmpdir(),
  counters: new Counters(),
  countSessions: () => 0,
  pendingInputs: () => 0,
  processList: () => ({ max: 1, processes: [] }),
  tasks: () => 0,
  subscribers: () => 0,
  usage: () => [],
};
