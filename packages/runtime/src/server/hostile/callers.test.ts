import { createHmac, randomBytes } from "node:crypto";
import type { Route } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Config } from "../../config.ts";
import { OLD_COOKIE } from "../access/credentials.ts";
import {
  type Answer,
  type Ask,
  json,
  refusalOf,
  startServer,
  type TestServer,
  TOKEN,
} from "../testing/server.harness.ts";

let server: TestServer;
beforeAll(async () => {
  const config = Config.parse({ server: { hosts: ["box.example"], origins: ["https://app.example"], bodyMb: 0.1 } });
  server = await startServer({ config: config.server });
});
afterAll(() => server.server.close());
beforeEach(() => {
  server.service.add("ses_a");
  server.service.calls = [];
});
const refusal = (answer: Answer) => refusalOf(server, answer);

/** A cookie as earlier versions signed it with the owner token: not expired, and once valid. */
function oldCookie(): string {
  const claim = `${Math.floor(Date.now() / 1000) + 3600}.${randomBytes(32).toString("base64url")}`;
  const signature = createHmac("sha256", TOKEN).update(`${OLD_COOKIE} ${claim}`).digest("base64url");
  return `${OLD_COOKIE}=${claim}.${signature}`;
}

/** What the page gets for a ticket. */
async function redeemTicket(): Promise<{ credential: string; authorization: string }> {
  const answer = await server.askBare("/v1/tickets/redeem", json({ ticket: server.tickets.issue().ticket }));
  const { credential } = answer.json as { credential: string };
  return { credential, authorization: `Bearer ${credential}` };
}

