import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCredentials, openLocalStore } from "../credentials.ts";
import { refreshWith } from "../oauth/tokens.ts";
import { clock } from "../rotation.ts";
import { localSource } from "../store/local.ts";
import type { CredentialStore } from "../store/store.ts";
import type { CredentialSource } from "../stored-credential.ts";
import { type OAuthServer, startOAuthServer } from "../testing/oauth-server.ts";
import { brokerAddress } from "./address.ts";
import { brokerSource } from "./client.ts";
import { localCredentials, uploadToBroker } from "./migrate.ts";
import { type Broker, serveBroker } from "./server.ts";
import { brokerToken } from "./token.ts";

const token = "broker-token-1";
let agentDir = "";
let oauth: OAuthServer;
let store: CredentialStore;
let broker: Broker;
const opened: CredentialSource[] = [];

beforeEach(async () => {
  agentDir = mkdtempSync(join(tmpdir(), "broker-"));
  oauth = await startOAuthServer();
  store = openLocalStore({ GANTRY_KEYCHAIN: "off" }, agentDir);
  await store.put("openai", { type: "api_key", key: "sk-brokered-key" });
  const login = { type: "oauth", access: "old-access-token", refresh: "first-refresh-token", expires: 1 } as const;
  await store.put("anthropic", login, "me");
  broker = await serveBroker({ source: localSource(store, refreshWith([oauth.row()]), clock), token });
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await broker.close();
  await oauth.close();
  store.close();
  rmSync(agentDir, { recursive: true, force: true });
});

const client = (time = clock) => {
  const source = brokerSource({ url: broker.url, token, clock: time, pollMs: 20 });
  opened.push(source);
  return openCredentials({ env: {}, source, clock: time });
};
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${broker.url}${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
const post = (path: string, body: unknown) =>
  call(path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });

test("gives clients the credentials without refresh tokens, and refreshes for them", async () => {
  const credentials = client();
  await credentials.ready();
  expect(credentials.has("openai")).toBe(true);
  expect(await credentials.get("openai")).toEqual({ kind: "key", key: "sk-brokered-key" });
  expect(await credentials.get("anthropic")).toMatchObject({ kind: "oauth", token: expect.stringMatching(/^access-/) });
  const sent = await (await call("/v1/snapshot")).text();
  expect(sent).toContain('"__remote__"');
  expect(sent).not.toMatch(/first-refresh-token|refresh-[0-9a-f]{12}/);
  expect(oauth.asked.refreshed).toBe(1);
});

test("lists rows without secrets, and prefers this machine's models.yml over the broker", async () => {
  const credentials = client();
  await credentials.ready();
  expect(credentials.rows()).toHaveLength(2);
  expect(JSON.stringify(credentials.rows())).not.toMatch(/sk-brokered-key|access-token/);
  const source = brokerSource({ url: broker.url, token, clock });
  opened.push(source);
  const fallback = { has: () => true, get: async () => "yml-key" };
  const local = openCredentials({ env: {}, source, remote: true, fallback });
  expect(await local.get("openai")).toEqual({ kind: "key", key: "yml-key" });
});

test("refreshes once for many clients, and not again right after a refresh", async () => {
  oauth.slow = 100;
  const tokens = await Promise.all([client(), client(), client()].map((one) => one.get("anthropic")));
  expect(new Set(tokens.map((one) => JSON.stringify(one))).size).toBe(1);
  const { token: access } = tokens[0] as { token: string };
  for (let time = 0; time < 5; time++) await post("/v1/credential/2/refresh", { access });
  expect(oauth.asked.refreshed).toBe(1);
});

test("shares a reported rejection, so that all clients let the credential cool down", async () => {
  const [one, two] = [client(), client()];
  await two.ready();
  const credential = (await one.get("openai"))!;
  one.report("openai", credential, { category: "rate_limited", message: "slow", retryAfterMs: 60_000 });
  expect(one.readyAt("openai")).toBeGreaterThan(Date.now());
  await vi.waitFor(() => expect(two.readyAt("openai")).toBeGreaterThan(Date.now()));
});

