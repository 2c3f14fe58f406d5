import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantCanaries, type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { type Hosted, StrictClient } from "./strict-client.ts";

type Environment = Record<string, string | undefined>;

const MAIN = join(import.meta.dirname, "../../../../cli/src/main.ts");

/** A test workspace: a project folder, an agent folder with two models, and the agent process. */
export class World {
  readonly folder: string;
  readonly work: string;
  readonly agentDir: string;
  readonly model: ScriptedModel;
  readonly #secret: Environment;
  readonly #clients: StrictClient[] = [];

  private constructor(model: ScriptedModel) {
    this.model = model;
    this.folder = mkdtempSync(join(tmpdir(), "gantry-agent-rpc-"));
    this.work = join(this.folder, "work");
    this.agentDir = join(this.folder, "home", "agent");
    for (const folder of [this.agentDir, this.work]) mkdirSync(folder, { recursive: true });
    this.#secret = plantCanaries(this.agentDir);
    const models = ["one", "two"].map((id) => ({
      id,
      name: `Model ${id}`,
      reasoning: true,
      input: ["text"],
      cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 8_000,
    }));
    const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
    writeFileSync(join(this.agentDir, "models.yml"), JSON.stringify({ providers: { scripted } }));
  }

  static async make(): Promise<World> {
    return new World(await startScriptedModel({ defaults: { pace: 0 } }));
  }

  /** Starts a client with the usual flags of clients, and `flags`. */
  command(flags: readonly string[]): { program: [string, ...string[]]; options: { cwd: string; env: Environment } } {
    const given = ["--mode", "rpc", "--provider", "scripted", "--model", "one", "--no-title", ...flags];
    const env = {
      ...this.#secret,
      PATH: process.env.PATH,
      HOME: this.folder,
      GANTRY_HOME: join(this.folder, "home"),
      GANTRY_AGENT_DIR: this.agentDir,
    };
    const node = "--disable-warning=ExperimentalWarning";
    return { program: [process.execPath, node, MAIN, "agent", ...given], options: { cwd: this.work, env } };
  }

  async start(flags: readonly string[] = [], hosted: Hosted = {}): Promise<StrictClient> {
    const { program, options } = this.command(flags);
    const client = await StrictClient.start(program, options, hosted);
    this.#clients.push(client);
    return client;
  }

  /** Ends all clients and returns their invalid frames. */
  async stopAndListInvalid(): Promise<string[]> {
    const ended = this.#clients.splice(0);
    await Promise.all(ended.map((client) => client.stop()));
    return ended.flatMap(({ wrong }) => wrong);
  }

  async close(): Promise<void> {
    await this.stopAndListInvalid();
    await this.model.close();
    rmSync(this.folder, { recursive: true });
  }
}
