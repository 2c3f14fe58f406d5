import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorTable, GantryError, type Route, type RouteName } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServer } from "./http.ts";
import { json, startServer, type TestServer, TOKEN } from "./testing/server.harness.ts";
import { SESSION_TOKEN } from "./testing/spawn-service.fake.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.server.close());
beforeEach(() => {
  server.service.calls = [];
  server.service.add("ses_a", { cwd: folder });
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), "gantry-http-")));
writeFileSync(join(folder, "a.txt"), "a file");
afterAll(() => rmSync(folder, { recursive: true }));

const calls: Record<RouteName, [path: string, how?: object]> = {
  health: ["/v1/health"],
  createTicket: ["/v1/tickets", { method: "POST" }],
  redeemTicket: ["/v1/tickets/redeem"],
  revokePages: ["/v1/tickets", { method: "DELETE" }],
  stopDaemon: ["/v1/shutdown", json({ agents: "release" })],
  listAgents: ["/v1/agents?refresh=1"],
  getAgent: ["/v1/agents/scripted?refresh=1"],
  listCommands: ["/v1/agents/claude/commands"],
  listConversations: ["/v1/agents/claude/conversations"],
  createSession: ["/v1/sessions", json({ agent: "scripted", prompt: "hello" })],
  listSessions: ["/v1/sessions?limit=5&state="],
  getSession: ["/v1/sessions/ses_a"],
  patchSession: ["/v1/sessions/ses_a", { ...json({ title: "New" }), method: "PATCH" }],
  deleteSession: ["/v1/sessions/ses_a", { method: "DELETE" }],
  sendMessage: ["/v1/sessions/ses_a/messages", json({ text: "hi", id: "msg_1" })],
  patchMessage: ["/v1/sessions/ses_a/messages/msg_1", { ...json({ position: 0 }), method: "PATCH" }],
  deleteMessage: ["/v1/sessions/ses_a/messages/msg_1", { method: "DELETE" }],
  interrupt: ["/v1/sessions/ses_a/interrupt", { method: "POST" }],
  changeQueue: ["/v1/sessions/ses_a/queue", { ...json({ state: "paused" }), method: "PUT" }],
  closeSession: ["/v1/sessions/ses_a/close", { method: "POST" }],
  warmUpSession: ["/v1/sessions/ses_a/warm-up", { method: "POST" }],
  listProcesses: ["/v1/processes"],
  handOff: ["/v1/sessions/ses_a/handoff", json({ agent: "codex" })],
  forkSession: ["/v1/sessions/ses_a/fork", json({ at: 3 })],
  sessionEvents: ["/v1/sessions/ses_a/events?after=0&limit=10"],
  allEvents: ["/v1/events?sessions=ses_a"],
  listTasks: ["/v1/sessions/ses_a/tasks"],
  requestContext: ["/v1/sessions/ses_a/context", { method: "POST" }],
  taskOutput: ["/v1/sessions/ses_a/tasks/b7kq2/output?bytes=100"],
  stopTask: ["/v1/sessions/ses_a/tasks/b7kq2/stop", { method: "POST" }],
  getItem: ["/v1/sessions/ses_a/items/itm_1%23x"],
  metrics: ["/v1/metrics"],
  getPush: ["/v1/push"],
  putPush: ["/v1/push", { ...json({ enabled: true }), method: "PUT" }],
  addSubscription: [
    "/v1/push/subscriptions",
    json({ name: "Phone", endpoint: "https://push.example/1", keys: { p256dh: "x", auth: "x" } }),
  ],
  deleteSubscription: ["/v1/push/subscriptions/psb_1", { method: "DELETE" }],
  testSubscription: ["/v1/push/subscriptions/psb_1/test", { method: "POST" }],
  answerPush: ["/v1/push/answer", json({ ticket: "x", decision: "allow" })],
  listModels: ["/v1/models?all=1&q=one"],
  resolveModel: ["/v1/models/resolve?q=one"],
  listProviders: ["/v1/models/providers"],
  addProvider: ["/v1/models/providers", json({ name: "mine" })],
  testProvider: ["/v1/models/providers/mine/test", { method: "POST" }],
  removeProvider: ["/v1/models/providers/mine?keys=1", { method: "DELETE" }],
  listProjects: ["/v1/projects"],
  getProject: ["/v1/projects/prj_a"],
  addProject: ["/v1/projects", json({ path: "/work" })],
  changeProject: ["/v1/projects/prj_a", { ...json({ pinned: true }), method: "PATCH" }],
  removeProject: ["/v1/projects/prj_a", { method: "DELETE" }],
  listLimits: ["/v1/limits"],
  resumeLimit: ["/v1/limits/lim_a/resume", { method: "POST" }],
  patchLimit: ["/v1/limits/lim_a", { ...json({ autoResume: false }), method: "PATCH" }],
  resumeSession: ["/v1/sessions/ses_a/resume", { method: "POST" }],
  inbox: ["/v1/inbox"],
  answerInput: ["/v1/inputs/inp_1", json({ decision: "allow" })],
  listGrants: ["/v1/grants"],
  revokeGrant: ["/v1/grants/gra_1", { method: "DELETE" }],
  startDemo: ["/v1/demo", json({ id: "ses_demo" })],
  listTurns: ["/v1/sessions/ses_a/turns"],
  turnDiff: ["/v1/sessions/ses_a/turns/trn_1/diff?path=a&context=3"],
  revertTurn: ["/v1/sessions/ses_a/turns/trn_1/revert", json({ dry: true })],
  undoRevert: ["/v1/sessions/ses_a/reverts/job_1/undo", json({})],
  listChanges: ["/v1/sessions/ses_a/changes?from=base&to=now"],
  sessionAt: ["/v1/sessions/ses_a/at/2"],
  changedFile: ["/v1/sessions/ses_a/changes/file?path=a.txt"],
  discardChanges: ["/v1/sessions/ses_a/changes/discard", json({ paths: ["a.txt"], dry: true })],
  stageChanges: ["/v1/sessions/ses_a/changes/stage", json({ paths: ["a.txt"] })],
  unstageChanges: ["/v1/sessions/ses_a/changes/unstage", json({ paths: ["a.txt"] })],
  listComments: ["/v1/sessions/ses_a/comments"],
  addComment: ["/v1/sessions/ses_a/comments", json({ path: "a.txt", line: 1, side: "new", text: "Why?" })],
  patchComment: ["/v1/sessions/ses_a/comments/cmt_1", { ...json({ state: "resolved" }), method: "PATCH" }],
  deleteComment: ["/v1/sessions/ses_a/comments/cmt_1", { method: "DELETE" }],
  commitPlan: ["/v1/sessions/ses_a/commit"],
  commitChanges: ["/v1/sessions/ses_a/commit", json({ message: "Change it", all: true })],
  pushCommits: ["/v1/sessions/ses_a/push", json({})],
  openPullRequest: ["/v1/sessions/ses_a/pull-request", json({})],
  findFiles: ["/v1/files?session=ses_a&q=x"],
  listFolders: ["/v1/folders?path=/tmp"],
  readFile: ["/v1/sessions/ses_a/file?path=a.txt"],
  listMcpServers: ["/v1/mcp-servers"],
  putMcpServer: ["/v1/mcp-servers/files", { ...json({ command: ["serve"] }), method: "PUT" }],
  deleteMcpServer: ["/v1/mcp-servers/files", { method: "DELETE" }],
  listSkills: ["/v1/skills"],
  putSkill: ["/v1/skills/release", { ...json({ path: "/skills/release" }), method: "PUT" }],
  deleteSkill: ["/v1/skills/release", { method: "DELETE" }],
  listSavedPrompts: ["/v1/saved-prompts"],
  putSavedPrompt: ["/v1/saved-prompts/review", { ...json({ text: "hi" }), method: "PUT" }],
  deleteSavedPrompt: ["/v1/saved-prompts/review", { method: "DELETE" }],
  listIdentities: ["/v1/identities"],
  getIdentity: ["/v1/identities/lead"],
  putIdentity: ["/v1/identities/lead", { ...json({ agent: "scripted" }), method: "PUT" }],
  deleteIdentity: ["/v1/identities/lead", { method: "DELETE" }],
  sendToIdentity: ["/v1/identities/lead/messages", json({ text: "hi" })],
  listProfiles: ["/v1/profiles"],
  listAvailable: ["/v1/profiles/available"],
  putProfile: ["/v1/profiles/mine", { ...json({ text: "id: mine" }), method: "PUT" }],
  deleteProfile: ["/v1/profiles/mine", { method: "DELETE" }],
  getSettings: ["/v1/settings"],
  getDefaults: ["/v1/defaults?cwd=/repo"],
  putDefaults: ["/v1/defaults", { ...json({ scope: "user", agent: "scripted" }), method: "PUT" }],
  getTrust: ["/v1/trust?path=/work"],
  putTrust: ["/v1/trust", { ...json({ path: "/work" }), method: "PUT" }],
  deleteTrust: ["/v1/trust?path=/work", { method: "DELETE" }],
  patchSettings: ["/v1/settings", { ...json({ queueLimit: 3 }), method: "PATCH" }],
  hearSession: ["/v1/sessions/ses_a/heard", json({ turn: "trn_1" })], // prose-ignore: fixed API name
  coordinate: ["/mcp?lead=1", json({ jsonrpc: "2.0", id: 1, method: "ping" })],
  createLaunch: ["/v1/launches", json({ prompt: "hi", cwd: "/tmp", slots: [{ agent: "scripted" }] })],
  listLaunches: ["/v1/launches"],
  getLaunch: ["/v1/launches/lau_1"],
  cancelLaunch: ["/v1/launches/lau_1?forget=1", { method: "DELETE" }],
  compareLaunch: ["/v1/launches/lau_1/compare?patch=0"],
  compareLanes: ["/v1/compare?lanes=lan_1"],
  checkLaunch: ["/v1/launches/lau_1/check", json({ command: "true" })],
  landLane: ["/v1/lanes/lan_1/merge", json({ how: "squash" })],
  updateLane: ["/v1/lanes/lan_1/update", json({})],
  laneConflicts: ["/v1/lanes/lan_1/conflicts"],
  conflicts: ["/v1/conflicts?repository=/tmp"],
  listLandings: ["/v1/landings"],
  getLanding: ["/v1/landings/job_1"],
  undoLanding: ["/v1/landings/job_1/undo", { method: "POST" }],
  listSchedules: ["/v1/schedules?session=ses_a"],
  createSchedule: ["/v1/schedules", json({ session: "ses_a", text: "hi", every: 60 })],
  getSchedule: ["/v1/schedules/sch_1"],
  patchSchedule: ["/v1/schedules/sch_1", { ...json({ enabled: false }), method: "PATCH" }],
  deleteSchedule: ["/v1/schedules/sch_1", { method: "DELETE" }],
  runSchedule: ["/v1/schedules/sch_1/run", { method: "POST" }],
  listLanes: ["/v1/lanes?cwd=/repo&archived=all&refresh=1"],
  createLane: ["/v1/lanes", json({ cwd: "/repo", name: "fix" })],
  laneSuggestions: ["/v1/lanes/suggestions"],
  laneUndos: ["/v1/lanes/undos?cwd=/repo"],
  getLane: ["/v1/lanes/lan_1"],
  patchLane: ["/v1/lanes/lan_1", { ...json({ archived: true }), method: "PATCH" }],
  removeLane: ["/v1/lanes/lan_1?force=1", { method: "DELETE" }],
  undoLane: ["/v1/lanes/lan_1/undo", { method: "POST" }],
  laneDiff: ["/v1/lanes/lan_1/diff?limit=1000"],
  laneSetup: ["/v1/lanes/lan_1/setup"],
  runLaneSetup: ["/v1/lanes/lan_1/setup", { method: "POST" }],
  sessionLane: ["/v1/sessions/ses_a/lane"],
  openTerminal: ["/v1/terminals", json({ cwd: "/tmp", command: ["cat"] })],
  listTerminals: ["/v1/terminals"],
  getTerminal: ["/v1/terminals/trm_1"],
  createTerminalTicket: ["/v1/terminals/trm_1/tickets", { method: "POST" }],
  streamTerminal: ["/v1/terminals/trm_1/stream?ticket=TICKET"],
  typeIntoTerminal: ["/v1/terminals/trm_1/input", json({ data: "hello\r" })],
  resizeTerminal: ["/v1/terminals/trm_1/resize", json({ cols: 100, rows: 30 })],
  closeTerminal: ["/v1/terminals/trm_1", { method: "DELETE" }],
  openPreview: ["/v1/previews", json({ url: "http://localhost:9/" })],
  listPreviews: ["/v1/previews"],
  listDevServers: ["/v1/sessions/ses_a/servers"],
  createPreviewTicket: ["/v1/previews/prv_1/tickets", json({})],
  closePreview: ["/v1/previews/prv_1", { method: "DELETE" }],
  listImports: ["/v1/imports?limit=3"],
  importConversation: ["/v1/imports", json({ agent: "scripted", conversation: "one" })],
  importFile: ["/v1/imports/file", { method: "POST", headers: { "content-type": "application/gzip" }, body: "x" }],
  exportSession: ["/v1/sessions/ses_a/export?format=jsonl"],
  search: ["/v1/search?q=word"],
  usage: ["/v1/usage?by=agent,day"],
};

