import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, parseObject } from "../json.ts";
import { inventValue } from "./arguments.ts";
import { locate, type ModelRequest } from "./conversation.ts";
import { CursorBackend } from "./cursor/backend.ts";
import { type Failure, type FailureName, failures } from "./failures.ts";
import { openReply } from "./output.ts";
import { type Pace, play } from "./play.ts";
import { answerOther } from "./routes.ts";
import { scriptOf } from "./scenarios.ts";
import { type Block, PLAN_FILE, type Script } from "./script.ts";
import { bindTool, endingCall, planFile, type Reply } from "./tools.ts";
import { anthropic } from "./wire/anthropic.ts";
import { augment } from "./wire/augment.ts";
import { bedrock } from "./wire/bedrock.ts";
import { chat } from "./wire/chat.ts";
import type { WireFormat } from "./wire/format.ts";
import { gemini } from "./wire/gemini.ts";
import { ollama } from "./wire/ollama.ts";
import { responses } from "./wire/responses.ts";

type FindSecrets = (request: Pick<IncomingMessage, "headers"> & { url: string; body: string }) => string[];

export interface ScriptedModelOptions {
  /** Default 0: any free port. The server listens on 127.0.0.1 only. */
  port?: number;
  /** A file that gets one JSON line for each request, without headers and bodies. */
  log?: string;
  /**
   * Called for every request. Returns a description of each secret that the request contains. `close()` rejects when any
   * call returned one.
   */
  findSecrets?: FindSecrets;
  /** Rejects requests without a key, like real providers. */
  keyed?: boolean;
  defaults?: {
    /** The scenario of a request that names none. Default `text`. */
    scenario?: string;
    /** Milliseconds between chunks, unless the scenario sets them. Default 5. */
    pace?: number;
    /** Milliseconds between the chunks of `slow` scenarios, unless the marker sets them. Default 250. */
    slowPace?: number;
  };
}

/** One received request. `side` marks calls outside the scenario: titles, routing, suggestions. */
export interface SeenRequest {
  at: number;
  method: string;
  path: string;
  wire?: WireFormat["name"] | "cursor";
  scenario?: string;
  step?: number;
  side?: boolean;
  model?: string;
  stream?: boolean;
  cwd?: string;
  tools?: string[];
  auth: "authorization" | "x-api-key" | "x-goog-api-key" | "api-key" | "none";
  headers: Record<string, string>;
  /** The client disconnected before the reply was complete. */
  aborted?: boolean;
  body: Json;
}

/** A running server. `close` closes every connection and is idempotent; it rejects if `findSecrets` found a secret. */
export interface ScriptedModel {
  url: string;
  port: number;
  requests(): SeenRequest[];
  /** Rejects every request from now on with this failure, message and headers. Without a failure, stops rejecting. */
  refuse(how?: { failure: FailureName; message?: string; headers?: Record<string, string> }): void;
  close(): Promise<void>;
}

const FORMATS: readonly WireFormat[] = [anthropic, responses, chat, gemini, augment, bedrock, ollama];

