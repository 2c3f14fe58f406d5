import { failure } from "@gantry/protocol";
import { readRpc } from "../../../framing/json-rpc.ts";
import type { Frame, Output, Step } from "../../contract.ts";
import { type Fields, fields, firstLine, ownValue, text } from "../../fields.ts";
import { event, notice, raw } from "../outputs.ts";
import { inbound } from "./inbound.ts";
import { serverRequest } from "./inputs/requests.ts";
import { childThread, subagentNotification, subagentStarted } from "./items/subagents.ts";
import { notifications } from "./notifications.ts";
import { quietMethods } from "./quiet.ts";
import { handleError, handleResult } from "./responses.ts";
import { CHANNEL, type State } from "./state.ts";
import { turnCrashed } from "./turns.ts";

/** Decodes a frame of the app-server. Pure and total. */
export function decode(state: State, frame: Frame): Step<State> {
  switch (frame.dir) {
    case "in":
      return inbound(state, frame.msg);
    case "err":
      return [recordComplaint(state, frame.text), []];
    case "end":
      return endProcess(state, frame);
    case "out":
      if ("msg" in frame) return outbound(state, frame.msg);
      if ("text" in frame) return [state, frame.text.trim() ? [raw(CHANNEL, frame.text, "not JSON")] : []];
      return [state, [raw(CHANNEL, { oversize: frame.oversize, head: frame.head }, "line too long")]];
  }
}

function outbound(state: State, msg: unknown): Step<State> {
  const message = readRpc(msg);
  switch (message?.kind) {
    case "result":
      return handleResult(state, message.id, message.result, msg);
    case "error":
      return handleError(state, message.id, message.error, msg);
    case "request": {
      const params = fields(message.params);
      return serverRequest(state, { ...message, params }, msg, subagentOf(state, params));
    }
    case "notification":
      return decodeNotification(state, message.method, fields(message.params), msg);
    default:
      return [state, [raw(CHANNEL, msg, "not a JSON-RPC message")]];
  }
}

function decodeNotification(state: State, method: string, params: Fields, frame: unknown): Step<State> {
  if (quietMethods.has(method)) return [state, []];
  const child = method === "thread/started" ? childThread(state, fields(params.thread)) : undefined;
  if (child) return child;
  const [adopted, early] = earlySubagent(adopt(state, params), method, params);
  if (early.length > 0) return [adopted, early];
  const subagent = subagentOf(adopted, params);
  if (isForeign(adopted, params)) return [adopted, reportForeign(method, frame)];
  const handler = ownValue(notifications, method);
  if (!handler) return [adopted, [raw(CHANNEL, frame, "unknown notification")]];
  const handled = subagent ? subagentNotification(adopted, subagent, method, params) : undefined;
  if (subagent && !handled && !adopted.turn && !isInBackground(adopted, subagent, params))
    return [adopted, lateMessages(method, params)];
  return handled ?? handler(adopted, params, subagent, frame);
}

/** A subagent may begin its turn before its call reports it: its root turn is ours. */
function earlySubagent(state: State, method: string, params: Fields): Step<State> {
  const root = text(fields(params.turn).rootTurnId);
  const ours = method === "turn/started" && root !== undefined && root === state.turn && isForeign(state, params);
  return ours ? subagentStarted(state, threadOf(params) ?? "", {}) : [state, []];
}

/** The notification is about a subagent that is a task, or about a command that it left running. */
function isInBackground({ subagents, background = {} }: State, subagent: string, params: Fields): boolean {
  const item = text(fields(params.item).id) ?? text(params.itemId) ?? "";
  return ownValue(subagents, subagent)?.task === true || ownValue(background, item) !== undefined;
}

/** A subagent that continues after its turn: its messages are published, its tool calls are not. */
function lateMessages(method: string, params: Fields): Output[] {
  const item = fields(params.item);
  if (method !== "item/completed" || item.type !== "agentMessage") return [];
  return [notice("subagent", "info", text(item.text) ?? "")];
}

function threadOf(params: Fields): string | undefined {
  return text(params.threadId) ?? text(fields(params.thread).id);
}

/** A recording that starts in the middle does not name our thread: the first one is ours. */
function adopt(state: State, params: Fields): State {
  const thread = threadOf(params);
  return state.thread || !thread ? state : { ...state, thread };
}

function subagentOf(state: State, params: Fields): string | undefined {
  const thread = threadOf(params);
  return thread !== undefined && Object.hasOwn(state.subagents, thread) ? thread : undefined;
}

function isForeign(state: State, params: Fields): boolean {
  const thread = threadOf(params);
  return thread !== undefined && thread !== state.thread && !Object.hasOwn(state.subagents, thread);
}

/**
 * Notifications about other threads: a subagent before it is announced, or an empty thread from a request that was
 * resent after a crash.
 */
const notOurs = ["thread/started", "thread/status/changed"];

function reportForeign(method: string, frame: unknown): Output[] {
  return notOurs.includes(method) ? [] : [raw(CHANNEL, frame, "foreign thread")];
}

function recordComplaint(state: State, line: string): State {
  return /error|panic|fatal/i.test(line) ? { ...state, complaint: firstLine(line, 300) } : state;
}

function endProcess(state: State, frame: Extract<Frame, { dir: "end" }>): Step<State> {
  const how = frame.signal ? `was killed by ${frame.signal}` : `ended with code ${frame.code ?? "unknown"}`;
  // A killed process printed no reason; its last error line is older.
  const complaint = frame.signal ? undefined : state.complaint;
  const message = [`The agent's process ${how}.`, complaint].filter(Boolean).join(" ");
  if (state.turn) return turnCrashed(state, message);
  return [state, state.phase === "open" ? [] : [event("error", failure("crashed", message))]];
}
