import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listProcesses } from "../identity.ts";
import { playground } from "../testing/playground.ts";
import { listeningPort } from "./listening.ts";
import { endGroup, findTaskProcess, isTaskProcessAlive } from "./task-process.ts";

const { agent } = playground();

const SERVER = `python3 -c 'import socket, time; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); time.sleep(600)'`;

/** Waits for a value; the processes of a test start at their own speed. */
async function eventually<Value>(look: () => Value | undefined): Promise<Value> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((go) => setTimeout(go, 20));
  }
}

it("finds a background command in its group, sees that it serves, and ends one that ignores SIGTERM", async () => {
  const command = `trap "" TERM; ${SERVER}`;
  const quoted = command.replaceAll("'", `'"'"'`);
  const running = await agent(`setsid sh -c '${quoted}; true' & setsid sleep 601 & cat`);
  const found = await eventually(() => findTaskProcess({ command }, running));
  expect(await eventually(() => listeningPort(found, listProcesses()))).toBeGreaterThan(0);
  expect(isTaskProcessAlive(found.pid, running, listProcesses())).toBe(true);
  expect(await endGroup(found, 300)).toBe(true);
  expect(isTaskProcessAlive(found.pid, running, listProcesses())).toBe(false);
  expect(findTaskProcess({ command: "sleep 601" }, running)).toBeDefined();
});

it("does not take a process that is not the agent's, is the agent itself, or is ambiguous", async () => {
  const running = await agent("setsid sleep 602 & setsid sleep 602 & cat");
  const other = await agent("setsid sleep 603 & cat");
  const foreign = await eventually(() => findTaskProcess({ command: "sleep 603" }, other));
  await eventually(() =>
    listProcesses().filter(({ marker }) => marker === running.id).length >= 3 ? true : undefined,
  );
  expect(findTaskProcess({ command: "sleep 602" }, running)).toBeUndefined();
  expect(findTaskProcess({ pid: foreign.pid }, running)).toBeUndefined();
  expect(findTaskProcess({ pid: running.pid }, running)).toBeUndefined();
  expect(isTaskProcessAlive(1, running, listProcesses())).toBe(false);
  expect(findTaskProcess({ command: "" }, running)).toBeUndefined();
});

it("sees a process that cleared its environment as long as the agent, or a process of it, is its parent", async () => {
  const running = await agent("env -i sleep 604 & setsid sh -c 'env -i sleep 605; true' & cat");
  for (const command of ["sleep 604", "sleep 605"]) {
    const { pid } = await eventually(() =>
      listProcesses().find((one) => one.marker === undefined && commandOf(one.pid) === command),
    );
    expect(isTaskProcessAlive(pid, running, listProcesses())).toBe(true);
  }
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}
