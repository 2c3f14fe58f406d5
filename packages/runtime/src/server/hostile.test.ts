import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, errorTable, type Route, type RouteName, routes } from "@gantry/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { Config } from "../config.ts";
import { COOKIE } from "./credentials.ts";
import { type Answer, type Ask, json, startServer, type TestServer, TOKEN } from "./server.harness.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-page-"));
const pageDir = join(folder, "page");
let server: TestServer;

beforeAll(async () => {
  mkdirSync(join(pageDir, "assets"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "keep out");
  writeFileSync(join(pageDir, "index.html"), "<!doctype html><title>Page</title><script>1</script>");
  writeFileSync(join(pageDir, "assets", "app.js"), "export {};");
  writeFileSync(join(pageDir, ".env"), "KEY=1");
  symlinkSync(join(folder, "secret.txt"), join(pageDir, "link.txt"));
  symlinkSync(folder, join(pageDir, "up"));
  const config = Config.parse({ server: { hosts: ["box.example"], origins: ["https://app.example"], bodyMb: 0.1 } });
  server = await startServer({ pageDir, config: config.server });
});
afterAll(async () => {
  await server.server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  server.service.add("ses_a");
  server.service.calls = [];
});

/** The code of an answer that has the right shape and status and comes before the service has heard of anything. */
function refusal(answer: Answer): string {
  const parsed = ApiError.safeParse(answer.json);
  expect(parsed.success, answer.text).toBe(true);
  const code = parsed.data?.error.code ?? "internal";
  expect(answer.status).toBe(errorTable[code]);
  expect(server.service.calls).toEqual([]);
  expect(answer.text).not.toContain(TOKEN);
  return code;
}

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

describe("paths that lead elsewhere", () => {
  const escapes = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/....//secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "//etc/passwd",
    "/%00",
    "/link.txt",
    "/up/secret.txt",
    "/.env",
    "/assets",
    "/assets/",
    "/index.html%00.js",
    "/%zz",
    "/constructor",
    "/__proto__",
  ];
  for (const path of escapes) {
    it(`finds nothing at ${path}`, async () => {
      expect(refusal(await server.ask(path))).toBe("not_found");
    });
  }

  it("serves the page and its files, with a strict policy", async () => {
    const page = await server.askBare("/s/ses_a");
    expect(page.text).toContain("<title>Page</title>");
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self' 'sha256-[^;]+'/);
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    const script = await server.askBare("/assets/app.js");
    expect([script.headers["content-type"], script.text]).toEqual(["text/javascript; charset=utf-8", "export {};"]);
  });

  it("follows no link that has taken a file's place", async () => {
    rmSync(join(pageDir, "assets", "app.js"));
    symlinkSync(join(folder, "secret.txt"), join(pageDir, "assets", "app.js"));
    expect(refusal(await server.ask("/assets/app.js"))).toBe("not_found");
  });

  const ids = [
    "..%2f..%2fx",
    "ses_",
    "ses_a%00",
    "ses_a%2fb",
    `ses_${"a".repeat(300)}`,
    "trn_a",
    "__proto__",
    "ses_%E2%80%A8",
    "%20",
    "ses_a'--",
  ];
  for (const id of ids) {
    it(`knows no session called ${id.slice(0, 30)}`, async () => {
      const code = refusal(await server.ask(`/v1/sessions/${id}/events`));
      expect(["no_such_session", "not_found"]).toContain(code);
    });
  }

  it("knows nothing by a name that cannot be one", async () => {
    expect(refusal(await server.ask("/v1/sessions/ses_a/items/x"))).toBe("no_such_item");
    expect(refusal(await server.ask("/v1/sessions/ses_a/messages/x", { method: "DELETE" }))).toBe("no_such_message");
    expect(refusal(await server.ask("/v1/inputs/x", json({ decision: "allow" })))).toBe("no_such_input");
    expect(refusal(await server.ask("/v1/grants/x", { method: "DELETE" }))).toBe("no_such_grant");
  });
});

