import { failure } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, text } from "../../../fields.ts";
import type { Pass } from "../../../json-lines/pass.ts";
import { categoryOf } from "../../../json-lines/reading/failures.ts";
import { reportLost } from "../../../json-lines/turns.ts";
import { autonomyOf } from "../../controls.ts";
import { request } from "./encode.ts";
import { readModels } from "./models.ts";
import { load, type RpcState, rungOf } from "./state.ts";

/** Ids of the requests that open a session. */
export const steps = {
  open: "open",
  fork: "open-fork",
  copy: "open-copy",
  settings: "open-settings",
  context: "open-context",
  commands: "open-commands",
} as const;

type Step = (pass: Pass<RpcState>, result: Fields, error: string | undefined) => void;

/** The next step after each response. */
export const opening: Record<string, Step> = {
  [steps.open]: handleOpened,
  [steps.fork]: handleForked,
  [steps.copy]: handleCopyLoaded,
  [steps.settings]: handleSettingsApplied,
  [steps.context]: ({ state }, { limit }) => {
    if (typeof limit === "number" && limit > 0) state.size = limit;
  },
  [steps.commands]: commandsListed,
};

/** A new session is open with our settings; a resumed one is forked first if requested. */
function handleOpened(pass: Pass<RpcState>, result: Fields, error: string | undefined): void {
  const { state } = pass;
  const resumed = text(state.opening.params.sessionId);
  if (error && resumed) return reportLost(pass, error);
  if (error) return pass.event("error", failure(categoryOf(error) ?? "protocol", error));
  if (!resumed) return becomeReady(pass, nonBlank(result.sessionId), result);
  if (state.fork) return ask(pass, steps.fork, "droid.fork_session", {});
  adjust(pass, resumed, result);
}

/** After a fork Droid stays in the original session. */
function handleForked(pass: Pass<RpcState>, result: Fields, error: string | undefined): void {
  const copy = nonBlank(result.newSessionId);
  if (error || !copy) return reportLost(pass, error ?? "Droid made no copy of the session.");
  pass.state.opening = load(copy, pass.state.opening.params);
  const { method, params } = pass.state.opening;
  ask(pass, steps.copy, method, params);
}

function handleCopyLoaded(pass: Pass<RpcState>, result: Fields, error: string | undefined): void {
  if (error) return reportLost(pass, error);
  adjust(pass, text(pass.state.opening.params.sessionId) ?? "", result);
}

/** A resumed session keeps its old settings, so the requested ones are applied. */
function adjust(pass: Pass<RpcState>, handle: string, result: Fields): void {
  const { state } = pass;
  state.handle = handle;
  state.model = nonBlank(fields(result.settings).modelId);
  state.mode = rungOf(fields(result.settings));
  if (Object.keys(state.wanted).length === 0) return becomeReady(pass, handle, result);
  ask(pass, steps.settings, "droid.update_session_settings", state.wanted);
}

function handleSettingsApplied(pass: Pass<RpcState>, _: Fields, error: string | undefined): void {
  const { state } = pass;
  const { modelId } = state.wanted;
  const value = String(modelId ?? rungOf(state.wanted) ?? "");
  if (error) pass.emit({ kind: "applied", field: modelId ? "model" : "mode", value, ok: false, message: error });
  const settings = error ? { modelId: state.model } : { modelId: state.model, ...state.wanted };
  if (!error) state.mode = rungOf(state.wanted) ?? state.mode;
  becomeReady(pass, state.handle, { settings });
}

function becomeReady(pass: Pass<RpcState>, handle: string | undefined, result: Fields): void {
  const { state } = pass;
  const settings = fields(result.settings);
  state.ready = true;
  state.handle = handle;
  state.model = nonBlank(settings.modelId) ?? state.model;
  state.mode = rungOf(settings) ?? state.mode;
  const models = readModels(result.availableModels, state.model);
  pass.emit(
    compact({
      kind: "ready",
      handle,
      model: state.model,
      mode: state.mode,
      models: models.length > 0 ? models : undefined,
    } as const),
  );
  const level = nonBlank(settings.autonomyLevel);
  if (level) pass.emit({ kind: "controls", values: { autonomy: autonomyOf(level) }, all: true });
  ask(pass, steps.context, "droid.get_context_stats", {});
  ask(pass, steps.commands, "droid.list_commands", {});
}

/** Only commands defined by the user or project: Droid's built-in ones belong to its terminal UI. */
function commandsListed(pass: Pass<RpcState>, result: Fields): void {
  const found = list(result.commands).flatMap((entry) => {
    const { name, description, argumentHint } = fields(entry);
    const named = nonBlank(name);
    return named ? [compact({ name: named, description: nonBlank(description), hint: nonBlank(argumentHint) })] : [];
  });
  if (found.length > 0) pass.event("commands.changed", { list: found });
}

function ask(pass: Pass<RpcState>, id: string, method: string, params: unknown): void {
  pass.emit({ kind: "send", frame: request(id, method, params) });
}
