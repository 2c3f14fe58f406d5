import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantCanaries } from "@gantry/testkit";
import { type QueuedModel, startQueuedModel } from "../../start/testing/queued-model.fake.ts";
import { createAgentSession } from "../create-agent-session.ts";
import type { CreateAgentSessionOptions, CreateAgentSessionResult } from "../options.ts";

/** A user with a project, a model and an agent folder, in a temporary folder. */
export class SdkWorld {
  readonly home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-sdk-"));
  readonly cwd = join(this.home, "project");
  readonly agentDir = join(this.home, "agent");
  readonly env: Record<string, string | undefined>;
  readonly model: QueuedModel;
  readonly #started: CreateAgentSessionResult[] = [];

  private constructor(model: QueuedModel) {
    this.model = model;
    mkdirSync(this.cwd);
    const canaries = plantCanaries(this.agentDir);
    this.env = { PATH: process.env.PATH, HOME: this.home, GANTRY_HOME: this.home, ...canaries };
    const models = [{ id: "small", contextWindow: 200_000, maxTokens: 8_000 }];
    const queued = { baseUrl: model.url, api: "openai-completions", auth: "none", models };
    writeFileSync(join(this.agentDir, "models.yml"), JSON.stringify({ providers: { queued } }));
  }

  static async make(): Promise<SdkWorld> {
    return new SdkWorld(await startQueuedModel());
  }

  async create(options: CreateAgentSessionOptions = {}): Promise<CreateAgentSessionResult> {
    const { cwd, env } = this;
    const created = await createAgentSession({ cwd, env, model: "queued/small", ...options });
    this.#started.push(created);
    return created;
  }

  async close(): Promise<void> {
    for (const { session } of this.#started.splice(0)) await session.dispose();
    await this.model.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
