import type { Model } from "@gantry/protocol";
import { type Fields, fields, list, nonBlank, texts } from "../../fields.ts";

const EFFORTS = ["off", "minimal", "low", "medium", "high", "xhigh"];

/** A model id in the form `provider/id`. */
export function modelId(model: Fields): string | undefined {
  const [provider, id] = [nonBlank(model.provider), nonBlank(model.id)];
  return provider && id ? `${provider}/${id}` : id;
}

/** The models of `get_available_models`. Newer agents list the effort levels; the others have the usual ones. */
export function readModels(value: unknown): Model[] {
  return list(value).flatMap((entry) => {
    const model = fields(entry);
    const id = modelId(model);
    const named = texts(fields(model.thinking).efforts);
    const efforts = model.reasoning !== true ? [] : named.length > 0 ? named : EFFORTS;
    return id ? [{ id, name: nonBlank(model.name) ?? id, default: false, efforts }] : [];
  });
}
