import type { Model } from "@gantry/protocol";
import { fields, list, nonBlank, texts } from "../fields.ts";

/** Reads the models of `initialize` and `list_models`. */
export function readModels(value: unknown): Model[] {
  return list(value).flatMap((entry) => {
    const model = fields(entry);
    const id = nonBlank(model.value);
    if (!id) return [];
    const name = nonBlank(model.displayName) ?? id;
    return [{ id, name, default: id === "default", efforts: texts(model.supportedEffortLevels) }];
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
