import type { Diagnostic } from "vscode-languageserver-types";
import { trustRemedy } from "../../trust/project-trust.ts";
import type { LspClient, LspClientOptions } from "./client.ts";
import { type FoundServer, handlesFile, type LspConfig, type LspPlaces, readLspConfig } from "./config.ts";
import type { Confirm } from "./edits.ts";

const WARMUP_MS = 15_000;
const IDLE_CHECK_MS = 60_000;

export type ProjectServersOptions = LspPlaces & Omit<LspClientOptions, "root">;

/**
 * The servers of one project, each started on the first request about a file of its kind. A server that does not start is
 * reported with each request, and not retried before `reload`.
 */
export class ProjectServers {
  readonly #options: ProjectServersOptions;
  #config: Promise<LspConfig> | undefined;
  readonly #clients = new Map<string, Promise<LspClient>>();
  readonly failures = new Map<string, string>();
  /** The checks of the running calls that were allowed to change files. */
  changing: Confirm[] = [];
  #idle: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: ProjectServersOptions) {
    this.#options = options;
  }

  config(): Promise<LspConfig> {
    this.#config ??= readLspConfig(this.#options);
    return this.#config;
  }

  /** The servers for the file, started. `types`: without linters. */
  async clients(path: string | undefined, types: boolean): Promise<LspClient[]> {
    const { servers } = await this.config();
    const wanted = servers.filter(
      (server) => (path === undefined || handlesFile(server, path)) && !(types && server.isLinter),
    );
    const started = await Promise.all(wanted.map((server) => this.#client(server)));
    return started.filter((client) => client !== undefined);
  }

  /** Why servers for the file were not started for lack of trust, as lines. Empty if there are none. */
  async explainUntrusted(path: string | undefined): Promise<string[]> {
    const { untrusted } = await this.config();
    const wanted = untrusted.filter((server) => path === undefined || handlesFile(server, path));
    if (wanted.length === 0) return [];
    const lines = wanted.map(({ name, why }) => `${name} was not started (untrusted): ${why}.`);
    return [...lines, `${trustRemedy(this.#options.trust)} Then call lsp with the action reload.`];
  }

  listRunning(): string[] {
    return [...this.#clients.keys()];
  }

  async diagnostics(
    path: string,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<{ server: string; found: Diagnostic[] }[]> {
    const clients = await this.clients(path, false);
    return await Promise.all(
      clients.map(async (client) => {
        const found = await client.diagnostics(path, timeoutMs, signal).catch(() => []);
        return { server: client.server.name, found };
      }),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#idle);
    this.#idle = undefined;
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(async (client) => (await client.catch(() => undefined))?.close()));
  }

  async reload(): Promise<void> {
    await this.close();
    this.failures.clear();
    this.#config = undefined;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.close();
  }

  async #client(server: FoundServer): Promise<LspClient | undefined> {
    if (this.#disposed || this.failures.has(server.name)) return undefined;
    const known = this.#clients.get(server.name);
    const client = known ?? this.#start(server);
    if (!known) this.#clients.set(server.name, client);
    await this.#watchIdle();
    try {
      const started = await client;
      if (!started.gone) return started;
      this.#clients.delete(server.name);
      return await this.#client(server);
    } catch (error) {
      this.#clients.delete(server.name);
      this.failures.set(server.name, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #start(server: FoundServer): Promise<LspClient> {
    // The program may have been replaced since the configuration was read.
    if (!this.#options.trust.isProgramTrusted(server.resolvedCommand)) {
      throw new Error(
        `${server.resolvedCommand} has changed since it was trusted. ${trustRemedy(this.#options.trust)}`,
      );
    }
    const options = { ...this.#options, root: this.#options.cwd };
    const { LspClient } = await import("./client.ts");
    return await LspClient.start(server, options, server.warmupTimeoutMs ?? WARMUP_MS);
  }

  async #watchIdle(): Promise<void> {
    const { idleTimeoutMs } = await this.config();
    if (idleTimeoutMs === undefined || this.#idle) return;
    this.#idle = setInterval(() => void this.#endIdle(idleTimeoutMs), Math.min(IDLE_CHECK_MS, idleTimeoutMs)).unref();
  }

  async #endIdle(idleTimeoutMs: number): Promise<void> {
    for (const [name, starting] of this.#clients) {
      const client = await starting.catch(() => undefined);
      if (!client || client.busy || Date.now() - client.usedAt < idleTimeoutMs) continue;
      this.#clients.delete(name);
      await client.close();
    }
  }
}
