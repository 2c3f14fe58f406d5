import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { sendCall, sendRaw, tryCalls, writeRequest } from "../request.ts";

/** Names that a page can make a browser send after DNS rebinding, and other spellings of addresses. */
const HOSTS = [
  "evil.example",
  "evil.example:80",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "evil.localhost",
  "127.999.0.1",
  "127.0.0.256",
  "127.1",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "2130706433",
  "127.0.0.1.",
  "localhost.",
  "0.0.0.0",
  "[::]",
  "[::ffff:8.8.8.8]",
  "[::1]evil.example",
  "192.168.1.10",
  "evil.example@127.0.0.1",
  "127.0.0.1:99999",
  "127.0.0.1, evil.example",
  "xn--lcalhost-54a",
];

const ORIGINS = [
  "https://evil.example",
  "http://evil.example",
  "null",
  "http://localhost:1",
  "http://127.0.0.1:1",
  "https://127.0.0.1",
  "file://",
  "chrome-extension://abcdefghijklmnop",
  "http://127.0.0.1.evil.example",
];

/** Content types that a form or a script can send to another site without a preflight. */
const SIMPLE_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", undefined];

export const nameAttacks: NetworkAttack[] = [
  ...HOSTS.map((host) => ({
    name: `Host: ${host}`,
    class: "DNS rebinding",
    run: (server: LocalServer) => tryCalls(server, { host, origin: `http://${host}` }),
  })),
  { name: "no Host header", class: "DNS rebinding", run: (server) => tryCalls(server, { host: undefined }) },
  {
    name: "two Host headers",
    class: "DNS rebinding",
    run: async (server) => {
      const request = writeRequest(server.url, server.reading).replace("\r\n", "\r\nhost: evil.example\r\n");
      const { body } = await sendRaw(server.url, request);
      return body.includes(server.secret) ? effect("read private data") : HELD;
    },
  },
  ...ORIGINS.map((origin) => ({
    name: `a script of ${origin} reads the answer`,
    class: "cross-origin read",
    run: (server: LocalServer) => readFromOrigin(server, origin),
  })),
  ...ORIGINS.map((origin) => ({
    name: `a script of ${origin} sends JSON after a preflight`,
    class: "cross-origin write",
    run: (server: LocalServer) => writeAfterPreflight(server, origin),
  })),
  ...SIMPLE_TYPES.flatMap((type) =>
    ["cross-site", "same-site"].map((site) => ({
      name: `a ${site} form posts ${type ?? "no content type"}`,
      class: "cross-site form",
      run: (server: LocalServer) => postForm(server, type, site),
    })),
  ),
];

/** Browsers show the answer to the script only if the server names its origin. */
async function readFromOrigin(server: LocalServer, origin: string) {
  const answer = await sendCall(server, server.reading, { origin, "sec-fetch-site": "cross-site" });
  if (!answer.body.includes(server.secret)) return HELD;
  return allowsOrigin(answer.headers, origin) ? effect("the browser shows private data to the script") : HELD;
}

async function writeAfterPreflight(server: LocalServer, origin: string) {
  const before = await server.countChanges();
  const preflight = await sendCall(
    server,
    { method: "GET", path: server.changing.path },
    { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
  );
  const options = await sendRaw(
    server.url,
    writeRequest(
      server.url,
      { method: "GET", path: server.changing.path },
      {
        origin,
        "access-control-request-method": server.changing.method,
        "access-control-request-headers": "content-type",
      },
    ).replace(/^GET /, "OPTIONS "),
  );
  const allowed = [preflight, options].some(({ headers }) => allowsOrigin(headers, origin));
  if (allowed) await sendCall(server, server.changing, { origin, "sec-fetch-site": "cross-site" });
  return (await server.countChanges()) > before ? effect("the browser lets the script change state") : HELD;
}

async function postForm(server: LocalServer, type: string | undefined, site: string) {
  const before = await server.countChanges();
  const origin = site === "same-site" ? "http://127.0.0.1:1" : "https://evil.example";
  await sendCall(server, server.changing, { origin, "content-type": type, "sec-fetch-site": site });
  return (await server.countChanges()) > before ? effect("the form changed state") : HELD;
}

function allowsOrigin(headers: string, origin: string): boolean {
  const allowed = /^access-control-allow-origin: *(.*)$/m.exec(headers)?.[1]?.trim();
  return allowed === "*" || allowed === origin.toLowerCase();
}
