import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Client, createClient } from "@gantry/client";
import type { CreateSession } from "@gantry/protocol";
import {
  bareEnvironment,
  fakeAgentAsked,
  hermeticEnvironment,
  type ScriptedModel,
  startScriptedModel,
  vendorBinary,
} from "@gantry/testkit";
import type { Target } from "../targets/target.ts";
import { Conversation } from "./conversation.ts";
import { type DaemonProcess, gantryProgram, startDaemonProcess } from "./daemon-process.ts";
import { folderOf, processesOf } from "./processes.ts";
import type { Setting } from "./setting.ts";
import { eventually, PATIENCE_MS } from "./wait.ts";

const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

/**
 * A real daemon with a real agent in a temporary home, and a scripted model. The processes see none of the machine's
 * configuration and call only loopback addresses. The caller of `open` must call `close`.
 */
export class Bench {
  readonly target: Target;
  readonly binary: string;
  /** The `HOME` of daemon and agent; everything else is below it. */
  readonly home: string;
  /** The agent's working directory. */
  readonly folder: string;
  readonly model: ScriptedModel;
  readonly client: Client;
  readonly #env: Record<string, string>;
  readonly #conversations: Conversation[] = [];
  #daemon: DaemonProcess;

  private constructor(
    parts: Pick<Bench, "target" | "binary" | "home" | "folder" | "model">,
    env: Record<string, string>,
    daemon: DaemonProcess,
  ) {
    this.target = parts.target;
    this.binary = parts.binary;
    this.home = parts.home;
    this.folder = parts.folder;
    this.model = parts.model;
    this.#env = env;
    this.#daemon = daemon;
    this.client = createClient({ resolve: () => ({ url: this.#daemon.url, token: this.#daemon.token }) });
  }

  static async open(target: Target, setting: Setting = {}): Promise<Bench> {
    const home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-conformance-"));
    const binary = await programOf(target, home);
    const folder = join(home, "project");
    mkdirSync(folder);
    const model = await startScriptedModel({ keyed: setting.keyless });
    try {
      const env = await environment({ target, setting, home, binary, model });
      if (setting.own) target.configure?.[setting.own]?.({ home, folder });
      const daemon = await startDaemonProcess(env);
      return new Bench({ target, binary, home, folder, model }, env, daemon);
    } catch (error) {
      await model.close();
      rmSync(home, { recursive: true, force: true });
      throw error;
    }
  }

  /** Creates a session of the agent in the project folder. */
  async session(body: Partial<CreateSession> = {}): Promise<Conversation> {
    const { agent } = this.target;
    const whole = { agent, cwd: this.folder, ...body };
    return this.#track(await Conversation.open(this.client, whole, this.#patienceMs()));
  }

  /** Follows an existing session, such as a fork. */
  async follow(id: string): Promise<Conversation> {
    return this.#track(await Conversation.follow(this.client, id, this.#patienceMs()));
  }

  /** Kills the daemon with SIGKILL, runs `meanwhile`, then starts a new daemon on the same home. */
  async restart(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#daemon.end("SIGKILL");
    await meanwhile();
    this.#daemon = await startDaemonProcess(this.#env);
  }

  /** The environment of daemon and command line. */
  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** Runs the command line against this daemon and resolves with what it printed. Rejects if it fails. */
  async gantry(...args: string[]): Promise<string> {
    const program = [...NODE_FLAGS, gantryProgram(), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env: this.#env, cwd: this.folder });
    return stdout;
  }

  /** Writes a file of the project. */
  writeFile(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** The text of a file of the project; `undefined` if it does not exist. */
  file(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name), "utf8");
    } catch {
      return undefined;
    }
  }

  /**
   * The agent's processes without those of its tools: the program itself, or its interpreter if it is a script. Probes for
   * versions and models run in a separate folder and are not included.
   */
  agents(): number[] {
    return processesOf(this.home)
      .filter(({ program, command }) => program === this.binary || command.split(" ").includes(this.binary))
      .filter(({ pid }) => folderOf(pid)?.startsWith(this.folder))
      .map(({ pid }) => pid);
  }

  /** The bodies of the requests that the provider received for the conversation; a fake agent records them itself. */
  modelRequests(): string[] {
    if (this.target.fake) return this.#fakeAgentRequests();
    return this.model.requests().flatMap(({ body, side, wire }) => (wire && !side ? [JSON.stringify(body)] : []));
  }

  /** The model named in the last request of the conversation. */
  requestedModel(): string | undefined {
    const last = this.modelRequests().at(-1);
    if (this.target.fake && last) return (JSON.parse(last) as { model: string }).model;
    return this.model.requests().findLast(({ side, wire }) => wire && !side)?.model;
  }

  /** Checks the laws on every conversation of this bench. */
  async findBreaches(billed: boolean): Promise<string[]> {
    return (await Promise.all(this.#conversations.map((conversation) => conversation.findBreaches(billed)))).flat();
  }

  /** The end of every log, for the report of a failed run. */
  story(): string {
    return this.#conversations.map((conversation) => conversation.tail(12)).join("\n    ──\n");
  }

  /** Ends daemon, agent and model. Resolves with the commands of processes that still run; it kills those. */
  async close(keep = false): Promise<string[]> {
    for (const conversation of this.#conversations) conversation.close();
    await this.#daemon.end("SIGTERM");
    const leak = await this.model.close().catch((error: Error) => error);
    const left = await eventually("the end of all processes", () => processesOf(this.home).length === 0, 5000).then(
      () => [],
      () => processesOf(this.home),
    );
    for (const { pid } of left) kill(pid);
    if (!keep) rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    if (leak) throw leak;
    return left.map(({ command }) => command);
  }

  #patienceMs(): number {
    return PATIENCE_MS + (this.target.extraPatienceMs ?? 0);
  }

  #fakeAgentRequests(): string[] {
    const path = join(this.home, fakeAgentAsked);
    return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  }

  #track(conversation: Conversation): Conversation {
    this.#conversations.push(conversation);
    return conversation;
  }
}

type Parts = { target: Target; setting: Setting; home: string; binary: string; model: ScriptedModel };

/** Builds the daemon's environment and writes the configuration files that daemon and agent read. */
async function environment({ target, setting, home, binary, model }: Parts): Promise<Record<string, string>> {
  const { agent, mainChannel } = target;
  const modelUrl = setting.modelDown ? await unusedUrl() : model.url;
  const base =
    target.fake || target.own
      ? { ...bareEnvironment(home), ...target.own?.environment(home, modelUrl) }
      : hermeticEnvironment({ agent: target.vendor ?? agent, home, modelUrl, program: binary });
  const env: Record<string, string> = { ...base, ...setting.env };
  if (setting.keyless) {
    for (const variable of target.keyVariables) delete env[variable];
    target.withoutKey?.(home);
  }
  const gantryHome = join(home, "gantry");
  mkdirSync(gantryHome, { mode: 0o700 });
  // JSON is YAML.
  if (setting.config) writeFileSync(join(gantryHome, "config.yml"), JSON.stringify(setting.config));
  const own = setting.agentConfig?.[agent];
  if (own && "lines" in own) prepend(join(home, own.file), own.lines);
  if (own && "settings" in own) merge(join(home, own.file), own.settings);
  const program = setting.fallback ? writeLimitedProgram(join(home, "agent"), binary, mainChannel ?? "") : binary;
  if (target.own) return { ...env, GANTRY_HOME: gantryHome };
  const variable = target.vendor ? `GANTRY_${target.vendor}` : `GANTRY_${agent}_BIN`;
  return { ...env, GANTRY_HOME: gantryHome, [variable.toUpperCase().replaceAll("-", "_")]: program };
}

/** The path of the agent's program. If it is a script, its interpreter has the path among its arguments. */
async function programOf(target: Target, home: string): Promise<string> {
  if (target.own) return gantryProgram();
  if (target.fake) return target.fake.write(join(home, "fake"));
  return vendorBinary({ agent: target.vendor ?? target.agent, version: target.version });
}

/** Writes lines to the top of a TOML file, where settings belong to no table. */
function prepend(path: string, lines: string): void {
  writeFileSync(path, `${lines}\n${readFileSync(path, "utf8")}`);
}

/** Merges settings into a JSON file; existing settings with the same name are replaced. */
function merge(path: string, settings: object): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...settings }));
}

/** Writes a wrapper that rejects one command of the program, like an older version that lacks it. */
function writeLimitedProgram(path: string, binary: string, command: string): string {
  const refusal = `echo "error: unrecognized argument '${command}'" >&2; exit 2`;
  const guard = `for argument; do [ "$argument" = ${command} ] && { ${refusal}; }; done`;
  writeFileSync(path, `#!/bin/sh\n${guard}\nexec ${binary} "$@"\n`, { mode: 0o755 });
  return path;
}

/** The address of a port that was free a moment ago. */
function unusedUrl(): Promise<string> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
