import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@gantry/client";
import { errorTable, type Session } from "@gantry/protocol";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon({ config: "spawns: { depth: 3, live: 50 }" });
const cwd = realpathSync(daemon.cwd);
const open: Client[] = [];
beforeAll(async () => {
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd });
  execFileSync("git", ["config", "user.name", "a"], { cwd });
  execFileSync("git", ["config", "user.email", "a@b.c"], { cwd });
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "first"], { cwd });
  execFileSync("git", ["tag", "start"], { cwd });
  await daemon.start();
});
afterAll(async () => {
  for (const client of open.splice(0)) await client.close();
  await daemon.dispose();
});

async function tokenOf(session: string): Promise<string> {
  const path = join(daemon.home, `env-${session}`);
  const command = ["sh", "-c", `echo "$GANTRY_TOKEN" > ${path}.part && mv ${path}.part ${path}`];
  await daemon.client.terminals.open({ session, command });
  await expect.poll(() => existsSync(path), { timeout: 30_000 }).toBe(true);
  return readFileSync(path, "utf8").trim();
}

type How = { lead?: boolean; era?: "legacy" | "auto"; onToolsChanged?: () => void };

/** The official client of `/mcp` with a credential. */
async function connect(token: string, { lead = false, era = "legacy", onToolsChanged }: How = {}): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era },
      ...(onToolsChanged ? { listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } } } : {}),
    },
  );
  const url = new URL(lead ? "/mcp?lead=1" : "/mcp", daemon.daemon.url);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  open.push(client);
  return client;
}

/** A session, one that it started in a separate lane and that has changed a file, and one that waits for an input. */
type Team = { parent: string; token: string; worker: string; lane: string; waiting: string; input: string };

async function openSession(mode: Session["mode"]): Promise<Pick<Team, "parent" | "token">> {
  const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd, mode });
  return { parent: id, token: await tokenOf(id) };
}

async function openTeam(): Promise<Team> {
  const { parent, token } = await openSession("full-auto");
  const agent = createClient({ url: daemon.daemon.url, token });
  const { id: lane } = await agent.lanes.create({ cwd, name: `lane-${parent.slice(-8)}` });
  const begin = (body: object) =>
    agent.sessions.create({ agent: "scripted", prompt: "[[write]] go", wake: false, ...body });
  const worker = await begin({ lane, mode: "full-auto" });
  const waiting = await begin({ mode: "ask" });
  await daemon.waitForIdle(worker.id);
  const { inputs } = await daemon.waitUntil(waiting.id, (session) => session.inputs.length > 0);
  return { parent, token, worker: worker.id, lane, waiting: waiting.id, input: inputs[0]?.id ?? "" };
}

type Answer = { isError: boolean; text: string; status?: number; data?: Record<string, unknown> };

async function call(client: Client, name: string, args: object): Promise<Answer> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const error = result._meta?.["gantry/error"] as { status: number } | undefined;
  const text = (result.content as { text: string }[])[0]?.text ?? "";
  return { isError: result.isError === true, text, status: error?.status, data: result.structuredContent as never };
}

/** Every tool with arguments that concern the team. The last ones change the most. */
const tools: Record<string, (team: Team) => object> = {
  list_agents: () => ({}),
  list_sessions: () => ({}),
  list_lanes: () => ({}),
  start_session: () => ({ agent: "scripted", prompt: "[[text]] hi", cwd, mode: "plan" }),
  read_session: ({ worker }) => ({ session: worker, part: "diff" }),
  wait_for_session: ({ worker }) => ({ session: worker, seconds: 20 }),
  send_message: ({ worker }) => ({ session: worker, text: "[[text]] more", wait: true }),
  compare_lanes: ({ lane }) => ({ lanes: [lane] }),
  interrupt_session: ({ worker }) => ({ session: worker }),
  answer_input: ({ input }) => ({ input, decision: "deny" }),
  land_lane: ({ lane }) => ({ lane }),
};
const GRANTED = ["answer_input", "land_lane"];
const OF_NO_SESSION = ["list_agents", "list_sessions", "list_lanes", "start_session"];

