import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { Bench } from "../harness/bench.ts";
import type { Setting } from "../harness/setting.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";
import type { Target } from "../targets/target.ts";

const TIMEOUT_MS = 300_000;
/** A try an hour, so that whatever is tried was asked for; an agent's own tries end before the second one. */
const KEPT = { backoffSeconds: [3600], jitterSeconds: 0, staggerSeconds: 0, retrySeconds: 0.3 };
/** Agents that pass on when the limit ends: in the provider's words, or as the time until their own next try. */
const tellsEnd = ["claude", "gemini", "opencode"];
/** What an agent needs so as not to try for minutes by itself without a word. */
const agentConfig: Setting["agentConfig"] = {
  gemini: { file: ".gemini/settings.json", settings: { general: { maxAttempts: 1, disableAutoUpdate: true } } },
};

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
}, TIMEOUT_MS);

async function open(target: Target, limits: object): Promise<Bench> {
  bench = await Bench.open(target, { config: { limits: { ...KEPT, ...limits } }, agentConfig });
  return bench;
}

/** Requests of conversations that the provider has seen. */
const asked = ({ model }: Bench) => model.requests().filter(({ wire, side }) => wire && !side).length;

async function begin({ client, target, folder }: Bench, prompt: string): Promise<string> {
  return (await client.sessions.create({ agent: target.agent, cwd: folder, mode: "full-auto", prompt })).id;
}

function until({ client }: Bench, id: string, wanted: (session: Session) => boolean): Promise<Session> {
  let last: Session | undefined;
  return eventually(
    () => `the session is ${JSON.stringify(last)}`,
    async () => {
      last = await client.sessions.get(id);
      return wanted(last) ? last : undefined;
    },
    TIMEOUT_MS,
  );
}

const isDone = ({ state, queue, lastTurn }: Session) =>
  state === "idle" && queue.length === 0 && lastTurn?.outcome === "completed";

describe.for(["claude", "codex"])("%s", (agent) => {
  const target = areInstalled(agent) ? newestTarget(agent) : undefined;

  test.skipIf(!target)(
    "ten sessions make one request, not ten",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await open(target, {});
      workspace.model.refuse({ failure: "err429", message: "Too many requests" });
      const first = await begin(workspace, "[[text]] session 0");
      await until(workspace, first, ({ state }) => state === "limited");
      expect(asked(workspace)).toBe(1);
      const others = await Promise.all(
        Array.from({ length: 9 }, (_, n) => begin(workspace, `[[text]] session ${n + 1}`)),
      );
      const [limit] = await workspace.client.limits.list();
      expect(limit).toMatchObject({ state: "open", provider: expect.any(String) });
      expect(limit?.sessions).toHaveLength(10);
      expect(asked(workspace)).toBe(1);

      // Tried while it still holds: one request more, and all wait on.
      await workspace.client.limits.resume(limit?.id ?? "");
      await until(workspace, first, ({ state, turns }) => state === "limited" && turns === 2);
      expect(asked(workspace)).toBe(2);
      expect((await workspace.client.limits.list())[0]?.sessions).toHaveLength(10);

      // Over: one goes first, the others follow, and each is answered once.
      workspace.model.refuse();
      await workspace.client.limits.resume(limit?.id ?? "");
      for (const id of [first, ...others]) await until(workspace, id, isDone);
      expect(asked(workspace)).toBe(2 + 10);
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
    "a refusal without an end parks, and is tried again by itself",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await open(target, { backoffSeconds: [1] });
      workspace.model.refuse({ failure: "err429", message: "Too many requests" });
      const id = await begin(workspace, "[[text]] one");
      await until(workspace, id, ({ turns }) => turns > 1);
      workspace.model.refuse();
      const session = await until(workspace, id, isDone);
      expect(session.limit).toBeUndefined();
    },
  );

  test.skipIf(!target)(
    "a refusal with an end waits for it, also over a restart",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      if (!target) return;
      const workspace = await open(target, {});
      const message = "Too many requests. Please try again in 2 hours.";
      workspace.model.refuse({ failure: "err429", message, headers: { "retry-after": "7200" } });
      const id = await begin(workspace, "[[text]] one");
      const { limit } = await until(workspace, id, ({ state }) => state === "limited");
      const hours = (Date.parse(limit?.resetsAt ?? "") - Date.now()) / 3_600_000;
      if (tellsEnd.includes(agent)) expect(hours).toBeCloseTo(2, 0);
      await workspace.restart(async () => {});
      expect((await workspace.client.sessions.get(id)).limit).toMatchObject({ nextTryAt: limit?.nextTryAt });
      const before = asked(workspace);
      workspace.model.refuse();
      await workspace.client.limits.resumeSession(id);
      await until(workspace, id, isDone);
      expect(asked(workspace)).toBe(before + 1);
    },
  );
});
