import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@gantry/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "./daemon-home.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const CONFIG = "deadlines: { turnSeconds: 6, interruptSeconds: 2, stopSeconds: 1 }\nidleSeconds: 4\n";

let place: DaemonHome;
let client: Client;

const setClock = (ms: number) => writeFileSync(join(place.root, "clock"), String(ms));

beforeEach(async () => {
  place = new DaemonHome({ config: CONFIG });
  setClock(0);
  const preload = join(import.meta.dirname, "clock-preload.mjs");
  client = await place.start({ CLOCK_FILE: join(place.root, "clock"), NODE_OPTIONS: `--import=${preload}` });
});
afterEach(() => place.dispose());

const idle = (id: string) =>
  eventually("the end of the turn", async () => {
    const session = await client.sessions.get(id);
    return session.state === "idle" && session.queue.length === 0 ? session : undefined;
  });

describe.each([
  ["forwards by 15 hours", 15 * HOUR],
  ["back by 15 hours", -15 * HOUR],
  ["forwards by three years", 3 * YEAR],
  ["back by three years", -3 * YEAR],
])("a clock that jumps %s", (_, jump) => {
  it("ends no running turn, delays no deadline and keeps the log in order", async () => {
    const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt: "[[slow:60:50]]" });
    await sleep(500);
    setClock(jump);
    const first = await idle(id);
    expect(first.lastTurn?.outcome).toBe("completed");
    // A deadline that is set after the jump takes its own time, and so does one that is set before a jump back.
    const begun = performance.now();
    await client.sessions.send(id, { text: "[[hang]]" });
    await sleep(500);
    setClock(0);
    const second = await idle(id);
    expect(second.lastTurn).toMatchObject({ outcome: "failed", error: { category: "timeout" } });
    expect(performance.now() - begun).toBeGreaterThan(5000);
    expect(performance.now() - begun).toBeLessThan(30_000);
    const { events } = await client.sessions.events(id, { limit: 10_000 });
    expect(findBreaches(events)).toEqual([]);
    expect((await client.health()).uptimeMs).toBeLessThan(120_000);
    expect((await client.health()).uptimeMs).toBeGreaterThan(0);
  });

  it("expires no ticket early and keeps none alive, and starts no schedule in a loop", async () => {
    const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd });
    const before = await client.ticket();
    await client.schedules.add({ session: id, text: "[[text]] hi", every: 3600 });
    setClock(jump);
    await sleep(200);
    await expect(client.redeem(before.ticket)).resolves.toMatchObject({ credential: expect.stringMatching(/^gpc_/) });
    await sleep(3000);
    const { turns } = await idle(id);
    // At most the run that was due in between.
    expect(turns).toBeLessThanOrEqual(1);
    const { id: another } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt: "[[text]] x" });
    expect((await idle(another)).lastTurn?.outcome).toBe("completed");
    expect((await client.sessions.list()).sessions.map((session) => session.id).sort()).toEqual([id, another].sort());
  });
});
