import type { z } from "zod";
import { errorText } from "../../contract/errors.ts";
import { type AgentMessage, lastAnswerText } from "../../contract/messages.ts";
import type { SessionEvent, SessionEventOf, SessionEventType } from "../../contract/session-event.ts";
import type { CommandResult } from "../handlers.ts";
import { COMMANDS, type CommandName } from "../wire/commands.ts";
import { type AgentProcess, startProcess } from "./agent-process.ts";
import { type AgentExit, exitMessage, RpcError } from "./errors.ts";
import { EventQueue } from "./event-queue.ts";
import { type HostCallbacks, type HostScheme, HostSide, type HostTool } from "./host-side.ts";

type Json = Record<string, unknown>;

/** The fields of a command, besides `id` and `type`. */
export type CommandFields<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]["schema"]>;

export type RequestOptions = {
  /** Milliseconds to wait for the answer. Default: `requestTimeoutMs`, and no limit for commands that work for long. */
  timeoutMs?: number;
};

type Arguments<Name extends CommandName> =
  Record<never, never> extends CommandFields<Name>
    ? [fields?: CommandFields<Name>, options?: RequestOptions]
    : [fields: CommandFields<Name>, options?: RequestOptions];

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** One method for each command of the protocol: `get_state` is `getState`. */
export type RpcCommands = {
  [Name in CommandName as CamelCase<Name>]: (...args: Arguments<Name>) => Promise<CommandResult<Name>>;
};

export type RpcClientOptions = HostCallbacks & {
  /** Default: `gantry agent --mode rpc`. */
  command?: readonly [string, ...string[]];
  /** Further arguments, such as `["--model", "openai/gpt-5"]`. */
  args?: readonly string[];
  cwd?: string;
  /** Default: the environment of this process. */
  env?: Record<string, string | undefined>;
  /** Default 30 seconds. */
  startTimeoutMs?: number;
  /** Default 60 seconds. */
  requestTimeoutMs?: number;
  /** Receives what went wrong outside of a request: a malformed line, an unknown frame, a callback that failed. */
  onProblem?(message: string): void;
  /** Receives the agent's stderr. */
  onStderr?(text: string): void;
};

export type RpcRunResult = {
  reason: SessionEventOf<"agent_settled">["reason"];
  text: string;
  messages: AgentMessage[];
  errorMessage?: string;
};

/** These commands wait for a model, a program or a person. */
const UNLIMITED: ReadonlySet<CommandName> = new Set<CommandName>([
  "bash",
  "compact",
  "handoff",
  "login",
  "navigate_tree",
]);

/** Other dispositions mean that no run follows. */
const STARTS: ReadonlySet<string> = new Set(["started", "queued"]);

type Pending = { command: CommandName; resolve(data: unknown): void; reject(error: Error): void };

/**
 * Drives an agent in a separate process over RPC. Reading never throws: problems are reported to `onProblem`, and a
 * listener that throws affects nothing. When the process ends, all open requests are rejected and all loops over events
 * end. The caller closes the client.
 */
export class RpcClient {
  readonly commands: RpcCommands;
  /** How the process ended. Never rejects. */
  readonly exited: Promise<AgentExit>;
  readonly #options: RpcClientOptions;
  readonly #process: AgentProcess;
  readonly #host: HostSide;
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #queues = new Set<EventQueue>();
  readonly #ready = Promise.withResolvers<Json>();
  #sending: Promise<unknown> = Promise.resolve();
  #ids = 0;
  #ended: RpcError | undefined;

