import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@gantry/client";
import type { Envelope } from "@gantry/protocol";
import { story } from "../harness/event-story.ts";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { processesOf } from "../harness/processes.ts";
import { eventually } from "../harness/wait.ts";
import type { Subject } from "./subjects.ts";

/** Catches what hangs. A turn can be slow when every core is busy. */
const PATIENCE_MS = 180_000;

export type Run = {
  story: string[];
  events: Envelope[];
  ms: number;
  written: string | undefined;
  orphans: string[];
  kills: number;
};

/**
 * Runs one whole turn of a subject in a separate home: prompt, approval, end. The daemon is killed and restarted at each
 * of the `killAfter` times, in milliseconds after the prompt.
 */
export async function runTurn(subject: Subject, killAfter: readonly number[]): Promise<Run> {
  const home = mkdtempSync(join(tmpdir(), "gantry-chaos-"));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  // Some agents report paths relative to the root of the repository.
  execFileSync("git", ["init", "-q", cwd]);
  const { env, model } = await subject.prepare(home);
  const daemon = new KillableDaemon(env);
  try {
    await daemon.start();
    const started = performance.now();
    const { id } = await createSession(daemon, subject, cwd);
    const finished = finish(daemon, id);
    let kills = 0;
    for (const moment of killAfter) {
      await sleep(Math.max(0, moment - (performance.now() - started)));
      await daemon.kill();
      kills++;
      await daemon.start();
    }
    await finished;
    const ms = performance.now() - started;
    const events = await eventually("the diff of the turn", async () => {
      const log = await wholeLog(daemon.client!, id);
      return log.some((event) => event.type === "diff.updated" && event.data.after) ? log : undefined;
    });
    await daemon.client!.shutdown("release");
    const orphans = await findOrphans(home);
    return { story: story(events, [cwd, home]), events, ms, written: read(join(cwd, "hello.txt")), orphans, kills };
  } finally {
    await daemon.kill();
    for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
    await model?.close();
    if (!process.env.CHAOS_KEEP) rmSync(home, { recursive: true, force: true });
  }
}

/** Idempotent: if the daemon is killed before it answers, the session may exist; the client retries the same request. */
async function createSession(daemon: KillableDaemon, subject: Subject, cwd: string): Promise<{ id: string }> {
  const { agent, prompt } = subject;
  return daemon.client!.sessions.create({ id: "ses_chaos", agent, cwd, prompt });
}

/** Allows every request and resolves at the end of the turn, across daemon restarts. */
async function finish(daemon: KillableDaemon, id: string): Promise<void> {
  await eventually(
    "the end of the turn",
    async () => {
      try {
        const session = await daemon.client!.sessions.get(id);
        for (const input of session.inputs) await daemon.client!.answer(input.id, { decision: "allow" });
        return session.state === "idle" && session.turns > 0 ? true : undefined;
      } catch {
        return undefined; // The daemon was killed; ask the next one.
      }
    },
    PATIENCE_MS,
  );
}

async function wholeLog(client: Client, id: string): Promise<Envelope[]> {
  const { events } = await client.call("sessionEvents", { params: { id }, query: { limit: 10_000 } });
  return events as unknown as Envelope[];
}

/** Processes that still run half a minute after the release: an agent gets `stopSeconds`, then it is killed. */
async function findOrphans(home: string): Promise<string[]> {
  for (let i = 0; i < 600 && processesOf(home).length > 0; i++) await sleep(50);
  return processesOf(home).map(({ pid, command }) => `${pid} ${command}`);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
