import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { fakeAgentAsked, writeFakeAgent } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { findBreaches } from "../harness/laws.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import { killPointsAround } from "./crash-project.ts";

const ID = "ses_handoff";
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) {
    for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

const STEPS = ["ask", "release", "switch", "launch", "delivery", "end"];
/** `interrupt`: a running turn must be stopped first; the later steps are the same. */
const cases = [
  ...killPointsAround("handoff", STEPS).map((where) => ({ where, interrupt: false })),
  ...killPointsAround("handoff", ["ask", "release"]).map((where) => ({ where, interrupt: true })),
];

type Place = { home: string; cwd: string; env: Record<string, string> };

function makePlace(): Place {
  const home = mkdtempSync(join(tmpdir(), "gantry-handoff-"));
  homes.push(home);
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const bin = (dialect: "claude" | "hermes") => writeFakeAgent({ dir: join(home, "bin"), dialect, pace: 5 });
  const agents = { GANTRY_CLAUDE_BIN: bin("claude"), GANTRY_HERMES_BIN: bin("hermes") };
  return { home, cwd, env: { PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: join(home, "gantry"), ...agents } };
}

async function log(client: Client): Promise<Envelope[]> {
  return (await client.sessions.events(ID, { limit: 5000 })).events;
}

const count = (events: readonly Envelope[], type: string, fields: object = {}) =>
  events.filter((event) => event.type === type && includes(event.data, fields)).length;
const includes = (data: object, fields: object) =>
  Object.entries(fields).every(([key, value]) => (data as Record<string, unknown>)[key] === value);

/** How many requests of the next agent contain the brief: one per turn. */
function countBriefs(home: string): number {
  const requests = join(home, fakeAgentAsked);
  if (!existsSync(requests)) return 0;
  return readFileSync(requests, "utf8")
    .split("\n")
    .filter((line) => line.includes("You take over a session")).length;
}

/** Kills the daemon during a handoff and returns the session after the next daemon has recovered. */
async function killAt(
  where: string,
  interrupt: boolean,
): Promise<{ session: Session; events: Envelope[]; briefs: number }> {
  const { home, cwd, env } = makePlace();
  const first = new KillableDaemon({ ...env, GANTRY_DIE_AT: where });
  const client = await first.start();
  const prompt = interrupt ? "[[slow:400:50]] remember the heron" : "[[text]] remember the heron";
  await client.sessions.create({ id: ID, agent: "claude", cwd, prompt });
  const state = interrupt ? "running" : "idle";
  await eventually(`a session that is ${state}`, async () => {
    const session = await client.sessions.get(ID);
    return session.state === state && session.handles.claude !== undefined;
  });
  const body = { agent: "hermes", prompt: "[[text]] which bird?", interrupt };
  await client.sessions.handOff(ID, body).catch(() => undefined);
  await first.waitForExit();
  const second = new KillableDaemon(env);
  const next = await second.start();
  const session = await eventually("the end of the recovery", async () => {
    const now = await next.sessions.get(ID);
    return now.state === "idle" && !now.handingTo && !now.handoff ? now : undefined;
  });
  const events = await log(next);
  const briefs = countBriefs(home);
  if (session.agent === "claude") {
    // The handoff did not start or was rolled back: the session is unchanged and can be handed off again.
    await next.sessions.handOff(ID, { agent: "hermes", prompt: "[[text]] which bird?" });
    await eventually("the second handoff", async () => {
      const now = await next.sessions.get(ID);
      return now.state === "idle" && !now.handoff && now.agent === "hermes";
    });
  }
  await next.shutdown("release");
  await second.kill("SIGTERM");
  return { session, events, briefs };
}

describe("a handoff", () => {
  test.each(cases)(
    "killed at $where happens once or not at all (interrupt: $interrupt)",
    async ({ where, interrupt }) => {
      const { session, events, briefs } = await killAt(where, interrupt);
      expect(findBreaches(events)).toEqual([]);
      const started = count(events, "handoff.started");
      const completed = count(events, "handoff.ended", { outcome: "completed" });
      expect(count(events, "turn.started", { trigger: "handoff" })).toBe(started);
      expect(completed).toBeLessThanOrEqual(1);
      expect(session.agent).toBe(completed === 1 ? "hermes" : "claude");
      expect(session.handles.claude).toBeDefined();
      if (!where.startsWith("handoff:ask:before")) expect(completed, "a requested handoff is completed").toBe(1);
      expect(count(events, "message.user", { author: "gantry" })).toBe(started);
      expect(briefs, "briefs sent to the next agent").toBe(completed);
    },
  );
}, 120_000);
