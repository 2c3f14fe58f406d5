import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "@gantry/protocol";
import { writeFakeAgent } from "@gantry/testkit";
import { afterEach, expect, test } from "vitest";
import { differences, story } from "../harness/event-story.ts";
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

type Outcome = { events: Envelope[]; story: string[]; held: boolean };

/**
 * Runs one turn of a fake agent that sends its last text, tool end and cost after its end of the turn. With `kill`, the
 * daemon is killed as soon as that end is in the spool; `held`: the daemon had not stored the end of the turn by then.
 */
async function runTrailingTurn({ kill }: { kill: boolean }): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), "gantry-trail-"));
  homes.push(home);
  const cwd = join(home, "project");
  mkdirSync(cwd);
  execFileSync("git", ["init", "--quiet", cwd]);
  const bin = writeFakeAgent({ dir: join(home, "bin"), dialect: "hermes", fault: "trailing", pace: 1 });
  const gantry = join(home, "gantry");
  const env = { PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: gantry, GANTRY_HERMES_BIN: bin };
  const daemon = new KillableDaemon(env);
  let client = await daemon.start();
  const id = "ses_trail";
  await client.sessions.create({ id, agent: "hermes", cwd, prompt: "[[bash]] go" });
  await eventually("the question", async () => {
    const [input] = (await client.sessions.get(id)).inputs;
    return input && client.answer(input.id, { decision: "allow" });
  });
  let held = false;
  if (kill) {
    while (!readSpool(gantry, id).includes("stopReason")) await sleep(1);
    await daemon.kill();
    held = !endStored(gantry);
    client = await daemon.start();
  }
  await eventually("the end of the turn", async () => (await client.sessions.get(id)).state === "idle" || undefined);
  const { events } = await client.call("sessionEvents", { params: { id }, query: { limit: 1000 } });
  await client.shutdown("release");
  await daemon.kill("SIGTERM");
  const log = events as unknown as Envelope[];
  return { events: log, story: story(log, [cwd, home]), held };
}

function readSpool(gantry: string, session: string): string {
  const folder = join(gantry, "spool", session);
  const [process] = existsSync(folder) ? readdirSync(folder) : [];
  const out = join(folder, process ?? "", "out");
  return process && existsSync(out) ? readFileSync(out, "utf8") : "";
}

function endStored(gantry: string): boolean {
  const database = new DatabaseSync(join(gantry, "gantry.db"), { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS ends FROM events WHERE type = 'turn.ended'`).get();
  database.close();
  return row?.ends !== 0;
}

test("output that an agent sends after its end of a turn belongs to the turn, even if the daemon is killed in between", async () => {
  const undisturbed = await runTrailingTurn({ kill: false });
  const { events } = undisturbed;
  expect(findBreaches(events)).toEqual([]);
  const end = events.find((event) => event.type === "turn.ended");
  expect(end).toMatchObject({ data: { outcome: "completed", cost: { usd: 0.01 } } });
  expect(end?.synthetic).toBeUndefined();
  expect(events.filter((event) => event.type === "message.done").map(({ data }) => data.text)).toEqual([
    "Done: bash ran. That is all.",
  ]);
  const tool = events.find((event) => event.type === "tool.ended");
  expect(tool).toMatchObject({ turn: end?.turn, data: { status: "ok" } });
  expect(tool?.synthetic).toBeUndefined();
  // The agent is a local profile, so the session reports that its mode cannot be enforced.
  expect(events.filter((event) => event.type === "notice" && event.data.kind !== "mode")).toEqual([]);

  let held = false;
  for (let round = 0; round < 8 && !held; round++) {
    const killed = await runTrailingTurn({ kill: true });
    expect(differences(undisturbed.story, killed.story)).toEqual([]);
    held = killed.held;
  }
  expect(held, "a kill before the end of the turn was stored").toBe(true);
}, 240_000);
