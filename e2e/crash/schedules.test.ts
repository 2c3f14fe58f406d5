import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope } from "@gantry/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { findBreaches } from "../harness/laws.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) {
    for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

type Place = { cwd: string; env: Record<string, string> };

function makePlace(): Place {
  const home = mkdtempSync(join(tmpdir(), "gantry-schedule-crash-"));
  homes.push(home);
  const cwd = join(home, "project");
  mkdirSync(cwd);
  return { cwd, env: { PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: join(home, "gantry") } };
}

/** Runs `work` with a daemon that kills itself at the step, then `check` with the next daemon. */
async function killAt(
  where: string,
  work: (client: Client, place: Place) => Promise<string>,
  check: (client: Client, id: string) => Promise<void>,
): Promise<void> {
  const here = makePlace();
  const first = new KillableDaemon({ ...here.env, GANTRY_DIE_AT: where });
  const id = await work(await first.start(), here);
  await first.waitForExit();
  const second = new KillableDaemon(here.env);
  const client = await second.start();
  await check(client, id);
  await client.shutdown("release");
  await second.waitForExit();
}

async function log(client: Client, id: string): Promise<Envelope[]> {
  return (await client.sessions.events(id, { limit: 5000 })).events;
}

const from = (events: readonly Envelope[], author: string) =>
  events.flatMap((event) =>
    event.type === "message.user" && event.data.author.startsWith(author) ? [event.data] : [],
  );

const waitForTurns = (client: Client, id: string, turns: number) =>
  eventually(`turn ${turns} of ${id}`, async () => {
    const { state, turns: had, queue } = await client.sessions.get(id);
    return state === "idle" && queue.length === 0 && had >= turns;
  });

describe.each(["schedule:send:before", "schedule:send:after"])("the daemon is killed at %s", (where) => {
  test("and the schedule creates one session with one message", async () => {
    const begin = async (client: Client, { cwd }: Place) => {
      const create = { agent: "scripted", cwd };
      const { id } = await client.schedules.add({ create, text: "[[text]] hello", at: new Date().toISOString() });
      return id;
    };
    await killAt(where, begin, async (client, id) => {
      const schedule = await eventually("the run", async () => {
        const known = await client.schedules.get(id);
        return known.runs > 0 ? known : undefined;
      });
      expect(schedule).toMatchObject({ enabled: false, runs: 1, misses: 0 });
      const { sessions } = await client.sessions.list();
      expect(sessions.map((session) => session.id)).toEqual([schedule.lastRun?.session]);
      await waitForTurns(client, sessions[0]?.id ?? "", 1);
      const events = await log(client, sessions[0]?.id ?? "");
      expect(from(events, "schedule:")).toHaveLength(1);
      expect(findBreaches(events)).toEqual([]);
    });
  }, 180_000);
});

describe.each(["wake:send:before", "wake:send:after"])("the daemon is killed at %s", (where) => {
  test("and the parent gets one message about the end of its child", async () => {
    const begin = async (client: Client, { cwd }: Place) => {
      writeFileSync(
        join(cwd, "spawn.sh"),
        `"$GANTRY_BIN" run --detach -a scripted -t Orchard "[[say:ripe plums]] look"\n`, // prose-ignore: a marker
      );
      const body = { agent: "scripted", cwd, mode: "full-auto" as const, prompt: "[[script:spawn.sh]] go" };
      return (await client.sessions.create(body)).id;
    };
    await killAt(where, begin, async (client, id) => {
      await waitForTurns(client, id, 2);
      const events = await log(client, id);
      expect(from(events, "session:")).toMatchObject([{ text: expect.stringContaining("ripe plums") }]);
      expect(findBreaches(events)).toEqual([]);
      // A duplicate would arrive before the next message does.
      const { sessions } = await client.sessions.list();
      const child = sessions.find(({ parent }) => parent === id)?.id ?? "";
      await client.sessions.send(child, { text: "[[say:ripe pears]] look" }); // prose-ignore: a marker
      await waitForTurns(client, id, 3);
      expect(from(await log(client, id), "session:")).toHaveLength(2);
    });
  }, 180_000);
});
