import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, createClient } from "@gantry/client";
import { requireNoTokenLeak } from "@gantry/testkit";
import { WITHOUT_TITLES } from "./daemon-process.ts";

const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");

/** A real daemon in a separate process, to be killed and started again on the same home. */
export class KillableDaemon {
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  client: Client | undefined;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  /** Resolves when the daemon is ready. */
  async start(): Promise<Client> {
    const args = ["--disable-warning=ExperimentalWarning", main, "serve", "--json"];
    const env = { ...WITHOUT_TITLES, ...this.#env };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const lines = createInterface({ input: child.stdout! });
    const line = await Promise.race([
      once(lines, "line").then(([text]) => text as string),
      once(child, "exit").then(([code]) => Promise.reject(new Error(`the daemon ended with ${code}: ${errors}`))),
    ]);
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    this.client = createClient({ url, token });
    return this.client;
  }

  /** Resolves when the process has ended for any reason. */
  async waitForExit(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    requireNoTokenLeak(this.#env.GANTRY_HOME ?? "");
  }
}
