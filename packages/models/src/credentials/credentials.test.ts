import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProviderFailure } from "../messages.ts";
import { type CredentialsOptions, openCredentials, openLocalStore } from "./credentials.ts";
import { redact } from "./redaction.ts";
import type { LoginData } from "./stored-credential.ts";

let agentDir = "";
let now = Date.parse("2026-11-16T09:00:00Z");
const clock = { now: () => now, random: () => 0.5 };
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "credentials-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const open = (options: CredentialsOptions = {}) =>
  openCredentials({ agentDir, clock, ...options, env: { GANTRY_KEYCHAIN: "off", HOME: agentDir, ...options.env } });
const store = () => openLocalStore({ GANTRY_KEYCHAIN: "off" }, agentDir, clock.now);
const key = (text: string) => ({ type: "api_key", key: text }) as const;
const failure = (category: ProviderFailure["category"], retryAfterMs?: number): ProviderFailure => ({
  category,
  message: "no",
  retryAfterMs,
});
const login = (access: string, expires: number): LoginData => ({
  type: "oauth",
  access,
  refresh: "r",
  expires,
  accountId: "acc",
});

test("prefers the override of this run, then stored key, login, environment and models.yml", async () => {
  const written = store();
  const stored = await written.put("openai", key("stored-key"));
  const held = await written.put("openai", login("access-token", now + 3_600_000));
  const fallback = { has: (provider: string) => provider === "openai", get: async () => "yml-key" };
  const env: Record<string, string> = { OPENAI_API_KEY: "env-key" };
  const credentials = open({ env, fallback });
  const other = openCredentials({ agentDir, clock, env: { GANTRY_KEYCHAIN: "off" }, fallback });
  credentials.override("openai", "run-key");
  expect(await credentials.get("openai")).toEqual({ kind: "key", key: "run-key" });
  expect(credentials.source("openai")).toBe("this run");
  const next = open({ env, fallback });
  expect(await next.get("openai")).toEqual({ kind: "key", key: "stored-key" });
  written.remove([stored.id]);
  expect(await next.get("openai")).toEqual({ kind: "oauth", token: "access-token", accountId: "acc" });
  written.remove([held.id]);
  expect(await next.get("openai")).toEqual({ kind: "key", key: "env-key" });
  expect(next.source("openai")).toBe("OPENAI_API_KEY");
  expect(await other.get("openai")).toEqual({ kind: "key", key: "yml-key" });
  expect(other.has("openai")).toBe(true);
  expect(other.has("groq")).toBe(false);
  expect(await other.get("groq")).toBeUndefined();
  for (const one of [credentials, other, next, written]) one.close();
});

test("keeps a session on one credential, switches after a rejection, and ends with the one that is ready first", async () => {
  const written = store();
  await written.put("openai", key("key-one"));
  await written.put("openai", key("key-two"));
  const credentials = open();
  const get = async () => (await credentials.get("openai", { sessionId: "s" }))!;
  const first = await get();
  expect(await get()).toEqual(first);
  credentials.report("openai", first, failure("rate_limited", 60_000));
  const second = await get();
  expect(second).not.toEqual(first);
  expect(credentials.readyAt("openai")).toBeUndefined();
  credentials.report("openai", second, failure("quota", 10_000));
  expect(credentials.readyAt("openai")).toBe(now + 10_000);
  expect(await get()).toEqual(second);
  now += 60_001;
  // Another process sees the cooldown too; this one keeps the credential that works.
  const other = open();
  expect(other.rows().map(({ strikes }) => strikes)).toEqual([1, 1]);
  credentials.report("openai", second, "ok");
  expect(await get()).toEqual(second);
  expect(
    other
      .rows()
      .map(({ strikes }) => strikes)
      .sort(),
  ).toEqual([0, 1]);
  for (const one of [credentials, other, written]) one.close();
});

