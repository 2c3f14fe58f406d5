import type { RpcError, RpcId } from "../../framing/json-rpc.ts";
import type { Step } from "../contract.ts";
import { type Fields, fields, own, text, without } from "../fields.ts";
import { CLOSE } from "./conversations/close.ts";
import type { Dialect } from "./dialect.ts";
import { errorText } from "./failures.ts";
import { greeted } from "./opening/greeting.ts";
import { loggedIn, loginFailed } from "./opening/login.ts";
import { opened, openingFailed, openingRefused } from "./opening/opened.ts";
import { isPing, PING } from "./opening/ping.ts";
import { ready } from "./opening/ready.ts";
import { settingRefused, settingTaken } from "./opening/settings.ts";
import { notice, raw } from "./outputs.ts";
import { type Pending, requestKey, type State } from "./state.ts";
import { promptAnswered, promptRefused, promptTaken, turnCounted } from "./turns/finish.ts";

/** Requests whose answers tell a session nothing: a recording may hold them. */
const quiet: ReadonlySet<string> = new Set(["session/list", "session/delete", "logout"]);

/** A result for one of our requests. Without the request (a recording of one side) its shape tells what it is. */
export function answered(dialect: Dialect, state: State, id: RpcId, value: unknown, frame: unknown): Step<State> {
  if (isPing(id)) return ponged(dialect, state, id);
  const result = fields(value);
  const key = requestKey(id);
  const pending = own(state.pending, key) ?? { method: methodOf(result) };
  const settled = { ...state, pending: without(state.pending, key) };
  if (pending.foreign || quiet.has(pending.method)) return [settled, []];
  if (pending.method === CLOSE) return [settled, [{ kind: "ack", key: CLOSE }]];
  switch (pending.method) {
    case "initialize":
      return greeted(dialect, settled, result);
    case "authenticate":
      return loggedIn(dialect, settled);
    case "session/new":
    case "session/load":
    case "session/resume":
    case "session/fork":
      return opened(dialect, settled, pending, result);
    case "session/prompt":
      if (pending.counts) return turnCounted(dialect, settled);
      return settled.version === 2 && !text(result.stopReason)
        ? promptTaken(settled, key)
        : promptAnswered(dialect, settled, key, { result });
    case "session/set_mode":
    case "session/set_model":
    case "session/set_config_option":
      return settingTaken(dialect, settled, pending);
    default:
      return [settled, [raw(frame, "answer to an unknown request")]];
  }
}

/** An error for one of our requests. */
export function refused(
  dialect: Dialect,
  state: State,
  id: RpcId | null,
  error: RpcError,
  frame: unknown,
): Step<State> {
  if (isPing(id)) return ponged(dialect, state, id);
  const key = id === null ? "" : requestKey(id);
  const pending = own(state.pending, key) ?? oneSided(state);
  const settled = { ...state, pending: without(state.pending, key) };
  if (pending?.foreign || quiet.has(pending?.method ?? "")) return [settled, []];
  if (pending?.method === CLOSE) return [settled, [{ kind: "ack", key: CLOSE }]];
  switch (pending?.method) {
    case "initialize":
      return openingFailed(dialect, settled, error);
    case "authenticate":
      return loginFailed(dialect, settled, error);
    case "session/new":
    case "session/load":
    case "session/resume":
    case "session/fork":
      return openingRefused(dialect, settled, error);
    case "session/prompt":
      if (pending.counts) return turnCounted(dialect, settled);
      return promptRefused(dialect, settled, key, error);
    case "session/set_mode":
    case "session/set_model":
    case "session/set_config_option":
      return settingRefused(dialect, settled, pending, error);
  }
  if (!pending) return [settled, [raw(frame, "error for an unknown request")]];
  return [settled, [notice("request", "warning", `The agent refused ${pending.method}: ${errorText(error)}`)]];
}

/** Any answer to a ping will do. The one behind a replayed history makes the conversation ready. */
function ponged(dialect: Dialect, state: State, id: string): Step<State> {
  const key = id.slice(PING.length);
  if (state.phase !== "setting" || key !== `opening-${state.seed}`) return [state, [{ kind: "ack", key }]];
  return ready(dialect, state);
}

/** What an error without its request is about, when the agent's side alone was recorded. */
function oneSided(state: State): Pending | undefined {
  if (state.both) return undefined;
  return { method: state.turn ? "session/prompt" : "session/new" };
}

/** What a result without its request answers. */
function methodOf(result: Fields): string {
  if (result.protocolVersion !== undefined) return "initialize";
  if (result.stopReason !== undefined || result.messageId !== undefined) return "session/prompt";
  if (["sessionId", "modes", "models", "configOptions"].some((key) => key in result)) return "session/new";
  if (Array.isArray(result.sessions)) return "session/list";
  return Object.keys(result).length === 0 ? CLOSE : "";
}
