import type { Model } from "@gantry/protocol";
import { compact, fields, list, nonBlank, texts } from "../../../fields.ts";

/** Reads the models from a list response or an opened session. */
export function readModels(models: unknown, current?: string): Model[] {
  return list(models).flatMap((entry) => {
    const model = fields(entry);
    const id = nonBlank(model.id);
    const name = nonBlank(model.displayName) ?? id ?? "";
    if (!id) return [];
    const facts = compact({
      deprecated: model.deprecated === true ? true : undefined,
      images: typeof model.noImageSupport === "boolean" ? !model.noImageSupport : undefined,
    });
    return [{ id, name, default: id === current, efforts: texts(model.supportedReasoningEfforts), ...facts }];
  });
}