test("uses the environment while a stored key cools down, and disables the key after three rejections", async () => {
  const written = store();
  await written.put("groq", key("gsk-stored-key-1"));
  const credentials = open({ env: { GROQ_API_KEY: "env-key" } });
  for (let time = 0; time < 3; time++) {
    now += 24 * 3_600_000;
    const credential = (await credentials.get("groq"))!;
    expect(credential).toEqual({ kind: "key", key: "gsk-stored-key-1" });
    credentials.report("groq", credential, { ...failure("auth"), message: "bad key gsk-stored-key-1" });
    expect(await credentials.get("groq")).toEqual({ kind: "key", key: "env-key" });
  }
  now += 365 * 24 * 3_600_000;
  expect(await credentials.get("groq")).toEqual({ kind: "key", key: "env-key" });
  expect(written.rows()[0]?.disabledCause).toBe("Rejected 3 times: bad key [secret]");
  credentials.close();
  written.close();
});

test("ignores outcomes of unknown credentials and of other providers", async () => {
  const written = store();
  await written.put("openai", key("key-one"));
  const credentials = open();
  const credential = (await credentials.get("openai"))!;
  credentials.report("openai", { kind: "key", key: "key-one" }, failure("auth"));
  credentials.report("groq", credential, failure("auth"));
  expect(written.rows()[0]?.strikes).toBe(0);
  credentials.close();
  written.close();
});

test("refreshes an expired login once for all waiting callers and stores it", async () => {
  const written = store();
  await written.put("anthropic", login("old", now - 1));
  let asked = 0;
  const refreshLogin = async () => {
    asked++;
    return { ok: true, data: login("new-token", now + 3_600_000) } as const;
  };
  const [one, two] = [open({ refreshLogin }), open({ refreshLogin })];
  const tokens = await Promise.all([one, one, two, two].map((from) => from.get("anthropic")));
  expect(tokens.map((credential) => credential?.kind === "oauth" && credential.token)).toEqual(
    Array(4).fill("new-token"),
  );
  expect(asked).toBe(1);
  expect(redact("it was new-token")).toBe("it was [secret]");
  for (const store of [one, two, written]) store.close();
});

test("refreshes a token that is rejected early before the rejection counts", async () => {
  const written = store();
  await written.put("anthropic", login("revoked", now + 3_600_000));
  const credentials = open({
    refreshLogin: async () => ({ ok: true, data: login("fresh-token", now + 3_600_000) }),
  });
  const first = (await credentials.get("anthropic"))!;
  credentials.report("anthropic", first, failure("auth"));
  const second = (await credentials.get("anthropic"))!;
  expect(second).toMatchObject({ token: "fresh-token" });
  expect(written.rows()[0]?.strikes).toBe(0);
  credentials.report("anthropic", second, failure("auth"));
  expect(written.rows()[0]?.strikes).toBe(1);
  credentials.close();
  written.close();
});

test("falls back to another credential when a refresh fails, and disables the login when the failure is permanent", async () => {
  const written = store();
  await written.put("anthropic", login("old-token-1", now - 1));
  let permanent = false;
  const refreshLogin = async () => ({ ok: false, permanent, message: "the server has no old-token-1" }) as const;
  const credentials = open({ refreshLogin });
  await expect(credentials.get("anthropic")).rejects.toThrow(/login of anthropic \(acc\) cannot be refreshed/);
  const rich = open({ refreshLogin, env: { ANTHROPIC_API_KEY: "env-key" } });
  expect(await rich.get("anthropic")).toEqual({ kind: "key", key: "env-key" });
  permanent = true;
  await expect(credentials.get("anthropic")).rejects.toThrow("cannot be refreshed");
  expect(written.rows()[0]?.disabledCause).toContain("the server has no");
  expect(credentials.has("anthropic")).toBe(false);
  expect(await credentials.get("anthropic")).toBeUndefined();
  for (const one of [credentials, rich, written]) one.close();
});

test("uses a token that is about to expire while the provider does not respond", async () => {
  const written = store();
  await written.put("anthropic", login("last-moment", now + 5_000));
  const credentials = open({ refreshLogin: async () => ({ ok: false, permanent: false, message: "no network" }) });
  expect(await credentials.get("anthropic")).toMatchObject({ token: "last-moment" });
  now += 5_001;
  await expect(credentials.get("anthropic")).rejects.toThrow("no network");
  credentials.close();
  written.close();
});
