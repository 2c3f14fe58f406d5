import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExit } from "./exit.ts";
import { descendantsOf, isAlive, members } from "./identity.ts";
import type { Launched } from "./launcher.ts";
import { type StopStep, stop } from "./stop.ts";
import { exitOfDir, outputOf, playground, waitUntil } from "./testing/playground.ts";

const { agent, home } = playground();
const LONG = 60_000;

function isInGroup(pid: number, { pgid, id }: Launched): boolean {
  return members(pgid, id).some((one) => one.pid === pid);
}

async function up(target: Launched): Promise<void> {
  await waitUntil(() => outputOf(target.dir).includes("up"), "start");
}

describe("stop", () => {
  it("sends no signal when the agent ends after the protocol's stop", async () => {
    const bell = join(home(), "bell");
    const target = await agent(`echo up; while [ ! -e ${bell} ]; do sleep 0.02; done`);
    await up(target);
    const steps: StopStep[] = [];
    const protocolStop = () => writeFileSync(bell, "");
    const result = await stop(target, { protocolStop, graceMs: LONG, onStep: (step) => steps.push(step) });
    expect(result).toEqual({ how: "exited", strays: 0 });
    expect(steps).toEqual(["protocol"]);
    expect(await exitOfDir(target.dir)).toEqual({ code: 0, signal: null });
  });

  it("sends SIGTERM as soon as the agent has answered and still runs", async () => {
    const target = await agent("echo up; exec sleep 1000");
    await up(target);
    const result = await stop(target, { protocolStop: async () => {}, graceMs: LONG });
    expect(result.how).toBe("terminated");
  });

  it("escalates to SIGTERM", async () => {
    const target = await agent("echo up; exec sleep 1000");
    await up(target);
    const steps: StopStep[] = [];
    const result = await stop(target, { protocolStop: () => {}, graceMs: 300, onStep: (step) => steps.push(step) });
    expect(result.how).toBe("terminated");
    expect(steps.slice(0, 2)).toEqual(["protocol", "SIGTERM"]);
    expect(await exitOfDir(target.dir)).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("escalates to SIGKILL for an agent that ignores SIGTERM, and leaves no process of its group", async () => {
    const target = await agent("trap '' TERM; echo up; sleep 1000 & while :; do sleep 1000; done");
    await up(target);
    const steps: StopStep[] = [];
    const result = await stop(target, { graceMs: 200, killMs: LONG, onStep: (step) => steps.push(step) });
    expect(result.how).toBe("killed");
    expect(steps.slice(0, 2)).toEqual(["SIGTERM", "SIGKILL"]);
    expect(members(target.pgid, target.id)).toEqual([]);
    expect(readExit(target.dir)).toBeUndefined();
  });

  it("finds grandchildren in the group, and those that left it with setsid", async () => {
    const target = await agent(
      "(trap '' TERM; exec sleep 1001) & setsid sh -c 'trap \"\" TERM; echo up; exec sleep 1002' & sleep 0.2; echo up; exit 0",
    );
    await exitOfDir(target.dir);
    await waitUntil(() => outputOf(target.dir) === "up\nup\n", "both");
    await waitUntil(() => !isAlive(target), "end of the agent");
    expect(members(target.pgid, target.id).length).toBe(2);
    expect(await stop(target, { killMs: LONG })).toEqual({ how: "exited", strays: 2 });
    expect(members(target.pgid, target.id)).toEqual([]);
  });

  it("kills a group member that hides its environment, while the group is known to be the agent's", async () => {
    const target = await agent("(trap '' TERM; exec env -i sleep 1003) & echo up; sleep 1000");
    await up(target);
    await waitUntil(() => members(target.pgid, target.id).some((one) => one.marker === undefined), "the hidden one");
    const result = await stop(target, { graceMs: LONG, killMs: LONG });
    expect(result).toEqual({ how: "terminated", strays: 1 });
    expect(members(target.pgid, target.id)).toEqual([]);
  });

  it("kills a descendant that left the group and cleared its environment", async () => {
    const target = await agent("(trap '' TERM; exec env -i setsid sleep 1004) & echo up; sleep 1000");
    await up(target);
    await waitUntil(() => descendantsOf(target.pid).some(({ pid }) => !isInGroup(pid, target)), "the hidden one");
    const hidden = descendantsOf(target.pid).filter(({ pid }) => !isInGroup(pid, target));
    expect(await stop(target, { graceMs: LONG, killMs: LONG })).toEqual({ how: "terminated", strays: 1 });
    expect(hidden.map(isAlive)).toEqual([false]);
  });

  it("sends no signal when the process id belongs to another process", async () => {
    const target = await agent("echo up; exec sleep 1000");
    await up(target);
    const stale = { ...target, id: "prc_other", startedAt: "long ago" };
    expect(await stop(stale, { graceMs: 0, killMs: 100 })).toEqual({ how: "exited", strays: 0 });
    expect(isAlive(target)).toBe(true);
  });
});
