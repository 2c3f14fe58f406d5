import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as v1 from "@agentclientprotocol/sdk/unstable";
import { gantryProgram } from "../harness/daemon-process.ts";
import { eventually } from "../harness/wait.ts";
import { FrameCheck } from "./frame-check.ts";

type AnyUpdate = { sessionUpdate: string } & Record<string, unknown>;
type Request = { method: string; params: Record<string, unknown>; signal: AbortSignal };

/** Answers a request of the agent. Without a value the request stays open until the agent closes it. */
export type Answerer = (request: Request) => unknown;

export type EditorOptions = {
  version: 1 | 2;
  env: Record<string, string>;
  cwd: string;
  args?: readonly string[];
  capabilities?: Record<string, unknown>;
  answer?: Answerer;
};

/** The official client library on both ends of `gantry acp`. All frames are checked against the protocol's schemas. */
export class Editor {
  readonly frames: FrameCheck;
  readonly updates: AnyUpdate[] = [];
  readonly requests: (Request & { isClosed: boolean })[] = [];
  readonly #child: ChildProcess;
  readonly #connection: {
    agent: { request(method: string, params: unknown): Promise<unknown>; notify: unknown };
    close(): void;
  };
  readonly #options: EditorOptions;
  answer: Answerer;
  errors = "";

  private constructor(options: EditorOptions) {
    const { version, env, cwd, args = [] } = options;
    this.#options = options;
    this.answer = options.answer ?? allowOnce;
    this.frames = new FrameCheck(version);
    const program = ["--disable-warning=ExperimentalWarning", gantryProgram(), "acp", ...args];
    this.#child = spawn(process.execPath, program, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr?.on("data", (chunk) => {
      this.errors += chunk;
    });
    this.#connection = this.#connect();
  }

  static async open(options: EditorOptions): Promise<Editor> {
    const editor = new Editor(options);
    const { version, capabilities = {} } = options;
    const info = { name: "test", version: "1.0.0" };
    const client = version === 1 ? { clientCapabilities: capabilities, clientInfo: info } : { capabilities, info };
    await editor.request("initialize", { protocolVersion: version, ...client });
    return editor;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  request<T = Record<string, never>>(method: string, params: unknown): Promise<T> {
    return this.#connection.agent.request(method, params) as Promise<T>;
  }

  notify(method: string, params: unknown): Promise<void> {
    return (this.#connection.agent as { notify(method: string, params: unknown): Promise<void> }).notify(
      method,
      params,
    );
  }

  async create(more: Record<string, unknown> = {}): Promise<string> {
    const params = { cwd: this.#options.cwd, mcpServers: [], ...more };
    return (await this.request<{ sessionId: string }>("session/new", params)).sessionId;
  }

  /** Resolves with the reason why the turn stopped, in both protocol versions. */
  async prompt(sessionId: string, text: string, meta?: Record<string, unknown>): Promise<string> {
    const before = this.updates.length;
    const params = { sessionId, prompt: [{ type: "text", text }], ...(meta ? { _meta: meta } : {}) };
    const reply = await this.request<{ stopReason?: string }>("session/prompt", params);
    if (this.#options.version === 1) return reply.stopReason ?? "";
    const isEnd = ({ sessionUpdate, state, stopReason }: AnyUpdate) =>
      sessionUpdate === "state_update" && state === "idle" && stopReason !== undefined;
    await eventually("the end of the turn", () => this.updates.slice(before).some(isEnd));
    return String(this.updates.slice(before).find(isEnd)?.stopReason);
  }

  /** Shows the whole conversation again. */
  async load(sessionId: string): Promise<void> {
    const params = { sessionId, cwd: this.#options.cwd, mcpServers: [] };
    if (this.#options.version === 1) await this.request("session/load", params);
    else await this.request("session/resume", { ...params, replayFrom: { type: "start" } });
  }

  ofKind(kind: string): AnyUpdate[] {
    return this.updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** The text of the agent, as a client shows it. */
  text(): string {
    return this.ofKind("agent_message_chunk")
      .map(({ content }) => (content as { text: string }).text)
      .join("");
  }

  /** The tool calls with their final status, in order. */
  tools(): string[] {
    const calls = new Map<string, string>();
    for (const { sessionUpdate, toolCallId, status } of this.updates)
      if (sessionUpdate.startsWith("tool_call") && status) calls.set(String(toolCallId), String(status));
    return [...calls].map(([id, status]) => `${id} ${status}`);
  }

  /** Ends the editor as a crash does. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  /** Closes stdin and resolves with the exit code. */
  async close(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, "exit");
    this.#child.stdin?.end();
    return (await ended)[0];
  }

  #connect() {
    const stream = v1.ndJsonStream(
      Writable.toWeb(this.#child.stdin as Writable) as WritableStream<Uint8Array>,
      Readable.toWeb(this.#child.stdout as Readable) as ReadableStream<Uint8Array>,
    );
    const checked = {
      readable: stream.readable.pipeThrough(this.#tap("agent")),
      writable: tapWritable(stream.writable, (frame) => this.frames.take("client", frame as never)),
    };
    const app = this.#options.version === 1 ? v1.client({ name: "test" }) : v2.client({ name: "test" });
    const typed = app as v1.ClientApp;
    typed.onNotification("session/update", ({ params }) => void this.updates.push(params.update as AnyUpdate));
    const ask = ({ method, params, signal }: { method: string; params: unknown; signal: AbortSignal }) =>
      this.#ask({ method, params: params as Record<string, unknown>, signal }) as never;
    typed.onRequest("session/request_permission", ask);
    typed.onRequest("elicitation/create", ask);
    return typed.connect(checked) as never;
  }

  async #ask(request: Request): Promise<unknown> {
    const entry = { ...request, isClosed: false };
    this.requests.push(entry);
    const closed = new Promise<never>((_, reject) => {
      request.signal.addEventListener("abort", () => {
        entry.isClosed = true;
        reject(v1.RequestError.requestCancelled());
      });
    });
    const answer = this.answer(request);
    return answer === undefined ? closed : answer;
  }

  #tap(side: "agent") {
    return new TransformStream<v1.AnyMessage, v1.AnyMessage>({
      transform: (frame, controller) => {
        this.frames.take(side, frame as never);
        controller.enqueue(frame);
      },
    });
  }
}

function tapWritable(target: WritableStream<v1.AnyMessage>, see: (frame: v1.AnyMessage) => void) {
  const writer = target.getWriter();
  return new WritableStream<v1.AnyMessage>({
    write: async (frame) => {
      see(frame);
      await writer.write(frame);
    },
    close: () => writer.close(),
  });
}

/** Selects the first option of a kind. */
export function choose(kind: "allow_once" | "allow_always" | "reject_once"): Answerer {
  return ({ params }) => {
    const options = params.options as { optionId: string; kind: string }[];
    const option = options.find((one) => one.kind === kind);
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  };
}

export const allowOnce = choose("allow_once");
export const deny = choose("reject_once");
