import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session, Task } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-tasks-")));
const gantry = commandLine(home);
const SLOW = 180_000;
const json = async <T>(...args: string[]) => JSON.parse((await gantry([...args, "--json"], { cwd: home })).stdout) as T;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
}, SLOW);

test(
  "lists background tasks, stops one, and counts the others when the daemon stops",
  async () => {
    expect((await gantry(["tasks"])).stdout).toBe("No background tasks.\n");
    const { id } = await json<Session>("run", "-a", "scripted", "--detach", "[[background:300]] go");
    expect((await gantry(["wait", id])).status).toBe(0);
    await gantry(["send", id, "--wait", "[[background:301]] go"]);
    const { tasks } = await json<{ tasks: Task[] }>("tasks", id);
    expect(tasks.map(({ title, status }) => [title, status])).toEqual([
      ["sleep 300", "running"],
      ["sleep 301", "running"],
    ]);
    expect((await gantry(["ls"])).stdout).toMatch(/✓ Done \+2 tasks/);
    expect((await gantry(["tasks"])).stdout).toMatch(/● running +command +sleep 300/);

    const [first, second] = tasks;
    expect(await gantry(["tasks", id, "stop", first?.task ?? ""])).toMatchObject({
      status: 0,
      stdout: `stopped ${first?.task}\n`,
    });
    expect((await gantry(["tasks", "stop", first?.task ?? ""])).stdout).toContain("had ended already (stopped)");
    expect((await gantry(["tasks", id, "stop"])).status).toBe(2);

    expect((await gantry(["stop"])).stdout).toContain("1 background task left running");
    const again = await json<{ tasks: Task[] }>("tasks");
    expect(again.tasks).toMatchObject([{ task: second?.task, status: "running", session: id }]);
    expect(await json<Task>("tasks", "stop", second?.task ?? "")).toMatchObject({ status: "stopped" });
  },
  SLOW,
);

test(
  "ends the tasks of a session that is closed as lost, with the reason",
  async () => {
    const { id } = await json<Session>("run", "-a", "scripted", "--detach", "[[background:300]] go");
    await gantry(["wait", id]);
    await gantry(["close", id]);
    const { tasks } = await json<{ tasks: Task[] }>("tasks", id);
    expect(tasks).toMatchObject([{ status: "lost", reason: "the session was closed" }]);
    expect((await gantry(["tasks", id])).stdout).toMatch(/✗ lost +command +sleep 300: the session was closed/);
  },
  SLOW,
);
