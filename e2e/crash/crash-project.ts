import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "@gantry/client";
import { writeFakeAgent } from "@gantry/testkit";
import { KillableDaemon } from "../harness/killable-daemon.ts";
import { processesOf } from "../harness/processes.ts";

const USER = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

/** A repository with one commit, and daemons on one home that kill themselves at a given step. */
export class CrashProject {
  readonly home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-crash-"));
  readonly folder = join(this.home, "project");
  readonly #env: Record<string, string>;
  #daemon: KillableDaemon | undefined;

  constructor() {
    const bin = (dialect: "claude" | "hermes") => writeFakeAgent({ dir: join(this.home, "bin"), dialect, pace: 5 });
    this.#env = {
      PATH: process.env.PATH ?? "",
      HOME: this.home,
      GANTRY_HOME: join(this.home, "gantry"),
      GANTRY_CLAUDE_BIN: bin("claude"),
      GANTRY_HERMES_BIN: bin("hermes"),
      GIT_CONFIG_NOSYSTEM: "1",
      ...USER,
    };
    mkdirSync(this.folder);
    this.git("init", "-q", "-b", "main");
    this.write({ "README.md": "hello\n", "a.txt": "1\n2\n3\n" });
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "Begin");
  }

  git(...args: string[]): string {
    return this.gitIn(this.folder, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd, env: this.#env, encoding: "utf8", stdio: "pipe" }).trim();
  }

  write(files: Record<string, string>, cwd = this.folder): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
  }

  hook(name: string, script: string): void {
    writeFileSync(join(this.folder, ".git", "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Starts a daemon that kills itself at the step, if one is given. The project's hooks and set-up are trusted. */
  async start(dieAt?: string): Promise<Client> {
    this.#daemon = new KillableDaemon({ ...this.#env, ...(dieAt ? { GANTRY_DIE_AT: dieAt } : {}) });
    const client = await this.#daemon.start();
    await client.trust.put({ path: this.folder });
    return client;
  }

  /** Resolves when the daemon has killed itself. */
  async waitForDeath(): Promise<void> {
    await this.#daemon?.waitForExit();
  }

  async remove(): Promise<void> {
    await this.#daemon?.kill();
    for (const { pid } of processesOf(this.home)) process.kill(pid, "SIGKILL");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The kill points directly before and after each step. */
export function killPointsAround(kind: string, steps: readonly string[]): string[] {
  return steps.flatMap((step) => [`${kind}:${step}:before`, `${kind}:${step}:after`]);
}