describe("every call of the route table", () => {
  for (const name of Object.keys(calls) as RouteName[]) {
    it(`${name} answers with its status and shape`, async () => {
      const [path, how] = calls[name];
      const given = name === "redeemTicket" ? json({ ticket: server.tickets.issue().ticket }) : how;
      const issued = name === "streamTerminal" ? await server.ask(...calls.createTerminalTicket) : undefined;
      const { ticket = "" } = (issued?.json ?? {}) as { ticket?: string };
      const answer = await server.ask(path.replace("TICKET", ticket), given);
      expect(answer.status, answer.text).toBe(routes[name].status);
      expect(routes[name].response.safeParse(answer.json).error).toBeUndefined();
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.headers["cache-control"]).toBe("no-store");
    });
  }

  it("distinguishes an existing session from a new one by its status", async () => {
    const answer = await server.ask("/v1/sessions", json({ id: "ses_a", agent: "scripted" }));
    expect(answer.status).toBe(200);
  });

  it("stops the daemon after the response, with the policy for the agents", async () => {
    await expect.poll(() => server.shutdowns).toEqual(["release"]);
  });

  it("answers HEAD like GET without a body", async () => {
    for (const path of ["/v1/sessions", "/", "/v1/health"]) {
      const answer = await server.ask(path, { method: "HEAD" });
      expect([answer.status, answer.text]).toEqual([200, ""]);
    }
    const stream = await server.ask("/v1/events", { method: "HEAD", headers: { accept: "text/event-stream" } });
    expect([stream.status, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(server.hub.readers).toBe(0);
  });

  it("serves the OpenAPI document", async () => {
    const { json: document } = (await server.ask("/v1/openapi.json")) as { json: { paths: object; openapi: string } };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toContain("/v1/sessions/{id}/messages");
  });
});

describe("with the token of a session", () => {
  const asAgent = (name: RouteName, id = "ses_a") => {
    const [path, how] = calls[name] as [string, { headers?: object }?];
    const headers = { ...how?.headers, authorization: `Bearer ${SESSION_TOKEN}` };
    return server.askBare(path.replace("ses_a", id), { ...how, headers });
  };
  /** Calls that an agent may make only for its workers, if a person has made it a lead. */
  const FOR_LEADS: RouteName[] = ["inbox", "answerInput", "handOff", "landLane"];
  const codeOf = ({ json: body }: { json: unknown }) => (body as { error?: { code: string } } | undefined)?.error?.code;
  beforeEach(() => {
    server.service.add("ses_below", { cwd: folder });
    server.spawns.isLead = false;
  });

  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name];
    const right = route.open ? "any" : route.agent;
    it(`${name} is ${right ? `an agent's to call (${right})` : "not an agent's to call"}`, async () => {
      if (route.open) return;
      server.service.calls = [];
      if (!right) {
        expect(codeOf(await asAgent(name))).toBe("not_permitted");
        expect(server.service.calls).toEqual([]);
        return;
      }
      if (FOR_LEADS.includes(name)) {
        expect(codeOf(await asAgent(name, "ses_below"))).toBe("not_permitted");
        expect(server.service.calls).toEqual([]);
        server.spawns.isLead = true;
      }
      expect((await asAgent(name, "ses_below")).status).toBeLessThan(300);
      const itself = (await asAgent(name)).status;
      expect(itself === 403).toBe(right === "below" || name === "patchSession" || name === "handOff");
      if (!calls[name][0].includes("ses_a")) return;
      server.service.calls = [];
      expect(codeOf(await asAgent(name, "ses_other"))).toBe("not_permitted");
      expect(server.service.calls).toEqual([]);
    });
  }

  it("from another site is refused before anything", async () => {
    const headers = { authorization: `Bearer ${SESSION_TOKEN}` };
    const there = await server.askBare("/v1/sessions", { headers: { ...headers, origin: "https://evil.example" } });
    const name = await server.askBare("/v1/sessions", { headers: { ...headers, host: "evil.example" } });
    expect([codeOf(there), codeOf(name)]).toEqual(["foreign_origin", "foreign_host"]);
  });

  it("of an unknown session is refused like any invalid token", async () => {
    const headers = { authorization: `Bearer ${SESSION_TOKEN.replace("x", "y")}` };
    expect((await server.askBare("/v1/sessions", { headers })).status).toBe(401);
  });

  it("is in no line of the log", () => {
    expect(server.lines.join("\n")).not.toContain("gss_");
  });
});

