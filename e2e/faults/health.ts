import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 10;
const NS_PER_MS = 1_000_000;
const SERVER = `const server = require("node:http").createServer((_, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;

/** The longest wait of the daemon, without the idle server's, and the longest wait of the idle server. */
export type HealthFigures = { longestMs: number; floorMs: number };

/** The longer of each. */
export function longest(one: HealthFigures, other: HealthFigures): HealthFigures {
  return {
    longestMs: Math.max(one.longestMs, other.longestMs),
    floorMs: Math.max(one.floorMs, other.floorMs),
  };
}

/** A Node server that does nothing else. What a request to it waits is the machine's part of a wait. */
export class IdleServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  static async start(): Promise<IdleServer> {
    const child = spawn(process.execPath, ["-e", SERVER], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    return new IdleServer(child, `http://127.0.0.1:${String(port).trim()}/`);
  }

  stop(): void {
    this.#process.kill("SIGKILL");
  }
}

/**
 * Measures how long the daemon keeps a request for `/v1/health` waiting. On a shared machine a process also waits for a
 * core, and for a disk that others use. Two bounds leave the daemon's part of a wait: what is left without the wait of a
 * request to an idle server that was sent at the same time, and the processor time that the daemon's main thread used.
 */
export class HealthMonitor {
  readonly #figures: HealthFigures = { longestMs: 0, floorMs: 0 };
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(daemon: { url: string; pid: number }, idle: IdleServer) {
    this.#running = this.#run(daemon, idle);
  }

  async stop(): Promise<HealthFigures> {
    this.#stopped = true;
    await this.#running;
    return this.#figures;
  }

  async #run({ url, pid }: { url: string; pid: number }, idle: IdleServer): Promise<void> {
    while (!this.#stopped) {
      const used = processorMs(pid);
      const [waitMs, floorMs = 0] = await Promise.all([waitOf(`${url}/v1/health`), waitOf(idle.url)]);
      if (waitMs !== undefined) {
        const ownMs = Math.min(waitMs - floorMs, processorMs(pid) - used);
        this.#figures.longestMs = Math.max(this.#figures.longestMs, ownMs);
        this.#figures.floorMs = Math.max(this.#figures.floorMs, floorMs);
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** `undefined` if there is no response. */
async function waitOf(url: string): Promise<number | undefined> {
  const start = performance.now();
  try {
    await (await fetch(url)).text();
    return performance.now() - start;
  } catch {
    return undefined;
  }
}

/** The processor time of the main thread since its start; 0 if it has ended. */
function processorMs(pid: number): number {
  try {
    const [used] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
    return Number(used) / NS_PER_MS;
  } catch {
    return 0;
  }
}
