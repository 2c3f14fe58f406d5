import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "@gantry/protocol";
import type { Bench } from "../../harness/bench.ts";
import type { Conversation } from "../../harness/conversation.ts";
import type { Target } from "../../targets/target.ts";
import type { Scenario } from "../scenario.ts";

/** Long enough for the turn to end and the daemon to restart first. */
const SECONDS = 12;

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
async function settle(conversation: Conversation): Promise<void> {
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
  name: "task-command",
  title: "A background command outlives its turn, idle release and a killed daemon, and ends with its result",
  setting: { config: { idleSeconds: 2 } },
  appliesTo: hasTasks,
  unbilled: true,
  async run(bench) {
    const { conversation, task } = await startTask(bench, `[[background:${SECONDS}]] go`);
    assert.match(task.kind, /^(command|server)$/);
    await sleep(4000);
    assert.equal((await taskOf(bench, conversation, "running")).task, task.task, "idle release ended it");
    await bench.restart(async () => {});
    assert.equal((await taskOf(bench, conversation, "running")).task, task.task, "the restart ended it");
    const ended = await taskOf(bench, conversation, "ok");
    assert.equal(ended.task, task.task);
    await settle(conversation);
    assert.equal(conversation.of("task.ended").length, 1);
  },
};

const subagent: Scenario = {
  name: "task-subagent",
  title: "A background subagent outlives its turn and a killed daemon; its tools and its end are recorded",
  setting: { config: { idleSeconds: 2 } },
  appliesTo: ({ tasks }) => tasks === "all",
  unbilled: true,
  async run(bench) {
    const { conversation, task } = await startTask(bench, `[[backgroundagent:${SECONDS}]] go`);
    assert.equal(task.kind, "subagent");
    await bench.restart(async () => {});
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

export const taskScenarios = [command, subagent, stop, lost];
