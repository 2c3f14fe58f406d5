import type { InputOption } from "@gantry/protocol";
import { type RpcError, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { InputDraft, Outbound, Output, Step } from "../../contract.ts";
import { compact, firstLine, withoutKey } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, errorText, loginText } from "../failures.ts";
import { event } from "../outputs.ts";
import type { AuthMethod, State } from "../state.ts";
import { openSession } from "./initialize.ts";

/** Key of the login request; the agent has none. */
export const LOGIN = "login";
const LATER = "later";

/**
 * Asks the user to choose among the advertised login methods. Without any, or after one was tried, the turn fails with
 * a remedy.
 */
export function askLogin(dialect: Dialect, state: State, error: RpcError): Step<State> {
  if (state.methods.length === 0 || state.loginTried) return failLogin(dialect, state, error);
  const later: InputOption = { id: LATER, label: "Not now", effect: "deny" };
  const request: InputDraft = {
    kind: "login",
    title: "The agent requires a login.",
    detail: `${errorText(error)}\nOr run ${loginText(dialect)} in a terminal.`,
    options: [...state.methods.map((method) => optionOf(dialect, method)), later],
  };
  const asks = { ...state.asks, [LOGIN]: { id: LOGIN, kind: "login" as const, options: [] } };
  return [{ ...state, phase: "login", asks }, [{ kind: "ask", key: LOGIN, request }]];
}

/** A terminal login is retried with a new process. Environment variables need a restart. */
function optionOf({ login }: Dialect, { id, name, how, description, variables }: AuthMethod): InputOption {
  const label = firstLine(name);
  if (how === "agent") return compact({ id, label, description, effect: "allow_once" });
  const steps =
    how === "terminal"
      ? `Run \`${login}\` in a terminal first, then choose this option to retry.`
      : `Set ${variables?.join(", ") ?? "the variables"} for the session or the daemon, then send the message again.`;
  const details = description ? `${description} ${steps}` : steps;
  return { id, label, description: details, effect: how === "terminal" ? "allow_once" : "deny" };
}

/** The frames for the user's choice; `undefined` when the agent is not involved. */
export function loginFrames(state: State, option: string | undefined, allowed: boolean): Outbound[] | undefined {
  if (!allowed || state.phase !== "login") return undefined;
  const chosen = option === undefined ? state.methods[0] : state.methods.find(({ id }) => id === option);
  if (chosen?.how !== "agent") return undefined;
  return [{ msg: withVersion(rpcRequest(state.nextId, "authenticate", { methodId: chosen.id })), repeat: "safe" }];
}

/** Logged in: opens the conversation again, once. */
export function handleLogin(dialect: Dialect, state: State): Step<State> {
  if (state.phase !== "login") return [state, []];
  const next: State = { ...state, phase: "opening", loginTried: true, asks: withoutKey(state.asks, LOGIN) };
  return [next, openSession(dialect, next)];
}

export function failLogin(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const known = errorFailure(dialect, { ...error, code: -32000 }, "auth");
  const finished: Output = { kind: "finish", outcome: "failed", reason: known.message, error: known };
  const asks = withoutKey(state.asks, LOGIN);
  return [{ ...state, phase: "settled", asks }, [event("error", known), finished]];
}