describe("events as JSON", () => {
  it("gives pages, the tail and where the log ends", async () => {
    server.service.add("ses_pages");
    server.log.append("ses_pages", 1500);
    const seqs = async (query: string) => {
      const answer = (await server.ask(`/v1/sessions/ses_pages/events${query}`)).json;
      const { events, lastSeq } = answer as { events: { seq: number }[]; lastSeq: number };
      return [events[0]?.seq, events.at(-1)?.seq, events.length, lastSeq];
    };
    expect(await seqs("")).toEqual([1, 1000, 1000, 1500]);
    expect(await seqs("?after=1000")).toEqual([1001, 1500, 500, 1500]);
    expect(await seqs("?tail=3")).toEqual([1498, 1500, 3, 1500]);
    expect(await seqs("?after=9999")).toEqual([undefined, undefined, 0, 1500]);
    expect((await server.ask("/v1/sessions/ses_pages/events?after=1&tail=1")).status).toBe(422);
  });

  it("gives a cursor over all sessions that resumes, and the head for a place beyond it", async () => {
    const at = async (after: number, limit: number) =>
      (await server.ask(`/v1/events?after=${after}&limit=${limit}`)).json as { events: unknown[]; cursor: string };
    const first = await at(0, 7);
    expect([first.events.length, first.cursor]).toEqual([7, "7"]);
    const head = await at(Number.MAX_SAFE_INTEGER, 1);
    expect([head.events.length, head.cursor]).toEqual([0, String(server.log.lastId())]);
  });
});

