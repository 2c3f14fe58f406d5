import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@gantry/client";
import { type QueuedReply, startQueuedModel } from "../../../packages/agent/src/start/testing/queued-model.fake.ts";
import { type DaemonProcess, gantryProgram, startDaemonProcess } from "../../harness/daemon-process.ts";
import type { Outcome } from "../attack.ts";

const AGENT_MS = 90_000;
const SETTLE_MS = 30_000;
const FLAGS = ["--disable-warning=ExperimentalWarning"];
/** Temporary folders may be written in most modes, so the repositories lie elsewhere. */
const PLACE = "/var/tmp";

/** A folder with a canary: each program of the attack writes its name there. */
export class HostileRepository {
  readonly top: string;
  readonly path: string;
  readonly #canary: string;

  constructor(root: string, name: string) {
    this.top = mkdtempSync(join(root, `${name.replace(/\W+/g, "-").slice(0, 30)}-`));
    this.path = join(this.top, "repo");
    this.#canary = join(this.top, "canary");
    mkdirSync(this.path);
    this.git("init", "-q", "-b", "main");
    this.write({ "README.md": "hello\n", "a.txt": "one\n", "a.ts": "export {};\n", "a.py": "", "package.json": "{}" });
    this.commit();
  }

  /** A shell command that leaves a trace. */
  trace(name: string): string {
    return `echo '${name}' >> '${this.#canary}'`;
  }

  script(name: string): string {
    return `#!/bin/sh\n${this.trace(name)}\n`;
  }

  effects(): string[] {
    return existsSync(this.#canary) ? [...new Set(readFileSync(this.#canary, "utf8").trim().split("\n"))] : [];
  }

  forgetEffects(): void {
    rmSync(this.#canary, { force: true });
  }

  /** Writes executable files; a path may lead out of the work tree. */
  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, 0o755);
    }
  }

  commit(files: Record<string, string> = {}): void {
    this.write(files);
    this.git("add", "-A");
    this.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "files");
  }

  git(...args: string[]): string {
    return this.gitIn(this.path, ...args);
  }

  /** Runs git without this repository's hooks and filters, to prepare an attack. */
  gitIn(cwd: string, ...args: string[]): string {
    const env = {
      PATH: process.env.PATH,
      HOME: this.top,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "T",
      GIT_AUTHOR_EMAIL: "t@example.com",
      GIT_COMMITTER_NAME: "T",
      GIT_COMMITTER_EMAIL: "t@example.com",
    };
    return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }
}

/** A real daemon, the real own agent and a model that calls any tool. */
export class RepositoryWorkbench {
  readonly root: string;
  readonly client: Client;
  readonly #model: Awaited<ReturnType<typeof startQueuedModel>>;
  readonly #daemon: DaemonProcess;
  readonly #env: Record<string, string>;

  private constructor(
    root: string,
    model: Awaited<ReturnType<typeof startQueuedModel>>,
    daemon: DaemonProcess,
    env: Record<string, string>,
  ) {
    this.root = root;
    this.#model = model;
    this.#daemon = daemon;
    this.#env = env;
    this.client = createClient({ url: daemon.url, token: daemon.token });
  }

