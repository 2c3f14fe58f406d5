import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Preview } from "@gantry/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isUp } from "./connect.ts";
import { Previews, type PreviewsDeps } from "./previews.ts";
import { parseTarget } from "./target.ts";
import { ask, enter, FRAMED, passOf } from "./testing/ask.ts";
import { type DevServer, DOCUMENT, startDevServer } from "./testing/dev-server.ts";

const inspectorDir = mkdtempSync(join(tmpdir(), "gantry-inspector-"));
let target: DevServer;
let origin: string;
let made = 0;
const opened: Previews[] = [];

beforeAll(async () => {
  for (const name of ["inspector.js", "screenshot.js"]) writeFileSync(join(inspectorDir, name), `// ${name}\n`);
  target = await startDevServer();
  ({ origin } = await openEntered(previews(), target.port));
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.stop()));
  await target.stop();
  rmSync(inspectorDir, { recursive: true });
});
afterEach(() => {
  target.seen.length = 0;
});

function previews(more: Partial<PreviewsDeps> = {}): Previews {
  const one = new Previews({
    id: () => `prv_${++made}`,
    now: () => new Date().toISOString(),
    requireSession: () => {},
    daemonPort: () => 4260,
    inspectorDir,
    log: () => {},
    ...more,
  });
  opened.push(one);
  return one;
}

/** Opens a preview and enters it with its ticket. */
async function openEntered(all: Previews, port: number): Promise<Preview> {
  const preview = await all.open({ port }, undefined);
  await enter(preview);
  return preview;
}

/** A web socket of a browser that entered the preview. */
function openSocket(address: string): WebSocket {
  const options = { headers: { cookie: passOf(address) } };
  return new WebSocket(address.replace("http", "ws"), options as unknown as string[]);
}

const document = (path: string) => ask(origin + path, { headers: FRAMED });
const TAG =
  /<head data-app><script src="\/__gantry\/inspector\.js\?v=[0-9a-f]{12}" nonce="([\w-]+)" data-pages="http:\/\/127\.0\.0\.1:4260 http:\/\/localhost:4260"><\/script>/;

describe("a document", () => {
  it.each(["/", "/gzip", "/br", "/zstd"])("at %s is complete and contains the inspector", async (path) => {
    const { status, text, headers } = await document(path);
    expect(status).toBe(200);
    expect(text).toMatch(TAG);
    expect(text.replace(/<script.*?<\/script>/, "")).toBe(DOCUMENT);
    expect(headers).not.toHaveProperty("etag");
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers["cache-control"]).toBe("no-cache");
  });

  it("requested by a script is returned unchanged", async () => {
    const { text, headers } = await ask(`${origin}/`, { headers: { "sec-fetch-dest": "empty", accept: "text/html" } });
    expect(text).toBe(DOCUMENT);
    expect(headers.etag).toBe('"1"');
  });

  it("in an unknown compression passes unchanged; a broken one aborts", async () => {
    expect((await document("/odd")).text).toBe("odd bytes");
    await expect(document("/broken")).rejects.toThrow();
  });

  it("may be framed by the page alone, and its policy allows the inspector", async () => {
    const { headers, lines, text } = await document("/framed");
    expect(headers).not.toHaveProperty("x-frame-options");
    const policies = lines.filter((_, i) => lines[i - 1] === "content-security-policy");
    const nonce = TAG.exec(text)?.[1];
    const scripts = `${origin}/__gantry/`;
    expect(policies).toEqual([
      `default-src 'self'; script-src 'self' ${scripts}, script-src 'nonce-abc' 'nonce-${nonce}' ${scripts}`,
      "frame-ancestors http://127.0.0.1:4260 http://localhost:4260",
    ]);
  });

  it("has no inspector without a built page", async () => {
    const bare = await openEntered(previews({ inspectorDir: undefined }), target.port);
    expect((await ask(`${bare.origin}/`, { headers: FRAMED })).text).toBe(DOCUMENT);
  });

  it("keeps its length in the response to HEAD", async () => {
    const { status, text } = await ask(`${origin}/`, { method: "HEAD", headers: FRAMED });
    expect([status, text]).toEqual([200, ""]);
  });
});

