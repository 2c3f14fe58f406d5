import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../contract/errors.ts";
import type { AgentSession } from "../contract/session.ts";
import { SessionError } from "../contract/session.ts";
import { GateError } from "../gates/broker.ts";
import { type HandlerContext, handlers, type RpcServices } from "./handlers.ts";
import type { RpcHost } from "./host/rpc-host.ts";
import {
  type AnswerName,
  COMMANDS,
  type CommandName,
  type HostAnswer,
  type Id,
  type Inbound,
  readInbound,
} from "./wire/commands.ts";
import type { LineCheck } from "./wire/control-key.ts";
import { createEventFrames, PROTOCOL_VERSION } from "./wire/event-frames.ts";
import { gateOnWire } from "./wire/gate-wire.ts";
import { readCommandLines } from "./wire/lines.ts";
import type { FrameWriter } from "./wire/writer.ts";

export type RpcServer = {
  session: AgentSession;
  host: RpcHost;
  input: Readable;
  services: RpcServices;
  version: string;
  /** Sends events without their envelope, as pi's clients expect. */
  bareEvents?: boolean | undefined;
  /** Sends the whole message so far with each `message_update`. */
  fullUpdates?: boolean | undefined;
  /** The action class of a host's shell command, for unattended mode. */
  classify?(command: string): string[];
  maxLine?: number;
  /** Checks that a line comes from the client. Without it every line does. */
  isFromClient?: LineCheck;
};

/** These commands take effect in the order of arrival; all others run as soon as they are read. */
const ORDERED = new Set<CommandName>([
  "prompt",
  "steer",
  "follow_up",
  "abort_and_prompt",
  "new_session",
  "switch_session",
  "branch",
  "clone",
  "navigate_tree",
  "fork",
  "set_model",
  "cycle_model",
]);

/** After its input has ended, a client that reads nothing for this long counts as gone. */
const DRAIN_MS = 1_000;

/** Dropped while the writer is full: the end of the execution carries the complete output. */
const DROPPABLE: ReadonlySet<string> = new Set(["tool_execution_update", "bash_execution_update"]);

/**
 * Serves one client until its input ends, then rejects everything that waits for the client and disposes the session.
 * Commands run concurrently: a long one does not delay the reading of others. Each gets exactly one response, with its
 * id and name. Resolves when all work is done; never rejects.
 */
export async function serveRpc(server: RpcServer): Promise<void> {
  const { session, host, input } = server;
  const { writer } = host;
  host.attach(session);
  const events = createEventFrames(() => session.id, { bare: server.bareEvents, full: server.fullUpdates });
  const hold = createHold((frame) => writer.send(frame));
  const unsubscribe = session.subscribe((event) => {
    if (writer.full && DROPPABLE.has(event.type)) return;
    for (const frame of events.framesOf(event)) hold.send(frame);
  });
  writer.send({
    type: "ready",
    protocol_version: PROTOCOL_VERSION,
    server: "gantry",
    version: server.version,
    session_id: session.id,
  });
  host.gates().recover();
  const dispatch = createDispatch(server, hold, () => events.runs.trailing);
  await new Promise<void>((resolve) => {
    const limit = server.maxLine === undefined ? [] : [server.maxLine];
    readCommandLines(
      input,
      {
        line(line) {
          dispatch(server.isFromClient?.(line) === false ? unsignedLine() : readInbound(line));
          if (writer.full) waitForRoom(input, writer);
        },
        tooLong: (most) => dispatch(wrongLine(`a line must not exceed ${most} characters`)),
        end: resolve,
      },
      ...(limit as [number?]),
    );
  });
  hold.release();
  host.close();
  await session.dispose().catch((error: unknown) => process.stderr.write(`gantry agent: ${errorText(error)}\n`));
  unsubscribe();
  await waitForDrain(writer);
}

/** Waits until everything is written, or until the client has stopped reading. */
async function waitForDrain(writer: FrameWriter): Promise<void> {
  const all = writer.waitUntilFlushed().then(() => true);
  for (let before = -1; writer.bytes !== before; ) {
    before = writer.bytes;
    if (await Promise.race([all, sleep(DRAIN_MS, false)])) return;
  }
}

/** Pauses the input of a client that does not read its responses, until there is room again. */
function waitForRoom(input: Readable, writer: FrameWriter): void {
  if (input.isPaused()) return;
  input.pause();
  void writer.waitForRoom().then(() => input.resume());
}

/** Holds frames back until `release`, in order. */
type Hold = { hold(): void; send(frame: Record<string, unknown>): void; release(): void };

function createHold(send: (frame: Record<string, unknown>) => void): Hold {
  let held: Record<string, unknown>[] | undefined;
  return {
    hold() {
      held ??= [];
    },
    send(frame) {
      if (held) held.push(frame);
      else send(frame);
    },
    release() {
      const frames = held ?? [];
      held = undefined;
      for (const frame of frames) send(frame);
    },
  };
}

function wrongLine(reason: string): Inbound {
  return { kind: "wrong", command: "parse", error: `Failed to parse command: ${reason}` };
}

/** Its id and command are not used: a response with them would pass for one to the client's own command. */
function unsignedLine(): Inbound {
  return { kind: "wrong", command: "parse", error: "The line was not written by the daemon, so it was ignored." };
}

