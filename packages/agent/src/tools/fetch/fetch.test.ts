import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { isInnerAddress } from "@gantry/trust";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { readTool } from "../read/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { isAllowedHost } from "./hosts.ts";
import { fetchTool } from "./tool.ts";

let server: Server;
let base: string;
let place: TestPlace;
let answer: RequestListener;
let asked: string[];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  place = new TestPlace();
  asked = [];
});
afterEach(() => place.dispose());

const allow = ["127.0.0.1"];
const fetch = fetchTool({ allow, timeoutMs: 5000 });
const reply = (type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  answer = (_request, response) => response.writeHead(200, { "content-type": type, ...headers }).end(body);
};

describe("pages", () => {
  test("converts HTML to Markdown without navigation and layout", async () => {
    reply(
      "text/html",
      "<html><head><title>T</title><script>bad()</script></head><body><nav>menu</nav><h2>Hello</h2><p>a <b>b</b></p><ul><li>x</ul></body></html>",
    );
    const text = await place.text(fetch, { url: `${base}/` });
    expect(text).toMatch(/^# T\n\n## Hello\n\na \*\*b\*\*\n\n- +x/);
    expect(text).not.toMatch(/bad|menu/);
    expect(await place.text(fetch, { url: `${base}/`, raw: true })).toContain("<h2>");
  });

  test("indents JSON, decodes other charsets and gzip", async () => {
    reply("application/json", '{"a":[1]}');
    expect(await place.text(fetch, { url: `${base}/` })).toContain('{\n  "a": [\n    1');
    reply("text/plain; charset=iso-8859-1", Buffer.from("gr\xfc\xdfe", "latin1"));
    expect(await place.text(fetch, { url: `${base}/` })).toContain("grüße");
    reply("text/plain", gzipSync("packed"), { "content-encoding": "gzip" });
    expect(await place.text(fetch, { url: `${base}/` })).toContain("packed");
  });

  test("reads a range through `read`", async () => {
    reply("text/plain", "one\ntwo\nthree\nfour\nfive\nsix\n");
    const text = await place.text(readTool({ fetch: { allow } }), { path: `${base}/x:2-2:raw` });
    expect(text).toMatch(/^two\n/);
    expect(asked).toEqual(["/x"]);
  });

  test("reports binary content, failures and endless answers", async () => {
    reply("application/octet-stream", Buffer.from([0, 1, 2]));
    await expect(place.text(fetch, { url: `${base}/` })).rejects.toThrow("not text");
    answer = (_request, response) => response.writeHead(404).end("nope");
    await expect(place.text(fetch, { url: `${base}/` })).rejects.toThrow(/404[\s\S]*nope/);
    answer = (_request, response) => void response.writeHead(200).write("x");
    await expect(place.text(fetchTool({ allow, timeoutMs: 200 }), { url: `${base}/` })).rejects.toThrow("within 0.2 s");
    answer = (_request, response) => void response.destroy();
    await expect(place.text(fetch, { url: `${base}/` })).rejects.toThrow(ToolError);
  });

  test("cuts an endless answer, also a compressed one", async () => {
    const small = fetchTool({ allow, maxBytes: 10_000 });
    reply("text/plain", gzipSync("a".repeat(5_000_000)), { "content-encoding": "gzip" });
    expect(await place.text(small, { url: `${base}/` })).toContain("was cut");
    answer = (_request, response) => {
      const timer = setInterval(() => response.write("b".repeat(5000)), 1);
      response.on("close", () => clearInterval(timer));
    };
    expect(await place.text(small, { url: `${base}/` })).toContain("was cut");
  });

  test("stores a long text whole as an artifact", async () => {
    reply("text/plain", `${"line\n".repeat(20_000)}`);
    expect(await place.text(fetch, { url: `${base}/` })).toContain("artifact://0");
    expect(place.artifacts[0]).toHaveLength(100_000);
  });
});

describe("hosts", () => {
  test("loopback and private hosts need a rule, under any name", async () => {
    reply("text/plain", "secret");
    const port = new URL(base).port;
    const hosts = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"];
    for (const host of hosts) {
      await expect(place.text(fetchTool(), { url: `http://${host}:${port}/` }), host).rejects.toThrow(ToolError);
    }
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    await expect(place.text(fetchTool({ resolve }), { url: `http://evil.example:${port}/` })).rejects.toThrow(
      "private",
    );
    expect(asked).toEqual([]);
    expect(
      await place.text(fetchTool({ resolve, allow: ["*.example"] }), { url: `http://good.example:${port}/` }),
    ).toContain("secret");
  });

  test("names a redirect to another host, and never follows one to a private host", async () => {
    answer = (request, response) =>
      void response.writeHead(302, { location: request.url === "/in" ? "/end" : "http://localhost:1/x" }).end();
    await expect(place.text(fetch, { url: `${base}/out` })).rejects.toThrow("another host: http://localhost:1/x");
    await expect(place.text(fetch, { url: `${base}/in` })).rejects.toThrow("another host");
    expect(asked).toEqual(["/out", "/in", "/end"]);
    answer = (_request, response) => void response.writeHead(302, { location: "/again" }).end();
    await expect(place.text(fetch, { url: `${base}/` })).rejects.toThrow("more than 8 times");
    answer = (_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end();
    await expect(place.text(fetch, { url: `${base}/` })).rejects.toThrow("Only http");
  });

  test("reports the host in its actions, and whether a rule names it", () => {
    expect(place.actions(fetch, { url: `${base}/` })).toEqual([{ kind: "net.fetch", url: `${base}/`, ruled: true }]);
    expect(place.actions(fetch, { url: "https://example.org/" })).toEqual([
      { kind: "net.fetch", url: "https://example.org/" },
    ]);
    for (const url of ["ftp://x/", "file:///etc/passwd", "x", "http://"]) {
      expect(() => place.actions(fetch, { url }), url).toThrow(ToolError);
    }
  });

  test("matches rules and addresses", () => {
    const url = (text: string) => new URL(text);
    expect(isAllowedHost(url("https://docs.example.org/"), ["*.example.org"])).toBe(true);
    expect(isAllowedHost(url("https://example.org.evil.net/"), ["*.example.org", "example.org"])).toBe(false);
    expect(isAllowedHost(url("http://localhost:81/"), ["localhost:80"])).toBe(false);
    for (const address of [
      "10.1.2.3",
      "172.31.0.1",
      "192.168.0.1",
      "169.254.169.254",
      "::1",
      "fd00::1",
      "fe80::1",
      "::ffff:10.0.0.1",
      "x",
    ]) {
      expect(isInnerAddress(address), address).toBe(true);
    }
    for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"])
      expect(isInnerAddress(address), address).toBe(false);
  });
});
