import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { signalGroup } from "../bash/process-group.ts";
import type { FoundServer } from "./config.ts";
import { Framing, framed } from "./framing.ts";
import { CLIENT_CAPABILITIES, type Diagnostic, languageId, type WorkspaceEdit } from "./protocol.ts";

const REQUEST_MS = 30_000;

type Message = {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
};
type Waiting = { resolve(value: unknown): void; reject(error: Error): void };
type Document = { version: number; text: string };

export type LspClientOptions = {
  root: string;
  env: Record<string, string>;
  /** The server asks to change files. */
  applyEdit(edit: WorkspaceEdit): void;
  /** Wraps the command line so that a confined server can only read. Rejects where that is not possible. */
  confine(command: readonly string[]): Promise<string[]>;
};

/**
 * One running server. `start` rejects when it does not start. Requests reject when the server refuses, dies, or exceeds
 * the timeout; after `gone` a new client is needed.
 */
export class LspClient {
  readonly server: FoundServer;
  readonly #options: LspClientOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #documents = new Map<string, Document>();
  readonly #published = new Map<string, Diagnostic[]>();
  readonly #news = new EventEmitter();
  capabilities: Record<string, unknown> = {};
  gone = false;
  usedAt = Date.now();
  #count = 0;
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
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-2000);
    });
    this.#child.on("error", (error) => this.#rejectAll(error.message));
    this.#child.on("exit", (code, signal) => this.#rejectAll(`it ended with ${signal ?? `code ${code}`}`));
    const framing = new Framing();
    this.#child.stdout.on("data", (chunk: Buffer) => {
      for (const text of framing.take(chunk)) this.#receive(text);
    });
  }

  static async start(server: FoundServer, options: LspClientOptions, timeoutMs: number): Promise<LspClient> {
    const command = [server.resolvedCommand, ...(server.args ?? [])];
    const client = new LspClient(server, options, server.confined ? await options.confine(command) : command);
    const uri = pathToFileURL(options.root).href;
    const greeting = {
      // Servers exit when this process does not exist, and in the sandbox they cannot see it.
      processId: server.confined ? null : process.pid,
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
    if (this.gone) throw new Error(`${this.server.name} is gone.`);
    this.usedAt = Date.now();
    const id = ++this.#count;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    const giveUp = (why: string) => {
      this.notify("$/cancelRequest", { id });
      this.#waiting.get(id)?.reject(new Error(why));
    };
    const timer = setTimeout(
      giveUp,
      timeoutMs,
      `${this.server.name} did not answer ${method} within ${timeoutMs / 1000} s.`,
    );
    const onAbort = () => giveUp("Aborted.");
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#waiting.delete(id);
      this.usedAt = Date.now();
    }
  }

  /** Whether a request is pending. */
  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Sends the file's current content on disk to the server. Returns the file's URI. */
  sync(path: string): string {
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, "utf8");
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

  /** The server's diagnostics for the file: requested if it supports that, otherwise awaited. */
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
      await once(this.#news, "published", { signal: end }).catch(() => {});
    }
    return this.#published.get(uri) ?? [];
  }

  /** Resolves when the process and its descendants have ended. */
  async close(): Promise<void> {
    if (!this.gone) {
      await this.request("shutdown", null, 1000).catch(() => {});
      this.notify("exit", null);
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

  #rejectAll(why: string): void {
    if (this.gone) return;
    this.gone = true;
    const stderr = this.#stderr.trim().split("\n").slice(-3).join("\n");
    for (const { reject } of this.#waiting.values()) reject(new Error(`${this.server.name}: ${why}. ${stderr}`.trim()));
    this.#news.emit("published");
  }

  #send(message: Message): void {
    if (!this.gone && this.#child.stdin.writable) this.#child.stdin.write(framed({ jsonrpc: "2.0", ...message }));
  }

  #receive(text: string): void {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return;
    }
    if (message.method !== undefined && message.id !== undefined) return this.#handleRequest(message);
    if (message.method !== undefined) return this.#handleNotification(message.method, message.params);
    const waiting = this.#waiting.get(Number(message.id));
    if (message.error) waiting?.reject(new Error(`${this.server.name}: ${message.error.message}`));
    else waiting?.resolve(message.result);
  }

  #handleNotification(method: string, params: unknown): void {
    if (method !== "textDocument/publishDiagnostics") return;
    const { uri, diagnostics, version } = params as { uri: string; diagnostics: Diagnostic[]; version?: number };
    const known = this.#documents.get(canonical(uri));
    if (version !== undefined && version !== null && known && version < known.version) return;
    this.#published.set(canonical(uri), diagnostics);
    this.#news.emit("published");
  }

  #handleRequest({ id, method, params }: Message): void {
    const answer = (result: unknown) => this.#send({ id: id!, result });
    if (method === "workspace/configuration") {
      const { items = [] } = params as { items?: { section?: string }[] };
      return answer(items.map(({ section }) => this.#setting(section)));
    }
    if (method === "workspace/applyEdit") {
      try {
        this.#options.applyEdit((params as { edit: WorkspaceEdit }).edit);
        return answer({ applied: true });
      } catch (error) {
        return answer({ applied: false, failureReason: String(error) });
      }
    }
    if (method === "workspace/workspaceFolders")
      return answer([{ uri: pathToFileURL(this.#options.root).href, name: "root" }]);
    answer(null);
  }

  #setting(section: string | undefined): unknown {
    let at: unknown = this.server.settings ?? {};
    for (const part of section ? section.split(".") : []) at = (at as Record<string, unknown> | undefined)?.[part];
    return at ?? null;
  }
}

/** Servers write the same URI in several ways. */
function canonical(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}
