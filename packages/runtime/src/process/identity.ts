import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Every process of an agent carries this variable with the id under which the ledger knows it. */
export const MARKER = "GANTRY_PROCESS";

/** A process by number and start time: the number alone is given to another process one day. */
export type Identity = { pid: number; startedAt: string };

/** A running process as the system sees it. `marker` is the value of GANTRY_PROCESS where it can be read. */
export type Running = Identity & { pgid: number; parent: number; marker?: string };

/** `pid` is the shell that waits for the agent and leads the group `pgid`: it lives exactly as long as the agent. */
export type Launched = Identity & { id: string; pgid: number; dir: string };

/** Is this very process running? A zombie is not, nor is another process with its number. */
export function isAlive(identity: Identity): boolean {
  return exists(identity.pid) && startToken(identity.pid) === identity.startedAt;
}

/** Does any process of the group run? */
export function groupAlive(pgid: number): boolean {
  return exists(-pgid) && listProcesses().some((process) => process.pgid === pgid);
}

/** Processes in the group or with the marker, without zombies. `among` avoids listing all processes again. */
export function members(pgid: number, marker: string, among: Running[] = listProcesses()): Running[] {
  return among.filter((one) => one.marker === marker || one.pgid === pgid);
}

/**
 * The children of a process, their children, and so on. A child that left the group and cleared its environment is
 * known only by its parent, and only while the parent runs.
 */
export function descendantsOf(pid: number): Identity[] {
  const found: Identity[] = [];
  for (const child of childrenOf(pid)) {
    const startedAt = startToken(child);
    if (startedAt !== undefined) found.push({ pid: child, startedAt }, ...descendantsOf(child));
  }
  return found;
}

/** Linux lists the children of each thread. Elsewhere, all processes are searched. */
function childrenOf(pid: number): number[] {
  if (process.platform !== "linux") return listProcesses().flatMap((one) => (one.parent === pid ? [one.pid] : []));
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readText(`/proc/${pid}/task/${thread}/children`) ?? "");
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** The start time of a running process as an opaque token; `undefined` when there is none or it is a zombie. */
export function startToken(pid: number): string | undefined {
  if (process.platform === "linux") return linuxProcess(pid)?.startedAt;
  return listWithPs(["-p", String(pid)])[0]?.startedAt;
}

/** The token of a process on Linux, from the start time that the system counts in ticks. */
export function linuxToken(ticks: string): string {
  return `${bootId()}:${ticks}`;
}

/** Every process that can be seen. */
export function listProcesses(): Running[] {
  if (process.platform !== "linux") return listWithPs(["-A"]);
  const found: Running[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const one = Number.isInteger(pid) ? linuxProcess(pid) : undefined;
    if (one) found.push({ ...one, marker: linuxMarker(pid) });
  }
  return found;
}

const SOON_MS = 10;
let soon: Promise<Running[]> | undefined;

/**
 * Every process that can be seen, listed after the call. Callers at about the same time share one list: it takes one read
 * or two for each process of the machine, and many agents often end together.
 */
export function listProcessesSoon(): Promise<Running[]> {
  soon ??= sleep(SOON_MS).then(() => {
    soon = undefined;
    return listProcesses();
  });
  return soon;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function linuxProcess(pid: number): Running | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, pgid] = fields;
  const ticks = fields[19];
  if (!state || !ticks || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), pgid: Number(pgid), startedAt: linuxToken(ticks) };
}

function linuxMarker(pid: number): string | undefined {
  const environ = readText(`/proc/${pid}/environ`);
  if (!environ) return undefined;
  const entry = environ.split("\0").find((line) => line.startsWith(`${MARKER}=`));
  return entry?.slice(MARKER.length + 1);
}

let boot: string | undefined;

/** Start times are counted from the boot, so they name a process only together with it. */
function bootId(): string {
  boot ??= readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "boot";
  return boot;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3} +\w{3} +\d+ [\d:]{8} \d{4})(?: (.*))?$/;

/** Other systems have no /proc. `ps -E` appends the environment of one's own processes to their command. */
function listWithPs(which: string[]): Running[] {
  const args = [...which, "-E", "-ww", "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="];
  let text: string;
  try {
    const env = { ...process.env, LC_ALL: "C" };
    text = execFileSync("ps", args, {
      encoding: "utf8",
      env,
      maxBuffer: 64 << 20,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return [];
  }
  return text.split("\n").flatMap(parsePsLine);
}

/** One line of `ps` as a list of none or one. */
export function parsePsLine(line: string): Running[] {
  const match = PS_LINE.exec(line);
  const [, pid, parent, pgid, state = "", started = "", command = ""] = match ?? [];
  if (!match || state.startsWith("Z")) return [];
  const marker = new RegExp(` ${MARKER}=(\\S+)`).exec(command)?.[1];
  const startedAt = started.replace(/ +/g, " ");
  return [{ pid: Number(pid), parent: Number(parent), pgid: Number(pgid), startedAt, marker }];
}
