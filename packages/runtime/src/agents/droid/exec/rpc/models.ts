import type { Model } from "@gantry/protocol";
import { fields, list, nonBlank, texts } from "../../../fields.ts";

/** Reads the models from a list response or an opened session. */
export function readModels(models: unknown, current?: string): Model[] {
  return list(models).flatMap((entry) => {
    const model = fields(entry);
    const id = nonBlank(model.id);
    const name = nonBlank(model.displayName) ?? id ?? "";
    return id ? [{ id, name, default: id === current, efforts: texts(model.supportedReasoningEfforts) }] : [];
  });
}