const callers = {
  owner: { connect: () => connect(daemon.daemon.token), refused: GRANTED },
  "owner with the grant": { connect: () => connect(daemon.daemon.token, { lead: true }), refused: [] },
  session: { connect: ({ token }: Team) => connect(token), refused: GRANTED },
  lead: {
    connect: async ({ parent, token }: Team) => {
      await daemon.client.sessions.patch(parent, { lead: true });
      return connect(token);
    },
    refused: [],
  },
  "foreign session": {
    connect: async () => connect((await openTeam()).token, { lead: true }),
    refused: Object.keys(tools).filter((name) => !OF_NO_SESSION.includes(name)),
  },
} satisfies Record<string, { connect: (team: Team) => Promise<Client>; refused: string[] }>;

describe.each(Object.entries(callers))("%s", (kind, { connect: open, refused }) => {
  it("may use exactly its tools, and a refusal has the reason", { timeout: 120_000 }, async () => {
    const team = await openTeam();
    const client = await open(team);
    const isGranted = !(refused as string[]).includes("answer_input");
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    const expected = Object.keys(tools).filter((name) => isGranted || !GRANTED.includes(name));
    expect(listed.sort()).toEqual(expected.sort());
    for (const [name, argsOf] of Object.entries(tools)) {
      const answer = await call(client, name, argsOf(team));
      const isRefused = (refused as string[]).includes(name);
      expect([name, answer.isError, answer.status], answer.text).toEqual([
        name,
        isRefused,
        isRefused ? 403 : undefined,
      ]);
      if (isRefused) expect(answer.text).toContain("not_permitted");
    }
    const worker = await daemon.client.sessions.get(team.worker);
    if (kind === "foreign session") expect(worker.turns).toBe(1);
    const landed = execFileSync("git", ["ls-files"], { cwd, encoding: "utf8" });
    if (refused.length > 0) expect((await daemon.client.sessions.get(team.waiting)).inputs).toHaveLength(1);
    else expect(landed).toContain("hello.txt");
    // The next caller starts from the same base.
    execFileSync("git", ["reset", "-q", "--hard", "start"], { cwd });
    await daemon.client.sessions.interrupt(team.waiting);
  });
});

it("lists only the sessions and lanes of the caller's family", async () => {
  const [team, other] = [await openTeam(), await openTeam()];
  const client = await connect(team.token);
  const sessions = JSON.stringify((await call(client, "list_sessions", {})).data);
  const lanes = JSON.stringify((await call(client, "list_lanes", {})).data);
  expect([sessions.includes(team.worker), sessions.includes(other.worker)]).toEqual([true, false]);
  expect([lanes.includes(team.lane), lanes.includes(other.lane)]).toEqual([true, false]);
  const { resources } = await client.listResources();
  expect(JSON.stringify(resources)).toContain(team.worker);
  expect(JSON.stringify(resources)).not.toContain(other.worker);
  for (const uri of [`gantry://session/${other.worker}/diff`, `gantry://lane/${other.lane}/diff`])
    await expect(client.readResource({ uri })).rejects.toThrow("not_permitted");
});

it("gives a session no more permission, folders and lanes than it has", async () => {
  const other = await openTeam();
  const client = await connect((await openSession("ask")).token);
  const begin = (more: object) => call(client, "start_session", { agent: "scripted", prompt: "[[text]] hi", ...more });
  for (const more of [{ mode: "full-auto" }, { cwd: "/" }, { lane: other.lane }])
    expect((await begin(more)).isError).toBe(true);
  expect((await begin({ mode: "ask" })).isError).toBe(false);
});

