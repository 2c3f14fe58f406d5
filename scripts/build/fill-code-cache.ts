import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** For all of it. A shorter limit left a build on a busy machine without the code of the agent. */
const LIMIT_MS = 180_000;
/** A model for the agent, so that its run reads a file and opens a session. No request is sent. */
const MODELS = `providers:
  none:
    baseUrl: http://127.0.0.1:9/v1
    api: openai-completions
    auth: none
    models: [{ id: none, contextWindow: 1000, maxTokens: 100 }]
`;

/**
 * Runs the daemon, a command and the agent once. Each stores the functions that it has compiled next to the chunks
 * (`packages/cli/src/code-cache.ts`). Uses a temporary home. Never rejects: without the cache everything works and starts slower.
 */
export async function fillCodeCache(main: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "gantry-build-"));
  const { NODE_COMPILE_CACHE: _, ...rest } = process.env;
  const env = {
    ...rest,
    HOME: home,
    GANTRY_HOME: join(home, "gantry"),
    GANTRY_RECORD_CODE_CACHE: "1",
    GANTRY_URL: undefined,
    GANTRY_TOKEN: undefined,
  };
  const start = (flags: string[], args: string[]) =>
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...flags, main, ...args], {
      cwd: home,
      env,
      stdio: ["pipe", "pipe", "ignore"],
      timeout: LIMIT_MS,
    });
  const agentDir = join(home, "gantry", "agent");
  mkdirSync(agentDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(agentDir, "models.yml"), MODELS);
  const forPeople = ["--max-semi-space-size=4"];
  try {
    const daemon = start(forPeople, ["serve", "--json"]);
    await addSession(await readFirstLine(daemon), home);
    await waitForEnd(start(forPeople, ["ls"]));
    const agent = start([], ["agent", "--mode", "rpc", "--model", "none/none"]);
    agent.stdin?.end('{"id":"1","type":"get_state"}\n');
    await waitForEnd(agent);
    // Not a signal: on a slow machine the command may have started another daemon.
    await waitForEnd(start(forPeople, ["stop"]));
    await waitForEnd(daemon);
  } catch {
    // A process could not be started.
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The line that the daemon prints when it is ready. Throws if it ends before that. */
async function readFirstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as Readable })) return line;
  throw new Error("The daemon ended before it was ready.");
}

/** A session without a turn, so that the command has a row to print. */
async function addSession(ready: string, cwd: string): Promise<void> {
  const { url, token } = JSON.parse(ready) as { url: string; token: string };
  await fetch(new URL("/v1/sessions", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ agent: "scripted", cwd }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
}

async function waitForEnd(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}