test("passes added and removed credentials on to clients", async () => {
  const credentials = client();
  await credentials.ready();
  await store.put("groq", { type: "api_key", key: "gsk-later-key" });
  await vi.waitFor(() => expect(credentials.has("groq")).toBe(true));
  store.remove([1]);
  await vi.waitFor(() => expect(credentials.has("openai")).toBe(false));
});

test("uses the last tokens while the broker is down, reports when they expire, and recovers with the broker", async () => {
  let now = Date.now();
  const credentials = client({ ...clock, now: () => now });
  const before = await credentials.get("anthropic");
  const port = Number(new URL(broker.url).port);
  await broker.close();
  expect(await credentials.get("anthropic")).toEqual(before);
  expect(await credentials.get("openai")).toMatchObject({ kind: "key" });
  now += 2 * 3_600_000;
  await expect(credentials.get("anthropic")).rejects.toThrow(/anthropic.*broker at 127\.0\.0\.1:\d+ does not answer/);
  await vi.waitFor(() => expect(credentials.problems().join()).toContain("does not answer"));
  broker = await serveBroker({ source: localSource(store, refreshWith([oauth.row()]), clock), token, port });
  await vi.waitFor(() => expect(credentials.problems()).toEqual([]));
  expect(await credentials.get("anthropic")).toMatchObject({ kind: "oauth" });
});

test("rejects a wrong token without echoing it, limits guessing, and still accepts the right token", async () => {
  const sendWrongToken = () => fetch(`${broker.url}/v1/snapshot`, { headers: { Authorization: "Bearer guess" } });
  const first = await sendWrongToken();
  expect(first.status).toBe(401);
  expect(await first.text()).not.toContain(token);
  expect((await fetch(`${broker.url}/v1/snapshot`)).status).toBe(401);
  for (let time = 0; time < 18; time++) await sendWrongToken();
  expect((await sendWrongToken()).status).toBe(429);
  expect((await call("/v1/snapshot")).status).toBe(200);
  const source = brokerSource({ url: broker.url, token: "guess-number-2", clock });
  opened.push(source);
  const credentials = openCredentials({ env: {}, source });
  await credentials.ready();
  expect(credentials.problems().join()).toMatch(/answered 4/);
  expect(credentials.problems().join()).not.toContain("guess-number-2");
});

test("answers bad input with 400 and unknown paths with 404, and keeps running", async () => {
  const bad = [
    post("/v1/credential/2/refresh", "{nonsense"),
    post("/v1/credential/2/refresh", { access: 5 }),
    post("/v1/credential/2/refresh", { access: "x", more: 1 }),
    post("/v1/credential/1/report", { outcome: "failure", category: "weather", message: "" }),
    post("/v1/credential/1/report", []),
    post("/v1/credential/1/report", `{"outcome":"${"x".repeat(100_000)}"}`),
    call("/v1/snapshot?since=a&wait=never"),
  ];
  expect((await Promise.all(bad)).map(({ status }) => status)).toEqual(Array(7).fill(400));
  const lost = [
    post("/v1/credential/99/refresh", {}),
    post("/v1/credential/x/refresh", {}),
    call("/"),
    call("/v1/credentials/1"),
  ];
  expect((await Promise.all(lost)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await call("/v1/credential/1/report")).status).toBe(405);
  expect((await post("/v1/credential/1/refresh", { access: "x" })).status).toBe(409);
  expect((await call("/v1/snapshot")).status).toBe(200);
});

