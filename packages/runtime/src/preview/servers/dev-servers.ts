import { readFileSync } from "node:fs";
import { type DevServer, runningTasks, type SessionView, type Task, type Terminal } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import { listProcesses, type Running } from "../../process/identity.ts";
import type { ProcessRow } from "../../process/ledger.ts";
import { findTaskProcess } from "../../process/tasks/task-process.ts";
import type { TerminalFeed } from "../../terminals/port.ts";
import { isUp } from "../connect.ts";
import { parseTarget, type Target } from "../target.ts";
import { type Listening, listListening } from "./listening.ts";
import { findAddresses } from "./printed-addresses.ts";

export type DevServerDeps = {
  store: Pick<Store, "readEvents" | "processes" | "sessions">;
  terminals: { list(): Terminal[]; feed(id: string): TerminalFeed };
  /** The end of a task's output. */
  outputOf: (session: string, task: string, bytes: number) => string;
};

/** How far back the output of the agent and of a terminal is searched. */
const EVENTS = 300;
const BYTES = 128 * 1024;
const COMMAND = 200;
const DEEPEST = 100;

/** The servers of a session. `ownPorts` are Gantry's, which are never shown. */
export async function findDevServers(
  { store, terminals, outputOf }: DevServerDeps,
  session: string,
  ownPorts: ReadonlySet<number>,
): Promise<DevServer[]> {
  const view = store.sessions.get(session)?.view;
  if (!view) return [];
  const shells = terminals.list().filter((one) => one.session === session);
  const agents = store.processes.ofSession(session).filter(({ endedAt }) => !endedAt);
  const among = listProcesses();
  const own = ownProcesses(among, new Set([...shells, ...agents].map(({ id }) => id)));
  const listening = await listListening([...own.keys()]);
  const owners = { view, agents, among, own };
  const found = listening.map((one) => describe(one, owners));
  const texts = [
    ...runningTasks(view).map(({ task, url }) => ({ text: `${url}\n${outputOf(session, task, BYTES)}`, task })),
    ...shells.map(({ id }) => ({ text: printedBy(terminals.feed(id)), terminal: id })),
    { text: readLog(store, view) },
  ];
  for (const { text, ...of } of texts)
    for (const url of findAddresses(text)) await addPrinted(found, targetOf(url, ownPorts), of);
  return unique(found.filter(({ port }) => !ownPorts.has(port)));
}

/** The session's processes with the marker that each inherits: its own, or that of a process above it. */
function ownProcesses(among: readonly Running[], markers: ReadonlySet<string>): Map<number, string> {
  const byPid = new Map(among.map((one) => [one.pid, one]));
  const own = new Map<number, string>();
  for (const start of among) {
    let one: Running | undefined = start;
    for (let depth = 0; one && depth < DEEPEST; depth++, one = byPid.get(one.parent)) {
      if (one.marker === undefined || !markers.has(one.marker)) continue;
      own.set(start.pid, one.marker);
      break;
    }
  }
  return own;
}

type Owners = { view: SessionView; agents: readonly ProcessRow[]; among: readonly Running[]; own: Map<number, string> };

function describe({ pid, port }: Listening, { view, agents, among, own }: Owners): DevServer {
  const marker = own.get(pid) ?? "";
  const agent = agents.find(({ id }) => id === marker);
  const group = among.find((one) => one.pid === pid)?.pgid;
  const runs = (task: Task) =>
    task.url === `http://localhost:${port}/` ||
    (agent?.pgid !== undefined && findTaskProcess(task, { id: agent.id, pgid: agent.pgid }, among)?.pgid === group);
  const task = runningTasks(view).find(runs)?.task;
  const command = commandOf(pid);
  return {
    port,
    url: `http://localhost:${port}/`,
    source: "port",
    pid,
    ...(command ? { command } : {}),
    ...(task ? { task } : {}),
    ...(agent ? {} : { terminal: marker }),
  };
}

/** The printed address of a server has more than its port: a path, or a name that the server expects. */
async function addPrinted(
  found: DevServer[],
  target: Target | undefined,
  of: { terminal?: string; task?: string },
): Promise<void> {
  if (!target) return;
  const known = found.find(({ port }) => port === target.port);
  if (known) {
    known.url = target.url.href;
    if (known.task === undefined && known.terminal === undefined) Object.assign(known, of);
  } else if (await isUp(target)) found.push({ port: target.port, url: target.url.href, source: "output", ...of });
}

function targetOf(url: string, ownPorts: ReadonlySet<number>): Target | undefined {
  try {
    return parseTarget({ url }, ownPorts);
  } catch {
    return undefined;
  }
}

function printedBy(feed: TerminalFeed): string {
  const { offset, bytes } = feed.read(0, Number.MAX_SAFE_INTEGER);
  return offset < 0 ? "" : bytes.subarray(-BYTES).toString("utf8");
}

function readLog(store: DevServerDeps["store"], { id, lastSeq }: SessionView): string {
  const rows = store.readEvents(id, Math.max(0, lastSeq - EVENTS), EVENTS);
  return rows.map(({ type, json }) => (type === "tool.ended" || type === "message.done" ? json : "")).join("\n");
}

/** One entry for each port, that of the first process. */
function unique(servers: readonly DevServer[]): DevServer[] {
  const byPort = new Map(servers.toReversed().map((server) => [server.port, server]));
  return [...byPort.values()].sort((one, other) => one.port - other.port);
}

/** Linux only; elsewhere the port is the name. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim().slice(0, COMMAND);
  } catch {
    return "";
  }
}