  /** Starts the agent and resolves when it accepts commands. Rejects with an `RpcError` if it does not start. */
  static async start(options: RpcClientOptions = {}): Promise<RpcClient> {
    const client = new RpcClient(options);
    const timeoutMs = options.startTimeoutMs ?? 30_000;
    const late = `The agent did not start within ${timeoutMs} ms.`;
    try {
      await withTimeout(client.#ready.promise, timeoutMs, () => new RpcError("start", late));
    } catch (error) {
      await client.close(0);
      throw error;
    }
    return client;
  }

  private constructor(options: RpcClientOptions) {
    this.#options = options;
    const [program, ...args] = options.command ?? ["gantry", "agent", "--mode", "rpc"];
    const { cwd, env } = options;
    this.#host = new HostSide({
      callbacks: options,
      send: (frame) => void this.#send(frame).catch(() => undefined),
      respondGate: (input) => this.request("workflow_gate_response", input),
      problem: (message) => this.#problem(message),
    });
    this.commands = this.#createCommands();
    this.#process = startProcess(
      { command: [program, ...args, ...(options.args ?? [])], cwd, env },
      {
        line: (text) => this.#read(text),
        tooLong: (limit) => this.#problem(`The agent sent a line of more than ${limit} characters.`),
        stderr: (text) => options.onStderr?.(text),
      },
    );
    this.exited = this.#process.exited;
    void this.exited.then((exit) => this.#end(new RpcError("exit", exitMessage(exit))));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Sends a command. Rejects with an `RpcError`. */
  async request<Name extends CommandName>(name: Name, ...args: Arguments<Name>): Promise<CommandResult<Name>> {
    const [fields, { timeoutMs = UNLIMITED.has(name) ? undefined : (this.#options.requestTimeoutMs ?? 60_000) } = {}] =
      args;
    if (this.#ended) throw this.#ended;
    this.#ids += 1;
    const id = `req_${this.#ids}`;
    const answer = Promise.withResolvers<unknown>();
    answer.promise.catch(() => undefined);
    this.#pending.set(id, { command: name, ...answer });
    // A paused output would hold the answer back.
    this.#process.stdout.resume();
    try {
      await this.#send({ ...fields, id, type: name });
      const late = () => new RpcError("timeout", `${name} had no answer within ${timeoutMs} ms.`, { command: name });
      return (await withTimeout(answer.promise, timeoutMs, late)) as CommandResult<Name>;
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Calls the listener with each event. Returns how to stop. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  on<Type extends SessionEventType>(type: Type, listener: (event: SessionEventOf<Type>) => void): () => void {
    return this.subscribe((event) => {
      if (event.type === type) listener(event as SessionEventOf<Type>);
    });
  }

  /** The events from now on, for a `for await` loop. A slow loop slows the agent down; leaving the loop ends it. */
  events(): AsyncIterableIterator<SessionEvent> & AsyncDisposable {
    const queue = new EventQueue(this.#process.stdout, () => this.#queues.delete(queue));
    if (this.#ended) queue.end();
    else this.#queues.add(queue);
    return queue;
  }

  /** Sends a message and resolves when the session is idle again. */
  async run(message: string, fields: Omit<CommandFields<"prompt">, "message"> = {}): Promise<RpcRunResult> {
    const messages: AgentMessage[] = [];
    const settled = Promise.withResolvers<SessionEventOf<"agent_settled">>();
    const unsubscribe = this.subscribe((event) => {
      if (event.type === "agent_end") messages.push(...event.messages);
      if (event.type === "agent_settled") settled.resolve(event);
    });
    try {
      const { disposition } = await this.request("prompt", { ...fields, message });
      if (!STARTS.has(disposition)) settled.resolve({ type: "agent_settled", reason: "completed" });
      const exit = this.exited.then((how) => Promise.reject(new RpcError("exit", exitMessage(how))));
      const { reason, errorMessage } = await Promise.race([settled.promise, exit]);
      return {
        reason,
        text: lastAnswerText(messages) ?? "",
        messages,
        ...(errorMessage === undefined ? {} : { errorMessage }),
      };
    } finally {
      unsubscribe();
    }
  }

  /** Replaces the tools that the agent calls here. */
  async setTools(tools: readonly HostTool[]): Promise<string[]> {
    this.#host.tools = tools;
    const definitions = tools.map(({ run: _, ...definition }) => definition);
    return (await this.request("set_host_tools", { tools: definitions })).toolNames;
  }

  /** Replaces the URL schemes that are served here. */
  async setSchemes(schemes: readonly HostScheme[]): Promise<string[]> {
    this.#host.schemes = schemes;
    const definitions = schemes.map(({ read: _, write, ...rest }) => ({ ...rest, writable: write !== undefined }));
    return (await this.request("set_host_uri_schemes", { schemes: definitions })).schemes;
  }

  /** Answers a gate and resolves to the outcome: `accepted`, or `rejected` if the answer does not match its schema. */
  respondGate(gateId: string, answer: unknown, idempotencyKey?: string) {
    const key = idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey };
    return this.request("workflow_gate_response", { gate_id: gateId, answer, ...key });
  }

  /** Ends the agent: its input is closed, and after `graceMs` it gets signals. Resolves when it has ended. */
  async close(graceMs?: number): Promise<AgentExit> {
    const stopped = this.#process.stop(graceMs);
    this.#end(new RpcError("closed", "The client was closed."));
    return await stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createCommands(): RpcCommands {
    const methods = Object.keys(COMMANDS).map((name) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      (...args: Arguments<CommandName>) => this.request(name as CommandName, ...(args as Arguments<never>)),
    ]);
    return Object.fromEntries(methods) as RpcCommands;
  }

  /** Frames leave in the order of the calls. A full pipe delays them. */
  #send(frame: Json): Promise<void> {
    const { writer } = this.#process;
    const sent = this.#sending.then(async () => {
      if (writer.full) await writer.waitForRoom();
      writer.send(frame);
    });
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  #read(line: string): void {
    try {
      const frame: unknown = JSON.parse(line);
      if (typeof frame !== "object" || frame === null || Array.isArray(frame)) throw new Error("it is no object");
      this.#take(frame as Json);
    } catch (error) {
      this.#problem(`A line of the agent cannot be read (${errorText(error)}): ${line.slice(0, 200)}`);
    }
  }

  #take(frame: Json): void {
    if (frame.type === "ready") return this.#ready.resolve(frame);
    if (frame.type === "response") return this.#takeResponse(frame);
    if (frame.type === "event") return this.#takeEvent(frame);
    if (frame.type === "extension_error") return this.#problem(`${String(frame.event)}: ${String(frame.error)}`);
    if (!this.#host.take(frame)) this.#problem(`The agent sent an unknown frame: ${String(frame.type)}.`);
  }

  #takeResponse({ id, command, success, data, error }: Json): void {
    const pending = typeof id === "string" ? this.#pending.get(id) : undefined;
    if (pending && success === true) return pending.resolve(data);
    const details = typeof error === "object" && error !== null ? (error as Json) : undefined;
    const message = details ? String(details.message ?? details.code ?? JSON.stringify(details)) : String(error);
    if (pending) return pending.reject(new RpcError("refused", message, { command: pending.command, details }));
    if (success !== true) this.#problem(`${String(command)}: ${message}`);
  }

  #takeEvent({ payload }: Json): void {
    const event = (payload as { event?: SessionEvent } | undefined)?.event;
    if (typeof event?.type !== "string") throw new Error("it is no event");
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#problem(`A listener failed: ${errorText(error)}`);
      }
    }
    for (const queue of this.#queues) queue.push(event);
    if (this.#pending.size === 0 && [...this.#queues].some(({ full }) => full)) this.#process.stdout.pause();
  }

  #end(error: RpcError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#host.close();
    this.#ready.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    for (const queue of this.#queues) queue.end();
    this.#queues.clear();
  }

  #problem(message: string): void {
    try {
      this.#options.onProblem?.(message);
    } catch {
      // The callback of a caller must not stop the reading.
    }
  }
}

async function withTimeout<Value>(work: Promise<Value>, ms: number | undefined, error: () => Error): Promise<Value> {
  if (ms === undefined) return await work;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(error()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
