import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentOptions } from "../options.ts";
import { type StartedAgent, startAgent } from "../start-agent.ts";
import { lastResult, type QueuedModel, startQueuedModel } from "./queued-model.fake.ts";

/** A home, a project and a model with queued answers, for tests of extensions. */
export class ExtensionWorld {
  readonly home: string;
  readonly cwd: string;
  readonly agentDir: string;
  readonly env: Record<string, string | undefined>;
  readonly model: QueuedModel;
  /** The texts of all notices. */
  readonly notices: string[] = [];
  readonly #started: StartedAgent[] = [];

  private constructor(model: QueuedModel) {
    this.model = model;
    this.home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-extensions-"));
    this.cwd = join(this.home, "project");
    this.agentDir = join(this.home, "agent");
    const { home, agentDir } = this;
    this.env = { HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir, PATH: process.env.PATH };
    for (const folder of [this.cwd, agentDir]) mkdirSync(folder);
    const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8192 }, { id: "other" }];
    const queued = { baseUrl: model.url, api: "openai-completions", auth: "none", models };
    this.ofUser("models.yml", JSON.stringify({ providers: { queued } }));
  }

  static async make(): Promise<ExtensionWorld> {
    return new ExtensionWorld(await startQueuedModel());
  }

  async close(): Promise<void> {
    for (const { session, registry, credentials } of this.#started.splice(0)) {
      await session.dispose();
      registry.close();
      credentials.close();
    }
    await this.model.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Writes a file of the agent's folder. */
  ofUser(path: string, text: string): string {
    return write(join(this.agentDir, path), text);
  }

  ofProject(path: string, text: string): string {
    return write(join(this.cwd, path), text);
  }

  async open(more: Partial<AgentOptions> = {}): Promise<StartedAgent> {
    const { env, home, cwd, notices } = this;
    const common = { env, home, cwd, model: "queued/plain", mode: "full-auto", noSession: true } as const;
    const agent = await startAgent({ ...common, ...more });
    this.#started.push(agent);
    agent.session.subscribe((event: AgentEvent) => event.type === "notice" && notices.push(event.message));
    return agent;
  }

  /** The last result of a tool, as the model got it. */
  result(): string {
    const last = this.model.asked.at(-1);
    return last ? lastResult(last) : "";
  }
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Sends a message and waits for the end of its run. */
export async function run({ session }: StartedAgent, text: string): Promise<string> {
  const disposition = await session.prompt(text);
  await session.waitUntilSettled();
  return disposition;
}

/** An answer of the model that calls a tool. */
export const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