it("is refused without a valid token, from other sites, and for what is no message", async () => {
  const ask = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}') =>
    fetch(new URL("/mcp", daemon.daemon.url), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body,
    });
  const owner = { authorization: `Bearer ${daemon.daemon.token}` };
  const { parent, token } = await openTeam();
  expect((await ask({})).status).toBe(401);
  expect((await ask({ authorization: "Bearer wrong" })).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(200);
  await daemon.client.sessions.patch(parent, { archived: true });
  expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401);
  expect((await ask({ ...owner, origin: "https://evil.example" })).status).toBe(403);
  expect((await ask(owner, "{")).status).toBe(400);
  expect((await ask(owner, '{"method":"tools/list"}')).status).toBe(422);
  expect((await ask({ ...owner, "content-type": "text/plain" })).status).toBe(errorTable.unsupported_media);
  const other = await fetch(new URL("/mcp", daemon.daemon.url), { headers: owner });
  expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"]);
});

it("ends the calls of a client whose token is revoked", async () => {
  const { parent, token, worker } = await openTeam();
  const client = await connect(token);
  await daemon.client.sessions.patch(parent, { archived: true });
  for (const [name, argsOf] of Object.entries(tools))
    await expect(call(client, name, argsOf({ worker, lane: "lan_x", input: "inp_x" } as Team))).rejects.toThrow();
});

it("notifies a subscribed client when a person gives or revokes the grant", { timeout: 60_000 }, async () => {
  const { parent, token } = await openTeam();
  let changes = 0;
  const client = await connect(token, {
    era: "auto",
    onToolsChanged: () => {
      changes += 1;
    },
  });
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const names = async () => (await client.listTools(undefined, { cacheMode: "refresh" } as never)).tools.length;
  expect(await names()).toBe(9);
  await daemon.client.sessions.patch(parent, { lead: true });
  await expect.poll(() => changes, { timeout: 20_000 }).toBe(1);
  expect(await names()).toBe(11);
  await daemon.client.sessions.patch(parent, { lead: false });
  await expect.poll(() => changes, { timeout: 20_000 }).toBe(2);
  expect(await names()).toBe(9);
});

it("reports progress while it waits, and ends the call when the client disconnects", { timeout: 60_000 }, async () => {
  const session = await daemon.session("scripted", "[[hang]] go", { mode: "ask" });
  for (const era of ["legacy", "auto"] as const) {
    const client = await connect(daemon.daemon.token, { era });
    const first = Promise.withResolvers<string>();
    const waiting = client.callTool(
      { name: "wait_for_session", arguments: { session: session.id } },
      { onprogress: ({ message }) => first.resolve(message ?? "") },
    );
    waiting.catch(() => undefined);
    expect(await first.promise).not.toBe("");
    await client.close();
    await expect(waiting).rejects.toThrow();
  }
  await daemon.client.sessions.interrupt(session.id);
});

it("lets a lead run a team: start in lanes, wait, compare and land", { timeout: 60_000 }, async () => {
  const { parent, token } = await openSession("full-auto");
  await daemon.client.sessions.patch(parent, { lead: true });
  const client = await connect(token);
  const begin = (lane: string, prompt: string) =>
    call(client, "start_session", { agent: "scripted", prompt, lane, mode: "full-auto", wait: true });
  const workers = [await begin("team-a", "[[write]] go"), await begin("team-b", "[[text]] go")];
  for (const { data, text } of workers) expect(data, text).toMatchObject({ result: { state: "completed" } });
  const compared = await call(client, "compare_lanes", { lanes: ["team-a", "team-b"], patch: true });
  expect(compared.text).toContain("+hello world");
  const [{ lane } = { lane: "" }] = (compared.data?.lanes ?? []) as { lane: string }[];
  expect((await call(client, "land_lane", { lane })).text).toContain("on main: done");
  expect(execFileSync("git", ["ls-files"], { cwd, encoding: "utf8" })).toContain("hello.txt");
  execFileSync("git", ["reset", "-q", "--hard", "start"], { cwd });
  // An owner over HTTP has no folder in which a name could be looked up.
  const owner = await connect(daemon.daemon.token);
  const nowhere = await call(owner, "start_session", { agent: "scripted", prompt: "[[text]] go", lane: "team-a" });
  expect(nowhere.text).toContain("with `cwd`");
});
