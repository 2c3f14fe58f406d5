import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Running } from "../identity.ts";

const LISTEN = "0A";

/** The first TCP port on which the group of a process listens. Linux only; elsewhere always `undefined`. */
export function listeningPort({ pgid }: Running, among: readonly Running[]): number | undefined {
  for (const { pid } of among.filter((one) => one.pgid === pgid)) {
    const [port] = portsOf(pid);
    if (port !== undefined) return port;
  }
  return undefined;
}

/** The TCP ports on which a process listens. Linux only. */
export function portsOf(pid: number): number[] {
  const sockets = socketsOf(pid);
  if (sockets.size === 0) return [];
  const listed = ["tcp", "tcp6"].flatMap((file) => readText(`/proc/${pid}/net/${file}`).split("\n").map(parseSocket));
  const ports = listed.flatMap((one) => (one !== undefined && sockets.has(one.inode) ? [one.port] : []));
  return [...new Set(ports)];
}

/** One line of `/proc/net/tcp`, if it listens: `sl local_address rem_address st ... inode`. */
function parseSocket(line: string): { port: number; inode: string } | undefined {
  const fields = line.trim().split(/\s+/);
  const [, local = "", , state] = fields;
  const inode = fields[9];
  if (state !== LISTEN || inode === undefined) return undefined;
  return { port: Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16), inode };
}

/** The inodes of the open sockets of a process. */
function socketsOf(pid: number): Set<string> {
  const found = new Set<string>();
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return found;
  }
  for (const name of names) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1];
      if (inode !== undefined) found.add(inode);
    } catch {
      // It was closed meanwhile.
    }
  }
  return found;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
