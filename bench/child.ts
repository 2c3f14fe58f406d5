import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { until } from "./measure.ts";

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));
export const NODE = [process.execPath, "--disable-warning=ExperimentalWarning"];
/** The installed command. */
export const GANTRY = [...NODE, "--max-semi-space-size=4", join(repository, "dist/gantry/main.js")];

export type ServerProcess = {
  child: ChildProcess;
  pid: number;
  readyMs: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

export type ServerCommand = {
  command: string[];
  home: string;
  mark: string;
  env?: Record<string, string>;
  /** Returns a 2xx status when the server is ready. */
  healthUrl: string;
};

/** The marks of all servers started in this run. */
export const marks = new Set<string>();

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Node's compile cache, shared by all servers, so that fake agents start equally fast behind each of them. */
export const compileCache = join(repository, ".cache", "bench-compile");

/** A minimal environment with a separate home. */
export function bareEnvironment(home: string, mark: string): Record<string, string> {
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  return {
    PATH: path,
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    BENCH_MARK: mark,
    NODE_COMPILE_CACHE: compileCache,
  };
}

/** Starts a server with its output in `home/server.log` and waits until it is ready. */
export async function startServer({ command, home, mark, env, healthUrl }: ServerCommand): Promise<ServerProcess> {
  const environment = { ...bareEnvironment(home, mark), ...env };
  const log = openSync(join(home, "server.log"), "a");
  const [program = "", ...args] = command;
  marks.add(mark);
  const started = performance.now();
  const child = spawn(program, args, { cwd: home, env: environment, stdio: ["ignore", log, log], detached: true });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`${program} ended with ${code} before it was ready; see ${home}/server.log`);
  });
  const answers = until(`${program} ready`, () => isHealthy(healthUrl), { everyMs: 4 });
  failed.catch(() => undefined);
  try {
    await Promise.race([answers, failed]);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const readyMs = performance.now() - started;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const gone = await Promise.race([once(child, "exit").then(() => true), sleep(20_000, false)]);
    if (!gone) child.kill("SIGKILL");
  };
  return { child, pid: child.pid ?? 0, readyMs, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Makes a JSON call. Throws unless it succeeds within a minute. */
export async function callJson<Answer>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

/** The size of a response. Throws for an error status. */
export async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
  return byteLength;
}
