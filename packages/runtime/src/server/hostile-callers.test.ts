import type { Route } from "@gantry/protocol";
import { routes } from "@gantry/protocol/routes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Config } from "../config.ts";
import { COOKIE } from "./credentials.ts";
import { type Answer, type Ask, json, refusalOf, startServer, type TestServer, TOKEN } from "./server.harness.ts";

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

async function cookieHeader(): Promise<string> {
  const answer = await server.askBare("/v1/tickets/redeem", json({ ticket: server.tickets.issue().ticket }));
  return String(answer.headers["set-cookie"]?.[0]).split(";")[0] ?? "";
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
    "the token as cookie": { cookie: `${COOKIE}=${TOKEN}` },
    "a made up cookie": { cookie: `${COOKIE}=9999999999.abc.def` },
  };
  for (const [name, headers] of Object.entries(wrong)) {
    it(`refuses ${name} on every call, and does not say which exist`, async () => {
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

  it("does not let a cookie make up for a wrong token", async () => {
    const headers = { cookie: await cookieHeader(), authorization: "Bearer wrong" };
    expect(refusal(await server.askBare("/v1/sessions", { headers }))).toBe("unauthorized");
  });

  it("gives one cookie for a ticket, once", async () => {
    const { ticket } = server.tickets.issue();
    const answer = await server.askBare("/v1/tickets/redeem", json({ ticket }));
    const cookie = String(answer.headers["set-cookie"]?.[0]);
    expect(cookie).toMatch(/^gantry_session=[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
    expect(cookie).not.toContain(ticket);
    expect(refusal(await server.askBare("/v1/tickets/redeem", json({ ticket })))).toBe("bad_ticket");
    expect(refusal(await server.askBare("/v1/tickets/redeem", json({ ticket: TOKEN })))).toBe("bad_ticket");
    const read = await server.askBare("/v1/sessions", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(read.status).toBe(200);
  });
});

describe("forged requests with the cookie", () => {
  const forged: Record<string, Record<string, string>> = {
    "no origin": {},
    "a same-site page": { "sec-fetch-site": "same-site" },
    "another port": { origin: "http://127.0.0.1:1" },
    "a site of the configuration": { origin: "https://app.example" },
  };
  for (const [name, headers] of Object.entries(forged)) {
    it(`refuses a change from ${name}`, async () => {
      const cookie = await cookieHeader();
      const change = json({ agent: "scripted" });
      const answer = await server.askBare("/v1/sessions", {
        ...change,
        headers: { ...change.headers, ...headers, cookie },
      });
      expect(refusal(answer)).toBe("foreign_origin");
      const empty = await server.askBare("/v1/shutdown", { method: "POST", headers: { ...headers, cookie } });
      expect(refusal(empty)).toBe("foreign_origin");
      expect(server.shutdowns).toEqual([]);
    });
  }

  it("lets its own page change things", async () => {
    const change = json({ agent: "scripted" });
    for (const own of [{ origin: server.url }, { "sec-fetch-site": "same-origin" }] as Record<string, string>[]) {
      const headers = { ...change.headers, ...own, cookie: await cookieHeader() };
      expect((await server.askBare("/v1/sessions", { ...change, headers })).status).toBeLessThan(300);
    }
  });

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
