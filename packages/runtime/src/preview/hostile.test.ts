import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startServer, type TestServer, TOKEN } from "../server/testing/server.harness.ts";
import { type Ask, ask, askBare, enter, passOf } from "./testing/ask.ts";
import { type DevServer, startDevServer } from "./testing/dev-server.ts";

let server: TestServer;
let target: DevServer;
let origin: string;
let port: number;

beforeAll(async () => {
  [server, target] = await Promise.all([startServer(), startDevServer()]);
  const preview = (await open({ port: target.port })).json as { origin: string; url: string };
  ({ origin } = preview);
  await enter(preview);
  port = Number(new URL(origin).port);
});
afterAll(async () => {
  await server.previews.stop();
  await Promise.all([server.server.close(), target.stop()]);
});
beforeEach(() => {
  target.seen.length = 0;
});

const open = (body: object) =>
  server.ask("/v1/previews", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("rejects a target that is not a dev server of this machine", () => {
  it.each([
    ["another machine", { url: "http://192.168.1.1/" }],
    ["a name", { url: "http://example.org/" }],
    ["a name that looks like loopback", { url: "http://localhost.example.org:5173/" }],
    ["a name below another domain", { url: "http://app.localhost.example.org:5173/" }],
    ["a name that ends like loopback", { url: "http://notlocalhost:5173/" }],
    ["loopback written otherwise, but not meant", { url: "http://[::ffff:10.0.0.1]:5173/" }],
    ["a name before an at sign", { url: "http://localhost:80@example.org/" }],
    ["a password", { url: "http://me:secret@localhost:5173/" }],
    ["a file", { url: "file:///etc/passwd" }],
    ["TLS", { url: "https://localhost:5173/" }],
    ["no address", { url: "5173" }],
    ["nothing", {}],
    ["two things", { url: "http://localhost:5173/", port: 5173 }],
    ["no port", { port: 0 }],
    ["no port in an address", { url: "http://localhost:0/" }],
    ["a port that no machine has", { port: 65_536 }],
    ["a port that no machine has in an address", { url: "http://localhost:65536/" }],
  ])("%s", async (_, body) => {
    const answer = await open(body);
    expect(answer.status).toBe(422);
    expect(server.previews.list(undefined)).toHaveLength(1);
  });

  it("the daemon itself, and another preview", async () => {
    for (const url of [`http://127.0.0.1:${server.port}/`, `http://[::1]:${server.port}/`, origin]) {
      const answer = await open({ url });
      expect(answer.status, url).toBe(422);
      expect(answer.text).toContain("Gantry's own");
    }
  });

  it("an unknown session, and a call without the token", async () => {
    expect((await open({ port: target.port, session: "ses_nobody" })).status).toBe(404);
    expect((await server.askBare("/v1/previews")).status).toBe(401);
  });
});

describe("the port of a preview", () => {
  const refused: [string, Ask][] = [
    ["a name that was rebound to loopback", { headers: { host: "evil.example" } }],
    ["the same with our port", { headers: { host: "evil.example:4260" } }],
    ["another port", { headers: { host: "localhost:1" } }],
    ["no port", { headers: { host: "localhost" } }],
    ["a script of another site", { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } }],
    ["the same in a browser that sends no fetch metadata", { headers: { origin: "https://evil.example" } }],
    ["an opaque origin", { headers: { origin: "null" } }],
    ["another port of loopback", { headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" } }],
    ["an image on another site", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } }],
    [
      "a form on another site",
      { method: "POST", headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", origin: "null" } },
    ],
  ];
  for (const [what, how] of refused) {
    it(`${what} is refused and does not reach the target`, async () => {
      for (const path of ["/", "/__gantry/inspector.js"]) expect((await ask(origin + path, how)).status).toBe(403);
      expect(target.seen).toEqual([]);
    });
  }

  it("refuses a WebSocket of another site, even if it claims to be a navigation", async () => {
    const foreign = [{ origin: "https://evil.example" }, { origin: "null", "sec-fetch-mode": "navigate" }];
    for (const headers of foreign) {
      const lines = Object.entries({ ...headers, host: `localhost:${port}` }).map(([name, text]) => `${name}: ${text}`);
      const head = `GET / HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      expect(await raw(head)).toContain("HTTP/1.1 403");
    }
    expect(target.seen).toEqual([]);
  });

  it("refuses an absolute URL, two Host headers, and another protocol", async () => {
    const heads = [
      `GET http://example.org/ HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\n\r\n`,
      "GET / HTTP/1.1\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    ];
    for (const head of heads) expect(await raw(head)).toMatch(/^HTTP\/1\.1 40[013]/);
    expect(target.seen).toEqual([]);
  });

  it("ignores the daemon's token, and gives the preview no access to the daemon", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await ask(`${origin}/v1/sessions`, { headers })).status).toBe(404);
    const fromPreview = { origin, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" };
    expect((await server.askBare("/v1/sessions", { headers: fromPreview })).status).toBe(403);
  });
});

