import type { RequestOptions } from "node:http";
import { connect as connectSocket, type LookupFunction } from "node:net";
import type { Target } from "./target.ts";

/** Options of a request that goes to the target and can go nowhere else. */
export function requestOptionsFor({ url, port, addresses }: Target): RequestOptions {
  return { host: url.hostname.replace(/[[\]]/g, ""), port, lookup: fixedLookup(addresses) };
}

/** Does anything listen there? */
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

/** A name service that knows one name. Dev servers listen on one of the two loopbacks, whichever their Node prefers. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_name, { all }, done) => {
    if (all) done(null, known);
    else done(null, known[0]?.address ?? "127.0.0.1", known[0]?.family);
  };
}
