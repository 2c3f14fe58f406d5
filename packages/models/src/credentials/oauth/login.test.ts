import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OAuthServer, startOAuthServer } from "../testing/oauth-server.ts";
import { type LoginOptions, type LoginTalk, login } from "./login.ts";
import { oauthRows } from "./providers.ts";
import { waysOf } from "./row.ts";
import { loginOf } from "./tokens.ts";

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuthServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.device = { answers: [], interval: 0, expiresIn: 60 };
});

const silent: LoginTalk = {
  openUrl: () => {},
  // Nobody is there to paste anything.
  askCode: async () => undefined,
  progress: () => {},
};
const withTalk = (talk: Partial<LoginTalk>, more: Partial<LoginOptions> = {}): LoginOptions => ({
  way: "browser",
  talk: { ...silent, ...talk },
  ...more,
});
const redirectOf = (url: string) => new URL(url).searchParams.get("redirect_uri") ?? "";
const LOGGED_IN = {
  ok: true,
  data: { type: "oauth", access: expect.stringMatching(/^access-/), email: "me@example.com" },
};

test.each(["json", "form"] as const)("a login in the browser, told as %s", async (body) => {
  let page = 0;
  const talk = {
    openUrl: async (url: string) => {
      page = (await server.visit(url)).status;
    },
  };
  const result = await login(server.row({ body }), withTalk(talk));
  expect(result).toMatchObject(LOGGED_IN);
  expect(page).toBe(200);
});

test("an answer with a wrong state changes nothing, the right one is taken once, and then nobody listens", async () => {
  const seen: number[] = [];
  let back = "";
  const talk = {
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
  expect(await login(server.row(), withTalk(talk))).toMatchObject(LOGGED_IN);
  expect(seen).toEqual([400, 400, 400, 200, 400]);
  await expect(fetch(back)).rejects.toThrow();
});

test("a login that is denied says so", async () => {
  const talk = { openUrl: async (url: string) => void (await server.visit(url, { deny: true })) };
  expect(await login(server.row(), withTalk(talk))).toMatchObject({ ok: false, reason: "denied" });
});

test("a code that is pasted: the address, code#state, the code alone; another state is refused", async () => {
  const paste = async (text: (back: URL) => string) => {
    let back = "";
    const talk = {
      openUrl: async (url: string) => {
        const sent = await fetch(url, { redirect: "manual" });
        back = sent.headers.get("location") ?? "";
      },
      askCode: async () => text(new URL(back)),
    };
    return login(server.row(), withTalk(talk, { way: "paste" }));
  };
  const field = (url: URL, name: string) => url.searchParams.get(name) ?? "";
  expect(await paste((back) => ` ${back.href}\n`)).toMatchObject(LOGGED_IN);
  expect(await paste((back) => `${field(back, "code")}#${field(back, "state")}`)).toMatchObject(LOGGED_IN);
  expect(await paste((back) => field(back, "code"))).toMatchObject(LOGGED_IN);
  expect(await paste((back) => `${field(back, "code")}#other`)).toMatchObject({ ok: false, reason: "state" });
  expect(await paste(() => "nonsense")).toMatchObject({ ok: false, reason: "refused", message: /invalid_grant/ });
  expect(await paste(() => "")).toMatchObject({ ok: false, reason: "refused" });
});

test("the browser's answer ends the question to the person", async () => {
  let ended = false;
  const talk = {
    openUrl: async (url: string) => void (await server.visit(url)),
    askCode: (_prompt: string, signal: AbortSignal) =>
      new Promise<undefined>((resolve) =>
        signal.addEventListener("abort", () => {
          ended = true;
          resolve(undefined);
        }),
      ),
  };
  expect(await login(server.row(), withTalk(talk))).toMatchObject(LOGGED_IN);
  expect(ended).toBe(true);
});

test("given up, or out of time: it settles, and nobody listens any more", async () => {
  const control = new AbortController();
  let redirect = "";
  const talk = {
    openUrl: (url: string) => {
      redirect = redirectOf(url);
      control.abort();
    },
  };
  expect(await login(server.row(), withTalk(talk, { signal: control.signal }))).toMatchObject({ reason: "aborted" });
  await expect(fetch(redirect)).rejects.toThrow();
  expect(await login(server.row(), withTalk({}, { timeoutMs: 20 }))).toMatchObject({ reason: "expired" });
  expect(await login(server.row(), withTalk({}, { way: "device", signal: control.signal }))).toMatchObject({
    reason: "aborted",
  });
  const stuck = { openUrl: () => new Promise<void>(() => {}) };
  expect(await login(server.row(), withTalk(stuck, { timeoutMs: 20 }))).toMatchObject({ reason: "expired" });
  const broken = { openUrl: () => Promise.reject(new Error("no screen")) };
  expect(await login(server.row(), withTalk(broken))).toMatchObject({ reason: "refused", message: "no screen" });
});

test("a port that another program has is said, with the other way", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { authorize } = server.row();
  const result = await login(server.row({ authorize: { ...authorize!, port } }), withTalk({}));
  expect(result).toMatchObject({ reason: "port", message: /paste/ });
  other.close();
});

