import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Session } from "@gantry/protocol";
import { writeFakeAgent } from "@gantry/testkit";
import { afterEach, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const open: TestDaemon[] = [];
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
  for (const close of closing.splice(0)) await close();
});

async function startDaemon(config = "", env: Record<string, string> = {}): Promise<TestDaemon> {
  const daemon = new TestDaemon({ config, env: { GANTRY_TEXT_HELPER: "", ...env } });
  open.push(daemon);
  return daemon.start();
}

const PROMPT = "Repair the lamp. [[say:Lighthouse Lamp Repair]]";
const byModel = ({ titleBy }: Session) => titleBy === "model";
const helperRows = async (daemon: TestDaemon) =>
  (await daemon.client.call("usage", { query: { by: "session,agent,model" } })).rows.filter(
    ({ session }) => session === "scribe",
  );

it("titles a session with the small model of its agent, without any configuration", async () => {
  const daemon = await startDaemon();
  const { id, titleBy } = await daemon.session("claude", PROMPT);
  expect(titleBy).toBe("prompt");
  expect(await daemon.waitUntil(id, byModel)).toMatchObject({ title: "Lighthouse Lamp Repair" });
  expect(await helperRows(daemon)).toMatchObject([{ agent: "claude", turns: 1 }]);
});

it.each([
  ["the user", "titles: { model: false }", undefined],
  ["the project", "", "titles: { model: false }\n"],
  ["a project file with a mistake", "", "titles: { modell: false }\n"],
])("sends no request when %s switches it off", async (_, config, project) => {
  const daemon = await startDaemon(config);
  if (project) {
    mkdirSync(join(daemon.cwd, ".gantry"));
    writeFileSync(join(daemon.cwd, ".gantry", "project.yml"), project);
  }
  const other = join(daemon.home, "other");
  mkdirSync(other);
  const { id } = await daemon.session("claude", PROMPT);
  await daemon.waitForIdle(id);
  const second = await daemon.client.sessions.create({ agent: "claude", cwd: other, prompt: PROMPT });
  await daemon.waitForIdle(second.id);
  if (project) await daemon.waitUntil(second.id, byModel);
  expect((await daemon.client.sessions.get(id)).titleBy).toBe("prompt");
  expect(await helperRows(daemon)).toHaveLength(project ? 1 : 0);
});

it("sends no request when the session's budget is exhausted", async () => {
  const daemon = await startDaemon("budgets: { sessionUsd: 0.000001 }");
  const { id } = await daemon.session("claude", PROMPT);
  await daemon.waitForIdle(id);
  await daemon.client.settings.change({ "budgets.sessionUsd": 100 });
  expect(await helperRows(daemon)).toEqual([]);
  await daemon.client.sessions.send(id, { text: PROMPT });
  await daemon.waitUntil(id, byModel);
  expect(await helperRows(daemon)).toMatchObject([{ turns: 1 }]);
});

/** An OpenAI-compatible provider that answers every request with one text, and records the requests. */
async function startProvider(text: string, hold?: Promise<void>): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(await read(request));
    await hold;
    const chunk = (delta: object, more = {}) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 5 } })}\n\n`;
    response.end(`${chunk({ content: text })}${chunk({}, { finish_reason: "stop" })}${usage}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`, requests };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** A daemon whose only cheap model is one of this provider: Hermes names no small model. */
async function startWithKey(url: string): Promise<TestDaemon> {
  const daemon = new TestDaemon({ env: { GANTRY_TEXT_HELPER: "", TEST_KEY: "k-0123456789" } });
  open.push(daemon);
  daemon.env.GANTRY_HERMES_BIN = writeFakeAgent({ dir: join(daemon.home, "bin"), dialect: "hermes" });
  const folder = join(daemon.home, "gantry", "agent");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const cost = { input: 0.1, output: 0.4, cacheRead: 0, cacheWrite: 0 };
  const models = [{ id: "test-mini", name: "Test mini", contextWindow: 100_000, maxTokens: 4000, cost }];
  const test = { baseUrl: url, api: "openai-completions", apiKeyEnv: "TEST_KEY", models };
  writeFileSync(join(folder, "models.yml"), JSON.stringify({ providers: { test } }));
  return daemon.start();
}

it("titles a session of an agent without a small model with a key of the registry, without secrets", async () => {
  const { url, requests } = await startProvider("Harbour Bell Repair");
  const daemon = await startWithKey(url);
  const secrets = ["k-0123456789", "sk-ant-0123456789abcdef0123", "hush-hush-hush"];
  const { id } = await daemon.client.sessions.create({
    ...{ agent: "hermes", cwd: daemon.cwd, env: { MY_TOKEN: "hush-hush-hush" } },
    prompt: `[[text]] Repair the bell with ${secrets.join(" ")}`,
  });
  expect(await daemon.waitUntil(id, byModel)).toMatchObject({ title: "Harbour Bell Repair" });
  const [row] = await helperRows(daemon);
  expect(row).toMatchObject({ agent: "gantry", model: "test/test-mini", turns: 1 });
  expect(row?.usage).toMatchObject({ input: 100, output: 5 });
  const [body = ""] = requests;
  expect(requests).toHaveLength(1);
  expect(body).toContain("Repair the bell with [hidden] [hidden] [hidden]");
  for (const secret of secrets) expect(body).not.toContain(secret);
  expect(JSON.parse(body).max_completion_tokens ?? JSON.parse(body).max_tokens).toBeLessThan(2000);
});

it("does not repeat a request that a restart interrupted, and sends one after the next turn", async () => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { url, requests } = await startProvider("Harbour Bell Repair", hold);
  const daemon = await startWithKey(url);
  const { id } = await daemon.session("hermes", "[[text]] one");
  await expect.poll(() => requests.length, { timeout: 30_000 }).toBe(1);
  await daemon.stop();
  await daemon.start();
  release();
  await daemon.waitForIdle(id);
  expect(await daemon.client.sessions.get(id)).toMatchObject({ titleBy: "prompt", turns: 1 });
  await daemon.client.sessions.send(id, { text: "[[text]] two" });
  await daemon.waitUntil(id, byModel);
  expect(requests).toHaveLength(2);
});
