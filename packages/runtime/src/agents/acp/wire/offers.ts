import type { Model } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank } from "../../fields.ts";

/**
 * What a conversation can be set to and what it is set to, from the answer that opened it or from a
 * `config_option_update`. Options are found by category; their ids are the agent's own.
 */
export type Offers = {
  models: Model[];
  model?: string;
  modes: string[];
  mode?: string;
  effort?: string;
  /** Ids of the options that set model, mode and effort. */
  ids: { model?: string; mode?: string; effort?: string };
  /** Ids of all options. */
  options: string[];
  /** Is there a list of models, or of modes, beside the options? Those have requests of their own. */
  ownModels: boolean;
  ownModes: boolean;
};

/** `modelName`: where the agent's own names of models hold the provider's (the first group), which stand for them. */
export function readOffers(result: Fields, modelName?: RegExp): Offers {
  const plain = (id: string) => modelName?.exec(id)?.[1] ?? id;
  const options = list(result.configOptions).map(fields);
  // Where several are of one category, such as a provider beside its model, the one that is called so.
  const by = (category: string) => {
    const fitting = options.filter((option) => option.category === category);
    return fitting.find((option) => idOf(option) === category) ?? fitting[0];
  };
  const [model, mode, effort] = [by("model"), by("mode"), by("thought_level")];
  const [models, modes] = [fields(result.models), fields(result.modes)];
  const selected = nonBlank(model?.currentValue) ?? nonBlank(models.currentModelId);
  const current = selected && plain(selected);
  const efforts = choices(effort).map((choice) => choice.id);
  const listed = model ? choices(model) : list(models.availableModels).map((entry) => named(entry, "modelId"));
  return compact({
    models: listed.filter(({ id }) => id !== "").map(({ id, name }) => row(plain(id), name, current, efforts)),
    model: current,
    modes: mode ? choices(mode).map(({ id }) => id) : list(modes.availableModes).map((entry) => named(entry, "id").id),
    mode: nonBlank(modes.currentModeId) ?? nonBlank(mode?.currentValue),
    effort: nonBlank(effort?.currentValue),
    ids: compact({ model: idOf(model), mode: idOf(mode), effort: idOf(effort) }),
    options: options.map(idOf).filter((id) => id !== undefined),
    ownModels: Array.isArray(models.availableModels),
    ownModes: Array.isArray(modes.availableModes),
  });
}

/** The levels of effort are told for the current model only. */
function row(id: string, name: string, current: string | undefined, efforts: string[]): Model {
  return { id, name, default: id === current, efforts: id === current ? efforts : [] };
}

function idOf(option: Fields | undefined): string | undefined {
  return nonBlank(option?.id) ?? nonBlank(option?.configId);
}

/** Options may be in groups. */
function choices(option: Fields | undefined): { id: string; name: string }[] {
  return list(option?.options)
    .map(fields)
    .flatMap((entry) => (Array.isArray(entry.options) ? entry.options : [entry]))
    .map((entry) => named(entry, "value"));
}

function named(entry: unknown, key: string): { id: string; name: string } {
  const id = nonBlank(fields(entry)[key]) ?? "";
  return { id, name: nonBlank(fields(entry).name) ?? id };
}
