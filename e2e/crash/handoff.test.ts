import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { fakeAgentAsked, writeFakeAgent } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { breaches } from "../harness/laws.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";

const ID = "ses_handoff";
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) {
    for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** The daemon kills itself right before a step and right after it. */
const around = (steps: readonly string[]) =>
  steps.flatMap((step) => [`handoff:${step}:before`, `handoff:${step}:after`]);
const STEPS = ["ask", "release", "switch", "launch", "delivery", "end"];
/** With a turn that must be stopped first; what comes after that is the same. */
const cases = [
  ...around(STEPS).map((where) => ({ where, interrupt: false })),
  ...around(["ask", "release"]).map((where) => ({ where, interrupt: true })),
];

type Place = { home: string; cwd: string; env: Record<string, string> };

function place(): Place {
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

const count = (events: readonly Envelope[], type: string, wanted: object = {}) =>
  events.filter((event) => event.type === type && includes(event.data, wanted)).length;
const includes = (data: object, wanted: object) =>
  Object.entries(wanted).every(([key, value]) => (data as Record<string, unknown>)[key] === value);

/** How often the next agent's model was asked something with the brief: once for each turn of it. */
function briefsTold(home: string): number {
  const asked = join(home, fakeAgentAsked);
  if (!existsSync(asked)) return 0;
  return readFileSync(asked, "utf8")
    .split("\n")
    .filter((line) => line.includes("You take over a session")).length;
}

/** A handoff in the middle of which the daemon dies, and the session as the next daemon leaves it. */
async function killedAt(
  where: string,
  interrupt: boolean,
): Promise<{ session: Session; events: Envelope[]; briefs: number }> {
  const { home, cwd, env } = place();
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
  await first.ended();
  const second = new KillableDaemon(env);
  const next = await second.start();
  const session = await eventually("the end of what was begun", async () => {
    const now = await next.sessions.get(ID);
    return now.state === "idle" && !now.handingTo && !now.handoff ? now : undefined;
  });
  const events = await log(next);
  const briefs = briefsTold(home);
  if (session.agent === "claude") {
    // It was not begun, or taken back: the session is as it was and can be handed over again.
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
    "that is cut off at $where is done once or not at all (interrupt: $interrupt)",
    async ({ where, interrupt }) => {
      const { session, events, briefs } = await killedAt(where, interrupt);
      expect(breaches(events)).toEqual([]);
      const started = count(events, "handoff.started");
      const completed = count(events, "handoff.ended", { outcome: "completed" });
      expect(count(events, "turn.started", { trigger: "handoff" })).toBe(started);
      expect(completed).toBeLessThanOrEqual(1);
      expect(session.agent).toBe(completed === 1 ? "hermes" : "claude");
      expect(session.handles.claude).toBeDefined();
      if (!where.startsWith("handoff:ask:before")) expect(completed, "asked for is done").toBe(1);
      expect(count(events, "message.user", { author: "gantry" })).toBe(started);
      expect(briefs, "briefs that the next agent's model was told").toBe(completed);
    },
  );
}, 120_000);
