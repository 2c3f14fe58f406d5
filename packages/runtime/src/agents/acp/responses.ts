import type { RpcError, RpcId } from "../../framing/json-rpc.ts";
import type { Step } from "../contract.ts";
import { type Fields, fields, ownValue, text, withoutKey } from "../fields.ts";
import { CLOSE } from "./conversations/close.ts";
import type { Dialect } from "./dialect.ts";
import { errorText } from "./failures.ts";
import { handleInitialize } from "./opening/initialize.ts";
import { failLogin, handleLogin } from "./opening/login.ts";
import { failOpening, handleOpenError, handleOpened } from "./opening/open-session.ts";
import { isPing, PING } from "./opening/ping.ts";
import { becomeReady } from "./opening/ready.ts";
import { handleSettingApplied, handleSettingError } from "./opening/settings.ts";
import { notice, raw } from "./outputs.ts";
import { type PendingRequest, requestKey, type State } from "./state.ts";
import { handlePromptAccepted, handlePromptError, handlePromptResult, handleUsageReply } from "./turns/finish.ts";

/** Requests in recordings whose responses do not concern the session. */
const ignoredRequests: ReadonlySet<string> = new Set(["session/list", "session/delete", "logout"]);

/**
 * Handles the result of one of our requests. A result for any other id, and a second result for the same id, changes
 * nothing and becomes `raw`. In a one-sided recording, where the request is missing, the shape of the result identifies
 * it.
 */
export function handleResult(dialect: Dialect, state: State, id: RpcId, value: unknown, frame: unknown): Step<State> {
  if (isPing(id)) return handlePong(dialect, state, id);
  const result = fields(value);
  const key = requestKey(id);
  const pending = ownValue(state.pending, key) ?? { method: state.both ? "" : methodOf(result) };
  const settled = { ...state, pending: withoutKey(state.pending, key) };
  if (pending.foreign || ignoredRequests.has(pending.method)) return [settled, []];
  if (pending.method === CLOSE) return [settled, [{ kind: "ack", key: CLOSE }]];
  switch (pending.method) {
    case "initialize":
      return handleInitialize(dialect, settled, result);
    case "authenticate":
      return handleLogin(dialect, settled);
    case "session/new":
    case "session/load":
    case "session/resume":
    case "session/fork":
      return handleOpened(dialect, settled, pending, result);
    case "session/prompt":
      if (pending.counts) return handleUsageReply(dialect, settled);
      return settled.version === 2 && !text(result.stopReason)
        ? handlePromptAccepted(settled, key)
        : handlePromptResult(dialect, settled, key, { result });
    case "session/set_mode":
    case "session/set_model":
    case "session/set_config_option":
      return handleSettingApplied(dialect, settled, pending);
    default:
      return [settled, [raw(frame, "response to an unknown request")]];
  }
}

/** Handles an error response to one of our requests. */
export function handleError(
  dialect: Dialect,
  state: State,
  id: RpcId | null,
  error: RpcError,
  frame: unknown,
): Step<State> {
  if (isPing(id)) return handlePong(dialect, state, id);
  const key = id === null ? "" : requestKey(id);
  const pending = ownValue(state.pending, key) ?? guessPending(state);
  const settled = { ...state, pending: withoutKey(state.pending, key) };
  if (pending?.foreign || ignoredRequests.has(pending?.method ?? "")) return [settled, []];
  if (pending?.method === CLOSE) return [settled, [{ kind: "ack", key: CLOSE }]];
  switch (pending?.method) {
    case "initialize":
      return failOpening(dialect, settled, error);
    case "authenticate":
      return failLogin(dialect, settled, error);
    case "session/new":
    case "session/load":
    case "session/resume":
    case "session/fork":
      return handleOpenError(dialect, settled, pending.method, error);
    case "session/prompt":
      if (pending.counts) return handleUsageReply(dialect, settled);
      return handlePromptError(dialect, settled, key, error);
    case "session/set_mode":
    case "session/set_model":
    case "session/set_config_option":
      return handleSettingError(dialect, settled, pending, error);
  }
  if (!pending) return [settled, [raw(frame, "error for an unknown request")]];
  return [settled, [notice("request", "warning", `The agent refused ${pending.method}: ${errorText(error)}`)]];
}

/** Any response settles a ping. The ping sent after a replayed history makes the conversation ready. */
function handlePong(dialect: Dialect, state: State, id: string): Step<State> {
  const key = id.slice(PING.length);
  if (state.phase !== "setting" || key !== `opening-${state.seed}`) return [state, [{ kind: "ack", key }]];
  return becomeReady(dialect, state);
}

/** The request that an error belongs to when only the agent's side was recorded. */
function guessPending(state: State): PendingRequest | undefined {
  if (state.both) return undefined;
  return { method: state.turn ? "session/prompt" : "session/new" };
}

/** The method that a result without a request belongs to. */
function methodOf(result: Fields): string {
  if (result.protocolVersion !== undefined) return "initialize";
  if (result.stopReason !== undefined || result.messageId !== undefined) return "session/prompt";
  if (["sessionId", "modes", "models", "configOptions"].some((key) => key in result)) return "session/new";
  if (Array.isArray(result.sessions)) return "session/list";
  return Object.keys(result).length === 0 ? CLOSE : "";
}