describe("forwards other traffic", () => {
  it("keeps redirects within the preview, except those to other sites", async () => {
    expect((await document("/moved")).headers.location).toBe("/a?b=1#c");
    expect((await document("/moved-by-address")).headers.location).toBe("/a");
    expect((await document("/moved-here")).headers.location).toBe("next");
    expect((await document("/away")).headers.location).toBe("https://example.org/login");
  });

  it("passes cookies in both directions, except Gantry's", async () => {
    const { headers } = await ask(`${origin}/cookies`, { headers: { cookie: "sid=0; gantry_session=secret" } });
    expect(target.seen[0]?.headers.cookie).toBe("sid=0");
    expect(JSON.stringify(headers["set-cookie"])).not.toContain("gantry_session");
    expect(headers["set-cookie"]).toHaveLength(2);
  });

  it("forwards a body of megabytes with the target's Host", async () => {
    const body = randomBytes(5_000_000);
    const { text } = await ask(`${origin}/upload`, { method: "POST", body, headers: { origin } });
    expect(text).toBe(createHash("sha256").update(body).digest("hex"));
    expect(target.seen[0]?.headers.host).toBe(`localhost:${target.port}`);
    expect(target.seen[0]?.headers.origin).toBe(target.url);
  });

  it("streams server-sent events, and closes the target's stream when the reader leaves", async () => {
    let write = (_: string) => {};
    const left = Promise.withResolvers<void>();
    const live = await startDevServer(0, {
      "/events": (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        write = (text) => response.write(text);
        response.on("close", () => left.resolve());
      },
    });
    const shown = await openEntered(previews(), live.port);
    const sent = request(`${shown.origin}/events`, { agent: false, headers: { cookie: passOf(shown.origin) } }).end();
    const [answer] = await once(sent, "response");
    for (const text of ["data: 1\n\n", "data: 2\n\n"]) {
      write(text);
      expect(String((await once(answer, "data"))[0])).toBe(text);
    }
    sent.destroy();
    await left.promise;
    await live.stop();
  });

  it("forwards WebSockets, and closes both sides together", async () => {
    const socket = openSocket(`${origin}/hmr?token=1`);
    await once(socket, "open");
    for (const text of ["one", "two"]) {
      socket.send(text);
      expect((await once(socket, "message"))[0].data).toBe(text);
    }
    expect(target.seen[0]?.url).toBe("/hmr?token=1");
    expect(target.seen[0]?.headers.host).toBe(`localhost:${target.port}`);
    socket.close();
    await once(socket, "close");
    const refused = openSocket(`${origin}/no-socket`);
    await once(refused, "error");
  });
});

describe("connections to the target", () => {
  it("are reused for safe methods, and retried when the target has closed one", async () => {
    const known = new Set<Socket>();
    const fickle = await startDevServer(0, {
      "/port": ({ socket }, response) => response.end(String(socket.remotePort)),
      "/fickle": ({ socket }, response) => {
        if (known.has(socket)) return socket.destroy();
        known.add(socket);
        response.end("fine");
      },
    });
    const shown = await openEntered(previews(), fickle.port);
    const read = async (path: string, method = "GET") => (await ask(shown.origin + path, { method })).text;
    expect(await read("/port")).toBe(await read("/port"));
    expect(await read("/port", "POST")).not.toBe(await read("/port", "POST"));
    expect([await read("/fickle"), await read("/fickle"), await read("/fickle")]).toEqual(["fine", "fine", "fine"]);
    await fickle.stop();
  });
});

