import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readRegularFile } from "@gantry/trust";
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from "vscode-jsonrpc/node";
import type { Diagnostic, WorkspaceEdit } from "vscode-languageserver-types";
import { signalGroup } from "../bash/process-group.ts";
import type { FoundServer } from "./config.ts";
import { CLIENT_CAPABILITIES, languageId } from "./protocol.ts";

const REQUEST_MS = 30_000;
/** A server may write anything. Its mistakes end as failed requests, never on this process's console. */
const SILENT = { error() {}, warn() {}, info() {}, log() {} };

type PublishedDiagnostics = { uri: string; diagnostics: Diagnostic[]; version?: number | null };
type Applied = { applied: boolean; failureReason?: string };
type Document = { version: number; text: string };

export type LspClientOptions = {
  root: string;
  env: Record<string, string>;
  /** Applies an edit that the server requests. A throw is reported to the server. */
  applyEdit(edit: WorkspaceEdit): Promise<void>;
  /**
   * Returns the command line that runs a server in the sandbox, or `undefined` without one. Rejects if the server may not
   * run without a sandbox.
   */
  confine(command: readonly string[], server: FoundServer): Promise<string[] | undefined>;
};

/**
 * One running server. `start` rejects when the server does not initialise. Later requests reject when it refuses, exits or
 * exceeds the deadline. Once `gone` is set the client is unusable and the caller starts another.
 */
export class LspClient {
  readonly server: FoundServer;
  readonly #options: LspClientOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #connection: MessageConnection;
  readonly #exit = Promise.withResolvers<never>();
  readonly #documents = new Map<string, Document>();
  readonly #published = new Map<string, Diagnostic[]>();
  readonly #changes = new EventEmitter();
  capabilities: Record<string, unknown> = {};
  gone = false;
  usedAt = Date.now();
  #pending = 0;
  #stderr = "";