/** Starts a model server on loopback whose replies follow the `[[name]]` in the prompt. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const model = new Server(options);
  return model.listen(options.port ?? 0);
}

class Server {
  readonly #seen: SeenRequest[] = [];
  readonly #tries = new Map<string, number>();
  readonly #log: string | undefined;
  readonly #pace: Pace;
  readonly #fallback: string;
  readonly #keyed: boolean;
  readonly #findSecrets: FindSecrets;
  readonly #leaks: string[] = [];
  readonly #cursor: CursorBackend;
  #ids = 0;
  #refusal: Parameters<ScriptedModel["refuse"]>[0];

  constructor({ log, findSecrets = () => [], keyed = false, defaults = {} }: ScriptedModelOptions) {
    this.#findSecrets = findSecrets;
    this.#log = log;
    this.#keyed = keyed;
    this.#pace = { chunk: defaults.pace ?? 5, slow: defaults.slowPace ?? 250 };
    this.#fallback = defaults.scenario ?? "text";
    this.#cursor = new CursorBackend({
      pace: this.#pace,
      script: (marker, prompt) => this.#settle(scriptOf(marker ?? { name: this.#fallback, args: [] }), prompt),
      refusal: () => this.#refusal && refusalFailure(this.#refusal),
      note: (http, request) => this.#note(http, { ...request, ...(request.model ? { wire: "cursor" } : {}) }),
    });
  }

  async listen(port: number): Promise<ScriptedModel> {
    const http = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    // Codex tries a WebSocket first and falls back to HTTP when it is rejected.
    http.on("upgrade", (request, socket) => {
      this.#watch(request, "");
      this.#note(request, { body: {} });
      socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
    await new Promise<void>((resolve, reject) => {
      http.once("error", reject);
      http.listen(port, "127.0.0.1", resolve);
    });
    const address = http.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${address.port}`,
      port: address.port,
      requests: () => [...this.#seen],
      refuse: (how) => {
        this.#refusal = how;
      },
      close: async () => {
        await new Promise<void>((resolve) => {
          http.close(() => resolve());
          http.closeAllConnections();
        });
        if (this.#leaks.length > 0) throw new Error(`Secrets reached the model:\n${this.#leaks.join("\n")}`);
      },
    };
  }

  async #answer(http: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(http);
    const raw = bytes.toString("utf8");
    this.#watch(http, raw);
    if (this.#cursor.owns(http)) return this.#cursor.answer(http, bytes, response);
    const body = parseObject(raw) ?? {};
    const { path, prefix } = splitPath(http.url ?? "/");
    const format = FORMATS.find((candidate) => candidate.owns(path));
    if (!format || http.method !== "POST") {
      this.#note(http, { body });
      return answerOther(http.method ?? "GET", path, response);
    }
    const request = format.read(body, path);
    const position = locate(request);
    const marker = position.marker ?? prefix ?? { name: this.#fallback, args: [] };
    const side = isSide(format, request, prefix !== null, marker.name);
    const seen = this.#note(http, {
      body,
      wire: format.name,
      scenario: marker.name,
      step: position.step,
      side,
      model: request.model,
      stream: request.stream,
      cwd: position.cwd,
      tools: request.tools.map((tool) => tool.name),
    });
    response.on("close", () => {
      if (!response.writableFinished) seen.aborted = true;
    });
    if (this.#keyed && seen.auth === "none") return this.#refuse(format, failures.err401, response);
    if (this.#refusal) return this.#refuse(format, refusalFailure(this.#refusal), response, this.#refusal.headers);
    const script = side
      ? sideScript(request)
      : this.#settle(scriptOf(marker), `${marker.name} ${position.cwd} ${fromMarker(position.prompt, marker.name)}`);
    const blocks = script.replies[Math.min(position.step, script.replies.length - 1)] ?? [];
    const all = [...planFile(blocks, request.system), ...blocks, ...endingCall(blocks, request.tools)];
    const replies = all.map((block) => bindTool(withPlanFile(block, body), request.tools, position.cwd));
    await this.#reply(format, request, script, replies, response);
  }

  async #reply(format: WireFormat, request: ModelRequest, script: Script, replies: Reply[], response: ServerResponse) {
    const { mishap } = script;
    if (mishap?.type === "hang") return;
    const early = mishap?.type === "failure" || (mishap?.type === "stream-failure" && !request.stream);
    if (early && mishap) {
      // Some agents retry five times and follow retry-after.
      const wait: Record<string, string> = mishap.once ? { "retry-after": "0" } : { "retry-after-ms": "20" };
      return this.#refuse(format, failures[mishap.failure], response, wait);
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const writer = format.writer(
      request,
      openReply(response, (kind) => this.#id(kind)),
    );
    const options = { pace: this.#pace, stop: script.stop ?? "end", mishap, signal: gone.signal };
    const ending = await play(replies, writer, options);
    if (ending === "cut") {
      await sleep(this.#pace.chunk);
      response.destroy();
    } else if (ending !== "stalled" && !response.writableEnded) response.end();
  }

  #refuse(format: WireFormat, failure: Failure, response: ServerResponse, headers: Record<string, string> = {}): void {
    response.writeHead(failure.status, {
      "content-type": "application/json",
      "request-id": this.#id("req"),
      ...headers,
    });
    response.end(JSON.stringify(format.errorBody(failure)));
  }

  /** Removes the mishap of a `…once` script when the prompt is repeated. */
  #settle(script: Script, conversation: string): Script {
    if (!script.mishap?.once) return script;
    const key = createHash("sha256").update(conversation).digest("hex");
    const tries = (this.#tries.get(key) ?? 0) + 1;
    this.#tries.set(key, tries);
    return tries === 1 ? script : { ...script, mishap: undefined };
  }

  #watch({ method, url = "/", headers }: IncomingMessage, body: string): void {
    for (const found of this.#findSecrets({ url, headers, body })) this.#leaks.push(`${method} ${url}: ${found}`);
  }

  #note(http: IncomingMessage, more: Partial<SeenRequest> & { body: Json }): SeenRequest {
    const seen: SeenRequest = {
      at: Date.now(),
      method: http.method ?? "",
      path: http.url ?? "",
      auth: authOf(http),
      headers: Object.fromEntries(Object.entries(http.headers).map(([name, value]) => [name, String(value)])),
      ...more,
    };
    this.#seen.push(seen);
    if (this.#log) appendFileSync(this.#log, `${JSON.stringify({ ...seen, body: undefined, headers: undefined })}\n`);
    return seen;
  }

  #id(kind: string): string {
    return `${kind}_scripted${String(++this.#ids).padStart(6, "0")}`;
  }
}

