import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startServer, type TestServer, TOKEN } from "../server/testing/server.harness.ts";
import { type Ask, ask } from "./testing/ask.ts";
import { type DevServer, startDevServer } from "./testing/dev-server.ts";

let server: TestServer;
let target: DevServer;
let origin: string;
let port: number;

beforeAll(async () => {
  [server, target] = await Promise.all([startServer(), startDevServer()]);
  ({ origin } = (await open({ port: target.port })).json as { origin: string });
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
    ["every interface", { url: "http://0.0.0.0:5173/" }],
    ["loopback written otherwise, but not meant", { url: "http://[::ffff:10.0.0.1]:5173/" }],
    ["a name before an at sign", { url: "http://localhost:80@example.org/" }],
    ["a password", { url: "http://me:secret@localhost:5173/" }],
    ["a file", { url: "file:///etc/passwd" }],
    ["TLS", { url: "https://localhost:5173/" }],
    ["no address", { url: "5173" }],
    ["nothing", {}],
    ["two things", { url: "http://localhost:5173/", port: 5173 }],
    ["no port", { port: 0 }],
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
    for (const head of heads) expect(await raw(head)).toMatch(/^HTTP\/1\.1 40[03]/);
    expect(target.seen).toEqual([]);
  });

  it("ignores the daemon's token, and gives the preview no access to the daemon", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await ask(`${origin}/v1/sessions`, { headers })).status).toBe(404);
    const fromPreview = { origin, "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" };
    expect((await server.askBare("/v1/sessions", { headers: fromPreview })).status).toBe(403);
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
    preview = Number(new URL((json as { origin: string }).origin).port);
  });
  afterAll(() => new Promise((resolve) => recorder.close(resolve)));

  it.each(cases)("reaches the target with a length: $method, $framing", async ({ method, body }) => {
    received = "";
    await raw(`${method} /upload HTTP/1.1\r\nHost: localhost:${preview}\r\nConnection: close\r\n${body}`, preview);
    const head = received.slice(0, received.indexOf("\r\n\r\n")).toLowerCase();
    expect(received).toContain(hidden);
    expect(head).toMatch(/^(transfer-encoding: chunked|content-length: \d+)$/m);
  });
});

it("applies the rules for cookies to the response of a web socket", async () => {
  const head = `GET /socket HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`;
  const answer = await raw(head);
  expect(answer).toContain("HTTP/1.1 101");
  expect(answer).toContain("Set-Cookie: sid=1; SameSite=None; Secure; Partitioned");
  expect(answer).not.toContain("gantry_session");
});

it("lets the page frame loopback addresses only", async () => {
  const { headers } = await server.askBare("/");
  expect(headers["content-security-policy"]).toContain("frame-src http://localhost:* http://127.0.0.1:*;");
});

async function raw(head: string, at = port): Promise<string> {
  const socket = connect(at, "127.0.0.1", () => socket.end(head));
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await once(socket, "close");
  return answer;
}
