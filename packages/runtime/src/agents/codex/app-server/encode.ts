import type { Attachment, InputAnswer } from "@gantry/protocol";
import { type RpcId, rpcNotification, rpcRequest } from "../../../framing/json-rpc.ts";
import type { AgentCommand, Outbound } from "../../contract.ts";
import { compact, type Fields, ownValue, taskId } from "../../fields.ts";
import { tierOf } from "../controls.ts";
import { modelParams, openingPermissions, type Settings, settingParams } from "../modes.ts";
import { reply } from "./inputs/replies.ts";
import { stopSubagent } from "./items/subagents.ts";
import type { State } from "./state.ts";
import { stopTerminal } from "./terminals.ts";

/** Id prefix of pings, followed by the ping's key. Any response settles a ping. */
export const PING = "ping:";

/** Adds skill folders for this process. */
export const SKILL_ROOTS = "skills/extraRoots/set";

export function isPing(id: RpcId | null): id is string {
  return typeof id === "string" && id.startsWith(PING);
}

/** Parameters of `initialize`. */
export const CLIENT = {
  clientInfo: { name: "gantry", title: "Gantry", version: "0.1.0" },
  capabilities: { experimentalApi: true },
};

export function handshakeFrames(state: State): Outbound[] {
  return [{ msg: rpcRequest(state.nextId, "initialize", CLIENT), key: "greeting", repeat: "safe" }];
}

/**
 * Starts, resumes or forks the thread after the handshake. The history stays with the agent. A repeated start or resume
 * leaves an empty second thread; a repeated fork would leave a copy.
 */
export function openThread(state: State): Outbound[] {
  const { cwd, model, mode, resume, fork, controls, transient } = state.options;
  const { params: given, skillRoots } = state.given ?? {};
  const tier = tierOf(controls ?? {});
  const speed = tier === undefined ? {} : { serviceTier: tier };
  const common = {
    ...compact({ cwd, ...modelParams(model), ...openingPermissions(mode, controls), ...given }),
    ...speed,
    ...(transient ? { ephemeral: true } : {}),
  };
  const method = resume ? (fork ? "thread/fork" : "thread/resume") : "thread/start";
  const params = resume ? { threadId: resume, excludeTurns: true, ...common } : common;
  const roots = skillRoots && rpcRequest(state.nextId, SKILL_ROOTS, { extraRoots: skillRoots });
  return [
    { msg: rpcNotification("initialized"), repeat: "safe" },
    ...(roots ? [{ msg: roots, repeat: "safe" } as const] : []),
    { msg: rpcRequest(state.nextId + (roots ? 1 : 0), method, params), key: "open", repeat: fork ? "ask" : "safe" },
  ];
}

/** The frames of a command; `undefined` if it cannot be executed now. */
export function encode(state: State, command: AgentCommand): Outbound[] | undefined {
  if (command.type === "ping") {
    return [ping(state, command.key)];
  }
  if (command.type === "answer") {
    const ask = ownValue(state.asks, command.key);
    return ask && [reply(command.key, ask, command.answer), ...denialReason(state, command.answer)];
  }
  const { thread } = state;
  if (!thread) return undefined;
  switch (command.type) {
    case "prompt":
      return [startTurn(state, thread, command)];
    case "steer":
      return state.turn ? [steerTurn(state, thread, state.turn, command)] : [startTurn(state, thread, command)];
    case "interrupt":
      return interruptTurn(state, thread);
    case "stopTask":
      return stopTask(state, command.task);
    case "set":
      return changeSettings(state, thread, command);
  }
}

/** Stops a background command or subagent. */
function stopTask(state: State, task: string): Outbound[] | undefined {
  const thread = Object.keys(state.subagents).find((id) => taskId(id) === task);
  const interrupt = thread === undefined ? undefined : stopSubagent(state, thread);
  return interrupt ? [interrupt] : stopTerminal(state, task);
}

/**
 * Requests about one thread are processed in order, so reading the thread is answered after an earlier turn start.
 * Requests without a thread may overtake.
 */
function ping({ thread }: State, key: string): Outbound {
  const id = PING + key;
  const question = thread
    ? rpcRequest(id, "thread/read", { threadId: thread })
    : rpcRequest(id, "thread/loaded/list", {});
  return { msg: question, repeat: "safe" };
}

/** A requested turn without an id is stopped with the empty id, which means the running turn. */
function interruptTurn(state: State, thread: string): Outbound[] {
  const starting = Object.values(state.pending).some(({ method }) => method === "turn/start");
  if (!state.turn && !starting) return [];
  return [request(state, "turn/interrupt", { threadId: thread, turnId: state.turn ?? "" })];
}

/** A denial has no field for a reason, so it follows as a message into the turn. */
function denialReason(state: State, { decision, message }: InputAnswer): Outbound[] {
  if (decision !== "deny" || !message || !state.thread || !state.turn) return [];
  const params = { threadId: state.thread, expectedTurnId: state.turn, input: [textInput(message)] };
  return [{ msg: rpcRequest(state.nextId, "turn/steer", params), repeat: "ask" }];
}

type Message = { message: string; text: string; attachments: Attachment[] };

function startTurn(state: State, thread: string, message: Message): Outbound {
  const overrides = settingParams(state.wanted, state.settings, state.options.folders);
  const params = { threadId: thread, ...messageParams(message), ...overrides };
  return { msg: rpcRequest(state.nextId, "turn/start", params), key: message.message, repeat: "ask" };
}

function steerTurn(state: State, thread: string, turn: string, message: Message): Outbound {
  const params = { threadId: thread, expectedTurnId: turn, ...messageParams(message) };
  return { msg: rpcRequest(state.nextId, "turn/steer", params), key: message.message, repeat: "ask" };
}

/** The request carries our own terms, which Codex ignores: its answer repeats nothing of the request. */
function changeSettings(
  state: State,
  thread: string,
  { model, effort, mode, controls }: Extract<AgentCommand, { type: "set" }>,
): Outbound[] | undefined {
  // Only a new thread reads Codex's own configuration.
  if (mode === "inherit") return undefined;
  const change: Settings = compact({ model, effort, controls, asked: mode });
  if (Object.keys(change).length === 0) return undefined;
  const params = settingParams(change, { ...state.settings, ...state.wanted }, state.options.folders);
  if (!params) return undefined;
  const gantry = compact({ mode: change.asked, controls });
  const own = Object.keys(gantry).length > 0 ? { gantry } : {};
  return [request(state, "thread/settings/update", { threadId: thread, ...params, ...own })];
}

function request(state: State, method: string, params: Fields): Outbound {
  return { msg: rpcRequest(state.nextId, method, params), repeat: "safe" };
}

function messageParams({ message, text, attachments }: Message): Fields {
  return { clientUserMessageId: message, input: [textInput(text), ...attachments.map(attachmentInput)] };
}

function textInput(text: string): Fields {
  return { type: "text", text, text_elements: [] };
}

function attachmentInput(attachment: Attachment): Fields {
  const { path, name, mime = "", data } = attachment;
  const isImage = mime.startsWith("image/") || /\.(png|jpe?g|gif|webp)$/i.test(path ?? name ?? "");
  if (isImage && path) return { type: "localImage", path };
  if (isImage && data) return { type: "image", url: `data:${mime || "image/png"};base64,${data}` };
  if (path) return textInput(`Attached file: ${path}`);
  const content = Buffer.from(data ?? "", "base64").toString("utf8");
  return textInput(`Attached file ${name ?? ""}:\n${content}`);
}