  static async open(): Promise<RepositoryWorkbench> {
    const root = realpathSync(mkdtempSync(join(PLACE, "gantry-hostile-repository-")));
    const model = await startQueuedModel();
    const home = join(root, "gantry");
    mkdirSync(join(home, "agent"), { recursive: true, mode: 0o700 });
    const scripted = { baseUrl: model.url, api: "openai-completions", auth: "none" };
    const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8192 }];
    writeFileSync(join(home, "agent/models.yml"), JSON.stringify({ providers: { scripted: { ...scripted, models } } }));
    // The sandbox would hide effects of programs that ran although they were not trusted.
    writeFileSync(join(home, "agent/config.yml"), "sandbox: off\n");
    const identity = "[user]\n\tname = T\n\temail = t@example.com\n";
    mkdirSync(join(root, "user"));
    writeFileSync(join(root, "user/.gitconfig"), identity);
    const env = { PATH: process.env.PATH ?? "", HOME: join(root, "user"), GANTRY_HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
    return new RepositoryWorkbench(root, model, await startDaemonProcess(env), env);
  }

  async close(): Promise<void> {
    await this.#daemon.end("SIGTERM");
    await this.#model.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  repository(name: string): HostileRepository {
    return new HostileRepository(this.root, name);
  }

  get userHome(): string {
    return join(this.root, "user");
  }

  get daemonUrl(): string {
    return this.#daemon.url;
  }

  /** Runs the own agent in a folder with these tool calls, one answer each. Resolves with what it printed. */
  async agent(
    cwd: string,
    mode: "plan" | "ask" | "auto-edit" | "full-auto",
    calls: readonly { name: string; args: Record<string, unknown> }[],
    env: Record<string, string> = {},
  ): Promise<string> {
    const replies: QueuedReply[] = calls.map((call) => ({ calls: [call] }));
    this.#model.queue(...replies, { text: "Done." });
    const flags = ["--no-session", "--model", "scripted/plain", "--permission-mode", mode, "-p", "go"];
    return this.gantry(cwd, ["agent", ...flags], env);
  }

  /** What the model received for the last tool call. */
  lastRequest(): string {
    return JSON.stringify(this.#model.asked.at(-1)?.messages.at(-1) ?? "");
  }

  /** Whether any request to the model contained the text. */
  hasAsked(text: string): boolean {
    return JSON.stringify(this.#model.asked).includes(text);
  }

  /** Runs the command line. Never rejects. */
  gantry(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [...FLAGS, gantryProgram(), ...args], {
        cwd,
        env: { ...this.#env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      const timer = setTimeout(() => child.kill("SIGKILL"), AGENT_MS);
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
      child.once("close", () => {
        clearTimeout(timer);
        resolve(out);
      });
    });
  }

  /** Creates a lane and waits for the end of its set-up. */
  async lane(cwd: string, name: string, more: { base?: string } = {}) {
    const { id } = await this.client.lanes.create({ cwd, name, ...more });
    for (const end = Date.now() + SETTLE_MS; ; await sleep(100)) {
      const lane = await this.client.lanes.get(id);
      if (lane.setup.state !== "running" || Date.now() > end) return lane;
    }
  }

  /** Everything that the daemon does with a repository when it only looks, and the creation of a lane. */
  async look({ path }: HostileRepository): Promise<void> {
    const { client } = this;
    await client.lanes.list({ cwd: path, refresh: "1" });
    await client.files.find({ cwd: path, q: "a" });
    await client.trust.get(path);
    const lane = await this.lane(path, "look");
    writeFileSync(join(lane.path, "a.txt"), "changed in the lane\n");
    await client.lanes.get(lane.id);
    await client.lanes.diff(lane.id);
    await client.landings.conflicts(lane.id);
    await client.lanes.suggestions(path);
    await client.lanes.remove(lane.id, true);
    await client.lanes.undo(lane.id);
  }

  /** A session of the own agent in the daemon, with checkpoints before and after its turn. */
  async session(cwd: string): Promise<void> {
    const { id } = await this.client.sessions.create({
      agent: "gantry",
      model: "scripted/plain",
      cwd,
      mode: "plan",
      prompt: "go",
    });
    for (const end = Date.now() + SETTLE_MS; Date.now() < end; await sleep(200)) {
      const { state } = await this.client.sessions.get(id);
      if (state === "idle" || state === "ended") return;
    }
  }
}

/** `expected`: effects that show that the attack's program works at all, such as those of a trusted run. */
export function outcomeOf(repository: HostileRepository): Outcome {
  const effects = repository.effects();
  return effects.length === 0 ? { held: true } : { held: false, effect: effects.join(", ") };
}
