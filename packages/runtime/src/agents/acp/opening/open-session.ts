import { type RpcError, rpcErrors, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, isEmpty, ownValue, preview } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import { type Dialect, replaysFor } from "../dialect.ts";
import { errorFailure, isLost, needsLogin } from "../failures.ts";
import { event, send } from "../outputs.ts";
import { isUsableId, type PendingRequest, type State } from "../state.ts";
import { handleCommands } from "../updates/session-info.ts";
import { readSettings } from "../wire/settings.ts";
import { openSession } from "./initialize.ts";
import { askLogin } from "./login.ts";
import { PING } from "./ping.ts";
import { becomeReady, refuseOpening } from "./ready.ts";
import { settingFrames } from "./settings.ts";

/** Longer model lists are not stored in the state; the probe reports them too. */
const MAX_MODELS = 60;

/** Handles an opened conversation: applies the requested settings, then reports `ready`. */
export function handleOpened(dialect: Dialect, state: State, pending: PendingRequest, result: Fields): Step<State> {
  if (state.phase === "open" || state.phase === "setting") return [state, []];
  if (dialect.emptyIsLost && state.options.resume && isEmpty(result)) return conversationLost(state);
  const offers = readSettings(result, dialect.modelName);
  const named = isUsableId(result.sessionId) ? result.sessionId : undefined;
  const known = state.session ?? (opensNew(pending) ? undefined : state.options.resume);
  if (!named && !known && state.both) return refuseOpening(state, missingId(pending, result));
  const session = named ?? known ?? state.options.resume;
  const { model, mode, effort, ids, options, ownModels, ownModes, window } = offers;
  const next: State = compact({
    ...state,
    phase: "setting",
    servers: undefined,
    session,
    settings: compact({ model, mode, effort }),
    window,
    offers: {
      ids,
      options,
      ownModels,
      ownModes,
      ...(dialect.controls ? { modes: offers.modes.slice(0, MAX_MODELS) } : {}),
    },
    models: offers.models.length > 0 && offers.models.length <= MAX_MODELS ? offers.models : undefined,
    replaying: replaysFor(dialect, pending.method) || undefined,
    resumed: pending.method === "session/new" ? undefined : true,
  });
  return runSteps(
    next,
    (current) => [current, [{ kind: "ack", key: "open" }]],
    (current) => (Array.isArray(result.availableCommands) ? handleCommands(dialect, current, result) : [current, []]),
    (current) => applySettings(dialect, current),
  );
}

/** Only these requests return the id of the conversation; the others name it themselves. */
function opensNew({ method }: PendingRequest): boolean {
  return method === "session/new" || method === "session/fork";
}

function missingId({ method }: PendingRequest, { sessionId }: Fields): string {
  if (sessionId === undefined) return `The agent answered ${method} without a session id.`;
  return `The agent answered ${method} with a session id that cannot be used: ${preview(sessionId)}.`;
}

function conversationLost(state: State): Step<State> {
  const message = "The agent no longer has this conversation.";
  return [
    { ...state, phase: "settled" },
    [
      { kind: "ack", key: "open" },
      { kind: "lost", message },
    ],
  ];
}

/** Requests the settings that differ, or reports `ready` at once. */
function applySettings(dialect: Dialect, state: State): Step<State> {
  const { model, mode, effort } = state.options;
  const wanted = compact({ model, mode, effort });
  const { frames, impossible } = settingFrames(dialect, state, wanted, state.settings);
  const refused = impossible.map((field): Output => {
    const message = `This agent does not support setting the ${field}.`;
    return { kind: "applied", field, value: wanted[field] ?? "", ok: false, message };
  });
  // A replayed history may continue after the response. The response to a later ping marks its end.
  const barrier = state.replaying && frames.length === 0 ? [pingFrame(state)] : [];
  const asked = [...frames.map((frame) => send(frame.msg)), ...barrier];
  return runSteps(
    state,
    (current) => [current, [...refused, ...asked]],
    (current) => (asked.length > 0 ? [current, []] : becomeReady(dialect, current)),
  );
}

function pingFrame(state: State): Output {
  return send(withVersion(rpcRequest(`${PING}opening-${state.seed}`, "_gantry/ping", {})));
}

/** The conversation could not be opened. A waiting turn ends with the reason. */
export function handleOpenError(dialect: Dialect, state: State, method: string, error: RpcError): Step<State> {
  const acknowledged: Output = { kind: "ack", key: "open" };
  if (state.phase === "open" || state.phase === "setting") return [state, []];
  const capability = ownValue(capabilityOf, method);
  if (capability && error.code === rpcErrors.methodNotFound) {
    const [next, outputs] = openOtherwise(dialect, state, capability);
    return [next, [acknowledged, ...outputs]];
  }
  if (needsLogin(error)) {
    const [next, outputs] = askLogin(dialect, state, error);
    return [next, [acknowledged, ...outputs]];
  }
  if (state.options.resume && isLost(dialect, error)) {
    return [{ ...state, phase: "settled" }, [acknowledged, { kind: "lost", message: lostText(error) }]];
  }
  const [next, outputs] = failOpening(dialect, state, error);
  return [next, [acknowledged, ...outputs]];
}

/** The capabilities that the agent advertised for these methods. */
const capabilityOf: Record<string, "load" | "resume" | "fork"> = {
  "session/load": "load",
  "session/resume": "resume",
  "session/fork": "fork",
};

/**
 * The agent advertised a method that it does not have. Opens the conversation with the next method that it advertised,
 * or reports it as lost. The notices about servers that it does not take were sent with the first request.
 */
function openOtherwise(dialect: Dialect, state: State, missing: "load" | "resume" | "fork"): Step<State> {
  const next = { ...state, can: compact({ ...state.can, [missing]: undefined }) };
  const outputs = openSession(dialect, next).filter(({ kind }) => kind === "send" || kind === "lost");
  const isLost = outputs.some(({ kind }) => kind === "lost");
  return [isLost ? { ...next, phase: "settled" } : next, outputs];
}

export function failOpening(dialect: Dialect, state: State, error: RpcError): Step<State> {
  const why = errorFailure(dialect, error, "protocol");
  const failed: Output = { kind: "finish", outcome: "failed", reason: why.message, error: why };
  return [{ ...state, phase: "settled" }, [event("error", why), failed]];
}

function lostText(error: RpcError): string {
  return error.message === "Internal error" ? "The agent no longer has this conversation." : error.message;
}
