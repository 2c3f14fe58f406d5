import { GantryError, type OpenPreview } from "@gantry/protocol";

/** Names of this machine. `localhost` and every name below it are never resolved by DNS. */
const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** A server that listens on every interface prints one of these; it is reached on loopback. */
const EVERY_INTERFACE = ["0.0.0.0", "[::]"];
const REMEDY = "Give the address that the dev server prints, such as http://localhost:5173/, or only its port.";

/** The address of a dev server on this machine, and how to connect to it. */
export type Target = {
  url: URL;
  port: number;
  /** Addresses to try, in this order. */
  addresses: readonly string[];
};

/**
 * The dev server of a request. Throws `invalid` for anything but HTTP on loopback, and for Gantry's own ports: a preview
 * of the daemon would let a page act under the daemon's origin.
 */
export function parseTarget({ url, port }: OpenPreview, ownPorts: ReadonlySet<number>): Target {
  const parsed = URL.parse(url ?? `http://localhost:${port}/`);
  if (!parsed) throw new GantryError("invalid", `${url} is not an address.`, { remedy: REMEDY });
  if (parsed.protocol !== "http:")
    throw new GantryError("invalid", `A preview speaks plain HTTP with the dev server, not ${parsed.protocol}//.`, {
      remedy: "On loopback nothing is gained by TLS: start the dev server without it.",
    });
  if (EVERY_INTERFACE.includes(parsed.hostname)) parsed.hostname = "localhost";
  if (!LOOPBACK.test(parsed.hostname) || parsed.username || parsed.password)
    throw new GantryError("invalid", `${parsed.host} is not on this machine; only loopback is shown.`, {
      remedy: REMEDY,
    });
  const number = Number(parsed.port || 80);
  if (number === 0)
    throw new GantryError("invalid", "Port 0 is not an address: no server listens there.", { remedy: REMEDY });
  if (ownPorts.has(number))
    throw new GantryError("invalid", `Port ${number} is Gantry's own and cannot be shown in itself.`, {
      remedy: REMEDY,
    });
  return { url: parsed, port: number, addresses: addressesOf(parsed.hostname) };
}

/** Whether this URL is the target, under any of its names. */
export function isTarget(target: Target, url: URL): boolean {
  const isLocal = LOOPBACK.test(url.hostname) || EVERY_INTERFACE.includes(url.hostname);
  return url.protocol === "http:" && isLocal && Number(url.port || 80) === target.port;
}

function addressesOf(hostname: string): string[] {
  if (hostname === "[::1]") return ["::1"];
  return hostname.endsWith("localhost") ? ["127.0.0.1", "::1"] : [hostname];
}
