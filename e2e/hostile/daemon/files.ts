import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findTokenLeaks } from "@gantry/testkit";
import { processesOf } from "../../harness/processes.ts";
import { eventually } from "../../harness/wait.ts";
import type { Attack, Outcome } from "../attack.ts";
import type { Scene } from "./scene.ts";

const FILES = [
  "",
  "token",
  "daemon.json",
  "gantry.db",
  "gantry.db-wal",
  "gantry.db-shm",
  "lock.db",
  "logs/daemon.log",
  "spool",
];

/** What another user can read, and what a changed file makes the daemon or its commands do. Ordered: the last one kills. */
export function fileAttacks(scene: Scene): Attack[] {
  const permissions = FILES.map((name) => ({
    name: `read ${name || "the home folder"} as another user`,
    class: "permissions",
    run: async () => checkMode(scene, name),
  }));
  const changes: [name: string, run: () => Promise<Outcome>][] = [
    ["print the token through an agent", () => printToken(scene)],
    ["find the token in a process", () => searchProcesses(scene)],
    ["delete daemon.json", () => damage(scene, (path) => rmSync(path))],
    ["replace daemon.json", () => damage(scene, (path) => writeFileSync(path, "garbage"))],
    ["take the port of a killed daemon", () => takePort(scene)],
  ];
  return [...permissions, ...changes.map(([name, run]) => ({ name, class: "files", run }))];
}

function checkMode({ place }: Scene, name: string): Outcome {
  const file = lstatSync(join(place.home, name), { throwIfNoEntry: false });
  if (!file) return { skipped: "the file does not exist" };
  const mode = file.mode & 0o777;
  return (mode & 0o077) === 0 ? { held: true } : { held: false, effect: `mode ${mode.toString(8)}` };
}

/** The agent may read the file: it runs as the same user. The token must not get into the log or to the page. */
async function printToken({ place, client, token }: Scene): Promise<Outcome> {
  writeFileSync(
    join(place.cwd, "script.sh"),
    `cat ${join(place.home, "token")}; base64 -w0 ${join(place.home, "token")}\n`,
  );
  const { id } = await client.sessions.create({
    agent: "scripted",
    mode: "full-auto",
    cwd: place.cwd,
    prompt: "[[script]]",
  });
  await eventually("the turn", async () => (await client.sessions.get(id)).lastTurn);
  const { events } = await client.sessions.events(id, { limit: 1000 });
  if (JSON.stringify(events).includes(token)) return { held: false, effect: "the token is in an event" };
  await client.sessions.delete(id);
  const leaks = findTokenLeaks(place.home).filter((path) => !path.startsWith("spool/"));
  return leaks.length === 0 ? { held: true } : { held: false, effect: `the token is in ${leaks.join(", ")}` };
}

/** Arguments and environment of every process that the daemon started, while an agent and a terminal run. */
async function searchProcesses({ place, client, token }: Scene): Promise<Outcome> {
  const { credential } = await client.redeem((await client.ticket()).ticket);
  const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt: "[[hang]]" });
  const terminal = await client.terminals.open({ command: ["sleep", "1000"] });
  await eventually("the agent", async () => ((await client.sessions.get(id)).state === "running" ? true : undefined));
  const running = await eventually("its process", () => {
    const all = processesOf(place.root);
    return all.length >= 3 ? all : undefined;
  });
  const leaks = running.filter(({ pid }) => {
    const text = ["cmdline", "environ"].map((name) => readProcessFile(pid, name)).join("\0");
    return text.includes(token) || text.includes(credential);
  });
  await client.terminals.close(terminal.id);
  await client.sessions.delete(id);
  return leaks.length === 0
    ? { held: true }
    : { held: false, effect: `it is in ${leaks.map(({ command }) => command).join(", ")}` };
}

function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

async function damage({ place }: Scene, change: (path: string) => void): Promise<Outcome> {
  const path = join(place.home, "daemon.json");
  const before = readFileSync(path, "utf8");
  change(path);
  const { status, ms } = await place.run("ls");
  if (status !== 0 || ms > 15_000) return { held: false, effect: `gantry ls ended with ${status} after ${ms} ms` };
  return readFileSync(path, "utf8") === before ? { held: true } : { held: false, effect: "another daemon was started" };
}

/** The commands of the user must not send the token to a program that got the port. */
async function takePort({ place }: Scene): Promise<Outcome> {
  const path = join(place.home, "daemon.json");
  const left = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  await place.daemon?.kill();
  const received: string[] = [];
  const impostor = createServer((request, response) => {
    if (request.headers.authorization) received.push(request.headers.authorization);
    response.end(JSON.stringify({ ok: true }));
  });
  await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
  const { port } = impostor.address() as AddressInfo;
  writeFileSync(path, JSON.stringify({ ...left, port, url: `http://127.0.0.1:${port}` }));
  await place.run("ls");
  await place.run("stop");
  impostor.close();
  return received.length === 0 ? { held: true } : { held: false, effect: "the token was sent to the impostor" };
}