function createDispatch(server: RpcServer, hold: Hold, isTrailing: () => boolean): (inbound: Inbound) => void {
  const { host } = server;
  const context = createHandlerContext(server, { isTrailing, holdEvents: () => hold.hold() });
  let previous: Promise<unknown> = Promise.resolve();

  const respond = (id: Id, command: string, outcome: object) =>
    host.writer.send({ ...(id === undefined ? {} : { id }), type: "response", command, ...outcome });

  const run = async (inbound: Extract<Inbound, { kind: "command" }>) => {
    const { id, name, input } = inbound;
    try {
      const denied = deniedBy(server, name, input);
      if (denied) return respond(id, name, { success: false, error: denied });
      const handler = handlers[name] as (context: HandlerContext, input: unknown, id: string | undefined) => unknown;
      const data = await handler(context, input, promptIdOf(id));
      respond(id, name, { success: true, ...(data === undefined ? {} : { data }) });
    } catch (error) {
      respond(id, name, { success: false, error: errorOnWire(error) });
    }
  };

  return (inbound) => {
    if (inbound.kind === "wrong") {
      refuseAnswer(host, inbound);
      return respond(inbound.id, inbound.command, { success: false, error: inbound.error });
    }
    if (inbound.kind === "answer") return takeAnswer(host, inbound.name, inbound.answer);
    if (!ORDERED.has(inbound.name)) return void run(inbound);
    previous = previous.then(() => run(inbound)).then(() => hold.release());
  };
}

/** A command's id as the prompt id of its message. */
function promptIdOf(id: Id): string | undefined {
  return id === undefined || typeof id === "string" ? id : JSON.stringify(id);
}

function takeAnswer(host: RpcHost, name: AnswerName, answer: Record<string, unknown>): void {
  switch (name) {
    case "extension_ui_response":
      return host.dialogs.answer(answer as HostAnswer<"extension_ui_response">);
    case "host_tool_update":
      return host.tools.update(answer as HostAnswer<"host_tool_update">);
    case "host_tool_result":
      return host.tools.result(answer as HostAnswer<"host_tool_result">);
    case "host_uri_result":
      return host.uris.result(answer as HostAnswer<"host_uri_result">);
  }
}

/** A host call with an invalid answer fails instead of waiting forever. */
function refuseAnswer(host: RpcHost, { id, command, error }: Extract<Inbound, { kind: "wrong" }>): void {
  if (typeof id !== "string") return;
  const content = [{ type: "text" as const, text: error }];
  if (command === "host_tool_result") host.tools.result({ id, result: { content }, isError: true });
  if (command === "host_uri_result") host.uris.result({ id, isError: true, error });
}

function deniedBy({ host, classify }: RpcServer, name: CommandName, input: Record<string, unknown>) {
  const actions: string[] = [];
  if (name === "bash") actions.push(...(classify?.(String(input.command)) ?? ["bash.mutating"]));
  if (name === "login") actions.push("auth.login");
  return host.unattended.deny(name, COMMANDS[name].scope, actions);
}

function createHandlerContext(
  { session, host, services }: RpcServer,
  events: Pick<HandlerContext, "isTrailing" | "holdEvents">,
): HandlerContext {
  const running = new Set<AbortController>();
  const runAbortable = async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const controller = new AbortController();
    running.add(controller);
    const aborted = new Promise<never>((_resolve, reject) => {
      controller.signal.addEventListener("abort", () => reject(new SessionError("Aborted")));
    });
    try {
      return await Promise.race([work(controller.signal), aborted]);
    } finally {
      running.delete(controller);
    }
  };
  return {
    session,
    services,
    ...events,
    setHostTools(tools) {
      session.setTools("rpc-host", host.tools.define(tools));
      return tools.map(({ name }) => name);
    },
    setHostSchemes(schemes) {
      const handlersByScheme = host.uris.define(schemes);
      session.setUrls("rpc-host", handlersByScheme);
      return Object.keys(handlersByScheme);
    },
    setGates(enabled) {
      host.byGate = enabled;
    },
    answerGate: (input) => host.dialogs.answerGate(input) ?? host.gates().answer(input),
    pendingGates: () => host.gates().listPending().map(gateOnWire),
    showGates: () => void host.gates().recover(),
    negotiate(declaration) {
      const outcome = host.unattended.negotiate(declaration);
      if ("refusal" in outcome) throw new RefusalError(outcome.refusal);
      return outcome.accepted;
    },
    login: (providerId) =>
      runAbortable((signal) => {
        const { login } = services;
        if (!login) throw new SessionError(`Unknown OAuth provider: ${providerId}`);
        return login(providerId, loginSteps(host, signal));
      }),
    handoff: (instructions) =>
      runAbortable((signal) => {
        const { handoff } = services;
        if (!handoff) throw new SessionError("This session cannot be handed off.");
        return handoff(instructions, signal);
      }),
    abortOthers() {
      for (const controller of running) controller.abort();
    },
  };
}

function loginSteps({ dialogs, openUrl }: RpcHost, signal: AbortSignal) {
  return {
    signal,
    openUrl,
    async code(prompt: string, needed: AbortSignal) {
      const both = AbortSignal.any([signal, needed]);
      const outcome = await dialogs.ask({ method: "input", title: prompt }, { signal: both });
      return outcome.kind === "answered" ? (outcome.reply.value ?? undefined) : undefined;
    },
    progress: (message: string) => dialogs.notify({ method: "notify", message, notifyType: "info" }),
  };
}

/** A refusal whose fields are sent to the client. */
class RefusalError extends Error {
  readonly refusal: object;
  constructor(refusal: { message: string }) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

function errorOnWire(error: unknown): string | object {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof GateError) return { code: error.code, message: error.message };
  return errorText(error);
}