describe("names that are not ours", () => {
  const foreign = [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1@evil.example",
    "127.0.0.1:99999",
    "127.0.0.1:80:80",
    "localhost:port",
    "localhost.",
    "0.0.0.0",
    "[::]",
    "[::ffff:8.8.8.8]",
    "[::1]evil.example",
    "192.168.1.10",
    "2130706433",
    "box.example.evil",
    "localhost/",
    "localhost, evil.example",
    ...["127.999.0.1", "127.0.0.256", "127.00.0.1", "127.0.0.01", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001"],
    ...[
      "127.1",
      "127.0.1",
      "127.0.0",
      "127.0.0.1.",
      "127.0.0.1:0",
      "127.0.0.1:080",
      "[0:0:0:0:0:0:0:1]",
      "[::ffff:127.0.0.1]",
    ],
  ];
  for (const host of foreign) {
    it(`refuses Host ${JSON.stringify(host)} on every path`, async () => {
      for (const path of ["/v1/sessions", "/v1/health", "/", "/nothing"])
        expect(refusal(await server.ask(path, { headers: { host } }))).toBe("foreign_host");
    });
  }

  for (const host of [
    "localhost",
    "LOCALHOST:1234",
    "127.0.0.1:9",
    "127.0.0.2",
    "[::1]:8080",
    "[::1]",
    "box.example",
  ]) {
    it(`answers to ${host}`, async () => {
      expect((await server.ask("/v1/health", { headers: { host } })).status).toBe(200);
    });
  }

  it("refuses a request without Host, with two, and with a target that names a host", async () => {
    const raw = async (text: string) => JSON.parse((await server.raw(text)).body).error.code;
    expect(await raw("GET /v1/health HTTP/1.1\r\n\r\n")).toBe("foreign_host");
    expect(await raw("GET /v1/health HTTP/1.0\r\n\r\n")).toBe("foreign_host");
    expect(await raw("GET /v1/health HTTP/1.1\r\nHost:\r\n\r\n")).toBe("foreign_host");
    expect(await raw("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")).toBe("foreign_host");
    expect(await raw("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n")).toBe("bad_request");
    expect(await raw("nonsense\r\n\r\n")).toBe("bad_request");
    expect(await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`)).toBe("bad_request");
  });

  it("looks at the Host before it looks at the token or the body", async () => {
    const answer = await server.askBare("/v1/sessions", { ...json({}), headers: { host: "evil.example" } });
    expect(refusal(answer)).toBe("foreign_host");
  });
});

describe("pages of other sites", () => {
  const origins = [
    "https://evil.example",
    "null",
    "http://localhost:1",
    "https://localhost",
    "http://127.0.0.1",
    "file://",
    "",
    "http://app.example",
    "https://app.example.evil",
  ];
  for (const origin of origins) {
    it(`refuses Origin ${JSON.stringify(origin)}, also with the token`, async () => {
      for (const path of ["/v1/sessions", "/v1/health", "/"])
        expect(refusal(await server.ask(path, { headers: { origin } }))).toBe("foreign_origin");
    });
  }

  it("lets in its own page and the sites of the configuration", async () => {
    expect((await server.ask("/v1/health", { headers: { origin: server.url } })).status).toBe(200);
    const named = { host: "box.example", origin: "https://box.example" };
    expect((await server.ask("/v1/health", { headers: named })).status).toBe(200);
    const other = await server.ask("/v1/health", { headers: { origin: "https://app.example" } });
    expect([other.status, other.headers["access-control-allow-origin"]]).toEqual([200, "https://app.example"]);
    const preflight = await server.askBare("/v1/sessions", {
      method: "OPTIONS",
      headers: { origin: "https://app.example" },
    });
    expect([preflight.status, preflight.headers["access-control-allow-credentials"]]).toEqual([204, undefined]);
  });

  it("refuses what another site embeds, and lets a link to the page through", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const embed = { "sec-fetch-site": site, "sec-fetch-mode": "no-cors" };
      expect(refusal(await server.ask("/v1/sessions", { headers: embed }))).toBe("foreign_origin");
      const link = { "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
      expect((await server.askBare("/", { headers: link })).status).toBe(200);
      expect(refusal(await server.ask("/v1/sessions", { headers: link }))).toBe("foreign_origin");
    }
  });
});

describe("callers without the token", () => {
  const wrong: Record<string, Ask["headers"]> = {
    none: {},
    empty: { authorization: "Bearer " },
    another: { authorization: `Bearer ${"x".repeat(TOKEN.length)}` },
    "a longer one": { authorization: `Bearer ${TOKEN}x` },
    "a shorter one": { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    "the wrong scheme": { authorization: `Basic ${Buffer.from(TOKEN).toString("base64")}` },
    "the token as cookie": { cookie: `${OLD_COOKIE}=${TOKEN}` },
    "a made up cookie": { cookie: `${OLD_COOKIE}=9999999999.abc.def` },
    "the cookie of an earlier version": { cookie: oldCookie(), "sec-fetch-site": "same-origin" },
    "a made up page credential": { authorization: `Bearer gpc_${"a".repeat(43)}` },
  };
  for (const [name, headers] of Object.entries(wrong)) {
    it(`refuses ${name} on every call, and does not reveal which routes exist`, async () => {
      for (const route of Object.values(routes) as Route[]) {
        if (route.open) continue;
        const path = route.path.replace(/:\w+/g, "ses_a");
        expect(refusal(await server.askBare(path, { method: route.method, headers }))).toBe("unauthorized");
      }
      for (const path of ["/v1/nothing", "/nothing", "/v1/openapi.json"])
        expect(refusal(await server.askBare(path, { headers }))).toBe("unauthorized");
    });
  }

  it("takes no token from the query", async () => {
    for (const key of ["token", "access_token", "authorization"])
      expect(refusal(await server.askBare(`/v1/sessions?${key}=${TOKEN}`))).toBe("unauthorized");
    expect(server.lines.join("\n")).not.toContain(TOKEN);
  });

  it("exchanges a ticket for one credential, once, and sets no cookie", async () => {
    const { ticket, expiresAt } = server.tickets.issue();
    const answer = await server.askBare("/v1/tickets/redeem", json({ ticket }));
    const { credential, ...more } = answer.json as { credential: string; expiresAt: string };
    expect(credential).toMatch(/^gpc_[\w-]{43}$/);
    expect(Date.parse(more.expiresAt)).toBeGreaterThan(Date.parse(expiresAt));
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(refusal(await server.askBare("/v1/tickets/redeem", json({ ticket })))).toBe("bad_ticket");
    for (const guess of [TOKEN, credential, "", ticket.toLowerCase(), `${ticket} `])
      expect(refusal(await server.askBare("/v1/tickets/redeem", json({ ticket: guess })))).toBe("bad_ticket");
    const read = await server.askBare("/v1/sessions", { headers: { authorization: `Bearer ${credential}` } });
    expect(read.status).toBe(200);
    expect(server.lines.join("\n")).not.toContain(credential);
  });

  it("takes no page credential from a cookie or the query, streams of terminals included", async () => {
    const { credential } = await redeemTicket();
    const own = { "sec-fetch-site": "same-origin", origin: server.url, accept: "text/event-stream" };
    for (const path of ["/v1/sessions", "/v1/events", "/v1/terminals", "/v1/terminals/trm_1?after=0"]) {
      const cookie = `${OLD_COOKIE}=${credential}; credential=${credential}; ${oldCookie()}`;
      expect(refusal(await server.askBare(path, { headers: { ...own, cookie } }))).toBe("unauthorized");
      for (const key of ["ticket", "credential", "token"]) {
        const query = `${path}${path.includes("?") ? "&" : "?"}${key}=${credential}`;
        expect(refusal(await server.askBare(query, { headers: own }))).toBe("unauthorized");
      }
    }
  });

  it("deletes the cookie of an earlier version in browsers", async () => {
    const old = await server.askBare("/", { headers: { cookie: `other=1; ${oldCookie()}` } });
    expect(old.headers["set-cookie"]).toEqual([`${OLD_COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`]);
    const fresh = await server.askBare("/", { headers: { cookie: "other=1" } });
    expect(fresh.headers["set-cookie"]).toBeUndefined();
  });

  it("revokes the credentials of all pages and ends their streams", async () => {
    const { authorization } = await redeemTicket();
    const { ticket } = server.tickets.issue();
    const stream = server.askBare("/v1/events", { headers: { authorization, accept: "text/event-stream" } }).then(
      () => "ended",
      () => "cut",
    );
    await expect.poll(() => server.hub.readers).toBe(1);
    expect((await server.askBare("/v1/tickets", { method: "DELETE", headers: { authorization } })).status).toBe(200);
    expect(await stream).toBe("cut");
    server.service.calls = [];
    expect(refusal(await server.askBare("/v1/sessions", { headers: { authorization } }))).toBe("unauthorized");
    expect(refusal(await server.askBare("/v1/tickets/redeem", json({ ticket })))).toBe("bad_ticket");
  });
});

describe("a page credential in the hands of another site", () => {
  const foreign: Record<string, Record<string, string>> = {
    "another port": { origin: "http://127.0.0.1:1" },
    "another port that browsers call same-site": { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
    "another port that claims our origin": { "sec-fetch-site": "same-site", origin: "http://127.0.0.1" },
    "another site": { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    "a link on another site": { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    "a sandboxed frame": { origin: "null", "sec-fetch-site": "same-origin" },
    "a site that sends two values": { "sec-fetch-site": "same-origin, cross-site" },
  };
  for (const [name, headers] of Object.entries(foreign)) {
    it(`is refused from ${name}, before ticket, path or body are looked at`, async () => {
      const { authorization } = await redeemTicket();
      const claimed = headers.origin === "http://127.0.0.1" ? { ...headers, origin: server.url } : headers;
      const { ticket } = server.tickets.issue();
      for (const path of ["/v1/sessions", "/v1/nothing", "/", "/%761/sessions", "/x/../v1/sessions"])
        expect(refusal(await server.askBare(path, { headers: { ...claimed, authorization } }))).toBe("foreign_origin");
      for (const [path, body] of [
        ["/v1/sessions", { agent: 1 }],
        ["/v1/tickets/redeem", { ticket }],
      ] as const) {
        const change = json(body);
        const all = { ...change.headers, ...claimed, authorization };
        expect(refusal(await server.askBare(path, { ...change, headers: all }))).toBe("foreign_origin");
      }
      expect((await server.askBare("/v1/tickets/redeem", json({ ticket }))).status).toBe(200);
    });
  }

  it("lets its own page change things", async () => {
    const change = json({ agent: "scripted" });
    for (const own of [{ origin: server.url }, { "sec-fetch-site": "same-origin" }] as Record<string, string>[]) {
      const { authorization } = await redeemTicket();
      const headers = { ...change.headers, ...own, authorization };
      expect((await server.askBare("/v1/sessions", { ...change, headers })).status).toBeLessThan(300);
    }
  });
});

describe("paths in other spellings", () => {
  const spellings = [
    "/%761/sessions",
    "/v%31/sessions",
    "/./v1/sessions",
    "/x/../v1/sessions",
    "/%2e/v1/sessions",
    "/x/%2E%2e/v1/sessions",
    "/\\v1/sessions",
    "//v1/sessions",
  ];
  for (const path of spellings) {
    it(`treats ${path} as a call of the API: foreign links are refused and a credential is needed`, async () => {
      const link = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
      expect(refusal(await server.ask(path, { headers: link }))).toBe("foreign_origin");
      expect(refusal(await server.askBare(path, { headers: link }))).toBe("foreign_origin");
      const visit = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
      expect(refusal(await server.askBare(path, { headers: visit }))).toBe("unauthorized");
    });
  }
});

describe("bodies of other types", () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonp",
    "",
  ]) {
    it(`reads no body that is called ${type || "nothing"}`, async () => {
      const headers: Record<string, string> = type ? { "content-type": type } : {};
      const answer = await server.ask("/v1/sessions", { method: "POST", headers, body: '{"agent":"scripted"}' });
      expect(refusal(answer)).toBe("unsupported_media");
    });
  }
});
