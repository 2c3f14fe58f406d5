import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import { hermeticEnvironment, type ScriptedModel, startScriptedModel, vendorBinary } from "@gantry/testkit";
import { newestTarget } from "../targets/installed-agents.ts";
import { type DaemonProcess, startDaemonProcess } from "./daemon-process.ts";
import { processesOf } from "./processes.ts";

/** A daemon with several vendors' programs in one home, and a scripted model. The caller of `open` must call `close`. */
export class AgentWorkspace {
  readonly home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-workspace-"));
  readonly folder = join(this.home, "project");
  model!: ScriptedModel;
  client!: Client;
  #daemon: DaemonProcess | undefined;

  async open(agents: readonly string[], more: Record<string, string> = {}): Promise<this> {
    mkdirSync(this.folder);
    mkdirSync(join(this.home, "gantry"), { mode: 0o700 });
    this.model = await startScriptedModel();
    let env: Record<string, string> = { GANTRY_HOME: join(this.home, "gantry"), ...more };
    for (const agent of agents) {
      const program = await vendorBinary({ agent, version: newestTarget(agent).version });
      const own = hermeticEnvironment({ agent, home: this.home, modelUrl: this.model.url, program });
      const path = [own.PATH, env.PATH].filter((part) => part).join(":");
      env = { ...env, ...own, PATH: path, [`GANTRY_${agent.toUpperCase()}_BIN`]: program };
    }
    this.#daemon = await startDaemonProcess(env);
    const { url, token } = this.#daemon;
    this.client = createClient({ url, token });
    return this;
  }

  /** The bodies of the requests that the provider received for conversations. */
  modelRequests(): string[] {
    return this.model.requests().flatMap(({ body, side, wire }) => (wire && !side ? [JSON.stringify(body)] : []));
  }

  async close(): Promise<void> {
    await this.#daemon?.end("SIGTERM");
    for (const { pid } of processesOf(this.home)) process.kill(pid, "SIGKILL");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    await this.model?.close();
  }
}
