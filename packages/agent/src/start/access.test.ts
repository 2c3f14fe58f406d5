import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalStore } from "@gantry/models";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type StartedAgent, startAgent } from "./start-agent.ts";

const ONE = "sk-first-key-of-the-test";
const TWO = "sk-second-key-of-the-test";

let home: string;
let cwd: string;
let agentDir: string;
let model: ScriptedModel;
let gate: Server;
/** What is answered to whom comes with a key, instead of the model's answer. */
let refused: Map<string, { status: number; body: object; headers?: Record<string, string> }>;
/** The keys in the order in which they came. */
let came: string[];
const started: StartedAgent[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-access-"));
  cwd = join(home, "project");
  agentDir = join(home, "agent");
  for (const folder of [cwd, agentDir]) mkdirSync(folder);
  model = await startScriptedModel();
  refused = new Map();
  came = [];
  gate = await openGate();
  const { port } = gate.address() as AddressInfo;
  writeFileSync(
    join(agentDir, "models.yml"),
    `providers:
  scripted:
    baseUrl: http://127.0.0.1:${port}/v1
    api: openai-completions
    apiKeyEnv: NOBODY_SETS_THIS
    models: [{ id: m, contextWindow: 200000, maxTokens: 8192 }]
`,
  );
});

afterEach(async () => {
  for (const { session, registry, credentials } of started.splice(0)) {
    await session.dispose();
    registry.close();
    credentials.close();
  }
  gate.closeAllConnections();
  gate.close();
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

/** A provider that looks at keys, in front of the model. */
function openGate(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const key = (request.headers.authorization ?? "").replace("Bearer ", "");
    came.push(key);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const no = refused.get(key);
    if (no) {
      response.writeHead(no.status, { "content-type": "application/json", ...no.headers });
      return void response.end(JSON.stringify(no.body));
    }
    const answer = await fetch(`${model.url}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const env = () => ({ PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir });

async function keep(...keys: string[]): Promise<void> {
  // Without a PATH, and therefore without the keychain of the user that runs the tests.
  const store = openLocalStore({ ...env(), PATH: "" }, agentDir);
  for (const key of keys) await store.put("scripted", { type: "api_key", key });
  store.close();
}

async function start(): Promise<StartedAgent> {
  const agent = await startAgent({ env: env(), home, cwd, model: "scripted/m", mode: "full-auto" });
  started.push(agent);
  return agent;
}

async function sendPrompt({ session }: StartedAgent, text: string): Promise<string | null> {
  await session.prompt(text);
  await session.waitUntilSettled();
  return session.lastAssistantText();
}

const rate = { error: { message: "Rate limit reached.", type: "rate_limit_error", code: "rate_limit_exceeded" } };
const bad = { error: { message: "Incorrect API key.", type: "invalid_request_error", code: "invalid_api_key" } };

describe("two keys of one provider", () => {
  it.each([
    ["rests when it had too much", { status: 429, body: rate, headers: { "retry-after": "3600" } }],
    ["is left out when it is refused", { status: 401, body: bad }],
  ])("the first %s, and the second is used from then on", async (_, answer) => {
    await keep(ONE, TWO);
    const agent = await start();
    await sendPrompt(agent, "[[text]] which key answers?");
    const [first] = came;
    const second = first === ONE ? TWO : ONE;
    refused.set(first!, answer);
    came.length = 0;
    expect(await sendPrompt(agent, "[[text]] and now?")).toContain("42");
    expect(came).toEqual([first, second]);
    came.length = 0;
    expect(await sendPrompt(agent, "[[text]] and then?")).toContain("42");
    expect(came).toEqual([second]);
    const rows = agent.credentials.rows();
    expect(rows.filter((row) => row.disabledCause !== undefined || row.restingUntil > Date.now())).toHaveLength(1);
    const another = await start();
    came.length = 0;
    expect(await sendPrompt(another, "[[text]] in another session")).toContain("42");
    expect(came).toEqual([second]);
  });

  it("that are both refused end the run with the provider's message", async () => {
    await keep(ONE, TWO);
    for (const key of [ONE, TWO]) refused.set(key, { status: 401, body: bad });
    const agent = await start();
    await sendPrompt(agent, "[[text]] hello");
    expect(came.toSorted()).toEqual([ONE, TWO]);
    const last = agent.session.messages().at(-1);
    expect(last).toMatchObject({ role: "assistant", failure: { category: "auth" } });
    expect(JSON.stringify(last)).not.toContain("sk-");
  });
});

describe("the key of a model request", () => {
  it("is redacted in requests when a tool reads it, and stays in the tool's result", async () => {
    writeFileSync(join(agentDir, "config.yml"), "secrets: { enabled: true }\n");
    writeFileSync(join(cwd, "script.sh"), `echo "the key is ${ONE}."\n`);
    await keep(ONE);
    const agent = await start();
    await sendPrompt(agent, "[[script]] run it");
    const sent = model.requests().map(({ body }) => JSON.stringify(body));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.join("\n")).not.toContain(ONE);
    expect(sent.at(-1)).toMatch(/the key is #\w{8}#\./);
    expect(JSON.stringify(agent.session.messages())).toContain(`the key is ${ONE}.`);
  });
});
