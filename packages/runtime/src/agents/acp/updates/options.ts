import type { Output, Step } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { event, notice } from "../outputs.ts";
import { rungOf } from "../rungs.ts";
import type { State } from "../state.ts";
import { readSettings } from "../wire/settings.ts";

/** Handles a mode change, requested or not. */
export function handleMode(dialect: Dialect, state: State, native: string): Step<State> {
  const from = state.settings.mode;
  if (native === "" || native === from) return [state, []];
  const next = { ...state, settings: { ...state.settings, mode: native } };
  const to = rungOf(dialect, state, native);
  if (!to) return [next, [notice("mode", "info", `The agent switched to its mode ${native}.`)]];
  // A mode that is being applied is already known.
  if (state.phase === "setting" && to === state.options.mode) return [next, []];
  return [next, [event("mode.changed", compact({ from: rungOf(dialect, state, from), to, native }))]];
}

/** `config_option_update`: all options with their values. */
export function handleOptions(dialect: Dialect, state: State, update: Fields): Step<State> {
  const { model, mode, effort, ids } = readSettings(update, dialect.modelName);
  const from = state.settings.model;
  const settings = compact({ ...state.settings, model: model ?? from, effort: effort ?? state.settings.effort });
  const next: State = { ...state, settings, offers: { ...state.offers, ids: { ...state.offers.ids, ...ids } } };
  const changed = model !== undefined && from !== undefined && model !== from;
  const outputs: Output[] = changed ? [event("model.changed", { from, to: model })] : [];
  return runSteps(
    next,
    (current) => [current, outputs],
    (current) => (mode === undefined ? [current, []] : handleMode(dialect, current, mode)),
  );
}