test("a device code: pending, slower, then logged in", async () => {
  server.device.answers = [{ error: "authorization_pending" }, { error: "authorization_pending" }];
  const told: string[] = [];
  const talk = { openUrl: (url: string, words: string) => void told.push(url, words) };
  expect(await login(server.row(), withTalk(talk, { way: "device" }))).toMatchObject(LOGGED_IN);
  expect(told).toEqual([`${server.url}/activate`, expect.stringContaining("ABCD-1234")]);
});

test("slow_down is obeyed: no question before the longer interval is over", async () => {
  server.device.answers = [{ error: "slow_down" }];
  server.device.expiresIn = 2;
  // The interval is five seconds then, and the code has run out before it is over: exactly one question was asked.
  server.asked.grants = [];
  expect(await login(server.row(), withTalk({}, { way: "device" }))).toMatchObject({ reason: "expired" });
  expect(server.asked.grants).toHaveLength(1);
});

test.each([
  ["expired_token", "expired"],
  ["access_denied", "denied"],
  ["invalid_client", "refused"],
])("a device code that ends with %s is %s", async (error, reason) => {
  server.device.answers = [{ error }];
  expect(await login(server.row(), withTalk({}, { way: "device" }))).toMatchObject({ ok: false, reason });
});

test("an address that is no page is never opened", async () => {
  const answer = { device_code: "d", user_code: "u", verification_uri: "file:///etc/passwd" };
  const fake = async () => Response.json(answer);
  const opened: string[] = [];
  const talk = { openUrl: (url: string) => void opened.push(url) };
  expect(await login(server.row(), withTalk(talk, { way: "device", fetch: fake }))).toMatchObject({
    reason: "refused",
  });
  expect(opened).toEqual([]);
});

test("a server that answers nonsense, or not at all, is told without the code", async () => {
  for (const [reply, words] of [
    [() => new Response("<html>", { status: 502 }), /answered 502/],
    [() => Response.json({ access_token: 5 }), /without a token/],
    [() => Response.json({ access_token: "a" }), /cannot be refreshed/],
    [
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
      /not reached: ECONNREFUSED/,
    ],
  ] as const) {
    const result = await login(
      server.row(),
      withTalk({ askCode: async () => "a-code" }, { way: "paste", fetch: async () => reply() }),
    );
    expect(result).toMatchObject({ reason: "refused", message: words });
    expect(JSON.stringify(result)).not.toContain("a-code");
  }
});

test("a token that is traded: the lasting one is kept for the next trade", async () => {
  const trade = { url: "https://example.test/trade", headers: { "X-Client": "c" } };
  const asked: unknown[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    asked.push(new Headers(init?.headers).get("Authorization"));
    return Response.json({ token: "short", expires_at: 2_000_000_000 });
  };
  const made = await loginOf(server.row({ trade }), { access_token: "lasting" }, fetch as typeof globalThis.fetch);
  expect(made).toEqual({
    ok: true,
    data: { type: "oauth", access: "short", refresh: "lasting", expires: 2_000_000_000_000 },
  });
  expect(asked).toEqual(["Bearer lasting"]);
});

test("the rows: who they are is read from their tokens, and Google needs a client of the user's", () => {
  const jwt = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
  const rows = oauthRows({});
  expect(rows.map((row) => [row.provider, waysOf(row).join()])).toEqual([
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
  const google = oauthRows({ GANTRY_GOOGLE_CLIENT_ID: "g", GOOGLE_CLOUD_PROJECT: "p" }).find(
    (row) => row.provider === "google",
  );
  expect(google?.describe?.({})).toMatchObject({ projectId: "p" });
});
