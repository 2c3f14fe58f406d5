import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Outcome } from "../../attack.ts";
import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { type Headers, sendCall, sendRaw, writeRequest } from "../request.ts";

const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** Bodies that are cheap to send and may be expensive to read. The caller is the owner, so that only the parser protects the server. */
const BODIES: Record<string, () => string> = {
  "100,000 nested arrays": () => deep(100_000, "[", "]"),
  "100,000 nested objects": () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  "a number of a million digits": () => `{"title":${"9".repeat(1_000_000)}}`,
  "an exponent beyond all numbers": () => '{"title":1e999999999}',
  "a key that changes all objects": () =>
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  "a million keys": () => `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
  "an unpaired surrogate": () => '{"title":"\\ud800"}',
  "a NUL": () => '{"title":"a\\u0000b","cwd":"/tmp\\u0000/x"}',
  "bytes that are not UTF-8": () => '{"title":"\xff\xfe"}',
  "half an object": () => '{"title":"x"',
  "two documents": () => "{}{}",
  nothing: () => "",
};

const MALFORMED: Record<string, (server: LocalServer) => string> = {
  "both lengths": ({ url, changing }) =>
    `POST ${changing.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`,
  "a second request in the body of a GET": ({ url, reading, changing }) =>
    `GET ${reading.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nPOST ${changing.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  "two different lengths": ({ url, changing }) =>
    `POST ${changing.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}xx`,
  "a negative length": ({ url, changing }) =>
    `POST ${changing.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: -1\r\n\r\n{}`,
  "an endless chunk size": ({ url, changing }) =>
    `POST ${changing.path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  "a header of 1 MB": ({ url, reading }) => writeRequest(url, reading, { "x-long": "x".repeat(1_000_000) }),
  "10,000 headers": ({ url, reading }) =>
    writeRequest(url, reading, Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, "1"]))),
  "a header folded over lines": ({ url, reading }) => writeRequest(url, reading, { "x-a": "1\r\n 2" }),
  "a target of 1 MB": ({ url, reading }) =>
    writeRequest(url, { ...reading, path: `${reading.path}?${"x".repeat(1_000_000)}` }),
  "an unknown method": ({ url, reading }) => writeRequest(url, reading).replace(/^GET/, "BREW"),
  "HTTP/9.9": ({ url, reading }) => writeRequest(url, reading).replace("HTTP/1.1", "HTTP/9.9"),
  "random bytes": () => Array.from({ length: 2_000 }, (_, at) => String.fromCharCode((at * 131) % 256)).join(""),
  "a TLS greeting": () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "an HTTP/2 preface": () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
};

export const overloadAttacks: NetworkAttack[] = [
  ...Object.entries(BODIES).map(([name, body]) => ({
    name: `a body with ${name}`,
    class: "hostile body",
    run: (server: LocalServer) => postBody(server, body(), server.owner),
  })),
  ...Object.entries(MALFORMED).map(([name, text]) => ({
    name,
    class: "malformed HTTP",
    run: (server: LocalServer) => sendMalformed(server, text(server)),
  })),
  {
    name: "a body of 200 MB without a credential",
    class: "overload",
    run: (server) => measureGrowth(server, () => sendEndlessBody(server)),
  },
  {
    name: "300 requests that never finish their headers",
    class: "overload",
    run: (server) => holdConnections(server, 300, () => `GET ${server.reading.path} HTTP/1.1\r\nHost: `),
  },
  {
    name: "300 bodies that never arrive",
    class: "overload",
    run: (server) =>
      holdConnections(server, 300, () =>
        writeRequest(server.url, { ...server.changing, body: undefined }, { "content-length": "100", ...server.owner }),
      ),
  },
  {
    name: "300 readers that never read",
    class: "overload",
    run: (server) =>
      measureGrowth(server, () =>
        holdConnections(server, 300, () =>
          writeRequest(server.url, server.reading, {
            ...server.owner,
            accept: "text/event-stream",
            connection: "keep-alive",
          }),
        ),
      ),
  },
];

async function postBody(server: LocalServer, text: string, headers: Headers): Promise<Outcome> {
  const request = `POST ${server.changing.path} HTTP/1.1\r\n${lines({
    host: new URL(server.url).host,
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text, "latin1")),
    ...headers,
  })}\r\n`;
  const { status } = await sendRaw(server.url, Buffer.from(request + text, "latin1"));
  if (status === 0 && !(await answers(server))) return effect("the server no longer answers");
  return (await answers(server)) ? HELD : effect(`the server no longer answers after ${status}`);
}

async function sendMalformed(server: LocalServer, text: string): Promise<Outcome> {
  const before = await server.countChanges();
  const { body } = await sendRaw(server.url, text, 3_000);
  if (body.includes(server.secret)) return effect("read private data");
  if ((await server.countChanges()) > before) return effect("changed the server's state");
  return (await answers(server)) ? HELD : effect("the server no longer answers");
}

/** Opens connections that stay unfinished, and checks that the owner is still served. */
async function holdConnections(server: LocalServer, count: number, start: () => string): Promise<Outcome> {
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(start());
      sockets.push(socket);
    }
    return (await answers(server)) ? HELD : effect("the owner is not served meanwhile");
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function sendEndlessBody(server: LocalServer): Promise<Outcome> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const size = 200_000_000;
  socket.write(writeRequest(server.url, { ...server.changing, body: undefined }, { "content-length": String(size) }));
  const block = Buffer.alloc(1_000_000, 0x20);
  for (let sent = 0; sent < size && !socket.destroyed; sent += block.length) {
    if (socket.write(block)) continue;
    const drained = await Promise.race([onceDrained(socket), wait(2_000)]);
    if (!drained) break;
  }
  socket.destroy();
  return (await answers(server)) ? HELD : effect("the server no longer answers");
}

const MOST_GROWTH = 150_000_000;

/** Memory may grow, but not by what the attacker sends. */
async function measureGrowth(server: LocalServer, attack: () => Promise<Outcome>): Promise<Outcome> {
  const before = residentBytes(server.pid);
  const outcome = await attack();
  const growth = residentBytes(server.pid) - before;
  if ("held" in outcome && !outcome.held) return outcome;
  return growth < MOST_GROWTH ? outcome : effect(`the server grew by ${Math.round(growth / 1e6)} MB`);
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

async function answers(server: LocalServer): Promise<boolean> {
  const { body } = await sendCall(server, server.reading, server.owner);
  return body.includes(server.secret);
}

function lines(headers: Headers): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
    .join("");
}

function onceDrained(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("drain", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
}

function wait(ms: number): Promise<boolean> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}
