import { formatControls } from "@gantry/protocol";
import type { RpcError, RpcId } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, fields, nonBlank, ownValue, text, withoutKey } from "../../fields.ts";
import { isLost, requestFailure } from "../failures.ts";
import { nativeMode, readControls, readMode, type Settings } from "../modes.ts";
import { event, notice, raw } from "../outputs.ts";
import { isPing, openThread, PING, SKILL_ROOTS } from "./encode.ts";
import { quietRequests } from "./quiet.ts";
import { CHANNEL, type State } from "./state.ts";
import { CLEAN, TERMINATE, terminationRefused } from "./terminals.ts";
import { pendingKey, steerAnswered, steerRefused, turnStartAnswered, turnStartRefused } from "./turns.ts";

/**
 * Handles the result of one of our requests. A result for any other id, and a second result for the same id, changes
 * nothing and becomes `raw`. In a one-sided recording its shape identifies the request.
 */
export function handleResult(state: State, id: RpcId, value: unknown, frame: unknown): Step<State> {
  if (isPing(id)) return [state, [{ kind: "ack", key: id.slice(PING.length) }]];
  const result = fields(value);
  const pending = ownValue(state.pending, pendingKey(id)) ?? { method: methodOf(state, result) };
  const settled = { ...state, pending: withoutKey(state.pending, pendingKey(id)) };
  switch (pending.method) {
    case "initialize":
      return handleInitialize(settled);
    case "thread/start":
    case "thread/resume":
    case "thread/fork":
      return handleOpened(settled, result);
    case "turn/start":
      return turnStartAnswered(settled, pending, result);
    case "turn/steer":
      return steerAnswered(settled, pending);
    case "thread/settings/update":
      return handleSettingsChanged(settled, pending.change ?? {});
    default:
      return [settled, quietRequests.has(pending.method) ? [] : [raw(CHANNEL, frame, "answer to an unknown request")]];
  }
}

/** Handles an error response to one of our requests. */
export function handleError(state: State, id: RpcId | null, error: RpcError, frame: unknown): Step<State> {
  if (isPing(id)) return [state, [{ kind: "ack", key: id.slice(PING.length) }]];
  const key = id === null ? "" : pendingKey(id);
  const pending = ownValue(state.pending, key);
  const settled = { ...state, pending: withoutKey(state.pending, key) };
  const isOurs = pending?.method === "initialize" || !state.both || state.phase !== "greeting";
  if (isOurs && /already initialized/i.test(error.message)) return handleInitialize(settled);
  switch (pending?.method) {
    case "initialize":
      return [settled, [event("error", requestFailure(error))]];
    case "thread/start":
    case "thread/resume":
    case "thread/fork":
      if (isUnknownPolicy(settled, error)) return openWithoutPolicy(settled);
      return [settled, [{ kind: "ack", key: "open" }, openingRefused(error)]];
    case "turn/start":
      return turnStartRefused(settled, pending, error);
    case "turn/steer":
      return steerRefused(settled, pending, error);
    case TERMINATE:
      return terminationRefused(settled, error);
    case CLEAN:
    case "turn/interrupt":
      // Nothing left to stop, which is the intended result.
      return [settled, []];
    case "thread/settings/update":
      return handleSettingError(settled, pending.change ?? {}, error);
    case "thread/compact/start":
      return [settled, [event("error", requestFailure(error))]];
    case SKILL_ROOTS:
      return [settled, [notice("kit", "warning", "This version of Codex takes no skills from Gantry.")]];
    default:
      return [settled, [raw(CHANNEL, frame, "error for an unknown request")]];
  }
}

/** The method of a result without a request. A second thread is ignored: the request was resent after a crash. */
function methodOf(state: State, result: Fields): string {
  const hasThread = text(fields(result.thread).id) !== undefined;
  if (hasThread && state.phase === "open") return "thread/read";
  if (state.both) return "";
  if (result.userAgent !== undefined && result.codexHome !== undefined) return "initialize";
  if (hasThread) return "thread/start";
  if (text(fields(result.turn).id)) return "turn/start";
  return Object.keys(result).length === 0 ? "turn/interrupt" : "";
}

