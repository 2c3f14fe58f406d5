import { randomBytes } from "node:crypto";
import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { type Headers, sendCall, tryCalls } from "../request.ts";

const guess = (length: number) => randomBytes(length).toString("base64url");

/** What another program on the machine can send without knowing a credential. */
const CALLERS: Record<string, (server: LocalServer) => Headers> = {
  "no credential": () => ({}),
  "an empty bearer": () => ({ authorization: "Bearer " }),
  "a bearer of the right length": (server) => ({
    authorization: `Bearer ${guess(tokenOf(server).length).slice(0, tokenOf(server).length)}`,
  }),
  "the token's first half": (server) => ({
    authorization: `Bearer ${tokenOf(server).slice(0, tokenOf(server).length / 2)}`,
  }),
  "the token and one more letter": (server) => ({ authorization: `Bearer ${tokenOf(server)}x` }),
  "the token without its last letter": (server) => ({ authorization: `Bearer ${tokenOf(server).slice(0, -1)}` }),
  "the token in upper case": (server) => ({ authorization: `Bearer ${tokenOf(server).toUpperCase()}` }),
  "basic authentication with common names": () => ({
    authorization: `Basic ${Buffer.from("opencode:opencode").toString("base64")}`,
  }),
  "a bearer of null": () => ({ authorization: "Bearer null" }),
  "a bearer of undefined": () => ({ authorization: "Bearer undefined" }),
  "a bearer of true": () => ({ authorization: "Bearer true" }),
  "a made up page credential": () => ({ authorization: `Bearer gpc_${guess(32)}` }),
  "a made up session cookie": () => ({ cookie: `gantry_session=9999999999.${guess(32)}.${guess(32)}` }),
  "forwarded headers of loopback": () => ({
    "x-forwarded-for": "127.0.0.1",
    forwarded: "for=127.0.0.1",
    "x-real-ip": "127.0.0.1",
  }),
  "a header that claims the page's own origin": (server) => ({ origin: server.url, "sec-fetch-site": "same-origin" }),
  "a method override": () => ({ "x-http-method-override": "GET", "x-original-url": "/v1/health" }),
};

export const callerAttacks: NetworkAttack[] = [
  ...Object.entries(CALLERS).map(([name, headers]) => ({
    name,
    class: "caller without a credential",
    run: (server: LocalServer) => tryCalls(server, headers(server)),
  })),
  ...["token", "access_token", "authorization", "ticket", "credential"].map((key) => ({
    name: `a made up ${key} in the query`,
    class: "caller without a credential",
    run: (server: LocalServer) => tryQuery(server, key),
  })),
];

async function tryQuery(server: LocalServer, key: string) {
  const path = `${server.reading.path}${server.reading.path.includes("?") ? "&" : "?"}${key}=${guess(32)}`;
  const { body } = await sendCall(server, { ...server.reading, path });
  return body.includes(server.secret) ? effect("read private data") : HELD;
}

/** For a server without a token the guesses are as good as none. */
function tokenOf({ owner }: LocalServer): string {
  return (owner.authorization ?? `Bearer ${"x".repeat(32)}`).replace(/^Bearer /, "");
}
