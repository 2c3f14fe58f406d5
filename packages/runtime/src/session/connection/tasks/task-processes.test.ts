import { runningTasks } from "@gantry/protocol";
import { expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import { listProcesses } from "../../../process/identity.ts";
import { playground } from "../../../process/testing/playground.ts";
import { EngineBench } from "../../engine/testing/engine.fake.ts";
import { TaskProcesses } from "./task-processes.ts";

const { agent } = playground();

it("reports a task as not stopped if its process runs in the group of the agent", async () => {
  const target = await agent("sleep 606 & cat");
  const found = () => listProcesses().find(({ parent, pgid }) => parent === target.pid && pgid === target.pgid);
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  const bench = new EngineBench();
  const data = { task: "c1", kind: "command" as const, title: "sleep 606", pid: found()?.pid ?? 0 };
  bench.apply("send", { message: { id: "msg_1", text: "go", attachments: [], delivery: "auto", author: "user" } });
  bench.output({ kind: "event", event: { type: "task.started", data } } as Output);
  bench.apply("stopTask", "c1");
  const owner = Object.assign(bench, { guard: (action: () => void) => action() });
  const tasks = new TaskProcesses(owner as never, 300);
  await tasks.end("c1", target);
  expect(runningTasks(bench.view)).toEqual([expect.not.objectContaining({ stopping: true })]);
  expect(bench.events.at(-1)).toMatchObject({ type: "notice", data: { kind: "task" } });
  process.kill(found()?.pid ?? 0, "SIGKILL");
  await expect.poll(found, { timeout: 30_000 }).toBeUndefined();
  await tasks.end("c1", target);
  expect(runningTasks(bench.view)).toEqual([]);
});
