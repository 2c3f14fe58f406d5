import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OAuthServer, startOAuthServer } from "../testing/oauth-server.ts";
import { oauthProviders } from "./built-in.ts";
import { type LoginOptions, login } from "./login.ts";
import { type LoginUi, loginMethods } from "./oauth-provider.ts";
import { finishLogin } from "./tokens.ts";

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuthServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.device = { answers: [], interval: 0, expiresIn: 60 };
});

const silent: LoginUi = {
  openUrl: () => {},
  // No user can paste a code.
  askCode: async () => undefined,
  progress: () => {},
};
const withUi = (ui: Partial<LoginUi>, more: Partial<LoginOptions> = {}): LoginOptions => ({
  method: "browser",
  ui: { ...silent, ...ui },
  ...more,
});
const redirectOf = (url: string) => new URL(url).searchParams.get("redirect_uri") ?? "";
const LOGGED_IN = {
  ok: true,
  data: { type: "oauth", access: expect.stringMatching(/^access-/), email: "me@example.com" },
};

test.each(["json", "form"] as const)("logs in with a browser, with token requests encoded as %s", async (body) => {
  let page = 0;
  const ui = {
    openUrl: async (url: string) => {
      page = (await server.visit(url)).status;
    },
  };
  const result = await login(server.row({ body }), withUi(ui));
  expect(result).toMatchObject(LOGGED_IN);
  expect(page).toBe(200);
});

test("rejects a redirect with a wrong state, accepts the right one once, and then closes the port", async () => {
  const seen: number[] = [];
  let back = "";
  const ui = {
    openUrl: async (url: string) => {
      seen.push((await server.visit(url, { state: "forged" })).status);
      seen.push((await fetch(`${redirectOf(url)}?code=stolen`)).status);
      seen.push(
        (await fetch(`${redirectOf(url)}?code=x&state=${new URL(url).searchParams.get("state")}`, { method: "POST" }))
          .status,
      );
      const good = await server.visit(url);
      back = good.back;
      seen.push(good.status, (await fetch(back)).status);
    },
  };
  expect(await login(server.row(), withUi(ui))).toMatchObject(LOGGED_IN);
  expect(seen).toEqual([400, 400, 400, 200, 400]);
  await expect(fetch(back)).rejects.toThrow();
});

test("reports a login that the user denied", async () => {
  const ui = { openUrl: async (url: string) => void (await server.visit(url, { deny: true })) };
  expect(await login(server.row(), withUi(ui))).toMatchObject({ ok: false, reason: "denied" });
});

test("accepts a pasted URL, code#state or code, and rejects another state", async () => {
  const paste = async (text: (back: URL) => string) => {
    let back = "";
    const ui = {
      openUrl: async (url: string) => {
        const sent = await fetch(url, { redirect: "manual" });
        back = sent.headers.get("location") ?? "";
      },
      askCode: async () => text(new URL(back)),
    };
    return login(server.row(), withUi(ui, { method: "paste" }));
  };
  const field = (url: URL, name: string) => url.searchParams.get(name) ?? "";
  expect(await paste((back) => ` ${back.href}\n`)).toMatchObject(LOGGED_IN);
  expect(await paste((back) => `${field(back, "code")}#${field(back, "state")}`)).toMatchObject(LOGGED_IN);
  expect(await paste((back) => field(back, "code"))).toMatchObject(LOGGED_IN);
  expect(await paste((back) => `${field(back, "code")}#other`)).toMatchObject({ ok: false, reason: "state" });
  expect(await paste(() => "nonsense")).toMatchObject({ ok: false, reason: "refused", message: /invalid_grant/ });
  expect(await paste(() => "")).toMatchObject({ ok: false, reason: "refused" });
});

test("cancels the prompt for a code when the browser returns", async () => {
  let ended = false;
  const ui = {
    openUrl: async (url: string) => void (await server.visit(url)),
    askCode: (_prompt: string, signal: AbortSignal) =>
      new Promise<undefined>((resolve) =>
        signal.addEventListener("abort", () => {
          ended = true;
          resolve(undefined);
        }),
      ),
  };
  expect(await login(server.row(), withUi(ui))).toMatchObject(LOGGED_IN);
  expect(ended).toBe(true);
});

test("settles and closes the port when the login is aborted or times out", async () => {
  const control = new AbortController();
  let redirect = "";
  const ui = {
    openUrl: (url: string) => {
      redirect = redirectOf(url);
      control.abort();
    },
  };
  expect(await login(server.row(), withUi(ui, { signal: control.signal }))).toMatchObject({ reason: "aborted" });
  await expect(fetch(redirect)).rejects.toThrow();
  expect(await login(server.row(), withUi({}, { timeoutMs: 20 }))).toMatchObject({ reason: "expired" });
  expect(await login(server.row(), withUi({}, { method: "device", signal: control.signal }))).toMatchObject({
    reason: "aborted",
  });
  const stuck = { openUrl: () => new Promise<void>(() => {}) };
  expect(await login(server.row(), withUi(stuck, { timeoutMs: 20 }))).toMatchObject({ reason: "expired" });
  const broken = { openUrl: () => Promise.reject(new Error("no screen")) };
  expect(await login(server.row(), withUi(broken))).toMatchObject({ reason: "refused", message: "no screen" });
});

