import { execFile } from "node:child_process";
import { portsOf } from "../../process/tasks/listening.ts";

const LSOF_MS = 5000;

/** A process that listens on a TCP port. */
export type Listening = { pid: number; port: number };

/** The ports on which these processes listen: from /proc on Linux, from `lsof` elsewhere. */
export async function listListening(pids: readonly number[]): Promise<Listening[]> {
  if (pids.length === 0) return [];
  if (process.platform === "linux") return pids.flatMap((pid) => portsOf(pid).map((port) => ({ pid, port })));
  return parseLsof(await runLsof(pids));
}

function runLsof(pids: readonly number[]): Promise<string> {
  const args = ["-nP", "-a", "-iTCP", "-sTCP:LISTEN", "-p", pids.join(","), "-F", "pn"];
  // It exits with 1 if one of the processes has no such port, also with output.
  return new Promise((resolve) => execFile("lsof", args, { timeout: LSOF_MS }, (_error, out) => resolve(out)));
}

/** Lines of `lsof -F pn`: `p<pid>`, then `n<address>:<port>` for each of its ports. */
export function parseLsof(out: string): Listening[] {
  const found = new Map<string, Listening>();
  let pid = 0;
  for (const line of out.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    const [, port] = /^n.*:(\d+)$/.exec(line) ?? [];
    if (port !== undefined) found.set(`${pid} ${port}`, { pid, port: Number(port) });
  }
  return [...found.values()];
}
