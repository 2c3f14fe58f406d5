import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "@gantry/protocol";
import type { Bench } from "../../harness/bench.ts";
import type { Conversation } from "../../harness/conversation.ts";
import type { Target } from "../../targets/target.ts";
import type { Scenario } from "../scenario.ts";

/** A task runs until the scenario creates this file. */
const GO = "go.txt";
/** Longer than the idle window of these scenarios. */
const IDLE = { config: { idleSeconds: 2 } };
const IDLE_MS = 4000;

/** How long the tasks of `task-outlive` run after their turn. The option `--outlive` sets it. */
export const outlive = { seconds: 6 };

/** An agent without background tasks has one cell, with the reason. */
const commandTask = "task-command";
const hasTasks = ({ tasks }: Target) => tasks !== undefined;

/** Waits until a task is listed with this status, by the log and by the API. */
async function taskOf(bench: Bench, conversation: Conversation, status: Task["status"]): Promise<Task> {
  await conversation.until(`a task that is ${status}`, () => {
    const [started, ended] = [conversation.of("task.started"), conversation.of("task.ended")];
    if (status === "running") return started.length > ended.length || undefined;
    return ended.find(({ data }) => data.status === status);
  });
  const task = (await bench.client.tasks.list(conversation.id)).find((entry) => entry.status === status);
  assert.ok(task, `no task is listed as ${status}`);
  return task;
}

/** Some agents start another turn, without a message, when a task has ended. */
export async function settle(conversation: Conversation): Promise<void> {
  await sleep(1500);
  await conversation.until("the end of all turns", () => {
    return conversation.of("turn.started").length === conversation.of("turn.ended").length || undefined;
  });
}

/** Starts a task that outlives its turn. */
async function startTask(bench: Bench, prompt: string): Promise<{ conversation: Conversation; task: Task }> {
  const conversation = await bench.session({ mode: "full-auto", prompt });
  const end = await conversation.waitForEnd();
  assert.equal(end.data.outcome, "completed");
  const task = await taskOf(bench, conversation, "running");
  assert.deepEqual(conversation.of("task.ended"), [], "the task ended with its turn");
  return { conversation, task };
}

const command: Scenario = {
  name: commandTask,
  title: "A background command outlives its turn, idle release and a killed daemon, and ends with its result",
  setting: IDLE,
  appliesTo: (target) => hasTasks(target) || target.cannot[commandTask] !== undefined,
  unbilled: true,
  async checkRefusal(bench) {
    const conversation = await bench.session({ mode: "full-auto", prompt: "[[background:1]] go" });
    await conversation.waitForEnd();
    assert.deepEqual(await bench.client.tasks.list(conversation.id), []);
    const { agents } = await bench.client.call("listAgents", {});
    assert.equal(agents.find(({ id }) => id === bench.target.agent)?.tasks, undefined);
  },
  async run(bench) {
    const { conversation, task } = await startTask(bench, `[[background:${GO}]] go`);
    assert.match(task.kind, /^(command|server)$/);
    await sleep(IDLE_MS);
    assert.equal((await taskOf(bench, conversation, "running")).task, task.task, "idle release ended it");
    await bench.restart(async () => {});
    assert.equal((await taskOf(bench, conversation, "running")).task, task.task, "the restart ended it");
    bench.writeFile(GO, "");
    const ended = await taskOf(bench, conversation, bench.target.hidesTaskResults ? "lost" : "ok");
    assert.equal(ended.task, task.task);
    await settle(conversation);
    assert.equal(conversation.of("task.ended").length, 1);
  },
};

/** The agent ends its turn after the subagent, whose work and end are recorded inside the turn. */
async function checkSubagentInTurn(bench: Bench): Promise<void> {
  const conversation = await bench.session({ mode: "full-auto", prompt: "[[backgroundagent:2]] go" });
  const end = await conversation.waitForEnd();
  assert.equal(end.data.outcome, "completed");
  await settle(conversation);
  const tasks = await bench.client.tasks.list(conversation.id);
  assert.deepEqual(
    tasks.map(({ kind, status }) => ({ kind, status })),
    [{ kind: "subagent", status: "ok" }],
  );
  const [subagentEnd] = conversation.of("subagent.ended");
  assert.equal(subagentEnd?.data.status, "ok");
  assert.ok(!subagentEnd?.synthetic, "Gantry wrote the end of a subagent that was running");
}