describe("bodies", () => {
  const post = (body: string | Buffer) =>
    server.ask("/v1/sessions/ses_a/messages", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });

  it("refuses one that says it is too large before reading it", async () => {
    const head = `POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    const answer = await server.raw(`${head}\r\nContent-Length: 99999999999\r\n\r\n{`);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, "too_large"]);
  });

  it("stops reading one that turns out too large", async () => {
    const answer = await new Promise<{ status?: number; sent: number }>((resolve, reject) => {
      let sent = 0;
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "transfer-encoding": "chunked",
      };
      const upload = request(
        { port: server.port, host: "127.0.0.1", path: "/v1/sessions", method: "POST", headers },
        (response) => {
          clearInterval(timer);
          upload.end();
          response.resume().on("end", () => resolve({ status: response.statusCode, sent }));
        },
      );
      upload.on("error", reject);
      const timer = setInterval(() => {
        sent += 20_000;
        upload.write(" ".repeat(20_000));
      }, 1);
    });
    expect(answer.status).toBe(413);
    expect(server.service.calls).toEqual([]);
  });

  const bad: Record<string, string | Buffer> = {
    "half a body": '{"text":',
    "two values": "{}{}",
    "single quotes": "{'text':'x'}",
    "not UTF-8": Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    "deep arrays": `{"text":${"[".repeat(40_000)}${"]".repeat(40_000)}}`,
    "deep objects": `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
    "a prototype": '{"text":"x","__proto__":{"admin":true}}',
    "a prototype further in": '{"text":"x","attachments":[{"__proto__":{"path":"/etc"}}]}',
    "an escaped prototype": '{"text":"x","\\u005f_proto__":{}}',
    "white space": "   ",
  };
  for (const [name, body] of Object.entries(bad)) {
    it(`refuses ${name}`, async () => expect(refusal(await post(body))).toBe("bad_json"));
  }

  for (const value of ["null", "[]", '"text"', "1", "true", '{"constructor":{"prototype":{}},"text":"x"}']) {
    it(`refuses ${value} where an object is due`, async () => expect(refusal(await post(value))).toBe("invalid"));
  }

  it("needs a body where one is due, and takes no compressed one", async () => {
    expect(refusal(await server.ask("/v1/sessions", { method: "POST" }))).toBe("bad_json");
    const zipped = { "content-type": "application/json", "content-encoding": "gzip" };
    expect(refusal(await server.ask("/v1/sessions", { method: "POST", headers: zipped, body: "x" }))).toBe(
      "unsupported_media",
    );
  });
});

/** Valid bodies from which one field at a time is spoiled. */
const valid: Partial<Record<RouteName, Record<string, unknown>>> = {
  redeemTicket: { ticket: "x" },
  stopDaemon: {},
  createSession: { agent: "scripted" },
  patchSession: { title: "x" },
  sendMessage: { text: "x" },
  patchMessage: { position: 0 },
  interrupt: {},
  forkSession: {},
  answerInput: { decision: "allow" },
};
const poison = [
  null,
  true,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\u0000",
  "../..",
  "x".repeat(50_000),
  [],
  [null],
  {},
  { a: 1 },
  [[]],
  { length: 1 },
];

describe("wrong values in every field of every call", () => {
  afterEach(() => expect(server.service.calls).toEqual([]));

  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const path = route.path
      .replace("/:id", `/${route.path.includes("inputs") ? "inp_1" : "ses_a"}`)
      .replace(":mid", "msg_1");
    if (route.body) {
      const fields = Object.keys((route.body as z.ZodObject).shape);
      it(`${name}: ${fields.join(", ")}`, async () => {
        expect(valid[name], "a valid body to start from").toBeDefined();
        const bodies = fields.flatMap((field) => poison.map((value) => ({ ...valid[name], [field]: value })));
        const wrong = [...bodies, { ...valid[name], unknown: 1 }].filter(
          (body) => !route.body?.safeParse(body).success,
        );
        expect(wrong.length).toBeGreaterThan(fields.length * 3);
        for (const body of wrong)
          expect(refusal(await server.ask(path, { ...json(body), method: route.method }))).toBe("invalid");
      });
    }
    if (route.method === "GET" && !route.path.includes("items")) {
      it(`${name}: query`, async () => {
        const keys = Object.keys(route.query?.shape ?? {}).filter((key) => !["q", "cursor", "session"].includes(key));
        const queries = keys.flatMap((key) =>
          ["-1", "1.5", "x", "%00", "1e999", "NaN", "[]"].map((value) => `${key}=${value}`),
        );
        const more = route.query?.shape.q ? "q=x&" : "";
        for (const query of [...queries, "unknown=1", "__proto__=1", ...keys.map((key) => `${key}=1&${key}=1`)])
          expect(refusal(await server.ask(`${path}?${more}${query}`)), query).toBe("invalid");
      });
    }
  }

  it("Last-Event-ID", async () => {
    const headers = { accept: "text/event-stream", "last-event-id": "-1; drop" };
    expect(refusal(await server.ask("/v1/events", { headers }))).toBe("invalid");
  });
});
