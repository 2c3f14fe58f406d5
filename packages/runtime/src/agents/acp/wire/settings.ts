import type { Model } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, wholeNumber } from "../../fields.ts";

/**
 * The available and current settings, from the response that opened the conversation or from `config_option_update`.
 * Options are found by category; their ids are the agent's.
 */
export type Settings = {
  models: Model[];
  model?: string;
  modes: string[];
  mode?: string;
  effort?: string;
  /** The size of the current model's context, in tokens. */
  window?: number;
  /** Ids of the options that set model, mode and effort. */
  ids: { model?: string; mode?: string; effort?: string };
  /** Ids of all options. */
  options: string[];
  /** Whether models or modes are listed outside the options and have dedicated requests. */
  ownModels: boolean;
  ownModes: boolean;
};

/** `modelName` extracts the provider's model name (first group) from the agent's. */
export function readSettings(result: Fields, modelName?: RegExp): Settings {
  const plainModelName = (id: string) => modelName?.exec(id)?.[1] ?? id;
  const options = list(result.configOptions).map(fields);
  // If several options share a category, prefer the one with that id.
  const by = (category: string) => {
    const fitting = options.filter((option) => option.category === category);
    return fitting.find((option) => idOf(option) === category) ?? fitting[0];
  };
  const [model, mode, effort] = [by("model"), by("mode"), by("thought_level")];
  const [models, modes] = [fields(result.models), fields(result.modes)];
  const selected = nonBlank(model?.currentValue) ?? nonBlank(models.currentModelId);
  const current = selected && plainModelName(selected);
  const entry = list(models.availableModels)
    .map(fields)
    .find(({ modelId }) => modelId === selected);
  const efforts = choices(effort).map((choice) => choice.id);
  const listed = model ? choices(model) : list(models.availableModels).map((entry) => readEntry(entry, "modelId"));
  return compact({
    models: listed
      .filter(({ id }) => id !== "")
      .map(({ id, name }) => modelRow(plainModelName(id), name, current, efforts)),
    model: current,
    modes: mode
      ? choices(mode).map(({ id }) => id)
      : list(modes.availableModes).map((entry) => readEntry(entry, "id").id),
    mode: nonBlank(modes.currentModeId) ?? nonBlank(mode?.currentValue),
    effort: nonBlank(effort?.currentValue),
    window: wholeNumber(fields(entry?._meta).totalContextTokens),
    ids: compact({ model: idOf(model), mode: idOf(mode), effort: idOf(effort) }),
    options: options.map(idOf).filter((id) => id !== undefined),
    ownModels: Array.isArray(models.availableModels),
    ownModes: Array.isArray(modes.availableModes),
  });
}

/** Effort levels are reported for the current model only. */
function modelRow(id: string, name: string, current: string | undefined, efforts: string[]): Model {
  return { id, name, default: id === current, efforts: id === current ? efforts : [] };
}

function idOf(option: Fields | undefined): string | undefined {
  return nonBlank(option?.id) ?? nonBlank(option?.configId);
}

/** Flattens grouped options. */
function choices(option: Fields | undefined): { id: string; name: string }[] {
  return list(option?.options)
    .map(fields)
    .flatMap((entry) => (Array.isArray(entry.options) ? entry.options : [entry]))
    .map((entry) => readEntry(entry, "value"));
}

function readEntry(entry: unknown, key: string): { id: string; name: string } {
  const id = nonBlank(fields(entry)[key]) ?? "";
  return { id, name: nonBlank(fields(entry).name) ?? id };
}