describe("a caller without a pass", () => {
  const issue = async (id: string, body = {}) =>
    (
      await server.ask(`/v1/previews/${id}/tickets`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json as { url: string };
  const id = () => server.previews.list(undefined)[0]?.id ?? "";

  it("is refused on every path and method, and for web sockets", async () => {
    const paths = [
      "/",
      "/a.js",
      "/__gantry/inspector.js",
      "/__gantry/up",
      "/__gantry/enter",
      "/__gantry/enter?ticket=",
    ];
    const cookies = [
      "",
      `gantry_preview_frame_${port}=`,
      `gantry_preview_tab_${port}=${"a".repeat(43)}`,
      `gantry_session=${TOKEN}`,
    ];
    for (const path of paths)
      for (const cookie of cookies)
        for (const method of ["GET", "HEAD", "POST", "DELETE"])
          expect((await askBare(origin + path, { method, headers: { cookie } })).status, path).toBe(401);
    const upgrade = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await raw(upgrade)).toContain("HTTP/1.1 401");
    expect((await askBare(origin, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
    expect(target.seen).toEqual([]);
  });

  it("enters once with a ticket, and sees the requested path without it", async () => {
    const { url } = await issue(id(), { path: "/admin?x=1#y" });
    expect(new URL(url).origin).toBe(origin);
    const first = await askBare(url);
    expect([first.status, first.headers.location]).toEqual([303, "/admin?x=1#y"]);
    const cookies = (first.headers["set-cookie"] ?? []) as string[];
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toContain("HttpOnly");
      const entered = await askBare(origin, { headers: { cookie: cookie.split(";")[0] } });
      expect(entered.status).toBe(200);
      // The dev server does not see the pass.
      expect(JSON.stringify(target.seen.at(-1)?.headers)).not.toContain("gantry_preview");
    }
    expect((await askBare(url)).status).toBe(401);
  });

  it("cannot use a ticket or a pass of another preview, or a guessed or expired one", async () => {
    const other = (await open({ port: target.port })).json as { id: string; origin: string; url: string };
    const { url } = await issue(id());
    const elsewhere = new URL(url);
    elsewhere.port = new URL(other.origin).port;
    expect((await askBare(elsewhere.href)).status).toBe(401);
    await enter(other);
    const renamed = passOf(other.origin).replace(/\d+=/, `${port}=`);
    for (const cookie of [passOf(other.origin), renamed])
      expect((await askBare(origin, { headers: { cookie } })).status).toBe(401);
    for (const ticket of ["", "x".repeat(32), TOKEN, "../..", "%00"])
      expect((await askBare(`${origin}/__gantry/enter?ticket=${ticket}&to=/`)).status).toBe(401);
    await server.previews.close(other.id);
    expect((await server.ask(`/v1/previews/${other.id}/tickets`, { method: "POST" })).status).toBe(404);
  });

  it("is not led to another site by its ticket", async () => {
    for (const to of ["//evil.example/", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "evil", ""]) {
      const link = new URL((await issue(id())).url);
      link.searchParams.set("to", to);
      const { headers } = await askBare(link.href);
      expect(new URL(headers.location ?? "", origin).origin, to).toBe(origin);
    }
    const refused = await server.ask(`/v1/previews/${id()}/tickets`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ path: "//evil.example" }),
    });
    expect(refused.status).toBe(422);
  });

  it("gets nothing from the daemon with the pass or the ticket of a preview", async () => {
    const pass = passOf(origin);
    const ticket = new URL((await issue(id())).url).searchParams.get("ticket") ?? "";
    for (const value of [pass, pass.split("=")[1] ?? "", ticket])
      for (const [name, text] of [
        ["cookie", value],
        ["authorization", `Bearer ${value}`],
      ] as const)
        expect((await server.askBare("/v1/sessions", { headers: { [name]: text } })).status).toBe(401);
    const redeem = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ticket }),
    };
    expect((await server.askBare("/v1/tickets/redeem", redeem)).status).toBe(401);
  });
});

describe("a body that hides a second request", () => {
  const hidden = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const bodies = {
    chunked: `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    sized: `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
  };
  const methods = ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"];
  const cases = methods.flatMap((method) =>
    Object.entries(bodies).map(([framing, body]) => ({ method, framing, body })),
  );
  let received = "";
  const recorder = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk;
      // A target that keeps the connection open would read what follows as another request.
      if (received.includes(hidden)) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  let preview: number;
  beforeAll(async () => {
    await once(recorder.listen(0, "127.0.0.1"), "listening");
    const { json } = await open({ port: (recorder.address() as AddressInfo).port });
    await enter(json as { url: string });
    preview = Number(new URL((json as { origin: string }).origin).port);
  });
  afterAll(() => new Promise((resolve) => recorder.close(resolve)));

  it.each(cases)("reaches the target with a length: $method, $framing", async ({ method, body }) => {
    received = "";
    await raw(
      `${method} /upload HTTP/1.1\r\nHost: localhost:${preview}\r\nConnection: close\r\n${cookieLine(preview)}${body}`,
      preview,
    );
    const head = received.slice(0, received.indexOf("\r\n\r\n")).toLowerCase();
    expect(received).toContain(hidden);
    expect(head).toMatch(/^(transfer-encoding: chunked|content-length: \d+)$/m);
  });
});

it("applies the rules for cookies to the response of a web socket", async () => {
  const head = `GET /socket HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n${cookieLine(port)}\r\n`;
  const answer = await raw(head);
  expect(answer).toContain("HTTP/1.1 101");
  expect(answer).toContain("Set-Cookie: sid=1; SameSite=None; Secure; Partitioned");
  expect(answer).not.toContain("gantry_session");
});

it("lets the page frame loopback addresses only", async () => {
  const { headers } = await server.askBare("/");
  expect(headers["content-security-policy"]).toContain("frame-src http://localhost:* http://127.0.0.1:*;");
});

const cookieLine = (at: number) => `Cookie: ${passOf(`http://localhost:${at}`)}\r\n`;

async function raw(head: string, at = port): Promise<string> {
  const socket = connect(at, "127.0.0.1", () => socket.end(head));
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await once(socket, "close");
  return answer;
}
