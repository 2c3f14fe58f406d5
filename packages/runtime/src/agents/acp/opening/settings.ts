import type { Mode } from "@gantry/protocol";
import { type RpcError, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound, Output, Step } from "../../contract.ts";
import { type Fields, fields, nonBlank, ownValue, text } from "../../fields.ts";
import { type Dialect, launchOf, type Rung } from "../dialect.ts";
import { errorText } from "../failures.ts";
import { chosenMode, nativeMode, plainMode } from "../rungs.ts";
import type { PendingRequest, SettingField, State } from "../state.ts";
import { becomeReady } from "./ready.ts";

export type WantedSettings = { model?: string; mode?: Mode; effort?: string };

/**
 * The requests for the wanted settings that differ from `known`. `impossible` lists settings that this agent cannot
 * change while running.
 */
export function settingFrames(
  dialect: Dialect,
  state: State,
  wanted: WantedSettings,
  known: State["settings"] = {},
): { frames: Outbound[]; impossible: SettingField[] } {
  const requests: Request[] = [];
  const impossible: SettingField[] = [];
  const add = (field: SettingField, request: Request | undefined) => {
    if (request) requests.push(request);
    else impossible.push(field);
  };
  const { model, mode, effort } = wanted;
  if (model && model !== known.model) {
    add("model", modelRequest(dialect, state, model));
  }
  if (mode && (mode !== "inherit" || chosenMode(dialect, state, mode))) {
    const found = modeRequests(dialect, state, mode, known.mode);
    // Several modes may share a native mode, so the request names the one it is for.
    if (found)
      requests.push(...found.map(({ method, params }) => ({ method, params: { ...params, ...rungMeta(mode) } })));
    else impossible.push("mode");
  }
  if (effort && effort !== known.effort) add("effort", optionRequest(state.offers.ids.effort, effort));
  const frames = requests.map(({ method, params }, index): Outbound => {
    const msg = withVersion(rpcRequest(state.nextId + index, method, { sessionId: state.session, ...params }));
    return { msg, repeat: "safe" };
  });
  return { frames, impossible };
}

type Request = { method: string; params: Fields };

const RUNG = "gantry/rung";

function rungMeta(mode: Mode): Fields {
  return { _meta: { [RUNG]: mode } };
}

function modelRequest(dialect: Dialect, state: State, model: string): Request | undefined {
  const { ids, ownModels } = state.offers;
  if (ids.model && !dialect.setsModel) return optionRequest(ids.model, model);
  if (!ownModels && !dialect.setsModel) return undefined;
  return { method: "session/set_model", params: { modelId: model } };
}

/** `undefined` when the mode needs another process, because a part of it is pinned at the start. */
function modeRequests(dialect: Dialect, state: State, mode: Mode, known: string | undefined): Request[] | undefined {
  const rung = dialect.rungs[mode] ?? (mode === "inherit" ? {} : undefined);
  if (!rung || !isStartedFor(dialect, state, mode)) return undefined;
  const others = Object.entries(rung.options ?? {}).filter(([id]) => state.offers.options.includes(id));
  const requests = others.map(([id, value]) => optionRequest(id, value));
  const native = nativeMode(dialect, state, mode);
  if (native && native !== known) {
    const { ownModes, ids } = state.offers;
    requests.unshift(
      ownModes || dialect.setsMode
        ? { method: "session/set_mode", params: { modeId: native } }
        : optionRequest(ids.mode, native),
    );
  }
  return requests.filter((request) => request !== undefined);
}

/** Whether a process for this mode would have been started like the running one. */
function isStartedFor(dialect: Dialect, { options, seed }: State, mode: Mode): boolean {
  const start = (one: Mode) => JSON.stringify(launchOf(dialect, { ...options, mode: one, uuid: seed, dir: "/" }));
  return start(mode) === start(options.mode);
}

function optionRequest(configId: string | undefined, value: string): Request | undefined {
  return configId ? { method: "session/set_config_option", params: { configId, value } } : undefined;
}

/** The setting that a request changes, in unified terms where possible. */
export function changeOf(dialect: Dialect, state: State, method: string, params: Fields): PendingRequest["change"] {
  if (method === "session/set_model") return change("model", text(params.modelId));
  const requested = nonBlank(fields(params._meta)[RUNG]);
  if (requested) return change("mode", requested);
  if (method === "session/set_mode") {
    const native = plainMode(dialect, state, text(params.modeId));
    return change("mode", rungName(dialect, (rung) => rung.mode === native) ?? text(params.modeId));
  }
  if (method !== "session/set_config_option") return undefined;
  const { ids } = state.offers;
  const [id, value] = [text(params.configId) ?? "", text(params.value)];
  if (id === ids.model) return change("model", value);
  if (id === ids.effort) return change("effort", value);
  const rung = rungName(dialect, ({ mode, options }) =>
    id === ids.mode ? mode === plainMode(dialect, state, value) : ownValue(options ?? {}, id) === value,
  );
  return change("mode", rung ?? value);
}

function rungName(dialect: Dialect, fits: (rung: Rung) => boolean): string | undefined {
  return Object.entries(dialect.rungs).find(([, rung]) => fits(rung))?.[0];
}

function change(field: SettingField, value: string | undefined): PendingRequest["change"] {
  return value === undefined ? undefined : { field, value };
}

/** A setting was applied. The last one of the opening makes the conversation ready. */
export function handleSettingApplied(dialect: Dialect, state: State, pending: PendingRequest): Step<State> {
  const { change } = pending;
  if (!change) return [state, []];
  const { field, value } = change;
  const native = field === "mode" ? (nativeMode(dialect, state, value as Mode) ?? state.settings.mode) : value;
  const settings = { ...state.settings, ...(native === undefined ? {} : { [field]: native }) };
  const rung = field === "mode" && Object.hasOwn(dialect.rungs, value) ? { rung: value as Mode } : {};
  const applied: Output = { kind: "applied", field, value, ok: true };
  const named: Output = field === "mode" && native !== undefined ? { ...applied, native } : applied;
  return finishSetting(dialect, { ...state, settings, ...rung }, named);
}

export function handleSettingError(
  dialect: Dialect,
  state: State,
  pending: PendingRequest,
  error: RpcError,
): Step<State> {
  const { change } = pending;
  if (!change) return [state, []];
  const message = `The agent rejected ${change.field} ${change.value}: ${errorText(error)}`;
  return finishSetting(dialect, state, { kind: "applied", ...change, ok: false, message });
}

function finishSetting(dialect: Dialect, state: State, applied: Output): Step<State> {
  const waiting = Object.values(state.pending).some((entry) => entry.change);
  if (waiting || state.phase !== "setting") return [state, [applied]];
  const [next, outputs] = becomeReady(dialect, state);
  return [next, [applied, ...outputs]];
}