test("suggests pasting the code when another program uses the port", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { authorize } = server.row();
  const result = await login(server.row({ authorize: { ...authorize!, port } }), withUi({}));
  expect(result).toMatchObject({ reason: "port", message: /paste/ });
  other.close();
});

test("polls while a device code is pending, then logs in", async () => {
  server.device.answers = [{ error: "authorization_pending" }, { error: "authorization_pending" }];
  const shown: string[] = [];
  const ui = { openUrl: (url: string, instructions: string) => void shown.push(url, instructions) };
  expect(await login(server.row(), withUi(ui, { method: "device" }))).toMatchObject(LOGGED_IN);
  expect(shown).toEqual([`${server.url}/activate`, expect.stringContaining("ABCD-1234")]);
});

test("waits for the longer interval after slow_down", async () => {
  server.device.answers = [{ error: "slow_down" }];
  server.device.expiresIn = 2;
  // The interval grows to five seconds and the code expires before that, so exactly one poll is sent.
  server.asked.grants = [];
  expect(await login(server.row(), withUi({}, { method: "device" }))).toMatchObject({ reason: "expired" });
  expect(server.asked.grants).toHaveLength(1);
});

test.each([
  ["expired_token", "expired"],
  ["access_denied", "denied"],
  ["invalid_client", "refused"],
])("maps the device code error %s to %s", async (error, reason) => {
  server.device.answers = [{ error }];
  expect(await login(server.row(), withUi({}, { method: "device" }))).toMatchObject({ ok: false, reason });
});

test("never opens a verification address that is not a web page", async () => {
  const answer = { device_code: "d", user_code: "u", verification_uri: "file:///etc/passwd" };
  const fake = async () => Response.json(answer);
  const opened: string[] = [];
  const ui = { openUrl: (url: string) => void opened.push(url) };
  expect(await login(server.row(), withUi(ui, { method: "device", fetch: fake }))).toMatchObject({
    reason: "refused",
  });
  expect(opened).toEqual([]);
});

test("reports invalid responses and an unreachable server without leaking the code", async () => {
  for (const [reply, expected] of [
    [() => new Response("<html>", { status: 502 }), /answered 502/],
    [() => Response.json({ access_token: 5 }), /sent no token/],
    [() => Response.json({ access_token: "a" }), /sent no refresh token/],
    [
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
      /could not be reached: ECONNREFUSED/,
    ],
  ] as const) {
    const result = await login(
      server.row(),
      withUi({ askCode: async () => "a-code" }, { method: "paste", fetch: async () => reply() }),
    );
    expect(result).toMatchObject({ reason: "refused", message: expected });
    expect(JSON.stringify(result)).not.toContain("a-code");
  }
});

test("exchanges a long-lived token and stores it for the next exchange", async () => {
  const trade = { url: "https://example.test/trade", headers: { "X-Client": "c" } };
  const authorizations: unknown[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    authorizations.push(new Headers(init?.headers).get("Authorization"));
    return Response.json({ token: "short", expires_at: 2_000_000_000 });
  };
  const response = { ok: true as const, body: { access_token: "long-lived" } };
  const signal = new AbortController().signal;
  expect(await finishLogin(server.row({ trade }), response, fetch as typeof globalThis.fetch, signal)).toEqual({
    ok: true,
    data: { type: "oauth", access: "short", refresh: "long-lived", expires: 2_000_000_000_000 },
  });
  expect(authorizations).toEqual(["Bearer long-lived"]);
});

test("reads the account from the tokens, and offers Google only with a client id in the environment", () => {
  const jwt = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
  const rows = oauthProviders({});
  expect(rows.map((row) => [row.provider, loginMethods(row).join()])).toEqual([
    ["anthropic", "browser,paste"],
    ["openai-codex", "browser,paste"],
    ["github-copilot", "device"],
    ["xai", "device"],
  ]);
  const codex = rows[1]!.describe!({
    access_token: jwt({ "https://api.openai.com/auth": { chatgpt_account_id: "acc" } }),
    id_token: jwt({ email: "me@example.com" }),
  });
  expect(codex).toEqual({ accountId: "acc", email: "me@example.com" });
  expect(rows[1]!.describe!({ access_token: "nonsense" })).toEqual({});
  const google = oauthProviders({ GANTRY_GOOGLE_CLIENT_ID: "g", GOOGLE_CLOUD_PROJECT: "p" }).find(
    (row) => row.provider === "google",
  );
  expect(google?.describe?.({})).toMatchObject({ projectId: "p" });
});
