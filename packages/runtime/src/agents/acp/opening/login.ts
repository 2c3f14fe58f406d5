import type { InputOption } from "@gantry/protocol";
import { type RpcError, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { InputDraft, Outbound, Output, Step } from "../../contract.ts";
import { compact, firstLine, without } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, errorText } from "../failures.ts";
import { event } from "../outputs.ts";
import type { AuthMethod, State } from "../state.ts";
import { openSession } from "./greeting.ts";

/** The login question's own key; the agent has none for it. */
export const LOGIN = "login";
const LATER = "later";

/**
 * The agent wants a login first: a person chooses among the ways that it advertises. Where it advertises none, or one
 * has been tried, the turn ends and says what to do.
 */
export function askLogin(dialect: Dialect, state: State, error: RpcError): Step<State> {
  if (state.methods.length === 0 || state.loginTried) return loginFailed(dialect, state, error);
  const later: InputOption = { id: LATER, label: "Not now", effect: "deny" };
  const request: InputDraft = {
    kind: "login",
    title: "The agent needs a login.",
    detail: `${errorText(error)}\nOr run \`${dialect.login}\` in a terminal.`,
    options: [...state.methods.map((method) => optionOf(dialect, method)), later],
  };
  const asks = { ...state.asks, [LOGIN]: { id: LOGIN, kind: "login" as const, options: [] } };
  return [{ ...state, phase: "login", asks }, [{ kind: "ask", key: LOGIN, request }]];
}

/** A login that was done in a terminal is tried with a fresh process; variables only a new start can bring. */
function optionOf({ login }: Dialect, { id, name, how, description, variables }: AuthMethod): InputOption {
  const label = firstLine(name);
  if (how === "agent") return compact({ id, label, description, effect: "allow_once" });
  const steps =
    how === "terminal"
      ? `Run \`${login}\` in a terminal first, then choose this to try again.`
      : `Set ${variables?.join(", ") ?? "its variables"} for the session or the daemon, then send the message again.`;
  const told = description ? `${description} ${steps}` : steps;
  return { id, label, description: told, effect: how === "terminal" ? "allow_once" : "deny" };
}

/** The frames for a person's choice; `undefined` when there is nothing to tell the agent. */
export function loginFrames(state: State, option: string | undefined, allowed: boolean): Outbound[] | undefined {
  if (!allowed || state.phase !== "login") return undefined;
  const chosen = option === undefined ? state.methods[0] : state.methods.find(({ id }) => id === option);
  if (chosen?.how !== "agent") return undefined;
  return [{ msg: withVersion(rpcRequest(state.nextId, "authenticate", { methodId: chosen.id })), repeat: "safe" }];
}

/** Logged in: the conversation is opened again, once. */
export function loggedIn(dialect: Dialect, state: State): Step<State> {
  if (state.phase !== "login") return [state, []];
  const next: State = { ...state, phase: "opening", loginTried: true, asks: without(state.asks, LOGIN) };
  return [next, openSession(dialect, next)];
}

export function loginFailed(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const known = errorFailure(dialect, { ...error, code: -32000 }, "auth");
  const finished: Output = { kind: "finish", outcome: "failed", reason: known.message, error: known };
  const asks = without(state.asks, LOGIN);
  return [{ ...state, phase: "settled", asks }, [event("error", known), finished]];
}