describe("what goes wrong", () => {
  it("passes expected failures on with code, remedy and details", async () => {
    server.service.failure = new GantryError("already_answered", "Taken.", {
      remedy: "Look.",
      details: { by: "user" },
    });
    const answer = await server.ask("/v1/inputs/inp_1", json({ decision: "allow" }));
    expect(answer.status).toBe(409);
    expect(answer.json).toEqual({
      error: { code: "already_answered", message: "Taken.", remedy: "Look.", details: { by: "user" } },
    });
  });

  it("hides its own faults behind a reference that the log knows", async () => {
    server.service.failure = new Error("secret detail at /home/me");
    const answer = await server.ask("/v1/sessions");
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("secret detail");
    const reference = answer.text.match(/err_[0-9a-f]+/)?.[0] ?? "none";
    expect(server.lines.some((line) => line.startsWith(reference) && line.includes("secret detail"))).toBe(true);
  });

  it("calls a full disk by its name", async () => {
    server.service.failure = Object.assign(new Error("no space"), { code: "ENOSPC" });
    expect((await server.ask("/v1/sessions", json({ agent: "scripted" }))).status).toBe(errorTable.storage_full);
  });

  it("reports the mistakes of a request by field", async () => {
    const answer = await server.ask("/v1/sessions", json({ agent: "scripted", mode: "wild", colour: "red" }));
    expect(answer.status).toBe(422);
    const { error } = answer.json as { error: { message: string; details: { path: string }[] } };
    expect(error.details.map((detail) => detail.path)).toEqual(["mode", ""]);
    expect(error.message).toContain("mode");
    expect(error.message).toContain("colour");
  });

  it("distinguishes a wrong method from a wrong path", async () => {
    const code = async (path: string, method: string) =>
      ((await server.ask(path, { method })).json as { error: { code: string } }).error.code;
    expect(await code("/v1/sessions/ses_a", "PUT")).toBe("method_not_allowed");
    expect(await code("/v1/nothing", "GET")).toBe("not_found");
    expect(await code("/v1", "GET")).toBe("not_found");
  });
});