test("rejects requests with a foreign Host or with an Origin", async () => {
  const { port } = new URL(broker.url);
  const status = (headers: Record<string, string>) =>
    new Promise((resolve) => {
      const asked = httpRequest(
        { port, path: "/v1/snapshot", headers: { authorization: `Bearer ${token}`, ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asked.end();
    });
  expect(await status({ host: "evil.example" })).toBe(403);
  expect(await status({ origin: "https://evil.example" })).toBe(403);
  expect(await status({ host: `localhost:${port}` })).toBe(200);
});

test("answers a long poll when a credential changes", async () => {
  const { version } = (await (await call("/v1/snapshot")).json()) as { version: string };
  const waiting = call(`/v1/snapshot?since=${version}&wait=20`);
  await store.put("groq", { type: "api_key", key: "gsk-later-key" });
  const changed = (await (await waiting).json()) as { version: string; credentials: unknown[] };
  expect(changed.version).not.toBe(version);
  expect(changed.credentials).toHaveLength(3);
});

test("prefers the environment's broker address over config.yml, and rejects an incomplete one", () => {
  const folder = join(agentDir, "settings");
  mkdirSync(folder);
  expect(brokerAddress({}, folder)).toBeUndefined();
  writeFileSync(join(folder, "config.yml"), "auth:\n  broker:\n    url: http://127.0.0.1:1\n    token: from-file\n");
  expect(brokerAddress({}, folder)).toEqual({ url: "http://127.0.0.1:1", token: "from-file" });
  expect(brokerAddress({ GANTRY_AUTH_BROKER_TOKEN: "from-env" }, folder)?.token).toBe("from-env");
  writeFileSync(join(folder, "config.yml"), "auth: {broker: [");
  expect(() => brokerAddress({}, folder)).toThrow("configures a broker but is invalid");
  rmSync(join(folder, "config.yml"));
  expect(() => brokerAddress({ GANTRY_AUTH_BROKER_URL: "http://127.0.0.1:1" }, folder)).toThrow("without a token");
  const credentials = openCredentials({
    env: { GANTRY_AUTH_BROKER_URL: "nonsense", OPENAI_API_KEY: "k" },
    agentDir: folder,
  });
  expect(credentials.problems().join()).toContain("nonsense");
  expect(credentials.rows()).toEqual([]);
});

test("creates the broker token once, readable by its owner only", () => {
  const first = brokerToken(join(agentDir, "new"));
  expect(first.made).toBe(true);
  expect(statSync(first.file).mode & 0o777).toBe(0o600);
  expect(brokerToken(join(agentDir, "new"))).toEqual({ ...first, made: false });
});

test("stores uploaded credentials once each, and answers health checks without a token", async () => {
  expect(await (await fetch(`${broker.url}/v1/healthz`)).json()).toEqual({ ok: true });
  await store.put("groq", { type: "api_key", key: "gsk-of-the-machine" });
  const elsewhere = mkdtempSync(join(tmpdir(), "broker-"));
  const remote = openLocalStore({ GANTRY_KEYCHAIN: "off" }, elsewhere);
  const second = await serveBroker({ source: localSource(remote, refreshWith([oauth.row()]), clock), token });
  await store.put("mcp:far", { type: "oauth", access: "a", refresh: "r", expires: 1, state: "{}" });
  const local = await localCredentials(store, { XAI_API_KEY: "xai-of-the-environment" });
  expect(local.map(({ provider }) => provider).toSorted()).toEqual(["anthropic", "groq", "openai", "xai"]);
  for (const one of [...local, ...local]) await uploadToBroker({ url: second.url, token }, one);
  expect(
    remote
      .rows()
      .map(({ provider }) => provider)
      .toSorted(),
  ).toEqual(["anthropic", "groq", "openai", "xai"]);
  const wrong = uploadToBroker({ url: second.url, token: "another" }, local[0]!);
  await expect(wrong).rejects.toThrow(/status 401/);
  await expect(uploadToBroker({ url: "http://127.0.0.1:9", token }, local[0]!)).rejects.toThrow(/does not answer/);
  await second.close();
  remote.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

test("rejects an invalid credential, and a login whose refresh token belongs to another broker", async () => {
  const login = { type: "oauth", access: "a", refresh: "__remote__", expires: 1 };
  for (const body of [
    {},
    { provider: "x/../y", data: { type: "api_key", key: "sk-test" } },
    { provider: "x", data: login },
  ])
    expect((await post("/v1/credential", body)).status).toBe(400);
  expect(store.rows()).toHaveLength(2);
});

test("does not serve logins at MCP servers", async () => {
  await store.put("mcp:far", { type: "oauth", access: "mcp-access", refresh: "mcp-refresh", expires: 1, state: "{}" });
  expect(await (await call("/v1/snapshot")).text()).not.toContain("mcp");
});
