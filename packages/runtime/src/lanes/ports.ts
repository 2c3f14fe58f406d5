import { createServer } from "node:net";
import { GantryError, type PortRange } from "@gantry/protocol";
import type { LaneRecord } from "./port.ts";

const LAST_PORT = 65_535;

export type PortRequest = { first: number; count: number };

/**
 * The lowest range that no lane holds and in which every port is free. `leased` is called again after each probe,
 * because another lane may have leased the range during the probe. Throws `unavailable`.
 */
export async function leasePorts(
  { first, count }: PortRequest,
  leased: () => readonly LaneRecord[],
): Promise<PortRange> {
  for (let start = first; start + count - 1 <= LAST_PORT; start += count) {
    const range = { start, end: start + count - 1 };
    if (isLeased(range, leased()) || !(await isFree(range)) || isLeased(range, leased())) continue;
    return range;
  }
  throw new GantryError("unavailable", `No ${count} consecutive ports are free at or above ${first}.`, {
    remedy: "Remove lanes that you no longer need, or lower lanes.firstPort or lanes.ports in config.yml.",
  });
}

/** Whether a lane holds any port of the range. */
export function isLeased(range: PortRange, lanes: readonly LaneRecord[]): boolean {
  return lanes.some(({ ports }) => ports !== undefined && ports.start <= range.end && range.start <= ports.end);
}

async function isFree({ start, end }: PortRange): Promise<boolean> {
  const ports = Array.from({ length: end - start + 1 }, (_, i) => start + i);
  const free = await Promise.all(ports.flatMap((port) => [canListen(port, "127.0.0.1"), canListen(port, "::1")]));
  return free.every(Boolean);
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // Without this address no process can listen on it.
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