/**
 * The handshake is complete: acknowledges it and opens the thread, once. After a restart it may have been sent twice;
 * the second is rejected.
 */
function handleInitialize(state: State): Step<State> {
  if (state.phase !== "greeting") return [state, []];
  const frames = openThread(state);
  const next: State = { ...state, phase: "opening", nextId: state.nextId + 1 };
  return [next, [{ kind: "ack", key: "greeting" }, ...frames.map((frame): Output => ({ kind: "send", frame }))]];
}

function handleOpened(state: State, result: Fields): Step<State> {
  const handle = text(fields(result.thread).id);
  const { mode: asked, controls } = state.options;
  const mode = asked === "plan" ? asked : readMode(result);
  const known = { model: nonBlank(result.model), mode, effort: nonBlank(result.reasoningEffort) };
  const settings: Settings = compact({ ...known, asked, controls });
  const { total: _, before: __, context: ___, given: ____, ...rest } = state;
  const next: State = { ...rest, phase: "open", settings };
  if (handle) next.thread = handle;
  const tier = nonBlank(result.serviceTier);
  if (tier) next.serviceTier = tier;
  const ready: Output = compact({ kind: "ready", handle, model: settings.model, mode, native: nativeMode(result) });
  return [next, [{ kind: "ack", key: "open" }, ready, { kind: "controls", values: readControls(result), all: true }]];
}

/** Newer versions dropped the approval policy `on-failure`. */
function isUnknownPolicy({ options, replaced }: State, { message }: RpcError): boolean {
  return !replaced && options.controls?.approval === "on-failure" && /on-failure/.test(message);
}

/** `on-request` is its successor: commands run in the sandbox, and the model asks for what the sandbox refused. */
function openWithoutPolicy(state: State): Step<State> {
  const controls = { ...state.options.controls, approval: "on-request" };
  const next: State = { ...state, options: { ...state.options, controls }, replaced: true };
  const text = "This version of Codex has no approval policy on-failure. It uses on-request.";
  const frames = openThread(next).filter(({ key }) => key === "open");
  return [
    { ...next, nextId: next.nextId + 1 },
    [notice("setting", "warning", text), ...frames.map((frame): Output => ({ kind: "send", frame }))],
  ];
}

function openingRefused(error: RpcError): Output {
  if (isLost(error.message)) return { kind: "lost", message: error.message };
  return event("error", requestFailure(error));
}

/** Versions that send no notification about it acknowledge the change only. */
function handleSettingsChanged(state: State, change: Settings): Step<State> {
  const wanted = Object.entries(state.wanted).filter(([field]) => !(field in change));
  const next: State = { ...state, settings: { ...state.settings, ...change }, wanted: Object.fromEntries(wanted) };
  return [next, appliedOutputs(change, true, "from the next turn on")];
}

/** Older versions cannot change settings between turns; the next turn carries them. */
function handleSettingError(state: State, change: Settings, error: RpcError): Step<State> {
  if (!/unknown (variant|method) `?thread\/|method not found/i.test(error.message))
    return [state, appliedOutputs(change, false, error.message)];
  return [{ ...state, wanted: { ...state.wanted, ...change } }, appliedOutputs(change, true, "with the next turn")];
}

function appliedOutputs(change: Settings, ok: boolean, message: string): Output[] {
  const { model, mode, effort, controls } = change;
  const values = { model, mode, effort, controls: controls && formatControls(controls) };
  return (Object.entries(values) as [keyof typeof values, string | undefined][]).flatMap(([field, value]) =>
    value === undefined ? [] : [{ kind: "applied", field, value, ok, message }],
  );
}
