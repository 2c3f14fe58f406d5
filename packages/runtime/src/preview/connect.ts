import type { RequestOptions } from "node:http";
import { connect as connectSocket, type LookupFunction } from "node:net";
import type { Target } from "./target.ts";

/** Options of a request that can only reach the target. */
export function requestOptionsFor({ url, port, addresses }: Target): RequestOptions {
  return { host: url.hostname.replace(/[[\]]/g, ""), port, lookup: fixedLookup(addresses) };
}

/** Whether a process listens on the target's port. */
export function isUp(target: Target): Promise<boolean> {
  const { host, port, lookup } = requestOptionsFor(target);
  return new Promise((resolve) => {
    const socket = connectSocket({ host: host ?? "localhost", port: Number(port), lookup });
    const answer = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.on("connect", () => answer(true)).on("error", () => answer(false));
  });
}

/** Resolves only the name of the target. Dev servers listen on IPv4 or IPv6 loopback, depending on their Node version. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_name, { all }, done) => {
    if (all) done(null, known);
    else done(null, known[0]?.address ?? "127.0.0.1", known[0]?.family);
  };
}