it("writes a line per request, without query, body or token", async () => {
  await server.ask("/v1/search?q=private-text");
  await expect.poll(() => server.lines.some((line) => line.startsWith("GET /v1/search 200"))).toBe(true);
  const log = server.lines.join("\n");
  expect(log).not.toContain("private-text");
  expect(log).not.toContain(TOKEN);
});

it("reports a port that is in use, with its address", async () => {
  const other = await startServer();
  await expect(other.server.close().then(() => other.server.listen(server.port))).rejects.toMatchObject({
    code: "unavailable",
    message: `Port ${server.port} on 127.0.0.1 is already in use.`,
  });
});

describe("before the application is attached", () => {
  const openEarly = async () => {
    const early = createServer({ version: "1.2.3", report: () => undefined });
    const { url, port } = await early.listen(0);
    return { early, url, port };
  };
  const answering = (answered: string[]) => ({
    respond: async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      answered.push(`${incoming.method} ${incoming.url}`);
      outgoing.end("answered");
    },
    upgrade: async () => undefined,
    endStreams: () => undefined,
  });

  it("answers health checks, and lets every other request wait", async () => {
    const { early, url } = await openEarly();
    const health = (await (await fetch(`${url}/v1/health`)).json()) as { ok: boolean; version: string };
    expect(health).toMatchObject({ ok: true, version: "1.2.3" });
    const answered: string[] = [];
    const first = fetch(`${url}/v1/sessions`);
    const second = fetch(`${url}/v1/health?x=1`, { method: "POST", body: "x" });
    await expect(Promise.race([first, second, sleep(100, "waiting")])).resolves.toBe("waiting");
    early.attach(answering(answered));
    expect(await Promise.all([first, second].map(async (each) => (await each).text()))).toEqual([
      "answered",
      "answered",
    ]);
    expect(answered.sort()).toEqual(["GET /v1/sessions", "POST /v1/health?x=1"]);
    await early.close();
  });

  it("checks Host and Origin of a health check", async () => {
    const { early, url } = await openEarly();
    const foreign = await fetch(`${url}/v1/health`, { headers: { origin: "https://elsewhere.example" } });
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).not.toContain("1.2.3");
    await early.close();
  });

  it("ends waiting requests at once when the start fails", async () => {
    const { early, url } = await openEarly();
    const waiting = fetch(`${url}/v1/sessions`).then(
      () => "answered",
      () => "ended",
    );
    await sleep(50);
    const started = performance.now();
    await early.close();
    expect(await waiting).toBe("ended");
    expect(performance.now() - started).toBeLessThan(1500);
  });
});