/**
 * Side calls come without tools or request JSON. The first rule does not apply to the Responses format, nor to a scenario
 * that the URL names, because the caller requests it explicitly.
 */
function isSide(format: WireFormat, request: ModelRequest, named: boolean, scenario: string): boolean {
  if (request.wantsJson) return true;
  return !named && format !== responses && request.tools.length === 0 && scenario !== "text";
}

/** The prompt without the agent's preamble, which changes after a compaction. */
function fromMarker(prompt: string, name: string): string {
  return prompt.slice(Math.max(0, prompt.lastIndexOf(`[[${name}`)));
}

/** The same failure with another message. */
function refusalFailure({ failure, message }: NonNullable<Parameters<ScriptedModel["refuse"]>[0]>): Failure {
  const { status, anthropic: claude, openai, gemini: google } = failures[failure];
  if (message === undefined) return failures[failure];
  return { status, anthropic: { ...claude, message }, openai: { ...openai, message }, gemini: { ...google, message } };
}

function withPlanFile(block: Block, body: Json): Block {
  if (block.type !== "write" || block.file !== PLAN_FILE) return block;
  const [, file = "plan.md"] =
    /(?:Write your plan to|create your plan at) (\S+) (?:first|using)/.exec(JSON.stringify(body)) ?? [];
  return { ...block, file };
}

function sideScript(request: ModelRequest): Script {
  const text = request.wantsJson ? JSON.stringify(inventValue(request.wantsJson, "Scripted title")) : "Scripted title";
  return { replies: [[{ type: "text", text, size: text.length }]] };
}

function splitPath(url: string) {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const named = /^\/s\/([^/]+)(\/.*)$/.exec(pathname);
  if (!named) return { path: pathname, prefix: null };
  const [name = "", ...args] = decodeURIComponent(named[1] as string).split(":");
  return { path: named[2] as string, prefix: { name, args } };
}

function authOf(http: IncomingMessage): SeenRequest["auth"] {
  const order = ["authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;
  // Some agents without a key send the scheme alone.
  return order.find((header) => !/^(Bearer)?\s*$/i.test(String(http.headers[header] ?? ""))) ?? "none";
}

async function readBody(http: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of http) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
