import type { Model } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, texts } from "../fields.ts";

/** Reads the models of `initialize` and `list_models`. */
export function readModels(value: unknown): Model[] {
  return list(value).flatMap((entry) => {
    const model = fields(entry);
    const id = nonBlank(model.value);
    if (!id) return [];
    const name = nonBlank(model.displayName) ?? id;
    return [{ id, name, default: id === "default", efforts: texts(model.supportedEffortLevels), ...factsOf(model) }];
  });
}

/** The model behind the alias; the price, which Claude Code only has in its description; and the larger context window. */
function factsOf(model: Fields): Partial<Model> {
  const resolves = nonBlank(model.resolvedModel);
  const price = /\$(\d+(?:\.\d+)?)\/\$(\d+(?:\.\d+)?) per Mtok/.exec(nonBlank(model.description) ?? "");
  return compact({
    resolves,
    contextWindow: resolves?.endsWith("[1m]") ? 1_000_000 : undefined,
    price: price ? { input: Number(price[1]), output: Number(price[2]) } : undefined,
  });
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** Aliases that every version accepts, for when the installed one does not respond. */
export const fallbackModels: readonly Model[] = [
  { id: "default", name: "Default", default: true, efforts: EFFORTS },
  { id: "opus", name: "Opus", default: false, efforts: EFFORTS },
  { id: "sonnet", name: "Sonnet", default: false, efforts: EFFORTS },
  { id: "haiku", name: "Haiku", default: false, efforts: [] },
];
