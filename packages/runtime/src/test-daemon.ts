import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { type FaultSpec, requireNoTokenLeak, writeFakeAgent } from "@gantry/testkit";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
import { listProcesses } from "./process/identity.ts";

const DEADLINE_MS = 60_000;

/** A real daemon in this process with a temporary home and fake agents instead of the vendors' programs. */
export class TestDaemon {
  readonly home = mkdtempSync(join(tmpdir(), "gantry-test-"));
  readonly cwd = join(this.home, "project");
  #daemon: Daemon | undefined;
  #client: Client | undefined;
  /** The environment that the daemon is started with. */
  readonly env: Record<string, string | undefined>;

  /** What the own agent would run in a folder; nothing unless the test sets it. */
  findProjectCode: DaemonOptions["findProjectCode"];

  /** How push services are reached; publicly unless the test sets it. */
  pushRequest: DaemonOptions["pushRequest"];

  constructor(options: { faults?: FaultSpec[]; config?: string; env?: Record<string, string>; pace?: number } = {}) {
    mkdirSync(this.cwd);
    mkdirSync(join(this.home, "gantry"), { recursive: true });
    writeFileSync(join(this.home, "gantry", "config.yml"), options.config ?? "");
    const bins: Record<string, string> = {};
    for (const dialect of ["scripted", "claude", "codex"] as const) {
      const bin = writeFakeAgent({
        dir: join(this.home, "bin"),
        dialect,
        fault: options.faults ?? [],
        pace: options.pace ?? 1,
      });
      bins[`GANTRY_${dialect.toUpperCase()}_BIN`] = bin;
    }
    // No model writes titles unless a test asks for it: the fake agents count their requests.
    const quiet = { GANTRY_TEXT_HELPER: "off" };
    this.env = { PATH: process.env.PATH, HOME: this.home, ...quiet, ...bins, ...options.env };
  }

  get client(): Client {
    if (!this.#client) throw new Error("not started");
    return this.#client;
  }

  get daemon(): Daemon {
    if (!this.#daemon) throw new Error("not started");
    return this.#daemon;
  }

  /** `config` replaces the configuration file. */
  async start(config?: string): Promise<this> {
    if (config !== undefined) writeFileSync(join(this.home, "gantry", "config.yml"), config);
    this.#daemon = await startDaemon({
      home: join(this.home, "gantry"),
      env: this.env,
      version: "0.0.0-test",
      findProjectCode: this.findProjectCode,
      pushRequest: this.pushRequest,
    });
    this.#client = createClient({ url: this.#daemon.url, token: this.#daemon.token });
    return this;
  }

  session(
    agent: string,
    prompt: string,
    more: { mode?: "ask" | "full-auto" | "auto-edit" | "plan" } = {},
  ): Promise<Session> {
    return this.client.sessions.create({ agent, cwd: this.cwd, prompt, ...more });
  }

  /** Waits until the session satisfies the condition. Answers no inputs. */
  async waitUntil(id: string, wanted: (session: Session) => boolean): Promise<Session> {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      const session = await this.client.sessions.get(id);
      if (wanted(session)) return session;
      if (Date.now() > end) throw new Error(`timed out: ${JSON.stringify(session)}`);
      await sleep(20);
    }
  }

  waitForIdle(id: string): Promise<Session> {
    return this.waitUntil(id, (session) => session.state === "idle" && session.queue.length === 0);
  }

  async log(id: string): Promise<Envelope[]> {
    const { events } = await this.client.call("sessionEvents", { params: { id }, query: { limit: 10_000 } });
    return events as unknown as Envelope[];
  }

  /** Processes of agents that this daemon started and that still run. */
  agents(): number {
    return listProcesses().filter((one) => one.marker?.startsWith("prc_") && this.#isMine(one.marker)).length;
  }

  async stop(agents: "keep" | "release" = "release"): Promise<void> {
    await this.#daemon?.stop(agents);
  }

  async dispose(): Promise<void> {
    await this.stop();
    requireNoTokenLeak(join(this.home, "gantry"));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  readonly #known = new Set<string>();

  /** Ids of processes are unique over all homes. */
  track(ids: readonly string[]): void {
    for (const id of ids) this.#known.add(id);
  }

  #isMine(marker: string): boolean {
    return this.#known.size === 0 || this.#known.has(marker);
  }
}
