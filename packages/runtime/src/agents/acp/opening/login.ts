import { type RpcError, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound, Output, Step } from "../../contract.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, errorText } from "../failures.ts";
import { event } from "../outputs.ts";
import type { State } from "../state.ts";
import { firstLine, without } from "../wire/fields.ts";
import { openSession } from "./greeting.ts";

/** The login question's own key; the agent has none for it. */
export const LOGIN = "login";
const LATER = "later";

/**
 * The agent wants a login first. Where it can do that itself a person chooses how; where it is done in a terminal, or
 * has been tried, the turn ends and says what to do.
 */
export function askLogin(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const methods = state.methods.filter((method) => !method.terminal && method.id !== "");
  if (methods.length === 0 || state.loginTried) return loginFailed(dialect, state, error);
  const request: Extract<Output, { kind: "ask" }>["request"] = {
    kind: "login",
    title: "The agent needs a login.",
    detail: `${errorText(error)}\nOr run \`${dialect.login}\` in a terminal.`,
    options: [
      ...methods.map(({ id, name }) => ({ id, label: firstLine(name), effect: "allow_once" as const })),
      { id: LATER, label: "Not now", effect: "deny" as const },
    ],
  };
  const asks = { ...state.asks, [LOGIN]: { id: LOGIN, kind: "login" as const, options: [] } };
  return [{ ...state, phase: "login", asks }, [{ kind: "ask", key: LOGIN, request }]];
}

/** The frames for a person's choice: the login, or nothing more. */
export function loginFrames(state: State, option: string | undefined, allowed: boolean): Outbound[] {
  const [first] = state.methods.filter((method) => !method.terminal);
  const methodId = option === LATER || !allowed ? undefined : (option ?? first?.id);
  if (!methodId) return [];
  return [{ msg: withVersion(rpcRequest(state.nextId, "authenticate", { methodId })), repeat: "safe" }];
}

/** Logged in: the conversation is opened again, once. */
export function loggedIn(state: State): Step<State> {
  if (state.phase !== "login") return [state, []];
  const next: State = { ...state, phase: "opening", loginTried: true, asks: without(state.asks, LOGIN) };
  return [next, openSession(next)];
}

export function loginFailed(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const known = errorFailure(dialect, { ...error, code: -32000 }, "auth");
  const finished: Output = { kind: "finish", outcome: "failed", reason: known.message, error: known };
  const asks = without(state.asks, LOGIN);
  return [{ ...state, phase: "settled", asks }, [event("error", known), finished]];
}