  private constructor(server: FoundServer, options: LspClientOptions, command: readonly string[]) {
    this.server = server;
    this.#options = options;
    const { root, env } = options;
    const [program = "", ...args] = command;
    this.#child = spawn(program, args, {
      cwd: root,
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#exit.promise.catch(() => {});
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-2000);
    });
    this.#child.on("error", (error) => this.#onExit(error.message));
    this.#child.on("exit", (code, signal) => this.#onExit(`it ended with ${signal ?? `code ${code}`}`));
    this.#connection = createMessageConnection(this.#child.stdout, this.#child.stdin, SILENT);
    this.#serveRequests();
    this.#connection.onError(() => {});
    this.#connection.listen();
  }

  static async start(server: FoundServer, options: LspClientOptions, timeoutMs: number): Promise<LspClient> {
    const command = [server.resolvedCommand, ...(server.args ?? [])];
    const wrapped = await options.confine(command, server);
    const client = new LspClient(server, options, wrapped ?? command);
    const uri = pathToFileURL(options.root).href;
    const greeting = {
      // Servers exit when this process does not exist, and in the sandbox they cannot see it.
      processId: wrapped ? null : process.pid,
      rootUri: uri,
      rootPath: options.root,
      workspaceFolders: [{ uri, name: options.root }],
      capabilities: CLIENT_CAPABILITIES,
      ...(server.initOptions && { initializationOptions: server.initOptions }),
    };
    try {
      const answer = await client.request("initialize", greeting, timeoutMs);
      client.capabilities = (answer as { capabilities?: Record<string, unknown> }).capabilities ?? {};
    } catch (error) {
      await client.close();
      throw error;
    }
    client.notify("initialized", {});
    if (server.settings) client.notify("workspace/didChangeConfiguration", { settings: server.settings });
    return client;
  }

  async request(method: string, params: unknown, timeoutMs = REQUEST_MS, signal?: AbortSignal): Promise<unknown> {
    if (this.gone) throw new Error(`${this.server.name} is not running.`);
    this.usedAt = Date.now();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const cancellation = new CancellationTokenSource();
    const cancel = (reason: string) => {
      cancellation.cancel();
      reject(new Error(reason));
    };
    const late = `${this.server.name} did not answer ${method} within ${timeoutMs / 1000} s.`;
    const timer = setTimeout(cancel, timeoutMs, late);
    const onAbort = () => cancel("Aborted.");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#pending++;
    try {
      const answer = this.#connection.sendRequest<unknown>(method, params, cancellation.token).catch((error: Error) => {
        // A failed write means that the process is ending. Its exit names the cause; the deadline covers a closed stdin.
        if (isConnectionError(error)) return this.#exit.promise;
        throw new Error(`${this.server.name}: ${error.message}`);
      });
      return await Promise.race([answer, aborted, this.#exit.promise]);
    } finally {
      this.#pending--;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.usedAt = Date.now();
    }
  }

  /** A caller waits for a response. */
  get busy(): boolean {
    return this.#pending > 0;
  }

  notify(method: string, params: unknown): void {
    if (!this.gone && this.#child.stdin.writable) this.#connection.sendNotification(method, params).catch(() => {});
  }

  /** Sends the file's content on disk to the server if it changed. Returns the file's URI. */
  sync(path: string): string {
    const uri = pathToFileURL(path).href;
    const text = readRegularFile(path).toString("utf8");
    const known = this.#documents.get(uri);
    if (known?.text === text) return uri;
    const version = (known?.version ?? 0) + 1;
    this.#documents.set(uri, { version, text });
    this.#published.delete(uri);
    if (!known)
      this.notify("textDocument/didOpen", { textDocument: { uri, languageId: languageId(path), version, text } });
    else {
      this.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
      this.notify("textDocument/didSave", { textDocument: { uri }, text });
    }
    return uri;
  }

  /** Diagnostics of a file: requested if the server supports that, otherwise the next published ones. */
  async diagnostics(path: string, timeoutMs: number, signal?: AbortSignal): Promise<Diagnostic[]> {
    const uri = this.sync(path);
    if (this.capabilities.diagnosticProvider) {
      const report = (await this.request("textDocument/diagnostic", { textDocument: { uri } }, timeoutMs, signal)) as {
        items?: Diagnostic[];
      };
      return report?.items ?? [];
    }
    const end = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
    while (!this.#published.has(uri) && !end.aborted && !this.gone) {
      await once(this.#changes, "published", { signal: end }).catch(() => {});
    }
    return this.#published.get(uri) ?? [];
  }

  /** Resolves when the process and its children have ended. */
  async close(): Promise<void> {
    if (!this.gone) {
      await this.request("shutdown", undefined, 1000).catch(() => {});
      this.notify("exit", undefined);
      const ended = once(this.#child, "exit").catch(() => {});
      const timer = setTimeout(() => this.#kill(), 500);
      if (!this.gone) await ended;
      clearTimeout(timer);
    }
    this.#kill();
  }

  #kill(): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, "SIGKILL");
  }

  #onExit(reason: string): void {
    if (this.gone) return;
    this.gone = true;
    const lastLines = this.#stderr.trim().split("\n").slice(-3).join("\n");
    this.#exit.reject(new Error(`${this.server.name}: ${reason}. ${lastLines}`.trim()));
    this.#connection.dispose();
    this.#changes.emit("published");
  }

  #serveRequests(): void {
    const connection = this.#connection;
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishedDiagnostics) => {
      const uri = normalizeUri(params.uri);
      const known = this.#documents.get(uri);
      if (typeof params.version === "number" && known && params.version < known.version) return;
      this.#published.set(uri, params.diagnostics);
      this.#changes.emit("published");
    });
    connection.onRequest("workspace/configuration", ({ items = [] }: { items?: { section?: string }[] }) =>
      items.map(({ section }) => this.#readSetting(section)),
    );
    connection.onRequest("workspace/applyEdit", async ({ edit }: { edit: WorkspaceEdit }): Promise<Applied> => {
      try {
        await this.#options.applyEdit(edit);
        return { applied: true };
      } catch (error) {
        return { applied: false, failureReason: String(error) };
      }
    });
    connection.onRequest("workspace/workspaceFolders", () => [
      { uri: pathToFileURL(this.#options.root).href, name: "root" },
    ]);
    // Other requests, such as registering a capability, are acknowledged and have no effect.
    connection.onRequest(() => null);
  }

  #readSetting(section: string | undefined): unknown {
    let at: unknown = this.server.settings ?? {};
    for (const part of section ? section.split(".") : []) at = (at as Record<string, unknown> | undefined)?.[part];
    return at ?? null;
  }
}

function isConnectionError(error: Error): boolean {
  if (!(error instanceof ResponseError)) return true;
  return error.code === ErrorCodes.MessageWriteError || error.code === ErrorCodes.PendingResponseRejected;
}

/** Servers encode the same URI in different ways. */
function normalizeUri(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}
