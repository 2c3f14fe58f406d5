import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";

/** What carries the conversation itself; nobody's extra field may take its place. */
const CORE = new Set([
  ...["model", "modelId", "messages", "input", "contents", "prompt", "stream", "system", "instructions"],
  ...["systemInstruction", "tools", "tool_choice", "toolConfig"],
]);

/** Lays extra fields over a body, the model's compat first, its transform last. Core fields stay as they are. */
export function withExtras(body: Json, model: Model, compatExtras?: Json): Json {
  return { ...body, ...safe(compatExtras), ...safe(model.requestTransform?.extraBody) };
}

function safe(extra: Json | undefined): Json {
  return Object.fromEntries(Object.entries(extra ?? {}).filter(([key]) => !CORE.has(key)));
}

/** A body without the fields that say nothing. */
export function compact(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The id that goes over the wire. */
export function wireId(model: Model): string {
  return model.wireModelId ?? model.id;
}

/** Joins an address and a path, whatever slashes stand between. */
export function join(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}
