import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import { writeFakeAgent } from "@gantry/testkit";
import { gantryProgram } from "../harness/daemon-process.ts";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { processesOf } from "../harness/processes.ts";

export type CommandResult = {
  status: number | null;
  stdout: string;
  stderr: string;
  /** How long the command took, and when it first printed something on stderr. */
  ms: number;
  firstNoteMs?: number;
};

/** A home folder with daemons and commands in separate processes. Everything is below one temporary folder. */
export class DaemonHome {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  daemon: KillableDaemon | undefined;

  /** `under`: another place than the system's folder for temporary files. */
  constructor({ under = tmpdir(), config = "" }: { under?: string; config?: string } = {}) {
    this.root = mkdtempSync(join(under, "gantry-robust-"));
    this.home = join(this.root, "gantry");
    this.cwd = join(this.root, "project");
    mkdirSync(this.cwd);
    if (config) {
      mkdirSync(this.home, { mode: 0o700 });
      writeFileSync(join(this.home, "config.yml"), config);
    }
    const bin = writeFakeAgent({ dir: join(this.root, "bin"), dialect: "scripted", pace: 1 });
    this.env = { PATH: process.env.PATH ?? "", HOME: this.root, GANTRY_HOME: this.home, GANTRY_SCRIPTED_BIN: bin };
  }

  async start(more: Record<string, string> = {}): Promise<Client> {
    this.daemon = new KillableDaemon({ ...this.env, ...more });
    return this.daemon.start();
  }

  get pid(): number {
    return (JSON.parse(readFileSync(join(this.home, "daemon.json"), "utf8")) as { pid: number }).pid;
  }

  /** The address and the owner token of the running daemon. */
  get target(): { url: string; token: string } {
    const { url } = JSON.parse(readFileSync(join(this.home, "daemon.json"), "utf8")) as { url: string };
    return { url, token: readFileSync(join(this.home, "token"), "utf8").trim() };
  }

  /** Runs the command line to its end. */
  run(...args: string[]): Promise<CommandResult> {
    const begun = performance.now();
    const child = this.spawn(...args);
    const result: CommandResult = { status: null, stdout: "", stderr: "", ms: 0 };
    child.stdout?.on("data", (chunk) => (result.stdout += chunk));
    child.stderr?.on("data", (chunk) => {
      result.firstNoteMs ??= performance.now() - begun;
      result.stderr += chunk;
    });
    return new Promise((resolve) => {
      child.once("close", (status) => resolve({ ...result, status, ms: performance.now() - begun }));
    });
  }

  spawn(...args: string[]): ChildProcess {
    const flags = ["--disable-warning=ExperimentalWarning", gantryProgram()];
    return spawn(process.execPath, [...flags, ...args], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
  }

  async dispose(): Promise<void> {
    await this.daemon?.kill();
    for (const { pid } of processesOf(this.root)) process.kill(pid, "SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