describe("a target that fails", () => {
  it("shows a waiting page while the target is down, and the target once it is up", async () => {
    const down = await startDevServer();
    await down.stop();
    const shown = await openEntered(previews(), down.port);
    const { status, text, headers } = await ask(`${shown.origin}/a`, { headers: FRAMED });
    expect(status).toBe(502);
    expect(text).toContain("Nothing answers here yet");
    expect(text).toContain(`http://localhost:${down.port}`);
    expect(text).toContain('src="/__gantry/inspector.js');
    expect(headers["content-security-policy"]).toContain("frame-ancestors http://127.0.0.1:4260");
    const script = await ask(`${shown.origin}/a.js`, { method: "POST", body: "x".repeat(2_000_000) });
    expect([script.status, script.text]).toEqual([502, `http://localhost:${down.port} does not answer.\n`]);
    expect((await ask(`${shown.origin}/__gantry/up`)).status).toBe(503);
    const socket = openSocket(shown.origin);
    await once(socket, "error");
    const up = await startDevServer(down.port);
    expect((await ask(`${shown.origin}/__gantry/up`)).status).toBe(200);
    expect((await ask(`${shown.origin}/`, { headers: FRAMED })).text).toMatch(TAG);
    await up.stop();
  });

  it("fails only the request whose response is aborted or invalid", async () => {
    await expect(document("/breaks-off")).rejects.toThrow();
    await expect(document("/status-99")).rejects.toThrow();
    expect((await document("/")).status).toBe(200);
  });
});

describe("the inspector's own paths", () => {
  it("never reach the target", async () => {
    expect((await ask(`${origin}/__gantry/inspector.js?v=1`)).text).toBe("// inspector.js\n");
    expect((await ask(`${origin}/__gantry/screenshot.js`)).text).toBe("// screenshot.js\n");
    for (const path of ["/__gantry/", "/__gantry/..%2finspector.js", "/__gantry/page.ts"])
      expect((await ask(origin + path)).status).toBe(404);
    expect(target.seen).toEqual([]);
  });
});

describe("the lifetime of a preview", () => {
  it("listens on both loopback addresses until it is closed", async () => {
    const all = previews();
    const { id, origin: shown } = await openEntered(all, target.port);
    const port = new URL(shown).port;
    const host = { host: `localhost:${port}` };
    for (const address of ["127.0.0.1", "[::1]"])
      expect((await ask(`http://${address}:${port}/`, { headers: host })).status).toBe(200);
    const socket = openSocket(shown);
    await once(socket, "open");
    await all.close(id);
    await once(socket, "close");
    await expect(ask(shown)).rejects.toThrow("ECONNREFUSED");
    await expect(all.close(id)).rejects.toMatchObject({ code: "no_such_preview" });
  });

  it.each([
    ["0.0.0.0", "localhost"],
    ["[::]", "localhost"],
    ["app.localhost", "app.localhost"],
    ["127.0.0.1", "127.0.0.1"],
  ])("opens a server that printed the name %s, as %s", async (printed, shown) => {
    const all = previews();
    const { target: opened } = await all.open({ url: `http://${printed}:${target.port}/admin` }, undefined);
    expect(opened).toBe(`http://${shown}:${target.port}/admin`);
    expect(await isUp(parseTarget({ url: opened }, new Set()))).toBe(true);
  });

  it("uses the host name that the page does not use", async () => {
    const all = previews();
    await all.open({ url: `${target.url}/admin?x=1` }, "127.0.0.1:4260");
    const origins = ["127.0.0.1:4260", "localhost:4260", "LOCALHOST", "[::1]:4260", undefined].map(
      (host) => new URL(all.list(host)[0]?.origin ?? "").hostname,
    );
    expect(origins).toEqual(["localhost", "127.0.0.1", "127.0.0.1", "localhost", "localhost"]);
    expect(all.list(undefined)[0]?.target).toBe(`${target.url}/admin?x=1`);
  });

  it("ends after a long time without connections, and not while one is open", async () => {
    const all = previews({ idleMs: 1500 });
    const { origin: shown } = await openEntered(all, target.port);
    const socket = openSocket(shown);
    await once(socket, "open");
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(all.list(undefined)).toHaveLength(1);
    socket.close();
    await expect.poll(() => all.list(undefined), { timeout: 30_000 }).toEqual([]);
  });

  it("rejects more than twenty previews", async () => {
    const all = previews();
    const asked = Array.from({ length: 21 }, () => all.open({ port: target.port }, undefined));
    const results = await Promise.allSettled(asked);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(results.at(-1)).toMatchObject({ reason: { code: "too_many_previews" } });
    await all.stop();
    expect(all.list(undefined)).toEqual([]);
  });
});
