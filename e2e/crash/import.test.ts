import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";

const CONVERSATION = "11111111-2222-4333-8444-555555555555";
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates a home with one long native conversation. */
function makePlace(turns: number): { home: string; cwd: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), "gantry-import-"));
  homes.push(home);
  const cwd = join(home, "project");
  const projects = join(home, ".claude", "projects", "-project");
  mkdirSync(cwd);
  mkdirSync(projects, { recursive: true });
  const lines = Array.from({ length: turns }, (_, turn) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + turn * 1000).toISOString();
    const user = {
      type: "user",
      uuid: `u${turn}`,
      timestamp,
      cwd,
      message: { role: "user", content: `question ${turn}` },
    };
    const content = [{ type: "text", text: `answer ${turn} ${"word ".repeat(100)}` }];
    const message = { id: `m${turn}`, role: "assistant", model: "a-model", content, stop_reason: "end_turn" };
    return `${JSON.stringify(user)}\n${JSON.stringify({ type: "assistant", uuid: `a${turn}`, timestamp, message })}\n`;
  });
  writeFileSync(join(projects, `${CONVERSATION}.jsonl`), lines.join(""));
  return { home, cwd, env: { PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: join(home, "gantry") } };
}

async function requireWholeSession(client: Client, turns: number): Promise<Session> {
  const session = await eventually("the session", async () => (await client.sessions.list()).sessions[0]);
  expect(session).toMatchObject({ turns, state: "idle" });
  const log: Envelope[] = [];
  while (log.length < session.lastSeq) {
    log.push(...(await client.sessions.events(session.id, { after: log.length, limit: 5000 })).events);
  }
  expect(findBreaches(log)).toEqual([]);
  return session;
}

describe("a daemon that is killed while it imports a conversation", () => {
  test.each(["import:read:before", "import:read:after"])(
    "at %s finishes the import after the restart",
    async (where) => {
      const { cwd, env } = makePlace(5);
      const first = new KillableDaemon({ ...env, GANTRY_DIE_AT: where });
      const client = await first.start();
      await client.imports.conversation({ agent: "claude", conversation: CONVERSATION, cwd }).catch(() => undefined);
      await first.waitForExit();
      const second = new KillableDaemon(env);
      const after = await second.start();
      const session = await requireWholeSession(after, 5);
      const again = await after.imports.conversation({ agent: "claude", conversation: CONVERSATION, cwd });
      expect(again.id).toBe(session.id);
      await second.kill();
    },
  );

  test("halfway shows no part of the session until the import is complete", async () => {
    const turns = 5000;
    const { cwd, env } = makePlace(turns);
    const first = new KillableDaemon(env);
    const client = await first.start();
    const half = Promise.withResolvers<void>();
    const importing = client.imports
      .watch(
        { agent: "claude", conversation: CONVERSATION, cwd },
        ({ done, total }) => done > total / 3 && half.resolve(),
      )
      .catch(() => undefined);
    await half.promise;
    expect((await client.sessions.list({ archived: "all" })).sessions).toEqual([]);
    expect((await client.call("allEvents", { query: { limit: 10 } })).events).toEqual([]);
    await first.kill();
    await importing;
    const second = new KillableDaemon(env);
    const after = await second.start();
    await requireWholeSession(after, turns);
    expect((await after.sessions.list({ archived: "all" })).sessions).toHaveLength(1);
    await second.kill();
  }, 240_000);
});

describe("a daemon that is killed while it imports a file", () => {
  test.each(["import-file:write:before", "import-file:write:after"])(
    "at %s finishes the import after the restart",
    async (where) => {
      const { home, cwd, env } = makePlace(5);
      const source = new KillableDaemon({ ...env, GANTRY_HOME: join(home, "other") });
      const from = await source.start();
      const { id } = await from.imports.conversation({ agent: "claude", conversation: CONVERSATION, cwd });
      const file = new Uint8Array(await (await from.imports.exported(id)).arrayBuffer());
      await source.kill();
      const first = new KillableDaemon({ ...env, GANTRY_DIE_AT: where });
      const client = await first.start();
      await client.imports.file(file).catch(() => undefined);
      await first.waitForExit();
      const second = new KillableDaemon(env);
      const after = await second.start();
      expect(await requireWholeSession(after, 5)).toMatchObject({ id, origin: "import", handles: {} });
      expect((await after.imports.file(file)).id).toBe(id);
      await second.kill();
    },
  );
});
