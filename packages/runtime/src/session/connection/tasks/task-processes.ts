import { runningTasks, type Task } from "@gantry/protocol";
import { listProcesses } from "../../../process/identity.ts";
import type { StopTarget } from "../../../process/stop.ts";
import { listeningPort } from "../../../process/tasks/listening.ts";
import { endGroup, findTaskProcess, isTaskProcessAlive } from "../../../process/tasks/task-process.ts";
import type { InputOf, InputType } from "../../engine/engine.ts";
import type { EngineState } from "../../engine/state.ts";

const LOOK_MS = 1000;
/** How long the agent has to report the end of a task whose processes Gantry ended. */
const REPORT_MS = 2000;

/** The session's actor, as far as this class needs it. */
type TaskOwner = {
  readonly state: EngineState;
  apply<T extends InputType>(type: T, input: InputOf<T>): unknown;
  guard(action: () => void): void;
};

/**
 * Looks at the processes of background commands: reports the end of those that the agent does not watch, finds servers,
 * and ends those that ignore a stop. Runs only while the session has such tasks.
 */
export class TaskProcesses {
  readonly #owner: TaskOwner;
  readonly #graceMs: number;
  #agent: StopTarget | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(owner: TaskOwner, graceMs: number) {
    this.#owner = owner;
    this.#graceMs = graceMs;
  }

  /** Starts or stops the timer. `agent` is the process that runs the tasks; without one nothing is watched. */
  sync(agent: StopTarget | undefined): void {
    this.#agent = agent;
    const wanted = agent !== undefined && this.#watched().length > 0;
    if (wanted === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = wanted ? setInterval(() => this.#look(), LOOK_MS).unref() : undefined;
  }

  /** Ends the processes of a task, or reports that they are not known. */
  async end(task: string, agent: StopTarget | undefined): Promise<void> {
    const known = runningTasks(this.#owner.state.view).find((entry) => entry.task === task);
    // The tasks of a process that has ended are lost with it.
    if (!known || !agent) return;
    const processes = listProcesses();
    const found = findTaskProcess(known, agent, processes);
    if (!found) {
      // A process in the group of the agent cannot be ended without the agent.
      const hasEnded = known.pid !== undefined && !isTaskProcessAlive(known.pid, agent, processes);
      return this.#owner.guard(() => this.#owner.apply(hasEnded ? "taskProcessEnded" : "taskNotStopped", task));
    }
    const hasEnded = await endGroup(found, this.#graceMs);
    if (hasEnded && known.pid === undefined) await this.#waitForReport(task);
    if (this.#agent) this.#owner.guard(() => this.#owner.apply(hasEnded ? "taskKilled" : "taskNotStopped", task));
  }

  /** The agent knows the result better than Gantry. */
  async #waitForReport(task: string): Promise<void> {
    const isRunning = () => runningTasks(this.#owner.state.view).some((entry) => entry.task === task);
    for (let waited = 0; waited < REPORT_MS && isRunning(); waited += 50) await new Promise((go) => setTimeout(go, 50));
  }

  #watched(): Task[] {
    return runningTasks(this.#owner.state.view).filter(({ kind, pid }) => kind === "command" || pid !== undefined);
  }

  #look(): void {
    const agent = this.#agent;
    if (!agent) return;
    const processes = listProcesses();
    for (const task of this.#watched()) {
      if (task.pid !== undefined && !isTaskProcessAlive(task.pid, agent, processes)) {
        this.#owner.guard(() => this.#owner.apply("taskProcessEnded", task.task));
        continue;
      }
      const found = task.kind === "command" ? findTaskProcess(task, agent, processes) : undefined;
      const port = found && listeningPort(found, processes);
      if (port === undefined) continue;
      this.#owner.guard(() => this.#owner.apply("taskServes", { task: task.task, url: `http://localhost:${port}/` }));
    }
  }
}