it("refuses what comes while it stops, and lets what runs come to its end", async () => {
  const other = await startServer();
  const [called, held] = [Promise.withResolvers<void>(), Promise.withResolvers<{ released: boolean }>()];
  other.service.close = () => {
    called.resolve();
    return held.promise;
  };
  const running = other.ask("/v1/sessions/ses_a/close", { method: "POST" });
  const late = connect(other.port, "127.0.0.1");
  late.write("GET /v1/health HTTP/1.1\r\n");
  await Promise.all([called.promise, once(late, "connect")]);
  // The response to a later request proves that the daemon has read the first half.
  await other.ask("/v1/health");
  const closed = other.server.close();
  late.write("Host: localhost\r\n\r\n");
  expect(String(await once(late, "data"))).toContain("503 Service Unavailable");
  held.resolve({ released: true });
  expect((await running).json).toEqual({ released: true });
  await closed;
});

it("does not wait for a connection on which nothing was asked", async () => {
  const other = await startServer();
  const idle = connect(other.port, "127.0.0.1");
  await once(idle, "connect");
  const ended = once(idle, "close");
  await other.server.close();
  await ended;
  await expect(other.ask("/v1/health")).rejects.toThrow("ECONNREFUSED");
});

it("ends streams and frees the port when it closes", async () => {
  const other = await startServer();
  other.service.add("ses_a");
  const stream = other.ask("/v1/sessions/ses_a/events", { headers: { accept: "text/event-stream" } });
  await expect.poll(() => other.hub.readers).toBe(1);
  await other.server.close();
  expect((await stream).text).toContain(": the daemon is stopping");
  await expect(other.ask("/v1/health")).rejects.toThrow("ECONNREFUSED");
});