const subagent: Scenario = {
  name: "task-subagent",
  title: "A background subagent outlives its turn and a killed daemon; its tools and its end are recorded",
  setting: IDLE,
  appliesTo: ({ tasks }) => tasks === "all",
  unbilled: true,
  checkRefusal: checkSubagentInTurn,
  async run(bench) {
    const { conversation, task } = await startTask(bench, `[[backgroundagent:${GO}]] go`);
    assert.equal(task.kind, "subagent");
    await bench.restart(async () => {});
    assert.equal((await taskOf(bench, conversation, "running")).task, task.task, "the restart ended it");
    bench.writeFile(GO, "");
    const ended = await taskOf(bench, conversation, "ok");
    assert.equal(ended.task, task.task);
    await settle(conversation);
    const ends = conversation.of("subagent.ended");
    assert.deepEqual(
      ends.map(({ data }) => data.status),
      ["ok"],
    );
    assert.ok(!ends[0]?.synthetic, "Gantry wrote the end of a subagent that was running");
    const inner = conversation.of("tool.started").filter(({ data }) => data.parent !== undefined);
    const innerEnds = conversation.of("tool.ended").filter(({ data }) => data.item === inner[0]?.data.item);
    assert.deepEqual(
      innerEnds.map(({ data }) => data.status),
      ["ok"],
    );
  },
};

/** The acceptance run: everything that a background task must survive, with the command line as the client. */
const outliving: Scenario = {
  name: "task-outlive",
  title:
    "A command and a subagent outlive their turn, idle release and a killed daemon; one command is stopped from the CLI",
  setting: IDLE,
  appliesTo: ({ tasks }) => tasks === "all",
  unbilled: true,
  get extraMs() {
    return outlive.seconds * 1000;
  },
  checkRefusal: checkSubagentInTurn,
  async run(bench) {
    const conversation = await bench.session({ mode: "full-auto" });
    for (const name of ["background:go.txt", "backgroundagent:go.txt", "background:900"])
      await conversation.runTurn(`[[${name}]] go`);
    const running = async () => {
      const printed = await bench.gantry("tasks", conversation.id, "--json");
      return (JSON.parse(printed) as { tasks: Task[] }).tasks.filter(({ status }) => status === "running");
    };
    const kinds = async () => (await running()).map(({ kind }) => kind).toSorted();
    const turnEnded = performance.now();
    assert.deepEqual(await kinds(), ["command", "command", "subagent"]);
    await sleep(IDLE_MS);
    assert.deepEqual(await kinds(), ["command", "command", "subagent"], "idle release ended a task");
    await bench.restart(async () => {});
    assert.deepEqual(await kinds(), ["command", "command", "subagent"], "the restart ended a task");
    const [third] = (await running()).filter(({ command = "" }) => command.includes("900"));
    assert.equal(await bench.gantry("tasks", conversation.id, "stop", third?.task ?? ""), `stopped ${third?.task}\n`);
    while (performance.now() - turnEnded < outlive.seconds * 1000) {
      assert.deepEqual(await kinds(), ["command", "subagent"]);
      await sleep(1000);
    }
    bench.writeFile(GO, "");
    await conversation.until("the end of all tasks", () => conversation.of("task.ended").length >= 3 || undefined);
    await settle(conversation);
    const statuses = Object.groupBy(await bench.client.tasks.list(conversation.id), ({ status }) => status);
    assert.deepEqual(statuses.ok?.map(({ kind }) => kind).toSorted(), ["command", "subagent"]);
    assert.equal(statuses.ok?.find(({ kind }) => kind === "command")?.exitCode, 0);
    assert.deepEqual(
      statuses.stopped?.map(({ task }) => task),
      [third?.task],
    );
    assert.equal(conversation.of("task.ended").length, 3);
  },
};

const stop: Scenario = {
  name: "task-stop",
  title: "One background task is stopped; the session and its conversation continue",
  appliesTo: hasTasks,
  unbilled: true,
  async run(bench) {
    const { conversation, task } = await startTask(bench, "[[background:300]] go");
    await bench.client.tasks.stop(conversation.id, task.task);
    const stopped = await taskOf(bench, conversation, "stopped");
    assert.equal(stopped.task, task.task);
    const before = conversation.of("turn.ended").length;
    await conversation.send("[[text]] and now", { delivery: "queue" });
    await conversation.until("the next turn", () => conversation.of("turn.ended").length > before || undefined);
    await settle(conversation);
  },
};

const server: Scenario = {
  name: "task-server",
  title: "A background command that listens on a port is shown as a server, with its address",
  appliesTo: hasTasks,
  unbilled: true,
  async run(bench) {
    const { conversation, task } = await startTask(bench, "[[backgroundserver]] go");
    await conversation.until("the server", () => conversation.of("task.updated").find(({ data }) => data.url));
    const [shown] = await bench.client.tasks.list(conversation.id);
    assert.equal(shown?.kind, "server");
    assert.match(shown?.url ?? "", /^http:\/\/localhost:\d+\/$/);
    await bench.client.tasks.stop(conversation.id, task.task);
    await taskOf(bench, conversation, "stopped");
    await settle(conversation);
  },
};

const lost: Scenario = {
  name: "task-lost",
  title: "A background task that dies with the agent's process ends as lost, with the reason",
  appliesTo: hasTasks,
  unbilled: true,
  async run(bench) {
    const { conversation } = await startTask(bench, "[[background:300]] go");
    await bench.client.sessions.close(conversation.id);
    const ended = await taskOf(bench, conversation, "lost");
    assert.match(ended.reason ?? "", /closed/);
  },
};

export const taskScenarios = [command, subagent, outliving, stop, server, lost];
