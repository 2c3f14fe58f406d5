import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import type { Bench } from "../harness/bench.ts";
import { openBench } from "../harness/open-bench.ts";
import type { Setting } from "../harness/setting.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";
import type { Target } from "../targets/target.ts";

const TIMEOUT_MS = 300_000;
/** One automatic retry per hour, so every retry in a test is requested; an agent's own retries end before the second one. */
const HOURLY = { backoffSeconds: [3600], jitterSeconds: 0, staggerSeconds: 0, retrySeconds: 0.3 };
/** Agents that report when the limit ends: with the provider's message, or as the time of their next retry. */
const reportsEnd = ["claude", "gemini", "opencode"];
/** Settings that keep an agent from retrying for minutes without reporting it. */
const agentConfig: Setting["agentConfig"] = {
  gemini: { file: ".gemini/settings.json", settings: { general: { maxAttempts: 1, disableAutoUpdate: true } } },
};

const openLimited = (target: Target, limits: object) =>
  openBench(target, { config: { limits: { ...HOURLY, ...limits } }, agentConfig });

/** The number of conversation requests that the provider received. */
const countRequests = ({ model }: Bench) => model.requests().filter(({ wire, side }) => wire && !side).length;

async function begin({ client, target, folder }: Bench, prompt: string): Promise<string> {
  return (await client.sessions.create({ agent: target.agent, cwd: folder, mode: "full-auto", prompt })).id;
}

function until({ client }: Bench, id: string, matches: (session: Session) => boolean): Promise<Session> {
  let last: Session | undefined;
  return eventually(
    () => `the session is ${JSON.stringify(last)}`,
    async () => {
      last = await client.sessions.get(id);
      return matches(last) ? last : undefined;
    },
    TIMEOUT_MS,
  );
}

const isDone = ({ state, queue, lastTurn }: Session) =>
  state === "idle" && queue.length === 0 && lastTurn?.outcome === "completed";

// Codex and OpenCode pass on no end of a 429, and then each message of a person is a probe.
describe.for(["claude"])("%s", (agent) => {
  const target = areInstalled(agent) ? newestTarget(agent) : undefined;

  test.skipIf(!target)(
    "ten sessions make one request while a limit is open",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await openLimited(target, {});
      const message = "Too many requests. Please try again in 2 hours.";
      workspace.model.refuse({ failure: "err429", message, headers: { "retry-after": "7200" } });
      const first = await begin(workspace, "[[text]] session 0");
      await until(workspace, first, ({ state }) => state === "limited");
      expect(countRequests(workspace)).toBe(1);
      const others = await Promise.all(
        Array.from({ length: 9 }, (_, n) => begin(workspace, `[[text]] session ${n + 1}`)),
      );
      const [limit] = await workspace.client.limits.list();
      expect(limit).toMatchObject({ state: "open", provider: expect.any(String) });
      expect(limit?.sessions).toHaveLength(10);
      expect(countRequests(workspace)).toBe(1);

      // Resumed while the limit still holds: one more request, and all sessions keep waiting.
      await workspace.client.limits.resume(limit?.id ?? "");
      await until(workspace, first, ({ state, turns }) => state === "limited" && turns === 2);
      expect(countRequests(workspace)).toBe(2);
      expect((await workspace.client.limits.list())[0]?.sessions).toHaveLength(10);

      // The limit has ended: one session goes first, the others follow, and each gets one answer.
      workspace.model.refuse();
      await workspace.client.limits.resume(limit?.id ?? "");
      for (const id of [first, ...others]) await until(workspace, id, isDone);
      expect(countRequests(workspace)).toBe(2 + 10);
      expect(await workspace.client.limits.list()).toEqual([]);
      for (const id of others) expect((await workspace.client.sessions.get(id)).turns).toBe(1);
      const { events } = await workspace.client.sessions.events(first, { limit: 1000 });
      expect(events.filter(({ type }) => type === "message.user")).toHaveLength(1);
      const ends = events.flatMap((event) => (event.type === "turn.ended" ? [event.data.outcome] : []));
      expect(ends).toEqual(["failed", "failed", "completed"]);
    },
  );
});

describe.for(["claude", "codex", "gemini", "opencode"])("%s", (agent) => {
  const target = areInstalled(agent) ? newestTarget(agent) : undefined;

  test.skipIf(!target)(
    "a limit without an end time holds the session and is retried automatically",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await openLimited(target, { backoffSeconds: [1] });
      workspace.model.refuse({ failure: "err429", message: "Too many requests" });
      const id = await begin(workspace, "[[text]] one");
      await until(workspace, id, ({ turns }) => turns > 1);
      workspace.model.refuse();
      const session = await until(workspace, id, isDone);
      expect(session.limit).toBeUndefined();
    },
  );

  test.skipIf(!target)(
    "a limit with an end time holds the session until then, also across a restart",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await openLimited(target, {});
      const message = "Too many requests. Please try again in 2 hours.";
      workspace.model.refuse({ failure: "err429", message, headers: { "retry-after": "7200" } });
      const id = await begin(workspace, "[[text]] one");
      const { limit } = await until(workspace, id, ({ state }) => state === "limited");
      const hours = (Date.parse(limit?.resetsAt ?? "") - Date.now()) / 3_600_000;
      if (reportsEnd.includes(agent)) expect(hours).toBeCloseTo(2, 0);
      await workspace.restart(async () => {});
      expect((await workspace.client.sessions.get(id)).limit).toMatchObject({ nextTryAt: limit?.nextTryAt });
      const before = countRequests(workspace);
      workspace.model.refuse();
      await workspace.client.limits.resumeSession(id);
      await until(workspace, id, isDone);
      expect(countRequests(workspace)).toBe(before + 1);
    },
  );
});
