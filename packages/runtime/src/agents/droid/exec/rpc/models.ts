import type { Model } from "@gantry/protocol";
import { fields, list, nonBlank, texts } from "../../../fields.ts";

/** Models as Droid lists them, when it is asked and when a session opens. */
export function readModels(models: unknown, current?: string): Model[] {
  return list(models).flatMap((entry) => {
    const model = fields(entry);
    const id = nonBlank(model.id);
    const name = nonBlank(model.displayName) ?? id ?? "";
    return id ? [{ id, name, default: id === current, efforts: texts(model.supportedReasoningEfforts) }] : [];
  });
}
