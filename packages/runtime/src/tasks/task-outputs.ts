import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { GantryError, type Item, type Task, type TaskOutput } from "@gantry/protocol";
import { listProcesses } from "../process/identity.ts";
import type { Processes } from "../process/ledger.ts";
import { findTaskProcess } from "../process/tasks/task-process.ts";
import type { TaskOutputs } from "./handlers.ts";
import { readTail } from "./read-tail.ts";

export type TaskOutputDeps = {
  /** Throws `no_such_session`. */
  tasks: (session: string) => Task[];
  /** Throws if there is no such item. */
  item: (session: string, item: string) => Item;
  processes: Pick<Processes, "ofSession">;
};

const BYTES = 64_000;
const STDOUT = 1;

/** The output of background tasks. It is read when it is asked for: agents write it to files, not to the daemon. */
export class OutputReader implements TaskOutputs {
  readonly #deps: TaskOutputDeps;

  constructor(deps: TaskOutputDeps) {
    this.#deps = deps;
  }

  read(session: string, task: string, bytes = BYTES): TaskOutput {
    const found = this.#deps.tasks(session).find((entry) => entry.task === task);
    if (!found) throw new GantryError("no_such_task", `${session} has no task ${task}.`);
    const file = found.file && readTail(found.file, bytes);
    if (file) return { ...file, source: "file" };
    const live = this.#readProcess(session, found, bytes);
    if (live) return { ...live, source: "process" };
    return this.#readItem(session, found, bytes) ?? { text: "", cut: false, source: "none" };
  }

  /** Agents send the output of a background command to a file. The open file of the running process names it. */
  #readProcess(session: string, task: Task, bytes: number) {
    if (task.status !== "running" || (task.kind !== "command" && task.kind !== "server")) return undefined;
    const agent = this.#deps.processes.ofSession(session).find(({ pid, endedAt }) => pid !== undefined && !endedAt);
    if (agent?.pgid === undefined) return undefined;
    const found = findTaskProcess(task, { id: agent.id, pgid: agent.pgid }, listProcesses());
    const path = found && outputFile(found.pid);
    return path === undefined ? undefined : readTail(path, bytes);
  }

  #readItem(session: string, { item }: Task, bytes: number): TaskOutput | undefined {
    if (item === undefined) return undefined;
    try {
      const { text } = this.#deps.item(session, item);
      return text === "" ? undefined : { text: text.slice(-bytes), cut: text.length > bytes, source: "item" };
    } catch {
      return undefined;
    }
  }
}

/** The file that a process has open as its standard output. */
function outputFile(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/fd/${STDOUT}`);
    const args = ["-a", "-p", String(pid), "-d", String(STDOUT), "-F", "n"];
    const out = execFileSync("lsof", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return /^n(\/.*)$/m.exec(out)?.[1];
  } catch {
    return undefined;
  }
}
