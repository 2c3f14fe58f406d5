import { type RpcError, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, isEmpty, text } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, isLost, needsLogin } from "../failures.ts";
import { event, send } from "../outputs.ts";
import { type Pending, runSteps, type State } from "../state.ts";
import { commandsChanged } from "../updates/facts.ts";
import { readOffers } from "../wire/offers.ts";
import { askLogin } from "./login.ts";
import { PING } from "./ping.ts";
import { ready } from "./ready.ts";
import { settingFrames } from "./settings.ts";

/** A longer list of models is not remembered until the settings are made: the probe tells it too. */
const MOST_KEPT = 60;

/** A conversation is open: what was wanted of it is set, and then it takes prompts. */
export function opened(dialect: Dialect, state: State, pending: Pending, result: Fields): Step<State> {
  if (state.phase === "open" || state.phase === "setting") return [state, []];
  if (dialect.emptyIsLost && state.options.resume && isEmpty(result)) return notThere(state);
  const offers = readOffers(result, dialect.modelName);
  const session = text(result.sessionId) ?? state.session ?? state.options.resume;
  const { model, mode, effort, ids, options, ownModels, ownModes } = offers;
  const next: State = compact({
    ...state,
    phase: "setting",
    servers: undefined,
    session,
    settings: compact({ model, mode, effort }),
    offers: { ids, options, ownModels, ownModes },
    models: offers.models.length > 0 && offers.models.length <= MOST_KEPT ? offers.models : undefined,
    replaying: pending.method === "session/load" || undefined,
    resumed: pending.method === "session/new" ? undefined : true,
  });
  return runSteps(
    next,
    (current) => [current, [{ kind: "ack", key: "open" }]],
    (current) => (Array.isArray(result.availableCommands) ? commandsChanged(dialect, current, result) : [current, []]),
    (current) => settle(dialect, current),
  );
}

function notThere(state: State): Step<State> {
  const message = "The agent no longer has this conversation.";
  return [
    { ...state, phase: "settled" },
    [
      { kind: "ack", key: "open" },
      { kind: "lost", message },
    ],
  ];
}

/** Asks for the settings that differ from what is wanted, or says at once that the conversation takes prompts. */
function settle(dialect: Dialect, state: State): Step<State> {
  const { model, mode, effort } = state.options;
  const wanted = compact({ model, mode, effort });
  const { frames, impossible } = settingFrames(dialect, state, wanted, state.settings);
  const refused = impossible.map((field): Output => {
    const message = `This agent cannot be told its ${field}.`;
    return { kind: "applied", field, value: wanted[field] ?? "", ok: false, message };
  });
  // A history that is told once more may go on after the answer; what is asked behind it is answered behind it.
  const barrier = state.replaying && frames.length === 0 ? [pingFrame(state)] : [];
  const asked = [...frames.map((frame) => send(frame.msg)), ...barrier];
  return runSteps(
    state,
    (current) => [current, [...refused, ...asked]],
    (current) => (asked.length > 0 ? [current, []] : ready(dialect, current)),
  );
}

function pingFrame(state: State): Output {
  return send(withVersion(rpcRequest(`${PING}opening-${state.seed}`, "_gantry/ping", {})));
}

/** The conversation could not be opened. A turn that waits for it ends with the reason. */
export function openingRefused(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const acknowledged: Output = { kind: "ack", key: "open" };
  if (state.phase === "open" || state.phase === "setting") return [state, []];
  if (needsLogin(error)) {
    const [next, outputs] = askLogin(dialect, state, error);
    return [next, [acknowledged, ...outputs]];
  }
  if (state.options.resume && isLost(dialect, error)) {
    return [{ ...state, phase: "settled" }, [acknowledged, { kind: "lost", message: lostText(error) }]];
  }
  const [next, outputs] = openingFailed(dialect, state, error);
  return [next, [acknowledged, ...outputs]];
}

export function openingFailed(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const why = errorFailure(dialect, error, "protocol");
  const failed: Output = { kind: "finish", outcome: "failed", reason: why.message, error: why };
  return [{ ...state, phase: "settled" }, [event("error", why), failed]];
}

function lostText(error: RpcError): string {
  return error.message === "Internal error" ? "The agent no longer has this conversation." : error.message;
}
